#include "dialects/TTIR/Transforms/Layout/PlacementAnalysis.h"

#include "dialects/TT/TTOps.h"
#include "dialects/TT/TileLayout.h"
#include "dialects/TTIR/Transforms/Layout/Padding.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

namespace mlir::tt::ttir {

/// Whether an earlier run of the pass has decided about the op.
static bool isDecided(Operation *op) {
  return op->hasAttr(kPlacedOperands) && !isa<ToLayoutOp>(op);
}

static constexpr char kNoRoom[] =
    "{0} does not go to {1}: {2} bytes of it beside {3} are too many for a "
    "core's L1";

//===----------------------------------------------------------------------===//
// Layouts that ops can take
//===----------------------------------------------------------------------===//

bool PlacementAnalysis::isCarried(LayoutAttr layout) const {
  return layout.getMemorySpace() == MemorySpace::DeviceL1 &&
         layout.getMemLayout() != TensorMemoryLayout::None;
}

bool PlacementAnalysis::canHaveLayout(OpOperand &operand,
                                      LayoutAttr layout) const {
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

bool PlacementAnalysis::isConflict(OpOperand &operand) const {
  LayoutAttr layout = getDemand(operand).layout;
  LayoutState state = states.lookup(operand.get());
  return layout && state.isSet() && !getRematerializableOp(operand, layout) &&
         !(state.isPlaced() && state.place == getPlace(layout));
}

LayoutAttr PlacementAnalysis::getReadLayout(OpOperand &operand) const {
  Value value = operand.get();
  if (!states.lookup(value).isPlaced() ||
      isa<CollectiveOpInterface>(operand.getOwner()))
    return {};
  LayoutAttr layout = anchors.contains(value)
                          ? getLayoutOf(value.getType())
                          : getNewLayout(value.getDefiningOp());
  if (!layout || !canHaveLayout(operand, layout))
    return {};
  OOBVal padding = getRequiredPadding(operand);
  bool isPadded =
      !kernels || padding == OOBVal::Undef || padding == layout.getOobVal();
  return isPadded ? layout : LayoutAttr();
}

LayoutAttr PlacementAnalysis::getNewLayout(Operation *op) const {
  if (!isMovable(op))
    return {};
  LayoutState state = states.lookup(op->getResult(0));
  if (!state.isPlaced())
    return {};
  RankedTensorType type = getTensorType(op->getResult(0));
  return getLayoutAt(state.place, RankedTensorType::get(type.getShape(),
                                                        type.getElementType()));
}

Operation *PlacementAnalysis::getRematerializableOp(Value value) const {
  Operation *op = value.getDefiningOp();
  return isRematerializable(op) ? op : makers.lookup(value);
}

Operation *PlacementAnalysis::getRematerializableOp(OpOperand &use,
                                                    LayoutAttr layout) const {
  auto type = cast<RankedTensorType>(use.get().getType());
  auto read =
      RankedTensorType::get(type.getShape(), type.getElementType(), layout);
  return canRematerialize(type, read) ? getRematerializableOp(use.get())
                                      : nullptr;
}

void PlacementAnalysis::reportOutOfMemory(OpOperand &use,
                                          LayoutAttr layout) const {
  Operation *op = use.getOwner();
  if (auto remark = kPropagationRemarks.missed(op, "NoRoom"))
    remark << reason(kNoRoom, ("input " + Twine(use.getOperandNumber())).str(),
                     describe(layout),
                     room.getBytes(getTensorType(use.get()), layout),
                     room.getTaken(room.getStep(op), room.getLastStep(op)));
}

// ===----------------------------------------------------------------------===//
// Anchors of the program
// ===----------------------------------------------------------------------===//

/// An error if the device has no such grid. Kernels find shards by row and
/// column: for them a line is no longer than a side of the device.
static LogicalResult checkGrid(Operation *op, DeviceAttr device,
                               LayoutAttr layout, bool kernels) {
  if (fitsDevice(device, layout.getGrid(),
                 kernels ? TensorMemoryLayout::BlockSharded
                         : layout.getMemLayout()))
    return success();
  auto cores =
      GridAttr::get(op->getContext(), device.getWorkerGrid().getShape());
  if (kernels && fitsDevice(device, layout.getGrid(), layout.getMemLayout()))
    return op->emitError("places a tensor on ")
           << layout.getGrid()
           << ", a line of cores that the library takes and kernels do not: "
              "they find shards by row and column, expected a grid inside "
           << cores;
  return op->emitError("places a tensor on the grid ")
         << layout.getGrid()
         << " that is not on the device: expected one inside " << cores;
}

LogicalResult PlacementAnalysis::checkPlace(Operation *op,
                                            RankedTensorType type) const {
  LayoutAttr layout = getLayoutOf(type);
  if (failed(checkGrid(op, device, layout, kernels)))
    return failure();
  uint64_t bytes = room.getBytes(type, layout);
  if (bytes > room.getUsableBytes())
    return op->emitError("places ")
           << bytes << " bytes of a tensor in the L1 of each core of the grid "
           << layout.getGrid() << ": expected at most " << room.getUsableBytes()
           << ", found " << type;
  return success();
}

LogicalResult PlacementAnalysis::anchor(Operation *op, Value value) {
  LayoutAttr layout = getLayoutOf(value.getType());
  anchors.insert(value);
  if (!layout || layout.isSystemMemorySpace())
    return success();
  if (failed(checkGrid(op, device, layout, kernels)))
    return failure();
  if (!isCarried(layout)) {
    states[value] = {LayoutState::Kind::Default, {}};
    return success();
  }
  if (failed(checkPlace(op, getTensorType(value))))
    return failure();
  states[value] = {LayoutState::Kind::Placed, getPlace(layout)};
  if (auto remark = kPropagationRemarks.passed(op, "Anchor"))
    remark << reason(
        "{0}{1}", isa<func::FuncOp>(op) ? "an argument is in " : "stays, to ",
        describe(layout));
  return success();
}

void PlacementAnalysis::followElements(ToLayoutOp move) {
  Operation *maker = getRematerializableOp(move.getInput());
  auto from = cast<RankedTensorType>(move.getInput().getType());
  if (maker && canRematerialize(from, move.getType()))
    makers[move.getResult()] = maker;
}

LogicalResult PlacementAnalysis::visit(Operation *op) {
  if (auto func = dyn_cast<func::FuncOp>(op)) {
    for (Value argument : func.getArguments())
      if (failed(anchor(func, argument)))
        return failure();
    for (Type type : func.getResultTypes())
      if (LayoutAttr layout = getLayoutOf(type); layout && isCarried(layout))
        if (failed(checkPlace(func, cast<RankedTensorType>(type))))
          return failure();
    return success();
  }
  if (auto move = dyn_cast<ToLayoutOp>(op)) {
    followElements(move);
    return anchor(move, move.getResult());
  }
  if (isControlFlow(op))
    for (Value result : op->getResults())
      if (failed(anchor(op, result)))
        return failure();
  if (isDecided(op) && isMovable(op) && hasPlacedResult(op)) {
    auto dps = cast<DestinationStyleOpInterface>(op);
    LayoutAttr layout =
        getPlacedOperand(op, dps.getDpsInitOperand(0)->getOperandNumber());
    states[op->getResult(0)] = {LayoutState::Kind::Placed, getPlace(layout)};
  }
  return success();
}

void PlacementAnalysis::holdAnchors() {
  room.reset(ops);
  for (auto [value, state] : states) {
    RankedTensorType type = getTensorType(value);
    LayoutAttr layout =
        state.isPlaced() ? getLayoutAt(state.place, type) : LayoutAttr();
    if (layout)
      room.take(room.getFirstStep(value), room.getLastStep(value),
                room.getBytes(type, layout));
  }
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

bool PlacementAnalysis::tryPlace(Operation *op, LayoutAttr place) {
  auto dps = cast<DestinationStyleOpInterface>(op);
  if (dps.getNumDpsInits() != 1)
    return false;
  Value result = op->getResult(0);
  RankedTensorType type = getTensorType(result);
  auto plain = RankedTensorType::get(type.getShape(), type.getElementType());
  LayoutAttr layout = getLayoutAt(place, plain);
  if (!layout || !canHaveLayout(*dps.getDpsInitOperand(0), layout)) {
    if (auto remark = kPropagationRemarks.missed(op, "NotAllowed"))
      remark << reason("the result does not go to {0}, which the op cannot "
                       "write",
                       describe(place));
    return false;
  }
  unsigned first = room.getFirstStep(result), last = room.getLastStep(result);
  int64_t bytes = room.getBytes(type, layout);
  if (!room.has(first, last, bytes)) {
    if (auto remark = kPropagationRemarks.missed(op, "NoRoom"))
      remark << reason(kNoRoom, "the result", describe(place), bytes,
                       room.getTaken(first, last));
    return false;
  }
  room.take(first, last, bytes);
  states[result] = {LayoutState::Kind::Placed, place};
  return true;
}

void PlacementAnalysis::carryForward(Operation *op) {
  if (!isElementwise(op) || !isMovable(op) || isDecided(op))
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
    if (LayoutState known = states.lookup(first->get()); state != known) {
      if (auto remark = kPropagationRemarks.missed(op, "Disagree"))
        remark << reason("inputs disagree: {0} is in {1}, {2} in {3}",
                         first->getOperandNumber(), describe(known),
                         input->getOperandNumber(), describe(state));
      return;
    }
  }
  if (!first)
    return;
  LayoutState state = states.lookup(first->get());
  if (!state.isPlaced() || !tryPlace(op, state.place)) {
    states[op->getResult(0)] = {LayoutState::Kind::Default, {}};
    return;
  }
  if (auto remark = kPropagationRemarks.passed(op, "Forward"))
    remark << reason("the result goes to {0}, as input {1}", describe(state),
                     first->getOperandNumber());
}

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

OpOperand *PlacementAnalysis::findDemand(Operation *op) const {
  OpOperand *first = nullptr;
  auto getOrder = [&](OpOperand *use) {
    return std::pair(room.getStep(use->getOwner()), use->getOperandNumber());
  };
  for (OpOperand &use : op->getResult(0).getUses())
    if (LayoutAttr layout = getDemand(use).layout; layout && isCarried(layout))
      if (!first || getOrder(&use) < getOrder(first))
        first = &use;
  return first;
}

void PlacementAnalysis::chooseResult(Operation *op) {
  if (OpOperand *wanted = findDemand(op)) {
    // A result that is written there needs no L1 for conversions in front of
    // its readers.
    RankedTensorType type = getTensorType(op->getResult(0));
    LayoutAttr layout = getDemand(*wanted).layout;
    auto addConversions = [&](int64_t bytes) {
      for (OpOperand &use : op->getResult(0).getUses())
        if (getDemand(use).layout == layout) {
          Operation *user = use.getOwner();
          room.take(room.getStep(user), room.getLastStep(user), bytes);
        }
    };
    addConversions(-room.getBytes(type, layout));
    if (tryPlace(op, getPlace(layout))) {
      if (auto remark = kPropagationRemarks.passed(op, "Backward"))
        remark << reason("the result goes to {0}, where '{1}' wants it",
                         describe(layout),
                         wanted->getOwner()->getName().getStringRef());
      return;
    }
    addConversions(room.getBytes(type, layout));
  }
  if (!isElementwise(op))
    return;
  // Inputs that disagree: the first one that is placed decides.
  for (OpOperand *input : getAligned(op)) {
    LayoutState found = states.lookup(input->get());
    if (!found.isPlaced() || !tryPlace(op, found.place))
      continue;
    if (auto remark = kPropagationRemarks.passed(op, "Tie"))
      remark << reason("the result goes to {0}, as input {1}", describe(found),
                       input->getOperandNumber())
             << rejected("no reader wants it elsewhere, and the inputs "
                         "disagree: the first one that is placed decides");
    return;
  }
}

void PlacementAnalysis::demandElements(OpOperand &use, Operation *maker,
                                       LayoutAttr layout) {
  Operation *op = use.getOwner();
  auto move = dyn_cast<ToLayoutOp>(op);
  unsigned first = room.getStep(op);
  unsigned last =
      move ? room.getLastStep(move.getResult()) : room.getLastStep(op);
  int64_t bytes = room.getBytes(getTensorType(use.get()), layout);

  Making &making = makings[{maker, layout}];
  bool isShared =
      making.number != 0 &&
      (last + 1 >= making.first || room.has(last + 1, making.first - 1, bytes));
  if (move && isShared) {
    // The L1 of the layout change's result has been counted.
    room.take(last + 1, making.first - 1, bytes);
    room.take(making.first, std::min(last, making.last), -bytes);
  } else if (!move) {
    unsigned until = isShared ? making.first - 1 : last;
    if (!isa<func::ReturnOp>(op) && first <= until &&
        !room.has(first, until, bytes))
      return reportOutOfMemory(use, layout);
    room.take(first, until, bytes);
  }
  if (!isShared)
    making = {making.number + 1, first, last};
  making.first = first;
  making.last = std::max(making.last, last);
  demands[&use] = {layout, making.number};
}

void PlacementAnalysis::demand(OpOperand &use, LayoutAttr layout) {
  Operation *op = use.getOwner();
  if (isCarried(layout)) {
    if (Operation *maker = getRematerializableOp(use, layout))
      return demandElements(use, maker, layout);
    unsigned first = room.getStep(op), last = room.getLastStep(op);
    int64_t bytes = room.getBytes(getTensorType(use.get()), layout);
    if (!isa<func::ReturnOp>(op) && !room.has(first, last, bytes))
      return reportOutOfMemory(use, layout);
    room.take(first, last, bytes);
  }
  demands[&use] = {layout};
}

void PlacementAnalysis::enforceResults(func::ReturnOp op) {
  auto func = op->getParentOfType<func::FuncOp>();
  for (auto [operand, type] :
       llvm::zip(op->getOpOperands(), func.getResultTypes()))
    if (LayoutAttr layout = getLayoutOf(type); layout && isCarried(layout))
      demand(operand, layout);
}

void PlacementAnalysis::enforceBackward(Operation *op) {
  if (auto returnOp = dyn_cast<func::ReturnOp>(op))
    return enforceResults(returnOp);
  if (auto move = dyn_cast<ToLayoutOp>(op)) {
    // A computed value stays in its layout until the program converts it.
    if (makers.contains(move.getResult()))
      demand(move.getInputMutable(), getLayoutOf(move.getType()));
    return;
  }
  if (!isMovable(op) || isDecided(op))
    return;
  if (!states.lookup(op->getResult(0)).isSet())
    chooseResult(op);
  LayoutState state = states.lookup(op->getResult(0));
  if (!state.isPlaced() || !isElementwise(op))
    return;
  for (OpOperand *input : getAligned(op)) {
    LayoutAttr layout = getLayoutAt(state.place, getTensorType(input->get()));
    if (states.lookup(input->get()) != state && layout &&
        canHaveLayout(*input, layout))
      demand(*input, layout);
  }
}

LogicalResult PlacementAnalysis::run() {
  WalkResult result = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    ops.push_back(op);
    if (failed(visit(op)))
      return WalkResult::interrupt();
    // The region of a generic op works on shards, which have no layout.
    return isa<GenericOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  holdAnchors();
  for (Operation *op : ops)
    carryForward(op);
  for (Operation *op : llvm::reverse(ops))
    enforceBackward(op);
  return success();
}

} // namespace mlir::tt::ttir
