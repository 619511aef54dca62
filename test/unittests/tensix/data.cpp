// Unpacker and packer: formats, order, accumulation, rows to tiles and back,
// and what is refused.
#include "support.h"

#include <bit>
#include <functional>
#include <numeric>
#include <random>

using namespace tt::runtime::tensix;
using namespace tt::runtime::tensix::test;
using tt::target::metal::EnumNameOpcode;

namespace {

constexpr DType kTypes[] = {DType::F32,    DType::F16,    DType::BF16,
                            DType::BFP8_B, DType::BFP4_B, DType::BFP8,
                            DType::U32,    DType::U16,    DType::U8,
                            DType::I32,    DType::I16,    DType::I8};

TEST(Data, CopyAndPackKeepEveryFormat) {
  for (bool exact : {false, true})
    for (DType type : kTypes) {
      Core core({.fp32DestAcc = true, .preserveFp32 = true, .exact = exact});
      core.bind(0, type, {randomTile(1, 0, 200), randomTile(2, 0, 200)});
      core.bind(16, type, 1);
      core.run(Opcode::copy_tile, {0, 1, 3});
      core.run(Opcode::pack_tile, {3, 16, 0, 1});
      EXPECT_EQ(0, std::memcmp(core.at(0, 1), core.at(16, 0),
                               size_t(numerics::tileBytes(type))))
          << numerics::dtypeName(type) << " exact " << exact;
    }
}

TEST(Data, SixteenBitRegistersRound) {
  const Tile values = randomTile(3);
  Core core({});
  core.bind(0, DType::F32, {values});
  core.bind(16, DType::F32, 1);
  core.run(Opcode::copy_tile, {0, 0, 7});
  const Tile found = core.result(16, 7);
  for (size_t i = 0; i < found.size(); ++i)
    ASSERT_EQ(found[i], toBf16(values[i]));
  // f16 has three bits more.
  core.next();
  core.bind(0, DType::F16, {values});
  core.run(Opcode::copy_tile, {0, 0, 0});
  EXPECT_EQ(core.result(16), inFormat(DType::F16, values));
}

TEST(Data, ExactUnpackerTruncatesToTf32) {
  const Tile values = randomTile(4);
  Core core({.fp32DestAcc = true, .exact = true});
  core.bind(0, DType::F32, {values});
  core.bind(16, DType::F32, 1);
  core.run(Opcode::copy_tile, {0, 0, 0});
  const Tile found = core.result(16);
  for (size_t i = 0; i < found.size(); ++i)
    ASSERT_EQ(found[i], leadingBits(values[i], 11));
}

TEST(Data, PackInOrderAndOutOfOrder) {
  Core core({.fp32DestAcc = true});
  core.bind(0, DType::BF16, {randomTile(5), randomTile(6), randomTile(7)});
  core.bind(16, DType::BF16, 4);
  for (std::uint64_t i = 0; i < 3; ++i)
    core.run(Opcode::copy_tile, {0, i, i});
  core.run(Opcode::pack_tile, {2, 16, 9, 0});
  core.run(Opcode::pack_tile_block, {0, 16, 2});
  core.run(Opcode::pack_tile, {1, 16, 3, 1});
  EXPECT_EQ(core.tile(16, 0), core.tile(0, 2));
  EXPECT_EQ(core.tile(16, 1), core.tile(0, 0));
  EXPECT_EQ(core.tile(16, 2), core.tile(0, 1));
  EXPECT_EQ(core.tile(16, 3), core.tile(0, 1));
}

TEST(Data, PackerAccumulates) {
  for (DType type : {DType::F32, DType::BF16, DType::I32, DType::BFP8_B}) {
    Core core({.fp32DestAcc = true});
    const Tile a = inFormat(type, randomTile(8, 0, 64));
    const Tile b = inFormat(type, randomTile(9, 0, 64));
    core.bind(0, type, {a});
    core.bind(16, type, {b});
    core.run(Opcode::copy_tile, {0, 0, 0});
    core.run(Opcode::pack_reconfig_l1_acc, {1});
    const Tile found = core.result(16);
    EXPECT_TRUE(core.accumulated);
    Tile sum(a.size());
    for (size_t i = 0; i < a.size(); ++i)
      sum[i] = a[i] + b[i];
    // The packer rounds ties of block floats away from zero, the host to even.
    const float bound = type == DType::BFP8_B ? 1 : 0;
    const Tile want = inFormat(type, sum);
    for (size_t i = 0; i < want.size(); ++i)
      ASSERT_NEAR(found[i], want[i], bound) << numerics::dtypeName(type);
    core.run(Opcode::pack_reconfig_l1_acc, {0});
    EXPECT_EQ(core.result(16), a);
    EXPECT_FALSE(core.accumulated);
  }
}

/// Sections: what the packer still empties does not change.
TEST(Data, SectionsAlternate) {
  Core core({.fp32DestAcc = true});
  core.bind(0, DType::F32, {randomTile(10), randomTile(11)});
  core.bind(16, DType::F32, 1);
  core.run(Opcode::copy_tile, {0, 0, 0});
  core.context.dst.commit();
  core.context.dst.acquire();
  core.run(Opcode::copy_tile, {0, 1, 0});
  core.context.dst.commit();
  EXPECT_EQ(core.result(16), core.tile(0, 0));
  core.context.dst.release();
  EXPECT_EQ(core.result(16), core.tile(0, 1));
}

TEST(Data, TilizeAndUntilize) {
  constexpr std::int64_t kTiles = 3, kCols = 32 * kTiles;
  for (DType type : {DType::F32, DType::BF16, DType::U16})
    // Pages of a tile, of a row, and of a row with a gap behind it.
    for (std::int64_t gap : {-1, 0, 16}) {
      const std::int64_t size = numerics::elementSize(type);
      const std::int64_t stride = kCols + std::max<std::int64_t>(gap, 0);
      Core core({});
      core.bind(16, type, kTiles);
      for (std::uint32_t port : {0u, 1u}) {
        core.bind(port, type, 16);
        if (gap >= 0)
          core.context.cbs[port] = {type, false, true,
                                    std::uint32_t(stride * size)};
        else
          core.context.cbs[port].tiled = false;
      }
      const std::vector<float> values = randomFloats(32 * stride, 12, 0, 1000);
      const std::vector<char> rows = elementsOf(type, values);
      std::memcpy(core.memory[0].data(), rows.data(), rows.size());
      core.run(Opcode::tilize_block, {0, kTiles, 16});
      const std::vector<float> exact = floatsOf(type, rows.data(), 32 * stride);
      for (std::int64_t t = 0; t < kTiles; ++t) {
        const Tile tile = core.tile(16, size_t(t));
        for (std::int64_t i = 0; i < kTileElements; ++i)
          ASSERT_EQ(tile[size_t(i)],
                    exact[size_t(i / 32 * stride + t * 32 + i % 32)]);
      }
      core.run(Opcode::untilize_block, {16, kTiles, 1});
      for (std::int64_t row = 0; row < 32; ++row)
        ASSERT_EQ(0, std::memcmp(core.memory[1].data() + row * stride * size,
                                 rows.data() + row * stride * size,
                                 size_t(kCols * size)));
    }
}

TEST(Data, TilizeConverts) {
  Core core({.fp32DestAcc = true});
  const Tile values = randomTile(13);
  core.bind(0, DType::F32, 1);
  std::memcpy(core.at(0, 0), values.data(), 4096);
  core.bind(16, DType::BF16, 1);
  core.run(Opcode::tilize_block, {0, 1, 16});
  for (size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(core.tile(16, 0)[i], toBf16(values[i]));
}

TEST(Data, Faults) {
  Core core({});
  core.bind(0, DType::BF16, {randomTile(1)});
  core.bind(1, DType::I32, {randomTile(1)});
  core.bind(16, DType::BF16, 1);
  EXPECT_FAULT(core.run(Opcode::copy_tile, {0, 0, 8}), ComputeFault::DstIndex);
  EXPECT_FAULT(core.run(Opcode::pack_tile, {8, 16, 0, 1}),
               ComputeFault::DstIndex);
  EXPECT_FAULT(core.run(Opcode::exp_tile, {0, 0}), ComputeFault::DstUnwritten);
  EXPECT_FAULT(core.run(Opcode::pack_tile, {0, 16, 0, 1}),
               ComputeFault::DstUnwritten);
  EXPECT_FAULT(core.run(Opcode::copy_tile, {5, 0, 0}), ComputeFault::Operand);
  EXPECT_FAULT(core.run(Opcode::copy_tile, {1, 0, 0}), ComputeFault::Format);
  EXPECT_FAULT(core.run(Opcode::add_tiles, {0, 1, 0, 0, 0}),
               ComputeFault::Format);
  EXPECT_FAULT(core.run(Opcode::add, {0}), ComputeFault::Operand);
  EXPECT_FAULT(core.run(Opcode::matmul_block, {0, 0, 0, 0, 0, 0, 3, 3, 1}),
               ComputeFault::DstIndex);
  EXPECT_FAULT(
      core.run(Opcode::matmul_block, {0, 0, 0, 0, 0, 0, ~0ull, ~0ull, 1}),
      ComputeFault::Operand);
  EXPECT_FAULT(core.run(Opcode::tilize_block, {0, 0, 16}),
               ComputeFault::Operand);
  core.run(Opcode::copy_tile, {0, 0, 0});
  EXPECT_FAULT(core.run(Opcode::bitwise_not_tile, {0}), ComputeFault::Format);
  core.context.cbs[0].tiled = false;
  EXPECT_FAULT(core.run(Opcode::copy_tile, {0, 0, 0}), ComputeFault::Format);
  Core wide({.fp32DestAcc = true});
  wide.bind(0, DType::BF16, {randomTile(1)});
  EXPECT_FAULT(wide.run(Opcode::copy_tile, {0, 0, 4}), ComputeFault::DstIndex);
  // Without checks a tile that nothing has written is 0.
  wide.context.checks = false;
  wide.bind(16, DType::F32, {randomTile(1)});
  EXPECT_EQ(wide.result(16), Tile(kTileElements));
}

/// Only typecast_tile makes floats of integers, or integers of floats.
TEST(Data, NothingElseChangesTheKind) {
  const DType floats[] = {DType::F32, DType::F16, DType::BF16, DType::BFP8_B};
  const DType integers[] = {DType::I32, DType::U32, DType::U16,
                            DType::U8,  DType::I16, DType::I8};
  const auto refuse = [](DType from, DType to) {
    Core core({.fp32DestAcc = true});
    core.bind(0, from, {randomTile(1, 0, 99)});
    core.bind(16, to, 1);
    core.run(Opcode::copy_tile, {0, 0, 0});
    for (std::uint64_t adds : {0, 1}) {
      core.run(Opcode::pack_reconfig_l1_acc, {adds});
      EXPECT_FAULT(core.run(Opcode::pack_tile, {0, 16, 0, 1}),
                   ComputeFault::Format);
    }
  };
  for (DType a : floats)
    for (DType b : integers) {
      refuse(a, b);
      refuse(b, a);
    }
  Core rows({});
  rows.bind(0, DType::I32, 1);
  rows.bind(16, DType::F32, 1);
  for (Opcode opcode : {Opcode::tilize_block, Opcode::untilize_block}) {
    EXPECT_FAULT(rows.run(opcode, {0, 1, 16}), ComputeFault::Format);
    EXPECT_FAULT(rows.run(opcode, {16, 1, 0}), ComputeFault::Format);
  }
  // A tile that nothing has written is 0 of any kind.
  Core core({.fp32DestAcc = true});
  core.context.checks = false;
  core.bind(16, DType::I32, {randomTile(1, 1, 99)});
  EXPECT_EQ(core.result(16), Tile(kTileElements));
}

TEST(Data, ExactPackerAccumulatesWithoutDenormals) {
  const float values[][3] = {{3, 4, 7},
                             {0x1p-130f, 5, 5}, // a page with it
                             {0x1p-130f, 0x1p-130f, 0},
                             {0x1.8p-126f, -0x1p-126f, 0}, // a sum that is one
                             {kInf, kNan, kInf}};          // packed as infinity
  Tile page(1024), added(1024);
  for (size_t i = 0; i < std::size(values); ++i)
    page[i] = values[i][0], added[i] = values[i][1];
  page[5] = -kInf, added[5] = kNan;
  Core core({.fp32DestAcc = true, .preserveFp32 = true, .exact = true});
  core.bind(0, DType::F32, {added});
  core.bind(16, DType::F32, {page});
  core.run(Opcode::copy_tile, {0, 0, 0});
  core.run(Opcode::pack_reconfig_l1_acc, {1});
  const Tile found = core.result(16);
  for (size_t i = 0; i < std::size(values); ++i)
    EXPECT_EQ(bitsOf(found[i]), bitsOf(values[i][2])) << i;
  EXPECT_EQ(bitsOf(found[5]), 0x7fc00000u);
}

/// f16 of the engine: 31 is an exponent like any other, there are no denormals.
TEST(Data, ExactHalves) {
  const std::uint16_t bits[][2] = {{0x7c00, 0x7c00}, {0xfe01, 0xfe01},
                                   {0x0001, 0},      {0x83ff, 0},
                                   {0x0400, 0x0400}, {0x8000, 0}};
  for (bool fp32 : {false, true}) {
    Core core({.fp32DestAcc = fp32, .exact = true});
    core.bind(0, DType::F16, 1);
    core.bind(16, DType::F16, 1);
    for (size_t i = 0; i < std::size(bits); ++i)
      std::memcpy(static_cast<char *>(core.at(0, 0)) + 2 * i, &bits[i][0], 2);
    core.run(Opcode::copy_tile, {0, 0, 0});
    core.run(Opcode::pack_tile, {0, 16, 0, 1});
    for (size_t i = 0; i < std::size(bits); ++i) {
      std::uint16_t found;
      std::memcpy(&found, static_cast<char *>(core.at(16, 0)) + 2 * i, 2);
      EXPECT_EQ(found, bits[i][1]) << i;
    }
  }
}

/// Every number of bf16 in some order, with quiet NaNs.
std::vector<std::uint16_t> everyNumber(std::uint32_t seed) {
  std::vector<std::uint16_t> numbers(1 << 16);
  std::iota(numbers.begin(), numbers.end(), std::uint16_t(0));
  for (std::uint16_t &number : numbers)
    number |= (number & 0x7fff) > 0x7f80 ? 0x40 : 0;
  std::shuffle(numbers.begin(), numbers.end(), std::mt19937(seed));
  return numbers;
}
/// The same in f32.
Tile widened(const std::uint16_t *numbers) {
  Tile values(kTileElements);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = std::bit_cast<float>(std::uint32_t(numbers[i]) << 16);
  return values;
}

/// What instructions make of two tiles, of bf16 or of the same numbers in f32,
/// in the bytes of a tile of `out`.
std::vector<char> madeOf(bool f32, const Tile &a, const Tile &b,
                         const MathConfig &config, DType out,
                         const std::function<void(Core &)> &instructions) {
  Core core(config);
  for (std::uint32_t port : {0u, 1u}) {
    core.bind(port, f32 ? DType::F32 : DType::BF16, 1);
    const Tile &values = port ? b : a;
    auto *halves = static_cast<std::uint16_t *>(core.at(port, 0));
    for (std::size_t i = 0; i < values.size(); ++i)
      if (f32)
        static_cast<float *>(core.at(port, 0))[i] = values[i];
      else
        halves[i] =
            std::uint16_t(std::bit_cast<std::uint32_t>(values[i]) >> 16);
  }
  core.bind(16, out, 1);
  instructions(core);
  core.run(Opcode::pack_tile, {0, 16, 0, 1});
  const auto *bytes = static_cast<char *>(core.at(16, 0));
  return {bytes, bytes + numerics::tileBytes(out)};
}

/// Tiles that stay bf16 in destination registers give the bits of f32.
TEST(Data, TilesOfBf16AreThoseOfF32) {
  const auto first = everyNumber(1), second = everyNumber(2);
  const std::function<void(Core &)> works[] = {
      [](Core &core) {
        core.run(Opcode::copy_tile, {0, 0, 0});
      },
      [](Core &core) {
        core.run(Opcode::add_tiles, {0, 1, 0, 0, 0});
      },
      [](Core &core) {
        core.run(Opcode::sub_tiles, {0, 1, 0, 0, 0});
      },
      [](Core &core) {
        core.run(Opcode::mul_tiles, {0, 1, 0, 0, 0});
      },
      [](Core &core) { // adds to the tile
        core.run(Opcode::mul_tiles, {0, 1, 0, 0, 0});
        core.run(Opcode::add_tiles, {0, 1, 0, 0, 0});
      },
      [](Core &core) {
        core.run(Opcode::copy_tile, {0, 0, 0});
        core.run(Opcode::exp_tile, {0, 0});
      },
      [](Core &core) {
        core.run(Opcode::sub_tiles, {0, 1, 0, 0, 0});
        core.run(Opcode::exp_tile, {0, 0});
        core.run(Opcode::relu_tile, {0});
      },
      [](Core &core) {
        core.run(Opcode::mul_tiles, {0, 1, 0, 0, 1});
        core.run(Opcode::copy_tile, {1, 0, 2});
        core.run(Opcode::max_tile, {1, 2});
        core.run(Opcode::div_binary_tile, {1, 2, 0});
      },
  };
  for (const auto &work : works)
    for (bool fp32DestAcc : {false, true})
      for (DType out : {DType::BF16, DType::F32, DType::BFP8_B})
        for (int i = 0; i < 1 << 16; i += kTileElements) {
          const Tile a = widened(&first[i]), b = widened(&second[i]);
          const MathConfig config{.fp32DestAcc = fp32DestAcc};
          if (madeOf(false, a, b, config, out, work) ==
              madeOf(true, a, b, config, out, work))
            continue;
          ADD_FAILURE() << "work " << &work - works << ", registers of "
                        << (fp32DestAcc ? 32 : 16) << " bits, to "
                        << numerics::dtypeName(out);
          break;
        }
}

/// Every compute instruction does something, unless it only configures.
TEST(Data, HandlersAreComplete) {
  for (int i = 0; i <= int(Opcode::MAX); ++i) {
    const auto opcode = Opcode(i);
    const std::string name = EnumNameOpcode(opcode);
    const bool configures = name.find("_init") != std::string::npos ||
                            name.find("_uninit") != std::string::npos ||
                            name.find("reconfig") != std::string::npos ||
                            name.find("_startup") != std::string::npos ||
                            name == "init_sfpu" || name == "init_bcast";
    if (!isCompute(opcode))
      EXPECT_EQ(handlerFor(opcode), nullptr) << name;
    else if (!configures)
      EXPECT_NE(handlerFor(opcode), nullptr) << name;
  }
  EXPECT_TRUE(isCompute(Opcode::unpack_a));
  EXPECT_TRUE(isCompute(Opcode::where_tile));
  EXPECT_FALSE(isCompute(Opcode::tile_regs_release));
  EXPECT_FALSE(isCompute(Opcode::dprint));
}

} // namespace
