#include "dialects/TT/Mesh.h"
#include "dialects/TT/Remarks.h"
#include "dialects/TT/TTOps.h"
#include "dialects/TT/TensorLayout.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Memory/FunctionTensors.h"
#include "dialects/TTIR/Transforms/Memory/MemoryPlan.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRALLOCATE
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kAllocationRemarks("ttir-allocate");

/// The part of a memory in which the tensors of a function keep their places to
/// the end: a half of a core's L1, and a 64th of DRAM, of which a host that
/// emulates the chip has to have what is written.
uint64_t getKept(MemorySpace space, uint64_t bytes) {
  return bytes / (space == MemorySpace::DeviceL1 ? 2 : 64);
}

/// The places of the tensors of one function.
class FunctionMemory {
public:
  FunctionMemory(func::FuncOp func, DeviceAttr device, SystemDescAttr system,
                 const TakenMemory &taken)
      : end(taken), func(func), tensors(func, device, system, taken) {}

  /// Finds what is to be allocated, and chooses the addresses. Memory is reused
  /// only if separate places for all tensors would need more than getKept() of
  /// it.
  LogicalResult place() {
    if (failed(tensors.collect()))
      return failure();
    for (MemorySpace space : {MemorySpace::DeviceL1, MemorySpace::DeviceDRAM}) {
      auto [base, end] = tensors.getBounds(space);
      unsigned alignment = tensors.getAlignment();
      MemoryPlan inARow(base, end, alignment, /*reuse=*/false);
      bool fits = succeeded(place(space, inARow, /*report=*/false));
      uint64_t taken = inARow.getHighWater() - inARow.getBase();
      uint64_t kept = getKept(space, end - base), separate = taken;
      bool reuses = !fits || taken > kept;
      if (reuses) {
        MemoryPlan reused(base, end, alignment, /*reuse=*/true);
        if (failed(place(space, reused, /*report=*/true)))
          return failure();
        taken = reused.getHighWater() - reused.getBase();
      }
      if (taken != 0)
        this->end.get(space) = inARow.getBase() + taken;
      if (taken != 0)
        reportPlan(space, taken, reuses, separate, kept);
      (space == MemorySpace::DeviceL1 ? l1Bytes : dramBytes) = taken;
    }
    return success();
  }

  void rewrite() {
    MLIRContext *context = func.getContext();
    SmallVector<Attribute> arguments;
    for (const LiveTensor &tensor :
         tensors.get().take_front(tensors.getNumArguments()))
      arguments.push_back(ArgumentAllocationAttr::get(
          context, tensor.address, tensor.isElsewhere ? 0 : tensor.size,
          tensor.space));
    func->setDiscardableAttr(ArgumentAllocationAttr::name,
                             ArrayAttr::get(context, arguments));

    for (LiveTensor &tensor : tensors.getWithoutArguments()) {
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

  size_t getNumAllocs() { return tensors.getWithoutArguments().size(); }

  uint64_t l1Bytes = 0, dramBytes = 0;
  /// With what callers have.
  TakenMemory end;

private:
  /// Allocates the tensors of one memory in the order in which they are
  /// created, and frees them after their last use.
  LogicalResult place(MemorySpace space, MemoryPlan &plan, bool report) {
    auto begin = [&](LiveTensor &tensor) -> LogicalResult {
      std::optional<uint64_t> address = plan.allocate(tensor.size);
      if (!address)
        return report ? reportOutOfMemory(tensor, plan) : failure();
      tensor.address = *address;
      return success();
    };
    return tensors.replay(space, begin, [&](LiveTensor &tensor) {
      plan.free(tensor.address, tensor.size);
    });
  }

  void reportPlan(MemorySpace space, uint64_t taken, bool reuses,
                  uint64_t separate, uint64_t kept) {
    auto remark =
        kAllocationRemarks.passed(func, reuses ? "Reused" : "Separate");
    if (!remark)
      return;
    StringRef name = stringifyMemorySpace(space);
    StringRef unit = space == MemorySpace::DeviceL1 ? "a core" : "a bank";
    if (reuses)
      remark << reason("tensors in {0} take {1} bytes {2}: one takes the place "
                       "of those that are not needed any more",
                       name, taken, unit)
             << rejected("a place for each: {0} bytes, of {1} that may stay "
                         "taken to the end",
                         separate, kept);
    else
      remark << reason("tensors in {0} take {1} bytes {2}, each a place of its "
                       "own to the end",
                       name, taken, unit)
             << rejected("places of others: all take less than the {0} bytes "
                         "that may stay taken",
                         kept);
  }

  /// What is in memory when the tensor comes, the largest first.
  LogicalResult reportOutOfMemory(const LiveTensor &tensor,
                                  const MemoryPlan &plan) {
    Operation *now = tensor.value.getDefiningOp();
    SmallVector<const LiveTensor *> live;
    uint64_t bytes = 0;
    for (const LiveTensor &other : tensors.get()) {
      if (&other == &tensor)
        break;
      bool isOver = other.value.getDefiningOp() && other.last && now &&
                    other.last->isBeforeInBlock(now);
      if (other.space != tensor.space || isOver)
        continue;
      live.push_back(&other);
      bytes += other.size;
    }
    llvm::stable_sort(live, [](const LiveTensor *a, const LiveTensor *b) {
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
    for (const LiveTensor *other : ArrayRef(live).take_front(kMaxNotes))
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
  FunctionTensors tensors;
};

class TTIRAllocate : public impl::TTIRAllocateBase<TTIRAllocate> {
public:
  using impl::TTIRAllocateBase<TTIRAllocate>::TTIRAllocateBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    if (failed(verifyPlacedTensors(module)))
      return signalPassFailure();
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
    eraseUnusedParts(module);
    for (auto func : module.getOps<func::FuncOp>())
      if (!func.isExternal() && !func->hasAttr(kPartAttr) &&
          failed(place(func, getChipView(device), system, {})))
        return signalPassFailure();
  }

private:
  /// Erases the parts of control flow that was erased because nobody read its
  /// results: no function gives them memory.
  static void eraseUnusedParts(ModuleOp module) {
    SymbolTable symbols(module);
    DenseSet<Operation *> used;
    SmallVector<func::FuncOp> worklist;
    for (auto func : module.getOps<func::FuncOp>())
      if (!func->hasAttr(kPartAttr))
        worklist.push_back(func);
    while (!worklist.empty())
      worklist.pop_back_val().walk([&](Operation *op) {
        if (isControlFlow(op))
          for (FlatSymbolRefAttr name : getParts(op))
            if (auto part = symbols.lookup<func::FuncOp>(name.getValue());
                part && used.insert(part).second)
              worklist.push_back(part);
      });
    for (auto func : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (func->hasAttr(kPartAttr) && !used.contains(func))
        symbols.erase(func);
  }

  /// Places the tensors of a function, and behind them those of its parts,
  /// which run while it has them.
  LogicalResult place(func::FuncOp func, DeviceAttr chip, SystemDescAttr system,
                      const TakenMemory &taken) {
    FunctionMemory memory(func, chip, system, taken);
    if (failed(memory.place()))
      return failure();
    memory.rewrite();
    numAllocs += memory.getNumAllocs();
    l1Bytes += memory.l1Bytes;
    dramBytes += memory.dramBytes;
    if (func->hasAttr(kPartAttr) && taken.l1 != 0)
      func->setAttr(kTakenL1Attr,
                    Builder(&getContext()).getI64IntegerAttr(taken.l1));
    for (Operation &op : func.getBody().front())
      if (isControlFlow(&op) && !isa<CallOp>(op))
        for (FlatSymbolRefAttr name : getParts(&op))
          if (failed(place(
                  SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(&op, name),
                  chip, system, memory.end)))
            return failure();
    return success();
  }
};

} // namespace
} // namespace mlir::tt::ttir
