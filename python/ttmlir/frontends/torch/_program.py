"""Converts exported programs to programs of the builder."""

from __future__ import annotations

import copy
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch.export.graph_signature import InputKind, OutputKind, SymIntArgument, TensorArgument

from ttmlir.builder import Builder, Tensor
from ttmlir.errors import CompileError, Error
from ttmlir.frontends.complex_numbers import Complex
from ttmlir.frontends.counted import (
    CountedResults,
    Counts,
    followed,
    known_numbers,
    with_other_bounds,
)
from ttmlir.frontends.diagnostics import UnsupportedError, refusal
from ttmlir.frontends.dtype_policy import DTypes, Policy
from ttmlir.frontends.torch._counted_ops import bounded
from ttmlir.frontends.torch._decompositions import decompositions, portable
from ttmlir.frontends.torch._functionalization import is_functional
from ttmlir.frontends.torch._importer import Importer
from ttmlir.frontends.torch._int4_weights import is_packed, unpacked
from ttmlir.frontends.torch._lifted_constants import with_shared_inputs
from ttmlir.frontends.torch._locations import Place, place_of
from ttmlir.frontends.torch._result_dtypes import correct_dtypes
from ttmlir.frontends.torch._types import REAL_OF, Shape, element_of, unsupported

#: Buffers with at most this many elements that never change become constants of the program.
_SMALL = 4096


@dataclass(frozen=True)
class TensorType:
    """Shape and dtype of an input or output."""

    shape: Shape
    dtype: torch.dtype


@dataclass(frozen=True)
class State:
    """A buffer that a call changes.

    ``argument`` is the name of its input, ``output`` the index of the output with the new
    value.
    """

    buffer: str
    argument: str
    output: int


@dataclass(frozen=True)
class Imported:
    """A PyTorch program converted to a program of the builder.

    The arguments of the program are the tensors of ``parameters``, those of ``states``, the used
    user inputs in ``inputs`` and, with ``is_random``, the random state, four words of u32. Its
    outputs are first those of ``states``, then the new values of ``mutated`` inputs, then the user
    outputs in ``outputs``.
    """

    builder: Builder
    parameters: dict[str, torch.Tensor]
    states: tuple[State, ...]
    inputs: tuple[TensorType, ...]
    #: Maps an output of the program to the user input that it replaces, both by index.
    mutated: dict[int, int]
    #: The results for the user: the index of an output of the program, or the value itself.
    outputs: tuple[Any, ...]
    #: The indices of the inputs that the program has.
    kept: tuple[int, ...]
    is_random: bool
    program: torch.export.ExportedProgram
    #: The indices of the outputs with the numbers of elements, and then how results are cut.
    counts: tuple[int, ...] = ()
    counted: CountedResults | None = None


@dataclass(frozen=True)
class Output:
    """An output of the program, by index."""

    number: int


def import_program(
    exported: torch.export.ExportedProgram, *, dtype: Policy = None, name: str = "main"
) -> Imported:
    """Converts an exported program to TTIR.

    Args:
        exported: the result of ``torch.export.export``, with static shapes.
        dtype: the formats of weights and activations, see ``DTypes``.
        name: of the function.

    Raises:
        CompileError: ops are not supported; lists all of them with their Python lines.
        Error: the dtype does not exist.
    """
    policy = DTypes(dtype)
    exported = with_shared_inputs(exported)
    found = refused = None
    if is_functional(exported.graph_module):
        # Some ops are only supported if others are decomposed, too.
        try:
            found = _built(exported, policy, name)
        except CompileError as error:
            refused = error
    if found is None:
        try:
            exported = _decomposed(exported, name)
        except CompileError:
            if refused is not None:
                # This error names the ops.
                raise refused from None
            raise
        found = _built(exported, policy, name)
    policy.check_used()
    return found


def _built(exported: torch.export.ExportedProgram, policy: DTypes, name: str) -> Imported:
    """Builds a program, and follows its extents that depend on values."""
    counts = Counts()
    found = _Program(exported, policy, name, counts).built()
    if not counts.numbers:
        return found
    others = Counts(are_others=True)
    other = with_other_bounds(_Program(exported, policy, name, others).built)
    results = followed((others, counts), other.builder, found.builder, found.counts)
    pairs = zip(other.outputs, found.outputs, strict=True)
    outputs = tuple(y if _is_same(x, y) else known_numbers(x, y, results) for x, y in pairs)
    return replace(found, outputs=outputs, counted=results)


def _is_same(x: Any, y: Any) -> bool:
    """Whether a result is computed, or the same for other bounds."""
    if isinstance(y, Output):
        return True
    if isinstance(x, torch.Tensor) and isinstance(y, torch.Tensor):
        return x.dtype == y.dtype and bool(torch.equal(x, y))
    return type(x) is type(y) and bool(x == y)


def _decomposed(exported: torch.export.ExportedProgram, name: str) -> torch.export.ExportedProgram:
    """Decomposes the program and removes in-place ops."""
    try:
        with warnings.catch_warnings(), portable():
            warnings.simplefilter("ignore")
            return _with_whole_copies(exported).run_decompositions(decompositions())
    except Exception as error:
        if reshaped := _reshaped_inputs(exported.graph):
            raise refusal(name, reshaped) from error
        reason = str(error).strip().splitlines() or [type(error).__name__]
        raise CompileError(f"PyTorch cannot decompose the exported program: {reason[0]}") from error


def _reshaped_inputs(graph: torch.fx.Graph) -> list[UnsupportedError]:
    """Finds changes in place of the shape of an argument or a buffer, which PyTorch cannot
    decompose."""
    inputs = {node for node in graph.nodes if node.op == "placeholder"}
    found = []
    for node in graph.nodes:
        target = node.target
        if not isinstance(target, torch._ops.OpOverload):
            continue
        if torch.Tag.inplace_view in target.tags and node.args[0] in inputs:
            inputs.add(node)
            reason = (
                "the shape of an argument or a buffer cannot change in place: give the changed "
                "tensor a name of its own"
            )
            found.append(UnsupportedError(str(target), reason, place_of(node)))
    return found


def _with_whole_copies(exported: torch.export.ExportedProgram) -> torch.export.ExportedProgram:
    """Converts the sources of ``copy_`` to the shape and the dtype of the destination: PyTorch's
    own decompositions substitute the source itself."""

    def differs(node: torch.fx.Node) -> bool:
        if node.target is not torch.ops.aten.copy_.default:
            return False
        target, source = (n.meta["val"] for n in node.args[:2])  # type: ignore[union-attr]
        return bool(target.shape != source.shape or target.dtype != source.dtype)

    if not any(map(differs, exported.graph.nodes)):
        return exported
    module = copy.deepcopy(exported.graph_module)
    for node in filter(differs, list(module.graph.nodes)):
        target, source = node.args[:2]
        like, value = target.meta["val"], source.meta["val"]
        with module.graph.inserting_before(node):
            cast = module.graph.call_function(
                torch.ops.aten._to_copy.default, (source,), {"dtype": like.dtype}
            )
            spread = module.graph.call_function(
                torch.ops.aten.expand.default, (cast, list(like.shape))
            )
        cast.meta = {**node.meta, "val": value.to(like.dtype)}
        spread.meta = {**node.meta, "val": cast.meta["val"].expand(like.shape)}
        node.update_arg(1, spread)
    module.recompile()
    return exported._update(module, exported.graph_signature)


class _Program:
    def __init__(
        self,
        program: torch.export.ExportedProgram,
        policy: DTypes,
        name: str,
        counts: Counts,
    ) -> None:
        self.program, self.policy, self.name = program, policy, name
        self.graph = bounded(program.graph_module, counts)
        self.signature = program.graph_signature
        self.builder = Builder(name)
        self.importer = Importer(self.builder, policy, counts)
        self.parameters: dict[str, torch.Tensor] = {}
        self._arguments: dict[Any, Any] = {}
        self._names: set[str] = set()
        self._complex_results: list[int] = []
        self._nodes = {node.name: node for node in self.graph.graph.nodes}

    def built(self) -> Imported:
        graph = self.graph
        correct_dtypes(graph)
        placeholders = {n.name: n for n in graph.graph.nodes if n.op == "placeholder"}
        values: dict[torch.fx.Node, Any] = {}
        buffers = dict.fromkeys(self.signature.buffers_to_mutate.values())
        state_arguments: dict[str, str] = {}
        user: list[tuple[int, torch.fx.Node]] = []
        inputs: list[TensorType] = []
        # Changed arguments come in the order of the outputs, so that they are paired.
        specs = {s.target: s for s in self.signature.input_specs if s.target in buffers}
        for buffer in buffers:
            node = placeholders[specs[buffer].arg.name]
            tensor = self._tensor_of(specs[buffer])
            argument = self._name(str(buffer))
            values[node] = self._input(node, argument, tensor, donated=True)
            state_arguments[str(buffer)] = argument
        for spec in self.signature.input_specs:
            if spec.kind == InputKind.USER_INPUT:
                node = placeholders.get(getattr(spec.arg, "name", ""))
                if isinstance(spec.arg, TensorArgument) and node is not None:
                    meta = node.meta["val"]
                    user.append((len(inputs), node))
                    inputs.append(TensorType(tuple(meta.shape), meta.dtype))
                else:
                    inputs.append(TensorType((), torch.bool))
                    if node is not None:
                        values[node] = getattr(spec.arg, "value", None)
            elif spec.target not in buffers:
                node = placeholders[spec.arg.name]
                values[node] = self._state(spec, node) if node.users else None
        kept = []
        for number, node in user:
            if not node.users:
                values[node] = None
                continue
            meta = node.meta["val"]
            if meta.numel() == 0:
                values[node] = torch.empty(meta.shape, dtype=meta.dtype)
                continue
            values[node] = self._input(node, self._name(node.name), meta)
            kept.append(number)
        results = self.importer.run(graph, values) if not self.importer.errors else []
        if self.importer.errors:
            raise refusal(self.name, self.importer.errors)
        return self._finish(results, state_arguments, inputs, kept, dict(user))

    # Inputs --------------------------------------------------------------------------------------

    def _name(self, wanted: str) -> str:
        name, number = wanted, 0
        while name in self._names:
            number += 1
            name = f"{wanted}_{number}"
        self._names.add(name)
        return name

    def _tensor_of(self, spec: Any) -> torch.Tensor:
        """Returns the tensor of a parameter, a buffer or a constant."""
        target = spec.target
        for source in (self.program.state_dict, self.program.constants):
            if target in source and isinstance(source[target], torch.Tensor):
                # A tensor and its negative may share memory.
                tensor: torch.Tensor = source[target].detach()
                return tensor.resolve_conj().resolve_neg()
        raise Error(f"the program has no tensor '{target}'")

    def _input(
        self, node: torch.fx.Node, name: str, like: torch.Tensor, *, donated: bool = False
    ) -> Any:
        """Adds an argument with its dtype in PyTorch."""
        reason = unsupported(like.dtype)
        if any(isinstance(n, torch.SymInt) for n in like.shape):
            reason = "the shape is dynamic: export the module without dynamic_shapes"
        if reason:
            self.importer.errors.append(UnsupportedError(name, reason, Place(op=name)))
            return None
        return self.importer.argument(name, like, element_of(like.dtype), donated=donated)

    def _state(self, spec: Any, node: torch.fx.Node) -> Any:
        """Adds a parameter, a buffer that never changes, or a constant."""
        if spec.kind == InputKind.TOKEN:
            # It orders checks between ops, which programs do not have.
            return None
        if spec.kind not in (InputKind.PARAMETER, InputKind.BUFFER, InputKind.CONSTANT_TENSOR):
            reason = f"inputs of the kind {spec.kind.name} are not supported"
            self.importer.errors.append(UnsupportedError(node.name, reason, Place(op=node.name)))
            return None
        tensor = self._tensor_of(spec)
        if tensor.numel() == 0:
            return torch.empty(tensor.shape, dtype=tensor.dtype)
        # The elements of a meta tensor are unknown.
        is_known = spec.kind != InputKind.PARAMETER and not tensor.is_meta
        if is_known and tensor.numel() <= _SMALL:
            return tensor
        if reason := unsupported(tensor.dtype):
            self.importer.errors.append(
                UnsupportedError(spec.target, reason, Place(op=spec.target))
            )
            return None
        if is_packed(node):
            tensor = unpacked(tensor)
        # Tensors with the same memory are tied: one argument. The storage identifies meta tensors
        # as well, whose address is 0.
        place = (tensor.untyped_storage()._cdata, tensor.storage_offset())
        key = (place, tuple(tensor.shape), tensor.stride(), tensor.dtype)
        if key not in self._arguments:
            name = self._name(str(spec.target))
            stored = element_of(tensor.dtype)
            if not tensor.is_complex():
                stored = self.policy.stored(name, stored, tensor.dim())
            kind = "parameter" if spec.kind == InputKind.PARAMETER else "constant"
            self._arguments[key] = self.importer.argument(name, tensor, stored, argument_type=kind)
            self.parameters[name] = tensor
        return self._arguments[key]

    # Outputs -------------------------------------------------------------------------------------

    def _finish(
        self,
        results: Sequence[Any],
        state_arguments: dict[str, str],
        inputs: Sequence[TensorType],
        kept: Sequence[int],
        user: dict[int, torch.fx.Node],
    ) -> Imported:
        outputs: list[Tensor] = []
        states: list[State] = []
        mutated: dict[int, int] = {}
        own: list[Any] = []
        numbers = {node.name: number for number, node in user.items()}
        memory = {
            str(spec.target or spec.arg.name): self._nodes[spec.arg.name].meta["val"]
            for spec in self.signature.input_specs
            if isinstance(spec.arg, TensorArgument)
        }
        for spec, value in zip(self.signature.output_specs, results, strict=True):
            if spec.kind == OutputKind.BUFFER_MUTATION:
                target = str(spec.target)
                states.append(State(target, state_arguments[target], len(outputs)))
                outputs.append(self._as_source(value, spec.arg.name, len(outputs), memory[target]))
            elif spec.kind == OutputKind.USER_INPUT_MUTATION:
                target = str(spec.target)
                mutated[len(outputs)] = numbers[target]
                outputs.append(self._as_source(value, spec.arg.name, len(outputs), memory[target]))
            elif spec.kind in (OutputKind.USER_OUTPUT, OutputKind.LOSS_OUTPUT):
                if isinstance(value, (Tensor, Complex)):
                    own.append(Output(len(outputs)))
                    outputs.append(self._as_source(value, spec.arg.name, len(outputs)))
                elif isinstance(spec.arg, TensorArgument | SymIntArgument):
                    own.append(value)
                else:
                    own.append(getattr(spec.arg, "value", None))
        lengths = self.importer.counts.numbers.values()
        counts = tuple(range(len(outputs), len(outputs) + len(lengths)))
        outputs += lengths
        if not outputs:
            # A program must compute something.
            outputs.append(self.builder.constant(0, shape=(1,), dtype="i32"))
        self.builder.output(*outputs, complex_results=self._complex_results)
        return Imported(
            self.builder,
            self.parameters,
            tuple(states),
            tuple(inputs),
            mutated,
            tuple(own),
            tuple(kept),
            self.importer.is_random,
            self.program,
            counts,
        )

    def _as_source(
        self, value: Any, name: str, number: int, like: torch.Tensor | None = None
    ) -> Tensor:
        """Converts the result with an index to its PyTorch dtype, or to that of the argument or
        buffer that it replaces, and broadcasts it to the same shape: ``copy_`` may be decomposed to
        its source."""
        dtype = self._nodes[name].meta["val"].dtype
        if dtype in REAL_OF:
            self._complex_results.append(number)
        result = self.importer.source(value, dtype)
        if like is None:
            return result
        if dtype not in REAL_OF:
            result = self.importer.source(result, like.dtype)
        shape = (2, *like.shape) if dtype in REAL_OF else tuple(like.shape)
        return result if result.shape == shape else self.builder.broadcast(result, shape)


def identifier(name: str) -> str:
    """Returns a valid function name for the IR."""
    return re.sub(r"\W+", "_", name).strip("_") or "main"
