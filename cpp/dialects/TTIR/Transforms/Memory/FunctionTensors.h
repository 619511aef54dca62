#ifndef DIALECTS_TTIR_TRANSFORMS_MEMORY_FUNCTIONTENSORS_H
#define DIALECTS_TTIR_TRANSFORMS_MEMORY_FUNCTIONTENSORS_H

#include "dialects/TTIR/TTIR.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::tt::ttir {

/// A tensor of a function and the time for which it has its place.
struct LiveTensor {
  /// The argument, or the result of the creation that makes it.
  Value value;
  MemorySpace space;
  /// Bytes in one core's L1, in one bank of DRAM, or on the host.
  uint64_t size;
  /// The last op that uses it; null if the function returns it.
  Operation *last = nullptr;
  uint64_t address = 0;
  /// Has no place in this function: an argument that only other functions read,
  /// what a part is given and returns, and what other functions are given and
  /// return in tiles in DRAM: it is where the caller has it, or where the
  /// runtime finds a place.
  bool isElsewhere = false;
};

/// The end of what functions have of the memories of the device; 0 for nothing.
struct TakenMemory {
  uint64_t l1 = 0, dram = 0;
  uint64_t &get(MemorySpace space) {
    return space == MemorySpace::DeviceL1 ? l1 : dram;
  }
};

/// The tensors of a function that need memory, and the order in which it is
/// allocated and freed.
class FunctionTensors {
public:
  /// `device` is the view of one chip, `taken` what callers of a part have of
  /// each memory.
  FunctionTensors(func::FuncOp func, DeviceAttr device, SystemDescAttr system,
                  const TakenMemory &taken = {})
      : func(func), device(device), system(system), taken(taken),
        chip(system.getChipDesc(device.getChipIds().front())) {}

  /// Finds the tensors, all of which have a layout, and when they are needed.
  LogicalResult collect();

  /// Arguments come first, then the others in the order of the text.
  MutableArrayRef<LiveTensor> get() { return tensors; }
  MutableArrayRef<LiveTensor> getWithoutArguments() {
    return get().drop_front(numArguments);
  }
  size_t getNumArguments() const { return numArguments; }

  /// The tensor of a value; null if it needs no memory.
  LiveTensor *lookup(Value value);
  /// Calls `visit` with every value that has a tensor.
  void forEachValue(function_ref<void(Value, LiveTensor &)> visit) {
    for (auto [value, index] : indices)
      visit(value, tensors[index]);
  }

  /// Walks the function: `begin` is called where a tensor of the memory is
  /// created, and `end` after its last use, if it is still in that memory.
  /// Arguments begin first and do not end: the caller may read them again.
  /// Stops if `begin` fails.
  LogicalResult replay(MemorySpace space,
                       function_ref<LogicalResult(LiveTensor &)> begin,
                       function_ref<void(LiveTensor &)> end);

  /// First byte of what a memory has for tensors, and the end of it.
  std::pair<uint64_t, uint64_t> getBounds(MemorySpace space) const;
  /// Of addresses: transfers with both memories begin at places that agree
  /// modulo the alignment of either.
  unsigned getAlignment() const {
    return std::max(1u, system.getAddressAlignBytes());
  }

private:
  LogicalResult add(Value value);
  LogicalResult visit(Operation *op);
  /// The banks that pages go to: those of the whole chip, even of a device that
  /// works on some of its cores.
  uint64_t getNumBanks(LayoutAttr layout) const;

  func::FuncOp func;
  DeviceAttr device;
  SystemDescAttr system;
  TakenMemory taken;
  ChipDescAttr chip;
  SmallVector<LiveTensor> tensors;
  size_t numArguments = 0;
  /// The index of the tensor of a value.
  llvm::MapVector<Value, size_t> indices;
};

} // namespace mlir::tt::ttir

#endif
