//===- Enumerations of the 'ttmetal' dialect ------------------------------===//

#ifndef TTMLIR_TTMETAL_ENUMS_TD
#define TTMLIR_TTMETAL_ENUMS_TD

include "mlir/IR/EnumAttr.td"

// The numbers are those of the schema.
def TTMetal_CollectiveKind
    : I32EnumAttr<"CollectiveKind", "what chips of a mesh do together", [
  I32EnumAttrCase<"AllGather", 0, "all_gather">,
  I32EnumAttrCase<"ReduceScatter", 1, "reduce_scatter">,
  I32EnumAttrCase<"AllReduce", 2, "all_reduce">,
  I32EnumAttrCase<"CollectivePermute", 3, "collective_permute">,
  I32EnumAttrCase<"MeshPartition", 4, "mesh_partition">,
  I32EnumAttrCase<"AllToAll", 5, "all_to_all">,
  I32EnumAttrCase<"CollectiveBroadcast", 6, "collective_broadcast">
]> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::mlir::tt::ttmetal";
}

#endif
