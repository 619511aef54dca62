// Products of tiles against sums in double.
#include "support.h"

using namespace tt::runtime::tensix;
using namespace tt::runtime::tensix::test;
using tt::target::MathFidelity;

namespace {

class TileMatmul : public EachIsa {};
TT_EACH_ISA(TileMatmul);

struct Block {
  std::uint64_t rows, cols, depth;
  bool transpose;
};

/// Runs a block over all of K, one step at a time, as kernels do.
std::vector<Tile> multiply(Core &core, const Block &block) {
  for (std::uint64_t k = 0; k < block.depth; ++k)
    core.run(Opcode::matmul_block, {0, 1, k, k * block.cols, 0, block.transpose,
                                    block.cols, block.rows, block.depth});
  std::vector<Tile> found;
  for (std::uint64_t i = 0; i < block.rows * block.cols; ++i)
    found.push_back(core.result(16, i));
  return found;
}

std::vector<Tile> randomTiles(DType type, std::uint64_t count,
                              std::uint32_t seed) {
  std::vector<Tile> tiles;
  for (std::uint64_t i = 0; i < count; ++i)
    tiles.push_back(inFormat(type, randomTile(seed + std::uint32_t(i), -2, 2)));
  return tiles;
}

void check(const Block &block, DType typeA, DType typeB, MathConfig config,
           int bitsA = 24, int bitsB = 24) {
  const std::vector<Tile> a = randomTiles(typeA, block.rows * block.depth, 100);
  const std::vector<Tile> b = randomTiles(typeB, block.depth * block.cols, 200);
  Core core(config);
  core.bind(0, typeA, a);
  core.bind(1, typeB, b);
  core.bind(16, DType::F32, 1);
  const std::vector<Tile> found = multiply(core, block);
  for (std::uint64_t row = 0; row < block.rows; ++row)
    for (std::uint64_t col = 0; col < block.cols; ++col)
      for (std::int64_t i = 0; i < 32; ++i)
        for (std::int64_t j = 0; j < 32; ++j) {
          double sum = 0, size = 0;
          for (std::uint64_t k = 0; k < block.depth; ++k)
            for (std::int64_t p = 0; p < 32; ++p) {
              const double x = a[row * block.depth + k][size_t(i * 32 + p)];
              const Tile &right = b[k * block.cols + col];
              const double y =
                  right[size_t(block.transpose ? j * 32 + p : p * 32 + j)];
              const double product =
                  leadingBits(x, bitsA) * leadingBits(y, bitsB);
              sum += product;
              size += std::fabs(product);
            }
          // f32 sums, or one rounding to bf16 for each step.
          const double bound = config.fp32DestAcc
                                   ? size * 32 * double(block.depth) * 0x1p-24
                                   : size * double(block.depth) * 0x1p-8;
          ASSERT_NEAR(found[row * block.cols + col][size_t(i * 32 + j)], sum,
                      bound)
              << row << ' ' << col << ' ' << i << ' ' << j;
        }
}

TEST_P(TileMatmul, BlocksInEveryFormat) {
  const MathConfig fp32{.fp32DestAcc = true};
  for (DType type : {DType::F32, DType::BF16, DType::F16, DType::BFP8_B})
    for (bool transpose : {false, true}) {
      check({1, 1, 1, transpose}, type, type, fp32);
      check({2, 2, 3, transpose}, type, type, fp32);
      check({1, 4, 2, transpose}, type, type, fp32);
      check({4, 1, 2, transpose}, type, type, fp32);
    }
  check({2, 2, 2, false}, DType::BF16, DType::BFP8_B, fp32);
  check({2, 4, 3, false}, DType::BF16, DType::BF16, {});
}

TEST_P(TileMatmul, FidelityLimitsTheSignificantBits) {
  // The second operand goes to source A, which sees fewer bits.
  for (DType type : {DType::BF16, DType::F32}) {
    check({1, 2, 2, false}, type, type,
          {.fidelity = MathFidelity::LoFi, .fp32DestAcc = true}, 7, 5);
    check({1, 2, 2, false}, type, type,
          {.fidelity = MathFidelity::HiFi2, .fp32DestAcc = true}, 7, 10);
  }
}

TEST_P(TileMatmul, StepsAccumulateAndAcquireStartsAgain) {
  Core core({.fp32DestAcc = true});
  const std::vector<Tile> tiles = randomTiles(DType::BF16, 2, 7);
  core.bind(0, DType::BF16, tiles);
  core.bind(1, DType::BF16, tiles);
  core.bind(16, DType::F32, 1);
  core.run(Opcode::matmul_tiles, {0, 1, 0, 1, 0});
  const Tile once = core.result(16);
  core.run(Opcode::matmul_tiles, {0, 1, 0, 1, 0});
  const Tile twice = core.result(16);
  for (size_t i = 0; i < once.size(); ++i)
    ASSERT_NEAR(twice[i], 2 * once[i], 1e-4);
  core.next();
  core.run(Opcode::matmul_tiles, {0, 1, 0, 1, 0});
  EXPECT_EQ(core.result(16), once);
  core.next();
  core.run(Opcode::unpack_ab, {0, 0, 1, 1});
  core.run(Opcode::matmul, {0});
  const Tile sources = core.result(16);
  for (size_t i = 0; i < once.size(); ++i)
    ASSERT_NEAR(sources[i], once[i], 1e-4);
  // mm_init says whether matmul_tiles turns its second tile.
  core.next();
  core.run(Opcode::mm_init, {0, 1, 16, 1});
  core.run(Opcode::matmul_tiles, {0, 1, 0, 1, 0});
  const Tile turned = core.result(16);
  core.next();
  core.run(Opcode::transpose_wh_tile, {1, 1, 1});
  core.bind(2, DType::BF16, 1);
  core.run(Opcode::pack_tile, {1, 2, 0, 1});
  core.run(Opcode::mm_init, {0, 2, 16, 0});
  core.run(Opcode::matmul_tiles, {0, 2, 0, 0, 0});
  EXPECT_EQ(core.result(16), turned);
}

TEST(TileMatmulOnce, IntegersWrap) {
  Core core({.fp32DestAcc = true});
  const Tile a = inFormat(DType::I32, randomTile(1, -90000, 90000));
  const Tile b = inFormat(DType::I32, randomTile(2, -90000, 90000));
  core.bind(0, DType::I32, {a});
  core.bind(1, DType::I32, {b});
  core.bind(16, DType::I32, 1);
  core.run(Opcode::matmul_tiles, {0, 1, 0, 0, 0});
  core.run(Opcode::pack_tile, {0, 16, 0, 1});
  std::vector<std::int32_t> found(1024);
  numerics::untilize(DType::I32, {core.at(16, 0)}, found.data(), 32, 32, 32);
  for (size_t i = 0; i < 32; ++i)
    for (size_t j = 0; j < 32; ++j) {
      std::int64_t sum = 0;
      for (size_t k = 0; k < 32; ++k)
        sum += std::int64_t(a[i * 32 + k]) * std::int64_t(b[k * 32 + j]);
      ASSERT_EQ(found[i * 32 + j], std::int32_t(std::uint64_t(sum)));
    }
}

} // namespace
