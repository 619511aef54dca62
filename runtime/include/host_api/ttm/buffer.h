// Buffers in the memory of a device.
#ifndef TTM_BUFFER_H
#define TTM_BUFFER_H

#include "ttm/types.h"

#include <memory>

namespace tt::tt_metal {

class IDevice;
namespace distributed {
class MeshDevice;
}

/// Pages distributed over all banks: DRAM channels, or the L1 of all cores. The
/// last page may be incomplete.
struct InterleavedBufferConfig {
  IDevice *device;
  DeviceAddr size;      // bytes
  DeviceAddr page_size; // bytes
  BufferType buffer_type = BufferType::DRAM;
  TensorMemoryLayout buffer_layout = TensorMemoryLayout::INTERLEAVED;
};

/// Shards of `shape` (rows and columns of elements) on the cores of `grid`.
struct ShardSpec {
  CoreRangeSet grid;
  std::array<std::uint32_t, 2> shape;
  ShardOrientation orientation = ShardOrientation::ROW_MAJOR;

  ShardSpec(CoreRangeSet grid, const std::array<std::uint32_t, 2> &shape,
            ShardOrientation orientation = ShardOrientation::ROW_MAJOR)
      : grid(std::move(grid)), shape(shape), orientation(orientation) {}
};

/// A shard specification with the shape of a page in elements, and that of the
/// whole tensor in pages.
struct ShardSpecBuffer {
  ShardSpec tensor_shard_spec;
  std::array<std::uint32_t, 2> page_shape;
  std::array<std::uint32_t, 2> tensor2d_shape_in_pages;

  ShardSpecBuffer(const CoreRangeSet &grid,
                  const std::array<std::uint32_t, 2> &shard_shape,
                  ShardOrientation orientation,
                  const std::array<std::uint32_t, 2> &page_shape,
                  const std::array<std::uint32_t, 2> &tensor2d_shape_in_pages)
      : ShardSpecBuffer({grid, shard_shape, orientation}, page_shape,
                        tensor2d_shape_in_pages) {}
  ShardSpecBuffer(ShardSpec spec,
                  const std::array<std::uint32_t, 2> &page_shape,
                  const std::array<std::uint32_t, 2> &tensor2d_shape_in_pages)
      : tensor_shard_spec(std::move(spec)), page_shape(page_shape),
        tensor2d_shape_in_pages(tensor2d_shape_in_pages) {}
};

struct ShardedBufferConfig {
  IDevice *device;
  DeviceAddr size;
  DeviceAddr page_size;
  BufferType buffer_type = BufferType::L1;
  TensorMemoryLayout buffer_layout = TensorMemoryLayout::HEIGHT_SHARDED;
  ShardSpecBuffer shard_parameters;
};

/// Memory of a device, at the same address in all banks. It is freed with the
/// last owner, or by deallocate().
class TTM_EXPORT Buffer {
public:
  struct Impl;
  explicit Buffer(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

  DeviceAddr address() const;
  DeviceAddr size() const;
  DeviceAddr page_size() const;
  DeviceAddr aligned_page_size() const;
  std::uint32_t num_pages() const;
  BufferType buffer_type() const;
  TensorMemoryLayout buffer_layout() const;
  IDevice *device() const;
  bool is_dram() const { return buffer_type() == BufferType::DRAM; }
  bool is_l1() const { return buffer_type() == BufferType::L1; }
  bool is_allocated() const;
  void deallocate();

  Impl &impl() const { return *impl_; }

private:
  std::shared_ptr<Impl> impl_;
};

TTM_EXPORT std::shared_ptr<Buffer>
CreateBuffer(const InterleavedBufferConfig &config);
TTM_EXPORT std::shared_ptr<Buffer>
CreateBuffer(const ShardedBufferConfig &config);
TTM_EXPORT void DeallocateBuffer(Buffer &buffer);

namespace distributed {

/// The layout of a mesh buffer on each chip.
struct DeviceLocalBufferConfig {
  DeviceAddr page_size = 0;
  BufferType buffer_type = BufferType::DRAM;
  /// Shards in L1, in place of interleaved pages.
  std::optional<ShardSpecBuffer> sharding_args = std::nullopt;
  std::optional<bool> bottom_up = std::nullopt;
};
/// Every chip has the whole buffer.
struct ReplicatedBufferConfig {
  DeviceAddr size = 0;
};
/// Every chip has a shard of a two-dimensional tensor, in row-major order.
struct ShardedBufferConfig {
  DeviceAddr global_size = 0;                       // bytes
  std::array<std::uint32_t, 2> global_buffer_shape; // elements
  std::array<std::uint32_t, 2> shard_shape;         // elements
  ShardOrientation shard_orientation = ShardOrientation::ROW_MAJOR;
};
using MeshBufferConfig =
    std::variant<ReplicatedBufferConfig, ShardedBufferConfig>;

class TTM_EXPORT MeshBuffer {
public:
  static std::shared_ptr<MeshBuffer>
  create(const MeshBufferConfig &config, const DeviceLocalBufferConfig &local,
         MeshDevice *device, std::optional<DeviceAddr> address = std::nullopt);

  DeviceAddr address() const { return local_->address(); }
  /// Bytes of the whole buffer, and of the part on a chip.
  DeviceAddr size() const;
  DeviceAddr device_local_size() const { return local_->size(); }
  DeviceAddr page_size() const { return local_->page_size(); }
  std::uint32_t num_pages() const { return local_->num_pages(); }
  MeshDevice *device() const;
  const MeshBufferConfig &global_config() const { return config_; }
  bool is_allocated() const { return local_->is_allocated(); }
  void deallocate() { local_->deallocate(); }

  /// The part on each chip.
  Buffer *get_reference_buffer() const { return local_.get(); }
  Buffer *get_backing_buffer() const { return local_.get(); }

private:
  MeshBuffer(const MeshBufferConfig &config, std::shared_ptr<Buffer> local)
      : config_(config), local_(std::move(local)) {}

  MeshBufferConfig config_;
  std::shared_ptr<Buffer> local_;
};

} // namespace distributed

/// The compile-time arguments with which kernels address the pages of a buffer.
class TTM_EXPORT TensorAccessorArgs {
public:
  explicit TensorAccessorArgs(const Buffer &buffer);
  explicit TensorAccessorArgs(const Buffer *buffer)
      : TensorAccessorArgs(*buffer) {}
  explicit TensorAccessorArgs(const std::shared_ptr<Buffer> &buffer)
      : TensorAccessorArgs(*buffer) {}
  explicit TensorAccessorArgs(const distributed::MeshBuffer &buffer)
      : TensorAccessorArgs(*buffer.get_reference_buffer()) {}
  explicit TensorAccessorArgs(const distributed::MeshBuffer *buffer)
      : TensorAccessorArgs(*buffer) {}
  explicit TensorAccessorArgs(
      const std::shared_ptr<distributed::MeshBuffer> &buffer)
      : TensorAccessorArgs(*buffer) {}

  void append_to(std::vector<std::uint32_t> &compile_args) const {
    compile_args.push_back(word_);
  }
  std::vector<std::uint32_t> get_compile_time_args() const { return {word_}; }
  std::vector<std::uint32_t> get_common_runtime_args() const { return {}; }

private:
  std::uint32_t word_;
};

} // namespace tt::tt_metal

#endif // TTM_BUFFER_H
