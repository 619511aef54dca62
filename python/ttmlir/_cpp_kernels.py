"""Kernels in C++ that files contain, which are compiled only if the caller allows it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

from ttmlir import runtime
from ttmlir._files import file_error, written
from ttmlir._runtime import compile_kernels, get_cpp_kernels, with_cpp_kernels
from ttmlir.errors import Error

#: The headers of the kernel library.
LIBRARY_HEADERS = Path(__file__).absolute().parent / "include" / "kernel_api"


def with_compiled_kernels(binary: runtime.Binary) -> runtime.Binary:
    """Compiles the kernels in C++ of a binary, and returns a binary that runs them. They run
    natively, with the rights of the caller.

    Raises:
        Error: there is no compiler, or it rejects a kernel; the message is that of the compiler.
    """
    if binary.file_identifier != "TTM0":
        return binary
    for program in range(binary.num_programs):
        units = []
        for unit, headers in get_cpp_kernels(binary, program):
            if headers:
                unit.include_dirs = [str(_unpack(headers))]
            units.append(unit)
        if units:
            objects = compile_kernels(units, str(LIBRARY_HEADERS))
            binary = with_cpp_kernels(binary, program, objects)
    return binary


#: Folders below that of a kernel's headers, so that those that it includes from folders above its
#: own, as "../common.h", have a place.
_DEPTH = ("kernels",) * 4


def _unpack(headers: Sequence[tuple[str, str]]) -> Path:
    """Writes the headers of a kernel to a folder of the cache, and returns it. The same headers
    have the same folder, so that the compiled kernel is found again."""
    digest = hashlib.sha256(repr(sorted(headers)).encode()).hexdigest()[:32]
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    root = Path(os.path.abspath(base)) / "ttmlir" / "kernel_headers" / digest
    folder = root.joinpath(*_DEPTH)
    for name, text in headers:
        path = Path(os.path.normpath(folder / name))
        if root not in path.parents:
            raise Error(f"expected a header near its kernel, found '{name}'")
        if path.exists():
            continue
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise file_error(path.parent, "created", error) from None
        with written(path) as file:
            file.write(text.encode())
    return folder
