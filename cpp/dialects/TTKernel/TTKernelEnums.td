//===- Enumerations of the 'ttkernel' dialect -----------------------------===//
//
// Apart from the attributes, so that only these are generated into the
// dialect's own header.

#ifndef TTMLIR_TTKERNEL_ENUMS_TD
#define TTMLIR_TTKERNEL_ENUMS_TD

include "mlir/IR/EnumAttr.td"

class TTKernel_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::mlir::tt::ttkernel";
}

def TTKernel_ThreadType : TTKernel_Enum<"ThreadType", "TTKernel ThreadTypes", [
  I32EnumAttrCase<"Noc", 0, "noc">,
  I32EnumAttrCase<"Tensix", 1, "tensix">,
  I32EnumAttrCase<"Ethernet", 2, "ethernet">
]>;

def TTKernel_MathFidelity
    : TTKernel_Enum<"MathFidelity", "TTKernel MathFidelity", [
  I32EnumAttrCase<"LoFi", 0, "lofi">,
  I32EnumAttrCase<"HiFi2", 2, "hifi2">,
  I32EnumAttrCase<"HiFi3", 3, "hifi3">,
  I32EnumAttrCase<"HiFi4", 4, "hifi4">
]>;

def TTKernel_NocIndex : TTKernel_Enum<"NocIndex", "TTKernel NocIndex", [
  I32EnumAttrCase<"Noc0", 0, "noc0">,
  I32EnumAttrCase<"Noc1", 1, "noc1">
]>;

def TTKernel_EthType : TTKernel_Enum<"EthType", "TTKernel EthType", [
  I32EnumAttrCase<"Sender", 0, "sender">,
  I32EnumAttrCase<"Receiver", 1, "receiver">
]>;

def TTKernel_EltwiseBinaryType
    : TTKernel_Enum<"EltwiseBinaryType", "TTKernel EltwiseBinaryType", [
  I32EnumAttrCase<"Add", 0, "add">,
  I32EnumAttrCase<"Sub", 1, "sub">,
  I32EnumAttrCase<"Mul", 2, "mul">
]>;

def TTKernel_BroadcastType
    : TTKernel_Enum<"BroadcastType", "TTKernel BroadcastType", [
  I32EnumAttrCase<"None", 0, "none">,
  I32EnumAttrCase<"Row", 1, "row">,
  I32EnumAttrCase<"Col", 2, "col">,
  I32EnumAttrCase<"Scalar", 3, "scalar">
]>;

def TTKernel_PoolType : TTKernel_Enum<"PoolType", "TTKernel PoolType", [
  I32EnumAttrCase<"Sum", 0, "sum">,
  I32EnumAttrCase<"Avg", 1, "avg">,
  I32EnumAttrCase<"Max", 2, "max">,
  I32EnumAttrCase<"Min", 3, "min">
]>;

def TTKernel_ReduceDim : TTKernel_Enum<"ReduceDim", "TTKernel ReduceDim", [
  I32EnumAttrCase<"Row", 0, "row">,
  I32EnumAttrCase<"Col", 1, "col">,
  I32EnumAttrCase<"Scalar", 2, "scalar">
]>;

/// Eight ports of one purpose.
class TTKernel_Ports<string name, string keyword, int first> {
  list<I32EnumAttrCase> cases = !foreach(i, [0, 1, 2, 3, 4, 5, 6, 7],
      I32EnumAttrCase<name # i, !add(first, i), keyword # i>);
}

def TTKernel_CBPort : TTKernel_Enum<"CBPort", "TTKernel CBPort", !listconcat(
  TTKernel_Ports<"In", "cb_in", 0>.cases,
  TTKernel_Ports<"DataFlow", "cb_dfl", 8>.cases,
  TTKernel_Ports<"Out", "cb_out", 16>.cases,
  TTKernel_Ports<"Intermed", "cb_int", 24>.cases
)>;

#endif
