// The objects behind the opaque pointers of the PJRT C API.
//
// Ownership: JAX owns clients, buffers, executables, events and errors, each by
// a pointer that it gives back to the function for that. Devices, their
// descriptions and their memories belong to the client. What several objects
// share is in a shared_ptr: the program of executables, the content of a
// buffer while jobs of the worker still need it.
//
// Threads: all functions may be called on any thread. Objects do not change
// after they were made, except for the content of a buffer, which a mutex
// guards, and the flag of a deleted executable.
#ifndef TT_PJRT_OBJECTS_H
#define TT_PJRT_OBJECTS_H

#include "failure.h"
#include "python_object.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tt::pjrt {

struct DeviceDescription {
  int id = 0;
  std::string kind;
  std::string text;      // "TTDevice(id=0)"
  std::string debugText; // with the kind and the system
  int process = 0;       // that emulates it
};

/// The DRAM of a chip.
struct Memory {
  Device *device = nullptr;
  std::string text;
};

/// What the arrays in the DRAM of a chip take. Thread-safe.
class MemoryAccount {
public:
  struct Stats {
    std::int64_t inUse = 0, peak = 0, count = 0, largest = 0;
  };

  MemoryAccount(std::string chip, std::int64_t limit)
      : chip_(std::move(chip)), limit_(limit) {}

  /// An error if there is no room for an array of that size.
  Failure reserve(std::int64_t bytes);
  /// An array that has memory turned out to take more, or less.
  void resize(std::int64_t from, std::int64_t to);
  void release(std::int64_t bytes) { resize(bytes, 0); }
  Stats stats() const;
  std::int64_t limit() const { return limit_; }

private:
  const std::string chip_;
  const std::int64_t limit_;
  mutable std::mutex mutex_;
  Stats stats_;
};

/// The Python object `Backend`, see jax_plugins/ttmlir/_backend.py. Shared by
/// the client, devices, buffers and executables.
using Backend = std::shared_ptr<Held>;

struct Device {
  Backend backend;
  std::shared_ptr<MemoryAccount> account;
  DeviceDescription description;
  Memory memory;
  Memory *memories[1] = {&memory};
  /// Among those of its process; negative if that is another one.
  int localId = -1;

  bool isAddressable() const { return localId >= 0; }
};

/// An error if another process has the device.
Error *checkAddressable(const Device &device);

struct Client {
  Backend backend;
  std::string platformVersion;
  int process = 0;
  std::vector<std::unique_ptr<Device>> devices;
  std::vector<Device *> devicePointers;
  // Of this process.
  std::vector<Device *> addressableDevices;
  std::vector<Memory *> memoryPointers;
};

/// The elements of a buffer: a Python object `Value`. Jobs of the worker set it
/// and read it, and know by `failure` why there is none.
class Content {
public:
  /// `ready` is what JAX waits for; of a copy of host memory it is over before
  /// the worker has it.
  Content(std::shared_ptr<MemoryAccount> account, std::int64_t bytes,
          std::shared_ptr<Completion> ready)
      : ready(std::move(ready)), account_(std::move(account)), bytes_(bytes) {}
  ~Content() { release(); }

  /// In jobs: the value, borrowed, or why there is none.
  Failure get(PyObject *&found) const;
  /// In jobs: counts the memory that the elements need at least, or says that
  /// there is none.
  Failure reserve();
  /// In jobs, once the value is there: counts what it takes on its chip, which
  /// stores whole tiles.
  Failure settle();
  /// In jobs, and at the end.
  void release();

  const std::shared_ptr<Completion> ready;
  Held value;
  Failure failure;

private:
  const std::shared_ptr<MemoryAccount> account_;
  std::int64_t bytes_;
  bool reserved_ = false;
};

/// A content for a tensor on the device.
std::shared_ptr<Content> makeContent(const Device &device, abi::BufferType type,
                                     const std::vector<std::int64_t> &dims,
                                     std::shared_ptr<Completion> ready);

/// Bytes of an element; 0 for a type that there is not.
std::size_t elementBytes(abi::BufferType type);
const char *elementName(abi::BufferType type);
/// Row-major, without gaps.
std::size_t tensorBytes(abi::BufferType type,
                        const std::vector<std::int64_t> &dims);

/// A tensor on a device, or on its way there.
struct Buffer {
  Device *device = nullptr;
  abi::BufferType type = abi::BufferType::Invalid;
  std::vector<std::int64_t> dims;
  std::vector<std::int64_t> minorToMajor;
  /// Outlives the content, for who asks after the buffer was deleted.
  std::shared_ptr<Completion> ready;

  Buffer(Device *device, abi::BufferType type, std::vector<std::int64_t> dims,
         std::shared_ptr<Content> content);

  /// Null once it was deleted or donated.
  std::shared_ptr<Content> content() const;
  /// Gives the content up: the buffer is deleted. Null if it was before.
  std::shared_ptr<Content> take();
  std::size_t bytes() const { return tensorBytes(type, dims); }
  /// "f32[2,3]"
  std::string describe() const;

private:
  mutable std::mutex mutex_;
  std::shared_ptr<Content> content_;
};

struct TensorType {
  abi::BufferType type;
  std::vector<std::int64_t> dims;
};

/// A compiled program: what the Python object `Program` said when it was made,
/// so that JAX can be answered without the interpreter.
struct CompiledProgram {
  Backend backend;
  Held object;
  std::string name;
  std::string fingerprint;
  std::string code;             // the program as it was given
  std::string compileOptions;   // a serialized CompileOptionsProto
  std::string deviceAssignment; // a serialized DeviceAssignmentProto
  std::size_t replicas = 1, partitions = 1;
  std::vector<Device *> devices; // of this process
  bool isDivided = false;        // other processes have devices of it
  std::vector<TensorType> inputs;
  std::vector<TensorType> outputs;
  std::vector<bool> donated; // by input
  std::int64_t codeBytes = 0;
  /// Of the last call, on the host; the longest time before the first one.
  std::atomic<std::chrono::nanoseconds> lastTime =
      std::chrono::nanoseconds::max();

  // The outputs as the interface wants them.
  std::vector<abi::BufferType> outputTypes;
  std::vector<std::int64_t> outputDims;
  std::vector<std::size_t> outputRanks;
  std::vector<const char *> outputMemoryKinds;
  std::vector<std::size_t> outputMemoryKindSizes;
};

struct Executable {
  std::shared_ptr<CompiledProgram> program;
};

struct LoadedExecutable {
  std::shared_ptr<CompiledProgram> program;
  std::atomic<bool> deleted = false;
};

constexpr char platformName[] = "tt";
constexpr char memoryKind[] = "device";

} // namespace tt::pjrt

#endif // TT_PJRT_OBJECTS_H
