#include "conversion/TodayToTTIR/Call.h"

#include "conversion/TodayToTTIR/Rules.h"
#include "dialects/TT/CollectiveInterface.h"
#include "dialects/TTIR/TTIR.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::today;

static bool isEmpty(Value value) {
  Operation *op = value.getDefiningOp();
  return op && (op->getName().getStringRef() == "ttir.empty" ||
                op->getName().getStringRef() == "tensor.empty");
}

ArrayRef<Value> Call::slot(StringRef name) const {
  for (auto [index, slot] : llvm::enumerate(row.operands))
    if (slot.name == name)
      return operands[index];
  return {};
}

LogicalResult Call::bind(function_ref<Value(Value)> now) {
  return failure(failed(bindResults()) || failed(bindAttributes()) ||
                 failed(bindOperands(now)));
}

LogicalResult Call::bindResults() {
  size_t needed = 0;
  bool any = false;
  for (const Slot &slot : row.results) {
    needed += !slot.isOptional && !slot.isVariadic;
    any |= slot.isVariadic;
  }
  // An op that changes an operand may give it back.
  size_t most = any                   ? old->getNumResults()
                : row.results.empty() ? 1
                                      : row.results.size();
  if (old->getNumResults() < needed || old->getNumResults() > most)
    return refuse(llvm::formatv("expected {0} results, found {1}", needed,
                                old->getNumResults())
                      .str());
  for (Type type : old->getResultTypes()) {
    types.push_back(import.tensor(type));
    if (!types.back())
      return refuse("the type of a result is not supported: " + show(type));
  }
  return success();
}

LogicalResult Call::bindOperands(function_ref<Value(Value)> now) {
  SmallVector<Value> values(old->getOperands());
  ArrayRef<Slot> slots = row.operands;
  operands.resize(slots.size());
  size_t needed = 0, most = 0;
  bool any = false;
  for (const Slot &slot : slots) {
    if (slot.isDestination)
      continue;
    needed += !slot.isOptional && !slot.isVariadic;
    most += !slot.isVariadic;
    any |= slot.isVariadic;
  }
  SmallVector<SmallVector<Value>> groups;
  auto sizes = old->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  if (auto properties =
          dyn_cast_or_null<DictionaryAttr>(old->getPropertiesAsAttribute()))
    if (auto inherent =
            properties.getAs<DenseI32ArrayAttr>("operandSegmentSizes"))
      sizes = inherent;
  if (sizes) {
    size_t next = 0;
    for (int32_t size : sizes.asArrayRef()) {
      if (size < 0 || static_cast<size_t>(size) > values.size() - next)
        return refuse("operandSegmentSizes name more operands than there are");
      groups.emplace_back(values.begin() + next, values.begin() + next + size);
      next += size;
    }
    if (next != values.size())
      return refuse("operandSegmentSizes name less operands than there are");
  }
  // One group for each slot, maybe a last one of destinations.
  bool isBySlot = sizes && (groups.size() == slots.size() ||
                            groups.size() == slots.size() + 1);
  if (isBySlot && groups.size() == 2 && slots.size() == 2 && !any &&
      (groups[0].size() > 1 || (!values.empty() && isEmpty(values.back()))))
    isBySlot = false; // {inputs, outputs}
  if (isBySlot) {
    for (auto [index, slot] : llvm::enumerate(slots)) {
      size_t size = groups[index].size();
      if (!slot.isVariadic && !slot.isDestination &&
          (size > 1 || (size == 0 && !slot.isOptional)))
        return refuse(llvm::formatv("expected {0} operand '{1}', found {2}",
                                    slot.isOptional ? "at most one" : "one",
                                    slot.name, size)
                          .str());
      if (!slot.isDestination)
        operands[index] = groups[index];
    }
  } else {
    // Destinations come last: as many as there are results, of their types.
    size_t results = old->getNumResults();
    bool fits = results > 0 && values.size() >= results;
    bool made = fits;
    for (size_t i = 0; fits && i < results; ++i) {
      Value last = values[values.size() - results + i];
      fits = last.getType() == old->getResult(i).getType();
      made = made && isEmpty(last);
    }
    bool stated = sizes && groups.size() == 2 && groups[1].size() == results;
    // Destinations of the table's own, in the middle of optional operands, are
    // named by segments.
    if (fits && (made || stated || (!any && values.size() > most)) &&
        (any || values.size() - results >= needed))
      values.resize(values.size() - results);
    if (values.size() < needed || (!any && values.size() > most)) {
      std::string expected =
          any              ? llvm::formatv("at least {0}", needed).str()
          : needed == most ? std::to_string(needed)
                           : llvm::formatv("{0} to {1}", needed, most).str();
      return refuse(llvm::formatv("expected {0} operands, found {1}", expected,
                                  values.size())
                        .str());
    }
    size_t spare = values.size() - needed, next = 0;
    for (auto [index, slot] : llvm::enumerate(slots)) {
      if (slot.isDestination)
        continue;
      size_t size = slot.isVariadic   ? spare
                    : slot.isOptional ? std::min<size_t>(spare, 1)
                                      : 1;
      if (slot.isVariadic || slot.isOptional)
        spare -= size;
      operands[index].append(values.begin() + next,
                             values.begin() + next + size);
      next += size;
    }
  }
  given = operands;
  for (SmallVector<Value> &group : operands)
    for (Value &value : group) {
      Value made = now(value);
      if (!made || !isa<RankedTensorType>(made.getType()))
        return refuse("expected tensors, found an operand of " +
                      show(value.getType()));
      value = made;
    }
  if (types.empty())
    for (auto [index, slot] : llvm::enumerate(slots))
      if (slot.isChanged && !operands[index].empty())
        types.push_back(
            cast<RankedTensorType>(operands[index].front().getType()));
  return success();
}

LogicalResult Call::give(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() != types.front().getShape())
    return refuse("its result is " + show(type) + ", and the program says " +
                  show(types.front()));
  results.assign(1, builder.cast(value, types.front().getElementType()));
  return success();
}

Value Call::reshape(Value value, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  auto wanted = RankedTensorType::get(shape, type.getElementType());
  if (wanted.getNumElements() != type.getNumElements()) {
    (void)refuse("expected as many elements as " + show(wanted) +
                 " has, found " + show(type));
    return nullptr;
  }
  return builder.reshape(value, shape);
}

FailureOr<int64_t> Call::dimension(StringRef name, RankedTensorType type) {
  int64_t dim = integer(name), rank = type.getRank();
  if (dim < -rank || dim >= rank) {
    (void)refuse(llvm::formatv("{0}: expected a dimension of a tensor of rank "
                               "{1}, found {2}",
                               name, rank, dim)
                     .str());
    return failure();
  }
  return dim < 0 ? dim + rank : dim;
}

LogicalResult Call::carry(ArrayRef<NamedAttribute> own, StringRef target) {
  MLIRContext *context = import.getContext();
  OpBuilder &ops = builder.getBuilder();
  if (target.empty())
    target = row.target;
  OperationName name(("ttir." + target).str(), context);
  if (!name.isRegistered())
    return refuse("there is no 'ttir." + target + "' in this version");
  ArrayRef<StringAttr> names = name.getAttributeNames();
  auto knows = [&](StringRef attribute) {
    return llvm::any_of(
        names, [&](StringAttr name) { return name.getValue() == attribute; });
  };
  OperationState state(builder.getLoc(), name);
  if (own.empty()) {
    for (const Parameter &parameter : row.attributes) {
      Attribute value = attributes.lookup(parameter.name);
      if (!value || llvm::is_contained(row.ignored, parameter.name))
        continue;
      if (!knows(parameter.name)) {
        // Nothing is lost of a default.
        if (!llvm::is_contained(stated, parameter.name) ||
            (parameter.hasDefault && value == parseDefault(parameter, ops)))
          continue;
        return refuse("attribute '" + parameter.name +
                      "' is not supported: expected it at its default or not "
                      "at all, found " +
                      show(value));
      }
      if (parameter.kind == Kind::Enumeration) {
        StringRef text = cast<StringAttr>(value).getValue();
        std::optional<ReduceType> type = symbolizeReduceType(text);
        if (!type || !parameter.kindName.ends_with("reduce_type"))
          return refuse("attribute '" + parameter.name +
                        "' is not supported: found " + text);
        value = ReduceTypeAttr::get(context, *type);
      }
      state.addAttribute(parameter.name, value);
    }
  } else {
    state.addAttributes(own);
  }
  SmallVector<int32_t> segments;
  for (auto [slot, values] : llvm::zip_equal(row.operands, operands)) {
    if (slot.isDestination)
      continue;
    state.addOperands(values);
    segments.push_back(values.size());
  }
  if (name.hasInterface<DestinationStyleOpInterface>())
    for (RankedTensorType type : types)
      state.addOperands(tensor::EmptyOp::create(ops, builder.getLoc(),
                                                type.getShape(),
                                                type.getElementType())
                            .getResult());
  state.addTypes(SmallVector<Type>(types.begin(), types.end()));
  int32_t destinations = types.size();
  if (name.hasTrait<OpTrait::AttrSizedOperandSegments>()) {
    // Elementwise ops and collectives have one segment of inputs.
    if (name.hasInterface<ttir::TTIR_ElementwiseOpInterface>() ||
        name.hasInterface<CollectiveOpInterface>())
      segments = {static_cast<int32_t>(state.operands.size()) - destinations};
    segments.append(absentOperands, 0);
    segments.push_back(destinations);
    state.addAttribute("operandSegmentSizes",
                       ops.getDenseI32ArrayAttr(segments));
  }
  if (knows("operand_constraints")) {
    Attribute anywhere =
        OperandConstraintAttr::get(context, OperandConstraint::AnyDeviceTile);
    state.addAttribute("operand_constraints",
                       ops.getArrayAttr(SmallVector<Attribute>(
                           state.operands.size(), anywhere)));
  }
  Operation *made = ops.create(state);
  results.assign(made->result_begin(), made->result_end());
  return success();
}

LogicalResult rules::carry(Call &call) { return call.carry(); }
