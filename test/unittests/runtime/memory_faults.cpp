// Planted mistakes about what memory holds and who may touch it, at the limits
// of what the checks remember.
#include "planted.h"

#include <algorithm>
#include <random>

namespace tt::runtime::test {
namespace {

using emulator::WrittenBytes;
using enum Opcode;

/// Against a byte of bool for each byte.
TEST(WrittenBytes, AreThoseThatWereMarked) {
  constexpr std::uint64_t kBytes = 3 * 65536 + 100;
  std::mt19937 random(7);
  WrittenBytes written;
  std::vector<bool> expected(kBytes);
  for (int i = 0; i < 300; ++i) {
    std::uint64_t begin = random() % kBytes, end = random() % kBytes;
    if (i % 3)
      end = std::min(kBytes, begin + random() % 200);
    if (begin > end)
      std::swap(begin, end);
    const auto first = expected.begin() + std::ptrdiff_t(begin);
    const auto last = expected.begin() + std::ptrdiff_t(end);
    EXPECT_EQ(written.countUnwritten(begin, end),
              std::uint64_t(std::count(first, last, false)));
    EXPECT_EQ(written.all(begin, end), !std::count(first, last, false));
    EXPECT_EQ(written.any(begin, end), std::count(first, last, true) > 0);
    if (i % 3 == 0 && end - begin > 5000)
      continue;
    written.mark(begin, end);
    std::fill(first, last, true);
  }
  WrittenBytes moved;
  moved.markAs(written, 1000, 100000, 77);
  for (std::uint64_t i = 0; i < 99000; i += 13)
    ASSERT_EQ(moved.any(77 + i, 78 + i), expected[1000 + i]) << i;
}

//===-- Bounds ------------------------------------------------------------===//

/// A chip whose DRAM has but tensor "left" and, behind a gap, "right"; 256
/// bytes in every channel each.
void withTensors(Bench &bench, std::vector<WrittenBytes> *left) {
  bench.launch.live = {{"left", kDramBase, 256, {}, {left}},
                       {"right", kDramBase + 512, 256, {}, {}}};
}

TEST(Faults, OutOfBoundsOfEveryTensor) {
  const auto fails = [](int offset, int bytes, const char *place) {
    Assembler a;
    a.op(noc_async_read,
         {dram(a, int(kDramBase) + offset), int(kL1Base), bytes});
    Bench bench;
    const std::uint32_t line = a.here() - 1;
    withTensors(bench, nullptr);
    bench.kernel(KernelKind::Noc0, a);
    const std::string message = expectFault<FaultKind::OutOfBounds>(
        bench, {"noc0", at(line), std::uint64_t(bytes)});
    EXPECT_NE(message.find(place), std::string::npos) << message;
  };
  fails(256, 32, "they are after left [1024, 1280)");
  fails(224, 64, "they cross the end of left [1024, 1280)");
  fails(1024, 32, "they are after right [1536, 1792)");
  fails(480, 64, "they are after left");
}

TEST(Faults, OutOfBoundsPageNamesTheTensor) {
  Assembler a;
  emulator::Accessor pages = tiles(4, 64);
  const Reg t =
      a.op(tensor_accessor, {int(kDramBase + 512), int(a.accessor(pages))});
  a.op(noc_async_read_page, {-1, t, int(kL1Base)});
  Bench bench;
  const std::uint32_t line = a.here() - 1;
  withTensors(bench, nullptr);
  bench.kernel(KernelKind::Noc0, a);
  const std::string message =
      expectFault<FaultKind::OutOfBounds>(bench, {"noc0", at(line)});
  EXPECT_NE(message.find("expected a page of right below 4, found -1"),
            std::string::npos)
      << message;
}

//===-- Written memory ----------------------------------------------------===//

/// Channel 2 of "left" was written by the kernel itself from byte 64 to 128.
TEST(Faults, UninitializedReadOfDram) {
  const auto run = [](int offset, int bytes) {
    std::vector<WrittenBytes> left(4);
    Assembler a;
    const auto there = [&](int at) {
      return a.op(get_noc_addr_from_bank_id, {2, int(kDramBase) + at, 1});
    };
    a.op(fill_with_val, {int(kL1Base), 16, 1, 4});
    a.op(noc_async_write, {int(kL1Base), there(64), 64});
    a.op(noc_async_write_barrier);
    const Reg from = there(offset);
    const std::uint32_t line = a.here();
    a.op(noc_async_read, {from, int(kL1Base), bytes});
    a.op(noc_async_read_barrier);
    Bench bench;
    withTensors(bench, &left);
    bench.kernel(KernelKind::Noc0, a);
    if (offset == 64) {
      EXPECT_NO_THROW(bench.run());
      EXPECT_TRUE(left[2].all(64, 128));
      EXPECT_FALSE(left[2].any(0, 64) || left[1].any(0, 256));
      return;
    }
    const std::string message = expectFault<FaultKind::UninitializedRead>(
        bench, {"noc0", at(line), std::uint64_t(bytes)});
    EXPECT_NE(message.find("in left, of which nothing has written 32"),
              std::string::npos)
        << message;
  };
  run(64, 64);
  run(96, 64);
  run(32, 64);
}

/// What is read from an L1 goes on with what earlier runs have written.
TEST(Faults, UninitializedReadOfATensorInL1) {
  std::vector<WrittenBytes> written(16);
  const auto run = [&](Assembler &a) {
    Bench bench;
    bench.launch.live.push_back(
        {"t", kL1Base + 32, 96, {{0, 0, 1, 2}}, {&written}});
    bench.kernel(KernelKind::Noc0, a, {0, 1, 1, 1});
    bench.run();
  };
  Assembler writes;
  writes.op(fill_with_val, {int(kL1Base), 20, 1, 4});
  run(writes);
  EXPECT_TRUE(written[1].all(0, 48));
  EXPECT_FALSE(written[1].any(48, 96) || written[0].any(0, 96));
  Assembler reads, more;
  reads.op(load_from_l1, {int(kL1Base + 76), 4});
  EXPECT_NO_THROW(run(reads));
  more.op(load_from_l1, {int(kL1Base + 80), 4});
  faultOf<FaultKind::UninitializedRead>([&] { run(more); },
                                        [](const Fault &) {});
}

//===-- Nothing is forgotten ----------------------------------------------===//

/// The first of 12000 writes, of which no two touch, is still under way.
TEST(Faults, PendingWritesAreNotForgotten) {
  Assembler a;
  a.op(fill_with_val, {int(kL1Base), 4 * 12000, 1, 4});
  a.loop(12000, [&](Reg i) {
    const Reg offset = a.op(muli, {i, 16});
    a.op(noc_async_write, {a.op(addi, {offset, int(kL1Base)}),
                           a.op(get_noc_addr_from_bank_id,
                                {0, a.op(addi, {offset, int(kDramBase)}), 1}),
                           4});
  });
  a.op(store_to_l1, {7, int(kL1Base), 4});
  const std::uint32_t line = a.here() - 1;
  Bench bench;
  bench.kernel(KernelKind::Noc0, a);
  expectFault<FaultKind::PendingTransfer>(bench, {"noc0", at(line), 4});
}

/// A core that reads is not forgotten for another one that reads later.
TEST(Faults, EveryReaderCounts) {
  Bench bench;
  bench.launch.semaphores = {0};
  Assembler first, second, writer;
  first.op(noc_async_read, {dram(first, kDramBase), int(kL1Base), 64});
  first.op(noc_async_read_barrier);
  second.op(noc_async_read, {dram(second, kDramBase), int(kL1Base), 64});
  second.op(noc_async_read_barrier);
  second.op(
      noc_semaphore_inc,
      {second.op(get_noc_addr, {2, 0, second.op(get_semaphore, {0})}), 1});
  second.op(noc_async_atomic_barrier);
  writer.op(noc_semaphore_wait_min, {writer.op(get_semaphore, {0}), 1});
  writer.op(fill_with_val, {int(kL1Base), 16, 7, 4});
  const std::uint32_t line = writer.here() + 1;
  writer.op(noc_async_write, {int(kL1Base), dram(writer, kDramBase), 64});
  writer.op(noc_async_write_barrier);
  bench.kernel(KernelKind::Noc0, first, {0, 0, 1, 1});
  bench.kernel(KernelKind::Noc0, second, {0, 1, 1, 1});
  bench.kernel(KernelKind::Noc0, writer, {0, 2, 1, 1});
  const std::string message =
      expectFault<FaultKind::DataRace>(bench, {"noc0", at(line), 64, 0, 2});
  EXPECT_NE(message.find("core (0, 0)"), std::string::npos) << message;
}

/// 256 ranges of 8 bytes in one KiB, of which another core writes the last.
TEST(Faults, EveryRangeOfABlockCounts) {
  Bench bench;
  Assembler many, one;
  many.op(fill_with_val, {int(kL1Base), 512, 1, 4});
  many.loop(256, [&](Reg i) {
    const Reg offset = many.op(muli, {i, 8});
    many.op(noc_async_write, {many.op(addi, {offset, int(kL1Base)}),
                              many.op(get_noc_addr_from_bank_id,
                                      {0, many.op(addi, {offset, 2048}), 1}),
                              8});
  });
  many.op(noc_async_write_barrier);
  one.op(fill_with_val, {int(kL1Base), 4, 2, 4});
  const std::uint32_t line = one.here() + 1;
  one.op(noc_async_write, {int(kL1Base + 8), dram(one, 4096 - 8), 8});
  one.op(noc_async_write_barrier);
  bench.kernel(KernelKind::Noc0, many, {0, 0, 1, 1});
  bench.kernel(KernelKind::Noc0, one, {0, 1, 1, 1});
  expectFault<FaultKind::DataRace>(bench, {"noc0", at(line), 8, 0, 1});
}

/// A wait for the first of 100 increments is not behind what their core did
/// after it.
TEST(Faults, EveryIncrementCounts) {
  const auto run = [](int waitsFor) {
    Bench bench;
    bench.launch.semaphores = {0};
    Assembler writer, reader;
    writer.op(fill_with_val, {int(kL1Base), 16, 7, 4});
    const Reg there =
        writer.op(get_noc_addr, {1, 0, writer.op(get_semaphore, {0})});
    writer.op(noc_semaphore_inc, {there, 1});
    writer.op(noc_async_write, {int(kL1Base), dram(writer, kDramBase), 64});
    writer.op(noc_async_write_barrier);
    writer.loop(99, [&](Reg) { writer.op(noc_semaphore_inc, {there, 1}); });
    writer.op(noc_async_atomic_barrier);
    reader.op(noc_semaphore_wait_min,
              {reader.op(get_semaphore, {0}), waitsFor});
    reader.op(noc_async_read, {dram(reader, kDramBase), int(kL1Base), 64});
    reader.op(noc_async_read_barrier);
    bench.kernel(KernelKind::Noc0, writer, {0, 0, 1, 1});
    bench.kernel(KernelKind::Noc0, reader, {0, 1, 1, 1});
    bench.run();
  };
  faultOf<FaultKind::DataRace>([&] { run(1); }, [](const Fault &) {});
  EXPECT_NO_THROW(run(2));
  EXPECT_NO_THROW(run(57));
  EXPECT_NO_THROW(run(100));
}

} // namespace
} // namespace tt::runtime::test
