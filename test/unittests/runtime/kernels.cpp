// Kernels on the cores of a chip: what each family of instructions does.
#include "assembler.h"
#include "numerics/parallel.h"

#include "testing/testing.h"

namespace tt::runtime::test {
namespace {

using enum Opcode;

/// Runs one data movement kernel and gives the words that it stored at
/// kL1Base.
std::vector<std::uint32_t> store(Assembler &a, const std::vector<Reg> &values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    a.op(store_to_l1, {values[i], int(kL1Base + 4 * i), 4});
  Bench bench;
  bench.kernel(KernelKind::Noc0, a);
  bench.run();
  const auto *words = bench.l1<std::uint32_t>(0, kL1Base);
  return {words, words + values.size()};
}

TEST(Kernels, ArithmeticIsThatOf32Bits) {
  Assembler a;
  const unsigned minusOne = ~0u, lowest = 0x80000000u;
  const std::vector<Reg> values = {a.op(addi, {minusOne, 2}),
                                   a.op(subi, {1, 2}),
                                   a.op(muli, {0x10001, 0x10001}),
                                   a.op(divsi, {-7, 2}),
                                   a.op(divui, {-7, 2}),
                                   a.op(remsi, {-7, 2}),
                                   a.op(divsi, {lowest, -1}),
                                   a.op(remsi, {lowest, -1}),
                                   a.op(shli, {1, 32}),
                                   a.op(shrsi, {-8, 40}),
                                   a.op(shrsi, {-8, 1}),
                                   a.op(shrui, {-8, 1}),
                                   a.op(minsi, {-1, 1}),
                                   a.op(minui, {-1, 1}),
                                   a.op(maxsi, {-1, 1}),
                                   a.op(maxui, {-1, 1}),
                                   a.op(cmpi, {2, -1, 1}),
                                   a.op(cmpi, {6, -1, 1}),
                                   a.op(select, {0, 5, 6}),
                                   a.op(extsi, {8, 0x80}),
                                   a.op(trunci, {8, 0x1ff})};
  const std::vector<std::uint32_t> expected = {
      1,        minusOne,   0x20001, std::uint32_t(-3), 0x7ffffffc, minusOne,
      lowest,   0,          0,       minusOne,          0xfffffffc, 0x7ffffffc,
      minusOne, 1,          1,       minusOne,          1,          0,
      6,        0xffffff80, 0xff};
  EXPECT_EQ(store(a, values), expected);
}

TEST(Kernels, LoopsAndPrints) {
  Assembler a;
  const Reg sum = a.reg();
  a.into(sum, move, {0});
  a.loop(10, [&](Reg i) { a.into(sum, addi, {sum, i}); });
  a.op(dprint, {int(a.string("sum {} on {}")), sum, a.op(core_index)});
  Bench bench;
  bench.kernel(KernelKind::Noc0, a, {1, 1, 1, 2});
  const LaunchResult result = bench.run();
  ASSERT_EQ(result.prints.size(), 2u);
  EXPECT_EQ(result.prints[0].text, "sum 45 on 0");
  EXPECT_EQ(result.prints[1].text, "sum 45 on 1");
  EXPECT_EQ(result.prints[1].core.x, 2);
}

TEST(Kernels, ArgumentsPerCore) {
  Assembler a;
  a.op(store_to_l1,
       {a.op(addi, {a.op(get_arg_val, {1}),
                    a.op(addi, {a.op(get_common_arg_val, {0}),
                                a.op(get_compile_time_arg_val, {0})})}),
        int(kL1Base), 4});
  Bench bench;
  Kernel &kernel = bench.kernel(KernelKind::Noc1, a, {0, 0, 1, 2});
  kernel.runtimeArgs = {{7}, {10, 20}};
  kernel.compileArgs = {300};
  bench.launch.commonArgs = {4000};
  bench.run();
  EXPECT_EQ(*bench.l1<std::uint32_t>(0, kL1Base), 4310u);
  EXPECT_EQ(*bench.l1<std::uint32_t>(1, kL1Base), 4320u);
}

/// Reads `count` tiles of a DRAM tensor at `from` into circular buffer 0.
Assembler reader(std::uint32_t count, std::uint32_t from, int port = 0) {
  Assembler a;
  const Reg tensor =
      a.op(tensor_accessor, {int(from), int(a.accessor(tiles(count)))});
  a.loop(int(count), [&](Reg i) {
    a.op(cb_reserve_back, {port, 1});
    a.op(noc_async_read_page, {i, tensor, a.op(get_write_ptr, {port})});
    a.op(noc_async_read_barrier);
    a.op(cb_push_back, {port, 1});
  });
  return a;
}

Assembler writer(std::uint32_t count, std::uint32_t to, int port = 16) {
  Assembler a;
  const Reg tensor =
      a.op(tensor_accessor, {int(to), int(a.accessor(tiles(count)))});
  a.loop(int(count), [&](Reg i) {
    a.op(cb_wait_front, {port, 1});
    a.op(noc_async_write_page, {i, tensor, a.op(get_read_ptr, {port})});
    a.op(noc_async_write_barrier);
    a.op(cb_pop_front, {port, 1});
  });
  return a;
}

TEST(Kernels, StreamTilesThroughCompute) {
  Bench bench;
  constexpr std::uint32_t kTiles = 9, kOut = kDramBase + 16384;
  for (std::uint32_t i = 0; i < kTiles; ++i) {
    auto *tile = bench.dram<float>(i % 4, kDramBase + i / 4 * 4096);
    for (int k = 0; k < 1024; ++k)
      tile[k] = float(i * 1024 + k);
  }
  Assembler read = reader(kTiles, kDramBase), write = writer(kTiles, kOut),
            compute = adder(kTiles, 0, 0);
  bench.kernel(KernelKind::Noc0, read);
  bench.kernel(KernelKind::Noc1, write);
  bench.kernel(KernelKind::Tensix, compute);
  bench.buffer(0, kL1Base, 2);
  bench.buffer(16, kL1Base + 8192, 2);
  bench.options.events = true;
  const LaunchResult result = bench.run();
  for (std::uint32_t i = 0; i < kTiles; ++i) {
    const auto *tile = bench.dram<float>(i % 4, kOut + i / 4 * 4096);
    for (int k = 0; k < 1024; ++k)
      ASSERT_EQ(tile[k], 2 * float(i * 1024 + k)) << i << " " << k;
  }
  EXPECT_EQ(result.rounds, 1u);
  ASSERT_EQ(result.events.size(), 3u);
  std::uint64_t events = 0, calls = 0;
  int adds = 0;
  for (const auto &thread : result.events)
    for (const emulator::Event &event : thread.events) {
      ++events;
      calls += event.calls;
      adds += event.opcode == add_tiles;
    }
  // Calls without an event are those of get_write_ptr and get_read_ptr, of the
  // four steps of the destination registers, and of two inits. Arithmetic,
  // loops and addresses are not counted.
  EXPECT_EQ(calls, events + 6 * kTiles + 2);
  EXPECT_LT(calls, result.instructions);
  EXPECT_EQ(adds, int(kTiles));
}

/// The form of the reference: buffers on tensors and no circular buffer
/// instructions at all.
TEST(Kernels, AliasedBuffersNeedNoHandshake) {
  Bench bench;
  Assembler a;
  a.op(binary_op_init_common, {0, 1, 16});
  a.op(mul_tiles_init, {0, 1});
  a.loop(3, [&](Reg i) {
    a.op(tile_regs_acquire);
    a.op(mul_tiles, {0, 1, i, i, 0});
    a.op(tile_regs_commit);
    a.op(tile_regs_wait);
    a.op(pack_tile, {0, 16, i, 0});
    a.op(tile_regs_release);
  });
  bench.kernel(KernelKind::Tensix, a);
  for (std::uint32_t port : {0u, 1u, 16u}) {
    const std::uint32_t address = kL1Base + (port % 15) * 16384;
    bench.buffer(port, address, 3, {0, 0, 1, 1}, true);
    for (int k = 0; k < 3072; ++k)
      bench.l1<float>(0, address)[k] = float(k % 7 + int(port));
  }
  // Port 1 and 16 share an address: the product goes back to its operand.
  bench.run();
  const auto *out = bench.l1<float>(0, kL1Base + 16384);
  for (int k = 0; k < 3072; ++k)
    ASSERT_EQ(out[k], float((k % 7) * (k % 7 + 16))) << k;
}

TEST(Kernels, TilizePopsAndPushesAliasedBuffers) {
  Bench bench;
  Assembler a;
  a.op(tilize_init, {0, 2, 16});
  a.loop(2, [&](Reg) {
    a.op(tilize_block, {0, 2, 16});
    a.op(cb_pop_front, {0, 2});
    a.op(cb_push_back, {16, 2});
  });
  bench.kernel(KernelKind::Tensix, a);
  bench.buffer(0, kL1Base, 4, {0, 0, 1, 1}, true).tiled = false;
  bench.buffer(16, kL1Base + 16384, 4, {0, 0, 1, 1}, true);
  auto *in = bench.l1<float>(0, kL1Base);
  for (int k = 0; k < 4096; ++k)
    in[k] = float(k);
  bench.run();
  const auto *out = bench.l1<float>(0, kL1Base + 16384);
  EXPECT_EQ(out[1], 1.0f);
  EXPECT_EQ(out[16], 64.0f);
  EXPECT_EQ(out[1024], 32.0f);
  EXPECT_EQ(out[2048], 2048.0f);
}

/// Core 0 sends a block to the row, all of them hand it on.
TEST(Kernels, MulticastAndSemaphores) {
  Bench bench;
  constexpr int kBytes = 2048;
  bench.launch.semaphores = {0, 0};
  Assembler sender;
  sender.loop(kBytes / 4, [&](Reg i) {
    sender.op(store_to_l1,
              {sender.op(muli, {i, 3}),
               sender.op(addi, {sender.op(muli, {i, 4}), int(kL1Base)}), 4});
  });
  const Reg ready = sender.op(get_semaphore, {0});
  const Reg valid = sender.op(get_semaphore, {1});
  sender.op(noc_semaphore_wait, {ready, 3});
  sender.op(noc_semaphore_set, {ready, 0});
  const Reg block =
      sender.op(get_noc_multicast_addr, {0, 0, 3, 0, int(kL1Base)});
  sender.op(noc_async_write_multicast, {int(kL1Base), block, kBytes, 3});
  sender.op(noc_semaphore_set, {valid, 1});
  sender.op(noc_semaphore_set_multicast,
            {valid, sender.op(get_noc_multicast_addr, {0, 0, 3, 0, valid}), 3});
  sender.op(noc_async_write_barrier);
  bench.kernel(KernelKind::Noc0, sender);
  Assembler receiver;
  const Reg ready2 = receiver.op(get_semaphore, {0});
  const Reg valid2 = receiver.op(get_semaphore, {1});
  receiver.op(noc_semaphore_inc,
              {receiver.op(get_noc_addr, {0, 0, ready2}), 1});
  receiver.op(noc_async_atomic_barrier);
  receiver.op(noc_semaphore_wait_min, {valid2, 1});
  const Reg x = receiver.op(my_x);
  const Reg to = receiver.op(addi, {receiver.op(muli, {x, kBytes}), 65536});
  receiver.op(noc_async_write,
              {int(kL1Base), receiver.op(get_noc_addr, {0, 0, to}), kBytes});
  receiver.op(noc_async_write_barrier);
  bench.kernel(KernelKind::Noc0, receiver, {0, 1, 1, 3});
  bench.run();
  for (int core = 1; core < 4; ++core)
    for (int k = 0; k < kBytes / 4; ++k)
      ASSERT_EQ(
          bench.l1<std::uint32_t>(0, 65536 + std::uint32_t(core) * kBytes)[k],
          std::uint32_t(3 * k));
}

/// Each core passes what it has along its row, three times around; ready and
/// valid semaphores keep the neighbours in step.
std::vector<std::uint32_t> ring(int threads) {
  numerics::setNumThreads(threads);
  Bench bench;
  bench.launch.semaphores = {0, 0};
  Assembler a;
  const Reg own = a.constant(kL1Base), next = a.constant(kL1Base + 1024);
  const Reg x = a.op(my_logical_x), y = a.op(my_logical_y);
  const Reg right = a.op(remui, {a.op(addi, {x, 1}), 4});
  const Reg left = a.op(remui, {a.op(addi, {x, 3}), 4});
  const Reg rightX = a.op(convert_logical_x_to_translated, {right});
  const Reg leftX = a.op(convert_logical_x_to_translated, {left});
  const Reg placeY = a.op(convert_logical_y_to_translated, {y});
  const Reg ready = a.op(get_semaphore, {0}), valid = a.op(get_semaphore, {1});
  a.op(fill_with_val, {own, 256, a.op(addi, {a.op(muli, {y, 10}), x}), 4});
  a.loop(3, [&](Reg) {
    a.op(noc_semaphore_inc, {a.op(get_noc_addr, {leftX, placeY, ready}), 1});
    a.op(noc_semaphore_wait, {ready, 1});
    a.op(noc_semaphore_set, {ready, 0});
    a.op(noc_async_write,
         {own, a.op(get_noc_addr, {rightX, placeY, next}), 1024});
    a.op(noc_async_write_barrier);
    a.op(noc_semaphore_inc, {a.op(get_noc_addr, {rightX, placeY, valid}), 1});
    a.op(noc_semaphore_wait, {valid, 1});
    a.op(noc_semaphore_set, {valid, 0});
    a.op(tt_memmove, {own, next, 1024});
  });
  a.op(noc_async_atomic_barrier);
  bench.kernel(KernelKind::Noc0, a, {0, 0, 4, 4});
  const LaunchResult result = bench.run();
  std::vector<std::uint32_t> words;
  for (int core = 0; core < 16; ++core)
    words.push_back(bench.l1<std::uint32_t>(core, kL1Base)[255]);
  words.push_back(std::uint32_t(result.rounds));
  numerics::setNumThreads(0);
  return words;
}

TEST(Kernels, RingDoesNotDependOnHostThreads) {
  const std::vector<std::uint32_t> one = ring(1);
  for (std::uint32_t core = 0; core < 16; ++core)
    EXPECT_EQ(one[core], core / 4 * 10 + (core % 4 + 1) % 4);
  EXPECT_EQ(ring(2), one);
  EXPECT_EQ(ring(3), one);
}

TEST(Kernels, RemoteReadsAndShardedPages) {
  Bench bench;
  for (int core = 0; core < 4; ++core)
    for (int k = 0; k < 32; ++k)
      bench.l1<std::uint32_t>(core / 2 * 4 + core % 2, 8192)[k] =
          std::uint32_t(core * 100 + k);
  bench.launch.live.push_back({"t", 8192, 128, {{0, 0, 2, 2}}, {}});
  emulator::Accessor shards;
  shards.dram = false;
  shards.sharded = true;
  shards.pageSize = shards.alignedPageSize = 32;
  shards.rows = 4;
  shards.cols = 4;
  shards.shardRows = shards.shardCols = 2;
  shards.cores = {{0, 0, 2, 2}};
  Assembler a;
  const Reg t = a.op(tensor_accessor, {8192, int(a.accessor(shards))});
  a.loop(16, [&](Reg i) {
    a.op(noc_async_read_page,
         {i, t, a.op(addi, {a.op(muli, {i, 32}), int(kL1Base)})});
  });
  a.op(noc_async_read_barrier);
  bench.kernel(KernelKind::Noc0, a, {3, 3, 1, 1});
  bench.run();
  const auto *words = bench.l1<std::uint32_t>(15, kL1Base);
  for (std::uint32_t page = 0; page < 16; ++page) {
    const std::uint32_t row = page / 4, col = page % 4;
    const std::uint32_t shard = row / 2 * 2 + col / 2;
    const std::uint32_t slot = row % 2 * 2 + col % 2;
    EXPECT_EQ(words[page * 8], shard * 100 + slot * 8) << page;
  }
}

TEST(Kernels, MovesAndZeros) {
  Bench bench;
  Assembler a;
  const Reg zeros = a.op(mem_zeros_base);
  const Reg self = a.op(get_noc_addr, {a.op(my_x), a.op(my_y), zeros});
  a.op(fill_with_val, {int(kL1Base), 8, 0xabcd, 2});
  a.op(noc_async_read, {self, int(kL1Base) + 16, 16});
  a.op(noc_async_read_barrier);
  a.op(tt_memmove, {int(kL1Base) + 33, int(kL1Base) + 1, 20});
  bench.kernel(KernelKind::Noc0, a);
  std::memset(bench.l1<char>(0, kL1Base), 0x55, 64);
  bench.run();
  const auto *bytes = bench.l1<std::uint8_t>(0, kL1Base);
  EXPECT_EQ(bytes[14], 0xcd);
  EXPECT_EQ(bytes[16], 0);
  EXPECT_EQ(bytes[33], 0xab);
  EXPECT_EQ(bytes[52], 0);
  EXPECT_EQ(bytes[53], 0x55);
}

/// A word that is no semaphore orders two cores, too, for who polls it.
TEST(Kernels, FlagsInMemoryOrder) {
  Bench bench;
  constexpr int kFlag = 8192;
  Assembler sender, receiver;
  sender.op(fill_with_val, {int(kL1Base), 16, 9, 4});
  sender.op(noc_async_write,
            {int(kL1Base), sender.op(get_noc_addr, {1, 0, int(kL1Base)}), 64});
  sender.op(noc_async_write_barrier);
  sender.op(noc_inline_dw_write, {sender.op(get_noc_addr, {1, 0, kFlag}), 1});
  sender.op(noc_async_write_barrier);
  const std::uint32_t head = receiver.here();
  const Reg flag = receiver.op(load_from_l1, {kFlag, 4});
  receiver.op(cond_br, {flag, int(head) + 2, int(head)});
  receiver.op(
      assert_that,
      {receiver.op(cmpi,
                   {0, receiver.op(load_from_l1, {int(kL1Base) + 60, 4}), 9}),
       int(receiver.string("the data came before the flag"))});
  bench.kernel(KernelKind::Noc0, sender);
  bench.kernel(KernelKind::Noc0, receiver, {0, 1, 1, 1});
  bench.launch.live.push_back({"flag", kFlag, 16, {{0, 0, 1, 2}}, {}});
  EXPECT_NO_THROW(bench.run());
}

TEST(Kernels, PollingLetsTheOthersRun) {
  Bench bench;
  Assembler poll;
  const std::uint32_t head = poll.here();
  const Reg there = poll.op(cb_pages_available_at_front, {0, 1});
  poll.op(cond_br, {there, int(head) + 2, int(head)});
  poll.op(cb_wait_front, {0, 1});
  poll.op(cb_pop_front, {0, 1});
  Assembler push;
  push.loop(100000, [](Reg) {});
  push.op(cb_reserve_back, {0, 1});
  push.op(cb_push_back, {0, 1});
  bench.kernel(KernelKind::Noc0, poll);
  bench.kernel(KernelKind::Noc1, push);
  bench.buffer(0, kL1Base, 1);
  const LaunchResult result = bench.run();
  EXPECT_LT(result.instructions, 1'000'000u);
}

/// Lines beyond the limit are left out, and one says so.
TEST(Kernels, PrintsAreLimitedAndSaySo) {
  Bench bench;
  Assembler a;
  const int text = int(a.string("line {}"));
  a.loop(100'005, [&](Reg i) { a.op(dprint, {text, i}); });
  bench.kernel(KernelKind::Noc0, a);
  const LaunchResult result = bench.run();
  ASSERT_EQ(result.prints.size(), 100'001u);
  EXPECT_EQ(result.prints[99'999].text, "line 99999");
  EXPECT_EQ(result.prints.back().text,
            "further lines of this core are left out");
}

} // namespace
} // namespace tt::runtime::test
