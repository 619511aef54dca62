"""Returns the results of all ops of a compiled program.

The program of the file runs unchanged: each op keeps its operands, its layout and its position, and
a copy to the host after it becomes an additional result of the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ttmlir import ir, passes, runtime
from ttmlir._comparison.op_results import Probe
from ttmlir._comparison.tolerances import coarsest
from ttmlir._formats import FORMATS
from ttmlir._locations import names, source
from ttmlir._parsing import parse
from ttmlir.dialects import tt

if TYPE_CHECKING:
    from ttmlir._programs import Program
    from ttmlir._runnable import Runnable

#: Ops that allocate, move or fill tensors and compute nothing.
_PLUMBING = frozenset(
    {
        "arith.constant",
        "func.return",
        "tensor.empty",
        "tt.load_cached",
        "ttmetal.alloc",
        "ttmetal.dealloc",
        "ttmetal.host_constant",
        "ttmetal.host_read",
        "ttmetal.host_write",
        "ttnn.constant",
        "ttnn.dealloc",
        "ttnn.empty",
        "ttnn.from_device",
        "ttnn.full",
        "ttnn.get_device",
        "ttnn.to_device",
        "ttnn.to_layout",
        "ttnn.to_memory_config",
    }
)
#: The result name at the start of an op's text in a file.
_RESULT = re.compile(r"(%[\w.$-]+)")
_FORMATS = {format.tile: name for name, format in FORMATS.items()}


@dataclass(frozen=True)
class InstrumentedFile:
    """A file whose program returns the results of its ops after its own ``outputs``."""

    binary: runtime.Binary
    probes: tuple[Probe, ...]


def instrument(exe: Runnable, program: Program) -> InstrumentedFile:
    """Makes a program return the results of its ops as well; on a mesh it returns only its own
    results, since each chip has parts of the others."""
    module = parse(exe.mlir)
    probes: list[Probe] = []
    with module.context, ir.Location.unknown():
        function = next(
            f for f in _functions(module) if f.attributes["sym_name"].value == program.name
        )
        if len(program.chip_ids) <= 1:
            probes = _add(function, _locations(exe, program))
        to_bytes = {
            "ttnn": passes.ttnn_to_flatbuffer_bytes,
            "ttmetal": passes.ttmetal_to_flatbuffer_bytes,
        }[exe.backend]
        return InstrumentedFile(runtime.load_binary_from_bytes(to_bytes(module)), tuple(probes))


def _functions(module: ir.Module) -> Iterator[Any]:
    return (op.operation for op in module.body.operations if op.operation.name == "func.func")


def _locations(exe: Runnable, program: Program) -> dict[str, str]:
    """Returns the texts of ops with their locations, which the module's text omits, by the names of
    their first results."""
    found = {}
    content = exe._content["programs"][program.index]
    lists = [content.get("operations", ())]
    for device in content.get("device_programs", ()):
        lists += [queue["commands"] for queue in device["command_queues"]]
    for operation in (operation for operations in lists for operation in operations):
        text = operation.get("debug_info", "")
        found[_result_name(text)] = text
    return found


def _result_name(text: str) -> str:
    match = _RESULT.match(text)
    return match[1] if match else ""


def _add(function: Any, locations: dict[str, str]) -> list[Probe]:
    block = function.regions[0].blocks[0]
    state = ir.AsmState(function)
    device = None
    probes: list[Probe] = []
    found: list[tuple[Any, Any]] = []
    precision: dict[Any, str] = {}
    origins: dict[Any, frozenset[int]] = {}
    for op in [op.operation for op in block.operations]:
        for result in op.results:
            precision[result] = _coarsest(op, result, precision)
        if op.name == "ttnn.get_device":
            device = op.results[0]
        reads = frozenset().union(*(origins.get(operand, ()) for operand in op.operands))
        origins.update(dict.fromkeys(op.results, reads))
        if op.name in _PLUMBING or not len(op.results):
            continue
        text = locations.get(_result_name(op.results[0].get_name(state)), "")
        for result in op.results:
            if not _has_layout(result.type):
                continue
            origins[result] = frozenset({len(probes)})
            probes.append(
                Probe(
                    _kind(op),
                    tuple(names(text)),
                    source(text),
                    _dtype(result.type),
                    tuple(result.type.shape),
                    precision[result],
                    tuple(sorted(reads)),
                )
            )
            found.append((op, result))
    # Earlier value names are those of the original program.
    copies = [_copied(block, device, *entry) for entry in found]
    _return(function, block, copies)
    return probes


def _kind(op: Any) -> str:
    """The name of the op or, for kernels, of their program."""
    if "program_name" in op.attributes:
        return str(op.attributes["program_name"].value)
    return str(op.name.rpartition(".")[2])


def _coarsest(op: Any, result: Any, known: dict[Any, str]) -> str:
    """Returns the coarsest format of a result and its inputs."""
    formats = [known.get(v) or _dtype(v.type) for v in op.operands if _has_layout(v.type)]
    formats += [_dtype(result.type)] if _has_layout(result.type) else []
    return coarsest(formats)


def _has_layout(type: Any) -> bool:
    return isinstance(getattr(type, "encoding", None), tt.ir.LayoutAttr)


def _dtype(type: Any) -> str:
    """Returns the format in which a tensor is stored."""
    element = type.encoding.memref.element_type
    text = str(element)
    text = text.rpartition(", ")[2].rstrip(">") if isinstance(element, tt.ir.TileType) else text
    return _FORMATS.get(text, str(type.element_type))


def _copied(block: Any, device: Any, op: Any, result: Any) -> Any:
    """Copies the result to the host after its op."""
    if result.type.encoding.memory_space == tt.MemorySpace.System:
        return result
    target = _on_host(result.type)
    with ir.InsertionPoint.at_block_terminator(block):
        if device is not None:
            copy = ir.Operation.create(
                "ttnn.to_memory_config", results=[target], operands=[result, device]
            )
            copy.move_after(op)
        else:
            room = ir.Operation.create("tensor.empty", results=[target])
            copy = ir.Operation.create(
                "ttmetal.host_read", results=[target], operands=[result, room.results[0]]
            )
            copy.move_after(op)
            room.move_after(op)
    return copy.results[0]


def _on_host(type: Any) -> Any:
    """Returns the type of a row-major tensor in host memory."""
    context = type.context
    layout = tt.ir.LayoutAttr.get(
        context,
        ir.RankedTensorType.get(type.shape, type.element_type),
        int(tt.MemorySpace.System),
        tt.ir.GridAttr.get(context, [1, 1]),
    )
    return ir.RankedTensorType.get(type.shape, type.element_type, layout)


def _return(function: Any, block: Any, more: list[Any]) -> None:
    """Adds values to the results of the function, in front of its variables, which are the last."""
    end = list(block.operations)[-1].operation
    own = list(end.operands)
    attributes = [ir.DictAttr.get({})] * len(own)
    if "res_attrs" in function.attributes:
        found = function.attributes["res_attrs"]
        attributes = [found[i] for i in range(len(found))]
    first = sum("tt.variable" not in attribute for attribute in attributes)
    values = [*own[:first], *more, *own[first:]]
    attributes[first:first] = [ir.DictAttr.get({})] * len(more)
    with ir.InsertionPoint.at_block_terminator(block):
        ir.Operation.create("func.return", operands=values)
    end.erase()
    inputs = [argument.type for argument in block.arguments]
    types = [value.type for value in values]
    function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(inputs, types))
    function.attributes["res_attrs"] = ir.ArrayAttr.get(attributes)
