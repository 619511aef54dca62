#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/LayoutPropagation.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRLAYOUTPROPAGATION
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

RankedTensorType withEncoding(RankedTensorType type, Attribute encoding) {
  return RankedTensorType::get(type.getShape(), type.getElementType(),
                               encoding);
}

/// Whether the op reads what stands in the operand.
bool isRead(OpOperand &operand) {
  auto dps = dyn_cast<DestinationStyleOpInterface>(operand.getOwner());
  return !dps || !dps.isDpsInit(&operand);
}

class TTIRLayoutPropagation
    : public impl::TTIRLayoutPropagationBase<TTIRLayoutPropagation> {
public:
  using impl::TTIRLayoutPropagationBase<
      TTIRLayoutPropagation>::TTIRLayoutPropagationBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    DeviceAttr device = getOrCreateDevice(module);
    if (!device)
      return signalPassFailure();
    uint64_t usable = std::numeric_limits<uint64_t>::max();
    if (auto desc = module->getAttrOfType<SystemDescAttr>("tt.system_desc"))
      for (unsigned chip : device.getChipIds())
        usable = std::min<uint64_t>(usable,
                                    desc.getChipDesc(chip).getUsableL1Size());

    LayoutPropagation propagation(module, device, usable, kernels);
    if (failed(propagation.run()))
      return signalPassFailure();
    SmallVector<Operation *> creations;
    for (Operation *op : propagation.getOps()) {
      placeOperands(op, propagation);
      if (isCreation(op) || isa<FillOp>(op))
        creations.push_back(op);
    }
    for (Operation *op : creations)
      splitByLayout(op, propagation);
    eraseReplaced();
  }

private:
  /// Notes on the op where its operands have to lie.
  void placeOperands(Operation *op, const LayoutPropagation &propagation) {
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    if (!dps || !isa<TTIROp>(op) || isa<FillOp>(op))
      return;
    SmallVector<LayoutAttr> layouts(op->getNumOperands());
    for (OpOperand &operand : op->getOpOperands()) {
      LayoutAttr &layout = layouts[operand.getOperandNumber()];
      if (auto move = dyn_cast<ToLayoutOp>(op)) {
        if (dps.isDpsInit(&operand))
          layout = cast<LayoutAttr>(move.getType().getEncoding());
      } else if (dps.isDpsInit(&operand)) {
        layout = propagation.getNewLayout(op);
        numPropagated += layout != nullptr;
      } else if ((layout = propagation.getWanted(operand))) {
        countConflict(operand, propagation);
      } else {
        layout = propagation.getReadLayout(operand);
      }
    }
    setPlacedOperands(op, layouts);
  }

  void countConflict(OpOperand &operand, const LayoutPropagation &propagation) {
    if (!propagation.isConflict(operand))
      return;
    ++numConflicts;
    reportDecision(operand.getOwner(), "Conflict",
                   "input " + Twine(operand.getOperandNumber()) + " is in " +
                       describe(propagation.getState(operand.get())) +
                       ": one ttir.to_layout brings it to " +
                       describe(propagation.getWanted(operand)),
                   /*isMet=*/false);
  }

  //===--------------------------------------------------------------------===//
  // Constants
  //===--------------------------------------------------------------------===//

  /// Makes the elements of `creation` anew for each layout in which they are
  /// wanted, in front of the first op that reads them there. A
  /// `ttir.to_layout` of them has nothing left to do then.
  void splitByLayout(Operation *creation,
                     const LayoutPropagation &propagation) {
    llvm::SmallMapVector<Attribute, SmallVector<OpOperand *>, 4> groups;
    SmallVector<OpOperand *> inRegions;
    for (OpOperand &use : creation->getResult(0).getUses()) {
      if (use.getOwner()->getParentOfType<GenericOp>())
        inRegions.push_back(&use);
      else if (LayoutAttr layout = propagation.getWanted(use);
               layout && mayMake(creation, layout))
        groups[layout].push_back(&use);
    }
    for (auto &[layout, uses] : groups)
      remake(creation, findFirstReader(creation, uses), layout, uses);
    // In a region tensors have no layout.
    for (OpOperand *use : inRegions)
      remake(creation, use->getOwner(), nullptr, use);
    if (!groups.empty() || !inRegions.empty())
      replaced.insert(creation);
  }

  /// A destination that is filled has an operand constraint.
  static bool mayMake(Operation *creation, LayoutAttr layout) {
    auto fill = dyn_cast<FillOp>(creation);
    ArrayAttr constraints =
        fill ? fill.getOperandConstraintsAttr() : ArrayAttr();
    return !fill ||
           (!constraints.empty() &&
            allows(cast<OperandConstraintAttr>(constraints[0]).getValue(),
                   layout));
  }

  /// Erases what has no readers any more, with its destinations.
  void eraseReplaced() {
    while (!replaced.empty()) {
      Operation *op = replaced.pop_back_val();
      if (!op->use_empty())
        continue;
      for (Value operand : op->getOperands())
        if (isCreation(operand.getDefiningOp()) ||
            operand.getDefiningOp<FillOp>())
          replaced.insert(operand.getDefiningOp());
      op->erase();
    }
  }

  /// The first op of the creation's block with one of the uses in it; what
  /// follows the creation if some are in other blocks.
  static Operation *findFirstReader(Operation *creation,
                                    ArrayRef<OpOperand *> uses) {
    Operation *first = nullptr;
    for (OpOperand *use : uses) {
      Operation *reader =
          creation->getBlock()->findAncestorOpInBlock(*use->getOwner());
      if (!reader)
        return creation->getNextNode();
      if (!first || reader->isBeforeInBlock(first))
        first = reader;
    }
    return first;
  }

  /// Makes what `creation` makes for `uses`, in front of `reader` and with the
  /// encoding `layout`.
  void remake(Operation *creation, Operation *reader, Attribute layout,
              ArrayRef<OpOperand *> uses) {
    OpBuilder builder(reader);
    auto type = cast<RankedTensorType>(creation->getResult(0).getType());
    Value value = cloneCreation(builder, creation, reader->getLoc(),
                                withEncoding(type, layout));
    if (isa<FillOp>(creation) && layout)
      setPlacedOperands(value.getDefiningOp(), cast<LayoutAttr>(layout));
    ++numConstants;
    reportDecision(creation, "Constant",
                   "made for " + Twine(uses.size()) + " use" +
                       (uses.size() == 1 ? "" : "s") +
                       (layout ? " in " + describe(cast<LayoutAttr>(layout))
                               : std::string(" in a region")));
    for (OpOperand *use : uses) {
      auto move = dyn_cast<ToLayoutOp>(use->getOwner());
      if (!move || !isRead(*use)) {
        use->set(value);
        continue;
      }
      move.getResult().replaceAllUsesWith(value);
      replaced.insert(move);
      ++numResolved;
    }
  }

  /// Constants and layout changes that have been made anew.
  llvm::SetVector<Operation *> replaced;
};

} // namespace
} // namespace mlir::tt::ttir
