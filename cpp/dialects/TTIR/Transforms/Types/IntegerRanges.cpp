//===- IntegerRanges.cpp - the integers that a program may have -----------===//

#include "dialects/TTIR/Transforms/Types/IntegerRanges.h"

#include "dialects/TT/Elements.h"
#include "dialects/TTIR/Transforms/Types/LegalTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

namespace mlir::tt::ttir {

using llvm::DynamicAPInt;

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

static DynamicAPInt powerOfTwo(unsigned exponent) {
  DynamicAPInt power(1);
  for (unsigned i = 0; i < exponent; ++i)
    power *= 2;
  return power;
}

static DynamicAPInt least(const DynamicAPInt &a, const DynamicAPInt &b) {
  return a < b ? a : b;
}

static DynamicAPInt greatest(const DynamicAPInt &a, const DynamicAPInt &b) {
  return a < b ? b : a;
}

Interval join(const Interval &a, const Interval &b) {
  return {least(a.low, b.low), greatest(a.high, b.high)};
}

Interval intervalOf(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  // Numbers of `index` have 32 bits on the machine.
  if (!integer)
    return {-powerOfTwo(31), powerOfTwo(31) - 1};
  unsigned width = integer.getWidth();
  if (integer.isSigned())
    return {-powerOfTwo(width - 1), powerOfTwo(width - 1) - 1};
  return {DynamicAPInt(0), powerOfTwo(width) - 1};
}

bool isLong(Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  return integer && integer.getWidth() == 64 && isa<RankedTensorType>(type);
}

/// What the machine has for integers of 64 bits.
static Interval narrowIntervalOf(Type element) {
  return intervalOf(getLegalElement(element));
}

static Interval product(const Interval &a, const Interval &b) {
  DynamicAPInt corners[] = {a.low * b.low, a.low * b.high, a.high * b.low,
                            a.high * b.high};
  Interval found{corners[0], corners[0]};
  for (const DynamicAPInt &corner : corners)
    found = join(found, {corner, corner});
  return found;
}

static Interval sum(const Interval &a, const Interval &b) {
  return {a.low + b.low, a.high + b.high};
}

static Interval times(const Interval &a, int64_t count) {
  return {a.low * count, a.high * count};
}

static DynamicAPInt magnitude(const Interval &a) {
  return greatest(abs(a.low), abs(a.high));
}

/// The least 2^k that is greater than `number`.
static DynamicAPInt nextPower(const DynamicAPInt &number) {
  DynamicAPInt power(1);
  while (power <= number)
    power *= 2;
  return power;
}

/// All numbers with as many bits as those of both.
static Interval bitsOf(const Interval &a, const Interval &b) {
  DynamicAPInt power = nextPower(greatest(magnitude(a), magnitude(b)));
  bool isPositive = a.low >= 0 && b.low >= 0;
  return {isPositive ? DynamicAPInt(0) : -power, power - 1};
}

/// Products of up to `count` numbers.
static Interval power(const Interval &a, int64_t count) {
  DynamicAPInt most = magnitude(a), bound = powerOfTwo(65);
  DynamicAPInt found = greatest(most, DynamicAPInt(1));
  if (most > 1)
    for (int64_t i = 1; i < count && found < bound; ++i)
      found *= most;
  return {a.low >= 0 ? DynamicAPInt(0) : -found, found};
}

/// Numbers shifted to the right by `count` places.
static DynamicAPInt shifted(const DynamicAPInt &number, int64_t count) {
  return floorDiv(number, powerOfTwo(count));
}

/// The numbers of an attribute: of all elements.
static std::optional<Interval> intervalOf(ElementsAttr elements) {
  auto type = cast<ShapedType>(elements.getType());
  auto element = dyn_cast<IntegerType>(type.getElementType());
  DenseElementsAttr dense = getDenseElements(elements, type);
  if (!element || !dense || dense.getNumElements() == 0)
    return std::nullopt;
  bool isSigned = element.isSigned();
  std::optional<APInt> low, high;
  for (const APInt &number : dense.getValues<APInt>()) {
    if (!low || (isSigned ? number.slt(*low) : number.ult(*low)))
      low = number;
    if (!high || (isSigned ? number.sgt(*high) : number.ugt(*high)))
      high = number;
    if (dense.isSplat())
      break;
  }
  auto wide = [&](const APInt &number) {
    return DynamicAPInt(isSigned ? number.sext(80) : number.zext(80));
  };
  return Interval{wide(*low), wide(*high)};
}

//===----------------------------------------------------------------------===//
// How ops read integers
//===----------------------------------------------------------------------===//

bool isMove(Operation *op) {
  return llvm::StringSwitch<bool>(op->getName().stripDialect())
      .Cases({"transpose", "permute", "reshape", "squeeze", "unsqueeze",
              "broadcast", "repeat", "concat", "slice", "pad", "reverse"},
             true)
      .Cases({"gather", "gather_dim", "embedding", "index", "index_select",
              "repeat_interleave", "dynamic_slice", "dynamic_update_slice",
              "slice_dynamic", "update_slice", "to_layout", "rearrange"},
             true)
      .Cases({"all_gather", "all_to_all", "mesh_shard", "mesh_partition",
              "collective_permute", "collective_broadcast"},
             true)
      .Default(false);
}

SmallVector<OpOperand *> getMoved(Operation *op) {
  auto dps = cast<DestinationStyleOpInterface>(op);
  SmallVector<OpOperand *> inputs = dps.getDpsInputOperands();
  StringRef name = op->getName().stripDialect();
  if (name == "concat" || inputs.size() < 2)
    return inputs;
  if (name == "embedding")
    return {inputs[1]};
  if (name == "dynamic_update_slice" || name == "update_slice")
    return {inputs[0], inputs[1]};
  return {inputs[0]};
}

std::optional<ReduceType> getScatterType(Operation *op) {
  if (!isa<ScatterOp, ScatterDimOp, ScatterRowsOp>(op))
    return std::nullopt;
  return op->getAttrOfType<ReduceTypeAttr>("reduce_type").getValue();
}

Reading readingOf(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (!isa<TTIRDialect>(op->getDialect()))
    return Reading::Whole;
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  if (dps && dps.isDpsInit(&operand))
    return Reading::Low;
  unsigned number = operand.getOperandNumber();
  if (isMove(op))
    return llvm::is_contained(getMoved(op), &operand) ? Reading::Modular
                                                      : Reading::Low;
  StringRef name = op->getName().stripDialect();
  if (name == "typecast") {
    Type element = getElementTypeOrSelf(op->getResult(0));
    if (!isa<IntegerType>(element) || element.isInteger(1))
      return Reading::Whole;
    return isLong(op->getResult(0).getType()) ? Reading::Modular : Reading::Low;
  }
  if (name == "bitcast_convert")
    return Reading::Whole;
  if (name == "where")
    return number == 0 ? Reading::Whole : Reading::Modular;
  if (name == "logical_left_shift")
    return number == 0 ? Reading::Modular : Reading::Whole;
  if (std::optional<ReduceType> type = getScatterType(op)) {
    if (number == 1)
      return Reading::Low;
    return type == ReduceType::Max || type == ReduceType::Min
               ? Reading::Whole
               : Reading::Modular;
  }
  if (llvm::StringSwitch<bool>(name)
          .Cases({"add", "subtract", "multiply", "neg", "square"}, true)
          .Cases({"bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not"},
                 true)
          .Cases({"sum", "cumsum", "prod", "cumprod"}, true)
          .Cases({"matmul", "linear", "dot_general"}, true)
          .Default(false))
    return Reading::Modular;
  // What makes other numbers of integers takes them for places or masks.
  bool makesIntegers = llvm::any_of(op->getResultTypes(), [](Type type) {
    return isa<IntegerType>(getElementTypeOrSelf(type));
  });
  if (!makesIntegers && !isa<TTIR_ElementwiseOpInterface>(op))
    return Reading::Low;
  return Reading::Whole;
}

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

IntegerRanges::IntegerRanges(ModuleOp module) {
  module.walk([&](func::FuncOp function) {
    for (Block &block : function.getBody()) {
      for (Value argument : block.getArguments())
        if (isLong(argument.getType()))
          set(argument,
              narrowIntervalOf(getElementTypeOrSelf(argument.getType())));
      visit(block);
    }
  });
}

Interval IntegerRanges::get(Value value) const {
  auto found = ranges.find(value);
  return found != ranges.end()
             ? found->second
             : intervalOf(getElementTypeOrSelf(value.getType()));
}

bool IntegerRanges::fits(Value value) const {
  return isEmpty(value.getType()) ||
         narrowIntervalOf(getElementTypeOrSelf(value.getType()))
             .contains(get(value));
}

bool IntegerRanges::isZero(Value value) const {
  Interval interval = get(value);
  return isLong(value.getType()) && interval.low == 0 && interval.high == 0;
}

bool IntegerRanges::isExact(MultiplyOp op) const {
  return intervalOf(getElementTypeOrSelf(op.getResult(0)))
      .contains(product(get(op.getInputs()[0]), get(op.getInputs()[1])));
}

void IntegerRanges::set(Value value, const Interval &interval) {
  Interval all = intervalOf(getElementTypeOrSelf(value.getType()));
  // What wraps may be any.
  ranges[value] = all.contains(interval) ? interval : all;
}

void IntegerRanges::visit(Block &block) {
  for (Operation &op : block)
    visit(&op);
}

static bool isCounted(Type type) {
  return isa<IntegerType, IndexType>(getElementTypeOrSelf(type));
}

void IntegerRanges::visit(Operation *op) {
  if (isa<scf::WhileOp, scf::ForOp>(op))
    return visitLoop(op);
  if (auto choice = dyn_cast<scf::IfOp>(op)) {
    for (Region &region : op->getRegions())
      if (!region.empty())
        visit(region.front());
    for (Value result : op->getResults()) {
      if (!isCounted(result.getType()))
        continue;
      unsigned i = cast<OpResult>(result).getResultNumber();
      set(result, join(get(choice.thenYield().getOperand(i)),
                       get(choice.elseYield().getOperand(i))));
    }
    return;
  }
  // Kernels have types of the machine.
  if (!isa<GenericOp>(op))
    for (Region &region : op->getRegions())
      for (Block &block : region)
        visit(block);
  for (Value result : op->getResults())
    if (isCounted(result.getType()))
      set(result, transfer(op, cast<OpResult>(result).getResultNumber()));
}

/// The comparison `a < b` of tensors of one element that an i1 says, else null.
static LessThanOp comparisonOf(Value condition) {
  while (Operation *op = condition.getDefiningOp()) {
    if (auto less = dyn_cast<LessThanOp>(op))
      return less;
    if (!isa<tensor::ExtractOp, ReshapeOp, TypecastOp>(op))
      return {};
    condition = op->getOperand(0);
  }
  return {};
}

/// What a loop carries in each turn contains what it begins with and what a
/// turn gives. Numbers that grow are taken to be any; one turn more says how
/// far they go, where the condition does.
void IntegerRanges::visitLoop(Operation *op) {
  auto loop = cast<LoopLikeOpInterface>(op);
  Block::BlockArgListType arguments = loop.getRegionIterArgs();
  OperandRange inits = loop.getInits();
  auto whileLoop = dyn_cast<scf::WhileOp>(op);
  if (auto counted = dyn_cast<scf::ForOp>(op)) {
    std::optional<int64_t> low = getConstantIntValue(counted.getLowerBound());
    std::optional<int64_t> high = getConstantIntValue(counted.getUpperBound());
    if (low && high)
      ranges[counted.getInductionVar()] = {
          DynamicAPInt(*low), DynamicAPInt(std::max(*low, *high - 1))};
  }
  auto turn = [&]() -> OperandRange {
    if (!whileLoop) {
      visit(*cast<scf::ForOp>(op).getBody());
      return cast<scf::ForOp>(op).getBody()->getTerminator()->getOperands();
    }
    visit(*whileLoop.getBeforeBody());
    scf::ConditionOp condition = whileLoop.getConditionOp();
    LessThanOp less = comparisonOf(condition.getCondition());
    for (auto [argument, value] :
         llvm::zip_equal(whileLoop.getAfterArguments(), condition.getArgs())) {
      if (!isCounted(argument.getType()))
        continue;
      Interval interval = get(value);
      if (less && less.getInputs()[0] == value)
        interval.high =
            greatest(interval.low,
                     least(interval.high, get(less.getInputs()[1]).high - 1));
      set(argument, interval);
    }
    visit(*whileLoop.getAfterBody());
    return whileLoop.getYieldOp()->getOperands();
  };
  SmallVector<unsigned> carried;
  for (auto [i, argument] : llvm::enumerate(arguments))
    if (isCounted(argument.getType()))
      carried.push_back(i);
  auto begin = [&](unsigned i) { return get(inits[i]); };
  for (unsigned i : carried)
    set(arguments[i], begin(i));
  constexpr unsigned kTurns = 2;
  bool isStable = false;
  for (unsigned count = 0; !isStable; ++count) {
    OperandRange yielded = turn();
    isStable = true;
    for (unsigned i : carried) {
      Interval now = get(arguments[i]);
      if (now.contains(get(yielded[i])))
        continue;
      isStable = false;
      Interval next = join(now, get(yielded[i]));
      Interval all = intervalOf(getElementTypeOrSelf(arguments[i].getType()));
      if (count + 1 >= kTurns) {
        next.low = next.low < now.low ? all.low : now.low;
        next.high = now.high < next.high ? all.high : now.high;
      }
      set(arguments[i], next);
    }
  }
  OperandRange yielded = turn();
  SmallVector<Interval> narrowed;
  for (unsigned i : carried)
    narrowed.push_back(join(begin(i), get(yielded[i])));
  for (auto [i, interval] : llvm::zip_equal(carried, narrowed))
    set(arguments[i], interval);
  turn();
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    if (isCounted(result.getType()))
      set(result, get(whileLoop ? whileLoop.getConditionOp().getArgs()[i]
                                : Value(arguments[i])));
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static int64_t countOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

static int64_t extentOf(Value value, int64_t dim) {
  auto type = cast<RankedTensorType>(value.getType());
  std::optional<int64_t> place = shapes::normalizeDim(dim, type.getRank());
  return place ? type.getDimSize(*place) : 1;
}

static Interval placesOf(int64_t count) {
  return {DynamicAPInt(0), DynamicAPInt(std::max<int64_t>(count - 1, 0))};
}

/// The numbers of a float attribute, which are whole.
static Interval intervalOf(const APFloat &number) {
  APFloat wide = number;
  bool isInexact;
  wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &isInexact);
  constexpr double kMost = 18446744073709551616.0;
  double value = wide.convertToDouble();
  value = std::isnan(value) ? 0 : std::clamp(value, -kMost, kMost);
  auto whole = [](double bound) {
    APSInt integer(80, /*isUnsigned=*/false);
    bool isExact;
    APFloat(bound).convertToInteger(integer, APFloat::rmTowardZero, &isExact);
    return DynamicAPInt(integer);
  };
  return {whole(std::floor(value)), whole(std::ceil(value))};
}

Interval IntegerRanges::transfer(Operation *op, unsigned result) {
  Value value = op->getResult(result);
  Type element = getElementTypeOrSelf(value.getType());
  Interval all = intervalOf(element);
  if (isEmpty(value.getType()))
    return {DynamicAPInt(0), DynamicAPInt(0)};
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<FillOp>(op)) {
    auto elements = op->getAttrOfType<ElementsAttr>("value");
    if (std::optional<Interval> found =
            elements ? intervalOf(elements) : std::nullopt)
      return *found;
    if (auto number = op->getAttrOfType<IntegerAttr>("value")) {
      DynamicAPInt exact(number.getValue().sext(80));
      return {exact, exact};
    }
    return all;
  }
  if (isa<tensor::EmptyOp>(op))
    return {DynamicAPInt(0), DynamicAPInt(0)};
  if (isa<tensor::ExtractOp>(op))
    return get(op->getOperand(0));
  if (isa<tensor::FromElementsOp, tensor::SplatOp>(op)) {
    Interval found = get(op->getOperand(0));
    for (Value operand : op->getOperands().drop_front())
      if (isCounted(operand.getType()))
        found = join(found, get(operand));
    return found;
  }
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return get(op->getOperand(0));
  // Numbers are tensors of one element, with 32 bits.
  if (!isa<TTIRDialect>(op->getDialect()))
    return isa<IntegerType>(element) && element.getIntOrFloatBitWidth() == 64
               ? narrowIntervalOf(element)
               : all;
  if (auto full = dyn_cast<FullOp>(op)) {
    Attribute number = full.getFillValue();
    if (auto real = dyn_cast<FloatAttr>(number))
      return intervalOf(real.getValue());
    DynamicAPInt exact(cast<IntegerAttr>(number).getValue().sext(80));
    return {exact, exact};
  }
  if (isa<ZerosOp>(op))
    return {DynamicAPInt(0), DynamicAPInt(0)};
  if (isa<OnesOp>(op))
    return {DynamicAPInt(1), DynamicAPInt(1)};
  if (auto arange = dyn_cast<ArangeOp>(op)) {
    DynamicAPInt first(arange.getStart());
    DynamicAPInt last(arange.getStart() +
                      arange.getStep() *
                          (extentOf(value, arange.getArangeDimension()) - 1));
    return {least(first, last), greatest(first, last)};
  }
  if (isMove(op)) {
    SmallVector<OpOperand *> moved = getMoved(op);
    Interval found = get(moved.front()->get());
    for (OpOperand *operand : ArrayRef(moved).drop_front())
      found = join(found, get(operand->get()));
    // A place outside of a tensor may give 0.
    if (isa<GatherOp, GatherDimOp, EmbeddingOp>(op))
      found = join(found, {DynamicAPInt(0), DynamicAPInt(0)});
    if (auto pad = dyn_cast<PadOp>(op))
      found = join(found, intervalOf(pad.getValue()));
    return found;
  }
  if (isa<TTIR_ElementwiseOpInterface>(op))
    return transferElementwise(op).value_or(all);
  if (std::optional<Interval> found = transferReduction(op))
    return *found;
  if (isa<BitcastConvertOp>(op)) {
    bool keepsNumbers = isLong(value.getType()) &&
                        isLong(op->getOperand(0).getType()) &&
                        all.contains(get(op->getOperand(0)));
    return keepsNumbers ? get(op->getOperand(0)) : all;
  }
  if (isa<SortOp>(op)) {
    auto sort = cast<SortOp>(op);
    return result + 1 < op->getNumResults()
               ? get(sort.getInputs()[result])
               : placesOf(extentOf(sort.getInputs()[0], sort.getDim()));
  }
  if (auto topK = dyn_cast<TopKOp>(op))
    return result == 0 ? get(topK.getInput())
                       : placesOf(extentOf(topK.getInput(), topK.getDim()));
  // An op that reads none of 64 bits gives places, counts or masks.
  bool readsLong = llvm::any_of(getReadOperands(op), [](Value operand) {
    return isLong(operand.getType());
  });
  return isLong(value.getType()) && !readsLong ? narrowIntervalOf(element)
                                               : all;
}

std::optional<Interval> IntegerRanges::transferElementwise(Operation *op) {
  StringRef name = op->getName().stripDialect();
  SmallVector<Value> inputs = getReadOperands(op);
  auto truth = Interval{DynamicAPInt(0), DynamicAPInt(1)};
  if (name.starts_with("logical_") && !name.ends_with("_shift"))
    return truth;
  if (llvm::StringSwitch<bool>(name)
          .Cases({"eq", "ne", "lt", "le", "gt", "ge"}, true)
          .Cases({"isfinite", "signbit"}, true)
          .Default(false))
    return truth;
  if (name == "where")
    return join(get(inputs[1]), get(inputs[2]));
  for (Value input : inputs)
    if (!isCounted(input.getType()))
      return std::nullopt;
  Interval x = get(inputs[0]), y = inputs.size() > 1 ? get(inputs[1]) : x;
  Type element = getElementTypeOrSelf(op->getResult(0));
  if (element.isInteger(1))
    return truth;
  int64_t width = element.getIntOrFloatBitWidth();
  DynamicAPInt zero(0), one(1);
  if (name == "typecast")
    return x;
  if (name == "add")
    return sum(x, y);
  if (name == "subtract")
    return Interval{x.low - y.high, x.high - y.low};
  if (name == "multiply")
    return product(x, y);
  if (name == "square")
    return Interval{zero, magnitude(x) * magnitude(x)};
  if (name == "neg")
    return Interval{-x.high, -x.low};
  if (name == "abs")
    return Interval{x.low > 0    ? x.low
                    : x.high < 0 ? -x.high
                                 : zero,
                    magnitude(x)};
  if (name == "maximum")
    return Interval{greatest(x.low, y.low), greatest(x.high, y.high)};
  if (name == "minimum")
    return Interval{least(x.low, y.low), least(x.high, y.high)};
  if (name == "sign")
    return Interval{-one, one};
  if (name == "relu")
    return Interval{greatest(x.low, zero), greatest(x.high, zero)};
  if (name == "popcount" || name == "clz")
    return Interval{zero, DynamicAPInt(width)};
  if (auto clamp = dyn_cast<ClampOp>(op)) {
    Interval low = intervalOf(clamp.getMin()),
             high = intervalOf(clamp.getMax());
    auto within = [&](const DynamicAPInt &number) {
      return least(greatest(number, low.low), high.high);
    };
    return Interval{within(x.low), within(x.high)};
  }
  if (name == "bitwise_not" && cast<IntegerType>(element).isSigned())
    return Interval{-x.high - 1, -x.low - 1};
  if (name == "bitwise_and") {
    if (x.low >= 0 && y.low >= 0)
      return Interval{zero, least(x.high, y.high)};
    if (x.low >= 0 || y.low >= 0)
      return Interval{zero, x.low >= 0 ? x.high : y.high};
    return bitsOf(x, y);
  }
  if (name == "bitwise_or" || name == "bitwise_xor")
    return bitsOf(x, y);
  if (name == "div") {
    if (y.low <= 0 && y.high >= 0)
      return Interval{-magnitude(x), magnitude(x)};
    DynamicAPInt divisor = least(abs(y.low), abs(y.high));
    DynamicAPInt most = floorDiv(magnitude(x), divisor);
    bool isPositive = x.low >= 0 && y.low >= 0;
    return Interval{isPositive ? zero : -most, most};
  }
  if (name == "remainder") {
    DynamicAPInt most = greatest(magnitude(y) - 1, zero);
    return Interval{x.low >= 0 ? zero : -least(most, abs(x.low)),
                    x.high <= 0 ? zero : least(most, x.high)};
  }
  if (name == "logical_left_shift") {
    bool isInside = y.low >= 0 && y.high < width;
    Interval found = product(
        x, {powerOfTwo(static_cast<unsigned>(
                int64_t(least(greatest(y.low, zero), DynamicAPInt(width))))),
            powerOfTwo(static_cast<unsigned>(
                int64_t(least(greatest(y.high, zero), DynamicAPInt(width)))))});
    return isInside ? found : join(found, {zero, zero});
  }
  if (name == "right_shift" || name == "logical_right_shift") {
    bool isInside = y.low >= 0 && y.high < width;
    int64_t fewest = isInside ? int64_t(y.low) : 0;
    int64_t most = isInside ? int64_t(y.high) : width;
    if (name == "logical_right_shift" && x.low < 0)
      return Interval{zero, powerOfTwo(width - fewest) - 1};
    return Interval{least(shifted(x.low, fewest), shifted(x.low, most)),
                    greatest(shifted(x.high, fewest), shifted(x.high, most))};
  }
  return std::nullopt;
}

std::optional<Interval> IntegerRanges::transferReduction(Operation *op) {
  SmallVector<Value> inputs = getReadOperands(op);
  if (auto argMax = dyn_cast<ArgMaxOp>(op))
    return placesOf(countOf(argMax.getInput()) /
                    std::max<int64_t>(countOf(argMax.getResult()), 1));
  if (isa<ArgSortOp>(op))
    return placesOf(extentOf(inputs[0], cast<ArgSortOp>(op).getDim()));
  if (isa<ReduceAndOp, ReduceOrOp>(op))
    return Interval{DynamicAPInt(0), DynamicAPInt(1)};
  for (Value input : inputs)
    if (!isCounted(input.getType()))
      return std::nullopt;
  if (inputs.empty())
    return std::nullopt;
  Interval x = get(inputs[0]), zero{DynamicAPInt(0), DynamicAPInt(0)};
  int64_t count =
      countOf(inputs[0]) / std::max<int64_t>(countOf(op->getResult(0)), 1);
  if (isa<SumOp>(op))
    return times(x, count);
  if (isa<ProdOp>(op))
    return power(x, count);
  if (isa<MaxOp, MinOp, CumMaxOp, CumMinOp, MaxPool2dOp>(op))
    return x;
  if (auto running = dyn_cast<CumSumOp>(op))
    return join(x, times(x, extentOf(inputs[0], running.getDim())));
  if (auto running = dyn_cast<CumProdOp>(op))
    return power(x, extentOf(inputs[0], running.getDim()));
  if (isa<MatmulOp, LinearOp>(op)) {
    bool isTurned = isa<MatmulOp>(op) ? cast<MatmulOp>(op).getTransposeA()
                                      : cast<LinearOp>(op).getTransposeA();
    int64_t rank = cast<RankedTensorType>(inputs[0].getType()).getRank();
    int64_t depth = extentOf(inputs[0], isTurned && rank > 1 ? -2 : -1);
    Interval found = times(product(x, get(inputs[1])), depth);
    return inputs.size() > 2 ? sum(found, get(inputs[2])) : found;
  }
  if (std::optional<ReduceType> type = getScatterType(op)) {
    Interval updates = get(inputs[2]);
    // All updates may be of one place.
    if (type == ReduceType::Sum)
      return sum(x, join(zero, times(updates, countOf(inputs[2]))));
    if (type != ReduceType::Prod)
      return join(x, updates);
  }
  return std::nullopt;
}

} // namespace mlir::tt::ttir
