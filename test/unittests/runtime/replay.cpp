// The clock: measured latencies and rates of the network, pipelines of compute
// kernels, and that it depends on nothing but the events.
#include "emulator/replay.h"
#include "assembler.h"
#include "emulator/noc.h"
#include "emulator/trace.h"
#include "numerics/parallel.h"
#include "tt/runtime/runtime.h"

#include "testing/testing.h"

#include <cmath>

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
  void add(EventKind kind, Opcode opcode, NocPoint remote,
           std::uint32_t bytes) {
    emulator::Event event{};
    event.kind = kind;
    event.opcode = opcode;
    event.remote = remote;
    event.bytes = bytes;
    event.count = 1;
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

/// Per transfer, of `count` alike.
double measured(const char *target, int count, bool read, int kind, int bytes) {
  Transfers transfers(target);
  for (int i = 0; i < count; ++i) {
    // 0: another row and column, 1: the same column, 2: a DRAM channel,
    // 3: all channels in turn.
    const NocPoint to = kind == 0   ? transfers.worker(3, 3)
                        : kind == 1 ? transfers.worker(3, 0)
                        : kind == 2 ? transfers.channel(0)
                                    : transfers.channel(i % 8);
    transfers.add(read ? EventKind::NocRead : EventKind::NocWrite,
                  kind < 3 ? read ? noc_async_read : noc_async_write
                  : read   ? noc_async_read_page
                           : noc_async_write_page,
                  to, std::uint32_t(bytes));
  }
  return transfers.cycles() / count;
}

/// Of tt-metal's noc_latencies.yaml.
TEST(Replay, MeasuredLatenciesAndRates) {
  const struct {
    const char *target;
    int count;
    bool read;
    int kind, bytes;
    double cycles;
  } kCases[] = {
      {"n150", 1, true, 0, 64, 293},       {"n150", 1, true, 0, 2048, 366},
      {"n150", 1, true, 0, 8192, 581},     {"n150", 1, true, 0, 16384, 880},
      {"n150", 1, true, 1, 64, 205},       {"n150", 1, true, 1, 8192, 493},
      {"n150", 1, false, 0, 64, 293},      {"n150", 1, false, 0, 2048, 375},
      {"n150", 1, false, 0, 8192, 613},    {"n150", 1, false, 1, 64, 210},
      {"n150", 1, false, 1, 8192, 525},    {"n150", 256, true, 0, 512, 26.1},
      {"n150", 256, true, 0, 1024, 38.2},  {"n150", 256, true, 0, 2048, 73.4},
      {"n150", 256, true, 0, 8192, 287.6}, {"n150", 256, false, 0, 512, 23.1},
      {"n150", 256, false, 0, 2048, 67.8}, {"n150", 256, false, 0, 8192, 264.7},
      {"n150", 1, true, 2, 64, 404},       {"n150", 1, true, 2, 2048, 485},
      {"n150", 1, true, 2, 8192, 732},     {"n150", 64, true, 2, 1024, 51},
      {"n150", 64, true, 2, 2048, 98},     {"n150", 64, true, 2, 8192, 372},
      {"n150", 64, false, 2, 2048, 99},    {"n150", 64, false, 2, 8192, 380},
      {"n150", 256, true, 3, 2048, 67.9},  {"n150", 256, true, 3, 512, 39},
      {"p150", 1, true, 0, 64, 373},       {"p150", 1, true, 0, 8192, 510},
      {"p150", 1, true, 1, 64, 226},       {"p150", 1, true, 1, 8192, 355},
      {"p150", 1, false, 0, 64, 358},      {"p150", 1, false, 0, 8192, 510},
      {"p150", 256, true, 0, 1024, 36.3},  {"p150", 256, true, 0, 8192, 134.7},
      {"p150", 256, false, 0, 2048, 35.4}, {"p150", 256, false, 0, 8192, 133.4},
      {"p150", 1, true, 2, 64, 481},       {"p150", 1, true, 2, 16384, 841},
      {"p150", 64, true, 2, 2048, 54},     {"p150", 64, true, 2, 16384, 357},
      {"p150", 64, false, 2, 8192, 198},   {"p150", 256, true, 3, 2048, 35.6},
  };
  double sum = 0;
  for (const auto &c : kCases) {
    const double found = measured(c.target, c.count, c.read, c.kind, c.bytes);
    const double error = std::fabs(found / c.cycles - 1);
    sum += error;
    EXPECT_LT(error, 0.12) << c.target << " x" << c.count
                           << (c.read ? " read " : " write ") << c.kind << ", "
                           << c.bytes << " B: " << found << ", measured "
                           << c.cycles;
  }
  EXPECT_LT(sum / std::size(kCases), 0.03);
}

TEST(Replay, MeasuredMulticasts) {
  const struct {
    int count, side, bytes;
    double cycles;
  } kCases[] = {
      {1, 2, 64, 450}, {1, 5, 64, 536}, {256, 2, 64, 169}, {256, 2, 8192, 432}};
  for (const auto &c : kCases) {
    Transfers transfers("n150");
    for (int i = 0; i < c.count; ++i)
      transfers.multicast(
          transfers.worker(1, 1), transfers.worker(c.side, c.side),
          std::uint32_t(c.bytes), std::uint32_t(c.side * c.side));
    const double found = transfers.cycles() / c.count;
    EXPECT_NEAR(found, c.cycles, 0.12 * c.cycles) << c.side << " " << c.bytes;
  }
}

/// Cycles per tile product of operands in L1, blocks of 2x4 tiles, against the
/// greatest rates of tt-metal's GEMM report on n150: what is missing is their
/// data movement.
TEST(Replay, ProductsAreNearMeasuredRates) {
  using numerics::DType;
  using ::tt::target::MathFidelity;
  const struct {
    DType type;
    MathFidelity fidelity;
    double cycles;
  } kCases[] = {
      {DType::BF16, MathFidelity::HiFi4, 64 / 0.887},
      {DType::BF16, MathFidelity::HiFi2, 32 / (85.4 / 131)},
      {DType::BFP8_B, MathFidelity::HiFi2, 32 / (99.9 / 131)},
      {DType::BFP8_B, MathFidelity::LoFi, 16 / (163.0 / 262)},
      {DType::BFP4_B, MathFidelity::LoFi, 16 / (192.7 / 262)},
  };
  constexpr int kSteps = 64, kBlocks = 16, kTiles = 8;
  for (const auto &c : kCases) {
    ThreadEvents thread{};
    thread.compute = true;
    emulator::Event event{};
    event.kind = EventKind::Compute;
    event.first = event.second = std::uint8_t(c.type);
    for (int block = 0; block < kBlocks; ++block) {
      event.opcode = matmul_block;
      event.count = kTiles;
      event.value = 4;
      for (int k = 0; k < kSteps; ++k)
        thread.events.push_back(event);
      event.opcode = pack_tile;
      event.count = 1;
      for (int i = 0; i < kTiles; ++i)
        thread.events.push_back(event);
    }
    Launch launch;
    launch.kernels.resize(1);
    launch.kernels[0].fidelity = c.fidelity;
    LaunchResult result;
    result.events = {thread};
    const double found = replay(launch, result, chipOf("n150")).cycles /
                         (kSteps * kBlocks * kTiles);
    EXPECT_NEAR(found, c.cycles, 0.2 * c.cycles)
        << numerics::dtypeName(c.type) << " " << int(c.fidelity);
  }
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
  const LaunchTime same = run(0), apart = run(1);
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
  compute.op(exp_tile_init);
  compute.loop(int(count), [&](Reg) {
    compute.op(cb_wait_front, {0, 1});
    compute.op(cb_reserve_back, {16, 1});
    compute.op(tile_regs_acquire);
    compute.op(copy_tile, {0, 0, 0});
    for (int i = 0; i < (heavy ? 20 : 1); ++i)
      compute.op(exp_tile, {0});
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

TEST(Replay, PipelinesOverlap) {
  for (bool heavy : {false, true}) {
    Bench bench;
    constexpr std::uint32_t kTiles = 40;
    const Launch launch = stream(bench, kTiles, heavy);
    const LaunchResult result = bench.run();
    Trace trace;
    const LaunchTime time =
        replay(launch, result, bench.chip.geometry(), &trace, 1000);
    EXPECT_EQ(time.forced, 0u);
    ASSERT_EQ(time.cores.size(), 1u);
    const CoreUse &use = time.cores[0];
    // What one engine does, another one does not wait for.
    EXPECT_GE(time.cycles, use.math);
    EXPECT_LT(time.cycles, use.math + use.unpack + use.pack + use.noc0 +
                               use.noc1 + kTiles * 700.0);
    if (heavy) // bound by the vector engine
      EXPECT_LT(time.cycles, 1.02 * use.math + 3000);
    else // bound by a read and its barrier at a time
      EXPECT_GT(time.cycles, 2 * use.math);
    std::uint64_t read = 0, written = 0;
    for (const ChannelUse &channel : time.channels) {
      read += channel.readBytes;
      written += channel.writeBytes;
    }
    EXPECT_EQ(read, kTiles * 4096u);
    EXPECT_EQ(written, kTiles * 4096u);
    const std::string json = trace.json(1e9);
    for (const char *name :
         {"\"core 0,0\"", "\"unpack\"", "\"pack\"", "\"noc1\"", "\"copy_tile\"",
          "\"noc_async_read_page\"", "\"noc_async_read_barrier\"",
          "\"links of noc0\"", "\"channel 3\""})
      EXPECT_NE(json.find(name), std::string::npos) << name;
    // The same events, the same clock.
    const LaunchTime again = replay(launch, result, bench.chip.geometry());
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
    const LaunchTime time = replay(bench.launch, result, bench.chip.geometry());
    EXPECT_EQ(time.forced, 0u);
    EXPECT_GT(time.cycles, last + 1700); // 1024 B at 0.59 B per cycle
    EXPECT_EQ(time.cores.size(), std::size_t(cores));
    last = time.cycles;
  }
}

} // namespace
} // namespace tt::runtime::test
