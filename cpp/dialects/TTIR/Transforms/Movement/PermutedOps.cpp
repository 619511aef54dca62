#include "dialects/TTIR/Transforms/Movement/PermutedOps.h"

#include "dialects/TTIR/TTIRWindows.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::tt::ttir {

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

Order compose(ArrayRef<int64_t> inner, ArrayRef<int64_t> outer) {
  return llvm::map_to_vector<6>(outer, [&](int64_t dim) { return inner[dim]; });
}

Order invert(ArrayRef<int64_t> order) {
  Order inverse(order.size());
  for (auto [place, dim] : llvm::enumerate(order))
    inverse[dim] = place;
  return inverse;
}

bool isIdentity(ArrayRef<int64_t> order) {
  return llvm::equal(order, llvm::seq<int64_t>(0, order.size()));
}

SmallVector<int64_t> permuted(ArrayRef<int64_t> shape,
                              ArrayRef<int64_t> order) {
  return llvm::map_to_vector(order, [&](int64_t dim) { return shape[dim]; });
}

bool movesUnitsOnly(ArrayRef<int64_t> shape, ArrayRef<int64_t> order) {
  Order rest;
  llvm::copy_if(order, std::back_inserter(rest),
                [&](int64_t dim) { return shape[dim] != 1; });
  return llvm::is_sorted(rest);
}

//===----------------------------------------------------------------------===//
// Ops in another order
//===----------------------------------------------------------------------===//

/// Whether it is a tensor of known extents whose place and whose elements do
/// not depend on the order of its dimensions.
static bool isPlain(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && !tensor.getEncoding() &&
         !isa<quant::QuantizedType>(tensor.getElementType());
}

static RankedTensorType resultType(Operation *op) {
  return cast<RankedTensorType>(op->getResult(0).getType());
}

template <typename OpT> static bool keepsDims(OpT op) {
  return op.getKeepDim() && op.getDimArg() && !op.getDimArg()->empty() &&
         op.getInput().getType().getRank() ==
             op.getResult().getType().getRank();
}

bool isPermutable(Operation *op) {
  if (!isa_and_nonnull<TTIRDialect>(op->getDialect()) ||
      op->getNumResults() != 1 ||
      !llvm::all_of(op->getOperandTypes(), isPlain) ||
      !llvm::all_of(op->getResultTypes(), isPlain))
    return false;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<TTIR_ElementwiseOpInterface, ClampTensorOp, GeluBwOp>([](auto op) {
        Operation *plain = op;
        int64_t rank = resultType(plain).getRank();
        return llvm::all_of(getPermutedInputs(plain), [&](OpOperand &input) {
          return cast<RankedTensorType>(input.get().getType()).getRank() <=
                 rank;
        });
      })
      .Case<ConcatOp, PadOp, SliceOp, SoftmaxOp, BatchNormInferenceOp, CumSumOp,
            ResizeOp>([](auto) { return true; })
      .Case<SumOp, MeanOp, MaxOp, MinOp, ProdOp>(
          [](auto op) { return keepsDims(op); })
      .Default([](Operation *) { return false; });
}

MutableArrayRef<OpOperand> getPermutedInputs(Operation *op) {
  unsigned count = cast<DestinationStyleOpInterface>(op).getNumDpsInputs();
  if (isa<BatchNormInferenceOp>(op))
    count = 1;
  // Destinations come behind all inputs.
  return op->getOpOperands().take_front(count);
}

/// Where the dimension is in the other order.
static int64_t placeOf(int64_t dim, ArrayRef<int64_t> order) {
  int64_t rank = order.size();
  return llvm::find(order, dim < 0 ? dim + rank : dim) - order.begin();
}

static ArrayAttr permuteEntries(ArrayAttr entries, ArrayRef<int64_t> order) {
  auto found =
      llvm::map_to_vector(order, [&](int64_t dim) { return entries[dim]; });
  return ArrayAttr::get(entries.getContext(), found);
}

static SmallVector<float> permuteNumbers(ArrayRef<float> numbers,
                                         ArrayRef<int64_t> order) {
  return llvm::map_to_vector(order, [&](int64_t dim) { return numbers[dim]; });
}

static ArrayAttr permuteDims(ArrayAttr dims, ArrayRef<int64_t> order) {
  SmallVector<int32_t> found;
  for (auto dim : dims.getAsRange<IntegerAttr>())
    found.push_back(placeOf(dim.getInt(), order));
  return Builder(dims.getContext()).getI32ArrayAttr(found);
}

/// Names the dimensions of `op` by their places in the other order.
static void renameDims(Operation *op, ArrayRef<int64_t> order) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](ConcatOp op) { op.setDim(placeOf(op.getDim(), order)); })
      .Case([&](CumSumOp op) { op.setDim(placeOf(op.getDim(), order)); })
      .Case([&](SoftmaxOp op) {
        op.setDimension(placeOf(op.getDimension(), order));
      })
      .Case([&](BatchNormInferenceOp op) {
        op.setDimension(
            placeOf(static_cast<int32_t>(op.getDimension()), order));
      })
      .Case([&](PadOp op) {
        SmallVector<int32_t> padding;
        for (int64_t dim : order)
          llvm::append_range(padding, op.getPadding().slice(2 * dim, 2));
        op.setPadding(padding);
      })
      .Case([&](SliceOp op) {
        op.setBeginsAttr(permuteEntries(op.getBegins(), order));
        op.setEndsAttr(permuteEntries(op.getEnds(), order));
        op.setStepAttr(permuteEntries(op.getStep(), order));
      })
      .Case([&](ResizeOp op) {
        op.setSizes(permuted(op.getSizes(), order));
        if (std::optional<ArrayRef<float>> scales = op.getScales())
          op.setScales(permuteNumbers(*scales, order));
        if (std::optional<ArrayRef<float>> region = op.getRegion()) {
          SmallVector<float> sides;
          for (ArrayRef<float> side : {region->take_front(order.size()),
                                       region->drop_front(order.size())})
            llvm::append_range(sides, permuteNumbers(side, order));
          op.setRegion(sides);
        }
      })
      .Case<SumOp, MeanOp, MaxOp, MinOp, ProdOp>([&](auto op) {
        op.setDimArgAttr(permuteDims(*op.getDimArg(), order));
      });
}

Operation *permuteOp(OpBuilder &builder, Operation *op, ValueRange inputs,
                     ArrayRef<int64_t> order) {
  auto type = resultType(op).clone(permuted(resultType(op).getShape(), order));
  Value destination = tensor::EmptyOp::create(
      builder, op->getLoc(), type.getShape(), type.getElementType());
  Operation *moved = builder.clone(*op);
  for (auto [place, input] : llvm::enumerate(inputs))
    moved->setOperand(place, input);
  cast<DestinationStyleOpInterface>(moved).setDpsInitOperand(0, destination);
  moved->getResult(0).setType(type);
  renameDims(moved, order);
  return moved;
}

//===----------------------------------------------------------------------===//
// Ops that remove dimensions
//===----------------------------------------------------------------------===//

bool absorbs(Operation *op, ArrayRef<int64_t> order) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<SumOp, MeanOp, MaxOp, MinOp, ProdOp>([&](auto op) {
        if (!isPlain(op.getInput().getType()) || !op.getDimArg() ||
            op.getInput().getType().getRank() !=
                static_cast<int64_t>(order.size()))
          return false;
        SmallVector<bool> gone(order.size());
        int64_t rank = order.size();
        for (auto dim : op.getDimArg()->template getAsRange<IntegerAttr>())
          gone[dim.getInt() < 0 ? dim.getInt() + rank : dim.getInt()] = true;
        Order rest;
        llvm::copy_if(order, std::back_inserter(rest),
                      [&](int64_t dim) { return !gone[dim]; });
        // Otherwise it is a reduction over all dimensions.
        bool removes = op.getResult().getType().getRank() ==
                       static_cast<int64_t>(rest.size());
        return !op.getDimArg()->empty() && removes && !op.getKeepDim() &&
               llvm::is_sorted(rest);
      })
      .Default([](Operation *) { return false; });
}

void absorb(Operation *op, Value input, ArrayRef<int64_t> order) {
  renameDims(op, order);
  op->setOperand(0, input);
}

} // namespace mlir::tt::ttir
