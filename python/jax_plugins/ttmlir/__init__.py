"""The emulated chips as devices of JAX: ``jax.devices("tt")``.

JAX finds this package by its entry point and calls ``initialize``. No device is opened before JAX
asks for its devices, and CPU stays JAX's default unless ``JAX_PLATFORMS`` says otherwise.
"""

from __future__ import annotations

import atexit
import threading
from typing import Any

__all__ = ["first_chip", "initialize"]

#: Lower than the priority of JAX's CPU, which is 0.
PRIORITY = -100
#: Names of the platform. The backend is registered under both; the first is skipped if another
#: plugin already uses it.
PLATFORM, ALIAS = "tt", "ttmlir"

_lock = threading.Lock()
_worker: threading.Thread | None = None
_is_loaded = False
_ends = False


def initialize() -> None:
    """Registers the plugin with JAX.

    Raises:
        ImportError: ttmlir was built without the extension module of the plugin.
    """
    from jax._src import xla_bridge
    from jaxlib import xla_client

    from jax_plugins.ttmlir import _jax_patches

    global _is_loaded
    with _lock:
        if not _is_loaded:
            xla_client.load_pjrt_plugin_with_c_api(ALIAS, _api())
            _is_loaded = True
    _jax_patches.apply(PLATFORM)
    for name in (ALIAS, PLATFORM):
        # Another plugin of this name drives real chips: a user who installed it wants those.
        if name not in xla_bridge._backend_factories:
            xla_bridge.register_backend_factory(
                name, _client, priority=PRIORITY, fail_quietly=True, experimental=False
            )


def _api() -> Any:
    """Returns the function table as a capsule."""
    from jaxlib.mlir.dialects import stablehlo

    from jax_plugins.ttmlir._errors import describe
    from ttmlir import _pjrt

    def version(text: str) -> tuple[int, ...]:
        return tuple(map(int, text.split(".")))

    return _pjrt.api(
        _make_backend,
        _start_worker,
        describe,
        version(stablehlo.get_current_version()),
        version(stablehlo.get_minimum_version()),
    )


def _client() -> Any:
    """Returns the JAX client; both names of the backend share one."""
    from jaxlib import xla_client

    existing = _existing_client()
    if existing is not None:
        return existing
    if not xla_client.pjrt_plugin_initialized(ALIAS):
        xla_client.initialize_pjrt_plugin(ALIAS)
    return xla_client.make_c_api_client(ALIAS, {}, None)


def _existing_client() -> Any:
    """Returns the JAX client; None if there is none."""
    from jax._src import xla_bridge

    for name in (ALIAS, PLATFORM):
        registered = xla_bridge._backend_factories.get(name)
        if registered is not None and registered.factory is _client:
            existing = xla_bridge._backends.get(name)
            if existing is not None:
                return existing
    return None


def first_chip() -> Any:
    """Returns the first chip of this process, under whichever name JAX uses the platform.

    Raises:
        RuntimeError: JAX does not use it, or has no devices.
    """
    import jax

    jax.devices()  # Makes the clients.
    client = _existing_client()
    return (client.local_devices() if client else jax.local_devices(backend=ALIAS))[0]


def _make_backend() -> Any:
    """Creates the object that the extension module calls to compile and run, one for each
    client."""
    # The hook of the runtime, which is registered on import, has to run after ours.
    from jax_plugins.ttmlir._backend import Backend

    global _ends
    backend = Backend()
    with _lock:
        if not _ends:
            atexit.register(_stop)
            _ends = True
    return backend


def _start_worker() -> None:
    """Starts the worker thread, the only one that uses the chips."""
    from ttmlir import _pjrt

    global _worker
    # A daemon, because non-daemon threads are joined before the atexit hooks run.
    _worker = threading.Thread(target=_pjrt.work, name="ttmlir-jax", daemon=True)
    _worker.start()


def _stop() -> None:
    """Stops the worker after the running program and frees the buffers on the chips, which JAX
    keeps until the interpreter exits."""
    from ttmlir import _pjrt

    _pjrt.stop()
    if _worker is not None:
        _worker.join(timeout=1)
    # The runtime cancels a program that takes longer, and the worker never returns.
    if _worker is None or not _worker.is_alive():
        _pjrt.drop_all()
