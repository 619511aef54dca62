// Sums, differences and products of tiles, broadcasts, and source registers.
#include "support.h"

#include "ttmlir/Target/TTMetal/kernel_generated.h"

using namespace tt::runtime::tensix;
using namespace tt::runtime::tensix::test;
using tt::target::MathFidelity;
using tt::target::metal::BroadcastType;

namespace {

struct Operation {
  Opcode plain, bcast, source;
  double (*apply)(double, double);
};
const Operation kOperations[] = {
    {Opcode::add_tiles, Opcode::add_tiles_bcast, Opcode::add,
     [](double a, double b) { return a + b; }},
    {Opcode::sub_tiles, Opcode::sub_tiles_bcast, Opcode::sub,
     [](double a, double b) { return a - b; }},
    {Opcode::mul_tiles, Opcode::mul_tiles_bcast, Opcode::mul,
     [](double a, double b) { return a * b; }}};

float broadcasted(const Tile &tile, std::uint64_t type, std::int64_t i) {
  const std::int64_t row = i / 32, col = i % 32;
  switch (BroadcastType(type)) {
  case BroadcastType::Row:
    return tile[size_t(col)];
  case BroadcastType::Col:
    return tile[size_t(row * 32)];
  case BroadcastType::Scalar:
    return tile[0];
  default:
    return tile[size_t(i)];
  }
}

class Tiles : public EachIsa {};
TT_EACH_ISA(Tiles);

TEST_P(Tiles, BinaryWithEveryBroadcast) {
  std::uint32_t seed = 1;
  for (DType type : {DType::F32, DType::BF16, DType::F16, DType::BFP8_B})
    for (const Operation &op : kOperations)
      for (std::uint64_t bcast = 0; bcast < 4; ++bcast) {
        Core core({.fp32DestAcc = true});
        const Tile a = inFormat(type, randomTile(seed++));
        const Tile b = inFormat(type, randomTile(seed++));
        core.bind(0, type, {Tile(1024), a});
        core.bind(1, type, {b});
        core.bind(16, DType::F32, 1);
        core.run(op.bcast, {0, 1, 1, 0, 2, bcast});
        const Tile found = core.result(16, 2);
        for (std::int64_t i = 0; i < kTileElements; ++i)
          ASSERT_EQ(found[size_t(i)],
                    float(op.apply(a[size_t(i)], broadcasted(b, bcast, i))));
        core.next();
        core.run(op.plain, {0, 1, 1, 0, 2});
        const Tile plain = core.result(16, 2);
        for (size_t i = 0; i < plain.size(); ++i)
          ASSERT_EQ(plain[i], float(op.apply(a[i], b[i])));
        core.run(Opcode::unpack_ab, {0, 1, 1, 0});
        core.run(op.source, {1});
        ASSERT_EQ(core.result(16, 1), plain);
      }
}

TEST_P(Tiles, SixteenBitResultsRoundOnce) {
  for (std::uint32_t seed = 0; seed < 40; seed += 2)
    for (const Operation &op : kOperations) {
      Core core({});
      const Tile a = inFormat(DType::BF16, randomTile(seed));
      const Tile b = inFormat(DType::BF16, randomTile(seed + 1));
      core.bind(0, DType::BF16, {a});
      core.bind(1, DType::BF16, {b});
      core.bind(16, DType::BF16, 1);
      core.run(op.plain, {0, 1, 0, 0, 0});
      const Tile found = core.result(16);
      for (size_t i = 0; i < found.size(); ++i)
        ASSERT_EQ(found[i], toBf16(float(op.apply(a[i], b[i]))));
    }
}

TEST(TilesOnce, FidelityLimitsTheSignificantBits) {
  const struct {
    MathFidelity fidelity;
    int a, b;
  } kCases[] = {{MathFidelity::LoFi, 5, 7},
                {MathFidelity::HiFi2, 10, 7},
                {MathFidelity::HiFi4, 24, 24}};
  for (const auto &c : kCases)
    for (DType type : {DType::F32, DType::BF16}) {
      Core core({.fidelity = c.fidelity, .fp32DestAcc = true});
      const Tile a = inFormat(type, randomTile(21));
      const Tile b = inFormat(type, randomTile(22));
      core.bind(0, type, {a});
      core.bind(1, type, {b});
      core.bind(16, DType::F32, 1);
      core.run(Opcode::mul_tiles, {0, 1, 0, 0, 0});
      const Tile found = core.result(16);
      for (size_t i = 0; i < found.size(); ++i)
        ASSERT_EQ(found[i],
                  float(leadingBits(a[i], c.a) * leadingBits(b[i], c.b)));
      // Sums see all bits.
      core.next();
      core.run(Opcode::add_tiles, {0, 1, 0, 0, 0});
      const Tile sum = core.result(16);
      for (size_t i = 0; i < sum.size(); ++i)
        ASSERT_EQ(sum[i], a[i] + b[i]);
    }
}

TEST(TilesOnce, DestinationReuseAndUnaryBroadcast) {
  const Tile a = randomTile(31), b = randomTile(32);
  for (std::uint64_t second : {0, 1}) {
    Core core({.fp32DestAcc = true});
    core.bind(0, DType::F32, {a});
    core.bind(1, DType::F32, {b});
    core.bind(16, DType::F32, 1);
    core.run(Opcode::copy_tile, {0, 0, 0});
    core.run(Opcode::binary_dest_reuse_tiles, {1, 0, 0, 1, second});
    const Tile found = core.result(16);
    for (size_t i = 0; i < found.size(); ++i)
      ASSERT_EQ(found[i], second ? b[i] - a[i] : a[i] - b[i]);
    for (std::uint64_t type = 0; type < 4; ++type) {
      core.run(Opcode::unary_bcast, {0, 0, 1, type});
      const Tile repeated = core.result(16, 1);
      for (std::int64_t i = 0; i < kTileElements; ++i)
        ASSERT_EQ(repeated[size_t(i)], broadcasted(a, type, i));
    }
  }
}

TEST(TilesOnce, Integers) {
  const Tile a = inFormat(DType::I32, randomTile(33, -900, 900));
  const Tile b = inFormat(DType::I32, randomTile(34, -900, 900));
  Core core({.fp32DestAcc = true});
  core.bind(0, DType::I32, {a});
  core.bind(1, DType::I32, {b});
  core.bind(16, DType::I32, 1);
  for (const Operation &op : kOperations) {
    core.next();
    for (int times = 1; times <= 3; ++times) {
      core.run(op.plain, {0, 1, 0, 0, 0});
      const Tile found = core.result(16);
      for (size_t i = 0; i < found.size(); ++i)
        ASSERT_EQ(found[i], times * op.apply(a[i], b[i]));
    }
  }
}

// The matrix engine adds to a tile that was written; of integers, as such.
TEST(TilesOnce, ResultsAddToAWrittenTile) {
  const Tile a = inFormat(DType::BF16, randomTile(35));
  const Tile b = inFormat(DType::BF16, randomTile(36));
  for (const Operation &op : kOperations) {
    Core core({.fp32DestAcc = true});
    core.bind(0, DType::BF16, {a});
    core.bind(1, DType::BF16, {b});
    core.bind(16, DType::F32, 1);
    core.run(Opcode::copy_tile, {0, 0, 0});
    core.run(op.plain, {0, 1, 0, 0, 0});
    core.run(op.bcast, {0, 1, 0, 0, 0, 0});
    core.run(Opcode::unpack_ab, {0, 0, 1, 0});
    core.run(op.source, {0});
    const Tile found = core.result(16);
    for (size_t i = 0; i < found.size(); ++i) {
      const float once = float(op.apply(a[i], b[i]));
      ASSERT_EQ(found[i], a[i] + once + once + once);
    }
  }
}

} // namespace
