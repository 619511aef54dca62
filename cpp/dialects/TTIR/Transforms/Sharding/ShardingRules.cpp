#include "dialects/TTIR/Transforms/Sharding/ShardingRules.h"

#include "dialects/TTIR/Canonicalize.h"
#include "dialects/TTIR/TTIR.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::tt::ttir {

int64_t ShardingRule::find(ArrayRef<int64_t> dims, int64_t factor) {
  const int64_t *found = llvm::find(dims, factor);
  return found == dims.end() ? -1 : found - dims.begin();
}

namespace {

ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// Builds the rule of an op. Initially, no dimension can be sharded.
class RuleBuilder {
public:
  explicit RuleBuilder(Operation *op) : op(op) {
    for (Value operand : op->getOperands())
      rule.operands.emplace_back(shapeOf(operand).size(), ShardingRule::kWhole);
    for (Value result : op->getResults())
      rule.results.emplace_back(shapeOf(result).size(), ShardingRule::kWhole);
  }

  /// A factor that the result has in dimension `dim`; counted from the end if
  /// negative.
  int64_t ofResult(int64_t dim) {
    SmallVector<int64_t> &dims = rule.results.front();
    int64_t &factor = dims[dim < 0 ? dim + dims.size() : dim];
    if (factor == ShardingRule::kWhole) {
      factor = rule.factors.size();
      rule.factors.push_back(std::nullopt);
    }
    return factor;
  }

  /// Adds a factor that is not in the result.
  int64_t reduced(ReduceType type) {
    rule.factors.push_back(type);
    return rule.factors.size() - 1;
  }

  /// Dimension `dim` of operand `index` has the factor.
  void set(unsigned index, int64_t dim, int64_t factor) {
    SmallVector<int64_t> &dims = rule.operands[index];
    dims[dim < 0 ? dim + dims.size() : dim] = factor;
  }

  /// Dimension `dim` of operand `index` is dimension `resultDim` of the result.
  void same(unsigned index, int64_t dim, int64_t resultDim) {
    set(index, dim, ofResult(resultDim));
  }

  /// Operand `index` broadcasts to the result by NumPy's rules, except in the
  /// last `whole` dimensions of the result.
  void broadcast(unsigned index, int64_t whole = 0) {
    ArrayRef<int64_t> from = shapeOf(op->getOperand(index)),
                      to = shapeOf(op->getResult(0));
    int64_t before = to.size() - from.size();
    for (int64_t dim = 0, end = from.size(); dim != end; ++dim)
      if (dim + before < static_cast<int64_t>(to.size()) - whole &&
          from[dim] == to[dim + before])
        same(index, dim, dim + before);
    // The result may be sharded where an operand is repeated.
    for (int64_t dim = 0; dim < static_cast<int64_t>(to.size()) - whole; ++dim)
      ofResult(dim);
  }

  /// The destination has the sharding of the result.
  ShardingRule take() {
    for (OpOperand &init :
         cast<DestinationStyleOpInterface>(op).getDpsInitsMutable())
      rule.operands[init.getOperandNumber()] = rule.results.front();
    return std::move(rule);
  }

private:
  Operation *op;
  ShardingRule rule;
};

void elementwise(Operation *op, RuleBuilder &rule) {
  for (unsigned index = 0, end = op->getNumOperands() - 1; index != end;
       ++index)
    rule.broadcast(index);
}

template <typename OpT> void product(OpT op, RuleBuilder &rule) {
  // Leading dimensions are batches, which broadcast.
  for (unsigned index : {0u, 1u}) {
    ArrayRef<int64_t> from = shapeOf(op->getOperand(index)),
                      to = shapeOf(op.getResult());
    for (int64_t dim = -3;
         -dim <= static_cast<int64_t>(std::min(from.size(), to.size())); --dim)
      if (from[from.size() + dim] == to[to.size() + dim])
        rule.same(index, dim, dim);
  }
  if (shapeOf(op.getA()).size() < 2 || shapeOf(op.getB()).size() < 2)
    return;
  int64_t sum = rule.reduced(ReduceType::Sum);
  rule.set(0, op.getTransposeA() ? -1 : -2, rule.ofResult(-2));
  rule.set(0, op.getTransposeA() ? -2 : -1, sum);
  rule.set(1, op.getTransposeB() ? -1 : -2, sum);
  rule.set(1, op.getTransposeB() ? -2 : -1, rule.ofResult(-1));
}

void matmul(MatmulOp op, RuleBuilder &rule) { product(op, rule); }

void linear(LinearOp op, RuleBuilder &rule) {
  product(op, rule);
  if (op.getBias())
    rule.broadcast(2);
}

std::optional<ReduceType> getReduceType(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<ReduceType>>(op)
      .Case([](SumOp) { return ReduceType::Sum; })
      .Case([](MeanOp) { return ReduceType::Mean; })
      .Case([](MaxOp) { return ReduceType::Max; })
      .Case([](MinOp) { return ReduceType::Min; })
      .Default([](Operation *) { return std::nullopt; });
}

/// For each dimension, whether it is in `dims`; all are if `dims` is empty.
SmallVector<bool> getReducedDims(ArrayAttr dims, int64_t rank) {
  bool all = !dims || dims.empty();
  SmallVector<bool> reduced(rank, all);
  if (!all)
    for (auto dim : dims.getAsRange<IntegerAttr>())
      reduced[(dim.getInt() + rank) % rank] = true;
  return reduced;
}

/// The result has the dimensions of the input, with reduced ones of extent 1 or
/// removed; any other shape has no factors.
template <typename OpT> void reduction(OpT op, RuleBuilder &rule) {
  ArrayRef<int64_t> from = shapeOf(op.getInput()), to = shapeOf(op.getResult());
  SmallVector<bool> reduced = getReducedDims(op.getDimArgAttr(), from.size());
  SmallVector<int64_t> kept, dropped;
  for (auto [extent, isReduced] : llvm::zip_equal(from, reduced)) {
    kept.push_back(isReduced ? 1 : extent);
    if (!isReduced)
      dropped.push_back(extent);
  }
  bool keeps = llvm::equal(kept, to);
  if (!keeps && !llvm::equal(dropped, to))
    return;
  std::optional<ReduceType> type = getReduceType(op);
  // Chips cannot compute a mean of integers.
  if (type == ReduceType::Mean &&
      !isa<FloatType>(op.getResult().getType().getElementType()))
    type = std::nullopt;
  int64_t place = 0;
  for (int64_t dim = 0, end = from.size(); dim != end; ++dim) {
    if (!reduced[dim])
      rule.same(0, dim, keeps ? dim : place++);
    else if (type)
      rule.set(0, dim, rule.reduced(*type));
  }
}

/// All dimensions except `whole`, which counts from the end if negative.
void allBut(Operation *op, int64_t whole, RuleBuilder &rule) {
  int64_t rank = shapeOf(op->getResult(0)).size();
  for (int64_t dim = 0; dim != rank; ++dim)
    if (dim != (whole + rank) % rank)
      rule.same(0, dim, dim);
}

template <typename OpT> void norm(OpT op, RuleBuilder &rule) {
  rule.broadcast(0, op.getNormalizedShape().size());
}

void permutation(Operation *op, RuleBuilder &rule) {
  for (auto [to, from] : llvm::enumerate(*getPermutation(op)))
    rule.same(0, from, to);
}

/// Each group of dimensions that is merged or split can be sharded in its first
/// dimension.
void reshape(Operation *op, RuleBuilder &rule) {
  ArrayRef<int64_t> from = shapeOf(op->getOperand(0)),
                    to = shapeOf(op->getResult(0));
  size_t i = 0, j = 0;
  while (i != from.size() && j != to.size()) {
    if (from[i] == 1 && to[j] != 1) {
      ++i;
      continue;
    }
    if (to[j] == 1 && from[i] != 1) {
      ++j;
      continue;
    }
    rule.same(0, i, j);
    int64_t size0 = from[i++], size1 = to[j++];
    while (size0 != size1) {
      if (size0 < size1 && i != from.size())
        size0 *= from[i++];
      else if (size1 < size0 && j != to.size())
        size1 *= to[j++];
      else
        return;
    }
  }
}

void broadcastDims(BroadcastOp op, RuleBuilder &rule) {
  ArrayRef<int64_t> from = shapeOf(op.getInput()), to = shapeOf(op.getResult());
  for (auto [dim, place] :
       llvm::enumerate(op.getDimension().getAsRange<IntegerAttr>()))
    if (from[dim] == to[place.getInt()])
      rule.same(0, dim, place.getInt());
  for (int64_t dim = 0, end = to.size(); dim != end; ++dim)
    rule.ofResult(dim);
}

void repeat(RepeatOp op, RuleBuilder &rule) {
  for (auto [dim, count] : llvm::enumerate(op.getRepeatDimensions()))
    if (count == 1)
      rule.same(0, dim, dim);
}

void concat(ConcatOp op, RuleBuilder &rule) {
  int64_t rank = shapeOf(op.getResult()).size();
  for (unsigned index = 0, end = op.getInputs().size(); index != end; ++index)
    for (int64_t dim = 0; dim != rank; ++dim)
      if (dim != (op.getDim() + rank) % rank)
        rule.same(index, dim, dim);
}

void slice(SliceOp op, RuleBuilder &rule) {
  ArrayRef<int64_t> from = shapeOf(op.getInput()), to = shapeOf(op.getResult());
  for (int64_t dim = 0, end = from.size(); dim != end; ++dim)
    if (from[dim] == to[dim] &&
        cast<IntegerAttr>(op.getStep()[dim]).getInt() == 1)
      rule.same(0, dim, dim);
}

/// Dimensions that the update fills, so that it starts at 0 for any index. The
/// first dimension may hold several updates, each with a row of the index.
void updateSlice(UpdateSliceOp op, RuleBuilder &rule) {
  ArrayRef<int64_t> update = shapeOf(op.getUpdate()),
                    to = shapeOf(op.getResult());
  bool isList = op.getIndex() && shapeOf(op.getIndex()).size() == 2;
  for (int64_t dim = 0, end = to.size(); dim != end; ++dim)
    if (update[dim] == to[dim] && op.getStarts()[dim] == 0 &&
        !llvm::is_contained(op.getDims(), dim)) {
      rule.same(0, dim, dim);
      rule.same(1, dim, dim);
      if (dim == 0 && isList)
        rule.same(2, 0, 0);
    }
}

void pad(PadOp op, RuleBuilder &rule) {
  ArrayRef<int32_t> padding = op.getPadding();
  for (int64_t dim = 0, end = shapeOf(op.getResult()).size(); dim != end; ++dim)
    if (padding[2 * dim] == 0 && padding[2 * dim + 1] == 0)
      rule.same(0, dim, dim);
}

/// Rows of the table, one for each index.
void embedding(EmbeddingOp op, RuleBuilder &rule) {
  for (int64_t dim = 0, end = shapeOf(op.getInput()).size(); dim != end; ++dim)
    if (dim < static_cast<int64_t>(shapeOf(op.getResult()).size()) - 1 &&
        shapeOf(op.getInput())[dim] == shapeOf(op.getResult())[dim])
      rule.same(0, dim, dim);
  rule.same(1, -1, -1);
}

/// Images, and the channels of the result if there is one group.
void conv2d(Conv2dOp op, RuleBuilder &rule) {
  if (shapeOf(op.getInput()).size() == 4)
    rule.same(0, 0, 0);
  if (op.getGroups() != 1 || op.getKernelSize())
    return;
  rule.same(1, 0, -1);
  if (op.getBias())
    rule.same(2, -1, -1);
}

void convTranspose2d(ConvTranspose2dOp op, RuleBuilder &rule) {
  rule.same(0, 0, 0);
}

/// Images and channels, unless the images are merged.
template <typename OpT> void pool(OpT op, RuleBuilder &rule) {
  if (!op.getOriginalHeight())
    rule.same(0, 0, 0);
  rule.same(0, -1, -1);
}

void upsample(UpsampleOp op, RuleBuilder &rule) {
  rule.same(0, 0, 0);
  rule.same(0, -1, -1);
}

/// Batches, heads, and queries, unless the mask depends on the query index.
/// Chips that divide the key heads have those that their queries read.
void attention(ScaledDotProductAttentionOp op, RuleBuilder &rule) {
  SmallVector<int64_t> dims{0, 1};
  Value positions = op.getPositions();
  if (positions || (!op.getIsCausal() && !op.getSlidingWindowSize()))
    dims.push_back(2);
  ArrayRef<int64_t> to = shapeOf(op.getResult());
  for (int64_t dim : dims)
    rule.same(0, dim, dim);
  // Blocks of a paged cache belong to any batch.
  Value table = op.getPageTable();
  for (unsigned index : {1u, 2u})
    for (int64_t dim : {0, 1})
      if (dim != 0 || !table)
        rule.same(index, dim, dim);
  unsigned index = 3;
  if (Value mask = op.getAttentionMask()) {
    for (int64_t dim : dims)
      if (shapeOf(mask)[dim] == to[dim])
        rule.same(index, dim, dim);
    ++index;
  }
  if (op.getAttentionSink())
    rule.same(index++, 0, 1);
  for (auto [dim, of] : {std::pair{0, 0}, std::pair{1, 2}})
    if (positions && shapeOf(positions)[dim] == to[of])
      rule.same(index, dim, of);
  if (table)
    rule.same(index + (positions ? 1 : 0), 0, 0);
}

} // namespace

std::optional<ShardingRule> getShardingRule(Operation *op) {
  auto isPlain = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape() && !tensor.getEncoding() &&
           tensor.getNumElements() != 0;
  };
  // A layout is a request for this tensor.
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      !isa<DestinationStyleOpInterface>(op) ||
      !llvm::all_of(op->getOperandTypes(), isPlain) ||
      !isPlain(op->getResult(0).getType()))
    return std::nullopt;
  RuleBuilder rule(op);
  bool isKnown =
      llvm::TypeSwitch<Operation *, bool>(op)
          .Case<TTIR_ElementwiseOpInterface>([&](auto) {
            elementwise(op, rule);
            return true;
          })
          .Case([&](MatmulOp found) { return matmul(found, rule), true; })
          .Case([&](LinearOp found) { return linear(found, rule), true; })
          .Case<SumOp, MeanOp, MaxOp, MinOp, ProdOp, ArgMaxOp>(
              [&](auto found) { return reduction(found, rule), true; })
          .Case([&](SoftmaxOp found) {
            return allBut(op, found.getDimension(), rule), true;
          })
          .Case<CumSumOp, CumProdOp, CumMaxOp, CumMinOp, ArgSortOp>(
              [&](auto found) {
                return allBut(op, found.getDim(), rule), true;
              })
          .Case<LayerNormOp, RMSNormOp>(
              [&](auto found) { return norm(found, rule), true; })
          .Case<TransposeOp, PermuteOp>(
              [&](auto) { return permutation(op, rule), true; })
          .Case<ReshapeOp, SqueezeOp, UnsqueezeOp>(
              [&](auto) { return reshape(op, rule), true; })
          .Case([&](BroadcastOp found) {
            return broadcastDims(found, rule), true;
          })
          .Case([&](RepeatOp found) { return repeat(found, rule), true; })
          .Case([&](ConcatOp found) { return concat(found, rule), true; })
          .Case([&](SliceOp found) { return slice(found, rule), true; })
          .Case([&](UpdateSliceOp found) {
            return updateSlice(found, rule), true;
          })
          .Case([&](PadOp found) { return pad(found, rule), true; })
          .Case([&](EmbeddingOp found) { return embedding(found, rule), true; })
          .Case([&](Conv2dOp found) { return conv2d(found, rule), true; })
          .Case([&](ConvTranspose2dOp found) {
            return convTranspose2d(found, rule), true;
          })
          .Case<MaxPool2dOp, AvgPool2dOp>(
              [&](auto found) { return pool(found, rule), true; })
          .Case([&](UpsampleOp found) { return upsample(found, rule), true; })
          .Case([&](RotaryEmbeddingOp) {
            // The halves of a row meet.
            for (unsigned index : {0, 1, 2})
              rule.broadcast(index, /*whole=*/1);
            return true;
          })
          .Case([&](ScaledDotProductAttentionOp found) {
            return attention(found, rule), true;
          })
          .Default([](Operation *) { return false; });
  if (!isKnown)
    return std::nullopt;
  return rule.take();
}

void setLocalExtents(Operation *op) {
  Builder builder(op->getContext());
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    SmallVector<int32_t> shape(shapeOf(reshape.getResult()));
    reshape.setShapeAttr(builder.getI32ArrayAttr(shape));
  }
  if (auto slice = dyn_cast<SliceOp>(op)) {
    SmallVector<int32_t> ends;
    // Sharded dimensions are not sliced: they extend to their end.
    for (auto [dim, extent] : llvm::enumerate(shapeOf(slice.getInput()))) {
      int64_t end = cast<IntegerAttr>(slice.getEnds()[dim]).getInt();
      ends.push_back(static_cast<int32_t>(end > extent ? extent : end));
    }
    slice.setEndsAttr(builder.getI32ArrayAttr(ends));
  }
}

} // namespace mlir::tt::ttir
