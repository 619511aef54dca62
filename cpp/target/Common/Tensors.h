#ifndef TARGET_COMMON_TENSORS_H
#define TARGET_COMMON_TENSORS_H

#include "dialects/TT/TT.h"

#include "ttmlir/Target/Common/types_generated.h"
#include "ttmlir/Target/Common/variable_generated.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <vector>

namespace mlir::tt::serialization {

namespace fbs = ::tt::target;
using ::flatbuffers::Offset;
using ::flatbuffers::Vector;

/// Where a tensor is stored: bytes, in every bank or core with a part of it.
struct Place {
  uint64_t address = 0;
  uint64_t size = 0;
};

/// Offsets in a flatbuffer are signed 32-bit numbers, and the builder would
/// abort at this size. Only constants and the texts of debugging reach it.
constexpr size_t kMaxBytes = FLATBUFFERS_MAX_BUFFER_SIZE - (1u << 24);
constexpr StringLiteral kTooLarge =
    "does not fit into the 2 GB of a flatbuffer, which has the bytes of "
    "constants and their texts: make large constants inputs of the program";

/// Everything that exists once in the flatbuffer of a module. Errors are
/// emitted at `currentOp` and remembered: the helpers below then return null
/// offsets, and the caller stops after the op.
struct FlatbufferObjectCache {
  FlatbufferObjectCache(::flatbuffers::FlatBufferBuilder &fbb,
                        DeviceAttr device)
      : fbb(&fbb), device(device) {}

  ::flatbuffers::FlatBufferBuilder *fbb;
  /// The device of the module.
  DeviceAttr device;
  /// The operation that is being serialized: where errors are emitted.
  Operation *currentOp = nullptr;
  bool failed = false;

  /// Bytes that will be added later: goldens, the C++ of kernels.
  size_t reserved = 0;

  /// Whether `bytes` more bytes fit; an error if they do not.
  bool hasRoom(size_t bytes);

  InFlightDiagnostic emitError() {
    failed = true;
    return currentOp->emitOpError();
  }

  /// The value that has the storage of `value`: for ops in destination-passing
  /// style that is the destination.
  Value getIdentity(Value value);

  uint32_t nextGlobalId = 1;
  llvm::DenseMap<Value, Value> identities;
  llvm::DenseMap<Value, Offset<fbs::TensorRef>> tensorRefs;
  llvm::DenseMap<Value, Offset<fbs::DeviceRef>> deviceRefs;
  /// Addresses and sizes that the compiler has allocated.
  llvm::DenseMap<Value, Place> places;
  /// Elements of constants that are part of the file.
  llvm::DenseMap<Value, ElementsAttr> constants;
  llvm::DenseMap<Type, Offset<fbs::TensorDesc>> tensorDescs;
  llvm::DenseMap<Location, Offset<::flatbuffers::String>> locations;
  /// By layout and logical shape, which together decide the strides.
  llvm::DenseMap<std::pair<Attribute, Attribute>, Offset<fbs::LayoutDesc>>
      layoutDescs;
  /// By shard, memory layout and bytes.
  llvm::DenseMap<std::tuple<Type, unsigned, uint64_t>, Offset<fbs::MemoryDesc>>
      memoryDescs;
  /// Those that functions have used so far, and their places by name.
  std::vector<Offset<fbs::Variable>> variables;
  llvm::StringMap<uint32_t> variableIndices;
};

/// One object for each value in destination-passing style; a null value gives
/// a null offset.
Offset<fbs::TensorRef> tensorRef(FlatbufferObjectCache &cache, Value value);
Offset<Vector<Offset<fbs::TensorRef>>> tensorRefs(FlatbufferObjectCache &cache,
                                                  ValueRange values);
/// A tensor of the host with these elements, or one element that all have; null
/// for zeros.
Offset<fbs::TensorDesc> hostTensorDesc(FlatbufferObjectCache &cache,
                                       RankedTensorType type,
                                       ElementsAttr elements);
/// What the source says of the arguments, or of the results, of a function;
/// null if that is what the program has.
Offset<Vector<Offset<fbs::HostDesc>>> hostDescs(FlatbufferObjectCache &cache,
                                                FunctionOpInterface function,
                                                bool ofResults);
/// Names and types of the arguments of a function, and which output has their
/// memory; null if they have none of these.
Offset<Vector<Offset<fbs::ArgumentDesc>>>
argumentDescs(FlatbufferObjectCache &cache, FunctionOpInterface function);
/// Shards of `memref`; `size` is in bytes.
Offset<fbs::MemoryDesc> memoryDesc(FlatbufferObjectCache &cache,
                                   MemRefType memref, MemorySpace memorySpace,
                                   TensorMemoryLayout memLayout, uint64_t size);

/// The number format of elements, and their bytes in row-major order.
fbs::DataType toElementType(FlatbufferObjectCache &cache, ElementsAttr attr);
Offset<Vector<uint8_t>> toElements(FlatbufferObjectCache &cache,
                                   ElementsAttr attr);

} // namespace mlir::tt::serialization

#endif
