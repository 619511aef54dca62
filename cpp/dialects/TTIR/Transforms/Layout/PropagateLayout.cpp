#include "dialects/TT/Mesh.h"
#include "dialects/TT/TensorLayout.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Layout/PlacementAnalysis.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRPROPAGATELAYOUT
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

/// Whether the op reads the operand.
bool isRead(OpOperand &operand) {
  auto dps = dyn_cast<DestinationStyleOpInterface>(operand.getOwner());
  return !dps || !dps.isDpsInit(&operand);
}

class TTIRPropagateLayout
    : public impl::TTIRPropagateLayoutBase<TTIRPropagateLayout> {
public:
  using impl::TTIRPropagateLayoutBase<
      TTIRPropagateLayout>::TTIRPropagateLayoutBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    if (failed(verifyPlacedTensors(module)))
      return signalPassFailure();
    DeviceAttr device = getOrCreateDevice(module);
    if (!device)
      return signalPassFailure();
    uint64_t usable = std::numeric_limits<uint64_t>::max();
    if (auto desc = module->getAttrOfType<SystemDescAttr>("tt.system_desc"))
      for (unsigned chip : device.getChipIds())
        usable = std::min<uint64_t>(usable,
                                    desc.getChipDesc(chip).getUsableL1Size());

    module.walk([](GenericOp op) {
      if (isElementwise(op))
        passConstants(op);
    });
    PlacementAnalysis propagation(module, getChipView(device), usable, kernels,
                                  frees);
    if (failed(propagation.run()))
      return signalPassFailure();
    for (Operation *op : propagation.getOps()) {
      placeOperands(op, propagation);
      collectUses(op, propagation);
    }
    for (auto &[creation, uses] : creations)
      splitByLayout(creation, uses, propagation);
    eraseReplaced();
  }

private:
  /// Sets the attribute with the layouts of the op's operands.
  void placeOperands(Operation *op, const PlacementAnalysis &propagation) {
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    if (!dps || !isa<TTIROp>(op) || isa<FillOp>(op) ||
        op->hasAttr(kPlacedOperands))
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
      } else if ((layout = propagation.getDemand(operand).layout)) {
        countConflict(operand, propagation);
      } else {
        layout = propagation.getReadLayout(operand);
      }
    }
    setPlacedOperands(op, layouts);
  }

  void countConflict(OpOperand &operand, const PlacementAnalysis &propagation) {
    if (!propagation.isConflict(operand))
      return;
    ++numConflicts;
    if (auto remark =
            kPropagationRemarks.missed(operand.getOwner(), "Conflict"))
      remark << reason("input {0} is in {1}: one ttir.to_layout brings it to "
                       "{2}",
                       operand.getOperandNumber(),
                       describe(propagation.getState(operand.get())),
                       describe(propagation.getDemand(operand).layout));
  }

  //===--------------------------------------------------------------------===//
  // Constants
  //===--------------------------------------------------------------------===//

  /// Gives an elementwise op as inputs the constants that its region reads from
  /// outside, whole or broadcast: cores read shards of them like those of other
  /// inputs.
  static void passConstants(GenericOp op) {
    auto result = cast<RankedTensorType>(op.getOutputs()[0].getType());
    llvm::SetVector<Value> constants;
    op.getRegion().walk([&](Operation *inner) {
      for (Value value : inner->getOperands()) {
        Operation *maker = value.getDefiningOp();
        if (isRematerializable(maker) && !isa<tensor::EmptyOp>(maker) &&
            !op->isAncestor(maker) &&
            isBroadcast(cast<RankedTensorType>(value.getType()), result))
          constants.insert(value);
      }
    });
    if (constants.empty())
      return;
    OpBuilder builder(op);
    size_t index = op.getInputs().size();
    auto maps =
        llvm::to_vector(op.getIndexingMaps().getAsValueRange<AffineMapAttr>());
    auto constraints = llvm::to_vector(op.getOperandConstraints());
    AffineMap map = maps[index];
    Attribute constraint = constraints[index];
    for (Value value : constants) {
      SmallVector<AffineExpr> places(map.getResults());
      auto shape = cast<RankedTensorType>(value.getType()).getShape();
      for (auto [place, extent, whole] :
           llvm::zip(places, shape, result.getShape()))
        if (extent != whole)
          place = builder.getAffineConstantExpr(0);
      maps.insert(
          maps.begin() + index,
          AffineMap::get(map.getNumDims(), 0, places, builder.getContext()));
      constraints.insert(constraints.begin() + index, constraint);
      op.getInputsMutable().append(value);
      BlockArgument argument = op.getRegion().front().insertArgument(
          index++, value.getType(), value.getLoc());
      value.replaceUsesWithIf(argument, [&](OpOperand &use) {
        return op->isProperAncestor(use.getOwner());
      });
    }
    op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
    op.setOperandConstraintsAttr(builder.getArrayAttr(constraints));
  }

  /// Whether elementwise ops make a tensor of `type` one of `result`'s shape.
  static bool isBroadcast(RankedTensorType type, RankedTensorType result) {
    return type.getRank() == result.getRank() &&
           llvm::all_of(llvm::zip(type.getShape(), result.getShape()),
                        [](auto extents) {
                          auto [extent, whole] = extents;
                          return extent == whole || extent == 1;
                        });
  }

  /// Collects the uses of created elements in the order of the text: operands
  /// with a layout, and uses in the region of a generic op.
  void collectUses(Operation *op, const PlacementAnalysis &propagation) {
    for (OpOperand &operand : op->getOpOperands())
      if (LayoutAttr layout = propagation.getDemand(operand).layout)
        if (Operation *maker =
                propagation.getRematerializableOp(operand, layout))
          creations[maker].push_back(&operand);
    if (!isa<GenericOp>(op))
      return;
    op->walk([&](Operation *inner) {
      for (OpOperand &operand : inner->getOpOperands())
        if (Operation *source = operand.get().getDefiningOp();
            source && inner != op && isRematerializable(source) &&
            !op->isAncestor(source))
          creations[source].push_back(&operand);
    });
  }

  /// Creates the elements of `creation` again for each layout in which they are
  /// read, in front of the first op that reads them there. A `ttir.to_layout`
  /// of them is redundant then.
  void splitByLayout(Operation *creation, ArrayRef<OpOperand *> uses,
                     const PlacementAnalysis &propagation) {
    llvm::SmallMapVector<std::pair<Attribute, unsigned>,
                         SmallVector<OpOperand *>, 4>
        groups;
    for (OpOperand *use : uses) {
      auto [layout, making] = propagation.getDemand(*use);
      auto move = dyn_cast<ToLayoutOp>(use->getOwner());
      if (!layout)
        // In a region tensors have no layout.
        remake(creation, use->getOwner(), nullptr, use);
      else if (move && llvm::all_of(move->getUses(), [&](OpOperand &reader) {
                 return propagation.getDemand(reader).layout != nullptr;
               }))
        // Its readers read elements that are created elsewhere.
        retire(move);
      else
        groups[{layout, making}].push_back(use);
    }
    auto type = cast<RankedTensorType>(creation->getResult(0).getType());
    // Elements that have one of the layouts already are not created again for
    // it.
    bool isReused = false;
    for (auto &[key, group] : groups) {
      auto [layout, making] = key;
      if (layout == type.getEncoding() && !std::exchange(isReused, true))
        redirect(group, creation->getResult(0));
      else
        remake(creation, findFirstReader(creation, group), layout, group);
    }
    // A fill is written in few layouts; what else is read is a constant too.
    if (isa<FillOp>(creation) && !creation->use_empty())
      creation->getResult(0).replaceAllUsesWith(
          make(creation, creation, type.getEncoding()));
    replaced.insert(creation);
  }

  /// Records that a layout change is redundant.
  void retire(ToLayoutOp move) {
    resolved.insert(move);
    replaced.insert(move);
    ++numResolved;
  }

  /// Erases what has no readers any more, with its destinations.
  void eraseReplaced() {
    while (!replaced.empty()) {
      Operation *op = replaced.pop_back_val();
      if (!op->use_empty())
        continue;
      for (Value operand : op->getOperands())
        if (Operation *source = operand.getDefiningOp();
            isRematerializable(source) || resolved.contains(source))
          replaced.insert(source);
      op->erase();
    }
  }

  /// The first op of the creation's block with one of the uses in it, which are
  /// in the order of the text; what follows the creation if some are in other
  /// blocks.
  static Operation *findFirstReader(Operation *creation,
                                    ArrayRef<OpOperand *> uses) {
    Operation *first = nullptr;
    for (OpOperand *use : uses) {
      Operation *reader =
          creation->getBlock()->findAncestorOpInBlock(*use->getOwner());
      if (!reader)
        return creation->getNextNode();
      if (!first)
        first = reader;
    }
    return first;
  }

  /// Makes the elements of `creation` in front of `reader`, in `layout`.
  static Value make(Operation *creation, Operation *reader, Attribute layout) {
    OpBuilder builder(reader);
    auto old = cast<RankedTensorType>(creation->getResult(0).getType());
    auto type =
        RankedTensorType::get(old.getShape(), old.getElementType(), layout);
    if (auto fill = dyn_cast<FillOp>(creation))
      return ConstantOp::create(builder, reader->getLoc(), type,
                                fill.getValue());
    return cloneCreation(builder, creation, reader->getLoc(), type);
  }

  /// Makes what `creation` makes for `uses`, in front of `reader` and with the
  /// encoding `layout`.
  void remake(Operation *creation, Operation *reader, Attribute layout,
              ArrayRef<OpOperand *> uses) {
    ++numConstants;
    if (auto remark = kPropagationRemarks.passed(creation, "Constant"))
      remark << reason("made for {0} use{1} in {2}", uses.size(),
                       uses.size() == 1 ? "" : "s",
                       layout ? describe(cast<LayoutAttr>(layout))
                              : "a region");
    redirect(uses, make(creation, reader, layout));
  }

  /// Lets `uses` read `value`, and what reads the layout changes among them.
  void redirect(ArrayRef<OpOperand *> uses, Value value) {
    for (OpOperand *use : uses) {
      auto move = dyn_cast<ToLayoutOp>(use->getOwner());
      if (!move || !isRead(*use)) {
        use->set(value);
        continue;
      }
      move.getResult().replaceAllUsesWith(value);
      retire(move);
    }
  }

  /// The uses of the elements of each creation.
  llvm::MapVector<Operation *, SmallVector<OpOperand *>> creations;
  /// Constants and layout changes that have been made anew, until they are
  /// erased; all such layout changes.
  llvm::SetVector<Operation *> replaced;
  llvm::DenseSet<Operation *> resolved;
};

} // namespace
} // namespace mlir::tt::ttir
