//===- CollectivePatterns.cpp - work of the chips of a mesh together ------===//

#include "conversion/TTIRToTTMetal/CollectiveKernels.h"
#include "dialects/Shapes/ShapeRules.h"

using namespace mlir;
using namespace mlir::tt;

using ttmetal::CollectiveKind;

namespace {

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

/// The attributes of `ttmetal.collective` that take the place of those of an
/// op; everything else keeps its name.
StringRef getCommandName(StringRef name) {
  if (name == "all_gather_dim" || name == "scatter_dim" || name == "split_dim")
    return "dim";
  if (name == "replica_groups" || name == "source_target_pairs")
    return "groups";
  return name;
}

/// A command for each input and its output.
template <typename OpT>
void replaceByCommands(OpT op, CollectiveKind kind, ValueRange inputs,
                       ValueRange outputs, StringRef whyNoKernels,
                       ConversionPatternRewriter &rewriter) {
  SmallVector<NamedAttribute> attributes = {rewriter.getNamedAttr(
      "kind", ttmetal::CollectiveKindAttr::get(rewriter.getContext(), kind))};
  for (NamedAttribute attribute : op->getAttrs()) {
    StringRef name = attribute.getName();
    if (name != "operand_constraints" && name != "operandSegmentSizes")
      attributes.push_back(
          rewriter.getNamedAttr(getCommandName(name), attribute.getValue()));
  }
  if (auto remark = kKernelRemarks.passed(op, "Command"))
    remark << reason("becomes a command of the runtime for each of {0} tensors",
                     inputs.size())
           << rejected("kernels: {0}", whyNoKernels);
  SmallVector<Value> results;
  for (auto [input, output] : llvm::zip(inputs, outputs))
    results.push_back(
        ttmetal::CollectiveOp::create(rewriter, op.getLoc(), output.getType(),
                                      ValueRange{input, output}, attributes));
  rewriter.replaceOp(op, results);
}

template <typename OpT, CollectiveKind kind>
struct CommandPattern : public KernelPattern<OpT> {
  using KernelPattern<OpT>::KernelPattern;

  LogicalResult lower(OpT op, ConversionPatternRewriter &rewriter) const final {
    replaceByCommands(op, kind, op.getInput(), op.getOutput(),
                      "there are none for the op", rewriter);
    return success();
  }
};

struct MeshShardPattern : public KernelPattern<ttir::MeshShardOp> {
  using KernelPattern::KernelPattern;

  LogicalResult lower(ttir::MeshShardOp op,
                      ConversionPatternRewriter &rewriter) const final {
    rewriter.replaceOpWithNewOp<ttmetal::MeshShardOp>(
        op, op.getType(), op.getInput(), op.getOutput(), op.getShardTypeAttr(),
        op.getShardDirectionAttr(), op.getShardShapeAttr(),
        op.getShardDimsAttr());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The groups along an axis of the mesh; an error if it has no such axis, or if
/// chips that are neighbours in a group have no link.
FailureOr<CollectiveGroup> getGroup(Operation *op, int64_t axis,
                                    const Lowering &lowering) {
  if (!lowering.mesh)
    return op->emitOpError("expected a module with a mesh of chips");
  const Mesh &mesh = *lowering.mesh;
  auto emitError = [&] { return op->emitOpError(); };
  if (failed(mesh.verifyAxis(emitError, axis)) ||
      failed(mesh.verifyLinks(emitError, lowering.systemDesc, axis)))
    return failure();
  CollectiveGroup group;
  group.size = mesh.getGroupSize(axis);
  group.chips = mesh.getNumChips();
  group.stride = volume(mesh.getShape().drop_front(axis + 1));
  group.isRing = mesh.isRing(lowering.systemDesc, axis);
  return group;
}

/// An error unless an extent of the tensors is that of `chips` blocks.
LogicalResult checkBlocks(Operation *op, Value whole, Value block, int64_t dim,
                          const CollectiveGroup &group) {
  auto type = cast<RankedTensorType>(whole.getType());
  dim = *shapes::normalizeDim(dim, type.getRank());
  int64_t extent = type.getDimSize(dim);
  int64_t each = cast<RankedTensorType>(block.getType()).getDimSize(dim);
  if (extent == each * group.size)
    return success();
  return op->emitOpError("expected ")
         << group.size << " blocks of " << each << " along dimension " << dim
         << ", one for each chip of a group, found an extent of " << extent;
}

LogicalResult lowerToKernels(ttir::AllGatherOp op, const CollectiveGroup &group,
                             Lowering &lowering,
                             ConversionPatternRewriter &rewriter) {
  ValueRange inputs = op.getInputs(), outputs = op.getOutputs();
  // Tensors of several ranks may be in one op: a negative one is theirs.
  int64_t dim = op.getAllGatherDim();
  for (auto [input, output] : llvm::zip(inputs, outputs))
    if (failed(checkBlocks(op, output, input, dim, group)))
      return failure();
  return lowerAllGather(op, inputs, outputs, dim, group,
                        lowering.allGatherSwizzle, lowering, rewriter);
}

LogicalResult lowerToKernels(ttir::ReduceScatterOp op,
                             const CollectiveGroup &group, Lowering &lowering,
                             ConversionPatternRewriter &rewriter) {
  ValueRange inputs = op.getInputs(), outputs = op.getOutputs();
  int64_t dim = op.getScatterDim();
  for (auto [input, output] : llvm::zip(inputs, outputs))
    if (failed(checkBlocks(op, input, output, dim, group)))
      return failure();
  return lowerReduction(op, inputs, outputs, dim, op.getReduceType(), group,
                        lowering, rewriter);
}

LogicalResult lowerToKernels(ttir::AllReduceOp op, const CollectiveGroup &group,
                             Lowering &lowering,
                             ConversionPatternRewriter &rewriter) {
  return lowerReduction(op, op.getInputs(), op.getOutputs(),
                        /*dim=*/std::nullopt, op.getReduceType(), group,
                        lowering, rewriter);
}

/// Kernels of an op if the user asks for them, else a command for each tensor.
template <typename OpTy, CollectiveKind kind>
struct AxisPattern : public KernelPattern<OpTy> {
  using KernelPattern<OpTy>::KernelPattern;

  LogicalResult lower(OpTy op,
                      ConversionPatternRewriter &rewriter) const final {
    if (!this->lowering.useAllGatherKernel) {
      replaceByCommands(op, kind, op.getInputs(), op.getOutputs(),
                        "use-all-gather-kernel is off", rewriter);
      return success();
    }
    FailureOr<CollectiveGroup> group =
        getGroup(op, op.getClusterAxis(), this->lowering);
    if (failed(group))
      return failure();
    if (auto remark = kKernelRemarks.passed(op, "Kernels"))
      remark << reason("kernels send along axis {0}, in {1} of {2} chips, both "
                       "ways at once",
                       op.getClusterAxis(), group->isRing ? "rings" : "lines",
                       group->size)
             << rejected("{0}", group->isRing
                                    ? "lines: the ends of the axis have a link"
                                    : "rings: the ends of the axis have no "
                                      "link");
    return lowerToKernels(op, *group, this->lowering, rewriter);
  }
};

} // namespace

void tt::populateTTIRToTTMetalCollectivePatterns(RewritePatternSet &patterns,
                                                 Lowering &lowering) {
  patterns
      .add<AxisPattern<ttir::AllGatherOp, CollectiveKind::AllGather>,
           AxisPattern<ttir::ReduceScatterOp, CollectiveKind::ReduceScatter>,
           AxisPattern<ttir::AllReduceOp, CollectiveKind::AllReduce>,
           CommandPattern<ttir::CollectivePermuteOp,
                          CollectiveKind::CollectivePermute>,
           CommandPattern<ttir::MeshPartitionOp, CollectiveKind::MeshPartition>,
           CommandPattern<ttir::AllToAllOp, CollectiveKind::AllToAll>,
           CommandPattern<ttir::CollectiveBroadcastOp,
                          CollectiveKind::CollectiveBroadcast>,
           MeshShardPattern>(patterns.getContext(), lowering);
}
