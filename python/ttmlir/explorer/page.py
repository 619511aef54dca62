"""``serve``: opens the explorer page for a program from Python."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttmlir._files import read_file
from ttmlir._lowering import BACKENDS, Backend, ttir_of
from ttmlir._targets import resolve
from ttmlir.errors import Error
from ttmlir.explorer.evaluation import Subject
from ttmlir.explorer.server import Server
from ttmlir.explorer.session import Session

if TYPE_CHECKING:
    from ttmlir import ir
    from ttmlir.builder import Builder


def serve(
    source: str | os.PathLike[str] | ir.Module | Builder,
    *,
    backend: Backend = "ttnn",
    target: str = "n150",
    mesh_shape: tuple[int, ...] = (),
    inputs: Sequence[Any] | None = None,
    seed: int = 0,
    port: int = 0,
    time_limit: float = 300.0,
) -> Server:
    """Serves a local page to change the layouts of a program and see the effect on its modelled
    time and accuracy.

    Args:
        source: the path of a ``.mlir`` file, which the page can reload, a ``ttmlir.ir.Module``
            or a ``ttmlir.Builder``.
        backend: as for ``ttmlir.compile``.
        target: as for ``ttmlir.compile``, or a ``.ttsys`` file.
        mesh_shape: as for ``ttmlir.compile``.
        inputs: arrays to run the first program on; by default drawn from a normal distribution.
        seed: of the default inputs.
        port: to listen on; a free one by default.
        time_limit: for compiling and running once, in seconds.

    Returns:
        The server, which runs until it is closed; ``url`` is the address of the page.

    Raises:
        Error: the port is in use, or the backend or the target is unknown.
        FileError: the file does not exist.
        CompileError: a module does not verify.

    Example:
        >>> import ttmlir
        >>> b = ttmlir.Builder()
        >>> b.output(b.relu(b.input("x", (64, 64)), name="clip"))
        >>> with ttmlir.explorer.serve(b) as server:
        ...     server.url.startswith("http://127.0.0.1:")
        True
    """
    if backend not in BACKENDS:
        raise Error(f"backend '{backend}' is unknown, expected one of {', '.join(BACKENDS)}")
    resolve(target, target if target.endswith(".ttsys") else None)
    if isinstance(source, str | os.PathLike):
        path = Path(source)

        def read() -> Subject:
            return Subject(read_file(path), str(path), backend, target, mesh_shape, seed, inputs)
    else:
        buffer = io.BytesIO()
        ttir_of(source).operation.write_bytecode(buffer)
        mesh_shape = mesh_shape or getattr(source, "mesh_shape", ())

        def read() -> Subject:
            return Subject(buffer.getvalue(), "", backend, target, mesh_shape, seed, inputs)

    return Server(Session(read, time_limit), port)
