"""Calling conventions of executables: positional arrays, or those of the source."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ttmlir.errors import Error, InputError

if TYPE_CHECKING:
    from ttmlir import runtime
    from ttmlir._programs import Program, TensorInfo
    from ttmlir.frontends.reference import Values


class ExecutableLike(Protocol):
    """The part of ``ttmlir.Executable`` that signatures use."""

    @property
    def programs(self) -> tuple[Program, ...]:
        """The programs of the file."""

    @property
    def outputs(self) -> tuple[TensorInfo, ...]:
        """Outputs of the first program."""

    def unbound_inputs(self, program: Program) -> list[TensorInfo]:
        """The inputs of a program that a call must pass."""

    def is_bound(self, program: Program) -> Callable[[int], bool]:
        """Returns a predicate: whether the argument of an index is bound."""

    def arrays(self, program: Program, results: Sequence[runtime.Tensor]) -> list[Any]:
        """Converts the results of a program to arrays of the host."""

    def array(self, program: Program, number: int, result: runtime.Tensor) -> Any:
        """Converts one result of a program to an array of the host."""


class Call:
    """One call of an executable: its inputs, and the conversion of its results.

    ``inputs`` are the unbound inputs of the program, in order. ``run`` runs another program of the
    executable in the same way, on its unbound inputs, for results that need more than one.
    """

    run: Callable[[Program, Sequence[Any]], Sequence[runtime.Tensor]]

    def __init__(self, exe: ExecutableLike, program: Program, inputs: Sequence[Any]) -> None:
        self.exe, self.program, self.inputs = exe, program, list(inputs)

    def failed(self, error: BaseException) -> None:
        """Called if the run failed; ``error`` is raised afterwards."""

    def results(self, tensors: Sequence[runtime.Tensor], keep_on_device: bool) -> Any:
        """Converts the results: here an array, or a tuple of arrays for several results."""
        values = list(tensors) if keep_on_device else self.exe.arrays(self.program, tensors)
        return values[0] if len(values) == 1 else tuple(values)


class Signature:
    """The calling convention of an executable, also used to compare it with its source.

    This one takes arrays in the order of the program's arguments and returns its results. A front
    end derives from it if its sources are called in another way. Each executable has its own
    signature, which may hold state and is pickled with it.
    """

    def call(
        self, exe: ExecutableLike, program: Program, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Call:
        """Converts the arguments of a call to inputs.

        Raises:
            InputError: they have a different structure, or the source does not accept them.
        """
        if kwargs:
            raise InputError(f"expected no keywords, found {', '.join(kwargs)}")
        return Call(exe, program, args)

    def parameters(self, program: Program) -> Mapping[str, Callable[[], Any]]:
        """Returns functions that compute the tensors to bind to arguments right after compilation,
        by name. Those that another executable has placed on the device already are not called."""
        return {}

    def reference(
        self, exe: ExecutableLike, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Values:
        """Computes the source in float64 for the arguments of a call.

        Raises:
            Error: the source is unknown, or cannot be computed.
        """
        raise Error(
            "the executable does not know its source: compile a module of PyTorch, a function of "
            "JAX or a model of ONNX to compare with it in float64, or give a reference"
        )

    def arranged(self, exe: ExecutableLike, values: Values) -> Values:
        """Reorders the outputs of a reference to match the program's."""
        return values

    def host_nodes(self) -> tuple[str, ...]:
        """Returns the names of the ops of the source that the host computes in a call."""
        return ()

    def count_parts(self) -> int:
        """Returns how many programs a call runs, from the first one on. Between two of them, the
        host computes."""
        return 1

    def changed_inputs(self) -> Sequence[int]:
        """Returns the indices of the inputs that calls change."""
        return ()

    def known_results(self) -> Sequence[Any]:
        """Returns the results of calls that no program computes."""
        return ()

    def input_names(self, exe: ExecutableLike) -> tuple[str, ...]:
        """The names of the arguments of a call."""
        return tuple(info.name for info in exe.unbound_inputs(exe.programs[0]))

    def output_names(self, exe: ExecutableLike) -> tuple[str, ...]:
        """The names of the results of a call."""
        return tuple(f"output_{i}" for i in range(len(exe.outputs)))

    def buffers(self, exe: ExecutableLike) -> dict[str, Any]:
        """Returns the current values of tensors that calls change, by name."""
        return {}

    def reset_buffers(self) -> None:
        """Resets them to their values at compile time."""
