// The clock: measured latencies and rates of the network, pipelines of compute
// kernels, and that it depends on nothing but the events.
#include "assembler.h"
#include "clock/compute_time.h"
#include "clock/noc_time.h"
#include "clock/trace.h"
#include "emulator/noc.h"
#include "emulator/replay_launch.h"
#include "numerics/parallel.h"
#include "tt/runtime/runtime.h"

#include "testing/testing.h"

namespace tt::runtime::test {
namespace {

using namespace emulator;
using enum Opcode;

ChipGeometry chipOf(const char *target) {
  const SystemDesc desc = system_desc::getDefaultSystemDesc(target);
  return chipGeometry(desc->chip_descs()->Get(0));
}

/// Transfers of the first core, then a barrier.
class Transfers {
public:
  explicit Transfers(const char *target)
      : geometry_(chipOf(target)), map_(geometry_) {
    thread_.events.reserve(600);
  }

  NocPoint worker(int y, int x) const {
    const NocCoord at = map_.worker(std::uint32_t(y * geometry_.gridX + x));
    return {std::uint8_t(at.x), std::uint8_t(at.y)};
  }
  NocPoint channel(int index) const {
    const NocCoord at = map_.channel(std::uint32_t(index));
    return {std::uint8_t(at.x), std::uint8_t(at.y)};
  }
  void add(EventKind kind, Opcode opcode, NocPoint remote, std::uint32_t bytes,
           std::uint32_t calls = 1) {
    emulator::Event event{};
    event.kind = kind;
    event.opcode = opcode;
    event.remote = remote;
    event.bytes = bytes;
    event.count = 1;
    event.calls = calls;
    thread_.events.push_back(event);
  }
  void multicast(NocPoint from, NocPoint to, std::uint32_t bytes,
                 std::uint32_t cores) {
    add(EventKind::NocMulticast, noc_async_write_multicast, from, bytes);
    thread_.events.back().remoteEnd = to;
    thread_.events.back().count = cores;
  }
  double cycles() {
    add(EventKind::ReadBarrier, noc_async_read_barrier, {}, 0);
    add(EventKind::WriteBarrier, noc_async_write_barrier, {}, 0);
    Launch launch;
    launch.kernels.resize(1);
    LaunchResult result;
    result.events = {thread_};
    return replay(launch, result, geometry_).cycles;
  }

private:
  ChipGeometry geometry_;
  NocMap map_;
  ThreadEvents thread_{};
};

/// Of `count` transfers of the first core and a barrier.
double cyclesOf(const char *target, int count, bool read,
                const std::vector<NocPoint> &places, std::uint32_t bytes) {
  Transfers transfers(target);
  for (int i = 0; i < count; ++i)
    transfers.add(read ? EventKind::NocRead : EventKind::NocWrite,
                  read ? noc_async_read : noc_async_write,
                  places[std::size_t(i) % places.size()], bytes);
  return transfers.cycles();
}

/// On Blackhole the L1 of one core answers small reads more slowly than a core
/// issues them; several cores do not.
TEST(Replay, AnL1AnswersOneReadAfterTheOther) {
  const Transfers at("p150");
  const NocPoint one = at.worker(3, 3), other = at.worker(5, 6);
  EXPECT_GT(cyclesOf("p150", 256, true, {one}, 64),
            1.1 * cyclesOf("p150", 256, true, {one, other}, 64));
}

/// On Wormhole a DRAM channel reads, changes and writes what is less than a
/// burst.
TEST(Replay, WritesBelowABurstTakeLonger) {
  const NocPoint channel = Transfers("n150").channel(0);
  EXPECT_GT(cyclesOf("n150", 64, false, {channel}, 64),
            1.5 * cyclesOf("n150", 64, false, {channel}, 128));
}

/// A multicast reserves the path to its last core before it sends: what that
/// takes grows with the path and not with the number of cores.
TEST(Replay, MulticastsReserveTheirPath) {
  const auto cycles = [](int count, int rows, int columns,
                         std::uint32_t bytes) {
    Transfers transfers("n150");
    for (int i = 0; i < count; ++i)
      transfers.multicast(transfers.worker(0, 0),
                          transfers.worker(rows - 1, columns - 1), bytes,
                          std::uint32_t(rows * columns));
    return transfers.cycles();
  };
  const auto each = [&](int rows, int columns, std::uint32_t bytes) {
    return (cycles(65, rows, columns, bytes) -
            cycles(1, rows, columns, bytes)) /
           64;
  };
  // Columns 0 to 3 of a row, or 2x3 cores: 3 hops there and 3 back.
  EXPECT_NEAR(each(1, 4, 64), each(2, 3, 64), 1e-9);
  EXPECT_NEAR(each(1, 4, 64) - each(1, 3, 64), 2 * 9, 1e-9);
  EXPECT_NEAR(each(1, 4, 8192) - each(1, 4, 64),
              each(1, 3, 8192) - each(1, 3, 64), 1e-9);
}

/// Data of a read that waits for a busy DRAM channel hold up nobody on the
/// links that they will take later.
TEST(NocTime, ReadsPassOthersThatWait) {
  const ChipGeometry chip = chipOf("n150");
  const auto last = [&](bool waiting) {
    clock::NocTime net(archData(chip.arch).timing, chip);
    const auto read = [&](int row, int column, std::uint32_t channel) {
      return net
          .read(0, std::uint32_t(row * chip.gridX + column),
                {NocMap::Node::Dram, channel}, 8192, 0)
          .completed;
    };
    for (int i = 0; i < 32; ++i)
      read(3, 4, 0);
    // Both come down the first column of cores.
    const double busy = waiting ? read(3, 0, 0) : 0;
    const double found = read(4, 0, 1);
    EXPECT_TRUE(!waiting || busy > 5 * found);
    return found;
  };
  EXPECT_EQ(last(true), last(false));
}

/// A packet that is not full takes as long beside its bytes as a full one.
TEST(NocTime, TheLastPacketMayBeShort) {
  for (const char *target : {"n150", "p150"}) {
    const ChipGeometry chip = chipOf(target);
    const ArchTiming &timing = archData(chip.arch).timing;
    const auto cycles = [&](double bytes) {
      clock::NocTime net(timing, chip);
      return net.write(0, 0, {NocMap::Node::Worker, 9}, bytes, 0).completed;
    };
    const double packet = timing.nocPacketBytes;
    EXPECT_NEAR(cycles(2 * packet) - cycles(packet + 64),
                cycles(packet) - cycles(64), 1e-6);
    EXPECT_GT(cycles(packet + 64) - cycles(packet),
              cycles(packet) - cycles(packet - 64));
  }
}

/// Products of elements take a pass for each phase of the multiplier, sums one.
TEST(ComputeTime, ElementsAreMultipliedInPhases) {
  const auto math = [](Opcode opcode, int phases) {
    emulator::Event event{};
    event.kind = EventKind::Compute;
    event.opcode = opcode;
    event.count = 1;
    return computeCycles(archData(::tt::target::Arch::Wormhole_b0), event,
                         {.fidelity = ::tt::target::MathFidelity(phases)})
        .math;
  };
  EXPECT_EQ(math(add_tiles, 4), math(add_tiles, 1));
  EXPECT_EQ(math(mul_tiles, 1), math(add_tiles, 1));
  const double phase = math(mul_tiles, 2) - math(mul_tiles, 1);
  EXPECT_GT(phase, 0);
  EXPECT_NEAR(math(mul_tiles, 4) - math(mul_tiles, 1), 3 * phase, 1e-9);
}

/// Sums take longer in more phases of the multiplier, maxima do not; a column
/// is less work than a scalar.
TEST(ComputeTime, ReductionsDifferByPoolAndDimension) {
  using ::tt::target::metal::PoolType;
  using ::tt::target::metal::ReduceDim;
  const ArchData &arch = archData(::tt::target::Arch::Blackhole);
  const auto math = [&](PoolType pool, ReduceDim dim, int phases) {
    emulator::Event event{};
    event.kind = EventKind::Compute;
    event.opcode = reduce_tile;
    event.count = 1;
    event.value = std::uint32_t(pool) << 8 | std::uint32_t(dim);
    return computeCycles(arch, event,
                         {.fidelity = ::tt::target::MathFidelity(phases)})
        .math;
  };
  for (const ReduceDim dim :
       {ReduceDim::Row, ReduceDim::Col, ReduceDim::Scalar}) {
    EXPECT_EQ(math(PoolType::Max, dim, 4), math(PoolType::Max, dim, 1));
    EXPECT_GT(math(PoolType::Sum, dim, 4), math(PoolType::Sum, dim, 1));
  }
  EXPECT_GT(math(PoolType::Sum, ReduceDim::Scalar, 1),
            math(PoolType::Sum, ReduceDim::Col, 1));
  EXPECT_GT(math(PoolType::Max, ReduceDim::Row, 1),
            math(PoolType::Max, ReduceDim::Scalar, 1));
}

/// A tile of an elementwise instruction is unpacked in faces, that of a product
/// at once.
TEST(ComputeTime, ProductsUnpackTilesAtOnce) {
  const ArchData &arch = archData(::tt::target::Arch::Blackhole);
  emulator::Event event{};
  event.kind = EventKind::Compute;
  event.count = 1;
  event.first = event.second = std::uint8_t(numerics::DType::BF16);
  event.opcode = add_tiles;
  const double faces = computeCycles(arch, event, {}).unpack;
  event.opcode = matmul_tiles;
  EXPECT_LT(computeCycles(arch, event, {}).unpack, faces);
}

/// Functions take longer if they may not be approximated, and for 32 bits.
TEST(ComputeTime, FunctionsDependOnTheMode) {
  const ArchData &arch = archData(::tt::target::Arch::Blackhole);
  const auto math = [&](Opcode opcode, bool approx, bool fp32) {
    emulator::Event event{};
    event.kind = EventKind::Compute;
    event.opcode = opcode;
    event.count = 1;
    return computeCycles(arch, event, {.approx = approx, .fp32DestAcc = fp32})
        .math;
  };
  EXPECT_GT(math(gelu_tile, false, false), math(gelu_tile, true, false));
  EXPECT_GT(math(recip_tile, false, true), math(recip_tile, false, false));
  EXPECT_GT(math(recip_tile, false, false), math(recip_tile, true, false));
  EXPECT_EQ(math(relu_tile, false, false), math(relu_tile, true, true));
}

/// What an event takes is counted by its kind; the calls before it are beside
/// that.
TEST(Replay, CallsBeforeAnEventTakeTime) {
  const auto cycles = [](std::uint32_t calls) {
    Transfers transfers("n150");
    transfers.add(EventKind::NocRead, noc_async_read, transfers.worker(3, 3),
                  64, calls);
    return transfers.cycles();
  };
  EXPECT_EQ(cycles(1), cycles(0));
  EXPECT_GT(cycles(2), cycles(1));
}

/// Two flows over one link share it; two flows that meet nowhere do not.
TEST(Replay, LinksAreShared) {
  const ChipGeometry geometry = chipOf("n150");
  const NocMap map(geometry);
  const auto run = [&](int row) {
    LaunchResult result;
    for (int i = 0; i < 2; ++i) {
      ThreadEvents thread{};
      thread.coreY = i * row;
      thread.coreX = i * (1 - row);
      for (int k = 0; k < 64; ++k) {
        emulator::Event event{};
        event.kind = EventKind::NocWrite;
        event.opcode = noc_async_write;
        const NocCoord to =
            map.worker(std::uint32_t(thread.coreY * 8 + 6 + thread.coreX));
        event.remote = {std::uint8_t(to.x), std::uint8_t(to.y)};
        event.bytes = 8192;
        thread.events.push_back(event);
      }
      emulator::Event barrier{};
      barrier.kind = EventKind::WriteBarrier;
      barrier.opcode = noc_async_write_barrier;
      thread.events.push_back(barrier);
      result.events.push_back(thread);
    }
    Launch launch;
    launch.kernels.resize(1);
    return replay(launch, result, geometry);
  };
  const clock::ReplayResult same = run(0), apart = run(1);
  EXPECT_GT(same.cycles, 1.8 * apart.cycles);
  std::uint64_t bytes = 0;
  for (const LinkUse &link : same.links)
    bytes = std::max(bytes, link.bytes);
  EXPECT_EQ(bytes, 2 * 64 * 8192u);
}

/// A reader, two computations and a writer on each core of a row.
Launch stream(Bench &bench, std::uint32_t count, bool heavy) {
  constexpr std::uint32_t kOut = kDramBase + 65536;
  Assembler read, write, compute;
  const auto page = [&](Assembler &a, Opcode opcode, std::uint32_t base,
                        Opcode pointer, int port, Reg i) {
    const Reg tensor = a.op(tensor_accessor, {int(base), 0});
    a.op(opcode, {i, tensor, a.op(pointer, {port})});
  };
  read.accessor(tiles(count));
  write.accessor(tiles(count));
  read.loop(int(count), [&](Reg i) {
    read.op(cb_reserve_back, {0, 1});
    page(read, noc_async_read_page, kDramBase, get_write_ptr, 0, i);
    read.op(noc_async_read_barrier);
    read.op(cb_push_back, {0, 1});
  });
  compute.op(init_sfpu, {0, 16});
  compute.op(exp_tile_init, {0});
  compute.loop(int(count), [&](Reg) {
    compute.op(cb_wait_front, {0, 1});
    compute.op(cb_reserve_back, {16, 1});
    compute.op(tile_regs_acquire);
    compute.op(copy_tile, {0, 0, 0});
    for (int i = 0; i < (heavy ? 20 : 1); ++i)
      compute.op(exp_tile, {0, 0});
    compute.op(tile_regs_commit);
    compute.op(tile_regs_wait);
    compute.op(pack_tile, {0, 16, 0, 0});
    compute.op(tile_regs_release);
    compute.op(cb_push_back, {16, 1});
    compute.op(cb_pop_front, {0, 1});
  });
  write.loop(int(count), [&](Reg i) {
    write.op(cb_wait_front, {16, 1});
    page(write, noc_async_write_page, kOut, get_read_ptr, 16, i);
    write.op(noc_async_write_barrier);
    write.op(cb_pop_front, {16, 1});
  });
  const CoreRange cores{0, 0, 1, 1};
  bench.kernel(KernelKind::Noc0, read, cores);
  bench.kernel(KernelKind::Noc1, write, cores);
  bench.kernel(KernelKind::Tensix, compute, cores);
  bench.buffer(0, kL1Base, 2, cores);
  bench.buffer(16, kL1Base + 8192, 2, cores);
  bench.options.events = true;
  return bench.launch;
}

double sumOf(const TimeParts &parts) {
  return parts.compute + parts.noc + parts.dram + parts.ethernet + parts.host +
         parts.dispatch + parts.waiting;
}

TEST(Replay, PipelinesOverlap) {
  for (bool heavy : {false, true}) {
    Bench bench;
    constexpr std::uint32_t kTiles = 40;
    const Launch launch = stream(bench, kTiles, heavy);
    const LaunchResult result = bench.run();
    Trace trace;
    const clock::ReplayResult time =
        replay(launch, result, bench.chip.geometry(), &trace, 1000);
    EXPECT_EQ(time.forced, 0u);
    ASSERT_EQ(time.cores.size(), 1u);
    const CoreUse &use = time.cores[0];
    // What one engine does, another one does not wait for.
    EXPECT_GE(time.cycles, use.math);
    EXPECT_LT(time.cycles, use.math + use.unpack + use.pack + use.noc0 +
                               use.noc1 + kTiles * 700.0);
    // The parts of the critical path are all of it, and say what bounds it.
    EXPECT_NEAR(sumOf(time.parts), time.cycles, 1e-6);
    if (heavy) { // bound by the vector engine
      EXPECT_LT(time.cycles, 1.02 * use.math + 3000);
      EXPECT_GT(time.parts.compute, 0.8 * time.cycles);
    } else { // bound by a read and its barrier at a time
      EXPECT_GT(time.cycles, 2 * use.math);
      EXPECT_GT(time.parts.dram + time.parts.noc, 0.7 * time.cycles);
      EXPECT_GT(time.parts.dram, 0);
    }
    EXPECT_EQ(time.kernels.size(), 3u);
    for (const KernelUse &kernel : time.kernels) {
      EXPECT_NEAR(sumOf(kernel.parts), kernel.end, 1e-6);
      EXPECT_EQ(kernel.cores, 1u);
      EXPECT_LE(kernel.busy, kernel.end);
    }
    EXPECT_EQ(time.traffic.dramRead, kTiles * 4096u);
    EXPECT_EQ(time.traffic.dramWrite, kTiles * 4096u);
    std::uint64_t read = 0, written = 0;
    for (const ChannelUse &channel : time.channels) {
      read += channel.readBytes;
      written += channel.writeBytes;
    }
    EXPECT_EQ(read, kTiles * 4096u);
    EXPECT_EQ(written, kTiles * 4096u);
    std::string json;
    writeTrace(trace, TraceFormat::Json,
               [&](std::string_view piece) { json += piece; });
    for (const char *name :
         {"\"core 0,0 unpack\"", "\"core 0,0 pack\"", "\"core 0,0 noc1\"",
          "\"copy_tile\"", "\"noc_async_read_page\"",
          "\"noc_async_read_barrier\"", "\"noc0 link ", "\"DRAM channel 3\"",
          "\"ph\": \"s\"", "\"ph\": \"f\""})
      EXPECT_NE(json.find(name), std::string::npos) << name;
    // The same events, the same clock.
    const clock::ReplayResult again =
        replay(launch, result, bench.chip.geometry());
    EXPECT_EQ(again.cycles, time.cycles);
    EXPECT_EQ(again.links.size(), time.links.size());
  }
}

/// Cores that take turns by semaphores take longer the more of them there are.
TEST(Replay, SemaphoresOrderCores) {
  double last = 0;
  for (int cores : {2, 3, 4}) {
    Bench bench;
    bench.launch.semaphores = {0};
    // Each core waits for the one on its left, then tells the next one.
    for (int x = 0; x < cores; ++x) {
      Assembler a;
      const Reg turn = a.op(get_semaphore, {0});
      if (x > 0)
        a.op(noc_semaphore_wait, {turn, 1});
      a.op(fill_with_val, {int(kL1Base), 256, x, 4});
      if (x + 1 < cores)
        a.op(noc_semaphore_inc, {a.op(get_noc_addr, {x + 1, 0, turn}), 1});
      a.op(noc_async_atomic_barrier);
      bench.kernel(KernelKind::Noc0, a, {0, x, 1, 1});
    }
    bench.options.events = true;
    const LaunchResult result = bench.run();
    const clock::ReplayResult time =
        replay(bench.launch, result, bench.chip.geometry());
    EXPECT_EQ(time.forced, 0u);
    EXPECT_GT(time.cycles, last + 1700); // 1024 B at 0.59 B per cycle
    // Words in flight are what the cores wait for.
    EXPECT_NEAR(sumOf(time.parts), time.cycles, 1e-6);
    EXPECT_GT(time.parts.waiting, 0);
    EXPECT_GT(time.parts.noc, cores * 1700.0);
    EXPECT_EQ(time.cores.size(), std::size_t(cores));
    last = time.cycles;
  }
}

} // namespace
} // namespace tt::runtime::test
