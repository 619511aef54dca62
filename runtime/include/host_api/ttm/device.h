// Devices and their queues. Commands complete before they return, so `blocking`
// and Finish have no effect.
#ifndef TTM_DEVICE_H
#define TTM_DEVICE_H

#include "ttm/program.h"

namespace tt::tt_metal {

class CommandQueue;

/// A chip, or a mesh of chips.
class TTM_EXPORT IDevice {
public:
  struct Impl;
  explicit IDevice(std::unique_ptr<Impl> impl);
  virtual ~IDevice();

  ChipId id() const;
  tt::ARCH arch() const;
  CoreCoord logical_grid_size() const;
  CoreCoord compute_with_storage_grid_size() const {
    return logical_grid_size();
  }
  CoreCoord dram_grid_size() const;
  std::uint32_t num_dram_channels() const;
  std::uint32_t l1_size_per_core() const;
  std::uint32_t dram_size_per_channel() const;
  /// The NoC coordinates of the core.
  CoreCoord worker_core_from_logical_core(const CoreCoord &core) const;
  CommandQueue &command_queue(std::size_t id = 0);
  virtual bool close();

  Impl &impl() const { return *impl_; }

private:
  std::unique_ptr<Impl> impl_;
};
using Device = IDevice;

class CommandQueue {
public:
  explicit CommandQueue(IDevice &device, std::uint32_t id = 0)
      : device_(&device), id_(id) {}
  IDevice *device() const { return device_; }
  std::uint32_t id() const { return id_; }

private:
  IDevice *device_;
  std::uint32_t id_;
};

TTM_EXPORT std::size_t GetNumAvailableDevices();
TTM_EXPORT IDevice *CreateDevice(ChipId device_id, std::uint8_t num_hw_cqs = 1,
                                 std::size_t l1_small_size = 0,
                                 std::size_t trace_region_size = 0);
TTM_EXPORT bool CloseDevice(IDevice *device);

namespace detail {
/// Transfers a buffer page by page: on all chips that have it, or on the one at
/// a position.
TTM_EXPORT void writeBytes(const Buffer &buffer, const void *data,
                           std::size_t bytes);
TTM_EXPORT void writeBytes(const Buffer &buffer, std::uint32_t position,
                           const void *data, std::size_t bytes);
TTM_EXPORT void readBytes(const Buffer &buffer, std::uint32_t position,
                          void *data, std::size_t bytes);
TTM_EXPORT void writeL1(IDevice &device, const CoreCoord &core,
                        std::uint32_t address, const void *data,
                        std::size_t bytes);
TTM_EXPORT void readL1(IDevice &device, const CoreCoord &core,
                       std::uint32_t address, void *data, std::size_t bytes);

template <typename T>
void WriteToBuffer(const Buffer &buffer, const std::vector<T> &data) {
  writeBytes(buffer, data.data(), data.size() * sizeof(T));
}
template <typename T>
void WriteToBuffer(const std::shared_ptr<Buffer> &buffer,
                   const std::vector<T> &data) {
  WriteToBuffer(*buffer, data);
}
template <typename T>
void ReadFromBuffer(const Buffer &buffer, std::vector<T> &data) {
  data.resize((buffer.size() + sizeof(T) - 1) / sizeof(T));
  readBytes(buffer, 0, data.data(), buffer.size());
}
template <typename T>
void ReadFromBuffer(const std::shared_ptr<Buffer> &buffer,
                    std::vector<T> &data) {
  ReadFromBuffer(*buffer, data);
}
template <typename T>
bool WriteToDeviceL1(IDevice *device, const CoreCoord &core,
                     std::uint32_t address, const std::vector<T> &data) {
  writeL1(*device, core, address, data.data(), data.size() * sizeof(T));
  return true;
}
template <typename T>
bool ReadFromDeviceL1(IDevice *device, const CoreCoord &core,
                      std::uint32_t address, std::uint32_t bytes,
                      std::vector<T> &data) {
  data.resize((bytes + sizeof(T) - 1) / sizeof(T));
  readL1(*device, core, address, data.data(), bytes);
  return true;
}
TTM_EXPORT void CompileProgram(IDevice *device, Program &program);
TTM_EXPORT void LaunchProgram(IDevice *device, Program &program,
                              bool wait_until_cores_done = true);
} // namespace detail

// Runs on one chip, as in 2024.
inline const Buffer &bufferOf(const Buffer &buffer) { return buffer; }
inline const Buffer &bufferOf(const std::shared_ptr<Buffer> &buffer) {
  return *buffer;
}

template <typename B, typename T>
void EnqueueWriteBuffer(CommandQueue &, const B &buffer,
                        const std::vector<T> &data, bool = false) {
  detail::WriteToBuffer(bufferOf(buffer), data);
}
template <typename B>
void EnqueueWriteBuffer(CommandQueue &, const B &buffer, const void *data,
                        bool = false) {
  detail::writeBytes(bufferOf(buffer), data, bufferOf(buffer).size());
}
template <typename B, typename T>
void EnqueueReadBuffer(CommandQueue &, const B &buffer, std::vector<T> &data,
                       bool = true) {
  detail::ReadFromBuffer(bufferOf(buffer), data);
}
template <typename B>
void EnqueueReadBuffer(CommandQueue &, const B &buffer, void *data,
                       bool = true) {
  detail::readBytes(bufferOf(buffer), 0, data, bufferOf(buffer).size());
}
TTM_EXPORT void EnqueueProgram(CommandQueue &queue, Program &program,
                               bool blocking = false);
inline void Finish(CommandQueue &) {}

} // namespace tt::tt_metal

#endif // TTM_DEVICE_H
