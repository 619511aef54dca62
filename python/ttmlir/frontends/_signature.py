"""How an executable is called: by arrays in a row, or as its source is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ttmlir.errors import Error, InputError

if TYPE_CHECKING:
    from ttmlir import runtime
    from ttmlir._programs import Program, TensorInfo
    from ttmlir.frontends.reference import Values


class ExecutableLike(Protocol):
    """The part of ``ttmlir.Executable`` that signatures use; see there."""

    @property
    def programs(self) -> tuple[Program, ...]:
        """The programs of the file."""

    @property
    def outputs(self) -> tuple[TensorInfo, ...]:
        """Outputs of the first program."""

    def unbound_inputs(self, program: Program) -> list[TensorInfo]:
        """The inputs of a program that a call gives."""

    def is_bound(self, program: Program) -> Callable[[int], bool]:
        """Tells for the number of an argument of a program whether it is bound."""

    def arrays(self, program: Program, results: Sequence[runtime.Tensor]) -> list[Any]:
        """The results of a program as arrays of the host."""


class Call:
    """One call of an executable: its inputs, and what becomes of its results.

    ``inputs`` are those of the program that are not bound, in its order.
    """

    def __init__(self, exe: ExecutableLike, program: Program, inputs: Sequence[Any]) -> None:
        self.exe, self.program, self.inputs = exe, program, list(inputs)

    def failed(self, error: BaseException) -> None:
        """The program began to run and did not end; ``error`` is raised behind this."""

    def results(self, tensors: Sequence[runtime.Tensor], keep_on_device: bool) -> Any:
        """Returns what the call returns: here an array, or a tuple of them for several results."""
        values = list(tensors) if keep_on_device else self.exe.arrays(self.program, tensors)
        return values[0] if len(values) == 1 else tuple(values)


class Signature:
    """How an executable is called and compared.

    This one takes arrays in the order of the program's arguments and returns its results. A front
    end derives from it where its sources are called in another way. Each executable has a signature
    of its own, which may hold state. Pickling an executable pickles it, too.
    """

    def call(
        self, exe: ExecutableLike, program: Program, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Call:
        """Reads the arguments of a call.

        Raises:
            InputError: they have another structure, or are not what the source takes.
        """
        if kwargs:
            raise InputError(f"expected no keywords, found {', '.join(kwargs)}")
        return Call(exe, program, args)

    def parameters(self, program: Program) -> Mapping[str, Any]:
        """The tensors that are bound to arguments once the program is compiled, by name."""
        return {}

    def reference(
        self, exe: ExecutableLike, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Values:
        """Computes the source in float64, for the arguments of a call.

        Raises:
            Error: the source is not known, or cannot be computed.
        """
        raise Error(
            "the executable does not know its source: compile a module of PyTorch, a function of "
            "JAX or a model of ONNX to compare with it in float64, or give a reference"
        )

    def arranged(self, exe: ExecutableLike, values: Values) -> Values:
        """Puts the outputs of a reference in the order of the program's."""
        return values

    def input_names(self, exe: ExecutableLike) -> tuple[str, ...]:
        """The names of the arguments of a call."""
        return tuple(info.name for info in exe.unbound_inputs(exe.programs[0]))

    def output_names(self, exe: ExecutableLike) -> tuple[str, ...]:
        """The names of the results of a call."""
        return tuple(f"output_{i}" for i in range(len(exe.outputs)))

    def buffers(self, exe: ExecutableLike) -> dict[str, Any]:
        """The tensors that calls change, by name, as they are now."""
        return {}

    def reset_buffers(self) -> None:
        """Gives them the values that they had when the program was compiled."""
