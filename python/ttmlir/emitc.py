"""C++ of compiled programs: compiler flags, and running it from Python.

A program's C++ (``exe.cpp``, or the output of ``ttmlir-translate -mlir-to-cpp``) needs one header
and one library, which the package contains. From a shell:

    c++ -std=c++20 program.cpp $(python -m ttmlir.emitc --cxxflags --ldflags) -o program

From Python, the results are bit-identical to those of the flatbuffer:

    >>> import ttmlir
    >>> exe = ttmlir.compile("mlp.mlir")                        # doctest: +SKIP
    >>> program = ttmlir.emitc.load(exe.cpp)                    # doctest: +SKIP
    >>> y = program.forward(x)                                  # doctest: +SKIP
"""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ttmlir import _compiler_flags
from ttmlir.errors import Error, InputError

_PACKAGE = Path(__file__).absolute().parent

# A function of the program: its type, its name and its arguments.
_DEFINITION = re.compile(
    r"^(?:void|ttnn::Tensor|std::tuple<[^>]*>) (?P<name>\w+)\([^)]*\) \{", re.MULTILINE
)


def include_dir() -> Path:
    """Returns the folder of ``ttnn-precompiled.hpp``."""
    return _PACKAGE / "include"


def library_dir() -> Path:
    """Returns the folder of ``libttnn.so``."""
    return _PACKAGE / "lib"


def compile_flags() -> list[str]:
    """Returns the compiler flags."""
    return ["-std=c++20", f"-I{include_dir()}"]


def link_flags() -> list[str]:
    """Returns the linker flags, to be given after the source files."""
    return [f"-L{library_dir()}", f"-Wl,-rpath,{library_dir()}", "-lttnn"]


def build(
    source: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    compiler: str | None = None,
    options: Sequence[str] = (),
) -> Path:
    """Compiles the C++ of a program to a shared library that ``load_library`` opens.

    Args:
        source: the text, or the path of a file that ends in ``.cpp``.
        output: the library to write.
        compiler: by default ``$CXX``, or ``c++``.
        options: additional compiler options.

    Raises:
        Error: the compiler does not run or rejects the source; the message is the compiler's.
    """
    text = str(source)
    if isinstance(source, os.PathLike) or (text.endswith(".cpp") and "\n" not in text):
        text = Path(source).read_text(encoding="utf-8")
    names = [match["name"] for match in _DEFINITION.finditer(text)]
    if not names:
        raise Error("expected the C++ of a program, found no function")
    exports = "".join(f"TTNN_EXPORT({name})\n" for name in names)
    command = [compiler or os.environ.get("CXX", "c++"), *compile_flags(), "-shared", "-fPIC"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.cpp"
        path.write_text(f"{text}\n{exports}", encoding="utf-8")
        command += [*options, str(path), "-o", os.fspath(output), *link_flags()]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError as error:
            raise Error(f"'{command[0]}' cannot be run: {error.strerror}") from None
    if done.returncode:
        raise Error(f"{command[0]} failed with status {done.returncode}:\n{done.stderr.strip()}")
    return Path(output)


def load(
    source: str | os.PathLike[str],
    *,
    target: str | os.PathLike[str] | None = None,
    compiler: str | None = None,
    options: Sequence[str] = (),
) -> Library:
    """Compiles the C++ of a program and opens it.

    Args:
        source: as for ``build``.
        target: as for ``load_library``.
        compiler, options: as for ``build``.

    Returns:
        The functions of the program as attributes.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = build(source, Path(folder) / "program.so", compiler=compiler, options=options)
        # An open library stays loaded when its file is removed.
        return load_library(path, target=target)


def load_library(
    path: str | os.PathLike[str], *, target: str | os.PathLike[str] | None = None
) -> Library:
    """Opens a library made by ``build``.

    Args:
        path: the library.
        target: the system to run on, one of ``ttmlir.targets`` or a descriptor (``.ttsys``); the
            process uses one system at a time, by default the first target.
    """
    return Library(Path(path), target)


class Library:
    """The functions of a program, as attributes that take and return numpy arrays."""

    def __init__(self, path: Path, target: str | os.PathLike[str] | None = None) -> None:
        try:
            self._program = ctypes.CDLL(str(path.resolve()))
        except OSError as error:
            raise Error(f"'{path}' cannot be opened: {error}") from None
        self._api = _api()
        if target is not None:
            with _Frame(self._api) as frame:
                frame.check(self._api.ttnn_use_system(frame.handle, os.fsencode(target)))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            function = getattr(self._program, f"ttnn_run_{name}")
        except AttributeError:
            raise AttributeError(f"the program has no function '{name}'") from None
        function.argtypes, function.restype = [ctypes.c_void_p], None

        def call(*inputs: Any) -> Any:
            with _Frame(self._api) as frame:
                for i, value in enumerate(inputs):
                    frame.add_input(f"{name}: input {i}", value)
                function(frame.handle)
                frame.check(not frame.error, name)
                outputs = frame.outputs()
            return outputs[0] if len(outputs) == 1 else tuple(outputs)

        call.__name__ = name
        return call


def _api() -> Any:
    """Declares the C interface of the library."""
    path = library_dir() / "libttnn.so"
    try:
        api = ctypes.CDLL(str(path))
    except OSError as error:
        raise Error(f"'{path}' cannot be opened: {error}") from None
    frame, size, number = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    extents = ctypes.POINTER(ctypes.c_int64)
    signatures: dict[str, tuple[Any, list[Any]]] = {
        "ttnn_frame_create": (frame, []),
        "ttnn_frame_destroy": (None, [frame]),
        "ttnn_frame_error": (ctypes.c_char_p, [frame]),
        "ttnn_frame_input": (ctypes.c_bool, [frame, ctypes.c_void_p, extents, size, number]),
        "ttnn_frame_num_outputs": (size, [frame]),
        "ttnn_frame_output_rank": (size, [frame, size]),
        "ttnn_frame_output_extent": (ctypes.c_int64, [frame, size, size]),
        "ttnn_frame_output_dtype": (number, [frame, size]),
        "ttnn_frame_output": (ctypes.c_bool, [frame, size, ctypes.c_void_p, size]),
        "ttnn_use_system": (ctypes.c_bool, [frame, ctypes.c_char_p]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(api, name)
        function.restype, function.argtypes = result, arguments
    return api


class _Frame:
    """Inputs, outputs and error of one call."""

    def __init__(self, api: Any) -> None:
        self.api = api
        self.handle = api.ttnn_frame_create()

    def __enter__(self) -> _Frame:
        return self

    def __exit__(self, *_: object) -> None:
        self.api.ttnn_frame_destroy(self.handle)

    @property
    def error(self) -> str:
        text: bytes = self.api.ttnn_frame_error(self.handle)
        return text.decode("utf-8", "replace")

    def check(self, ok: bool, where: str = "") -> None:
        if not ok:
            raise Error(f"{where}: {self.error}" if where else self.error)

    def add_input(self, where: str, value: Any) -> None:
        from ttmlir import runtime

        try:
            array = runtime.to_host_array(value)
            data_type = runtime.data_type_of(array.dtype)
        except (TypeError, ValueError) as error:
            raise InputError(f"{where}: {error}") from None
        shape = (ctypes.c_int64 * array.ndim)(*array.shape)
        self.check(
            self.api.ttnn_frame_input(
                self.handle, array.ctypes.data, shape, array.ndim, data_type.value
            ),
            where,
        )

    def outputs(self) -> list[Any]:
        import numpy as np

        from ttmlir import runtime

        found = []
        for i in range(self.api.ttnn_frame_num_outputs(self.handle)):
            rank = self.api.ttnn_frame_output_rank(self.handle, i)
            shape = [self.api.ttnn_frame_output_extent(self.handle, i, d) for d in range(rank)]
            data_type = runtime.DataType(self.api.ttnn_frame_output_dtype(self.handle, i))
            array = np.empty(shape, runtime.host_dtype(data_type))
            self.check(self.api.ttnn_frame_output(self.handle, i, array.ctypes.data, array.nbytes))
            found.append(array)
        return found


def main() -> None:
    """Prints compiler and linker flags for the command line."""
    _compiler_flags.print_flags(
        "ttmlir.emitc",
        main.__doc__,
        {
            ("--cxxflags",): ("print compiler flags", compile_flags),
            ("--ldflags",): ("print linker flags", link_flags),
            ("--includedir",): ("print the folder of the header", lambda: [str(include_dir())]),
            ("--libdir",): ("print the folder of the library", lambda: [str(library_dir())]),
        },
    )


if __name__ == "__main__":
    main()
