"""Compiled programs as Python callables."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ttmlir import runtime
from ttmlir._files import check_exists
from ttmlir._programs import Program, TensorInfo
from ttmlir._runnable import Runnable
from ttmlir._version import __version__
from ttmlir.errors import Error
from ttmlir.frontends import Signature

if TYPE_CHECKING:
    from ttmlir.comparison import Comparison

__all__ = ["Executable", "Program", "TensorInfo", "load"]


def load(
    path: str | os.PathLike[str], *, system_desc: runtime.SystemDesc | None = None
) -> Executable:
    """Loads a ``.ttnn``, ``.ttm`` or ``.ttb`` file.

    Args:
        path: the file.
        system_desc: the system to run it on; found among the targets if it is not given.

    Raises:
        FileError: there is no such file.
        Error: the file is truncated, foreign or of another version.
    """
    check_exists(path)
    try:
        binary = runtime.load_binary_from_path(os.fspath(path))
        # A file of another version loads as far as its header.
        if binary.version != __version__:
            raise Error(f"'{path}' was written by version {binary.version}, expected {__version__}")
        return Executable(binary, system_desc)
    except runtime.RuntimeError as error:
        raise Error(str(error)) from None


def _restore(binary: bytes, system_desc: bytes | None, signature: Signature) -> Executable:
    """What pickle makes an executable from."""
    desc = None if system_desc is None else runtime.load_system_desc_from_bytes(system_desc)
    return Executable(runtime.load_binary_from_bytes(binary), desc, signature)


class Executable(Runnable):
    """A compiled module. Calling it runs one of its programs on an emulated system.

    The system is opened at the first call and shared by all executables for the same system, so a
    result left on the device can be the input of another executable. It is closed when all of them,
    and all results on it, are gone. Not thread-safe.
    """

    def __repr__(self) -> str:
        return f"<ttmlir.Executable {'; '.join(map(str, self.programs))}>"

    def __reduce__(self) -> tuple[Any, ...]:
        desc = self._system_desc
        return _restore, (self.binary.to_bytes(), desc and desc.to_bytes(), self.signature)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Executable:
        """The same as ``ttmlir.load``."""
        return load(path)

    def compare(
        self,
        reference: Any,
        /,
        *args: Any,
        program: int | str = 0,
        min_pcc: float | None = None,
        max_relative: float | None = None,
        device: runtime.Device | None = None,
        **kwargs: Any,
    ) -> Comparison:
        """Runs a program and compares the result of every op with that of what it was made from.

        The ops that run are those of the program, with their operands, layouts and formats; each
        result is copied to the host. Errors of earlier ops go on into later ones, and variables
        have their first values. Of a program on a mesh only the outputs are compared.

        Args:
            reference: ``"f64"``, the module of PyTorch, the function of JAX or the model of ONNX
                that the executable was made from, in float64; another module, exported program,
                function or model; a program of MLIR, which is computed in f32 on the emulator;
                arrays by the names of ops, and of outputs by ``output_0`` and so on; or
                ``"goldens"``, the arrays in the file, which are the arguments, too, if there are
                none.
            args: those of a call.
            program: index or name.
            min_pcc: the least correlation of a result that is not off; by default by its format.
            max_relative: the greatest relative error of one.
            device: an open device instead of the shared one.
            kwargs: those of a call.

        Raises:
            InputError: wrong arguments, as in a call.
            Error: there is no such reference, or the program cannot run.
        """
        # Nobody else needs it, and it loads much.
        from ttmlir._comparison import runner

        return runner.compare(
            self,
            reference,
            args,
            kwargs,
            program=program,
            min_pcc=min_pcc,
            max_relative=max_relative,
            device=device,
        )
