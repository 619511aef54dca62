// The engines of a core as the library's compute kernels use them: the
// instructions of runtime/lib/tensix on tiles in the host's memory. What they
// compute is therefore what a kernel of the program's own computes.
#ifndef TT_RUNTIME_TTNN_TILE_ENGINE_H
#define TT_RUNTIME_TTNN_TILE_ENGINE_H

#include "common/compute_config.h"
#include "tensix/compute.h"

namespace tt::runtime::ttnn {

class TileEngine final : private tensix::TileAccess {
public:
  using Opcode = tensix::Opcode;

  TileEngine(const ComputeConfig &config, ::tt::target::Arch arch);

  /// Circular buffer `port` has tiles of a plain type that begin there.
  void bind(std::uint32_t port, numerics::DType type, const void *tiles);

  /// The registers become free.
  void acquire() { context_.dst.acquire(); }
  void call(Opcode opcode, std::initializer_list<std::uint64_t> operands);
  /// Packs destination tile 0 as tile `index` of a circular buffer, or adds it
  /// to what is there; the registers are the packer's until `acquire`.
  void pack(std::uint32_t port, std::int64_t index, bool adds = false);

private:
  const std::byte *front(std::uint32_t port, std::uint64_t offset,
                         std::uint64_t) final {
    return tiles_[port] + offset;
  }
  std::byte *back(std::uint32_t port, std::uint64_t offset, std::uint64_t,
                  bool) final {
    return tiles_[port] + offset;
  }
  std::byte *nextBack(std::uint32_t port, std::uint64_t, bool) final {
    return tiles_[port];
  }
  [[noreturn]] void fault(tensix::ComputeFault,
                          const std::string &message) final;

  tensix::ComputeContext context_;
  std::array<std::byte *, tensix::kPorts> tiles_{};
};

/// Contiguous matrices of a plain type as tiles, one matrix after the other.
std::shared_ptr<void> makeTiles(numerics::DType type, const void *data,
                                std::int64_t count, std::int64_t rows,
                                std::int64_t cols);

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_TTNN_TILE_ENGINE_H
