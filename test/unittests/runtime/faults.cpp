// One planted program per fault: its class, place, bytes and message.
#include "planted.h"

#include "tt/runtime/cancel.h"

namespace tt::runtime::test {
namespace {

using enum Opcode;

//===-- Network -----------------------------------------------------------===//

TEST(Faults, AlignmentOfDramRead) {
  Assembler a;
  a.op(noc_async_read, {dram(a, kDramBase + 16), int(kL1Base), 64});
  lastFails<FaultKind::Alignment>(a, 64);
}

TEST(Faults, AlignmentOfL1Write) {
  Assembler a;
  a.op(fill_with_val, {int(kL1Base), 16, 1, 4});
  a.op(noc_async_write, {int(kL1Base), dram(a, kDramBase + 8), 32});
  lastFails<FaultKind::Alignment>(a, 32);
}

/// DRAM to L1 asks for 32 bytes, L1 to DRAM for 16 only.
TEST(Faults, AlignmentIsRelativeAndPerPath) {
  Assembler a;
  a.op(noc_async_read, {dram(a, kDramBase + 16), int(kL1Base + 16), 64});
  a.op(noc_async_read_barrier);
  a.op(noc_async_write, {int(kL1Base + 16), dram(a, kDramBase + 32), 64});
  a.op(noc_async_write_barrier);
  Bench bench;
  bench.kernel(KernelKind::Noc0, a);
  EXPECT_NO_THROW(bench.run());
}

TEST(Faults, LengthOfZero) {
  Assembler a;
  a.op(noc_async_read, {dram(a, kDramBase), int(kL1Base), 0});
  lastFails<FaultKind::Length>(a);
}

TEST(Faults, OutOfBoundsInL1) {
  Assembler a;
  a.op(noc_async_read, {dram(a, kDramBase), 256 * 1024 - 32, 64});
  lastFails<FaultKind::OutOfBounds>(a, 64);
}

TEST(Faults, OutOfBoundsInDram) {
  Assembler a;
  a.op(noc_async_read, {dram(a, 1024 * 1024 - 32), int(kL1Base), 64});
  lastFails<FaultKind::OutOfBounds>(a, 64);
}

TEST(Faults, OutOfBoundsBelowTheFreeMemory) {
  Assembler a;
  a.op(store_to_l1, {1, 128, 4});
  lastFails<FaultKind::OutOfBounds>(a, 4);
}

TEST(Faults, OutOfBoundsPageOfTensor) {
  Assembler a;
  const Reg t =
      a.op(tensor_accessor, {int(kDramBase), int(a.accessor(tiles(4)))});
  a.op(noc_async_read_page, {4, t, int(kL1Base)});
  lastFails<FaultKind::OutOfBounds>(a);
}

TEST(Faults, CoordinatesOfNobody) {
  Assembler a;
  a.op(noc_async_read, {a.op(get_noc_addr, {9, 9, 0}), int(kL1Base), 32});
  lastFails<FaultKind::Coordinates>(a);
}

TEST(Faults, CoordinatesOfANumber) {
  Assembler a;
  a.op(noc_async_read, {1234, int(kL1Base), 32});
  lastFails<FaultKind::Coordinates>(a);
}

TEST(Faults, MulticastCount) {
  Assembler a;
  a.op(fill_with_val, {int(kL1Base), 16, 1, 4});
  a.op(noc_async_write_multicast,
       {int(kL1Base), a.op(get_noc_multicast_addr, {0, 0, 3, 0, int(kL1Base)}),
        64, 4});
  lastFails<FaultKind::Multicast>(a);
}

TEST(Faults, MulticastRunsBackwards) {
  Assembler a;
  a.op(fill_with_val, {int(kL1Base), 16, 1, 4});
  a.op(noc_async_write_multicast,
       {int(kL1Base), a.op(get_noc_multicast_addr, {3, 0, 0, 0, int(kL1Base)}),
        64, 3});
  lastFails<FaultKind::Multicast>(a);
}

TEST(Faults, MulticastToDram) {
  Assembler a;
  a.op(fill_with_val, {int(kL1Base), 16, 1, 4});
  a.op(noc_async_write_multicast,
       {int(kL1Base), a.op(get_noc_multicast_addr, {0, 3, 0, 4, int(kL1Base)}),
        64, 2});
  lastFails<FaultKind::Multicast>(a);
}

TEST(Faults, MulticastLoopbackWithoutTheSender) {
  Assembler a;
  a.op(fill_with_val, {int(kL1Base), 16, 1, 4});
  a.op(noc_async_write_multicast_loopback_src,
       {int(kL1Base), a.op(get_noc_multicast_addr, {1, 0, 3, 0, int(kL1Base)}),
        64, 3});
  lastFails<FaultKind::Multicast>(a);
}

TEST(Faults, PendingReadIsNotThereYet) {
  Assembler a;
  a.op(noc_async_read, {dram(a, kDramBase), int(kL1Base), 64});
  a.op(load_from_l1, {int(kL1Base + 8), 4});
  lastFails<FaultKind::PendingTransfer>(a, 4);
}

TEST(Faults, PendingReadIsPushed) {
  Assembler a;
  a.op(cb_reserve_back, {0, 1});
  a.op(noc_async_read, {dram(a, kDramBase), int(kL1Base), 4096});
  a.op(cb_push_back, {0, 1});
  lastFails<FaultKind::PendingTransfer>(
      a, 4096, [](Bench &bench) { bench.buffer(0, kL1Base, 2); });
}

TEST(Faults, PendingWriteIsOverwritten) {
  Assembler a;
  a.op(fill_with_val, {int(kL1Base), 16, 1, 4});
  a.op(noc_async_write, {int(kL1Base), dram(a, kDramBase), 64});
  a.op(store_to_l1, {7, int(kL1Base), 4});
  lastFails<FaultKind::PendingTransfer>(a, 4);
}

TEST(Faults, TransfersOutstandingAtTheEnd) {
  const auto endFails = [](Assembler &a,
                           std::vector<std::uint32_t> semaphores) {
    Bench bench;
    const std::uint32_t line = a.here();
    bench.launch.semaphores = std::move(semaphores);
    bench.kernel(KernelKind::Noc0, a);
    expectFault<FaultKind::OutstandingTransfer>(bench, {"noc0", at(line)});
  };
  Assembler read;
  read.op(noc_async_read, {dram(read, kDramBase), int(kL1Base), 64});
  endFails(read, {});
  Assembler write;
  write.op(fill_with_val, {int(kL1Base), 16, 1, 4});
  write.op(noc_async_write, {int(kL1Base), dram(write, kDramBase), 64});
  endFails(write, {});
  Assembler increment;
  increment.op(
      noc_semaphore_inc,
      {increment.op(get_noc_addr, {1, 0, increment.op(get_semaphore, {0})}),
       1});
  endFails(increment, {0});
}

//===-- Circular buffers --------------------------------------------------===//

void withBuffer(Bench &bench) { bench.buffer(0, kL1Base, 2); }

TEST(Faults, PageNotReserved) {
  Assembler a;
  a.op(cb_reserve_back, {0, 0}); // else its memory is scratch
  a.op(noc_async_read, {dram(a, kDramBase), a.op(get_write_ptr, {0}), 4096});
  lastFails<FaultKind::PageNotReserved>(a, 4096, withBuffer);
}

TEST(Faults, SecondPageNotReserved) {
  Assembler a;
  a.op(cb_reserve_back, {0, 1});
  a.op(store_to_l1, {1, a.op(addi, {a.op(get_write_ptr, {0}), 4096}), 4});
  lastFails<FaultKind::PageNotReserved>(a, 4, withBuffer);
}

TEST(Faults, PushedPageNotReserved) {
  Assembler a;
  a.op(cb_push_back, {0, 1});
  lastFails<FaultKind::PageNotReserved>(a, 0, withBuffer);
}

TEST(Faults, PageNotWaited) {
  Assembler a;
  a.op(cb_reserve_back, {0, 1});
  a.op(fill_with_val, {int(kL1Base), 1024, 0, 4});
  a.op(cb_push_back, {0, 1});
  a.op(noc_async_write, {a.op(get_read_ptr, {0}), dram(a, kDramBase), 4096});
  lastFails<FaultKind::PageNotWaited>(a, 4096, withBuffer);
}

TEST(Faults, BufferReserveOverCapacity) {
  Assembler a;
  a.op(cb_reserve_back, {0, 3});
  lastFails<FaultKind::BufferCapacity>(a, 0, withBuffer);
}

TEST(Faults, BufferPopOfNothing) {
  Assembler a;
  a.op(cb_pop_front, {0, 1});
  lastFails<FaultKind::BufferCapacity>(a, 0, withBuffer);
}

TEST(Faults, BufferWrap) {
  Assembler a;
  a.loop(2, [&](Reg) {
    a.op(cb_reserve_back, {0, 2});
    a.op(cb_push_back, {0, 2});
    a.op(cb_wait_front, {0, 2});
    a.op(cb_pop_front, {0, 2});
  });
  Bench bench;
  bench.kernel(KernelKind::Noc0, a);
  bench.buffer(0, kL1Base, 3);
  // After the loop's head the second instruction pushes.
  expectFault<FaultKind::BufferWrap>(bench, {"noc0", at(4)});
}

TEST(Faults, BufferThatDoesNotExist) {
  Assembler a;
  a.op(cb_wait_front, {7, 1});
  lastFails<FaultKind::BufferMisuse>(a, 0, withBuffer);
}

TEST(Faults, BufferFilledByTwo) {
  Bench bench;
  Assembler first, second;
  for (Assembler *a : {&first, &second}) {
    a->op(cb_reserve_back, {0, 1});
    a->op(cb_push_back, {0, 1});
  }
  bench.kernel(KernelKind::Noc0, first);
  bench.kernel(KernelKind::Noc1, second);
  withBuffer(bench);
  expectFault<FaultKind::BufferMisuse>(bench, {"noc1", at(0)});
}

TEST(Faults, BufferLeftDirty) {
  Assembler reserved;
  reserved.op(cb_reserve_back, {0, 1});
  reserved.op(ret);
  const auto strictly = [](Bench &bench) {
    withBuffer(bench);
    bench.options.checkKinds = kAllChecks;
  };
  lastFails<FaultKind::BufferDirty>(reserved, 0, strictly);
  Assembler waited;
  waited.op(cb_reserve_back, {0, 1});
  waited.op(cb_push_back, {0, 1});
  waited.op(cb_wait_front, {0, 1});
  waited.op(ret);
  lastFails<FaultKind::BufferDirty>(waited, 0, strictly);
}

TEST(Faults, BufferOverlapsTensor) {
  Bench bench;
  Assembler a;
  bench.kernel(KernelKind::Noc0, a, {1, 0, 1, 1});
  bench.buffer(0, kL1Base, 2, {1, 0, 1, 1});
  bench.launch.live.push_back(
      {"weights", kL1Base + 8000, 4096, {{0, 0, 4, 4}}, {}});
  const std::string message =
      expectFault<FaultKind::BufferOverlap>(bench, {"noc0", "", 192, 1, 0});
  EXPECT_NE(message.find("weights"), std::string::npos) << message;
}

//===-- Memory ------------------------------------------------------------===//

TEST(Faults, UninitializedRead) {
  Assembler a;
  a.op(store_to_l1, {1, int(kL1Base), 4});
  a.op(load_from_l1, {int(kL1Base), 4});
  a.op(load_from_l1, {int(kL1Base + 4), 2});
  lastFails<FaultKind::UninitializedRead>(a, 2);
}

TEST(Faults, UninitializedTile) {
  Bench bench;
  Assembler reader;
  reader.op(cb_reserve_back, {0, 1});
  reader.op(cb_push_back, {0, 1});
  Assembler compute;
  compute.op(cb_wait_front, {0, 1});
  compute.op(tile_regs_acquire);
  compute.op(copy_tile, {0, 0, 0});
  bench.kernel(KernelKind::Noc0, reader);
  bench.kernel(KernelKind::Tensix, compute);
  withBuffer(bench);
  expectFault<FaultKind::UninitializedRead>(bench, {"math", at(2), 4096});
}

/// Two cores write what a third reads; the second of them in no order.
TEST(Faults, DataRaceInDram) {
  Bench bench;
  Assembler a;
  a.op(fill_with_val, {int(kL1Base), 16, a.op(my_logical_x), 4});
  a.op(noc_async_write, {int(kL1Base), dram(a, kDramBase), 64});
  a.op(noc_async_write_barrier);
  bench.kernel(KernelKind::Noc0, a, {2, 1, 1, 2});
  const std::string message =
      expectFault<FaultKind::DataRace>(bench, {"noc0", at(3), 64, 2, 2});
  EXPECT_NE(message.find("core (2, 1)"), std::string::npos) << message;
}

TEST(Faults, SameBytesTwiceAreNoRace) {
  Bench bench;
  Assembler a;
  a.op(fill_with_val, {int(kL1Base), 16, 5, 4});
  a.op(noc_async_write, {int(kL1Base), dram(a, kDramBase), 64});
  a.op(noc_async_write_barrier);
  bench.kernel(KernelKind::Noc0, a, {2, 1, 1, 2});
  EXPECT_NO_THROW(bench.run());
}

/// Core 1 writes to core 0's memory, which reads it with or without waiting for
/// the semaphore.
void handOver(Bench &bench, bool waits) {
  bench.launch.semaphores = {0, 0};
  bench.launch.live.push_back({"t", kL1Base, 64, {{0, 0, 1, 2}}, {}});
  Assembler writer;
  writer.op(noc_async_write,
            {int(kL1Base), writer.op(get_noc_addr, {0, 0, int(kL1Base)}), 64});
  writer.op(noc_async_write_barrier);
  for (int id : {0, 1})
    writer.op(
        noc_semaphore_inc,
        {writer.op(get_noc_addr, {0, 0, writer.op(get_semaphore, {id})}), 1});
  writer.op(noc_async_atomic_barrier);
  bench.kernel(KernelKind::Noc0, writer, {0, 1, 1, 1});
  Assembler reader;
  const Reg semaphore = reader.op(get_semaphore, {0});
  if (waits)
    reader.op(noc_semaphore_wait, {semaphore, 1});
  else
    reader.loop(200000, [](Reg) {}); // time is no order
  reader.op(noc_async_write, {int(kL1Base), dram(reader, kDramBase), 64});
  reader.op(noc_async_write_barrier);
  bench.kernel(KernelKind::Noc0, reader);
}

TEST(Faults, DataRaceInL1) {
  Bench ordered;
  handOver(ordered, true);
  EXPECT_NO_THROW(ordered.run());
  Bench bench;
  handOver(bench, false);
  expectFault<FaultKind::DataRace>(bench, {"noc0", at(7), 64});
}

//===-- Compute -----------------------------------------------------------===//

/// A compute kernel on a full circular buffer 0 whose last instruction is
/// wrong.
template <FaultKind Kind>
void computeFails(Assembler &a, const char *thread, std::uint64_t bytes = 0,
                  bool fp32 = true) {
  Bench bench;
  const std::uint32_t line = a.here() - 1;
  bench.kernel(KernelKind::Tensix, a).fp32DestAcc = fp32;
  bench.buffer(0, kL1Base, 4, {0, 0, 1, 1}, true);
  bench.buffer(16, kL1Base + 16384, 2);
  expectFault<Kind>(bench, {thread, at(line), bytes});
}

TEST(Faults, TileNotWaited) {
  Bench bench;
  Assembler reader, compute;
  reader.op(cb_reserve_back, {0, 2});
  reader.op(fill_with_val, {int(kL1Base), 2048, 0, 4});
  reader.op(cb_push_back, {0, 2});
  compute.op(cb_wait_front, {0, 1});
  compute.op(tile_regs_acquire);
  compute.op(copy_tile, {0, 1, 0});
  bench.kernel(KernelKind::Noc0, reader);
  bench.kernel(KernelKind::Tensix, compute);
  withBuffer(bench);
  expectFault<FaultKind::PageNotWaited>(bench, {"math", at(2), 4096});
}

TEST(Faults, TileNotReserved) {
  Assembler a;
  a.op(unary_op_init_common, {0, 16});
  a.op(tile_regs_acquire);
  a.op(copy_tile, {0, 0, 0});
  a.op(tile_regs_commit);
  a.op(tile_regs_wait);
  a.op(pack_tile, {0, 16, 0, 0});
  computeFails<FaultKind::PageNotReserved>(a, "pack", 4096);
}

TEST(Faults, DstIndexOverCapacity) {
  Assembler wide, narrow;
  wide.op(tile_regs_acquire);
  wide.op(copy_tile, {0, 0, 4});
  computeFails<FaultKind::DstIndex>(wide, "math");
  narrow.op(unary_op_init_common, {0, 16});
  narrow.op(tile_regs_acquire);
  narrow.op(copy_tile, {0, 0, 7});
  narrow.op(copy_tile, {0, 0, 8});
  computeFails<FaultKind::DstIndex>(narrow, "math", 0, false);
}

TEST(Faults, DstUnwritten) {
  Assembler a;
  a.op(tile_regs_acquire);
  a.op(exp_tile, {0, 0});
  computeFails<FaultKind::DstUnwritten>(a, "math");
}

TEST(Faults, DstProtocol) {
  Assembler compute;
  compute.op(copy_tile, {0, 0, 0});
  computeFails<FaultKind::DstProtocol>(compute, "math");
  Assembler pack;
  pack.op(unary_op_init_common, {0, 16});
  pack.op(tile_regs_acquire);
  pack.op(copy_tile, {0, 0, 0});
  pack.op(tile_regs_commit);
  pack.op(pack_tile, {0, 16, 0, 0});
  computeFails<FaultKind::DstProtocol>(pack, "pack");
  Assembler twice;
  twice.op(tile_regs_acquire);
  twice.op(tile_regs_acquire);
  computeFails<FaultKind::DstProtocol>(twice, "math");
  Assembler commit;
  commit.op(tile_regs_commit);
  computeFails<FaultKind::DstProtocol>(commit, "math");
  Assembler release;
  release.op(tile_regs_release);
  computeFails<FaultKind::DstProtocol>(release, "pack");
  Assembler open;
  open.op(tile_regs_acquire);
  open.op(ret);
  computeFails<FaultKind::DstProtocol>(open, "compute");
}

//===-- Semaphores --------------------------------------------------------===//

void withSemaphore(Bench &bench) { bench.launch.semaphores = {~0u}; }

TEST(Faults, SemaphoreIdOutOfRange) {
  Assembler a;
  a.op(get_semaphore, {1});
  lastFails<FaultKind::Semaphore>(a, 0, withSemaphore);
}

TEST(Faults, SemaphoreAddress) {
  Assembler a;
  a.op(noc_semaphore_set, {int(kL1Base), 1});
  lastFails<FaultKind::Semaphore>(a, 4, withSemaphore);
}

TEST(Faults, SemaphoreOverflow) {
  Assembler a;
  const Reg there = a.op(get_noc_addr, {1, 1, a.op(get_semaphore, {0})});
  a.op(noc_semaphore_inc, {there, 1});
  const std::uint32_t line = a.here() - 1;
  a.op(noc_async_atomic_barrier);
  Bench bench;
  withSemaphore(bench);
  bench.kernel(KernelKind::Noc0, a, {0, 0, 2, 2});
  expectFault<FaultKind::Semaphore>(bench, {"noc0", at(line), 4, 1, 1});
}

//===-- Programs ----------------------------------------------------------===//

TEST(Faults, ArgumentIndex) {
  Assembler a;
  a.op(get_arg_val, {2});
  lastFails<FaultKind::ArgumentIndex>(a, 0, [](Bench &bench) {
    bench.launch.kernels[0].runtimeArgs = {{1}, {2}};
  });
}

TEST(Faults, DivisionByZero) {
  Assembler a;
  a.op(remui, {7, 0});
  lastFails<FaultKind::DivisionByZero>(a);
}

TEST(Faults, Assertion) {
  Assembler a;
  a.op(assert_that, {0, int(a.string("rows are even"))});
  lastFails<FaultKind::Assertion>(a);
}

TEST(Faults, EndlessKernelsAreCancelled) {
  Bench bench;
  Assembler a;
  a.op(br, {0});
  bench.kernel(KernelKind::Noc0, a);
  bench.options.stepLimit = ~std::uint64_t(0);
  const CancelToken token;
  int polls = 0;
  const CancelScope scope(token,
                          [&] { ++polls == 2 ? token.cancel() : void(); });
  try {
    bench.run();
    FAIL() << "expected an error";
  } catch (const Error &error) {
    EXPECT_EQ(error.category(), ErrorCategory::Cancelled);
  }
}

TEST(Faults, StepLimit) {
  Bench bench;
  Assembler a;
  a.op(br, {0});
  bench.kernel(KernelKind::Noc0, a);
  bench.options.stepLimit = 100000;
  expectFault<FaultKind::StepLimit>(bench, {"noc0", at(0)});
}

/// The compute kernel waits for a page that the reader never pushes, the
/// writer for the compute kernel, and another core for a semaphore.
TEST(Faults, DeadlockNamesWhoCouldHelp) {
  Bench bench;
  bench.launch.semaphores = {0};
  Assembler reader, compute, writer, other;
  reader.loop(1, [&](Reg) {
    reader.op(cb_reserve_back, {0, 1});
    reader.op(cb_push_back, {0, 1});
  });
  compute.op(cb_wait_front, {0, 2});
  compute.op(cb_push_back, {16, 1});
  writer.op(cb_wait_front, {16, 1});
  writer.op(
      noc_semaphore_inc,
      {writer.op(get_noc_addr, {1, 0, writer.op(get_semaphore, {0})}), 1});
  const std::uint32_t wait = other.here() + 1;
  other.op(noc_semaphore_wait, {other.op(get_semaphore, {0}), 1});
  bench.kernel(KernelKind::Noc0, reader);
  bench.kernel(KernelKind::Tensix, compute);
  bench.kernel(KernelKind::Noc1, writer);
  bench.kernel(KernelKind::Noc0, other, {0, 1, 1, 1});
  bench.buffer(0, kL1Base, 2);
  bench.buffer(16, kL1Base + 8192, 2);
  try {
    bench.run();
    FAIL() << "expected a deadlock";
  } catch (const DeadlockFault &fault) {
    const auto &waiters = fault.waiters();
    ASSERT_EQ(waiters.size(), 3u) << fault.what();
    EXPECT_EQ(waiters[0].place.thread, "noc1");
    EXPECT_EQ(waiters[1].place.thread, "unpack");
    EXPECT_EQ(waiters[1].place.location, "k:0");
    EXPECT_EQ(waiters[1].waitsFor,
              "2 pages in circular buffer 0, which holds 1 of 2");
    ASSERT_EQ(waiters[1].suppliers.size(), 1u);
    EXPECT_EQ(waiters[1].suppliers[0],
              "kernel 'noc0_kernel' on noc0 of core (0, 0), which ended");
    EXPECT_EQ(waiters[2].place.location, at(wait));
    EXPECT_EQ(waiters[2].waitsFor, "semaphore 0 to be 1, which is 0");
    ASSERT_EQ(waiters[2].suppliers.size(), 1u);
    EXPECT_EQ(waiters[2].suppliers[0],
              "kernel 'noc1_kernel' on noc1 of core (0, 0), which waits");
  }
}

TEST(Faults, DeadlockOfDestinationRegisters) {
  Bench bench;
  Assembler a;
  a.op(tile_regs_wait);
  bench.kernel(KernelKind::Tensix, a);
  EXPECT_THROW(bench.run(), DeadlockFault);
}

/// Without checks a program runs to its end whatever a chip would make of it,
/// and what cannot be done is still a fault.
TEST(Faults, WithoutChecks) {
  Bench bench;
  bench.options.checks = false;
  Assembler a;
  a.op(noc_async_read,
       {dram(a, kDramBase + 8), a.op(get_write_ptr, {0}), 4096});
  a.op(load_from_l1, {int(kL1Base + 8192), 4});
  a.op(cb_push_back, {0, 1});
  bench.kernel(KernelKind::Noc0, a);
  withBuffer(bench);
  EXPECT_NO_THROW(bench.run());
  Assembler b;
  b.op(noc_async_read, {dram(b, kDramBase), 256 * 1024 - 32, 64});
  lastFails<FaultKind::OutOfBounds>(
      b, 64, [](Bench &other) { other.options.checks = false; });
}

} // namespace
} // namespace tt::runtime::test
