"""The ways of a function of JAX onto a chip: by the importer, and as a program of its device.

Both compile with the same importer, so the tests run a sample by the second way, and all with
``TTMLIR_PLUGIN_EVERY=1``; ``pytest -k plugin`` leaves the first way out.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import jax
import pytest

import ttmlir
from ttmlir.errors import CompileError

#: ``ttmlir.compile``, and ``jax.jit`` on ``jax.devices("tt")``.
NAMES = IMPORTER, PLUGIN = ("importer", "plugin")


class UnsupportedError(Exception):
    """A program with something that cannot be expressed."""


@dataclass(frozen=True)
class Way:
    """One of ``NAMES``, with a backend."""

    name: str = IMPORTER
    backend: str = "ttnn"

    def run(self, function: Callable[..., Any], args: Any) -> Any:
        """The results of the function, on the host.

        Raises:
            UnsupportedError: it cannot be expressed.
        """
        return _RUN[self.name](function, args, self.backend)


def _by_importer(function: Callable[..., Any], args: Any, backend: str) -> Any:
    try:
        executable = ttmlir.compile(function, *args, backend=backend)  # type: ignore[arg-type]
    except CompileError as error:
        raise UnsupportedError(str(error)) from None
    return executable(*args)


def _by_plugin(function: Callable[..., Any], args: Any, backend: str) -> Any:
    chip, host = jax.devices("tt")[0], jax.devices("cpu")[0]
    on_chip = jax.jit(function, compiler_options={"backend": backend})
    try:
        # The default device is for functions without arguments.
        with jax.default_device(chip):
            results = on_chip(*jax.device_put(args, chip))
        assert all(x.devices() == {chip} for x in jax.tree.leaves(results))
        return jax.device_put(results, host)
    except NotImplementedError as error:  # JAX has no rule for the platform.
        raise UnsupportedError(str(error)) from None
    except jax.errors.JaxRuntimeError as error:
        if str(error).startswith("UNIMPLEMENTED"):
            raise UnsupportedError(str(error)) from None
        raise


_RUN = dict(zip(NAMES, (_by_importer, _by_plugin), strict=True))


def through(name: str, cases: Iterable[Any], every: int = 1) -> list[Any]:
    """Parameters of a test with a way in front.

    Args:
        name: of the way. There are none by the plugin where the build has none.
        cases: parameters of pytest that have ids.
        every: of so many cases one is run.
    """
    if name == PLUGIN and find_spec("ttmlir._pjrt") is None:
        return []
    taken = list(cases)[every - 1 :: every]
    return [pytest.param(Way(name), *case.values, id=f"{name}-{case.id}") for case in taken]


def both(cases: Iterable[Any], every: int = 50) -> list[Any]:
    """Every case by the importer, and one of ``every`` of them by the plugin."""
    cases = list(cases)
    every = int(os.environ.get("TTMLIR_PLUGIN_EVERY", every))
    return [*through(IMPORTER, cases), *through(PLUGIN, cases, every)]
