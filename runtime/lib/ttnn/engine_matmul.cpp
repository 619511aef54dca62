#include "ttnn/engine_matmul.h"

#include "numerics/parallel.h"
#include "numerics/tiles.h"
#include "numerics/transform.h"
#include "ttnn/compute_config.h"
#include "ttnn/tile_engine.h"

#include <cstring>

namespace tt::runtime::ttnn {

using numerics::DType;
using numerics::kTileDim;
using numerics::MatmulArgs;
using numerics::MatmulOperand;
using Opcode = TileEngine::Opcode;

namespace {

/// The circular buffers of the kernel.
constexpr std::uint32_t kLeft = 0, kRight = 1, kBias = 2, kOut = 16, kSum = 24;

/// An operand in tiles.
struct Tiles {
  std::shared_ptr<void> data;
  std::int64_t each; // tiles of a batch; 0 where all have the same
};

/// One batch of an operand, row-major as it is multiplied.
void readMatrix(const MatmulOperand &operand, std::int64_t batch,
                std::int64_t rows, std::int64_t cols, std::byte *matrix) {
  const std::int64_t size = numerics::elementSize(operand.type);
  if (operand.transposed)
    std::swap(rows, cols);
  std::vector<std::byte> stored(
      operand.transposed ? std::size_t(rows * cols * size) : 0);
  std::byte *to = operand.transposed ? stored.data() : matrix;
  if (operand.reader.read)
    operand.reader.read(operand.reader.context, batch, 0, rows, 0, cols, to,
                        cols);
  else
    for (std::int64_t row = 0; row < rows; ++row)
      std::memcpy(to + row * cols * size,
                  static_cast<const std::byte *>(operand.data) +
                      (batch * operand.batchStride + row * operand.rowStride) *
                          size,
                  std::size_t(cols * size));
  const std::int64_t shape[] = {rows, cols};
  if (operand.transposed)
    numerics::transpose(to, shape, 0, 1, size, matrix);
}

Tiles readTiles(const MatmulOperand &operand, std::int64_t batches,
                std::int64_t rows, std::int64_t cols) {
  const bool shared = operand.batchStride == 0;
  const std::int64_t count = shared ? 1 : batches;
  const std::int64_t bytes = rows * cols * numerics::elementSize(operand.type);
  std::vector<std::byte> matrices(std::size_t(count * bytes));
  numerics::parallelFor(
      0, count, 1, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t batch = first; batch < last; ++batch)
          readMatrix(operand, batch, rows, cols,
                     matrices.data() + batch * bytes);
      });
  return {makeTiles(operand.type, matrices.data(), count, rows, cols),
          shared ? 0 : numerics::tilesFor(rows) * numerics::tilesFor(cols)};
}

} // namespace

void engineMatmul(const MatmulArgs &args, const ComputeConfig &config,
                  ::tt::target::Arch arch) {
  if (args.k == 0)
    return numerics::matmul(args);
  const Tiles a = readTiles(args.a, args.batch, args.m, args.k);
  const Tiles b = readTiles(args.b, args.batch, args.k, args.n);
  const auto bias =
      args.bias ? makeTiles(DType::F32, args.bias, 1, 1, args.n) : nullptr;
  const std::int64_t rows = numerics::tilesFor(args.m),
                     cols = numerics::tilesFor(args.n),
                     depth = numerics::tilesFor(args.k);
  const std::int64_t block =
      addsInL1(config, depth) ? innerTiles(depth) : depth;
  const DType sumType = typeBetween(config, args.a.type);
  const bool sums = bias || block < depth; // packed once more
  const std::int64_t size = numerics::elementSize(args.cType);

  const auto multiplyTile = [&](TileEngine &engine, std::int64_t left,
                                std::int64_t right, std::int64_t col) {
    for (std::int64_t k = 0; k < depth; ++k) {
      if (k % block == 0)
        engine.acquire();
      engine.call(Opcode::matmul_tiles, {kLeft, kRight, std::uint64_t(left + k),
                                         std::uint64_t(right + k * cols), 0});
      if ((k + 1) % block == 0 || k + 1 == depth)
        engine.pack(sums ? kSum : kOut, 0, k >= block);
    }
    if (!sums)
      return;
    engine.acquire();
    if (bias)
      engine.call(Opcode::add_tiles_bcast,
                  {kSum, kBias, 0, std::uint64_t(col), 0,
                   std::uint64_t(::tt::target::metal::BroadcastType::Row)});
    else
      engine.call(Opcode::copy_tile, {kSum, 0, 0});
    engine.pack(kOut, 0);
  };
  numerics::parallelFor(
      0, args.batch * rows, 1, [&](std::int64_t first, std::int64_t last) {
        TileEngine engine(config, arch);
        alignas(64) float sum[numerics::kTileElements],
            out[numerics::kTileElements];
        engine.bind(kLeft, args.a.type, a.data.get());
        engine.bind(kRight, args.b.type, b.data.get());
        engine.bind(kBias, DType::F32, bias.get());
        engine.bind(kSum, sumType, sum);
        engine.bind(kOut, args.cType, out);
        for (std::int64_t i = first; i < last; ++i) {
          const std::int64_t batch = i / rows, row = i % rows;
          for (std::int64_t col = 0; col < cols; ++col) {
            multiplyTile(engine, batch * a.each + row * depth,
                         batch * b.each + col, col);
            const std::int64_t y = row * kTileDim, x = col * kTileDim;
            numerics::untilize(
                args.cType, {out},
                static_cast<std::byte *>(args.c) +
                    (batch * args.cBatchStride + y * args.cRowStride + x) *
                        size,
                std::min(kTileDim, args.m - y), std::min(kTileDim, args.n - x),
                args.cRowStride);
          }
        }
      });
}

} // namespace tt::runtime::ttnn
