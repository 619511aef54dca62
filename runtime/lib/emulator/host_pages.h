// Rows of a tensor in DRAM that are in memory of the host: kernels read the
// arrays of a call, and write its results, where the host has them.
#ifndef TT_RUNTIME_EMULATOR_HOST_PAGES_H
#define TT_RUNTIME_EMULATOR_HOST_PAGES_H

#include "emulator/tensor.h"

#include <atomic>
#include <mutex>

namespace tt::runtime::emulator {

/// The pages of a row-major tensor in DRAM, each a row, of one chip. Addresses
/// are those of the tensor's buffer; what pads a page is 0.
class HostPages {
public:
  enum class Access : std::uint8_t { Read, Write };

  /// Whether the rows of a host tensor are the pages of one in DRAM.
  static bool fit(const TensorData &host, const Layout &dram);

  /// With Access::Read the host's memory does not change: the first write
  /// brings all of it to DRAM.
  HostPages(TensorPtr host, TensorPtr dram, Access access);

  const TensorPtr &host() const { return host_; }
  bool isWritable() const { return access_ == Access::Write; }
  std::uint64_t rowBytes() const { return pageBytes_; }
  /// Whether byte `address` of a channel is of the tensor, and on the host.
  bool has(std::uint64_t address) const {
    return address - begin_ < bytes_ && onHost_.load(std::memory_order_acquire);
  }

  /// `bytes` bytes of a channel, which follow each other in a page; null for
  /// bytes of several pages, or behind a row.
  std::byte *find(std::uint64_t channel, std::uint64_t address,
                  std::uint64_t bytes) const;
  void read(std::uint64_t channel, std::uint64_t address, std::uint64_t bytes,
            std::byte *to) const;
  void write(std::uint64_t channel, std::uint64_t address, std::uint64_t bytes,
             const std::byte *from) const;

  /// Copies the tensor to DRAM, where it is from then on.
  void settle();

private:
  /// Calls `visit(row, at, count)` for the parts of pages that the bytes are,
  /// `at` bytes behind the first; `row` is null for what pads a page.
  template <typename Visit>
  void forParts(std::uint64_t channel, std::uint64_t address,
                std::uint64_t bytes, const Visit &visit) const;

  TensorPtr host_, dram_;
  Access access_;
  std::byte *rows_;
  std::uint64_t begin_, bytes_; // in a channel
  std::uint64_t pageBytes_, pageStride_, pages_, banks_, firstBank_;
  std::atomic<bool> onHost_ = true;
  std::mutex mutex_; // of settle()
};

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_HOST_PAGES_H
