#include "dialects/TTIR/Transforms/Decomposition/DecompositionPatterns.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "llvm/Support/MathExtras.h"

#include <optional>

namespace mlir::tt::ttir {

namespace {

/// An operand of a collective in the shape in which kernels take it: blocks of
/// whole pages along dimension 0; and the shape of the result.
struct Blocks {
  Value input;
  SmallVector<int64_t> resultShape;
};

/// Whether blocks of `extent` elements along dimension `dim` fill tiles.
bool fillsTiles(int64_t rank, int64_t dim, int64_t extent) {
  return dim < rank - 2 || extent % TileType::kExtent == 0;
}

/// Whether blocks of this type, gathered along `dim`, can be sent in rows: side
/// by side in the rows of the result, they must end where transfers may.
bool fillsRows(Operation *op, RankedTensorType block, int64_t dim) {
  constexpr int64_t kMostAlign = 64;
  if (dim < block.getRank() - 1)
    return true;
  SystemDescAttr system = getScopeSystemDesc(op);
  int64_t bytes = llvm::divideCeil(block.getElementTypeBitWidth(), 8);
  return block.getShape().back() * bytes %
             (system ? system.getAddressAlignBytes() : kMostAlign) ==
         0;
}

//===----------------------------------------------------------------------===//
// all_gather
//===----------------------------------------------------------------------===//

int64_t getDim(AllGatherOp op, int64_t rank) {
  return *shapes::normalizeDim(op.getAllGatherDim(), rank);
}

/// (.., W) gathered along the last dimension: (1, R, W) along the first one.
std::optional<Blocks> getBlocks(AllGatherOp op, Value input, Value output,
                                Primitives &b) {
  RankedTensorType type = getTensorType(input);
  int64_t rank = type.getRank(), dim = getDim(op, rank);
  if (fillsTiles(rank, dim, type.getDimSize(dim)) || fillsRows(op, type, dim))
    return std::nullopt;
  int64_t width = type.getShape().back();
  int64_t rows = volume(type.getShape().drop_back());
  int64_t chips = b.getShape(output)[dim] / width;
  return Blocks{b.reshape(input, {1, rows, width}), {chips, rows, width}};
}

/// (N, R, W) as the tensor whose rows are those of N blocks side by side.
Value restore(AllGatherOp, Value result, RankedTensorType type, Primitives &b) {
  if (b.getShape(result)[1] != 1)
    result = b.permute(result, {1, 0, 2});
  return b.reshape(result, type.getShape());
}

AllGatherOp makeAlong(AllGatherOp op, IntegerAttr dim, ValueRange inputs,
                      ValueRange outputs, Primitives &b) {
  return AllGatherOp::create(b.builder, b.loc, outputs.getTypes(), inputs,
                             outputs, dim, op.getClusterAxisAttr(),
                             b.getRows(inputs.size() + outputs.size()));
}

IntegerAttr getDimAttr(AllGatherOp op) { return op.getAllGatherDimAttr(); }

//===----------------------------------------------------------------------===//
// reduce_scatter
//===----------------------------------------------------------------------===//

/// `value` in the block floats of `type`, if it has some: ops that move
/// elements write plain numbers.
Value keepBlockFloats(Value value, RankedTensorType type, Primitives &b) {
  LayoutAttr layout = getLayoutOf(type);
  auto tile = layout ? dyn_cast<TileType>(layout.getElementType()) : nullptr;
  if (!tile || !isBlockFloat(tile.getDataType()))
    return value;
  ArrayRef<int64_t> shape = b.getShape(value);
  auto plain = RankedTensorType::get(shape, type.getElementType());
  value = fitType(b, value, plain.cloneWithEncoding(LayoutAttr::get(plain)));
  auto placed = LayoutAttr::get(
      type.getContext(), shape, tile, MemorySpace::DeviceDRAM, layout.getGrid(),
      {{0, -1}}, OOBVal::Undef, TensorMemoryLayout::Interleaved);
  return createToLayout(b.builder, b.loc, value, withLayout(plain, placed));
}

/// (A, N * W, B) scattered along the middle: (N, A * W, B) along the first
/// dimension, or (N, A, W) without B. These are the rows of a block by itself,
/// in the same tiles.
std::optional<Blocks> getBlocks(ReduceScatterOp op, Value input, Value output,
                                Primitives &b) {
  ArrayRef<int64_t> shape = b.getShape(input);
  int64_t rank = shape.size();
  int64_t dim = *shapes::normalizeDim(op.getScatterDim(), rank);
  int64_t extent = b.getShape(output)[dim];
  if (fillsTiles(rank, dim, extent))
    return std::nullopt;
  int64_t chips = shape[dim] / extent;
  int64_t before = volume(shape.take_front(dim));
  int64_t behind = volume(shape.drop_front(dim + 1));
  std::array<int64_t, 2> rows = {before * extent, behind};
  if (dim == rank - 1)
    rows = {before, extent};
  Value value = input;
  if (before != 1) {
    value = b.reshape(value, {before, chips, extent * behind});
    value = b.permute(value, {1, 0, 2});
  }
  value = b.reshape(value, {chips, rows[0], rows[1]});
  return Blocks{keepBlockFloats(value, getTensorType(input), b),
                {1, rows[0], rows[1]}};
}

Value restore(ReduceScatterOp, Value result, RankedTensorType type,
              Primitives &b) {
  return b.reshape(result, type.getShape());
}

ReduceScatterOp makeAlong(ReduceScatterOp op, IntegerAttr dim,
                          ValueRange inputs, ValueRange outputs,
                          Primitives &b) {
  return ReduceScatterOp::create(
      b.builder, b.loc, outputs.getTypes(), inputs, outputs,
      op.getReduceTypeAttr(), dim, op.getClusterAxisAttr(),
      b.getDramTiles(inputs.size() + outputs.size()));
}

IntegerAttr getDimAttr(ReduceScatterOp op) { return op.getScatterDimAttr(); }

//===----------------------------------------------------------------------===//
// Blocks that do not fill pages
//===----------------------------------------------------------------------===//

/// Moves the tensors whose blocks are not whole pages to a collective along
/// dimension 0; the others keep the original one.
template <typename OpTy> struct SplitBlocks : public OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const final {
    Primitives b(rewriter, op.getLoc());
    SmallVector<std::optional<Blocks>> blocks;
    for (auto [input, output] : llvm::zip(op.getInputs(), op.getOutputs()))
      blocks.push_back(getBlocks(op, input, output, b));
    if (llvm::none_of(blocks, [](const auto &found) { return bool(found); }))
      return rewriter.notifyMatchFailure(op, "blocks are whole pages");

    if (auto remark = kDecompositionRemarks.passed(op, "Blocks"))
      remark << reason("goes along a new first dimension, with reshapes around "
                       "it")
             << rejected("along the dimension of the op: its blocks do not "
                         "fill the pages that kernels send");
    SmallVector<Value> results(op->getNumResults());
    for (bool alongFirst : {false, true}) {
      SmallVector<Value> inputs, outputs;
      SmallVector<size_t> places;
      for (auto [i, found] : llvm::enumerate(blocks)) {
        if (found.has_value() != alongFirst)
          continue;
        places.push_back(i);
        inputs.push_back(found ? found->input : op.getInputs()[i]);
        outputs.push_back(found ? tensor::EmptyOp::create(
                                      b.builder, b.loc, found->resultShape,
                                      b.getElementType(found->input))
                                : op.getOutputs()[i]);
      }
      if (places.empty())
        continue;
      IntegerAttr dim =
          alongFirst ? rewriter.getSI32IntegerAttr(0) : getDimAttr(op);
      OpTy made = makeAlong(op, dim, inputs, outputs, b);
      if (!alongFirst)
        setCollectiveConstraints(made, b, /*useKernels=*/true);
      for (auto [place, result] : llvm::zip(places, made.getResults())) {
        auto type = getTensorType(op->getResult(place));
        results[place] = alongFirst
                             ? fitType(b, restore(op, result, type, b), type)
                             : Value(result);
      }
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

} // namespace

void setCollectiveConstraints(Operation *op, Primitives &b, bool useKernels) {
  if (!isa<CollectiveOpInterface>(op) || isa<MeshShardOp>(op))
    return;
  size_t numOperands = op->getNumOperands();
  bool isKernel =
      useKernels && isa<AllGatherOp, ReduceScatterOp, AllReduceOp>(op);
  ArrayAttr tiles =
      isKernel ? b.getDramTiles(numOperands) : b.getTiles(numOperands);
  op->setAttr("operand_constraints", tiles);
  auto gather = dyn_cast<AllGatherOp>(op);
  if (!gather || !isKernel)
    return;
  SmallVector<Attribute> constraints(tiles.getValue());
  Attribute row = b.getRows(1)[0];
  size_t count = gather.getInputs().size();
  for (auto [i, input] : llvm::enumerate(gather.getInputs())) {
    RankedTensorType type = getTensorType(input);
    int64_t dim = getDim(gather, type.getRank());
    if (!fillsTiles(type.getRank(), dim, type.getDimSize(dim)))
      constraints[i] = constraints[count + i] = row;
  }
  op->setAttr("operand_constraints", b.builder.getArrayAttr(constraints));
}

void populateCollectiveDecompositions(RewritePatternSet &patterns) {
  patterns.add<SplitBlocks<AllGatherOp>, SplitBlocks<ReduceScatterOp>>(
      patterns.getContext());
}

} // namespace mlir::tt::ttir
