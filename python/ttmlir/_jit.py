"""``ttmlir.jit``: functions of JAX that run on emulated chips.

Needs the extra ``jax``: ``pip install ttmlir[jax]``.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

try:
    import jax
except ImportError as error:
    raise ImportError(f"ttmlir.jit needs JAX: pip install ttmlir[jax] ({error})") from None

from ttmlir.compiler import compile
from ttmlir.executable import Executable
from ttmlir.frontends.jax._functions import register_platform
from ttmlir.report import Report


class JitFunction:
    """A function that runs on emulated chips, as returned by ``ttmlir.jit``.

    It compiles once for each combination of structure, shapes and dtypes of the arguments. When
    another function that JAX traces calls it, JAX inlines it there.
    """

    def __init__(
        self, function: Callable[..., Any], own: Mapping[str, Any], keywords: Mapping[str, Any]
    ) -> None:
        functools.update_wrapper(self, function)
        self._jitted = jax.jit(function, keep_unused=True, **own)
        self._static = _static(function, own)
        self._keywords = dict(keywords)
        # By identity of the traced function, which JAX keeps for equal arguments.
        self._executables: dict[int, tuple[Any, Executable]] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        leaves = jax.tree_util.tree_leaves((args, kwargs))
        if any(isinstance(leaf, jax.core.Tracer) for leaf in leaves):
            return self._jitted(*args, **kwargs)
        executable = self.compile(*args, **kwargs)
        dynamic, named = self._dynamic(args, kwargs)
        return executable(*dynamic, **named)

    def compile(self, *args: Any, **kwargs: Any) -> Executable:
        """Compiles for arguments like these: arrays or ``jax.ShapeDtypeStruct``."""
        register_platform()
        traced = self._jitted.trace(*args, **kwargs)
        key = id(traced.jaxpr)
        if key not in self._executables:
            self._executables[key] = (traced.jaxpr, compile(traced, **self._keywords))
        return self._executables[key][1]

    def report(self, *args: Any, **kwargs: Any) -> Report:
        """Reports the cost of a call with these arguments on the chip."""
        dynamic, named = self._dynamic(args, kwargs)
        return self.compile(*args, **kwargs).report(*dynamic, **named)

    def _dynamic(self, args: Any, kwargs: Any) -> tuple[list[Any], dict[str, Any]]:
        """Returns the arguments that are not static."""
        places, names = self._static
        count = len(args)
        left_out = {p % count if p < 0 else p for p in places}
        return (
            [a for i, a in enumerate(args) if i not in left_out],
            {k: v for k, v in kwargs.items() if k not in names},
        )


def _static(function: Callable[..., Any], own: Mapping[str, Any]) -> tuple[list[int], set[str]]:
    """Returns positions and names of static arguments; the signature gives one from the other."""
    places = own.get("static_argnums")
    names = own.get("static_argnames")
    found = [places] if isinstance(places, int) else list(places or ())
    named = {names} if isinstance(names, str) else set(names or ())
    parameters = list(inspect.signature(function).parameters.values())
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if names is None:
        named |= {positional[i].name for i in found if -len(positional) <= i < len(positional)}
    if places is None:
        found += [i for i, p in enumerate(positional) if p.name in named]
    return found, named


def jit(
    function: Callable[..., Any] | None = None,
    *,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Sequence[str] | None = None,
    donate_argnums: int | Sequence[int] | None = None,
    donate_argnames: str | Sequence[str] | None = None,
    **keywords: Any,
) -> Any:
    """Makes a JAX function run on emulated chips. Can be used as a decorator.

    Args:
        function: the JAX function; without it ``jit`` returns a decorator.
        static_argnums: as in ``jax.jit``.
        static_argnames: as in ``jax.jit``.
        donate_argnums: as in ``jax.jit``.
        donate_argnames: as in ``jax.jit``.
        keywords: options of ``ttmlir.compile``, such as ``target`` and ``backend``.

    Returns:
        A function of the same arguments, which are pytrees of arrays. It returns NumPy arrays. Its
        methods ``compile(*args)`` and ``report(*args)`` return the executable and its report.

    Raises:
        CompileError: from a call, if the function is not supported or does not compile.

    Example:
        >>> import jax.numpy as jnp, numpy as np, ttmlir
        >>> @ttmlir.jit
        ... def step(params, x):
        ...     return {"y": jnp.tanh(x @ params["w"])}
        >>> step({"w": np.ones((4, 2), np.float32)}, np.zeros((3, 4), np.float32))["y"].shape
        (3, 2)
    """
    own = {
        "static_argnums": static_argnums,
        "static_argnames": static_argnames,
        "donate_argnums": donate_argnums,
        "donate_argnames": donate_argnames,
    }
    own = {key: value for key, value in own.items() if value is not None}
    if function is None:
        return lambda found: JitFunction(found, own, keywords)
    if not callable(function):
        raise TypeError(f"jit: expected a function, found {type(function).__name__}")
    return JitFunction(function, own, keywords)
