#include "dialects/TTIR/Transforms/LayoutPropagation.h"

#include "dialects/TT/TileLayout.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Padding.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/IR/Remarks.h"

namespace mlir::tt::ttir {

//===----------------------------------------------------------------------===//
// Decisions for people
//===----------------------------------------------------------------------===//

std::string describe(LayoutAttr layout) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(layout.getGrid().getShape(), os, "x");
  os << ':' << stringifyEnum(layout.getMemorySpace()) << ':'
     << stringifyEnum(layout.getMemLayout())
     << (layout.isTiled() ? ":tile" : ":row_major");
  return text;
}

std::string describe(const LayoutState &state) {
  return state.isPlaced() ? describe(state.place) : "dram";
}

void reportDecision(Operation *op, StringRef name, const Twine &reason,
                    bool isMet) {
  if (!op->getContext()->getRemarkEngine())
    return;
  auto func = op->getParentOfType<func::FuncOp>();
  auto options = remark::RemarkOpts::name(name)
                     .category("ttir-propagate-layout")
                     .function(func ? func.getName() : StringRef());
  (isMet ? remark::passed(op->getLoc(), options)
         : remark::missed(op->getLoc(), options))
      << remark::metric("Op", op->getName().getStringRef().str())
      << remark::reason("{0}", reason.str());
}

//===----------------------------------------------------------------------===//
// Layouts and places
//===----------------------------------------------------------------------===//

static RankedTensorType getTensorType(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

static LayoutAttr getLayoutOf(RankedTensorType type) {
  return type ? dyn_cast_if_present<LayoutAttr>(type.getEncoding())
              : LayoutAttr();
}

/// The layout with other elements; tiles keep their extents.
static LayoutAttr withFormat(LayoutAttr layout, Type scalar, DataType format) {
  auto tile = dyn_cast<TileType>(layout.getElementType());
  return layout.withElementType(
      tile ? Type(TileType::get(layout.getContext(),
                                {tile.getHeight(), tile.getWidth()}, format))
           : scalar);
}

static LayoutAttr getPlace(LayoutAttr layout) {
  layout = withFormat(layout, Float32Type::get(layout.getContext()),
                      DataType::Float32);
  return LayoutAttr::get(layout.getContext(), layout.getLinear(), OOBVal::Undef,
                         layout.getGrid(), layout.getMemref(),
                         layout.getMemLayout());
}

/// The layout of a tensor of `type` at `place`. Tiles on the device keep their
/// number format. Null if there is no format for the elements.
static LayoutAttr getLayoutAt(LayoutAttr place, RankedTensorType type) {
  Type elementType = type.getElementType();
  std::optional<DataType> format = elementTypeToDataType(elementType);
  if (!format)
    return {};
  LayoutAttr current = getLayoutOf(type);
  if (current && current.isDeviceMemorySpace())
    if (auto tile = dyn_cast<TileType>(current.getElementType()))
      format = tile.getDataType();
  return withFormat(place, elementType, *format);
}

/// Whether the op makes a tensor of given elements.
static bool makesElements(Operation *op) {
  return isCreation(op) || isa_and_nonnull<FillOp>(op);
}

static bool isCollective(Operation *op) {
  return isa<AllGatherOp, ReduceScatterOp, AllReduceOp, CollectivePermuteOp,
             MeshPartitionOp, AllToAllOp, CollectiveBroadcastOp, MeshShardOp>(
      op);
}

bool LayoutPropagation::isCarried(LayoutAttr layout) const {
  return layout.getMemorySpace() == MemorySpace::DeviceL1 &&
         layout.getMemLayout() != TensorMemoryLayout::None &&
         (!kernels || isShardedInL1(layout));
}

static std::optional<OperandConstraint> getConstraint(OpOperand &operand) {
  auto op = dyn_cast<TTIROp>(operand.getOwner());
  ArrayAttr constraints = op ? op.getOperandConstraints() : ArrayAttr();
  if (!constraints || constraints.size() <= operand.getOperandNumber())
    return std::nullopt;
  return cast<OperandConstraintAttr>(constraints[operand.getOperandNumber()])
      .getValue();
}

bool LayoutPropagation::mayLie(OpOperand &operand, LayoutAttr layout) const {
  std::optional<OperandConstraint> constraint = getConstraint(operand);
  if (!constraint || !allows(*constraint, layout))
    return false;
  if (!kernels)
    return true;
  // Kernels read pages of shards that are inside of the device's grid: tiles,
  // of which every matrix has its own.
  RankedTensorType type = getTensorType(operand.get());
  auto tile = dyn_cast<TileType>(layout.getElementType());
  return tile && type.getRank() >= 2 && layout.getGrid().getRank() == 2 &&
         fitsDevice(device, layout.getGrid(),
                    TensorMemoryLayout::BlockSharded) &&
         layout.getLinear() == getTilePaddedMap(type.getContext(),
                                                type.getShape(),
                                                tile.getHeight());
}

bool LayoutPropagation::isConflict(OpOperand &operand) const {
  LayoutAttr layout = wanted.lookup(&operand);
  LayoutState state = states.lookup(operand.get());
  return layout && state.isSet() &&
         !(state.isPlaced() && state.place == getPlace(layout));
}

LayoutAttr LayoutPropagation::getReadLayout(OpOperand &operand) const {
  Value value = operand.get();
  if (!states.lookup(value).isPlaced() || isCollective(operand.getOwner()))
    return {};
  LayoutAttr layout = anchors.contains(value)
                          ? getLayoutOf(getTensorType(value))
                          : getNewLayout(value.getDefiningOp());
  if (!layout || !mayLie(operand, layout))
    return {};
  OOBVal padding = getRequiredPadding(operand);
  bool isPadded =
      !kernels || padding == OOBVal::Undef || padding == layout.getOobVal();
  return isPadded ? layout : LayoutAttr();
}

//===----------------------------------------------------------------------===//
// Elementwise ops
//===----------------------------------------------------------------------===//

/// Whether the input `index` of a region is read for a choice alone.
static bool isConditionIn(Block &region, unsigned index) {
  auto uses = region.getArgument(index).getUses();
  return !uses.empty() && llvm::all_of(uses, [](OpOperand &use) {
    return isa<WhereOp>(use.getOwner()) && use.getOperandNumber() == 0;
  });
}

/// Whether the op computes every element of its only result from those at that
/// place of its inputs.
static bool isElementwise(Operation *op) {
  if (isa<TTIR_ElementwiseOpInterface>(op))
    return true;
  auto generic = dyn_cast<GenericOp>(op);
  return generic && generic.getOutputs().size() == 1 &&
         generic.getRegion().hasOneBlock() &&
         generic.getIndexingMaps().size() == generic->getNumOperands() &&
         llvm::all_of(generic.getIteratorTypes().getAsRange<IteratorTypeAttr>(),
                      [](IteratorTypeAttr type) {
                        return type.getValue() == IteratorType::Parallel;
                      });
}

/// The inputs of an elementwise op that have to lie where its result does:
/// neither conditions nor what is broadcast.
static SmallVector<OpOperand *> getAligned(Operation *op) {
  SmallVector<OpOperand *> aligned;
  ArrayRef<int64_t> shape = getTensorType(op->getResult(0)).getShape();
  auto generic = dyn_cast<GenericOp>(op);
  for (OpOperand *input :
       cast<DestinationStyleOpInterface>(op).getDpsInputOperands()) {
    RankedTensorType type = getTensorType(input->get());
    unsigned index = input->getOperandNumber();
    bool isCondition =
        (isa<WhereOp>(op) && index == 0) ||
        (generic && isConditionIn(generic.getRegion().front(), index));
    if (type && type.getShape() == shape && !isCondition)
      aligned.push_back(input);
  }
  return aligned;
}

/// Whether the result of `op` may be given another layout.
static bool isMovable(Operation *op) {
  if (op->getNumResults() != 1 || !getTensorType(op->getResult(0)))
    return false;
  if (isa<GenericOp>(op))
    return isElementwise(op);
  return isa<TTIROp>(op) && isa<DestinationStyleOpInterface>(op) &&
         !isa<ToLayoutOp, KernelOp>(op) && !makesElements(op) &&
         !isCollective(op);
}

bool LayoutPropagation::mayWrite(Operation *op, LayoutAttr place) {
  auto dps = cast<DestinationStyleOpInterface>(op);
  if (dps.getNumDpsInits() != 1)
    return false;
  RankedTensorType type = getTensorType(op->getResult(0));
  auto plain = RankedTensorType::get(type.getShape(), type.getElementType());
  LayoutAttr layout = getLayoutAt(place, plain);
  if (!layout || !mayLie(*dps.getDpsInitOperand(0), layout)) {
    reportDecision(op, "NotAllowed",
                   "the result does not go to " + describe(place) +
                       ", which the op cannot write",
                   /*isMet=*/false);
    return false;
  }
  uint64_t bytes =
      device.getLayoutSizeBytes(type.getShape(), layout, MemorySpace::DeviceL1);
  if (budget.fits(bytes, bytes))
    return true;
  reportDecision(op, "NoRoom",
                 "the result does not go to " + describe(place) + ", where " +
                     Twine(bytes) +
                     " bytes of it and of an input are too many "
                     "for a core's L1",
                 /*isMet=*/false);
  return false;
}

//===----------------------------------------------------------------------===//
// Anchors
//===----------------------------------------------------------------------===//

LogicalResult LayoutPropagation::checkGrid(Operation *op,
                                           LayoutAttr layout) const {
  if (fitsDevice(device, layout.getGrid(), layout.getMemLayout()))
    return success();
  return op->emitError("places a tensor on the grid ")
         << layout.getGrid()
         << " that is not on the device: expected one inside "
         << GridAttr::get(op->getContext(), device.getWorkerGrid().getShape());
}

LogicalResult LayoutPropagation::anchor(Operation *op, Value value) {
  LayoutAttr layout = getLayoutOf(getTensorType(value));
  anchors.insert(value);
  if (!layout || layout.isSystemMemorySpace())
    return success();
  if (!isCarried(layout)) {
    states[value] = {LayoutState::Kind::Default, {}};
    return success();
  }
  if (failed(checkGrid(op, layout)))
    return failure();
  states[value] = {LayoutState::Kind::Placed, getPlace(layout)};
  reportDecision(op, "Anchor",
                 (isa<func::FuncOp>(op) ? "an argument is in " : "stays, to ") +
                     describe(layout));
  return success();
}

LogicalResult LayoutPropagation::anchorSignature(func::FuncOp func) {
  for (Value argument : func.getArguments())
    if (failed(anchor(func, argument)))
      return failure();
  for (Type type : func.getResultTypes())
    if (LayoutAttr layout = getLayoutOf(dyn_cast<RankedTensorType>(type)))
      if (isCarried(layout) && failed(checkGrid(func, layout)))
        return failure();
  return success();
}

LogicalResult LayoutPropagation::addAnchors() {
  WalkResult result = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    order[op] = ops.size();
    ops.push_back(op);
    if (auto func = dyn_cast<func::FuncOp>(op)) {
      if (failed(anchorSignature(func)))
        return WalkResult::interrupt();
    } else if (auto move = dyn_cast<ToLayoutOp>(op)) {
      if (failed(anchor(move, move.getResult())))
        return WalkResult::interrupt();
    }
    // The region of a generic op works on shards, which have no layout.
    return isa<GenericOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Forward, then backward
//===----------------------------------------------------------------------===//

void LayoutPropagation::carryForward(Operation *op) {
  if (!isElementwise(op) || !isMovable(op))
    return;
  OpOperand *first = nullptr;
  for (OpOperand *input : getAligned(op)) {
    LayoutState state = states.lookup(input->get());
    if (!state.isSet())
      continue;
    if (!first) {
      first = input;
      continue;
    }
    if (LayoutState known = states.lookup(first->get()); state != known)
      return reportDecision(
          op, "Disagree",
          "inputs disagree: " + Twine(first->getOperandNumber()) + " is in " +
              describe(known) + ", " + Twine(input->getOperandNumber()) +
              " in " + describe(state),
          /*isMet=*/false);
  }
  if (!first)
    return;
  LayoutState state = states.lookup(first->get());
  if (state.isPlaced() && !mayWrite(op, state.place))
    state = {LayoutState::Kind::Default, {}};
  states[op->getResult(0)] = state;
  if (state.isPlaced())
    reportDecision(op, "Forward",
                   "the result goes to " + describe(state) + ", as input " +
                       Twine(first->getOperandNumber()));
}

OpOperand *LayoutPropagation::findDemand(Operation *op) const {
  OpOperand *first = nullptr;
  auto getOrder = [&](OpOperand *use) {
    return std::pair(order.lookup(use->getOwner()), use->getOperandNumber());
  };
  for (OpOperand &use : op->getResult(0).getUses())
    if (LayoutAttr layout = wanted.lookup(&use); layout && isCarried(layout))
      if (!first || getOrder(&use) < getOrder(first))
        first = &use;
  return first;
}

void LayoutPropagation::chooseResult(Operation *op) {
  LayoutState &state = states[op->getResult(0)];
  if (OpOperand *use = findDemand(op)) {
    LayoutAttr place = getPlace(wanted.lookup(use));
    if (mayWrite(op, place)) {
      state = {LayoutState::Kind::Placed, place};
      return reportDecision(
          op, "Backward",
          "the result goes to " + describe(place) + ", where '" +
              use->getOwner()->getName().getStringRef() + "' wants it");
    }
  }
  if (!isElementwise(op))
    return;
  // Inputs that disagree: the first one that is placed has its way.
  for (OpOperand *input : getAligned(op)) {
    LayoutState found = states.lookup(input->get());
    if (!found.isPlaced() || !mayWrite(op, found.place))
      continue;
    state = found;
    return reportDecision(op, "Tie",
                          "the result goes to " + describe(found) +
                              ", as input " + Twine(input->getOperandNumber()));
  }
}

void LayoutPropagation::enforceResults(func::ReturnOp op) {
  auto func = op->getParentOfType<func::FuncOp>();
  for (auto [operand, type] :
       llvm::zip(op->getOpOperands(), func.getResultTypes())) {
    LayoutAttr layout = getLayoutOf(dyn_cast<RankedTensorType>(type));
    if (layout && isCarried(layout))
      wanted[&operand] = layout;
  }
}

void LayoutPropagation::enforceBackward(Operation *op) {
  if (auto returnOp = dyn_cast<func::ReturnOp>(op))
    return enforceResults(returnOp);
  if (auto move = dyn_cast<ToLayoutOp>(op)) {
    // What is computed stays where it is until the author moves it.
    if (makesElements(move.getInput().getDefiningOp()))
      wanted[&move.getInputMutable()] = getLayoutOf(move.getType());
    return;
  }
  if (!isMovable(op))
    return;
  if (!states.lookup(op->getResult(0)).isSet())
    chooseResult(op);
  LayoutState state = states.lookup(op->getResult(0));
  if (!state.isPlaced() || !isElementwise(op))
    return;
  for (OpOperand *input : getAligned(op)) {
    LayoutState found = states.lookup(input->get());
    LayoutAttr layout = getLayoutAt(state.place, getTensorType(input->get()));
    if (found == state || !layout || !mayLie(*input, layout))
      continue;
    wanted[input] = layout;
  }
}

LogicalResult LayoutPropagation::run() {
  if (failed(addAnchors()))
    return failure();
  for (Operation *op : ops)
    carryForward(op);
  for (Operation *op : llvm::reverse(ops))
    enforceBackward(op);
  return success();
}

LayoutAttr LayoutPropagation::getNewLayout(Operation *op) const {
  if (!isMovable(op))
    return {};
  LayoutState state = states.lookup(op->getResult(0));
  if (!state.isPlaced())
    return {};
  RankedTensorType type = getTensorType(op->getResult(0));
  return getLayoutAt(state.place, RankedTensorType::get(type.getShape(),
                                                        type.getElementType()));
}

} // namespace mlir::tt::ttir
