// Buffers: placement in banks, and host transfers.
#include "host/host.h"

#include <algorithm>
#include <cstring>

namespace tt::tt_metal {

using runtime::Space;

namespace {

constexpr DeviceAddr kMost = DeviceAddr(1) << 40;

Space spaceOf(BufferType type) {
  return type == BufferType::DRAM ? Space::Dram : Space::L1;
}

std::uint32_t checkPages(DeviceAddr size, DeviceAddr page) {
  if (size == 0 || size > kMost || page == 0 || page > size)
    raise(ErrorCategory::Argument,
          "expected a positive buffer size and pages of at most that size, "
          "found ",
          size, " bytes in pages of ", page);
  const DeviceAddr pages = (size + page - 1) / page;
  if (pages > UINT32_MAX)
    raise(ErrorCategory::Argument, "expected less than 2^32 pages, found ",
          pages);
  return std::uint32_t(pages);
}

std::uint32_t align(DeviceAddr bytes, std::int64_t alignment) {
  const auto unit = DeviceAddr(alignment);
  return std::uint32_t((bytes + unit - 1) / unit * unit);
}

/// The location of a page: a bank, and an offset in bytes from the start of the
/// buffer there.
struct PagePlace {
  std::int64_t bank, offset;
};

PagePlace placeOf(const Buffer::Impl &buffer, std::uint32_t page) {
  const NativeTensorUse &place = buffer.place;
  std::uint32_t bank, slot;
  if (place.shardRows == 0) {
    const auto banks = std::uint32_t(
        buffer.device->impl().geometry().banks(spaceOf(buffer.type)));
    bank = page % banks;
    slot = page / banks;
  } else {
    const std::uint32_t row = page / place.columns;
    const std::uint32_t column = page % place.columns;
    const std::uint32_t across =
        (place.columns + place.shardColumns - 1) / place.shardColumns;
    const runtime::NativeCores &core =
        place.cores[row / place.shardRows * across +
                    column / place.shardColumns];
    bank =
        core.y * std::uint32_t(buffer.device->impl().geometry().gridX) + core.x;
    slot = row % place.shardRows * place.shardColumns +
           column % place.shardColumns;
  }
  return {bank, std::int64_t(slot) * place.alignedPageSize};
}

/// The highest free address of L1, away from circular buffers; the lowest one
/// of DRAM.
std::vector<std::shared_ptr<emulator::Buffer>>
allocate(IDevice::Impl &device, Space space, std::int64_t bytes,
         const std::string &owner, std::optional<DeviceAddr> address) {
  std::vector<std::shared_ptr<emulator::Buffer>> result;
  std::int64_t at = address ? std::int64_t(*address) : -1;
  if (!address && space == Space::L1)
    at = device.chips.front()->memory(space).allocator.findHighest(
        bytes, device.geometry().l1Size - bytes);
  for (const std::shared_ptr<emulator::Chip> &chip : device.chips) {
    result.push_back(
        at < 0 ? std::make_shared<emulator::Buffer>(chip, space, bytes, owner)
               : std::make_shared<emulator::Buffer>(chip, space, at, bytes,
                                                    owner));
    at = result.back()->address();
    result.back()->clear(/*watch=*/true);
  }
  return result;
}

struct Request {
  IDevice *device;
  DeviceAddr size, page;
  BufferType type;
  TensorMemoryLayout layout;
  std::optional<ShardSpecBuffer> shards;
  std::optional<DeviceAddr> address;
};

/// Fills in the shards of a buffer.
void placeShards(Buffer::Impl &buffer, const ShardSpecBuffer &shards) {
  NativeTensorUse &place = buffer.place;
  const auto [height, width] = shards.tensor_shard_spec.shape;
  const auto [pageHeight, pageWidth] = shards.page_shape;
  const auto [rows, columns] = shards.tensor2d_shape_in_pages;
  const CoreRangeSet &grid = shards.tensor_shard_spec.grid;
  if (buffer.type != BufferType::L1)
    raise(ErrorCategory::Unsupported,
          "expected shards in the L1 of cores, found a sharded buffer in DRAM");
  if (!pageHeight || !pageWidth || !height || !width || height % pageHeight ||
      width % pageWidth)
    raise(ErrorCategory::Argument,
          "expected shards of whole pages, found shards of ", height, "x",
          width, " elements and pages of ", pageHeight, "x", pageWidth);
  if (rows == 0 || columns == 0 || DeviceAddr(rows) * columns != place.rows)
    raise(ErrorCategory::Argument, "expected a tensor of the buffer's ",
          place.rows, " pages, found ", rows, "x", columns);
  place.rows = rows;
  place.columns = columns;
  place.shardRows = height / pageHeight;
  place.shardColumns = width / pageWidth;
  const std::uint32_t count =
      (rows + place.shardRows - 1) / place.shardRows *
      ((columns + place.shardColumns - 1) / place.shardColumns);
  if (count > grid.num_cores())
    raise(ErrorCategory::Argument, "expected a core for each of ", count,
          " shards, found ", grid.num_cores(), " cores");
  const runtime::ChipGeometry &chip = buffer.device->impl().geometry();
  const bool rowWise =
      shards.tensor_shard_spec.orientation == ShardOrientation::ROW_MAJOR;
  for (const CoreCoord &core : corerange_to_cores(grid, count, rowWise)) {
    if (core.x >= std::size_t(chip.gridX) || core.y >= std::size_t(chip.gridY))
      raise(ErrorCategory::Argument, "expected shards on cores of the chip's ",
            chip.gridX, "x", chip.gridY, ", found ", core.str());
    place.cores.push_back({std::uint32_t(core.y), std::uint32_t(core.x), 1, 1});
  }
}

std::shared_ptr<Buffer> create(const Request &request) {
  IDevice::Impl &device = checkDevice(request.device).impl();
  auto impl = std::make_shared<Buffer::Impl>();
  impl->device = request.device;
  impl->size = request.size;
  impl->type = request.type;
  impl->layout = request.layout;
  const Space space = spaceOf(request.type);
  NativeTensorUse &place = impl->place;
  place.dram = space == Space::Dram;
  place.rows = checkPages(request.size, request.page);
  place.columns = 1;
  place.pageSize = std::uint32_t(request.page);
  place.alignedPageSize =
      align(request.page, device.geometry().alignment(space));
  if (request.shards)
    placeShards(*impl, *request.shards);
  else if (request.layout != TensorMemoryLayout::INTERLEAVED)
    raise(ErrorCategory::Argument,
          "expected a shard specification for a sharded buffer, found none");
  const auto banks = std::uint64_t(device.geometry().banks(space));
  const std::uint64_t slots =
      request.shards ? std::uint64_t(place.shardRows) * place.shardColumns
                     : (place.rows + banks - 1) / banks;
  impl->chips =
      allocate(device, space, std::int64_t(slots * place.alignedPageSize),
               impl->describe(), request.address);
  place.address = std::uint32_t(impl->chips.front()->address());
  device.buffers.push_back(impl);
  return std::make_shared<Buffer>(std::move(impl));
}

/// Calls body(page, its bytes on the chip, bytes of the buffer from `begin`
/// on).
template <typename F>
void forPages(const Buffer::Impl &buffer, std::uint32_t position,
              std::size_t bytes, const F &body) {
  emulator::Buffer &memory = buffer.on(position);
  if (bytes > buffer.size)
    raise(ErrorCategory::Argument, "expected at most the ", buffer.size,
          " bytes of a buffer, found ", bytes);
  const std::uint32_t size = buffer.place.pageSize;
  for (std::uint32_t page = 0; std::size_t(page) * size < bytes; ++page) {
    const PagePlace at = placeOf(buffer, page);
    const std::size_t begin = std::size_t(page) * size;
    body(at, memory.base() + at.bank * memory.bankSpacing() + at.offset, begin,
         std::min<std::size_t>(size, bytes - begin));
  }
}

} // namespace

emulator::Buffer &Buffer::Impl::on(std::uint32_t position) const {
  if (position >= chips.size())
    raise(ErrorCategory::Argument, "expected a chip of the mesh below ",
          chips.size(), ", found ", position);
  return *chips[position];
}

std::string Buffer::Impl::describe() const {
  return "buffer of " + std::to_string(pages()) + " pages of " +
         std::to_string(place.pageSize) + " bytes";
}

std::vector<std::shared_ptr<Buffer::Impl>> IDevice::Impl::liveBuffers() {
  std::erase_if(buffers, [](const auto &buffer) { return buffer.expired(); });
  std::vector<std::shared_ptr<Buffer::Impl>> live;
  for (const auto &known : buffers)
    if (auto buffer = known.lock(); buffer && buffer->chips.front()->live())
      live.push_back(std::move(buffer));
  return live;
}

DeviceAddr Buffer::address() const { return impl_->place.address; }
DeviceAddr Buffer::size() const { return impl_->size; }
DeviceAddr Buffer::page_size() const { return impl_->place.pageSize; }
DeviceAddr Buffer::aligned_page_size() const {
  return impl_->place.alignedPageSize;
}
std::uint32_t Buffer::num_pages() const { return impl_->pages(); }
BufferType Buffer::buffer_type() const { return impl_->type; }
TensorMemoryLayout Buffer::buffer_layout() const { return impl_->layout; }
IDevice *Buffer::device() const { return impl_->device; }
bool Buffer::is_allocated() const { return impl_->chips.front()->live(); }
void Buffer::deallocate() {
  for (const auto &chip : impl_->chips)
    chip->deallocate();
}
void DeallocateBuffer(Buffer &buffer) { buffer.deallocate(); }

std::shared_ptr<Buffer> CreateBuffer(const InterleavedBufferConfig &config) {
  return create({config.device,
                 config.size,
                 config.page_size,
                 config.buffer_type,
                 config.buffer_layout,
                 {},
                 {}});
}
std::shared_ptr<Buffer> CreateBuffer(const ShardedBufferConfig &config) {
  return create({config.device,
                 config.size,
                 config.page_size,
                 config.buffer_type,
                 config.buffer_layout,
                 config.shard_parameters,
                 {}});
}

TensorAccessorArgs::TensorAccessorArgs(const Buffer &buffer) {
  const Buffer::Impl &impl = buffer.impl();
  NativeTensorUse layout = impl.place;
  layout.address = 0; // it is an argument of its own
  std::vector<NativeTensorUse> &known = impl.device->impl().layouts;
  const auto found = std::find(known.begin(), known.end(), layout);
  const auto index = std::size_t(found - known.begin());
  if (index > 0xffff)
    raise(ErrorCategory::Unsupported,
          "expected at most 65536 different buffer layouts on a device");
  if (found == known.end())
    known.push_back(layout);
  // The encoding that ttk/dataflow.h reads.
  word_ = std::uint32_t(0x7a << 24 | index << 8 | impl.place.dram << 1 |
                        !impl.place.dram);
}

namespace detail {

void writeBytes(const Buffer &buffer, std::uint32_t position, const void *data,
                std::size_t bytes) {
  const Buffer::Impl &impl = buffer.impl();
  emulator::Buffer &memory = impl.on(position);
  if (auto *written = memory.written())
    forPages(impl, position, bytes, [&](PagePlace at, auto, auto, auto) {
      (*written)[std::size_t(at.bank)].mark(std::uint64_t(at.offset),
                                            std::uint64_t(at.offset) +
                                                impl.place.alignedPageSize);
    });
  memory.zeroUnwritten();
  forPages(impl, position, bytes,
           [&](PagePlace, std::byte *to, std::size_t begin, std::size_t count) {
             std::memcpy(to, static_cast<const std::byte *>(data) + begin,
                         count);
           });
}

void writeBytes(const Buffer &buffer, const void *data, std::size_t bytes) {
  for (std::uint32_t i = 0; i < buffer.impl().chips.size(); ++i)
    writeBytes(buffer, i, data, bytes);
}

void readBytes(const Buffer &buffer, std::uint32_t position, void *data,
               std::size_t bytes) {
  buffer.impl().on(position).zeroUnwritten();
  forPages(buffer.impl(), position, bytes,
           [&](PagePlace, const std::byte *from, std::size_t begin,
               std::size_t count) {
             std::memcpy(static_cast<std::byte *>(data) + begin, from, count);
           });
}

namespace {

std::byte *l1At(IDevice &device, const CoreCoord &core, std::uint32_t address,
                std::size_t bytes) {
  const runtime::ChipGeometry &chip = checkDevice(&device).impl().geometry();
  if (core.x >= std::size_t(chip.gridX) || core.y >= std::size_t(chip.gridY))
    raise(ErrorCategory::Argument, "expected a core of the chip's ", chip.gridX,
          "x", chip.gridY, ", found ", core.str());
  if (bytes > std::size_t(chip.l1Size) ||
      address > std::size_t(chip.l1Size) - bytes)
    raise(ErrorCategory::Argument, "expected bytes within the ", chip.l1Size,
          " of an L1, found ", bytes, " at ", address);
  return device.impl().chips.front()->l1(
      std::int64_t(core.y) * chip.gridX + std::int64_t(core.x), address);
}

} // namespace

void writeL1(IDevice &device, const CoreCoord &core, std::uint32_t address,
             const void *data, std::size_t bytes) {
  std::memcpy(l1At(device, core, address, bytes), data, bytes);
  const auto bank =
      std::size_t(core.y) * std::size_t(device.impl().geometry().gridX) +
      core.x;
  for (const auto &buffer : device.impl().liveBuffers()) {
    auto *written = buffer->on(0).written();
    if (buffer->type != BufferType::L1 || !written)
      continue;
    const std::uint64_t begin = buffer->place.address;
    const std::uint64_t end = begin + std::uint64_t(buffer->on(0).bankBytes());
    const std::uint64_t first = std::max<std::uint64_t>(begin, address);
    const std::uint64_t last = std::min<std::uint64_t>(end, address + bytes);
    if (first < last)
      (*written)[bank].mark(first - begin, last - begin);
  }
}

void readL1(IDevice &device, const CoreCoord &core, std::uint32_t address,
            void *data, std::size_t bytes) {
  std::memcpy(data, l1At(device, core, address, bytes), bytes);
}

} // namespace detail

//===-- Meshes ------------------------------------------------------------===//

namespace distributed {

namespace {

/// The number of shard rows and columns of a buffer sharded over chips, and the
/// bytes of an element.
struct Parts {
  std::uint32_t rows, columns;
  std::size_t elementBytes;
};

Parts partsOf(const ShardedBufferConfig &config, const MeshShape &mesh) {
  const auto [rows, columns] = config.global_buffer_shape;
  const auto [height, width] = config.shard_shape;
  const DeviceAddr elements = DeviceAddr(rows) * columns;
  if (!height || !width || !elements || rows % height || columns % width ||
      config.global_size % elements)
    raise(ErrorCategory::Argument, "expected a buffer of ", config.global_size,
          " bytes that divides into shards, found ", rows, "x", columns,
          " elements in shards of ", height, "x", width);
  const Parts parts{rows / height, columns / width,
                    std::size_t(config.global_size / elements)};
  if (std::size_t(parts.rows) * parts.columns != mesh.mesh_size())
    raise(ErrorCategory::Argument, "expected a shard for each of ",
          mesh.mesh_size(), " chips, found ", parts.rows, "x", parts.columns);
  return parts;
}

/// Calls body(position, byte of the shard, byte of the whole, bytes) for the
/// rows of all shards.
template <typename F>
void forRows(const ShardedBufferConfig &config, const Parts &parts,
             const F &body) {
  const auto [height, width] = config.shard_shape;
  const std::size_t row = width * parts.elementBytes;
  for (std::uint32_t i = 0; i < parts.rows * parts.columns; ++i) {
    const bool byRows = config.shard_orientation == ShardOrientation::ROW_MAJOR;
    const std::uint32_t y = byRows ? i / parts.columns : i % parts.rows;
    const std::uint32_t x = byRows ? i % parts.columns : i / parts.rows;
    for (std::uint32_t r = 0; r < height; ++r)
      body(i, r * row,
           ((std::size_t(y) * height + r) * parts.columns + x) * row, row);
  }
}

} // namespace

std::shared_ptr<MeshBuffer>
MeshBuffer::create(const MeshBufferConfig &config,
                   const DeviceLocalBufferConfig &local, MeshDevice *device,
                   std::optional<DeviceAddr> address) {
  checkDevice(device);
  DeviceAddr size;
  if (const auto *sharded = std::get_if<ShardedBufferConfig>(&config)) {
    partsOf(*sharded, device->shape());
    size = sharded->global_size / device->num_devices();
  } else {
    size = std::get<ReplicatedBufferConfig>(config).size;
  }
  const auto layout = local.sharding_args ? TensorMemoryLayout::HEIGHT_SHARDED
                                          : TensorMemoryLayout::INTERLEAVED;
  return std::shared_ptr<MeshBuffer>(new MeshBuffer(
      config,
      tt_metal::create({device, size, local.page_size, local.buffer_type,
                        layout, local.sharding_args, address})));
}

DeviceAddr MeshBuffer::size() const {
  if (const auto *sharded = std::get_if<ShardedBufferConfig>(&config_))
    return sharded->global_size;
  return local_->size();
}

MeshDevice *MeshBuffer::device() const {
  return static_cast<MeshDevice *>(local_->device());
}

namespace detail {

void writeMesh(const MeshBuffer &buffer, const void *data, std::size_t bytes) {
  const Buffer &local = *buffer.get_reference_buffer();
  const auto *sharded =
      std::get_if<ShardedBufferConfig>(&buffer.global_config());
  if (!sharded)
    return tt_metal::detail::writeBytes(local, data, bytes);
  if (bytes != sharded->global_size)
    raise(ErrorCategory::Argument, "expected the ", sharded->global_size,
          " bytes of a buffer, found ", bytes);
  const Parts parts = partsOf(*sharded, buffer.device()->shape());
  std::vector<std::vector<std::byte>> shards(
      std::size_t(parts.rows) * parts.columns,
      std::vector<std::byte>(local.size()));
  forRows(*sharded, parts, [&](auto i, auto at, auto from, auto count) {
    std::memcpy(&shards[i][at], static_cast<const std::byte *>(data) + from,
                count);
  });
  for (std::uint32_t i = 0; i < shards.size(); ++i)
    tt_metal::detail::writeBytes(local, i, shards[i].data(), shards[i].size());
}

void readMesh(const MeshBuffer &buffer, void *data) {
  const Buffer &local = *buffer.get_reference_buffer();
  const auto *sharded =
      std::get_if<ShardedBufferConfig>(&buffer.global_config());
  if (!sharded)
    return tt_metal::detail::readBytes(local, 0, data, local.size());
  const Parts parts = partsOf(*sharded, buffer.device()->shape());
  std::vector<std::vector<std::byte>> shards(
      std::size_t(parts.rows) * parts.columns,
      std::vector<std::byte>(local.size()));
  for (std::uint32_t i = 0; i < shards.size(); ++i)
    tt_metal::detail::readBytes(local, i, shards[i].data(), shards[i].size());
  forRows(*sharded, parts, [&](auto i, auto at, auto to, auto count) {
    std::memcpy(static_cast<std::byte *>(data) + to, &shards[i][at], count);
  });
}

std::uint32_t positionOf(const MeshBuffer &buffer, const MeshCoordinate &chip) {
  const MeshShape mesh = buffer.device()->shape();
  if (chip[0] >= mesh[0] || chip[1] >= mesh[1])
    raise(ErrorCategory::Argument, "expected a chip of the mesh ", mesh[0], "x",
          mesh[1], ", found (", chip[0], ", ", chip[1], ")");
  return chip[0] * mesh[1] + chip[1];
}

} // namespace detail
} // namespace distributed
} // namespace tt::tt_metal
