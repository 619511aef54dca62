#include "dialects/TTIR/Canonicalize.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace mlir::tt::ttir {

/// Whether each chip of the mesh gets its own tensor.
static bool isIdentity(CollectiveOpInterface op) {
  // One shard is the tensor. Replication makes tensors of the mesh, though.
  if (auto shard = dyn_cast<MeshShardOp>(*op))
    return shard.getShardType() == MeshShardType::Devices &&
           volume(shard.getShardShape()) == 1;
  std::optional<Mesh> mesh = getScopeMesh(op);
  return mesh && shapes::isTrivial(shapes::getCollective(op), *mesh);
}

LogicalResult foldIdentityCollective(CollectiveOpInterface op,
                                     RewriterBase &rewriter) {
  auto dps = dyn_cast<DestinationStyleOpInterface>(op.getOperation());
  // The device that a pass has just set may not fit the op.
  if (!dps || !isIdentity(op))
    return failure();
  SmallVector<Value> inputs = dps.getDpsInputs();
  if (TypeRange(ValueRange(inputs)) != TypeRange(op->getResultTypes()))
    return failure();
  if (!isa<MeshShardOp>(op))
    op->emitWarning("'") << op->getName()
                         << "' is of groups of one chip on the mesh "
                         << getScopeMesh(op)->str()
                         << " and changes nothing: it is removed";
  rewriter.replaceOp(op, inputs);
  return success();
}

namespace {

/// collective(x) -> x if all groups have one chip, mesh_shard(x) -> x if there
/// is one shard
struct DropIdentity : OpInterfaceRewritePattern<CollectiveOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(CollectiveOpInterface op,
                                PatternRewriter &rewriter) const override {
    return foldIdentityCollective(op, rewriter);
  }
};

} // namespace

void populateCollectivePatterns(RewritePatternSet &patterns) {
  patterns.add<DropIdentity>(patterns.getContext());
}

} // namespace mlir::tt::ttir
