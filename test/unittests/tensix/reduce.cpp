// Reductions of tiles and transposition.
#include "support.h"

#include <algorithm>

using namespace tt::runtime::tensix;
using namespace tt::runtime::tensix::test;
using tt::target::metal::PoolType;
using tt::target::metal::ReduceDim;

namespace {

class TileReduce : public EachIsa {};
TT_EACH_ISA(TileReduce);

/// Reduces tiles to a line of 32, or to one element.
std::vector<double> expected(const std::vector<Tile> &tiles, PoolType pool,
                             ReduceDim dim, double scale) {
  const bool sums = pool == PoolType::Sum || pool == PoolType::Avg;
  std::vector<double> result(dim == ReduceDim::Scalar ? 1 : 32,
                             sums                    ? 0
                             : pool == PoolType::Max ? -1e30
                                                     : 1e30);
  // A sum over both dimensions is scaled in each.
  const double factor =
      sums && dim == ReduceDim::Scalar ? scale * scale : scale;
  for (const Tile &tile : tiles)
    for (size_t i = 0; i < 1024; ++i) {
      double &out = result[dim == ReduceDim::Row   ? i / 32
                           : dim == ReduceDim::Col ? i % 32
                                                   : 0];
      const double value = tile[i];
      if (sums)
        out += value * factor;
      else
        out =
            pool == PoolType::Max ? std::max(out, value) : std::min(out, value);
    }
  return result;
}

TEST_P(TileReduce, EveryPoolAndDimension) {
  for (bool exact : {false, true})
    for (PoolType pool :
         {PoolType::Sum, PoolType::Avg, PoolType::Max, PoolType::Min})
      for (ReduceDim dim :
           {ReduceDim::Row, ReduceDim::Col, ReduceDim::Scalar}) {
        const bool sums = pool == PoolType::Sum || pool == PoolType::Avg;
        const float scale = sums ? 0.25f : 1.0f;
        // Negative only: a maximum must not start from 0.
        std::vector<Tile> tiles;
        for (std::uint32_t i = 0; i < 3; ++i)
          tiles.push_back(inFormat(DType::BF16, randomTile(40 + i, -9, -1)));
        Core core({.fp32DestAcc = true, .exact = exact});
        core.bind(0, DType::BF16, tiles);
        core.bind(1, DType::BF16, {Tile(1024, scale)});
        core.bind(16, DType::F32, 1);
        for (std::uint64_t i = 0; i < 3; ++i)
          core.run(Opcode::reduce_tile,
                   {0, 1, i, 0, 0, std::uint64_t(pool), std::uint64_t(dim)});
        const Tile found = core.result(16);
        const std::vector<double> want = expected(tiles, pool, dim, scale);
        for (size_t i = 0; i < want.size(); ++i) {
          const float value = dim == ReduceDim::Row ? found[i * 32] : found[i];
          // Exact: source A has 11 bits of a factor, and 8 of what the first
          // pass over both dimensions leaves for the second.
          const double bits = !exact ? 18 : dim == ReduceDim::Scalar ? 7 : 9;
          const double bound = sums ? std::fabs(want[i]) * std::exp2(-bits) : 0;
          ASSERT_NEAR(value, want[i], bound)
              << int(pool) << ' ' << int(dim) << ' ' << i << ' ' << exact;
        }
        // Nothing else.
        const double total = std::count_if(found.begin(), found.end(),
                                           [](float x) { return x != 0; });
        EXPECT_EQ(total, double(want.size()));
      }
}

/// Element i of 32 is scaled by element i mod 16 of the scaler's first row.
TEST(TileReduceOnce, ScalerByPosition) {
  Tile scaler(1024, 99.0f);
  for (size_t i = 0; i < 16; ++i)
    scaler[i] = float(i);
  const Tile tile = randomTile(5);
  Core core({.fp32DestAcc = true});
  core.bind(0, DType::F32, {tile});
  core.bind(1, DType::F32, {scaler});
  core.bind(16, DType::F32, 1);
  core.run(Opcode::reduce_tile, {0, 1, 0, 0, 0, 0, 0});
  const Tile found = core.result(16);
  for (size_t row = 0; row < 32; ++row) {
    double sum = 0;
    for (size_t col = 0; col < 32; ++col)
      sum += double(tile[row * 32 + col]) * double(col % 16);
    ASSERT_NEAR(found[row * 32], sum, 1e-3);
  }
}

TEST(TileReduceOnce, Integers) {
  Tile values = inFormat(DType::I32, randomTile(6, -1000, -1));
  Core core({.fp32DestAcc = true});
  core.bind(0, DType::I32, {values});
  core.bind(1, DType::I32, {Tile(1024, 1.0f)});
  core.bind(16, DType::I32, 1);
  for (PoolType pool : {PoolType::Sum, PoolType::Max, PoolType::Min}) {
    core.next();
    core.run(Opcode::reduce_tile, {0, 1, 0, 0, 0, std::uint64_t(pool), 1});
    const Tile found = core.result(16);
    const std::vector<double> want =
        expected({values}, pool, ReduceDim::Col, 1);
    for (size_t i = 0; i < 32; ++i)
      ASSERT_EQ(found[i], want[i]);
  }
}

TEST_P(TileReduce, Transpose) {
  for (DType type : {DType::F32, DType::BF16, DType::I32, DType::BFP8_B}) {
    const Tile tile = inFormat(type, randomTile(7, -100, 100));
    Core core({.fp32DestAcc = true});
    core.bind(0, type, {tile});
    core.bind(16, type == DType::I32 ? type : DType::F32, 1);
    core.run(Opcode::transpose_wh_tile, {0, 0, 0});
    const Tile found = core.result(16);
    for (size_t i = 0; i < 1024; ++i)
      ASSERT_EQ(found[i], tile[i % 32 * 32 + i / 32]);
  }
}

} // namespace
