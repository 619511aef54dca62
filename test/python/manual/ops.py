"""The ops of the manual: its pages on the dialects, by what the ops take and give."""

from __future__ import annotations

TTIR = {
    ("inputs*, outputs* {operand_constraints: array} -> results*"): (
        "abs:AbsOp add:AddOp div:DivOp exp:ExpOp ge:GreaterEqualOp maximum:MaximumOp "
        "multiply:MultiplyOp neg:NegOp reciprocal:ReciprocalOp relu:ReluOp "
        "sigmoid:SigmoidOp sqrt:SqrtOp subtract:SubtractOp"
    ),
    "{address: i64, size: i64, memory_space: MemorySpaceAttr} -> result": "alloc:AllocOp",
    ("input, output {dimension: i64[], operand_constraints: array} -> result"): (
        "broadcast:BroadcastOp"
    ),
    "inputs*, output {dim: si32, operand_constraints: array} -> result": "concat:ConcatOp",
    "{value: elements} -> result": "constant:ConstantOp",
    (
        "input, weight, bias, output {stride_height: si32, stride_width: si32, "
        "dilation_height: si32, dilation_width: si32, groups: si32, padding_left: si32, "
        "padding_right: si32, padding_top: si32, padding_bottom: si32, "
        "operand_constraints: array} -> result"
    ): ("conv2d:Conv2dOp"),
    "result": "dealloc:DeallocOp",
    "input, weight, output {operand_constraints: array} -> result": "embedding:EmbeddingOp",
    (
        "inputs*, outputs* {grid: GridAttr, indexing_maps: maps, iterator_types: array, "
        "operand_constraints: array} -> results*"
    ): ("generic:GenericOp"),
    (
        "inputs:tensor|memref*, outputs:tensor|memref* {op: symbol, kind: symbol, "
        "operand_constraints: array} -> results:tensor|memref*"
    ): ("kernel:KernelOp"),
    "a, b, output {operand_constraints: array} -> result": "matmul:MatmulOp",
    ("input, output {keep_dim: bool, dim_arg: i32[], operand_constraints: array} -> result"): (
        "max:MaxOp mean:MeanOp sum:SumOp"
    ),
    (
        "input, output {kernel_height: si32, kernel_width: si32, stride_height: si32, "
        "stride_width: si32, dilation_height: si32, dilation_width: si32, ceil_mode: "
        "bool, padding_left: si32, padding_right: si32, padding_top: si32, "
        "padding_bottom: si32, operand_constraints: array, original_height: si32, "
        "original_width: si32} -> result"
    ): ("max_pool2d:MaxPool2dOp"),
    "input, output {shape: i32[], operand_constraints: array} -> result": "reshape:ReshapeOp",
    ("input, output {dimension: si32, operand_constraints: array} -> result"): (
        "softmax:SoftmaxOp"
    ),
    ("input, output {dim: si32, operand_constraints: array} -> result"): (
        "squeeze:SqueezeOp unsqueeze:UnsqueezeOp"
    ),
    "input, output -> result": "to_layout:ToLayoutOp",
    ("input, output {dim0: si32, dim1: si32, operand_constraints: array} -> result"): (
        "transpose:TransposeOp"
    ),
    "values:tensor|memref*": "yield:YieldOp",
}

TTKERNEL = {
    (""): (
        "acquire_dst:AcquireDstOp noc_async_read_barrier:NocAsyncReadBarrierOp "
        "noc_async_write_barrier:NocAsyncWriteBarrierOp release_dst:ReleaseDstOp "
        "return:ReturnOp tile_regs_acquire:TileRegsAcquireOp "
        "tile_regs_commit:TileRegsCommitOp tile_regs_release:TileRegsReleaseOp "
        "tile_regs_wait:TileRegsWaitOp unreachable:UnreachableOp"
    ),
    "dst_index:i32": "add:AddOp matmul:MatmulOp mul:MulOp sub:SubOp",
    "in0_cb:cb, in1_cb:cb": "add_tiles_init:AddTilesInitOp mul_tiles_init:MulTilesInitOp",
    ("in0_cb:cb, in1_cb:cb, in0_tile_index:i32, in1_tile_index:i32, dst_index:i32"): (
        "add_tiles:AddTilesOp mul_tiles:MulTilesOp"
    ),
    "in0_cb:cb, in1_cb:cb, out_cb:cb": "binary_op_init_common:BinaryOpInitCommonOp",
    "args:memref|cb* {op: symbol, kind: symbol}": "builtin:BuiltinOp",
    ("cb:cb, numPages:i32"): (
        "cb_pop_front:CBPopFrontOp cb_push_back:CBPushBackOp "
        "cb_reserve_back:CBReserveBackOp cb_wait_front:CBWaitFrontOp"
    ),
    "x:i32, y:i32, l1Address:i32 -> nocAddr:noc_addr": "get_noc_addr:GetNocAddrOp",
    "srcNocAddr:noc_addr, dstLocalL1Addr:i32, size:i32": "noc_async_read:NocAsyncReadOp",
    "srcLocalL1Addr:i32, dstNocAddr:noc_addr, size:i32": "noc_async_write:NocAsyncWriteOp",
    "dst_index:i32, out_cb:cb, out_index:i32": "pack:PackOp pack_tile:PackTileOp",
    "{data_type: enum}": "pack_set_data_type:PackSetDataTypeOp",
    ("cbIn:cb, numTiles:i32, cbOut:cb"): (
        "tilize_block:TilizeBlockOp tilize_init:TilizeInitOp untilize_block:UntilizeBlockOp"
    ),
    "cb_a:cb, src_a_index:i32, cb_b:cb, src_b_index:i32": "unpack_ab:UnpackABOp",
    "cb:cb, src_index:i32": "unpack_a:UnpackAOp",
    "{data_type_a: enum, data_type_b: enum}": "unpack_set_data_type:UnpackSetDataTypeOp",
    "cbIn:cb, cbOut:cb": "untilize_init:UntilizeInitOp",
}

TTMETAL = {
    "{address: i64, size: i64, memory_space: MemorySpaceAttr} -> result": "alloc:AllocOp",
    "input": "dealloc:DeallocOp",
    ("inputs*, outputs* {core_ranges: array, kernelConfigs: array} -> results*"): (
        "dispatch:DispatchOp"
    ),
    "input, output -> result": "host_read:HostReadOp host_write:HostWriteOp",
}

TTNN = {
    ("inputs*, outputs* -> results*"): (
        "abs:AbsOp add:AddOp div:DivOp exp:ExpOp ge:GreaterEqualOp maximum:MaximumOp "
        "multiply:MultiplyOp neg:NegOp reciprocal:ReciprocalOp relu:ReluOp "
        "sigmoid:SigmoidOp sqrt:SqrtOp subtract:SubtractOp"
    ),
    "{address: i64, size: i64, memory_space: MemorySpaceAttr} -> result": "alloc:AllocOp",
    "inputs*, output {dim: si32} -> result": "concat:ConcatOp",
    (
        "input, weight, bias, output, device:device {in_channels: i32, out_channels: i32, "
        "batch_size: i32, input_height: i32, input_width: i32, kernel_height: i32, "
        "kernel_width: i32, stride_height: i32, stride_width: i32, padding_height: i32, "
        "padding_width: i32, dilation_height: i32, dilation_width: i32, groups: i32} -> "
        "result"
    ): ("conv2d:Conv2dOp"),
    "input": "dealloc:DeallocOp",
    "input, weight, output -> result": "embedding:EmbeddingOp",
    (
        "device:device {shape: ShapeAttr, dtype: DataTypeAttr, layout: LayoutAttr, "
        "memory_config: MemoryConfigAttr} -> result"
    ): ("empty:EmptyOp"),
    "device:device {fillValue: f32} -> result": "full:FullOp",
    "-> device:device": "get_device:GetDeviceOp",
    "a, b, output -> result": "matmul:MatmulOp",
    ("input, output {keep_dim: bool, dim_arg: i32[]} -> result"): (
        "max:MaxOp mean:MeanOp sum:SumOp"
    ),
    (
        "input, output, device:device {batch_size: si32, input_height: si32, input_width: "
        "si32, channels: si32, kernel_height: si32, kernel_width: si32, stride_height: "
        "si32, stride_width: si32, dilation_height: si32, dilation_width: si32, "
        "ceil_mode: bool, padding_height: si32, padding_width: si32} -> result"
    ): ("max_pool2d:MaxPool2dOp"),
    "input, output {shape: i32[]} -> result": "reshape:ReshapeOp",
    "input, output {dimension: si32} -> result": "softmax:SoftmaxOp",
    "input, device:device {memory_config: MemoryConfigAttr} -> result": "to_device:ToDeviceOp",
    "input, device:device {layout: LayoutAttr} -> result": "to_layout:ToLayoutOp",
    "input, device:device -> result": "to_memory_config:ToMemoryConfigOp",
    "input, output {dim0: si32, dim1: si32} -> result": "transpose:TransposeOp",
}

TERMINATOR = (
    "AlwaysSpeculatableImplTrait ReturnLike Terminator ConditionallySpeculatable "
    "NoMemoryEffect RegionBranchTerminatorOpInterface"
)
#: Traits and interfaces, by the ops that have them.
TRAITS = {
    (
        "ttir",
        "AttrSizedOperandSegments DestinationStyleOpInterface TTIROpInterface "
        "TTIR_ElementwiseOpInterface",
    ): (
        "abs:AbsOp add:AddOp div:DivOp exp:ExpOp ge:GreaterEqualOp maximum:MaximumOp "
        "multiply:MultiplyOp neg:NegOp reciprocal:ReciprocalOp relu:ReluOp "
        "sigmoid:SigmoidOp sqrt:SqrtOp subtract:SubtractOp"
    ),
    ("ttir", "DestinationStyleOpInterface TTIROpInterface"): (
        "broadcast:BroadcastOp concat:ConcatOp conv2d:Conv2dOp embedding:EmbeddingOp "
        "matmul:MatmulOp max:MaxOp max_pool2d:MaxPool2dOp mean:MeanOp reshape:ReshapeOp "
        "softmax:SoftmaxOp squeeze:SqueezeOp sum:SumOp to_layout:ToLayoutOp "
        "transpose:TransposeOp unsqueeze:UnsqueezeOp"
    ),
    ("ttir", "ConstantLike"): ("constant:ConstantOp"),
    ("ttir", "AttrSizedOperandSegments DestinationStyleOpInterface TTIROpInterface"): (
        "generic:GenericOp kernel:KernelOp"
    ),
    ("ttir", TERMINATOR): ("yield:YieldOp"),
    ("ttkernel", TERMINATOR): ("return:ReturnOp unreachable:UnreachableOp"),
    ("ttmetal", "AttrSizedOperandSegments DestinationStyleOpInterface"): ("dispatch:DispatchOp"),
    ("ttmetal", "DestinationStyleOpInterface"): ("host_read:HostReadOp host_write:HostWriteOp"),
    ("ttnn", "AttrSizedOperandSegments DestinationStyleOpInterface"): (
        "abs:AbsOp add:AddOp div:DivOp exp:ExpOp ge:GreaterEqualOp maximum:MaximumOp "
        "multiply:MultiplyOp neg:NegOp reciprocal:ReciprocalOp relu:ReluOp "
        "sigmoid:SigmoidOp sqrt:SqrtOp subtract:SubtractOp"
    ),
    ("ttnn", "DestinationStyleOpInterface"): (
        "concat:ConcatOp conv2d:Conv2dOp embedding:EmbeddingOp matmul:MatmulOp max:MaxOp "
        "max_pool2d:MaxPool2dOp mean:MeanOp reshape:ReshapeOp softmax:SoftmaxOp sum:SumOp "
        "transpose:TransposeOp"
    ),
}
