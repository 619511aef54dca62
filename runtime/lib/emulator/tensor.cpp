#include "emulator/tensor.h"

#include "numerics/parallel.h"
#include "numerics/tiles.h"

#include <cstring>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

namespace tt::runtime::emulator {

Buffer::Buffer(std::shared_ptr<void> host)
    : host_(std::move(host)), base_(static_cast<std::byte *>(host_.get())) {}

Buffer::Buffer(Remote remote) : remote_(std::move(remote)) {}

Buffer::Buffer(std::shared_ptr<Chip> chip, Space space, std::int64_t bankBytes,
               std::string owner)
    : chip_(std::move(chip)), space_(space) {
  std::lock_guard lock(chip_->mutex());
  attach(chip_->memory(space).allocator.allocate(bankBytes, std::move(owner)),
         bankBytes);
}

Buffer::Buffer(std::shared_ptr<Chip> chip, Space space, std::int64_t address,
               std::int64_t bankBytes, std::string owner)
    : chip_(std::move(chip)), space_(space) {
  std::lock_guard lock(chip_->mutex());
  chip_->memory(space).allocator.reserve(address, bankBytes, std::move(owner));
  attach(address, bankBytes);
}

void Buffer::attach(std::int64_t address, std::int64_t bankBytes) {
  Memory &memory = chip_->memory(space_);
  address_ = address;
  bytes_ = bankBytes;
  generation_ = memory.generation;
  memory.arena.expectUse(address_, bankBytes);
  base_ = memory.arena.base() + address_;
  spacing_ = memory.arena.spacing();
}

void Buffer::clear(bool watch) {
  stale_ = watch && space_ == Space::Dram;
  if (!stale_)
    chip_->memory(space_).arena.clear(address_, bytes_);
  written_.clear();
  if (watch)
    written_.resize(std::size_t(chip_->geometry().banks(space_)));
}

void Buffer::zeroUnwritten() {
  if (!std::exchange(stale_, false))
    return;
  const auto zero = [this](std::int64_t bank) {
    const WrittenBytes &written = written_[std::size_t(bank)];
    const auto end = std::uint64_t(bytes_);
    for (std::uint64_t at = 0; (at = written.find(false, at, end)) != end;) {
      const std::uint64_t stop = written.find(true, at, end);
      std::memset(base_ + bank * spacing_ + at, 0, stop - at);
      at = stop;
    }
  };
  numerics::parallelFor(0, std::int64_t(written_.size()),
                        numerics::grainFor(bytes_),
                        [&](std::int64_t first, std::int64_t last) {
                          for (; first < last; ++first)
                            zero(first);
                        });
}

void Buffer::overwrite(const Layout &layout) {
  // Where the strides leave holes, no elements are written.
  if (stale_ && layout.dealsPages() && layout.dense)
    for (std::int64_t i = 0; i < layout.banks; ++i) {
      const std::int64_t own = layout.pagesBeside(i);
      WrittenBytes &written = written_[std::size_t(layout.bankOf(i))];
      if (layout.pageBytes == layout.pageStride)
        written.mark(0, std::uint64_t(own * layout.pageStride));
      else
        for (std::int64_t page = 0; page < own; ++page)
          written.mark(
              std::uint64_t(page * layout.pageStride),
              std::uint64_t(page * layout.pageStride + layout.pageBytes));
    }
  zeroUnwritten();
}

std::int64_t Buffer::deviceBytes() const {
  return chip_ ? bytes_ * chip_->geometry().banks(space_) : 0;
}

Buffer::~Buffer() { deallocate(); }

void Buffer::deallocate() {
  if (freed_)
    return;
  freed_ = true;
  host_.reset();
  if (!chip_)
    return;
  Memory &memory = chip_->memory(space_);
  std::lock_guard lock(chip_->mutex());
  if (memory.generation == generation_)
    memory.allocator.release(address_);
}

bool Buffer::live() const {
  return !freed_ && (!chip_ || chip_->memory(space_).generation == generation_);
}

void Buffer::checkLive() const {
  if (!live())
    raise(ErrorCategory::Argument,
          "expected a live tensor, found one that was deallocated");
}

std::byte *Buffer::base() const {
  checkLive();
  if (remote_)
    raise(ErrorCategory::Argument, "rank ", remote_->ranks->rank(),
          ": expected a tensor on a chip of this rank, found one of rank ",
          remote_->owner, ": all ranks together read tensors of whole meshes");
  return base_;
}

bool Buffer::overlaps(const Buffer &other) const {
  const auto bytes = [](const Buffer &b) {
    return b.chip_ ? b.bytes_ : std::int64_t(0);
  };
  return chip_ && chip_ == other.chip_ && space_ == other.space_ &&
         address_ < other.address_ + bytes(other) &&
         other.address_ < address_ + bytes(*this);
}

std::byte *View::tile(std::int64_t ty, std::int64_t tx) const {
  const Layout &l = *layout;
  if (l.placement == Placement::Linear)
    return linearUnit(linear(ty, tx), numerics::tileBytes(l.type));
  if (l.placement != Placement::Sharded)
    return page(ty * l.tileCols + tx);
  const std::int64_t height = l.shardRows / numerics::kTileDim;
  const std::int64_t width = l.shardCols / numerics::kTileDim;
  return shard(ty / height * l.shardsX + tx / width) +
         (ty % height * width + tx % width) * numerics::tileBytes(l.type);
}

std::int64_t View::linear(std::int64_t row, std::int64_t col) const {
  const Layout &l = *layout;
  const std::int64_t unit = l.tiled ? numerics::kTileDim : 1;
  const std::int64_t height = l.shardRows / unit, width = l.shardCols / unit;
  const std::int64_t shard = row / height * l.shardsAcross + col / width;
  return (shard * height + row % height) * width + col % width;
}

std::byte *View::element(std::int64_t row, std::int64_t col) const {
  const Layout &l = *layout;
  if (l.placement == Placement::Linear)
    return linearUnit(linear(row, col), l.elementSize());
  if (l.placement != Placement::Sharded)
    return page(row) + col * l.elementSize();
  return shard(row / l.shardRows * l.shardsX + col / l.shardCols) +
         (row % l.shardRows * l.shardCols + col % l.shardCols) *
             l.elementSize();
}

bool View::strided(std::int64_t *stride) const {
  const Layout &l = *layout;
  if (l.tiled || l.placement == Placement::Linear)
    return false;
  if (l.placement == Placement::Sharded) {
    *stride = l.shardCols;
    return l.shardsY * l.shardsX == 1;
  }
  if (l.banks != 1 && l.rows != 1)
    return false;
  *stride = l.pageStride / l.elementSize();
  return l.pageStride % l.elementSize() == 0;
}

TensorPtr remoteTensor(const Layout &layout, const std::shared_ptr<Chip> &chip,
                       const std::string &owner, Remote remote) {
  if (layout.onDevice()) {
    TensorPtr tensor = allocateTensor(layout, chip, owner);
    tensor->buffer->setRemote(std::move(remote));
    return tensor;
  }
  auto tensor = std::make_shared<TensorData>();
  tensor->layout = layout;
  tensor->buffer = std::make_shared<Buffer>(std::move(remote));
  return tensor;
}

void giveBackPages(const TensorData &tensor) {
  if (!tensor.mapped)
    return;
  // The pages at the ends have other bytes of the file, which come again, too.
  const std::int64_t page = sysconf(_SC_PAGESIZE);
  const auto base = reinterpret_cast<std::intptr_t>(tensor.buffer->base());
  const std::int64_t begin = base / page * page;
  madvise(reinterpret_cast<void *>(begin),
          std::size_t(base + tensor.layout.bankBytes - begin), MADV_DONTNEED);
}

TensorPtr allocateTensor(const Layout &layout,
                         const std::shared_ptr<Chip> &chip,
                         const std::string &owner) {
  auto tensor = std::make_shared<TensorData>();
  tensor->layout = layout;
  tensor->buffer =
      layout.onDevice()
          ? std::make_shared<Buffer>(chip, layout.space, layout.bankBytes,
                                     owner)
          : std::make_shared<Buffer>(allocateHost(layout.bankBytes));
  return tensor;
}

} // namespace tt::runtime::emulator
