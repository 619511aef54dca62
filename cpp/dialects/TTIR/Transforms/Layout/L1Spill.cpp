#include "dialects/TTIR/Transforms/Layout/L1Spill.h"

#include "dialects/TTIR/Transforms/Layout/LayoutState.h"
#include "dialects/TTIR/Transforms/Memory/FunctionTensors.h"
#include "dialects/TTIR/Transforms/Memory/MemoryPlan.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

#include <set>

namespace mlir::tt::ttir {

namespace {

/// Whether the op runs kernels that are called by name, which work on L1 alone.
bool callsKernels(Operation *op) {
  auto generic = dyn_cast<GenericOp>(op);
  return generic && generic.getRegion().hasOneBlock() &&
         !generic.getRegion().front().getOps<KernelOp>().empty();
}

/// Which tensors of a function stay in L1.
class Spill {
public:
  Spill(func::FuncOp func, DeviceAttr device, SystemDescAttr system)
      : func(func), tensors(func, device, system) {}

  LogicalResult run(const DenseSet<Value> &stated, DenseSet<Value> &moved) {
    if (failed(tensors.collect()))
      return failure();
    for (const LiveTensor &tensor : tensors.get()) {
      LayoutAttr layout = getLayoutOf(tensor.value.getType());
      if (tensor.space == MemorySpace::DeviceL1 &&
          layout.getMemLayout() == TensorMemoryLayout::None &&
          layout.getGrid().getVolume() == 1)
        movable.insert(&tensor);
    }
    tensors.forEachValue([&](Value value, LiveTensor &tensor) {
      if (stated.contains(value) ||
          llvm::any_of(value.getUsers(), callsKernels))
        movable.erase(&tensor);
    });
    while (!plan()) {
    }
    tensors.forEachValue([&](Value value, LiveTensor &tensor) {
      if (!spilled.contains(&tensor))
        return;
      auto type = cast<RankedTensorType>(value.getType());
      LayoutAttr layout =
          cast<LayoutAttr>(type.getEncoding())
              .withMemorySpace(MemorySpace::DeviceDRAM)
              .withMemoryLayout(TensorMemoryLayout::Interleaved);
      value.setType(withLayout(type, layout));
      moved.insert(value);
    });
    return success();
  }

private:
  /// Allocates addresses as `ttir-allocate` does. False if a tensor that the
  /// program places has displaced another one: then the addresses before it
  /// change.
  bool plan() {
    auto [base, end] = tensors.getBounds(MemorySpace::DeviceL1);
    uint64_t limit = base + (end - base) / 2;
    MemoryPlan plan(base, end, tensors.getAlignment(),
                    /*reuse=*/true);
    std::set<LiveTensor *> live;
    bool isDone = true;
    auto begin = [&](LiveTensor &tensor) -> LogicalResult {
      std::optional<uint64_t> address = plan.allocate(tensor.size);
      bool mayMove = movable.contains(&tensor);
      if (address && (!mayMove || *address + tensor.size <= limit)) {
        tensor.address = *address;
        if (mayMove)
          live.insert(&tensor);
        return success();
      }
      if (address)
        plan.free(*address, tensor.size);
      LiveTensor *victim = mayMove ? &tensor : findLargest(live);
      if (victim) {
        spill(*victim);
        report(*victim, tensor,
               address ? *address + tensor.size - limit : tensor.size);
      }
      // If a tensor that the program places does not fit, the allocation emits
      // the error.
      isDone = mayMove || !victim;
      return success(mayMove);
    };
    (void)tensors.replay(MemorySpace::DeviceL1, begin, [&](LiveTensor &tensor) {
      plan.free(tensor.address, tensor.size);
      live.erase(&tensor);
    });
    return isDone;
  }

  static LiveTensor *findLargest(const std::set<LiveTensor *> &live) {
    auto largest = llvm::max_element(
        live, [](LiveTensor *a, LiveTensor *b) { return a->size < b->size; });
    return largest == live.end() ? nullptr : *largest;
  }

  void spill(LiveTensor &tensor) {
    tensor.space = MemorySpace::DeviceDRAM;
    movable.erase(&tensor);
    spilled.insert(&tensor);
  }

  /// `wanted` is the tensor for which `missing` bytes were not there.
  void report(const LiveTensor &tensor, const LiveTensor &wanted,
              uint64_t missing) {
    Operation *op = tensor.value.getDefiningOp();
    std::string name = "the result";
    if (auto argument = dyn_cast<BlockArgument>(tensor.value)) {
      op = func;
      name = "argument " + std::to_string(argument.getArgNumber());
    }
    // The op that writes an empty tensor.
    if (isa<tensor::EmptyOp>(op))
      for (OpOperand &use : tensor.value.getUses())
        if (auto dps = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
            dps && dps.isDpsInit(&use))
          op = dps;
    if (auto remark = kLayoutRemarks.missed(op, "NoRoom"))
      remark << reason("{0} goes to dram: {1} bytes of it are more than a "
                       "core's L1 has left for tensors",
                       name, tensor.size)
             << rejected(&tensor == &wanted
                             ? "in l1 {0} bytes are missing for it"
                             : "in l1 {0} bytes are missing for a tensor that "
                               "the program places there",
                         missing);
  }

  func::FuncOp func;
  FunctionTensors tensors;
  /// Tensors that `ttir-layout` has put in L1; and of these, those that are
  /// moved to DRAM.
  DenseSet<const LiveTensor *> movable, spilled;
};

} // namespace

LogicalResult spillL1(func::FuncOp func, DeviceAttr device,
                      SystemDescAttr system, const DenseSet<Value> &stated,
                      DenseSet<Value> &moved) {
  return Spill(func, device, system).run(stated, moved);
}

} // namespace mlir::tt::ttir
