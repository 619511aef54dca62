//===- IntegerProducts.cpp - products of dequantized tensors --------------===//

#include "dialects/TT/Remarks.h"
#include "dialects/TTIR/GraphBuilder.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/TTIRWindows.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/Recognition/Matchers.h"
#include "dialects/TTIR/Transforms/UnusedOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRINTEGERPRODUCTS
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kProductRemarks("ttir-integer-products");

using Extents = SmallVector<int64_t>;

/// Maps the extents of scales through a reshape. Dimensions that are reshaped
/// together must have one scale, or one for each element.
std::optional<Extents> reshapedScales(ArrayRef<int64_t> from,
                                      ArrayRef<int64_t> to,
                                      ArrayRef<int64_t> scales) {
  Extents found;
  size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    int64_t left = 1, right = 1, count = 1;
    size_t first = j;
    do {
      if (i < from.size() && (left <= right || j == to.size())) {
        count *= scales[i];
        left *= from[i++];
      } else {
        right *= to[j++];
      }
    } while (left != right && (i < from.size() || j < to.size()));
    if (left != right || (count != 1 && count != left))
      return std::nullopt;
    for (size_t k = first; k < j; ++k)
      found.push_back(count == 1 ? 1 : to[k]);
  }
  return found;
}

/// Integers with their scales, and the data movement ops after them.
class Dequantized {
public:
  /// None if the floats are not dequantized integers.
  static std::optional<Dequantized> of(Value value) {
    if (auto root = value.getDefiningOp<DequantizeUnrolledOp>()) {
      auto type = dyn_cast<IntegerType>(graph::elementOf(root.getInput()));
      if (!type || type.getWidth() > 16)
        return std::nullopt;
      Dequantized found;
      found.root = root;
      found.scales.assign(graph::typeOf(value).getRank(), 1);
      if (auto axis = root.getAxis()) {
        int64_t dim = *shapes::normalizeDim(*axis, found.scales.size());
        found.scales[dim] = graph::shapeOf(value)[dim];
      }
      return found;
    }
    Operation *op = value.getDefiningOp();
    if (!op || !isMove(op))
      return std::nullopt;
    std::optional<Dequantized> found = of(op->getOperand(0));
    if (!found || !found->moveScales(op))
      return std::nullopt;
    found->moves.push_back(op);
    return found;
  }

  ArrayRef<int64_t> getScales() const { return scales; }

  /// The greatest magnitude after subtracting the zero point.
  int64_t getLimit() {
    auto type = cast<IntegerType>(graph::elementOf(root.getInput()));
    int64_t count = int64_t(1) << type.getWidth();
    return type.isSigned() && isSymmetric() ? count / 2 : count - 1;
  }

  /// The integers in si32, minus zero points, in the shape of the floats.
  Value load(graph::GraphBuilder &b) {
    Type i32 = b.getBuilder().getIntegerType(32, /*isSigned=*/true);
    Value found = root.getInput();
    Value zero =
        isSymmetric() ? Value() : move(b, spread(b, root.getZeroPoint()));
    found = move(b, found);
    found = b.cast(found, i32);
    return zero ? b.eltwise("subtract", {found, b.cast(zero, i32)}) : found;
  }

  /// The scales in f32, with the rank of the floats.
  Value scale(graph::GraphBuilder &b) {
    return move(
        b, b.cast(spread(b, root.getScale()), b.getBuilder().getF32Type()));
  }

private:
  static bool isMove(Operation *op) {
    auto isFloat = [](Value value) {
      return isa<FloatType>(graph::elementOf(value));
    };
    if (isa<TypecastOp>(op))
      return isFloat(op->getOperand(0)) && isFloat(op->getResult(0));
    return isa<ReshapeOp, SqueezeOp, UnsqueezeOp, PermuteOp, TransposeOp>(op) &&
           !graph::typeOf(op->getResult(0)).getEncoding();
  }

  /// Whether all zero points are known to be 0.
  bool isSymmetric() {
    DenseElementsAttr zeros = graph::elementsOf(root.getZeroPoint());
    return zeros &&
           llvm::all_of(zeros.getValues<APInt>(),
                        [](const APInt &zero) { return zero.isZero(); });
  }

  bool moveScales(Operation *op) {
    ArrayRef<int64_t> from = graph::shapeOf(op->getOperand(0)),
                      to = graph::shapeOf(op->getResult(0));
    if (auto permute = dyn_cast<PermuteOp>(op)) {
      Extents found;
      for (int64_t dim : permute.getPermutation())
        found.push_back(scales[dim]);
      scales = found;
      return true;
    }
    if (auto transpose = dyn_cast<TransposeOp>(op)) {
      std::swap(
          scales[*shapes::normalizeDim(transpose.getDim0(), from.size())],
          scales[*shapes::normalizeDim(transpose.getDim1(), from.size())]);
      return true;
    }
    std::optional<Extents> found = reshapedScales(from, to, scales);
    if (found)
      scales = *found;
    return found.has_value();
  }

  /// Scales or zero points in a shape that broadcasts to the integers of the
  /// root.
  Value spread(graph::GraphBuilder &b, Value numbers) {
    Extents shape(graph::shapeOf(root.getInput()).size(), 1);
    if (auto axis = root.getAxis())
      shape[*shapes::normalizeDim(*axis, shape.size())] =
          graph::typeOf(numbers).getNumElements();
    return b.reshape(numbers, shape);
  }

  /// Applies the moves to the integers, or to their scales.
  Value move(graph::GraphBuilder &b, Value value) {
    bool isWhole = value == root.getInput();
    Extents extents(graph::shapeOf(value));
    for (Operation *op : moves) {
      if (auto permute = dyn_cast<PermuteOp>(op)) {
        value = b.permute(value, permute.getPermutation());
      } else if (auto transpose = dyn_cast<TransposeOp>(op)) {
        int64_t rank = extents.size();
        Extents order = graph::range(rank);
        std::swap(order[*shapes::normalizeDim(transpose.getDim0(), rank)],
                  order[*shapes::normalizeDim(transpose.getDim1(), rank)]);
        value = b.permute(value, order);
      } else if (!isa<TypecastOp>(op)) {
        ArrayRef<int64_t> to = graph::shapeOf(op->getResult(0));
        value = b.reshape(
            value, isWhole ? Extents(to)
                           : *reshapedScales(graph::shapeOf(op->getOperand(0)),
                                             to, extents));
      }
      extents.assign(graph::shapeOf(value).begin(),
                     graph::shapeOf(value).end());
    }
    return value;
  }

  DequantizeUnrolledOp root;
  /// In order, starting at the integers.
  SmallVector<Operation *> moves;
  /// For each dimension, 1 or the number of indices with their own scale.
  Extents scales;
};

/// The relation of the operands of a product to its result.
struct Product {
  /// The number of summed elements.
  int64_t count = 0;
  /// The scales of the operands in the shape of the result; none if a sum has
  /// several scales.
  std::optional<Extents> left, right;
};

bool isOne(ArrayRef<int64_t> extents) {
  return llvm::all_of(extents, [](int64_t extent) { return extent == 1; });
}

/// For matrices: a scale may depend only on the row or column of the result.
std::optional<Extents> scalesOfMatrix(ArrayRef<int64_t> scales, bool isTurned,
                                      bool isLeft) {
  Extents found(scales);
  size_t rank = found.size();
  if (rank < 2)
    return std::nullopt;
  if (isTurned)
    std::swap(found[rank - 1], found[rank - 2]);
  if (found[isLeft ? rank - 1 : rank - 2] != 1)
    return std::nullopt;
  return found;
}

template <typename OpT>
Product describeMatrices(OpT op, ArrayRef<int64_t> left,
                         ArrayRef<int64_t> right) {
  ArrayRef<int64_t> shape = graph::shapeOf(op.getA());
  Product product;
  product.count =
      shape[shape.size() - (op.getTransposeA() && shape.size() > 1 ? 2 : 1)];
  product.left = scalesOfMatrix(left, op.getTransposeA(), /*isLeft=*/true);
  product.right = scalesOfMatrix(right, op.getTransposeB(), /*isLeft=*/false);
  return product;
}

/// Each output channel, dimension `outer` of the weight, has one scale.
Product describeWindow(Value weight, ArrayRef<int64_t> left,
                       ArrayRef<int64_t> right, int64_t outer, int64_t batch,
                       int64_t outBatch, int64_t outChannels) {
  Product product;
  ArrayRef<int64_t> shape = graph::shapeOf(weight);
  product.count = graph::typeOf(weight).getNumElements() / shape[outer];
  auto only = [](ArrayRef<int64_t> scales, int64_t from, int64_t to) {
    Extents others(scales), found(scales.size(), 1);
    others[from] = 1;
    found[to] = scales[from];
    return isOne(others) ? std::optional(found) : std::nullopt;
  };
  product.left = only(left, batch, outBatch);
  product.right = only(right, outer, outChannels);
  return product;
}

Product describe(Operation *op, ArrayRef<int64_t> left,
                 ArrayRef<int64_t> right) {
  return TypeSwitch<Operation *, Product>(op)
      .Case<MatmulOp, LinearOp>(
          [&](auto matmul) { return describeMatrices(matmul, left, right); })
      .Case([&](Conv2dOp conv) {
        if (conv.getKernelSize() || left.size() != 4)
          return Product();
        return describeWindow(conv.getWeight(), left, right, 0, 0, 0, 3);
      })
      .Case([&](ConvolutionOp conv) {
        if (conv.getBatchGroups() != 1)
          return Product();
        return describeWindow(conv.getWeight(), left, right,
                              conv.getWeightDims()[0], conv.getInputDims()[0],
                              conv.getOutputDims()[0], conv.getOutputDims()[1]);
      })
      .Default(Product());
}

class TTIRIntegerProducts
    : public impl::TTIRIntegerProductsBase<TTIRIntegerProducts> {
public:
  using Base::Base;

  void runOnOperation() final {
    SmallVector<Operation *> ops = getGraphOps(getOperation());
    for (Operation *&op : ops) {
      if (isa<MatmulOp, LinearOp, Conv2dOp, ConvolutionOp>(op)) {
        if (multiply(op))
          op = nullptr;
      } else if (!isa<DequantizeUnrolledOp, QuantizeUnrolledOp>(op)) {
        remarkFloats(op);
      }
    }
    // Erases unused ops, backwards.
    for (Operation *op : llvm::reverse(ops))
      if (op && isa<DequantizeUnrolledOp, ReshapeOp, SqueezeOp, UnsqueezeOp,
                    PermuteOp, TransposeOp, TypecastOp>(op))
        eraseUnused(op);
  }

private:
  /// Whether integers replace the product.
  bool multiply(Operation *op) {
    std::optional<Dequantized> a = Dequantized::of(op->getOperand(0)),
                               b = Dequantized::of(op->getOperand(1));
    if (!a && !b)
      return false;
    std::string reason = whyNot(op, a, b);
    if (reason.empty()) {
      replace(op, *a, *b);
      return true;
    }
    ++numFloats;
    if (auto remark = kProductRemarks.missed(op, "Floats"))
      remark << tt::reason("the product stays in floats: {0}", reason)
             << rejected("integers");
    return false;
  }

  static std::string whyNot(Operation *op, std::optional<Dequantized> &a,
                            std::optional<Dequantized> &b) {
    if (!a || !b)
      return std::string("operand ") + (a ? "1" : "0") +
             " is not dequantized from integers of 8 or 16 bits";
    if (graph::typeOf(op->getResult(0)).getEncoding())
      return "its result has a layout";
    Product product = describe(op, a->getScales(), b->getScales());
    if (product.count == 0)
      return "its form is not supported for integers";
    if (!product.left || !product.right)
      return "the scales differ along the summed dimension";
    int64_t limit = product.count * a->getLimit();
    if (limit > INT32_MAX / b->getLimit())
      return "a sum of " + std::to_string(product.count) +
             " products might need more than 32 bits";
    return {};
  }

  void replace(Operation *op, Dequantized &a, Dequantized &b) {
    OpBuilder builder(op);
    graph::GraphBuilder graph(builder, op->getLoc());
    Type i32 = builder.getIntegerType(32, /*isSigned=*/true);
    Type f32 = builder.getF32Type();
    Product product = describe(op, a.getScales(), b.getScales());
    Value bias = getBias(op);

    Value left = a.load(graph), right = b.load(graph);
    auto type = RankedTensorType::get(graph::shapeOf(op->getResult(0)), i32);
    Value destination =
        tensor::EmptyOp::create(builder, op->getLoc(), type.getShape(), i32);
    Operation *made = builder.clone(*op);
    made->setOperand(0, left);
    made->setOperand(1, right);
    made->setOperand(made->getNumOperands() - 1, destination);
    made->getResult(0).setType(type);
    if (bias)
      dropBias(made);

    Value factor = graph.eltwise(
        "multiply", {graph.reshape(a.scale(graph), *product.left),
                     graph.reshape(b.scale(graph), *product.right)});
    Value found = graph.eltwise("multiply",
                                {graph.cast(made->getResult(0), f32), factor});
    if (bias)
      found = graph.eltwise("add", {found, graph.cast(bias, f32)});
    found = graph.cast(found, graph::elementOf(op->getResult(0)));
    graph::takeOverConstraint(op, found);
    ++numIntegers;
    if (auto remark = kProductRemarks.passed(made, "Integers"))
      remark << reason("the product is computed in integers, summed in si32")
             << rejected("floats: {0} products are rounded", product.count);
    op->getResult(0).replaceAllUsesWith(found);
    op->erase();
  }

  static Value getBias(Operation *op) {
    if (auto conv = dyn_cast<Conv2dOp>(op))
      return conv.getBias();
    auto linear = dyn_cast<LinearOp>(op);
    return linear ? linear.getBias() : Value();
  }

  static void dropBias(Operation *op) {
    if (auto conv = dyn_cast<Conv2dOp>(op))
      conv.getBiasMutable().clear();
    else
      cast<LinearOp>(op).getBiasMutable().clear();
    auto constraints = op->getAttrOfType<ArrayAttr>("operand_constraints");
    if (constraints && constraints.size() != op->getNumOperands())
      op->setAttr("operand_constraints",
                  ArrayAttr::get(
                      op->getContext(),
                      constraints.getValue().take_back(op->getNumOperands())));
  }

  /// Emits remarks for all ops on dequantized floats.
  static void remarkFloats(Operation *op) {
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    if (!dps || isa<ReshapeOp, SqueezeOp, UnsqueezeOp, PermuteOp, TransposeOp,
                    TypecastOp>(op))
      return;
    if (llvm::none_of(dps.getDpsInputs(), [](Value input) {
          return isa<RankedTensorType>(input.getType()) &&
                 Dequantized::of(input);
        }))
      return;
    if (auto remark = kProductRemarks.analysis(op, "Floats"))
      remark << reason("the op reads dequantized integers and computes floats");
  }
};

} // namespace
} // namespace mlir::tt::ttir
