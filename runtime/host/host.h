// The objects behind the host API.
#ifndef TT_RUNTIME_HOST_HOST_H
#define TT_RUNTIME_HOST_HOST_H

#include "ttm/distributed.h"
#include "ttm/emulator.h"

#include "emulator/device.h"
#include "emulator/fabric.h"
#include "emulator/native_kernel.h"
#include "emulator/tensor.h"
#include "tt/runtime/error.h"
#include "tt/runtime/kernel_compiler.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tt::tt_metal {

namespace emulator = runtime::emulator;
using runtime::ErrorCategory;
using runtime::NativeTensorUse;
using runtime::raise;

/// The chips of a device and what is on them. Bytes of buffers and programs are
/// the same on all chips.
struct IDevice::Impl {
  Impl(runtime::Device handle, std::vector<std::uint32_t> mesh)
      : handle(std::move(handle)), chips(open().chips), mesh(std::move(mesh)) {}

  runtime::Device handle;
  emulator::Chips chips; // by position
  std::vector<std::uint32_t> mesh;
  std::vector<std::unique_ptr<CommandQueue>> queues;
  std::vector<std::weak_ptr<Buffer::Impl>> buffers;
  /// The layouts of the buffers that compile-time arguments refer to, by index.
  std::vector<NativeTensorUse> layouts;
  ttmlir::Options options;
  // Of the last program.
  ttmlir::ProgramTime time;
  std::vector<std::string> notes;
  std::uint32_t programs = 0;

  emulator::OpenDevice &open() { return emulator::deviceOf(handle); }
  const runtime::ChipGeometry &geometry() const {
    return chips.front()->geometry();
  }
  /// The buffers that are not deallocated.
  std::vector<std::shared_ptr<Buffer::Impl>> liveBuffers();
};

struct Buffer::Impl {
  IDevice *device = nullptr;
  std::vector<std::shared_ptr<emulator::Buffer>> chips; // by position
  DeviceAddr size = 0;
  BufferType type = BufferType::DRAM;
  TensorMemoryLayout layout = TensorMemoryLayout::INTERLEAVED;
  /// Its pages, and the cores of its shards in their order.
  NativeTensorUse place;

  std::uint32_t pages() const { return place.rows * place.columns; }
  emulator::Buffer &on(std::uint32_t position) const;
  std::string describe() const;
};

struct KernelEntry {
  std::string name, path, text;
  CoreRangeSet cores;
  KernelConfig config;
  std::map<CoreCoord, RuntimeArgsData> args = {};
  RuntimeArgsData commonArgs = {};
  // The compiled object and its source.
  runtime::KernelUnit unit = {};
  std::vector<std::uint32_t> tensors = {}; // that it may address
  std::shared_ptr<const emulator::NativeKernel> native = {};
  runtime::CheckKinds unchecked = 0;
};

struct CircularBufferEntry {
  CoreRangeSet cores;
  CircularBufferConfig config;
};

struct Program::Impl {
  std::vector<KernelEntry> kernels;
  std::vector<CircularBufferEntry> buffers;
  std::vector<std::uint32_t> semaphores; // initial values
};

CoreRangeSet toSet(const CoreSpec &cores);
/// Returns the device; throws Error(Argument) if it is closed or null.
IDevice &checkDevice(IDevice *device);

/// Compiles the kernels of a program that are not compiled yet, for a device.
void compileKernels(IDevice::Impl &device, Program::Impl &program);
/// Records the object of a kernel, for the message of a crash.
void noteKernel(const std::string &object, const std::string &name,
                std::shared_ptr<const emulator::NativeKernel> native);
/// Runs a program on the chips at some positions, which form a mesh.
void run(IDevice &device, Program &program,
         const std::vector<std::uint32_t> &positions,
         const std::vector<std::uint32_t> &mesh);

} // namespace tt::tt_metal

#endif // TT_RUNTIME_HOST_HOST_H
