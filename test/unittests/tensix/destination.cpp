// Functions of the vector engine on destination tiles that TTIR has no ops for.
#include "support.h"

#include <algorithm>
#include <set>

using namespace tt::runtime::tensix;
using namespace tt::runtime::tensix::test;
using ::tt::target::metal::PoolType;
using ::tt::target::metal::ReduceDim;

namespace {

std::uint64_t number(DType type) { return std::uint64_t(type); }

struct WithNumber {
  Opcode opcode;
  float (*apply)(float x, float p);
};
const WithNumber kWithNumber[] = {
    {Opcode::add_unary_tile, [](float x, float p) { return x + p; }},
    {Opcode::sub_unary_tile, [](float x, float p) { return x - p; }},
    {Opcode::mul_unary_tile, [](float x, float p) { return x * p; }},
    {Opcode::div_unary_tile, [](float x, float p) { return x * p; }},
    {Opcode::rsub_unary_tile, [](float x, float p) { return p - x; }},
};

TEST(Destination, TilesAndNumbers) {
  for (bool exact : {false, true})
    for (const WithNumber &op : kWithNumber) {
      Core core({.fp32DestAcc = true, .preserveFp32 = true, .exact = exact});
      const Tile values = inFormat(DType::BF16, randomTile(1));
      core.bind(0, DType::F32, {values});
      core.bind(16, DType::F32, 1);
      core.run(Opcode::copy_tile, {0, 0, 1});
      core.run(op.opcode, {1, floatBits(0.375f)});
      const Tile found = core.result(16, 1);
      for (size_t i = 0; i < found.size(); ++i)
        ASSERT_EQ(found[i], op.apply(values[i], 0.375f))
            << tt::target::metal::EnumNameOpcode(op.opcode);
    }
}

TEST(Destination, SixteenBitRegistersRound) {
  const Tile values = inFormat(DType::BF16, randomTile(2));
  Core core({});
  core.bind(0, DType::BF16, {values});
  core.bind(16, DType::F32, 1);
  core.run(Opcode::copy_tile, {0, 0, 0});
  core.run(Opcode::add_unary_tile, {0, floatBits(0.0123f)});
  const Tile found = core.result(16);
  for (size_t i = 0; i < found.size(); ++i)
    ASSERT_EQ(found[i], toBf16(values[i] + 0.0123f));
}

struct Comparison {
  Opcode floats, integers;
  bool (*holds)(float x);
};
const Comparison kComparisons[] = {
    {Opcode::eqz_tile, Opcode::eqz_tile_int32, [](float x) { return x == 0; }},
    {Opcode::nez_tile, Opcode::nez_tile_int32, [](float x) { return x != 0; }},
    {Opcode::ltz_tile, Opcode::ltz_tile_int32, [](float x) { return x < 0; }},
    {Opcode::gtz_tile, Opcode::gtz_tile_int32, [](float x) { return x > 0; }},
    {Opcode::lez_tile, Opcode::lez_tile_int32, [](float x) { return x <= 0; }},
    {Opcode::gez_tile, Opcode::gez_tile_int32, [](float x) { return x >= 0; }},
};

TEST(Destination, ComparisonsWithZero) {
  Tile values = inFormat(DType::I32, randomTile(3, -2, 2));
  values[5] = -0.0f;
  for (const Comparison &op : kComparisons)
    for (DType type : {DType::F32, DType::BF16, DType::I32, DType::I16}) {
      const bool floats = type == DType::F32 || type == DType::BF16;
      Core core({.fp32DestAcc = type != DType::BF16});
      core.bind(0, type, {values});
      core.bind(16, type, 1);
      core.run(Opcode::copy_tile, {0, 0, 0});
      EXPECT_FAULT(core.run(floats ? op.integers : op.floats, {0}),
                   ComputeFault::Format);
      core.run(floats ? op.floats : op.integers, {0});
      const Tile found = core.result(16);
      for (size_t i = 0; i < found.size(); ++i)
        ASSERT_EQ(found[i], float(op.holds(values[i])))
            << tt::target::metal::EnumNameOpcode(op.floats) << ' ' << values[i];
    }
}

TEST(Destination, Integers) {
  const Tile a = inFormat(DType::I32, randomTile(4, -3000, 3000));
  const Tile b = inFormat(DType::I32, randomTile(5, -3000, 3000));
  struct {
    Opcode opcode;
    int (*apply)(int, int);
  } const operations[] = {
      {Opcode::add_int_tile, [](int x, int y) { return x + y; }},
      {Opcode::sub_int_tile, [](int x, int y) { return x - y; }},
      {Opcode::mul_int_tile, [](int x, int y) { return x * y; }},
  };
  Core core({.fp32DestAcc = true});
  core.bind(0, DType::I32, {a, b});
  core.bind(16, DType::I32, 1);
  for (const auto &op : operations) {
    core.run(Opcode::copy_tile, {0, 0, 0});
    core.run(Opcode::copy_tile, {0, 1, 1});
    EXPECT_FAULT(core.run(op.opcode, {0, 1, 2, number(DType::F32)}),
                 ComputeFault::Format);
    core.run(op.opcode, {0, 1, 2, number(DType::I32)});
    const Tile found = core.result(16, 2);
    for (size_t i = 0; i < found.size(); ++i)
      ASSERT_EQ(found[i], op.apply(int(a[i]), int(b[i])));
  }
  core.run(Opcode::add_unary_tile_int32, {0, std::uint32_t(-77)});
  core.run(Opcode::sub_unary_tile_int32, {1, 12});
  const Tile sum = core.result(16, 0), difference = core.result(16, 1);
  core.run(Opcode::copy_tile, {0, 0, 0});
  core.run(Opcode::abs_tile_int32, {0});
  const Tile magnitude = core.result(16, 0);
  core.run(Opcode::copy_tile, {0, 0, 0});
  core.run(Opcode::negative_tile_int32, {0});
  const Tile negated = core.result(16, 0);
  core.run(Opcode::relu_tile_int32, {0});
  const Tile rectified = core.result(16, 0);
  for (size_t i = 0; i < sum.size(); ++i) {
    ASSERT_EQ(sum[i], a[i] - 77);
    ASSERT_EQ(difference[i], b[i] - 12);
    ASSERT_EQ(magnitude[i], std::abs(a[i]));
    ASSERT_EQ(negated[i], -a[i]);
    ASSERT_EQ(rectified[i], std::max(-a[i], 0.0f));
  }
}

TEST(Destination, Copies) {
  const Tile values = randomTile(6);
  Core core({.fp32DestAcc = true, .preserveFp32 = true});
  core.bind(0, DType::F32, {values});
  core.bind(16, DType::F32, 1);
  core.run(Opcode::copy_tile, {0, 0, 0});
  EXPECT_FAULT(core.run(Opcode::copy_dest_values, {0, 3, number(DType::I32)}),
               ComputeFault::Format);
  core.run(Opcode::copy_dest_values, {0, 3, number(DType::F32)});
  core.run(Opcode::negative_tile, {0});
  EXPECT_EQ(core.result(16, 3), values);
  EXPECT_FAULT(core.run(Opcode::copy_dest_values, {1, 2, number(DType::F32)}),
               ComputeFault::DstUnwritten);
}

TEST(Destination, RandomNumbers) {
  Core core({.fp32DestAcc = true});
  core.bind(16, DType::F32, 1);
  const auto draw = [&] {
    core.run(Opcode::rand_tile, {0, floatBits(-2), floatBits(6)});
    return core.result(16);
  };
  core.run(Opcode::rand_tile_init, {7});
  const Tile first = draw(), second = draw();
  core.run(Opcode::rand_tile_init, {7});
  EXPECT_EQ(draw(), first);
  EXPECT_EQ(draw(), second);
  core.run(Opcode::rand_tile_init, {8});
  EXPECT_NE(draw(), first);
  EXPECT_NE(first, second);
  double mean = 0, square = 0;
  for (float x : first) {
    ASSERT_GE(x, -2);
    ASSERT_TRUE(x < 4);
    mean += x / 1024;
    square += double(x) * x / 1024;
  }
  // Of a uniform distribution from -2 to 4: mean 1 and variance 3, within five
  // standard errors of 1,024 numbers.
  EXPECT_NEAR(mean, 1, 5 * std::sqrt(3.0 / 1024));
  EXPECT_NEAR(square - mean * mean, 3, 5 * std::sqrt(7.2 / 1024));
  EXPECT_GT(std::set<float>(first.begin(), first.end()).size(), 1000u);
}

TEST(Destination, Reductions) {
  const Tile values = inFormat(DType::I32, randomTile(9, -99, 99));
  for (DType type : {DType::F32, DType::I32})
    for (PoolType pool :
         {PoolType::Sum, PoolType::Avg, PoolType::Max, PoolType::Min})
      for (ReduceDim dim : {ReduceDim::Row, ReduceDim::Col}) {
        Core core({.fp32DestAcc = true, .preserveFp32 = true});
        core.bind(0, type, {values});
        core.bind(16, type, 1);
        core.run(Opcode::copy_tile, {0, 0, 0});
        const auto reduce = [&] {
          core.run(Opcode::sfpu_reduce,
                   {0, number(type), std::uint64_t(pool), std::uint64_t(dim)});
        };
        if (type == DType::I32 && pool == PoolType::Avg) {
          EXPECT_FAULT(reduce(), ComputeFault::Format);
          continue;
        }
        reduce();
        const Tile found = core.result(16);
        for (size_t line = 0; line < 32; ++line) {
          const bool rows = dim == ReduceDim::Row;
          float least = 1e9f, most = -1e9f, sum = 0;
          for (size_t i = 0; i < 32; ++i) {
            const float x = values[rows ? line * 32 + i : i * 32 + line];
            least = std::min(least, x);
            most = std::max(most, x);
            sum += x;
          }
          const float want = pool == PoolType::Sum   ? sum
                             : pool == PoolType::Avg ? sum / 32
                             : pool == PoolType::Max ? most
                                                     : least;
          ASSERT_EQ(found[rows ? line * 32 : line], want);
        }
      }
  Core core({.fp32DestAcc = true});
  core.bind(0, DType::F32, {values});
  core.run(Opcode::copy_tile, {0, 0, 0});
  EXPECT_FAULT(core.run(Opcode::sfpu_reduce,
                        {0, number(DType::F32), std::uint64_t(PoolType::Sum),
                         std::uint64_t(ReduceDim::Scalar)}),
               ComputeFault::Operand);
}

/// Rows of elements of a circular buffer without tiles.
Tile rowsOf(Core &core, std::uint32_t port, size_t count) {
  const auto *from = reinterpret_cast<const float *>(core.at(port, 0));
  return Tile(from, from + count);
}

TEST(Destination, RowsFromThePacker) {
  constexpr size_t kRows = 2, kColumns = 3, kFull = 6;
  std::vector<Tile> tiles;
  for (std::uint32_t i = 0; i < kRows * kColumns; ++i)
    tiles.push_back(randomTile(20 + i));
  const auto check = [&](Core &core) {
    const Tile found = rowsOf(core, 16, kRows * 32 * kFull * 32);
    for (size_t row = 0; row < kRows * 32; ++row)
      for (size_t col = 0; col < kFull * 32; ++col) {
        const size_t tile = row / 32 * kColumns + (col / 32) % kColumns;
        const float want =
            col / 32 < kColumns ? 0 : tiles[tile][row % 32 * 32 + col % 32];
        ASSERT_EQ(found[row * kFull * 32 + col], want) << row << ' ' << col;
      }
  };
  {
    Core core({.fp32DestAcc = true});
    core.bind(0, DType::F32, tiles);
    core.bind(16, DType::F32, kRows * kFull);
    core.context.cbs[16].tiled = false;
    core.run(Opcode::pack_untilize_block, {0, kRows, 16, 1, kColumns, kFull});
    check(core);
    EXPECT_FAULT(
        core.run(Opcode::pack_untilize_block, {0, 1, 16, 2, kColumns, kFull}),
        ComputeFault::Operand);
  }
  // Six tiles of 16 bits in the registers; their numbers are those of bf16.
  for (Tile &tile : tiles)
    tile = inFormat(DType::BF16, tile);
  Core core({});
  core.bind(0, DType::BF16, tiles);
  core.bind(16, DType::F32, kRows * kFull);
  core.context.cbs[16].tiled = false;
  for (std::uint64_t i = 0; i < kRows * kColumns; ++i)
    core.run(Opcode::copy_tile, {0, i, i});
  core.run(Opcode::pack_untilize_dest, {16, kRows, 1, kColumns, kFull});
  check(core);
  EXPECT_FAULT(core.run(Opcode::pack_untilize_dest, {16, 4, 0, kColumns, 3}),
               ComputeFault::DstIndex);
}

} // namespace
