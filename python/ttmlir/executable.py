"""Compiled programs as Python callables."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ttmlir import runtime
from ttmlir._cpp_kernels import with_compiled_kernels
from ttmlir._files import check_exists
from ttmlir._numerics import Numerics
from ttmlir._programs import Program, TensorInfo
from ttmlir._runnable import Runnable
from ttmlir._version import __version__
from ttmlir.errors import Error
from ttmlir.frontends import Signature

if TYPE_CHECKING:
    from ttmlir.comparison import Comparison
    from ttmlir.debugger import Debugger

__all__ = ["Executable", "Program", "TensorInfo", "load"]


def load(
    path: str | os.PathLike[str],
    *,
    system_desc: runtime.SystemDesc | None = None,
    numerics: Numerics | None = None,
    allow_cpp: bool = False,
) -> Executable:
    """Loads a ``.ttnn``, ``.ttm`` or ``.ttb`` file.

    Args:
        path: the file.
        system_desc: the system to run it on; by default the matching target.
        numerics: the arithmetic of runs, as for ``ttmlir.compile``; files do not contain it.
        allow_cpp: compile the kernels in C++ of the file with g++ (``$CXX``), and let them run.
            They run natively, with your rights: never allow it for a file that you do not trust.
            Without it, running a program with such kernels is an error.

    Raises:
        InputError: ``numerics`` is unknown.
        FileError: the file does not exist.
        Error: the file is truncated, has another format or was written by another version.
    """
    check_exists(path)
    try:
        binary = runtime.load_binary_from_path(os.fspath(path))
        # Only the header of a file of another version can be read.
        if binary.version != __version__:
            raise Error(f"'{path}' was written by version {binary.version}, expected {__version__}")
        if allow_cpp:
            binary = with_compiled_kernels(binary)
        return Executable(binary, system_desc, numerics=numerics)
    except runtime.RuntimeError as error:
        raise Error(str(error)) from None


def _restore(
    binary: bytes, system_desc: bytes | None, signature: Signature, numerics: Numerics | None
) -> Executable:
    """Reconstructs a pickled executable."""
    desc = None if system_desc is None else runtime.load_system_desc_from_bytes(system_desc)
    loaded = runtime.load_binary_from_bytes(binary)
    return Executable(loaded, desc, signature, numerics=numerics)


class Executable(Runnable):
    """A compiled module. Calling it runs one of its programs on an emulated system.

    The system is opened by the first call and shared by all executables for the same system, so a
    result left on the device can be the input of another executable. It is closed when all of
    them, and all results on it, are gone. Not thread-safe.

    ``numerics`` is the arithmetic of runs that state none: ``fast``, ``exact``, or None for the
    option of the device.
    """

    def __repr__(self) -> str:
        return f"<ttmlir.Executable {'; '.join(map(str, self.programs))}>"

    def __reduce__(self) -> tuple[Any, ...]:
        desc = self._system_desc
        return _restore, (
            self.binary.to_bytes(),
            desc and desc.to_bytes(),
            self.signature,
            self.numerics,
        )

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Executable:
        """The same as ``ttmlir.load``."""
        return load(path)

    def debug(
        self,
        *args: Any,
        program: int | str = 0,
        numerics: Numerics | None = None,
        device: runtime.Device | None = None,
        **kwargs: Any,
    ) -> Debugger:
        """Returns a debugger for one call, whose arguments these are::

            with executable.debug(x) as debug:
                debug.break_at(kernel="compute_kernel0")
                print(debug.run())

        Only programs of the ``ttmetal`` backend have kernels to debug.
        """
        # Imported here because it is only needed here.
        from ttmlir.debugger import Debugger

        used = device or self.device
        return Debugger(
            used,
            lambda: self(*args, program=program, numerics=numerics, device=used, **kwargs),
        )

    def compare(
        self,
        reference: Any,
        /,
        *args: Any,
        program: int | str = 0,
        min_pcc: float | None = None,
        max_relative: float | None = None,
        numerics: Numerics | None = None,
        device: runtime.Device | None = None,
        **kwargs: Any,
    ) -> Comparison:
        """Runs a program and compares the result of every op with that of the source's op.

        The program's own ops run, with their operands, layouts and formats; each result is copied
        to the host. Errors of earlier ops propagate to later ones, and variables start from their
        initial values. For a program on a mesh only the outputs are compared.

        Args:
            reference: ``"f64"``, the PyTorch module, JAX function or ONNX model that the executable
                was made from, in float64; another module, exported program, function or model; an
                MLIR program, computed in f32 on the emulator; ``"fast"`` or ``"exact"``, the same
                program with these ``numerics``; arrays by op name, with ``output_0`` and so on for
                outputs; or ``"goldens"``, the arrays in the file, which are also the default
                arguments.
            args: arguments as in a call.
            program: index or name.
            min_pcc: the least correlation of a correct result; by default chosen by its format.
            max_relative: the greatest relative error of a correct result.
            numerics: the arithmetic of the compared run, as in a call.
            device: an open device instead of the shared one.
            kwargs: keywords as in a call.

        Raises:
            InputError: wrong arguments, as in a call.
            Error: there is no such reference, or the program cannot run.
        """
        # Imported here because it is slow to load and only needed here.
        from ttmlir._comparison import runner

        return runner.compare(
            self,
            reference,
            args,
            kwargs,
            program=program,
            min_pcc=min_pcc,
            max_relative=max_relative,
            numerics=numerics,
            device=device,
        )
