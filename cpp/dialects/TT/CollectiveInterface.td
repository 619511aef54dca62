//===- What the chips of a mesh do together: the ops' interface -----------===//

#ifndef TTMLIR_TT_COLLECTIVE_INTERFACE_TD
#define TTMLIR_TT_COLLECTIVE_INTERFACE_TD

include "mlir/IR/OpBase.td"

def TT_CollectiveOpInterface : OpInterface<"CollectiveOpInterface"> {
  let cppNamespace = "::mlir::tt";
  let description = [{
    An op in which all chips of a mesh take part. Its own verifier checks local
    properties; properties that depend on the mesh are checked if the op is in a
    module with a device.
  }];
  let methods = [
    InterfaceMethod<
      /*desc=*/[{
        Checks the op against the mesh of the device and, unless it is null, the
        links of the system: one error at the op that names the mesh.
      }],
      /*retTy=*/"::llvm::LogicalResult", /*methodName=*/"verifyOnMesh",
      /*args=*/(ins "::mlir::tt::DeviceAttr":$device,
                    "::mlir::tt::SystemDescAttr":$systemDesc)>,
    InterfaceMethod<
      /*desc=*/[{
        The shapes of the outputs on a mesh, which are not looked at; failure
        after one error at the op.
      }],
      /*retTy=*/"::llvm::FailureOr<::llvm::SmallVector<::llvm::SmallVector<int64_t>>>",
      /*methodName=*/"inferShapes", /*args=*/(ins "const ::mlir::tt::Mesh &":$mesh)>
  ];
  // Behind the op's own verifier, whose rules those of the mesh build on.
  let verifyWithRegions = 1;
  let verify = [{ return ::mlir::tt::verifyOnScopeMesh($_op); }];
}

/// The rules of a collective and of a `mesh_shard`, for the definitions of
/// an op's class.
defvar TT_CollectiveMeshRules = [{
    ::llvm::LogicalResult $cppClass::verifyOnMesh(
        ::mlir::tt::DeviceAttr device, ::mlir::tt::SystemDescAttr systemDesc) {
      return ::mlir::tt::shapes::verifyCollectiveOnMesh(*this, device,
                                                        systemDesc);
    }
    ::llvm::FailureOr<::llvm::SmallVector<::llvm::SmallVector<int64_t>>>
    $cppClass::inferShapes(const ::mlir::tt::Mesh &mesh) {
      return ::mlir::tt::shapes::inferCollective(*this, mesh);
    }
}];
defvar TT_MeshShardMeshRules = [{
    ::mlir::tt::shapes::MeshShard $cppClass::getMeshShard() {
      return {getInput().getType(), getType(), getShardType(),
              getShardDirection(), getShardShape(), getShardDims()};
    }
    ::llvm::LogicalResult $cppClass::verifyOnMesh(
        ::mlir::tt::DeviceAttr device, ::mlir::tt::SystemDescAttr) {
      return ::mlir::tt::shapes::verifyMeshShardOnMesh(
          *this, getMeshShard(), ::mlir::tt::Mesh(device));
    }
    ::llvm::FailureOr<::llvm::SmallVector<::llvm::SmallVector<int64_t>>>
    $cppClass::inferShapes(const ::mlir::tt::Mesh &mesh) {
      return ::mlir::tt::shapes::inferMeshShard(*this, getMeshShard(), mesh);
    }
}];

#endif
