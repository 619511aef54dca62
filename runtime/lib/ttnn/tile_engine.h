// The engines of a core as the library's compute kernels use them: the
// instructions of runtime/lib/tensix on tiles in the host's memory. What they
// compute is therefore what a kernel of the program's own computes.
#ifndef TT_RUNTIME_TTNN_TILE_ENGINE_H
#define TT_RUNTIME_TTNN_TILE_ENGINE_H

#include "common/compute_config.h"
#include "numerics/eltwise.h"
#include "tensix/compute.h"

namespace tt::runtime::ttnn {

/// The format of intermediate results in L1 of operands of a plain type: that
/// of the destination.
inline numerics::DType typeBetween(const ComputeConfig &config,
                                   numerics::DType type) {
  return config.fp32DestAcc                 ? numerics::DType::F32
         : numerics::hasShortExponent(type) ? numerics::DType::F16
                                            : numerics::DType::BF16;
}

/// One operand and the result of a kernel of the library, row-major and of
/// plain floats, and how the engines of the chip compute it.
struct EngineArgs {
  ComputeConfig config;
  ::tt::target::Arch arch;
  numerics::DType inType;
  const void *input;
  numerics::DType outType;
  void *output;
};

class TileEngine final : private tensix::TileAccess {
public:
  using Opcode = tensix::Opcode;

  TileEngine(const ComputeConfig &config, ::tt::target::Arch arch);
  explicit TileEngine(const EngineArgs &args)
      : TileEngine(args.config, args.arch) {}

  /// Circular buffer `port` has tiles of a plain type that begin there.
  void bind(std::uint32_t port, numerics::DType type, const void *tiles);

  /// The registers become free.
  void acquire() { context_.dst.acquire(); }
  void call(Opcode opcode, std::initializer_list<std::uint64_t> operands);
  /// Destination tile 0 joins tile `index` of a circular buffer, reduced.
  void reduce(std::uint32_t port, std::int64_t index,
              ::tt::target::metal::PoolType pool,
              ::tt::target::metal::ReduceDim dim);
  /// Destination tile 0 op a number, of which the vector engine has all bits.
  void combine(numerics::BinaryOp op, float number);
  /// Packs destination tile 0 as tile `index` of a circular buffer, or adds it
  /// to what is there; the registers are the packer's until `acquire`.
  void pack(std::uint32_t port, std::int64_t index, bool adds = false);

private:
  /// A tile of ones, the scaler of reductions.
  static constexpr std::uint32_t kOnes = tensix::kPorts - 1;

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

/// Contiguous matrices of a plain type as tiles, one matrix after the other,
/// with `fill` as their padding.
std::shared_ptr<void> makeTiles(numerics::DType type, const void *data,
                                std::int64_t count, std::int64_t rows,
                                std::int64_t cols, float fill = 0);

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_TTNN_TILE_ENGINE_H
