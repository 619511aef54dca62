#include "conversion/LinalgToTTIR/Structured.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>

namespace mlir::tt::frontend {

/// The reduction that an op of the body makes; nothing for other ops.
static std::optional<Reduction> reductionOf(Operation *op) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double least = std::numeric_limits<int32_t>::min();
  constexpr double greatest = std::numeric_limits<int32_t>::max();
  bool isBool = op->getResult(0).getType().isInteger(1);
  using namespace arith;
  using Result = std::optional<Reduction>;
  return TypeSwitch<Operation *, Result>(op)
      .Case<AddFOp>([](auto) {
        return Reduction{"sum", "add", 0};
      })
      .Case<AddIOp>([&](auto) {
        return isBool ? Result() : Reduction{"sum", "add", 0};
      })
      .Case<MulFOp>([](auto) {
        return Reduction{"prod", "multiply", 1};
      })
      .Case<MulIOp>([&](auto) {
        return isBool ? Result() : Reduction{"prod", "multiply", 1};
      })
      .Case<MaximumFOp>([](auto) {
        return Reduction{"max", "maximum", -infinity};
      })
      .Case<MinimumFOp>([](auto) {
        return Reduction{"min", "minimum", infinity};
      })
      .Case<MaxNumFOp>([](auto) {
        return Reduction{"max", "maximum", -infinity, true};
      })
      .Case<MinNumFOp>([](auto) {
        return Reduction{"min", "minimum", infinity, true};
      })
      .Case<MaxSIOp>([&](auto) {
        return isBool ? Result() : Reduction{"max", "maximum", least};
      })
      .Case<MinSIOp>([&](auto) {
        return isBool ? Result() : Reduction{"min", "minimum", greatest};
      })
      .Case<OrIOp, MaxUIOp>([&](auto) {
        return isBool ? Reduction{"max", "logical_or", 0} : Result();
      })
      .Case<AndIOp, MinUIOp>([&](auto) {
        return isBool ? Reduction{"min", "logical_and", 1} : Result();
      })
      .Default([](Operation *) { return Result(); });
}

std::optional<Reduction> Structured::matchReduction() {
  if (op.getNumDpsInits() != 1)
    return std::nullopt;
  Operation *combination =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  if (!combination || combination->getBlock() != op.getBlock() ||
      combination->getNumOperands() != 2)
    return std::nullopt;
  std::optional<Reduction> reduction = reductionOf(combination);
  if (!reduction)
    return std::nullopt;
  BlockArgument partial = op.getRegionOutputArgs().front();
  if (!partial.hasOneUse())
    return std::nullopt;
  Value a = combination->getOperand(0), b = combination->getOperand(1);
  if (a != partial && b != partial)
    return std::nullopt;
  reduction->term = a == partial ? b : a;
  return reduction;
}

Value Structured::ignoreNaN(const Reduction &reduction, Value term) {
  if (!reduction.ignoresNaN)
    return term;
  Value neutral = graph.scalar(reduction.neutral, elementOf(term));
  return graph.select(graph.isNaN(term), neutral, term);
}

LogicalResult Structured::finish(const Reduction &reduction, Value value) {
  Value init = op.getDpsInits().front();
  Operation *maker = init.getDefiningOp();
  if (isa_and_nonnull<tensor::EmptyOp>(maker))
    return fail() << "expected an initial value, found tensor.empty";
  std::optional<double> known;
  if (auto fill = dyn_cast_or_null<linalg::FillOp>(maker))
    known = constantSplat(fill.getInputs().front());
  else
    known = constantSplat(init);
  if (known != reduction.neutral) {
    Value start = translator.get(init);
    value = reduction.ignoresNaN
                ? graph.ignoringNaN(reduction.combiner, value, start)
                : graph.eltwise(reduction.combiner, {value, start});
  }
  return translator.set(op->getResult(0), value);
}

/// What a chain of widening conversions starts with. Products of integers are
/// 32 bits wide, of what has fewer.
static Value stripWidening(Value value) {
  bool isWord = value.getType().isInteger(32);
  while (Operation *op = value.getDefiningOp()) {
    bool isWidened = isWord && isa<arith::ExtSIOp>(op) &&
                     op->getOperand(0).getType().getIntOrFloatBitWidth() >= 8;
    if (!isWidened && !isa<arith::ExtFOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

std::optional<unsigned> Structured::onlyOperandOf(Value value) {
  std::optional<unsigned> operand;
  llvm::SetVector<Value> reached;
  reached.insert(value);
  for (size_t next = 0; next < reached.size(); ++next) {
    auto argument = dyn_cast<BlockArgument>(reached[next]);
    if (!argument) {
      Operation *op = reached[next].getDefiningOp();
      if (op->getBlock() != this->op.getBlock())
        continue;
      if (isa<linalg::IndexOp>(op))
        return std::nullopt;
      reached.insert_range(op->getOperands());
      continue;
    }
    // Arguments of the function are numbers from outside.
    if (argument.getOwner() != op.getBlock())
      continue;
    unsigned number = argument.getArgNumber();
    if (number >= op.getNumDpsInputs())
      return std::nullopt;
    if (!isa<RankedTensorType>(op->getOperand(number).getType()))
      continue;
    if (operand && *operand != number)
      return std::nullopt;
    operand = number;
  }
  return operand;
}

Value Structured::evaluateOn(Value value, unsigned operand, Value tensor) {
  body.clear();
  for (OpOperand &other : op->getOpOperands())
    if (!isa<RankedTensorType>(other.get().getType()))
      body[op.getMatchingBlockArgument(&other)] = numberOf(other.get());
  body[op.getBlock()->getArgument(operand)] = tensor;
  // The ops in front of the value that have all that they need.
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (body.count(value))
      break;
    bool isReady = inner.getNumResults() == 1 && inner.getNumOperands() > 0 &&
                   llvm::all_of(inner.getOperands(), [&](Value input) {
                     return body.count(input) || constantSplat(input) ||
                            translator.lookup(input);
                   });
    if (!isReady || !onlyOperandOf(inner.getResult(0)))
      continue;
    SmallVector<Value> inputs = llvm::map_to_vector(
        inner.getOperands(), [&](Value input) { return evaluate(input); });
    if (llvm::is_contained(inputs, Value()))
      return nullptr;
    Value result = translateScalar(&inner, inputs, translator);
    if (!result)
      return nullptr;
    body[inner.getResult(0)] = result;
  }
  return evaluate(value);
}

std::optional<std::pair<Structured::Factor, Structured::Factor>>
Structured::matchProduct(Value term) {
  Operation *product = term.getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product) ||
      product->getBlock() != op.getBlock() || term.getType().isInteger(1))
    return std::nullopt;
  Value a = stripWidening(product->getOperand(0));
  Value b = stripWidening(product->getOperand(1));
  // Both in the format in which the product is computed, or both narrower.
  if (a.getType() != b.getType()) {
    a = product->getOperand(0);
    b = product->getOperand(1);
  }
  std::optional<unsigned> first = onlyOperandOf(a), second = onlyOperandOf(b);
  if (!first || !second || *first == *second)
    return std::nullopt;
  return std::make_pair(Factor{*first, a}, Factor{*second, b});
}

} // namespace mlir::tt::frontend
