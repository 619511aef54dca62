// Handles of the public API. They are cheap to copy; a copy shares the object.
#ifndef TT_RUNTIME_TYPES_H
#define TT_RUNTIME_TYPES_H

#include "tt/runtime/checks.h"
#include "tt/runtime/error.h"
#include "ttmlir/Target/Common/system_desc_generated.h"
#include "ttmlir/Target/Common/types_generated.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tt::runtime {

enum class DeviceRuntime {
  Disabled,
  TTNN,
  TTMetal,
};

/// "Disabled", "TTNN" or "TTMetal".
const char *deviceRuntimeName(DeviceRuntime runtime);

namespace detail {

struct ObjectImpl {
  std::shared_ptr<void> handle;

  ObjectImpl() = default;
  ObjectImpl(std::shared_ptr<void> handle) : handle(std::move(handle)) {}

  template <typename T> T &as() { return *static_cast<T *>(handle.get()); }
  template <typename T> const T &as() const {
    return *static_cast<const T *>(handle.get());
  }
};

/// An object that belongs to one runtime; `as` refuses another runtime's.
struct RuntimeCheckedObjectImpl {
  std::shared_ptr<void> handle;
  DeviceRuntime associatedRuntime;

  RuntimeCheckedObjectImpl(std::shared_ptr<void> handle, DeviceRuntime runtime)
      : handle(std::move(handle)), associatedRuntime(runtime) {}

  bool matchesRuntime(DeviceRuntime runtime) const {
    return associatedRuntime == runtime;
  }

  template <typename T> T &as(DeviceRuntime expectedRuntime) {
    check(expectedRuntime);
    return *static_cast<T *>(handle.get());
  }
  template <typename T> const T &as(DeviceRuntime expectedRuntime) const {
    check(expectedRuntime);
    return *static_cast<const T *>(handle.get());
  }

private:
  void check(DeviceRuntime expectedRuntime) const;
};

} // namespace detail

/// Shape and stride in elements, itemsize in bytes (0 for block floats, which
/// have no size per element). For a tensor whose shards stay on the chips of a
/// mesh, `shardDims` gives, for each axis of the mesh, the dimension that it
/// shards, or -1; `shardShape` is the shape of a shard, and `shape` that of the
/// whole tensor.
struct TensorDesc {
  std::vector<std::uint32_t> shape;
  std::vector<std::uint32_t> stride;
  std::uint32_t itemsize = 0;
  ::tt::target::DataType dataType = ::tt::target::DataType::Float32;
  std::vector<std::int64_t> shardDims, shardShape;
};

/// What the source says of an input or an output that the program has in
/// another type: the host narrows elements on the way in and widens them on the
/// way out. `shape` may be a scalar's, where the tensor has the shape 1, or
/// have extents of 0, where the tensor has one element that means nothing.
struct HostDesc {
  ::tt::target::HostType type = ::tt::target::HostType::Float32;
  std::vector<std::int64_t> shape;
};

/// What the source says of an argument of a program: its name, empty if it has
/// none, and what it is to callers.
struct ArgumentDesc {
  std::string name;
  ::tt::target::ArgumentType type = ::tt::target::ArgumentType::Input;
  /// The output that has its memory: the caller gives the tensor up. -1 for
  /// none.
  std::int32_t aliasedOutput = -1;
};

using DeviceIds = std::vector<int>;

/// How the matrix engine of kernels computes.
enum class Numerics : std::uint8_t {
  Fast,  // operands rounded to their format, products and sums in f32
  Exact, // phases, alignment and accumulation order of the engine
};

/// How a device runs TTMetal kernels.
struct DeviceOptions {
  // Reports what a chip would not: missing barriers, unaligned transfers, reads
  // of memory that was never written, and so on.
  bool checks = true;
  Numerics numerics = Numerics::Fast;
  // Most instructions of one thread of a kernel.
  std::uint64_t stepLimit = 2'000'000'000;
  // The folder of the kernels' sources on disk; empty for no comparison. They
  // must be those of the binary, since the emulator does not run C++.
  std::string kernelDirectory;
  // The enabled checks, while `checks` is on.
  CheckKinds checkKinds = kUsualChecks;
};

/// A line that a kernel printed on a core of the grid of workers.
struct DebugLine {
  int y = 0, x = 0;
  std::string thread; // "noc0", "noc1" or "compute"
  std::string text;
  int device = 0; // position of the chip in the mesh
};

/// A size-prefixed flatbuffer that has passed its verifiers; immutable.
struct Flatbuffer : public detail::ObjectImpl {
  using detail::ObjectImpl::ObjectImpl;

  /// Loads a .ttnn, .ttm or .ttsys file; the identifier decides which.
  static Flatbuffer loadFromPath(char const *path);
  /// The same from `size` bytes of memory, which are copied.
  static Flatbuffer loadFromMemory(void const *memory, std::size_t size);

  /// Writes the file; nothing is left at `path` if that fails.
  void store(char const *path) const;
  std::string_view getFileIdentifier() const;
  /// "major.minor.patch".
  std::string getVersion() const;
  std::string_view getTTMLIRGitHash() const;
  /// Strict JSON with default scalars, indented by 2. Without `elements`, the
  /// bytes of constants and goldens and the instructions of kernels are left
  /// out.
  std::string asJson(bool elements = true) const;

  /// The bytes with their size prefix.
  void const *data() const;
  std::size_t size() const;
};

struct SystemDesc : public Flatbuffer {
  using Flatbuffer::Flatbuffer;

  static SystemDesc loadFromPath(char const *path);
  static SystemDesc loadFromMemory(void const *memory, std::size_t size);

  ::tt::target::SystemDesc const *get() const;
  ::tt::target::SystemDesc const *operator->() const { return get(); }
};

/// The results of a function that a program keeps between runs. Programs share
/// those with the same fingerprint.
struct KeptResults {
  std::uint64_t fingerprint = 0;
  std::int64_t dramBytes = 0; // of a channel of each chip
};

/// The C++ of a kernel, for people, and the name of its file. The emulator runs
/// the compiled kernel beside it.
struct KernelText {
  std::string fileName;
  std::string text;
};

struct Binary : public Flatbuffer {
  using Flatbuffer::Flatbuffer;

  static Binary loadFromPath(char const *path);
  static Binary loadFromMemory(void const *memory, std::size_t size);
  /// Wraps a buffer of unknown size, as the compiler passes it; the size prefix
  /// states its length.
  static Binary loadFromHandle(std::shared_ptr<void> handle);

  std::uint32_t getNumPrograms() const;
  std::string_view getProgramName(std::uint32_t programIndex) const;
  std::vector<TensorDesc> getProgramInputs(std::uint32_t programIndex) const;
  std::vector<TensorDesc> getProgramOutputs(std::uint32_t programIndex) const;
  /// One for each input.
  std::vector<ArgumentDesc>
  getProgramArguments(std::uint32_t programIndex) const;
  /// What the source says of them; nothing where that is their TensorDesc.
  std::vector<std::optional<HostDesc>>
  getProgramInputHosts(std::uint32_t programIndex) const;
  std::vector<std::optional<HostDesc>>
  getProgramOutputHosts(std::uint32_t programIndex) const;
  /// The descriptions as in the file: where the tensors live.
  std::vector<::tt::target::TensorDesc const *>
  getProgramInputLayouts(std::uint32_t programIndex) const;
  std::vector<::tt::target::TensorDesc const *>
  getProgramOutputLayouts(std::uint32_t programIndex) const;
  /// The extents of the mesh that a program runs on and the ids of its chips,
  /// row-major; without ids it is the first chip of the device.
  std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>
  getProgramMesh(std::uint32_t programIndex) const;
  /// The kernels of a TTMetal program, in the order of its commands; none for a
  /// TTNN program.
  std::vector<KernelText> getProgramKernels(std::uint32_t programIndex) const;
  ::tt::target::SystemDesc const *getSystemDesc() const;
  /// The values that a program computes from constant tensors and keeps, by
  /// function.
  std::vector<KeptResults> getProgramKept(std::uint32_t programIndex) const;
  /// Frees what programs have kept of frozen tensors: the next run computes it
  /// again.
  void releaseKept() const;
};

struct Device : public detail::RuntimeCheckedObjectImpl {
  using detail::RuntimeCheckedObjectImpl::RuntimeCheckedObjectImpl;

  /// Wraps an object that the caller keeps alive.
  template <typename T> static Device borrow(T &object, DeviceRuntime runtime) {
    return Device(std::shared_ptr<void>(&object, [](void *) {}), runtime);
  }
};

/// A device for as long as somebody else keeps it open.
class WeakDevice {
public:
  explicit WeakDevice(Device const &device)
      : handle_(device.handle), runtime_(device.associatedRuntime) {}

  /// Nothing once it is closed because nobody had it any more.
  std::optional<Device> lock() const {
    if (auto handle = handle_.lock())
      return Device(std::move(handle), runtime_);
    return std::nullopt;
  }

private:
  std::weak_ptr<void> handle_;
  DeviceRuntime runtime_;
};

struct Event : public detail::RuntimeCheckedObjectImpl {
  using detail::RuntimeCheckedObjectImpl::RuntimeCheckedObjectImpl;
};

/// `data` is the host memory of a borrowed tensor, null for one that lives on a
/// device.
struct Tensor : public detail::RuntimeCheckedObjectImpl {
  std::shared_ptr<void> data;

  Tensor(std::shared_ptr<void> handle, std::shared_ptr<void> data,
         DeviceRuntime runtime)
      : detail::RuntimeCheckedObjectImpl(std::move(handle), runtime),
        data(std::move(data)) {}
};

} // namespace tt::runtime

#endif // TT_RUNTIME_TYPES_H
