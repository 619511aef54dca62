// Programs: kernels, circular buffers and semaphores on cores.
#ifndef TTM_PROGRAM_H
#define TTM_PROGRAM_H

#include "ttm/buffer.h"

#include <initializer_list>

namespace tt::tt_metal {

using KernelHandle = std::uint32_t;
using CBHandle = std::uint32_t;
using RuntimeArgsData = std::vector<std::uint32_t>;
using KernelConfig =
    std::variant<DataMovementConfig, ComputeConfig, EthernetConfig>;

class TTM_EXPORT CircularBufferConfig {
public:
  explicit CircularBufferConfig(std::uint32_t total_size)
      : total_size_(total_size) {}
  CircularBufferConfig(std::uint32_t total_size,
                       const std::map<std::uint8_t, DataFormat> &formats)
      : total_size_(total_size), formats_(formats) {}
  CircularBufferConfig(std::uint32_t total_size,
                       const std::map<std::uint8_t, DataFormat> &formats,
                       const Buffer &buffer)
      : CircularBufferConfig(total_size, formats) {
    set_globally_allocated_address(buffer);
  }

  CircularBufferConfig &set_page_size(std::uint8_t index, std::uint32_t bytes);
  CircularBufferConfig &set_total_size(std::uint32_t bytes) {
    total_size_ = bytes;
    return *this;
  }
  /// Uses the memory of a buffer in L1.
  CircularBufferConfig &set_globally_allocated_address(const Buffer &buffer) {
    address_ = static_cast<std::uint32_t>(buffer.address());
    return *this;
  }

  std::uint32_t total_size() const { return total_size_; }
  const std::map<std::uint8_t, DataFormat> &data_formats() const {
    return formats_;
  }
  const std::map<std::uint8_t, std::uint32_t> &page_sizes() const {
    return page_sizes_;
  }
  const std::optional<std::uint32_t> &globally_allocated_address() const {
    return address_;
  }

private:
  std::uint32_t total_size_;
  std::map<std::uint8_t, DataFormat> formats_;
  std::map<std::uint8_t, std::uint32_t> page_sizes_;
  std::optional<std::uint32_t> address_;
};

class TTM_EXPORT Program {
public:
  Program();
  ~Program();
  Program(Program &&) noexcept;
  Program &operator=(Program &&) noexcept;

  struct Impl;
  Impl &impl() const { return *impl_; }

private:
  std::unique_ptr<Impl> impl_;
};

TTM_EXPORT Program CreateProgram();

/// All circular buffers of one configuration share its memory.
TTM_EXPORT CBHandle CreateCircularBuffer(Program &program,
                                         const CoreSpec &cores,
                                         const CircularBufferConfig &config);
TTM_EXPORT void UpdateCircularBufferTotalSize(Program &program, CBHandle buffer,
                                              std::uint32_t bytes);
TTM_EXPORT void UpdateDynamicCircularBufferAddress(Program &program,
                                                   CBHandle circular,
                                                   const Buffer &buffer);
TTM_EXPORT const CircularBufferConfig &GetCircularBufferConfig(Program &program,
                                                               CBHandle buffer);

/// Creates a kernel from a file. A relative path is resolved against the
/// current folder, then `$TT_METAL_HOME`.
TTM_EXPORT KernelHandle CreateKernel(Program &program, const std::string &path,
                                     const CoreSpec &cores,
                                     const KernelConfig &config);
TTM_EXPORT KernelHandle CreateKernelFromString(Program &program,
                                               const std::string &text,
                                               const CoreSpec &cores,
                                               const KernelConfig &config);

/// Returns the id that kernels give to get_semaphore.
TTM_EXPORT std::uint32_t CreateSemaphore(Program &program,
                                         const CoreSpec &cores,
                                         std::uint32_t initial_value,
                                         CoreType type = CoreType::WORKER);

TTM_EXPORT void SetRuntimeArgs(const Program &program, KernelHandle kernel,
                               const CoreSpec &cores,
                               const std::vector<std::uint32_t> &args);
inline void SetRuntimeArgs(const Program &program, KernelHandle kernel,
                           const CoreSpec &cores,
                           std::initializer_list<std::uint32_t> args) {
  SetRuntimeArgs(program, kernel, cores, std::vector<std::uint32_t>(args));
}
/// The arguments of each core.
TTM_EXPORT void
SetRuntimeArgs(const Program &program, KernelHandle kernel,
               const std::vector<CoreCoord> &cores,
               const std::vector<std::vector<std::uint32_t>> &args);
TTM_EXPORT void SetCommonRuntimeArgs(const Program &program,
                                     KernelHandle kernel,
                                     const std::vector<std::uint32_t> &args);
/// The arguments may be modified.
TTM_EXPORT RuntimeArgsData &GetRuntimeArgs(const Program &program,
                                           KernelHandle kernel,
                                           const CoreCoord &core);
TTM_EXPORT RuntimeArgsData &GetCommonRuntimeArgs(const Program &program,
                                                 KernelHandle kernel);

} // namespace tt::tt_metal

#endif // TTM_PROGRAM_H
