#include "emulator/host_pages.h"

#include "emulator/tensor_copy.h"

#include <algorithm>
#include <cstring>

namespace tt::runtime::emulator {

bool HostPages::fit(const TensorData &host, const Layout &dram) {
  if (host.onMesh() || host.onDevice() || dram.space != Space::Dram)
    return false;
  const Layout &rows = host.layout;
  std::int64_t stride = 0;
  return !dram.tiled && dram.dealsPages() && dram.dense && rows.dense &&
         rows.type == dram.type && rows.rows == dram.rows &&
         rows.cols == dram.cols && host.view().strided(&stride) &&
         stride == rows.cols;
}

HostPages::HostPages(TensorPtr host, TensorPtr dram, Access access)
    : host_(std::move(host)), dram_(std::move(dram)), access_(access),
      rows_(host_->buffer->base()),
      begin_(std::uint64_t(dram_->buffer->address())),
      bytes_(std::uint64_t(dram_->buffer->bankBytes())),
      pageBytes_(std::uint64_t(dram_->layout.pageBytes)),
      pageStride_(std::uint64_t(dram_->layout.pageStride)),
      pages_(std::uint64_t(dram_->layout.pages())),
      banks_(std::uint64_t(dram_->layout.banks)),
      firstBank_(std::uint64_t(dram_->layout.firstBank)) {}

template <typename Visit>
void HostPages::forParts(std::uint64_t channel, std::uint64_t address,
                         std::uint64_t bytes, const Visit &visit) const {
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t offset = address - begin_ + done;
    const std::uint64_t within = offset % pageStride_;
    const std::uint64_t slot = offset / pageStride_;
    const std::uint64_t page = banks_ == 1 ? slot : slot * banks_ + channel;
    const bool isRow = within < pageBytes_ && page < pages_ &&
                       (banks_ > 1 || channel == firstBank_);
    const std::uint64_t count =
        std::min(bytes - done, (isRow ? pageBytes_ : pageStride_) - within);
    visit(isRow ? rows_ + page * pageBytes_ + within : nullptr, done, count);
    done += count;
  }
}

std::byte *HostPages::find(std::uint64_t channel, std::uint64_t address,
                           std::uint64_t bytes) const {
  std::byte *found = nullptr;
  forParts(channel, address, bytes,
           [&](std::byte *row, std::uint64_t, std::uint64_t count) {
             found = count == bytes ? row : nullptr;
           });
  return found;
}

void HostPages::read(std::uint64_t channel, std::uint64_t address,
                     std::uint64_t bytes, std::byte *to) const {
  forParts(channel, address, bytes,
           [&](const std::byte *row, std::uint64_t at, std::uint64_t count) {
             if (row)
               std::memcpy(to + at, row, count);
             else
               std::memset(to + at, 0, count);
           });
}

void HostPages::write(std::uint64_t channel, std::uint64_t address,
                      std::uint64_t bytes, const std::byte *from) const {
  forParts(channel, address, bytes,
           [&](std::byte *row, std::uint64_t at, std::uint64_t count) {
             if (row)
               std::memcpy(row, from + at, count);
           });
}

void HostPages::settle() {
  std::lock_guard lock(mutex_);
  if (!onHost_.load(std::memory_order_relaxed))
    return;
  Buffer &buffer = *dram_->buffer;
  if (!isWritable())
    buffer.overwrite(dram_->layout);
  copyTensor(host_->view(), dram_->view(), numerics::Rounding::Host);
  // Of a result kernels have written what the buffer knows.
  if (!isWritable())
    buffer.setWritten();
  onHost_.store(false, std::memory_order_release);
}

} // namespace tt::runtime::emulator
