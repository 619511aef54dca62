#include "dialects/TT/Mesh.h"
#include "dialects/TT/TTOps.h"
#include "dialects/TT/TensorLayout.h"
#include "dialects/TT/TileLayout.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Layout/L1Spill.h"
#include "dialects/TTIR/Transforms/Layout/LayoutState.h"
#include "dialects/TTIR/Transforms/Layout/Padding.h"
#include "dialects/TTIR/Transforms/Layout/PlacementRules.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRLAYOUT
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

class TTIRLayout : public impl::TTIRLayoutBase<TTIRLayout> {
public:
  using impl::TTIRLayoutBase<TTIRLayout>::TTIRLayoutBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    if (failed(verifyPlacedTensors(module)))
      return signalPassFailure();
    DeviceAttr device = getOrCreateDevice(module);
    if (!device)
      return signalPassFailure();
    chip = getChipView(device);
    initialGrid = GridAttr::get(&getContext(), chip.getRank());
    rules = {chip, initialGrid, defaultMemorySpace, defaultDeviceMemoryLayout,
             padToTiles};
    if (SystemDescAttr system = getScopeSystemDesc(module))
      alignment = std::max(1u, system.getAddressAlignBytes());

    // The destination-passing ops and returns in the order of the text, taken
    // before the rewriting adds to them.
    SmallVector<Operation *> ops;
    WalkResult result = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (failed(addLayouts(op)))
        return WalkResult::interrupt();
      if (isa<func::ReturnOp>(op) || isControlFlow(op) ||
          (isa<DestinationStyleOpInterface>(op) && isa<TTIROp>(op) &&
           !isa<ToLayoutOp>(op)))
        ops.push_back(op);
      else if (auto move = dyn_cast<ToLayoutOp>(op); move && padToTiles)
        moves.push_back(move);
      // The region of a generic op works on shards, which have no layout yet.
      return isa<GenericOp>(op) ? WalkResult::skip() : WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();

    for (Operation *op : ops) {
      if (auto returnOp = dyn_cast<func::ReturnOp>(op))
        placeResults(returnOp);
      else if (isControlFlow(op))
        placeForParts(op);
      else if (failed(placeOperands(cast<DestinationStyleOpInterface>(op))))
        return signalPassFailure();
    }
    for (Operation *op : replaced)
      if (op->use_empty())
        op->erase();
    if (usesL1() && failed(spill(module, chip)))
      return signalPassFailure();
    // Splitting adds moves that need none.
    for (ToLayoutOp move : SmallVector<ToLayoutOp>(moves))
      splitMove(move);
  }

private:
  //===--------------------------------------------------------------------===//
  // Every tensor gets a layout.
  //===--------------------------------------------------------------------===//

  /// `type` with the initial layout if it is a tensor without an encoding.
  /// Null if its elements have no number format on the chip.
  Type withInitialLayout(Type type) {
    auto [it, inserted] = initialTypes.try_emplace(type, type);
    if (!inserted)
      return it->second;
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return type;
    if (tensor.getEncoding())
      return it->second = rules.withPaddedTiles(tensor);
    if (!elementTypeToDataType(tensor.getElementType()) ||
        !tensor.hasStaticShape() || tensor.getRank() == 0 ||
        llvm::is_contained(tensor.getShape(), 0) ||
        !isAddressable(tensor.getShape()))
      return it->second = Type();
    bool spread = padToTiles && !isSystem(initMemorySpace);
    auto layout = LayoutAttr::get(tensor, initMemorySpace, initialGrid,
                                  tensor.getElementType(),
                                  spread ? defaultDeviceMemoryLayout.getValue()
                                         : TensorMemoryLayout::None);
    return it->second = RankedTensorType::get(tensor.getShape(),
                                              tensor.getElementType(), layout);
  }

  /// The type in which parts are given a tensor and return it: where the
  /// program has it, else on the device. Kernels find it in DRAM, at whatever
  /// address.
  Type getPartType(Type type) {
    Type initial = withInitialLayout(type);
    auto tensor = dyn_cast_or_null<RankedTensorType>(initial);
    if (!tensor)
      return initial;
    auto layout = cast<LayoutAttr>(tensor.getEncoding());
    bool isStated = cast<RankedTensorType>(type).getEncoding() != nullptr;
    if (isStated && (!padToTiles || layout.isSystemMemorySpace() ||
                     (isPaged(layout) &&
                      layout.getMemorySpace() == MemorySpace::DeviceDRAM)))
      return tensor;
    if (padToTiles) {
      auto scalar =
          LayoutAttr::get(tensor, MemorySpace::DeviceDRAM, initialGrid);
      Type element = isStated && layout.isTiled() ? layout.getElementType()
                                                  : scalar.getElementType();
      return rules.place(withLayout(tensor, scalar.withElementType(element)),
                         {MemorySpace::DeviceDRAM,
                          TensorMemoryLayout::Interleaved,
                          !isStated || layout.isTiled()});
    }
    return withLayout(
        tensor,
        LayoutAttr::get(
            tensor, MemorySpace::DeviceDRAM,
            GridAttr::get(&getContext(), chip.getWorkerGrid().getShape()),
            TileType::get(&getContext(),
                          *elementTypeToDataType(tensor.getElementType())),
            TensorMemoryLayout::Interleaved));
  }

  /// Whether the value goes in or out of a part, is given up by the caller, or
  /// is a variable.
  static bool isOfPart(Value value) {
    if (Operation *op = value.getDefiningOp())
      return isControlFlow(op);
    Operation *parent = value.getParentBlock()->getParentOp();
    auto func = dyn_cast<func::FuncOp>(parent);
    return parent->hasAttr(kPartAttr) ||
           isVariable(cast<BlockArgument>(value)) ||
           (func && getAliasedOutput(func, cast<BlockArgument>(value)));
  }

  /// Whether the value is another tensor in each call.
  static bool isInput(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    auto func = dyn_cast<func::FuncOp>(value.getParentBlock()->getParentOp());
    if (!argument || !func)
      return false;
    auto type = func.getArgAttrOfType<ArgumentTypeAttr>(argument.getArgNumber(),
                                                        ArgumentTypeAttr::name);
    return !type || type.getValue() == ArgumentType::Input ||
           type.getValue() == ArgumentType::Default;
  }

  /// The type of a tensor of the host.
  Type getHostType(Type type) const {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.getEncoding())
      return type;
    return withLayout(
        tensor, LayoutAttr::get(tensor, MemorySpace::System, initialGrid));
  }

  /// Whether the value is one of a function that the host runs.
  static bool isOfHost(Value value) {
    Operation *op = value.getDefiningOp();
    return op ? isa<CallOp>(op) || isOnHost(op)
              : isOnHost(value.getParentBlock()->getParentOp());
  }

  /// The result that has the memory of the argument.
  static std::optional<unsigned> getAliasedOutput(func::FuncOp func,
                                                  BlockArgument argument) {
    auto output = func.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(),
                                                     kAliasedOutputAttr);
    return output ? std::optional<unsigned>(output.getInt()) : std::nullopt;
  }

  /// The initial type of a value. An argument that is cut into shards for the
  /// chips of a mesh is a tensor of the host.
  Type getInitialType(Value value) {
    Type type = withInitialLayout(value.getType());
    if (type && isOfHost(value))
      return getHostType(value.getType());
    if (isOfPart(value))
      return getPartType(value.getType());
    if (inputsOnDevice && type && isInput(value))
      type = getPartType(value.getType());
    bool isFull = isa<BlockArgument>(value) &&
                  llvm::any_of(value.getUsers(), [](auto *user) {
                    auto shard = dyn_cast<MeshShardOp>(user);
                    return shard && shard.getShardDirection() ==
                                        MeshShardDirection::FullToShard;
                  });
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    return type && isFull && tensor ? getHostType(tensor) : type;
  }

  LogicalResult addLayout(Operation *op, Value value) {
    // Ops write where their constraints say, whatever their types state.
    bool isAuthors = isa<func::FuncOp, ToLayoutOp>(op) ||
                     (isCreation(op) && !isa<tensor::EmptyOp>(op));
    if (isAuthors && getLayoutOf(value.getType()))
      stated.insert(value);
    Type type = getInitialType(value);
    if (!type)
      return op->emitError("cannot be laid out: expected tensors of static, "
                           "positive extents and rank >= 1 of f32, f16, bf16, "
                           "i32, si32, i16 or i8, found ")
             << value.getType();
    value.setType(type);
    return success();
  }

  LogicalResult addLayouts(Operation *op) {
    if (isa<RegionBranchOpInterface>(op) && op->getNumResults() != 0)
      return op->emitError("cannot be laid out: expected tensors to stay "
                           "outside of control flow, found results of type ")
             << op->getResultTypes();
    for (Value result : op->getResults())
      if (failed(addLayout(op, result)))
        return failure();
    if (!isa<GenericOp>(op))
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            if (failed(addLayout(op, argument)))
              return failure();

    auto func = dyn_cast<func::FuncOp>(op);
    if (!func)
      return success();
    // Results that the program places explicitly keep their layout.
    auto &explicitResults = explicitResultTypes[func];
    SmallVector<Type> inputs, results;
    for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
      inputs.push_back(func.isExternal() ? withInitialLayout(type)
                                         : func.getArgument(i).getType());
    for (auto [i, type] : llvm::enumerate(func.getResultTypes())) {
      if (func->hasAttr(kPartAttr) || func.getResultAttr(i, kVariableAttr)) {
        results.push_back(isOnHost(func) ? getHostType(type)
                                         : getPartType(type));
        explicitResults.push_back(
            dyn_cast_or_null<RankedTensorType>(results.back()));
        continue;
      }
      auto tensor = dyn_cast<RankedTensorType>(type);
      explicitResults.push_back(tensor && tensor.getEncoding()
                                    ? rules.withPaddedTiles(tensor)
                                    : nullptr);
      results.push_back(withInitialLayout(type));
    }
    if (!func.isExternal())
      for (BlockArgument argument : func.getArguments())
        if (std::optional<unsigned> output = getAliasedOutput(func, argument)) {
          results[*output] = argument.getType();
          explicitResults[*output] =
              dyn_cast<RankedTensorType>(argument.getType());
        }
    if (llvm::is_contained(inputs, Type()) ||
        llvm::is_contained(results, Type()))
      return func.emitError("cannot be laid out: expected tensors of static, "
                            "positive extents and rank >= 1 of f32, f16, bf16, "
                            "i32, si32, i16 or i8 in the signature, found ")
             << func.getFunctionType();
    func.setType(FunctionType::get(&getContext(), inputs, results));
    return success();
  }

  //===--------------------------------------------------------------------===//
  // Operands go where their ops want them.
  //===--------------------------------------------------------------------===//

  /// The form of the destination of a collective, which would become `placed`:
  /// tiles go from chip to chip in the input's number format. All blocks that
  /// are sent have zeros in their padding, and keep them.
  RankedTensorType withFormatOfInput(DestinationStyleOpInterface op,
                                     OpOperand &operand,
                                     RankedTensorType placed) const {
    auto input = cast<RankedTensorType>(
        op.getDpsInputs()[op.getTiedOpResult(&operand).getResultNumber()]
            .getType());
    auto format = cast<LayoutAttr>(input.getEncoding()).getElementType();
    auto layout = cast<LayoutAttr>(placed.getEncoding());
    return isa<TileType>(format)
               ? withLayout(placed, layout.withElementType(format))
               : placed;
  }

  /// The form of an input of a collective, which would become `placed`: in the
  /// number format of a destination that has tiles, because the program chose
  /// it.
  RankedTensorType withFormatOfDestination(DestinationStyleOpInterface op,
                                           OpOperand &operand,
                                           RankedTensorType placed) const {
    Value destination = op.getDpsInits()[operand.getOperandNumber()];
    LayoutAttr wanted = getLayoutOf(destination.getType());
    auto layout = cast<LayoutAttr>(placed.getEncoding());
    return wanted && wanted.isTiled() && layout.isTiled()
               ? withLayout(placed,
                            layout.withElementType(wanted.getElementType()))
               : placed;
  }

  /// The result of an update, which would become `placed`: in the form of the
  /// input, so that it may be in its place.
  static RankedTensorType getUpdatedType(UpdateSliceOp op,
                                         RankedTensorType placed) {
    RankedTensorType type = op.getInput().getType();
    return getLayoutOf(type).isSystemMemorySpace() ? placed : type;
  }

  /// The form of an update, which would become `placed`: tiles have the number
  /// format of the input, and around them what it has.
  static RankedTensorType withFormOfUpdated(UpdateSliceOp op,
                                            RankedTensorType placed) {
    LayoutAttr input = getLayoutOf(op.getInput().getType());
    LayoutAttr layout = getLayoutOf(placed);
    if (!input.isTiled() || !layout.isTiled() || input.isSystemMemorySpace())
      return placed;
    return withLayout(
        placed, withPadding(layout.withElementType(input.getElementType()),
                            input.getOobVal()));
  }

  /// Brings `result`, in plain numbers, into the block floats of `type`, with
  /// zeros around it. What reads it reads these.
  void writeBlocks(OpResult result, RankedTensorType type) {
    OpBuilder builder(result.getOwner()->getContext());
    builder.setInsertionPointAfter(result.getOwner());
    auto from = cast<LayoutAttr>(
        cast<RankedTensorType>(result.getType()).getEncoding());
    LayoutAttr zeros = withPadding(from, OOBVal::Zero);
    Value cleared =
        addToLayout(builder, result.getLoc(), result, withLayout(type, zeros));
    Value blocks = addToLayout(builder, result.getLoc(), cleared, type);
    result.replaceAllUsesExcept(blocks, cleared.getDefiningOp());
  }

  Value addToLayout(OpBuilder &builder, Location loc, Value value,
                    RankedTensorType type) {
    ++numToLayouts;
    ToLayoutOp move = createToLayout(builder, loc, value, type);
    if (padToTiles)
      moves.push_back(move);
    return move.getResult();
  }

  /// Whether rows of scalars in shards begin at aligned addresses for transfers
  /// between cores.
  bool hasAlignedRows(LayoutAttr layout) const {
    return layout.getShardShape().back() * layout.getElementStorageSizeBytes() %
               alignment ==
           0;
  }

  /// Whether kernels make the change in one step: they change the form of pages
  /// and of shards of whole tiles, and move shards in one form and with what is
  /// around them.
  bool isOneStep(ArrayRef<int64_t> shape, LayoutAttr from,
                 LayoutAttr to) const {
    if (from.isSystemMemorySpace() && to.isSystemMemorySpace())
      return false;
    if (from.isSystemMemorySpace() || to.isSystemMemorySpace() ||
        (isPaged(from) && isPaged(to)))
      return true;
    bool sameElements =
        from.getElementType() == to.getElementType() &&
        (to.getOobVal() == OOBVal::Undef || to.getOobVal() == from.getOobVal());
    if (isPaged(from) || isPaged(to))
      return sameElements;
    bool samePlace = from.getMemorySpace() == to.getMemorySpace() &&
                     from.getGrid() == to.getGrid();
    if (from.isTiled() && to.isTiled())
      return sameElements || samePlace;
    if (!from.isTiled() && !to.isTiled())
      return (sameElements || samePlace) && hasAlignedRows(from) &&
             hasAlignedRows(to);
    return samePlace && (from.getGrid().getVolume() == 1 ||
                         (from.getLinear() == to.getLinear() &&
                          from.getShardShape() == to.getShardShape() &&
                          (from.isTiled() || hasFullShards(from, shape))));
  }

  /// A move to the place where the tensor is.
  void eraseMove(ToLayoutOp op) {
    auto destination = op.getOutput().getDefiningOp<tensor::EmptyOp>();
    op.replaceAllUsesWith(op.getInput());
    op.erase();
    if (destination && destination->use_empty())
      destination.erase();
  }

  /// A `ttir.to_layout` that cannot be made in one step goes through pages in
  /// DRAM. The host writes them in any form, and does not move what is there.
  void splitMove(ToLayoutOp op) {
    RankedTensorType type = op.getType();
    auto from = cast<LayoutAttr>(op.getInput().getType().getEncoding());
    auto to = cast<LayoutAttr>(type.getEncoding());
    if (isOneStep(type.getShape(), from, to))
      return;
    if (from == to)
      return eraseMove(op);
    auto place = [&](LayoutAttr layout) {
      Placement placement{MemorySpace::DeviceDRAM,
                          TensorMemoryLayout::Interleaved, layout.isTiled()};
      auto scalar = LayoutAttr::get(type, MemorySpace::DeviceDRAM, initialGrid);
      RankedTensorType placed =
          rules.place(withLayout(type, scalar), placement);
      // Tiles keep their format and what is around them.
      auto inDram = cast<LayoutAttr>(placed.getEncoding());
      return withLayout(
          type, withPadding(inDram.withElementType(layout.getElementType()),
                            layout.getOobVal()));
    };
    OpBuilder builder(op);
    Value value = op.getInput();
    SmallVector<LayoutAttr> stops = {from, to};
    if (from.isSystemMemorySpace())
      stops = {to};
    for (LayoutAttr layout : stops)
      if (RankedTensorType pages = place(layout);
          !isPaged(layout) && pages != value.getType())
        value = addToLayout(builder, op.getLoc(), value, pages);
    op.getInputMutable().assign(value);
  }

  /// What `value` was converted to before; to a layout with any padding if
  /// `type` does not say which. Null if it was not.
  /// Parts of a program and its results have signatures, which say it.
  Value findConverted(Operation *op, Value value, RankedTensorType type) const {
    auto layout = cast<LayoutAttr>(type.getEncoding());
    bool isSigned = isa<func::ReturnOp>(op) || isControlFlow(op);
    for (uint32_t oob = 0; oob <= getMaxEnumValForOOBVal(); ++oob) {
      auto padding = static_cast<OOBVal>(oob);
      if (layout.getOobVal() != padding &&
          (isSigned || layout.getOobVal() != OOBVal::Undef))
        continue;
      auto it = converted.find(
          {value, withLayout(type, withPadding(layout, padding))});
      if (it != converted.end())
        return it->second;
    }
    return nullptr;
  }

  /// The value with its new type, right in front of `op`: a copy if it is not
  /// computed, moved there otherwise. Other users of something that is not
  /// computed keep the old one: they may want another layout, and two ops must
  /// not share a destination.
  Value convert(Operation *op, Value value, RankedTensorType type) {
    auto to = cast<LayoutAttr>(type.getEncoding());
    // Functions have one block, so what was made before is there now. What the
    // caller gives is brought to DRAM once; in L1 a copy for each reader has
    // its room for a short time only.
    bool isShared =
        padToTiles || (isa<BlockArgument>(value) &&
                       to.getMemorySpace() == MemorySpace::DeviceDRAM);
    if (Value made = isShared ? findConverted(op, value, type) : Value())
      return made;
    // Tiles change their format and their place first, then what is around
    // them; so does what the host writes, which has zeros around it.
    auto from =
        cast<LayoutAttr>(cast<RankedTensorType>(value.getType()).getEncoding());
    bool isMade =
        isCreation(value.getDefiningOp()) &&
        canRematerialize(cast<RankedTensorType>(value.getType()), type);
    bool isMadeSo = isMade && (to.getOobVal() == OOBVal::Undef ||
                               to.getOobVal() == OOBVal::Zero);
    bool changesTiles = from.isTiled() && to.isTiled() &&
                        (from.getElementType() != to.getElementType() ||
                         from.getMemorySpace() != to.getMemorySpace() ||
                         from.getGrid() != to.getGrid());
    if (padToTiles && !isMadeSo && to.getOobVal() != OOBVal::Undef &&
        (changesTiles || (isMade && from.isSystemMemorySpace())))
      value =
          convert(op, value, withLayout(type, withPadding(to, OOBVal::Undef)));
    OpBuilder builder(op);
    Value &result = converted[{value, type}];
    if (isMadeSo)
      return result = cloneCreation(builder, value.getDefiningOp(),
                                    op->getLoc(), type);
    return result = addToLayout(builder, op->getLoc(), value, type);
  }

  void replace(OpOperand &operand, Value value) {
    Operation *old = operand.get().getDefiningOp();
    operand.set(value);
    if (isCreation(old))
      replaced.insert(old);
  }

  /// The layout with the number format and what is around the elements.
  static std::string describeForm(RankedTensorType type) {
    LayoutAttr layout = getLayoutOf(type);
    std::string text = describe(layout);
    text += ':';
    text += stringifyEnum(*elementTypeToDataType(layout.getElementType()));
    if (layout.getOobVal() != OOBVal::Undef)
      text += (" padded with " + stringifyOOBVal(layout.getOobVal())).str();
    return text;
  }

  /// Says where the operand goes, and why to no other memory.
  void describeConversion(Remarks::InFlight &remark, OpOperand &operand,
                          RankedTensorType placed, LayoutAttr given,
                          OperandConstraintAttr constraint) const {
    bool isTiled = getLayoutOf(placed).isTiled();
    MemorySpace space = getLayoutOf(placed).getMemorySpace();
    remark << reason(
        "input {0} goes from {1} to {2}: {3}", operand.getOperandNumber(),
        describeForm(cast<RankedTensorType>(operand.get().getType())),
        describeForm(placed),
        given     ? "the program's layouts reach it"
        : isTiled ? "the op takes tiles"
                  : "the op takes rows");
    if (given || space != MemorySpace::DeviceDRAM)
      return;
    remark << rejected(
        "in l1: {0}",
        allowsMemorySpace(constraint.getValue(), MemorySpace::DeviceL1)
            ? "the program places it nowhere, and "
              "default-memory-space is dram"
            : "the op's constraint does not allow it");
  }

  LogicalResult placeOperands(DestinationStyleOpInterface op) {
    ArrayAttr constraints =
        cast<TTIROp>(op.getOperation()).getOperandConstraints();
    if (!constraints || constraints.size() < op->getNumOperands())
      return op->emitOpError("has ")
             << (constraints ? constraints.size() : 0)
             << " operand constraints, expected one for each of its "
             << op->getNumOperands() << " operands";

    bool isCollective = isa<CollectiveOpInterface>(op.getOperation());
    auto update = dyn_cast<UpdateSliceOp>(op.getOperation());
    bool isInDram = false;
    for (OpOperand &operand : op->getOpOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      if (!type || !isa_and_nonnull<LayoutAttr>(type.getEncoding()))
        continue;
      bool isDestination = op.isDpsInit(&operand);
      // The library calls of convolutions take their inputs from anywhere.
      if (isa<Conv2dOp, ConvTranspose2dOp>(op) && !isDestination)
        continue;
      auto constraint =
          cast<OperandConstraintAttr>(constraints[operand.getOperandNumber()]);
      // Shards are cut and joined on the host, for every layout of the program.
      bool onHost = isa<MeshShardOp>(op) || isOnHost(op);
      Placement placement = rules.choose(onHost ? OperandConstraint::System |
                                                      OperandConstraint::Scalar
                                                : constraint.getValue());
      // Tiles that are passed to a function stay tiles where an op takes them.
      if (isa<BlockArgument>(operand.get()) && !onHost &&
          bitEnumContainsAny(constraint.getValue(), OperandConstraint::Tile) &&
          cast<LayoutAttr>(type.getEncoding()).isTiled())
        placement.tiled = true;
      if (padToTiles && placement.tiled)
        placement.padding = getRequiredPadding(operand);
      LayoutAttr given = getPlacedOperand(op, operand.getOperandNumber());
      isInDram |= !given && placement.memorySpace == MemorySpace::DeviceDRAM;
      RankedTensorType placed =
          given ? withLayout(type, given) : rules.place(type, placement);
      if (isDestination) {
        // The contents of a destination do not matter, so nothing is copied
        // there; a separate destination keeps other values alive. An op that is
        // erased here would leave its conversions.
        if (isCreation(operand.get().getDefiningOp()))
          replaced.insert(operand.get().getDefiningOp());
        RankedTensorType written = rules.getWrittenType(placed);
        if (isCollective && placement.tiled)
          written = placed = withFormatOfInput(op, operand, placed);
        if (update)
          written = placed = getUpdatedType(update, placed);
        retypeDestination(operand, written);
        OpResult result = op.getTiedOpResult(&operand);
        result.setType(written);
        if (written != placed)
          writeBlocks(result, placed);
        continue;
      }
      if (isCollective)
        placed = withFormatOfDestination(op, operand, placed);
      if (update && &operand == &update.getUpdateMutable())
        placed = withFormOfUpdated(update, placed);
      if (placed == type)
        continue;
      if (auto remark = kLayoutRemarks.passed(op, "Converted"))
        describeConversion(remark, operand, placed, given, constraint);
      replace(operand, convert(op, operand.get(), placed));
    }
    if (isInDram && usesL1())
      if (auto remark = kLayoutRemarks.missed(op, "NotInL1"))
        remark << reason(
            "works in dram: the op has no kernels for tensors in l1");
    return success();
  }

  /// Brings operands to the layouts in which the first part is given them.
  void placeForParts(Operation *op) {
    auto part = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        op, getParts(op).front());
    unsigned first = op->getNumOperands() - getPartOperands(op).size();
    for (auto [operand, type] : llvm::zip(op->getOpOperands().drop_front(first),
                                          part.getArgumentTypes())) {
      auto placed = cast<RankedTensorType>(type);
      if (operand.get().getType() == placed)
        continue;
      if (auto remark = kLayoutRemarks.passed(op, "Converted"))
        remark << reason(
            "input {0} goes from {1} to {2}, in which the parts take it",
            operand.getOperandNumber(),
            describeForm(cast<RankedTensorType>(operand.get().getType())),
            describeForm(placed));
      replace(operand, convert(op, operand.get(), placed));
    }
  }

  void placeResults(func::ReturnOp op) {
    auto func = op->getParentOfType<func::FuncOp>();
    ArrayRef<RankedTensorType> explicitResults = explicitResultTypes[func];
    Placement placement{initMemorySpace, TensorMemoryLayout::None, false};
    if (!isSystem(initMemorySpace))
      placement.memLayout = defaultDeviceMemoryLayout;

    for (OpOperand &operand : op->getOpOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      if (!type || !isa_and_nonnull<LayoutAttr>(type.getEncoding()))
        continue;
      RankedTensorType placed = explicitResults[operand.getOperandNumber()];
      // What was made of the shards of the chips is on the host, and what parts
      // return on the device.
      Operation *source = operand.get().getDefiningOp();
      if (!placed && source &&
          (isa<MeshShardOp>(source) ||
           (resultsOnDevice && isa<IfOp, ForOp, WhileOp>(source))))
        continue;
      if (!placed)
        placed = rules.place(type, placement);
      if (placed != type) {
        if (auto remark = kLayoutRemarks.passed(op, "Returned"))
          remark << reason("result {0} goes from {1} to {2}, {3}",
                           operand.getOperandNumber(), describeForm(type),
                           describeForm(placed),
                           explicitResults[operand.getOperandNumber()]
                               ? "where the signature has it"
                               : "where results without a layout go")
                 << rejected("left where it is: only results-on-device, or a "
                             "layout in the signature, leave it there");
        replace(operand, convert(op, operand.get(), placed));
      }
      if (explicitResults[operand.getOperandNumber()])
        stated.insert(operand.get());
    }
    updateResultTypes(func);
  }

  // ===--------------------------------------------------------------------===//
  // Tensors that do not fit into L1.
  // ===--------------------------------------------------------------------===//

  /// Whether kernels work on tensors in L1 by default.
  bool usesL1() const {
    return padToTiles && defaultMemorySpace == MemorySpace::DeviceL1;
  }

  LogicalResult spill(ModuleOp module, DeviceAttr device) {
    auto system = module->getAttrOfType<SystemDescAttr>("tt.system_desc");
    DenseSet<Value> moved;
    for (auto func : module.getOps<func::FuncOp>()) {
      if (func.isExternal())
        continue;
      if (failed(spillL1(func, device, system, stated, moved)))
        return failure();
      updateSignature(func);
    }
    // A move to DRAM of a tensor that is now there is redundant, and so is a
    // move to L1 of one that stays in DRAM.
    llvm::erase_if(moves, [&](ToLayoutOp move) {
      Value input = move.getInput(), result = move.getResult();
      if ((!moved.contains(input) && !moved.contains(result)) ||
          input.getType() != result.getType() || stated.contains(result))
        return false;
      eraseMove(move);
      return true;
    });
    return success();
  }

  static void updateSignature(func::FuncOp func) {
    func.setType(FunctionType::get(func.getContext(),
                                   func.getBody().front().getArgumentTypes(),
                                   func.getFunctionType().getResults()));
    updateResultTypes(func);
  }

  /// What a program sees of the device.
  DeviceAttr chip;
  GridAttr initialGrid;
  PlacementRules rules;
  /// Addresses of transfers are multiples of this many bytes.
  int64_t alignment = 1;
  /// Tensor types with and without their initial layout.
  DenseMap<Type, Type> initialTypes;
  /// Result types of functions that had a layout before; null for others.
  DenseMap<func::FuncOp, SmallVector<RankedTensorType>> explicitResultTypes;
  /// Values that the program places.
  DenseSet<Value> stated;
  /// What values were converted to.
  DenseMap<std::pair<Value, RankedTensorType>, Value> converted;
  /// All changes of layout, if kernels make them.
  SmallVector<ToLayoutOp> moves;
  /// Creations that conversions have replaced.
  SetVector<Operation *> replaced;
};

} // namespace
} // namespace mlir::tt::ttir
