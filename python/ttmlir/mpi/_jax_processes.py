"""``jax.distributed.initialize()`` on ranks: they are the processes of JAX."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import inspect
import json
import os
import socket
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from ttmlir import _runtime, mpi

_MODULE = "jax._src.distributed"


def prepare() -> None:
    """Makes JAX, once the script imports it, take its processes from the ranks."""
    # Scripts without JAX do not wait for its import.
    sys.meta_path.insert(0, _Finder())


def finish() -> None:
    """Makes the devices of JAX at the end of a script that has not used them: ranks that use them
    wait for those of all."""
    if _MODULE not in sys.modules:
        return
    from jax._src import distributed, xla_bridge

    if distributed.global_state.client is None or xla_bridge.backends_are_initialized():
        return
    with contextlib.suppress(Exception):  # The other ranks report it.
        xla_bridge.backends()


class _Finder(MetaPathFinder):
    """Changes the module as it is imported."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != _MODULE:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            original = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                original(module)
                _patch(module)

            vars(spec.loader)["exec_module"] = exec_module
        return spec


def _patch(module: ModuleType) -> None:
    """Completes the arguments of ``State.initialize``, which ``initialize`` calls."""
    state: Any = module.State
    original = state.initialize
    signature = inspect.signature(original)

    @functools.wraps(original)
    def initialize(*args: Any, **kwargs: Any) -> None:
        call = signature.bind(*args, **kwargs)
        complete(call.arguments)
        original(*call.args, **call.kwargs)

    state.initialize = initialize


def complete(arguments: dict[str, Any]) -> None:
    """Adds what the arguments of ``initialize`` do not say. All ranks call it.

    Raises:
        ValueError: the processes are not the ranks.
        ArgumentError: another rank does not initialize JAX, or has another coordinator.
    """
    for name, expected, of in (
        ("num_processes", mpi.size(), "the number of ranks"),
        ("process_id", mpi.rank(), "the rank"),
    ):
        found = arguments.get(name)
        if found is not None and found != expected:
            raise ValueError(
                f"rank {mpi.rank()} of {mpi.size()}: jax.distributed.initialize: expected {name} "
                f"{expected}, which is {of}, or no {name}, found {found}"
            )
        arguments[name] = expected
    given = arguments.get("coordinator_address") or os.environ.get("JAX_COORDINATOR_ADDRESS")
    _runtime.require_same("coordinator_address of jax.distributed", str(given))
    if given is None:
        address, is_local = _choose_address()
        arguments["coordinator_address"] = address
        name = "coordinator_bind_address"
        if is_local and not (arguments.get(name) or f"JAX_{name.upper()}" in os.environ):
            arguments[name] = address
    # Another scheduler, under which mpirun runs, has nothing to add.
    arguments["cluster_detection_method"] = "deactivate"


def _choose_address() -> tuple[str, bool]:
    """Returns an address at rank 0 with a port that is free, and whether all ranks are there."""
    with socket.socket() as free:
        free.bind(("", 0))
        own = json.dumps([socket.gethostname(), free.getsockname()[1]])
    found = [json.loads(text) for text in _runtime.gather_texts("jax.distributed.initialize", own)]
    host, port = found[0]
    is_local = all(other == host for other, _ in found)
    # The name of a host need not have an address there.
    return f"{'127.0.0.1' if is_local else host}:{port}", is_local
