"""Executables and reports of programs that JAX runs on the emulated chips.

>>> import jax, jax.numpy as jnp, ttmlir.jax
>>> x = jax.device_put(jnp.ones((64, 64)), jax.devices("tt")[0])
>>> report = ttmlir.jax.report(lambda x: jnp.tanh(x @ x), x)
>>> report.cycles > 0
True
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import ttmlir

if TYPE_CHECKING:
    from jax_plugins.ttmlir._executable import Program

__all__ = ["executable", "report"]


def executable(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> ttmlir.Executable:
    """Returns the executable that JAX runs for a call of a function.

    Args:
        function: a function, jitted or not.
        args: arguments of the call. Arrays that are not on a device yet count as on the first chip
            of the process.
        kwargs: keywords of the call.

    Raises:
        InputError: the arguments are on devices of another platform.
        JaxRuntimeError: the program does not compile.
    """
    return _program(function, args, kwargs)[1].executable


def report(
    function: Callable[..., Any],
    /,
    *args: Any,
    trace: bool | ttmlir.TraceFilter = False,
    **kwargs: Any,
) -> ttmlir.Report:
    """Calls a function on the chip, like JAX, and reports its cost.

    Args:
        function: a function, jitted or not.
        args: arguments of the call. Arrays that are not on a device yet count as on the first chip
            of the process.
        trace: whether to include the timeline, or a filter; see ``ttmlir.Executable.report``.
        kwargs: keywords of the call, except for ``trace``.

    Raises:
        InputError: the arguments are on devices of another platform.
        JaxRuntimeError: the program does not compile.
        OutOfMemoryError: a memory of the chip is exhausted.
    """
    import jax

    from jax_plugins.ttmlir import first_chip
    from jax_plugins.ttmlir._execution import recording

    jitted, program = _program(function, args, kwargs)
    wait: Callable[[Any], Any] = jax.block_until_ready
    with recording(program, trace) as found, jax.default_device(first_chip()):
        wait(jitted(*args, **kwargs))
    assert found.report is not None
    return found.report


def _program(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Callable[..., Any], Program]:
    """Returns the jitted function, and the program that a call of it runs."""
    import jax

    from jax_plugins.ttmlir import first_chip
    from jax_plugins.ttmlir._execution import find_program

    jitted: Any = function if hasattr(function, "lower") else jax.jit(function)
    with jax.default_device(first_chip()):
        loaded = jitted.lower(*args, **kwargs).compile().runtime_executable()
    fingerprint = loaded.fingerprint or b""
    program = find_program(fingerprint.decode())
    if program is None:
        platforms = sorted({device.platform for device in loaded.local_devices()})
        raise ttmlir.InputError(
            f"expected a function on chips of ttmlir, found one on {', '.join(platforms)}: put its "
            'arguments on jax.devices("tt")'
        )
    return jitted, program
