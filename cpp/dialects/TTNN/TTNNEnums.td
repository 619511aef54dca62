//===- Enumerations of the 'ttnn' dialect ---------------------------------===//
//
// Apart from the attributes, so that only these are generated into the
// dialect's own header.

#ifndef TTMLIR_TTNN_ENUMS_TD
#define TTMLIR_TTNN_ENUMS_TD

include "mlir/IR/EnumAttr.td"

class TTNN_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::mlir::tt::ttnn";
}

def TTNN_Layout : TTNN_Enum<"Layout", "TTNN Layout", [
  I32EnumAttrCase<"RowMajor", 0, "row_major">,
  I32EnumAttrCase<"Tile", 1, "tile">,
  I32EnumAttrCase<"Invalid", 2, "invalid">
]>;

def TTNN_TensorMemoryLayout
    : TTNN_Enum<"TensorMemoryLayout", "TTNN Tensor Memory Layout", [
  I32EnumAttrCase<"Interleaved", 0, "interleaved">,
  I32EnumAttrCase<"SingleBank", 1, "single_bank">,
  I32EnumAttrCase<"HeightSharded", 2, "height_sharded">,
  I32EnumAttrCase<"WidthSharded", 3, "width_sharded">,
  I32EnumAttrCase<"BlockSharded", 4, "block_sharded">
]>;

def TTNN_BufferType : TTNN_Enum<"BufferType", "TTNN Buffer Type", [
  I32EnumAttrCase<"DRAM", 0, "dram">,
  I32EnumAttrCase<"L1", 1, "l1">,
  I32EnumAttrCase<"SystemMemory", 2, "system_memory">,
  I32EnumAttrCase<"L1Small", 3, "l1_small">,
  I32EnumAttrCase<"Trace", 4, "trace">
]>;

#endif
