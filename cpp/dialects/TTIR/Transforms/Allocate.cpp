#include "dialects/TT/Mesh.h"
#include "dialects/TT/TileLayout.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/MemoryPlan.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRALLOCATE
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

/// A tensor of a function and the time for which it has its place.
struct Tensor {
  Value value;
  MemorySpace space;
  uint64_t size;
  /// The last op that uses it; null if the function returns it.
  Operation *last = nullptr;
  uint64_t address = 0;
};

/// The places of the tensors of one function.
class FunctionMemory {
public:
  FunctionMemory(func::FuncOp func, DeviceAttr device, SystemDescAttr system)
      : func(func), device(device), system(system),
        chip(system.getChipDesc(device.getChipIds().front())) {}

  /// Finds what is to be allocated, and when it is needed.
  LogicalResult collect() {
    if (!func.getBody().hasOneBlock())
      return func.emitError("cannot be allocated: expected a function of one "
                            "block, found ")
             << func.getBody().getBlocks().size();
    for (BlockArgument argument : func.getArguments())
      if (failed(add(argument)))
        return failure();
    numArguments = tensors.size();
    for (Operation &op : func.getBody().front())
      if (failed(visit(&op)))
        return failure();
    return success();
  }

  /// Chooses the addresses. Memory is used again only where tensors that keep
  /// their places would take more than half of it.
  LogicalResult place() {
    for (MemorySpace space : {MemorySpace::DeviceL1, MemorySpace::DeviceDRAM}) {
      auto [base, end] = getBounds(space);
      MemoryPlan inARow(base, end, getAlignment(), /*reuse=*/false);
      bool fits = succeeded(place(space, inARow, /*report=*/false));
      uint64_t taken = inARow.getHighWater() - inARow.getBase();
      if (!fits || taken > (end - base) / 2) {
        MemoryPlan reused(base, end, getAlignment(), /*reuse=*/true);
        if (failed(place(space, reused, /*report=*/true)))
          return failure();
        taken = reused.getHighWater() - reused.getBase();
      }
      (space == MemorySpace::DeviceL1 ? l1Bytes : dramBytes) = taken;
    }
    return success();
  }

  void rewrite() {
    MLIRContext *context = func.getContext();
    SmallVector<Attribute> arguments;
    for (const Tensor &tensor : ArrayRef(tensors).take_front(numArguments))
      arguments.push_back(ArgumentAllocationAttr::get(
          context, tensor.address, tensor.size, tensor.space));
    func->setDiscardableAttr(ArgumentAllocationAttr::name,
                             ArrayAttr::get(context, arguments));

    for (Tensor &tensor :
         MutableArrayRef<Tensor>(tensors).drop_front(numArguments)) {
      Operation *made = tensor.value.getDefiningOp();
      OpBuilder builder(made);
      auto alloc =
          AllocOp::create(builder, made->getLoc(), tensor.value.getType(),
                          tensor.address, tensor.size, tensor.space);
      Value value = alloc.getResult();
      if (!isa<tensor::EmptyOp>(made))
        value = fill(builder, made, value);
      if (tensor.last) {
        builder.setInsertionPointAfter(
            tensor.last == made ? value.getDefiningOp() : tensor.last);
        DeallocOp::create(builder, tensor.last->getLoc(), alloc.getResult());
      }
      tensor.value.replaceAllUsesWith(value);
      made->erase();
    }
  }

  size_t getNumAllocs() const { return tensors.size() - numArguments; }

  uint64_t l1Bytes = 0, dramBytes = 0;

private:
  LogicalResult add(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    LayoutAttr layout = getLayoutOf(value.getType());
    if (!layout)
      return emitError(value.getLoc(),
                       "cannot be allocated: expected a tensor with a layout "
                       "(run ttir-layout first), found ")
             << value.getType();
    MemorySpace space = layout.getMemorySpace();
    uint64_t size = device.getTensorSizeBytes(type);
    if (isPaged(layout))
      size = getPages(type, std::max(1u, system.getAddressAlignBytes(space)))
                 .getBytesPerBank(getNumBanks(layout));
    if (size == 0)
      return emitError(value.getLoc(),
                       "cannot be allocated: expected a tensor of at least one "
                       "byte, found ")
             << type;
    indices[value] = tensors.size();
    tensors.push_back({value, space, size});
    return success();
  }

  /// Follows results in destination-passing style back to their destination.
  LogicalResult visit(Operation *op) {
    // Regions of ops see the op's operands only, through their arguments.
    for (Value operand : op->getOperands())
      if (auto it = indices.find(operand); it != indices.end()) {
        size_t index = it->second;
        tensors[index].last = isa<func::ReturnOp>(op) ? nullptr : op;
      }
    if (isCreation(op)) {
      if (failed(add(op->getResult(0))))
        return failure();
      tensors.back().last = op;
      return success();
    }
    if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
      for (OpResult result : op->getResults()) {
        auto it = indices.find(dps.getTiedOpOperand(result)->get());
        if (it != indices.end()) {
          size_t index = it->second;
          indices[result] = index;
        }
      }
    return success();
  }

  std::pair<uint64_t, uint64_t> getBounds(MemorySpace space) const {
    if (space == MemorySpace::DeviceL1)
      return {chip.getL1UnreservedBase(), chip.getL1Size()};
    return {chip.getDramUnreservedBase(), chip.getDramUnreservedEnd()};
  }

  /// The banks that pages go to: those of the whole chip, even of a device that
  /// works on some of its cores.
  uint64_t getNumBanks(LayoutAttr layout) const {
    if (layout.getMemLayout() == TensorMemoryLayout::SingleBank)
      return 1;
    return layout.getMemorySpace() == MemorySpace::DeviceDRAM
               ? chip.getChipPhysicalCores().getDram().size()
               : volume(chip.getGrid());
  }

  /// Of addresses: transfers with both memories begin at places that agree
  /// modulo the alignment of either.
  unsigned getAlignment() const {
    return std::max(1u, system.getAddressAlignBytes());
  }

  /// Gives the tensors of one memory their addresses in the order in which they
  /// come to be, and takes them back behind their last use.
  LogicalResult place(MemorySpace space, MemoryPlan &plan, bool report) {
    llvm::DenseMap<Operation *, SmallVector<size_t, 2>> begins, ends;
    for (auto [index, tensor] : llvm::enumerate(tensors)) {
      if (tensor.space != space)
        continue;
      if (index >= numArguments)
        begins[tensor.value.getDefiningOp()].push_back(index);
      else if (failed(place(index, plan, report)))
        return failure();
      // Arguments stay: whoever calls may look at them again.
      if (tensor.last && index >= numArguments)
        ends[tensor.last].push_back(index);
    }
    for (Operation &op : func.getBody().front()) {
      for (size_t index : begins.lookup(&op))
        if (failed(place(index, plan, report)))
          return failure();
      for (size_t index : ends.lookup(&op))
        plan.free(tensors[index].address, tensors[index].size);
    }
    return success();
  }

  LogicalResult place(size_t index, MemoryPlan &plan, bool report) {
    Tensor &tensor = tensors[index];
    if (std::optional<uint64_t> address = plan.allocate(tensor.size)) {
      tensor.address = *address;
      return success();
    }
    return report ? reportOutOfMemory(index, plan) : failure();
  }

  /// What is in memory when the tensor comes, the largest first.
  LogicalResult reportOutOfMemory(size_t index, const MemoryPlan &plan) {
    const Tensor &tensor = tensors[index];
    Operation *now = tensor.value.getDefiningOp();
    SmallVector<const Tensor *> live;
    uint64_t bytes = 0;
    for (const Tensor &other : ArrayRef(tensors).take_front(index)) {
      bool isOver = &other - tensors.data() >= std::ptrdiff_t(numArguments) &&
                    other.last && now && other.last->isBeforeInBlock(now);
      if (other.space != tensor.space || isOver)
        continue;
      live.push_back(&other);
      bytes += other.size;
    }
    llvm::stable_sort(live, [](const Tensor *a, const Tensor *b) {
      return a->size > b->size;
    });
    bool isL1 = tensor.space == MemorySpace::DeviceL1;
    InFlightDiagnostic diagnostic = emitError(tensor.value.getLoc());
    diagnostic << "out of memory in " << stringifyMemorySpace(tensor.space)
               << ": expected at most " << plan.getEnd() - plan.getBase()
               << (isL1 ? " bytes a core" : " bytes a bank") << ", found "
               << bytes << " bytes in " << live.size()
               << " live tensors and another " << tensor.size << " for "
               << tensor.value.getType();
    constexpr size_t kMaxNotes = 8;
    for (const Tensor *other : ArrayRef(live).take_front(kMaxNotes))
      diagnostic.attachNote(other->value.getLoc())
          << other->size << " bytes at " << other->address << ": "
          << other->value.getType();
    if (live.size() > kMaxNotes)
      diagnostic.attachNote(tensor.value.getLoc())
          << "and " << live.size() - kMaxNotes << " smaller ones";
    return diagnostic;
  }

  /// The elements that a creation makes, written into the tensor `into`.
  static Value fill(OpBuilder &builder, Operation *creation, Value into) {
    auto type = cast<RankedTensorType>(into.getType());
    auto anywhere = OperandConstraintAttr::get(builder.getContext(),
                                               OperandConstraint::AnyDevice);
    return FillOp::create(builder, creation->getLoc(), type, into,
                          getElements(creation),
                          builder.getArrayAttr({anywhere}))
        .getResult();
  }

  func::FuncOp func;
  DeviceAttr device;
  SystemDescAttr system;
  ChipDescAttr chip;
  SmallVector<Tensor> tensors;
  size_t numArguments = 0;
  /// The tensor that a value lies in.
  llvm::DenseMap<Value, size_t> indices;
};

class TTIRAllocate : public impl::TTIRAllocateBase<TTIRAllocate> {
public:
  using impl::TTIRAllocateBase<TTIRAllocate>::TTIRAllocateBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    DeviceAttr device = getOrCreateDevice(module);
    auto system = module->getAttrOfType<SystemDescAttr>(SystemDescAttr::name);
    if (!device)
      return signalPassFailure();
    if (!system) {
      module.emitError("expected a module with 'tt.system_desc' to allocate "
                       "for, found none; run ttir-load-system-desc first");
      return signalPassFailure();
    }
    auto emitError = [&] { return module.emitError("ttir-allocate: "); };
    if (failed(device.verifyInSystem(emitError, system)))
      return signalPassFailure();
    for (auto func : module.getOps<func::FuncOp>()) {
      if (func.isExternal())
        continue;
      FunctionMemory memory(func, getChipView(device), system);
      if (failed(memory.collect()) || failed(memory.place()))
        return signalPassFailure();
      memory.rewrite();
      numAllocs += memory.getNumAllocs();
      l1Bytes += memory.l1Bytes;
      dramBytes += memory.dramBytes;
    }
  }
};

} // namespace
} // namespace mlir::tt::ttir
