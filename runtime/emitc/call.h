// A call of the C++ library: a program of one operation, made as the compiler
// makes programs, decoded, checked and run as the runtime does it. What a call
// computes is therefore what the flatbuffer of the same op computes, and an op
// that the schema and the executor know needs nothing here.
#ifndef TT_RUNTIME_EMITC_CALL_H
#define TT_RUNTIME_EMITC_CALL_H

#include "ttnn-precompiled.hpp"

#include "emulator/device.h"
#include "emulator/tensor.h"
#include "ttmlir/Target/TTNN/binary_generated.h"

#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace ttnn {

/// What a tensor's handles share. The elements are absent once it was
/// deallocated, and after a call failed to write them.
struct Tensor::Impl {
  TensorSpec spec;
  tt::runtime::emulator::TensorPtr data;
  bool written = true;
};

/// Chips of the current system, by position in their mesh.
class Device {
public:
  std::vector<std::uint32_t> meshShape, chips;
};

} // namespace ttnn

namespace ttnn::library {

namespace fbs = ::tt::target;
namespace runtime = ::tt::runtime;
namespace emulator = runtime::emulator;
namespace numerics = runtime::numerics;
using emulator::OpenDevice;
using flatbuffers::Offset;
using flatbuffers::Vector;
using runtime::ErrorCategory;
using runtime::raise;

/// The chips of the current system that were opened, at least one.
OpenDevice &openDevice();
/// The device that calls run on: the last one that was asked for.
const Device &currentDevice();
/// A tensor of such a layout on the chips of the device.
emulator::TensorPtr placeTensor(const Device &device,
                                const runtime::Layout &layout, const char *what,
                                emulator::TensorPtr tensor);

/// The memory of a tensor that has some; what nobody wrote is undefined.
const emulator::TensorPtr &dataOf(const Tensor &tensor);
/// The same for a tensor that is read: what nobody wrote is zero, as in a
/// program that reads before it writes.
const emulator::TensorPtr &elementsOf(const Tensor &tensor);

/// A handle of a new tensor.
Tensor makeTensor(TensorSpec spec, emulator::TensorPtr data);
/// The description that the schema has of it.
Offset<fbs::TensorDesc> makeDesc(flatbuffers::FlatBufferBuilder &fbb,
                                 const TensorSpec &spec);
/// Where the elements of such a tensor lie on the current chip.
runtime::Layout makeLayout(const TensorSpec &spec);

/// Turns every error of `body` into ttnn::Error with the function's name in
/// front.
template <typename Body> auto guarded(const char *name, const Body &body) {
  auto fail = [&](const char *message) {
    throw Error("ttnn::" + std::string(name) + ": " + message);
  };
  try {
    return body();
  } catch (const Error &) {
    throw;
  } catch (const std::bad_alloc &) {
    fail("host memory exhausted");
  } catch (const std::exception &error) {
    fail(error.what());
  }
  __builtin_unreachable();
}

/// A tensor that an op reads.
struct Operand {
  const Tensor &tensor;
  const TensorSpec &getType() const { return tensor.spec(); }
};

/// The tensor that an op in destination-passing style writes.
struct Destination {
  const Tensor &tensor;
};

/// One operation: first its tables are built, then it runs. Holds the lock of
/// the device.
class Call {
public:
  Call();
  Call(const Call &) = delete;

  /// A tensor that the operation reads.
  Offset<fbs::TensorRef> use(const Tensor &tensor);
  /// One that it writes.
  Offset<fbs::TensorRef> write(const Tensor &tensor);
  /// One that it makes.
  Offset<fbs::TensorRef> make(const TensorSpec &spec);
  /// Where the operation runs; null is no device.
  Offset<fbs::DeviceRef> device(const Device *device);

  /// Runs the operation; gives the tensor that it made or wrote, if any, the
  /// first of several.
  Tensor run(fbs::ttnn::OpType type, Offset<void> table,
             const std::optional<DeviceComputeKernelConfig> &config = {});
  /// One of the tensors that it wrote, in the order of the table's fields.
  Tensor result(std::size_t number) const { return Tensor(results[number]); }

  flatbuffers::FlatBufferBuilder builder;
  flatbuffers::FlatBufferBuilder *fbb = &builder;

private:
  Offset<fbs::TensorRef> ref(const Tensor &tensor);
  const fbs::ttnn::Program *
  finish(fbs::ttnn::OpType type, Offset<void> table,
         const std::optional<DeviceComputeKernelConfig> &config);

  OpenDevice &opened;
  std::lock_guard<emulator::RunMutex> lock;
  const Device *target;
  // The tensors that exist: `refs` by id - 1.
  std::vector<std::shared_ptr<Tensor::Impl>> tensors;
  std::vector<Offset<fbs::TensorRef>> refs;
  std::unordered_map<const Tensor::Impl *, std::size_t> known;
  // The one to be made, in place of one to be written.
  Offset<fbs::TensorRef> made;
  std::vector<std::shared_ptr<Tensor::Impl>> results;
};

} // namespace ttnn::library

#endif // TT_RUNTIME_EMITC_CALL_H
