#include "conversion/LinalgToTTIR/Structured.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
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

/// What a chain of widening conversions starts with.
static Value stripWidening(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

std::optional<std::pair<unsigned, unsigned>>
Structured::matchProduct(Value term) {
  Operation *product = term.getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product) ||
      term.getType().isInteger(1))
    return std::nullopt;
  auto a = dyn_cast<BlockArgument>(stripWidening(product->getOperand(0)));
  auto b = dyn_cast<BlockArgument>(stripWidening(product->getOperand(1)));
  unsigned inputs = op.getNumDpsInputs();
  auto isTensor = [&](BlockArgument argument) {
    return argument && argument.getOwner() == op.getBlock() &&
           argument.getArgNumber() < inputs &&
           isa<RankedTensorType>(
               op->getOperand(argument.getArgNumber()).getType());
  };
  if (!isTensor(a) || !isTensor(b) || a.getType() != b.getType())
    return std::nullopt;
  return std::make_pair(a.getArgNumber(), b.getArgNumber());
}

} // namespace mlir::tt::frontend
