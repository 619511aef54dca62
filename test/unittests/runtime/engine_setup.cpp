// What the engines have been set up for, and operations that need something
// else.
#include "assembler.h"
#include "errors.h"

#include "testing/testing.h"

namespace tt::runtime::test {
namespace {

using enum Opcode;

/// A compute kernel on a full circular buffer 0 whose last instruction lacks
/// its init.
void initFails(Assembler &a, const char *thread) {
  Bench bench;
  const std::string last = "k:" + std::to_string(a.here() - 1);
  bench.kernel(KernelKind::Tensix, a);
  bench.buffer(0, kL1Base, 4, {0, 0, 1, 1}, true);
  bench.buffer(16, kL1Base + 16384, 2);
  faultOf<FaultKind::Init>([&] { bench.run(); },
                           [&](const Fault &fault) {
                             EXPECT_EQ(fault.place().thread, thread);
                             EXPECT_EQ(fault.place().location, last);
                           });
}

/// Operations need their own init, and the formats of their buffers.
TEST(EngineSetup, MissingInits) {
  const auto fails = [](const std::function<void(Assembler &)> &init,
                        Opcode opcode, const std::vector<Operand> &operands) {
    Assembler a;
    init(a);
    a.op(tile_regs_acquire);
    a.op(opcode, operands);
    initFails(a, "math");
  };
  const auto none = [](Assembler &) {};
  fails(none, copy_tile, {0, 0, 0});
  fails(none, add_tiles, {0, 0, 0, 0, 0});
  fails(none, fill_tile, {0, 0});
  const auto multiplies = [](Assembler &a) {
    a.op(binary_op_init_common, {0, 0, 16});
    a.op(mul_tiles_init, {0, 0});
  };
  fails(multiplies, add_tiles, {0, 0, 0, 0, 0});
  fails(multiplies, matmul_tiles, {0, 0, 0, 0, 0});
  const auto broadcasts = [](Assembler &a) {
    a.op(init_bcast, {0, 0, 16, 0, 1}); // a sum with a row
  };
  fails(broadcasts, add_tiles_bcast, {0, 0, 0, 0, 0, 2});
  fails(broadcasts, mul_tiles_bcast, {0, 0, 0, 0, 0, 1});
  const auto reduces = [](Assembler &a) {
    a.op(reduce_init, {0, 0, 16, 0, 0});
    a.op(copy_tile_init, {0});
  };
  fails(reduces, copy_tile, {0, 0, 0});
  const auto fills = [](Assembler &a) { a.op(fill_tile_init); };
  Assembler packs;
  fills(packs);
  packs.op(tile_regs_acquire);
  packs.op(fill_tile, {0, 0});
  packs.op(tile_regs_commit);
  packs.op(tile_regs_wait);
  packs.op(cb_reserve_back, {16, 1});
  packs.op(pack_tile, {0, 16, 0, 0});
  initFails(packs, "pack");
}

/// What an init has set up holds for all buffers of the formats, and until
/// something else is set up.
TEST(EngineSetup, InitsThatFit) {
  Bench bench;
  Assembler a;
  a.op(reduce_init, {0, 0, 16, 0, 0});
  a.op(reduce_uninit);
  a.op(init_sfpu, {0, 16}); // copies
  a.op(fill_tile_init);
  a.op(tile_regs_acquire);
  a.op(copy_tile, {1, 0, 0});
  a.op(fill_tile_int, {1, 0});
  a.op(fill_tile, {1, 0});
  a.op(add_tiles_init, {0, 1});
  a.op(add_tiles, {0, 1, 0, 0, 0});
  a.op(fill_tile, {1, 0});
  a.op(tile_regs_commit);
  a.op(tile_regs_wait);
  a.op(cb_reserve_back, {17, 1});
  a.op(pack_tile, {0, 17, 0, 0});
  a.op(cb_push_back, {17, 1});
  a.op(tile_regs_release);
  bench.kernel(KernelKind::Tensix, a);
  bench.buffer(0, kL1Base, 1, {0, 0, 1, 1}, true);
  bench.buffer(1, kL1Base + 4096, 1, {0, 0, 1, 1}, true);
  bench.buffer(17, kL1Base + 8192, 1);
  bench.buffer(16, kL1Base + 16384, 1);
  EXPECT_NO_THROW(bench.run());
}

TEST(EngineSetup, FormatsOfUnpackerAndPacker) {
  const auto run = [](bool reconfigures, bool unpacks) {
    Bench bench;
    Assembler a;
    a.op(unary_op_init_common, {1, 17});
    if (reconfigures)
      a.op(reconfig_data_format_srca, {0});
    if (reconfigures)
      a.op(pack_reconfig_data_format, {16});
    a.op(tile_regs_acquire);
    a.op(copy_tile, {unpacks ? 0 : 1, 0, 0});
    a.op(tile_regs_commit);
    a.op(tile_regs_wait);
    a.op(cb_reserve_back, {16, 1});
    a.op(pack_tile, {0, 16, 0, 0});
    a.op(cb_push_back, {16, 1});
    a.op(tile_regs_release);
    bench.kernel(KernelKind::Tensix, a);
    constexpr CoreRange kCore = {0, 0, 1, 1};
    bench.buffer(0, kL1Base, 1, kCore, true);
    bench.buffer(1, kL1Base + 4096, 1, kCore, true, numerics::DType::BF16);
    bench.buffer(16, kL1Base + 8192, 1);
    bench.buffer(17, kL1Base + 16384, 1, kCore, false, numerics::DType::BF16);
    bench.run();
  };
  EXPECT_NO_THROW(run(true, true));
  EXPECT_THROW(run(false, true), TileFormatFault);
  EXPECT_THROW(run(false, false), TileFormatFault);
}

/// Blocks have one extent until another init.
TEST(EngineSetup, Blocks) {
  Assembler a;
  a.op(mm_block_init, {0, 0, 16, 0, 2, 1, 1});
  a.op(tile_regs_acquire);
  a.op(matmul_block, {0, 0, 0, 0, 0, 0, 2, 1, 1});
  a.op(mm_block_init_short, {0, 0, 0, 1, 2, 1});
  a.op(matmul_block, {0, 0, 0, 0, 0, 0, 1, 2, 1});
  a.op(matmul_block, {0, 0, 0, 0, 0, 0, 2, 1, 1});
  initFails(a, "math");
}

/// Without checks the emulator takes what it needs from the instructions.
TEST(EngineSetup, WithoutChecks) {
  Bench bench;
  bench.options.checks = false;
  Assembler a;
  a.op(tile_regs_acquire);
  a.op(copy_tile, {0, 0, 0});
  a.op(tile_regs_commit);
  a.op(tile_regs_wait);
  a.op(tile_regs_release);
  bench.kernel(KernelKind::Tensix, a);
  bench.buffer(0, kL1Base, 1, {0, 0, 1, 1}, true);
  EXPECT_NO_THROW(bench.run());
}

} // namespace
} // namespace tt::runtime::test
