"""Where a program leaves its results."""

from __future__ import annotations

from typing import Any

from ttmlir import ir
from ttmlir._mlir_libs._ttmlir import tt_ir
from ttmlir.dialects import tt

_INTEGERS = {"i32": tt.DataType.UInt32, "i16": tt.DataType.UInt16, "i8": tt.DataType.UInt8}
#: The format of tiles by element type, as the compiler has it: of integers only si32 is signed.
_TILE_FORMATS = {
    "f32": tt.DataType.Float32,
    "f16": tt.DataType.Float16,
    "bf16": tt.DataType.BFloat16,
    **{sign + name: format for name, format in _INTEGERS.items() for sign in ("", "u", "s")},
    "si32": tt.DataType.Int32,
}


def leave_results_on_device(module: ir.Module) -> None:
    """Gives every result of the module's functions a layout in tiles in the DRAM.

    Results that no op computes (arguments, constants) and results that have a layout stay as they
    are.
    """
    with module.context, ir.Location.unknown(module.context):
        for op in module.body.operations:
            operation = op.operation
            if operation.name == "func.func" and len(operation.regions[0].blocks):
                _place_results(operation)


def _place_results(function: Any) -> None:
    block = function.regions[0].blocks[0]
    values = list(block.operations[len(block.operations) - 1].operands)
    for value in values:
        kind = value.type
        owner = value.owner
        computed = isinstance(owner, ir.OpView | ir.Operation) and len(owner.operands) > 0
        if not computed or not isinstance(kind, ir.RankedTensorType):
            continue
        if kind.encoding is not None or str(kind.element_type) not in _TILE_FORMATS:
            continue
        placed = ir.RankedTensorType.get(kind.shape, kind.element_type, _layout(kind))
        # The op writes to its last operand, the destination, whose type is that of the result.
        owner.operands[len(owner.operands) - 1].set_type(placed)
        value.set_type(placed)
    inputs = [argument.type for argument in block.arguments]
    signature = ir.FunctionType.get(inputs, [value.type for value in values])
    function.attributes["function_type"] = ir.TypeAttr.get(signature)


def _layout(kind: Any) -> Any:
    context = kind.context
    grid = tt_ir.GridAttr.get(context, [1, 1])
    rows = tt_ir.LayoutAttr.get(
        context,
        kind,
        int(tt.MemorySpace.DeviceDRAM),
        grid,
        [(0, -1)],
        int(tt.OOBVal.Undef),
        int(tt.TensorMemoryLayout.Interleaved),
    )
    tile = tt_ir.TileType.get(context, 32, 32, int(_TILE_FORMATS[str(kind.element_type)]))
    return tt_ir.LayoutAttr.with_element_type(context, rows, tile)
