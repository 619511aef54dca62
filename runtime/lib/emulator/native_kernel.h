// C++ kernels, compiled to shared objects.
#ifndef TT_RUNTIME_EMULATOR_NATIVE_KERNEL_H
#define TT_RUNTIME_EMULATOR_NATIVE_KERNEL_H

#include "emulator/native_ops.h"
#include "emulator/program.h"
#include "kernel_api/ttk/abi.h"
#include "tt/runtime/native_kernels.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tt::runtime::emulator {

/// A loaded shared object.
class NativeObject {
public:
  /// Throws Error(File) for a file that is not the object of a kernel, and
  /// Error(Version) for an object of another version.
  explicit NativeObject(const std::string &path);
  ~NativeObject();
  NativeObject(const NativeObject &) = delete;
  NativeObject &operator=(const NativeObject &) = delete;

  const ttk::KernelInfo &info() const { return *info_; }
  std::uintptr_t base() const { return base_; }
  /// It is linked with libraries of the host, such as for the time of day. What
  /// other objects do depends on arguments and on what they load alone.
  bool usesHost() const { return usesHost_; }
  /// What its threads have issued.
  NativeOps &ops() const { return ops_; }

private:
  void *handle_ = nullptr;
  const ttk::KernelInfo *info_ = nullptr;
  std::uintptr_t base_ = 0;
  bool usesHost_ = false;
  mutable NativeOps ops_;
};

/// A kernel of a launch that an object implements; shared by its threads.
class NativeKernel {
public:
  NativeKernel(NativeKernelUse use,
               const std::vector<NativeTensorUse> &tensors);

  /// The instructions in the text of the kernel, which must be known before it
  /// runs, in any order and without operands other than circular buffers.
  const std::shared_ptr<const KernelProgram> &program() const {
    return program_;
  }
  /// The object for a thread: its own copy if the object has variables.
  std::shared_ptr<const NativeObject> objectForThread() const;
  /// The lines of the code.
  const std::vector<NativeLine> &lines() const { return use_.lines; }
  /// "reader.cpp:12"; empty for an unknown place.
  std::string describe(const ttk::Site &site, const NativeObject &object) const;
  /// The index of the tensor at an address, or one past the last.
  std::uint32_t find(std::uint32_t address, std::uint32_t pageBytes,
                     bool dram) const;

private:
  NativeKernelUse use_;
  std::shared_ptr<const NativeObject> object_;
  std::shared_ptr<const KernelProgram> program_;
  std::vector<std::uint32_t> addresses_; // by accessor
};

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_NATIVE_KERNEL_H
