//===- Enumerations of the 'tt' dialect -------------------------------------===//

#ifndef TTMLIR_TT_ENUMS_TD
#define TTMLIR_TT_ENUMS_TD

include "mlir/IR/EnumAttr.td"
include "dialects/Formats.td"
include "dialects/TT/TTBase.td"

class TT_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::mlir::tt";
}

class TT_BitEnum<string name, string summary, list<BitEnumCaseBase> cases>
    : I32BitEnumAttr<name, summary, cases> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::mlir::tt";
  let separator = "|";
}

// Numbered by their place in the table, in IR and files alike.
def TT_DataType : TT_Enum<"DataType", "TT DataTypes",
    !foreach(i, !range(FormatRows),
             I32EnumAttrCase<FormatRows[i].enumeratorName, i,
                             FormatRows[i].irName>)>;

def TT_Arch : TT_Enum<"Arch", "TT Arch", [
  I32EnumAttrCase<"Grayskull", 0, "grayskull">,
  I32EnumAttrCase<"WormholeB0", 1, "wormhole_b0">,
  I32EnumAttrCase<"Blackhole", 2, "blackhole">
]>;

def TT_MemorySpace : TT_Enum<"MemorySpace", "TT MemorySpace", [
  I32EnumAttrCase<"System", 0, "system">,
  I32EnumAttrCase<"SystemMMIO", 1, "mmio">,
  I32EnumAttrCase<"DeviceDRAM", 2, "dram">,
  I32EnumAttrCase<"DeviceL1", 3, "l1">
]>;

def TT_TensorMemoryLayout
    : TT_Enum<"TensorMemoryLayout", "TT TensorMemoryLayout", [
  I32EnumAttrCase<"None", 0, "none">,
  I32EnumAttrCase<"Interleaved", 1, "interleaved">,
  I32EnumAttrCase<"SingleBank", 2, "single_bank">,
  I32EnumAttrCase<"HeightSharded", 3, "height_sharded">,
  I32EnumAttrCase<"WidthSharded", 4, "width_sharded">,
  I32EnumAttrCase<"BlockSharded", 5, "block_sharded">
]>;

def TT_IteratorType : TT_Enum<"IteratorType", "TT IteratorType", [
  I32EnumAttrCase<"Parallel", 0, "parallel">,
  I32EnumAttrCase<"Systolic", 1, "systolic">,
  I32EnumAttrCase<"Broadcast", 2, "broadcast">
]>;

def TT_OOBVal : TT_Enum<"OOBVal", "TT OOBVal", [
  I32EnumAttrCase<"Undef", 0, "undef">,
  I32EnumAttrCase<"Zero", 1, "zero">,
  I32EnumAttrCase<"One", 2, "one">,
  I32EnumAttrCase<"Inf", 3, "inf">,
  I32EnumAttrCase<"NegInf", 4, "neginf">
]>;

def TT_ReduceType : TT_Enum<"ReduceType", "TT ReduceType", [
  I32EnumAttrCase<"Sum", 0, "sum">,
  I32EnumAttrCase<"Mean", 1, "mean">,
  I32EnumAttrCase<"Max", 2, "max">,
  I32EnumAttrCase<"Min", 3, "min">,
  I32EnumAttrCase<"Std", 4, "std">,
  I32EnumAttrCase<"Var", 5, "var">,
  I32EnumAttrCase<"Prod", 6, "prod">,
  I32EnumAttrCase<"Invalid", 7, "invalid">
]>;

def TT_MeshShardType : TT_Enum<"MeshShardType", "TT MeshShardType", [
  I32EnumAttrCase<"Replicate", 0, "replicate">,
  I32EnumAttrCase<"Devices", 1, "devices">,
  I32EnumAttrCase<"Maximal", 2, "maximal">
]>;

def TT_MeshShardDirection
    : TT_Enum<"MeshShardDirection", "TT MeshShardDirection", [
  I32EnumAttrCase<"FullToShard", 0, "full_to_shard">,
  I32EnumAttrCase<"ShardToFull", 1, "shard_to_full">
]>;

def TT_ArgumentType : TT_Enum<"ArgumentType", "TT ArgumentType", [
  I32EnumAttrCase<"Input", 0, "input">,
  I32EnumAttrCase<"Parameter", 1, "parameter">,
  I32EnumAttrCase<"Constant", 2, "constant">,
  I32EnumAttrCase<"Default", 3, "default">
]>;

def TT_Topology : TT_Enum<"Topology", "TT Topology", [
  I32EnumAttrCase<"Ring", 0, "ring">,
  I32EnumAttrCase<"Linear", 1, "linear">
]>;

def TT_MathFidelity : TT_Enum<"MathFidelity", "TT MathFidelity", [
  I32EnumAttrCase<"LoFi", 0, "lofi">,
  I32EnumAttrCase<"HiFi2", 2, "hifi2">,
  I32EnumAttrCase<"HiFi3", 3, "hifi3">,
  I32EnumAttrCase<"HiFi4", 4, "hifi4">
]>;

// Bits and the groups of them that operations name. Printing lists every case
// that is contained in the value, groups too, in this order.
def TT_OC_System : I32BitEnumAttrCaseBit<"System", 0, "system">;
def TT_OC_DRAM : I32BitEnumAttrCaseBit<"DRAM", 1, "dram">;
def TT_OC_L1 : I32BitEnumAttrCaseBit<"L1", 2, "l1">;
def TT_OC_Scalar : I32BitEnumAttrCaseBit<"Scalar", 3, "scalar">;
def TT_OC_Tile : I32BitEnumAttrCaseBit<"Tile", 4, "tile">;
def TT_OC_None : I32BitEnumAttrCaseBit<"None", 5, "none">;
def TT_OC_Interleaved : I32BitEnumAttrCaseBit<"Interleaved", 6, "interleaved">;
def TT_OC_SingleBank : I32BitEnumAttrCaseBit<"SingleBank", 7, "single_bank">;
def TT_OC_HeightSharded
    : I32BitEnumAttrCaseBit<"HeightSharded", 8, "height_sharded">;
def TT_OC_WidthSharded
    : I32BitEnumAttrCaseBit<"WidthSharded", 9, "width_sharded">;
def TT_OC_BlockSharded
    : I32BitEnumAttrCaseBit<"BlockSharded", 10, "block_sharded">;

def TT_OC_AnyLayout : I32BitEnumAttrCaseGroup<"AnyLayout",
    [TT_OC_None, TT_OC_Interleaved, TT_OC_SingleBank, TT_OC_HeightSharded,
     TT_OC_WidthSharded, TT_OC_BlockSharded], "any_layout">;
def TT_OC_Any : I32BitEnumAttrCaseGroup<"Any",
    [TT_OC_System, TT_OC_DRAM, TT_OC_L1, TT_OC_Scalar, TT_OC_Tile,
     TT_OC_AnyLayout], "any">;
def TT_OC_AnyDevice : I32BitEnumAttrCaseGroup<"AnyDevice",
    [TT_OC_DRAM, TT_OC_L1, TT_OC_Scalar, TT_OC_Tile, TT_OC_AnyLayout],
    "any_device">;
def TT_OC_AnyDeviceTile : I32BitEnumAttrCaseGroup<"AnyDeviceTile",
    [TT_OC_DRAM, TT_OC_L1, TT_OC_Tile, TT_OC_AnyLayout], "any_device_tile">;
def TT_OC_L1BlockSharded : I32BitEnumAttrCaseGroup<"L1BlockSharded",
    [TT_OC_L1, TT_OC_Scalar, TT_OC_Tile, TT_OC_BlockSharded],
    "l1_block_sharded">;

def TT_OperandConstraint
    : TT_BitEnum<"OperandConstraint", "TT Operand Constraints", [
  TT_OC_System, TT_OC_DRAM, TT_OC_L1, TT_OC_Scalar, TT_OC_Tile, TT_OC_None,
  TT_OC_Interleaved, TT_OC_SingleBank, TT_OC_HeightSharded, TT_OC_WidthSharded,
  TT_OC_BlockSharded, TT_OC_AnyLayout, TT_OC_Any, TT_OC_AnyDevice,
  TT_OC_AnyDeviceTile, TT_OC_L1BlockSharded
]>;

def TT_BufferAccess : TT_BitEnum<"BufferAccess", "TT Buffer Access", [
  I32BitEnumAttrCaseBit<"Alias", 0, "alias">,
  I32BitEnumAttrCaseBit<"Stream", 1, "stream">
]>;

// The specialised attribute: a 32-bit integer attribute that prints as `3 : i32`.
def TT_ChipCapabilityAttr
    : I32BitEnumAttr<"ChipCapability", "TT Chip Capabilities", [
  I32BitEnumAttrCaseBit<"PCIE", 0, "pcie">,
  I32BitEnumAttrCaseBit<"HostMMIO", 1, "host_mmio">
]> {
  let genSpecializedAttr = 1;
  let cppNamespace = "::mlir::tt";
  let separator = "|";
}

#endif
