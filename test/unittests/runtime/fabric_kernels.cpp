// Kernels on several chips: what arrives where and in which order, and one
// planted program per fault of the instructions that send to other chips.
#include "assembler.h"
#include "emulator/fabric.h"
#include "emulator/replay_launch.h"
#include "errors.h"
#include "numerics/parallel.h"
#include "tt/runtime/fault.h"
#include "tt/runtime/runtime.h"

#include "testing/testing.h"

namespace tt::runtime::test {
namespace {

using namespace emulator;
using enum Opcode;

constexpr std::uint32_t kData = kL1Base, kInbox = kL1Base + 1024;

/// A launch on small chips that are linked as those of a target.
struct MeshBench {
  std::vector<std::shared_ptr<Chip>> chips;
  std::unique_ptr<Fabric> fabric;
  Launch launch{.live = {wholeDram()}};
  LaunchOptions options;
  std::shared_ptr<LaunchMemory> memory = std::make_shared<LaunchMemory>();

  explicit MeshBench(const char *target, std::vector<std::uint32_t> ids,
                     std::vector<std::uint32_t> mesh) {
    for (std::uint32_t id : ids)
      chips.push_back(std::make_shared<Chip>(id, smallChip()));
    fabric = std::make_unique<Fabric>(system_desc::getDefaultSystemDesc(target),
                                      chips, mesh);
  }
  /// Two chips, with 64 bytes of data on core (0, 0) of each.
  static MeshBench pair() {
    MeshBench bench("n300", {0, 1}, {1, 2});
    bench.launch.live.push_back({"t", kData, 64, {{0, 0, 1, 2}}, {}});
    return bench;
  }
  Kernel &kernel(Assembler &program, CoreRange cores = {0, 0, 1, 1}) {
    Kernel k;
    k.name = "sender";
    k.program = program.finish();
    k.cores = {cores};
    launch.kernels.push_back(std::move(k));
    return launch.kernels.back();
  }
  LaunchResult run() {
    LaunchChips places;
    for (const auto &chip : chips)
      places.chips.push_back(chip.get());
    places.fabric = fabric.get();
    places.memory = memory.get();
    return emulator::launch(places, launch, options);
  }
  std::uint32_t word(std::size_t device, std::uint32_t address, int core = 0) {
    std::uint32_t value;
    std::memcpy(&value, chips[device]->l1(core, address), 4);
    return value;
  }
};

/// Address `local` of core (y, x); the small chip's cores stand where they are.
Reg core(Assembler &a, int x, int y, Operand local) {
  return a.op(get_noc_addr, {x, y, local});
}

Reg semaphore(Assembler &a, int id = 0) {
  return core(a, 0, 0, a.op(get_semaphore, {id}));
}

Reg neighbour(Assembler &a, int devices, int distance) {
  const Reg own = a.op(get_my_device_id);
  return a.op(remui, {a.op(addi, {own, distance}), devices});
}

/// Every chip hands a word around the ring, adding its position each time.
Assembler ring(int devices) {
  Assembler a;
  a.op(fill_with_val, {int(kData), 16, a.op(get_my_device_id), 4});
  const Reg right = neighbour(a, devices, 1);
  const Reg full = a.op(get_semaphore, {0}), free = a.op(get_semaphore, {1});
  a.loop(devices - 1, [&](Reg turn) {
    a.op(noc_semaphore_wait_min, {free, turn});
    a.op(fabric_async_write,
         {int(kData), right, core(a, 0, 0, int(kInbox)), 64});
    a.op(fabric_semaphore_inc, {right, semaphore(a, 0), 1});
    a.op(fabric_async_write_barrier);
    a.op(noc_semaphore_wait_min, {full, a.op(addi, {turn, 1})});
    const Reg sum = a.op(
        addi, {a.op(load_from_l1, {int(kInbox), 4}), a.op(get_my_device_id)});
    a.op(fill_with_val, {int(kData), 16, sum, 4});
    a.op(dprint, {int(a.string("{}")), sum});
    a.op(fabric_semaphore_inc,
         {neighbour(a, devices, devices - 1), semaphore(a, 1), 1});
    a.op(fabric_async_write_barrier);
  });
  return a;
}

TEST(FabricKernels, ARingAddsPositions) {
  for (unsigned threads : {1u, 2u}) {
    numerics::setNumThreads(threads);
    MeshBench bench("t3000", {0, 1, 2, 3, 7, 6, 5, 4}, {1, 8});
    bench.launch.semaphores = {0, 0};
    Assembler a = ring(8);
    bench.kernel(a);
    const LaunchResult result = bench.run();
    // Seven hops: everybody has the sum of all eight.
    for (std::size_t device = 0; device < 8; ++device)
      EXPECT_EQ(bench.word(device, kData), 28u) << device;
    ASSERT_EQ(result.prints.size(), 7u * 8);
    EXPECT_EQ(result.prints[0].text, "7");
    EXPECT_EQ(result.prints[4].chip.device, 4);
    EXPECT_EQ(result.prints[4].chip.id, 7);
    static std::uint64_t rounds = 0, instructions = 0;
    if (threads == 1) {
      rounds = result.rounds;
      instructions = result.instructions;
    }
    EXPECT_EQ(result.rounds, rounds);
    EXPECT_EQ(result.instructions, instructions);
  }
  numerics::setNumThreads(0);
}

/// What a core sends arrives in its order, and that of a later position last.
TEST(FabricKernels, LaterPositionsArriveLast) {
  MeshBench bench("t3000", {0, 1, 2, 3}, {1, 4});
  Assembler a;
  a.op(fill_with_val, {int(kData), 16, a.op(get_my_device_id), 4});
  a.op(fabric_async_write, {int(kData), 2, core(a, 0, 0, int(kInbox)), 64});
  a.op(fabric_async_write_barrier);
  bench.kernel(a);
  bench.options.checks = false;
  bench.run();
  EXPECT_EQ(bench.word(2, kInbox), 3u);
  EXPECT_EQ(bench.word(1, kInbox), 0u);
}

TEST(FabricKernels, ToDramAndToTheOwnChip) {
  MeshBench bench = MeshBench::pair();
  bench.launch.semaphores = {0};
  Assembler a;
  const Reg own = a.op(get_my_device_id);
  a.op(fill_with_val, {int(kData), 16, a.op(addi, {own, 7}), 4});
  const Reg channel = a.op(get_noc_addr_from_bank_id, {2, int(kDramBase), 1});
  a.op(fabric_async_write, {int(kData), neighbour(a, 2, 1), channel, 64});
  a.op(fabric_async_write, {int(kData), own, core(a, 1, 0, int(kInbox)), 64});
  a.op(fabric_semaphore_inc, {own, semaphore(a), 5});
  a.op(fabric_async_write_barrier);
  a.op(noc_semaphore_wait, {a.op(get_semaphore, {0}), 5});
  bench.kernel(a);
  bench.run();
  for (std::uint32_t device : {0u, 1u}) {
    std::uint32_t value;
    std::memcpy(&value, bench.chips[device]->dram(2, kDramBase), 4);
    EXPECT_EQ(value, 8 - device);
    EXPECT_EQ(bench.word(device, kInbox, 1), 7 + device);
  }
}

//===-- Faults ------------------------------------------------------------===//

template <FaultKind Kind>
std::string expectFault(MeshBench &bench, std::uint32_t line, int device = 0,
                        std::uint64_t bytes = 0) {
  return faultOf<Kind>(
      [&] { bench.run(); },
      [&](const Fault &fault) {
        EXPECT_EQ(fault.place().location, "k:" + std::to_string(line))
            << fault.what();
        EXPECT_EQ(fault.place().chip.device, device) << fault.what();
        EXPECT_EQ(fault.place().chip.id, int(bench.chips[device]->id()))
            << fault.what();
        EXPECT_EQ(fault.place().bytes, bytes) << fault.what();
      });
}

/// The last instruction of a kernel on both chips is wrong.
template <FaultKind Kind>
std::string lastFails(Assembler &a, std::uint64_t bytes = 0, int device = 0) {
  MeshBench bench = MeshBench::pair();
  bench.launch.semaphores = {0};
  const std::uint32_t line = a.here() - 1;
  bench.kernel(a);
  return expectFault<Kind>(bench, line, device, bytes);
}

TEST(FabricFaults, PositionOutsideOfTheMesh) {
  Assembler a;
  a.op(fabric_async_write, {int(kData), 2, core(a, 0, 0, int(kInbox)), 64});
  const std::string message = lastFails<FaultKind::DevicePosition>(a);
  EXPECT_NE(message.find("below 2, found 2"), std::string::npos) << message;
  EXPECT_NE(message.find("of device 0 (chip 0)"), std::string::npos) << message;
  Assembler increment;
  increment.op(fabric_semaphore_inc, {-1, semaphore(increment), 1});
  lastFails<FaultKind::DevicePosition>(increment);
}

TEST(FabricFaults, ChipsWithoutALink) {
  MeshBench bench("t3000", {0, 6}, {1, 2});
  Assembler a;
  a.op(fill_with_val, {int(kData), 16, 0, 4});
  a.op(fabric_async_write,
       {int(kData), neighbour(a, 2, 1), core(a, 0, 0, int(kInbox)), 64});
  const std::uint32_t line = a.here() - 1;
  bench.kernel(a);
  const std::string message = expectFault<FaultKind::MissingLink>(bench, line);
  EXPECT_NE(message.find("1x2"), std::string::npos) << message;
  EXPECT_NE(message.find("6"), std::string::npos) << message;
}

TEST(FabricFaults, Addresses) {
  Assembler bounds, length, align, channel, nobody, word;
  bounds.op(fabric_async_write,
            {int(kData), 1, core(bounds, 0, 0, 256 * 1024 - 32), 64});
  lastFails<FaultKind::OutOfBounds>(bounds, 64);
  length.op(fabric_async_write,
            {int(kData), 1, core(length, 0, 0, int(kInbox)), 0});
  lastFails<FaultKind::Length>(length);
  align.op(fabric_async_write,
           {int(kData), 1, core(align, 0, 0, int(kInbox + 8)), 32});
  lastFails<FaultKind::Alignment>(align, 32);
  nobody.op(fabric_async_write,
            {int(kData), 1, core(nobody, 40, 9, int(kInbox)), 32});
  lastFails<FaultKind::Coordinates>(nobody);
  channel.op(
      fabric_semaphore_inc,
      {1, channel.op(get_noc_addr_from_bank_id, {0, int(kDramBase), 1}), 1});
  lastFails<FaultKind::Semaphore>(channel);
  word.op(fabric_semaphore_inc, {1, core(word, 0, 0, int(kData)), 1});
  lastFails<FaultKind::Semaphore>(word, 4);
}

TEST(FabricFaults, SourceIsWrittenWithoutABarrier) {
  Assembler a;
  a.op(fabric_async_write, {int(kData), 1, core(a, 1, 1, int(kInbox)), 64});
  a.op(fill_with_val, {int(kData + 32), 1, 0, 4});
  const std::string message = lastFails<FaultKind::PendingTransfer>(a, 4);
  EXPECT_NE(message.find("fabric_async_write_barrier"), std::string::npos)
      << message;
}

/// A chip writes over what the other one still sends.
TEST(FabricFaults, SourceIsOverwrittenByAnotherChip) {
  MeshBench bench = MeshBench::pair();
  Assembler a;
  a.op(fabric_async_write,
       {int(kData), neighbour(a, 2, 1), core(a, 0, 0, int(kData)), 64});
  const std::uint32_t line = a.here() - 1;
  a.op(fabric_async_write_barrier);
  bench.kernel(a);
  expectFault<FaultKind::PendingTransfer>(bench, line, 0, 64);
}

TEST(FabricFaults, KernelEndsBeforeItsTransfers) {
  for (bool write : {true, false}) {
    MeshBench bench = MeshBench::pair();
    bench.launch.semaphores = {0};
    Assembler a;
    if (write)
      a.op(fabric_async_write, {int(kData), 1, core(a, 1, 1, int(kInbox)), 64});
    else
      a.op(fabric_semaphore_inc, {1, semaphore(a), 1});
    bench.kernel(a);
    expectFault<FaultKind::OutstandingTransfer>(bench, a.here());
  }
}

TEST(FabricFaults, SemaphoreOfAnotherChipOverflows) {
  MeshBench bench = MeshBench::pair();
  bench.launch.semaphores = {0xffffffff};
  Assembler a;
  a.op(fabric_semaphore_inc, {neighbour(a, 2, 1), semaphore(a), 1});
  const std::uint32_t line = a.here() - 1;
  a.op(fabric_async_write_barrier);
  bench.kernel(a);
  const std::string message =
      expectFault<FaultKind::Semaphore>(bench, line, 0, 4);
  EXPECT_NE(message.find("core (0, 0) of device 1"), std::string::npos)
      << message;
}

/// Both chips write to a core of chip 0, which waits for both or for one only.
/// Each chip increments a semaphore of its own, or both one.
void writeToFirst(MeshBench &bench, bool waits, bool dram, bool one) {
  bench.launch.semaphores = {0, 0};
  bench.launch.live.push_back({"inbox", kInbox, 128, {{0, 0, 1, 2}}, {}});
  Assembler sender, reader;
  const Reg own = sender.op(get_my_device_id);
  sender.op(fill_with_val, {int(kData), 16, sender.op(addi, {own, 1}), 4});
  const Reg offset = sender.op(muli, {own, 64});
  const Reg to =
      dram ? sender.op(get_noc_addr_from_bank_id,
                       {0, sender.op(addi, {offset, int(kDramBase)}), 1})
           : core(sender, 0, 0, sender.op(addi, {offset, int(kInbox)}));
  sender.op(fabric_async_write, {int(kData), 0, to, 64});
  sender.op(
      fabric_semaphore_inc,
      {0,
       core(sender, 0, 0,
            sender.op(get_semaphore, {sender.op(muli, {own, one ? 0 : 1})})),
       1});
  sender.op(fabric_async_write_barrier);
  // Only chip 0 is sent something.
  const Reg id = reader.op(get_my_device_id);
  const Reg other = reader.op(cmpi, {1, id, 0});
  const std::uint32_t jump = reader.here();
  reader.op(cond_br, {other, int(jump + (dram ? 8 : 7)), int(jump + 1)});
  const int counts[] = {one && waits ? 2 : 1, int(waits && !one)};
  for (int id : {0, 1})
    reader.op(noc_semaphore_wait_min,
              {reader.op(get_semaphore, {id}), counts[id]});
  if (dram) {
    const Reg from =
        reader.op(get_noc_addr_from_bank_id, {0, int(kDramBase), 1});
    reader.op(noc_async_read, {from, int(kData + 512), 128});
    reader.op(noc_async_read_barrier);
  } else {
    reader.op(load_from_l1, {int(kInbox), 4});
    reader.op(load_from_l1, {int(kInbox + 64), 4});
  }
  Kernel &writes = bench.kernel(sender, {0, 1, 1, 1});
  writes.name = "writer";
  bench.kernel(reader).name = "reader";
}

TEST(FabricFaults, DataRaceBetweenChips) {
  for (const auto &[dram, one] :
       {std::pair(false, false), {true, false}, {false, true}, {true, true}}) {
    MeshBench ordered = MeshBench::pair();
    writeToFirst(ordered, true, dram, one);
    EXPECT_NO_THROW(ordered.run()) << dram;
    EXPECT_EQ(ordered.word(0, dram ? kData + 512 + 64 : kInbox + 64), 2u);
    MeshBench bench = MeshBench::pair();
    writeToFirst(bench, false, dram, one);
    try {
      bench.run();
      ADD_FAILURE() << "expected a race";
    } catch (const DataRaceFault &fault) {
      const std::string message = fault.what();
      EXPECT_NE(message.find("by core (0, 0) of device 0"), std::string::npos)
          << message;
      EXPECT_NE(message.find("by core (0, 1) of device 1"), std::string::npos)
          << message;
    }
  }
}

/// Each chip waits for the other one, whose increment is behind its own wait.
TEST(FabricFaults, DeadlockNamesTheChips) {
  MeshBench bench("t3000", {5, 4}, {1, 2});
  bench.launch.semaphores = {0};
  Assembler a;
  a.op(noc_semaphore_wait, {a.op(get_semaphore, {0}), 1});
  a.op(fabric_semaphore_inc, {neighbour(a, 2, 1), semaphore(a), 1});
  a.op(fabric_async_write_barrier);
  bench.kernel(a);
  try {
    bench.run();
    FAIL() << "expected a deadlock";
  } catch (const DeadlockFault &fault) {
    ASSERT_EQ(fault.waiters().size(), 2u);
    EXPECT_EQ(fault.waiters()[0].place.chip.id, 5);
    EXPECT_EQ(fault.waiters()[1].place.chip.id, 4);
    EXPECT_EQ(fault.waiters()[1].place.chip.device, 1);
    ASSERT_EQ(fault.waiters()[0].suppliers.size(), 2u);
    EXPECT_EQ(fault.waiters()[0].suppliers[1],
              "kernel 'sender' on noc0 of core (0, 0) of device 1 (chip 4), "
              "which waits");
    EXPECT_NE(
        std::string(fault.what()).find("core (0, 0) of device 1 (chip 4)"),
        std::string::npos)
        << fault.what();
  }
}

//===-- Time --------------------------------------------------------------===//

/// Cycles until the second chip has what the first one sends.
clock::ReplayResult timeOf(std::uint32_t bytes, int target) {
  MeshBench bench("t3000", {0, 1, 2, 3}, {1, 4});
  bench.launch.semaphores = {0};
  bench.launch.live.push_back({"t", kData, bytes, {{0, 0, 1, 1}}, {}});
  Assembler a;
  const Reg own = a.op(get_my_device_id);
  const Reg sends = a.op(cmpi, {0, own, 0}),
            waits = a.op(cmpi, {0, own, target});
  const Reg to = semaphore(a), inbox = core(a, 0, 0, int(kData + bytes));
  const std::uint32_t jump = a.here();
  a.op(cond_br, {sends, int(jump + 1), int(jump + 5)});
  a.op(fabric_async_write, {int(kData), target, inbox, bytes});
  a.op(fabric_semaphore_inc, {target, to, 1});
  a.op(fabric_async_write_barrier);
  a.op(ret);
  a.op(cond_br, {waits, int(jump + 6), int(jump + 8)});
  a.op(noc_semaphore_wait, {a.op(get_semaphore, {0}), 1});
  bench.kernel(a);
  bench.options.events = true;
  const LaunchResult result = bench.run();
  const clock::ReplayResult time = replay(bench.launch, result, *bench.fabric);
  EXPECT_EQ(time.forced, 0u);
  EXPECT_EQ(replay(bench.launch, result, *bench.fabric).cycles, time.cycles);
  return time;
}

TEST(FabricTime, LinksTakeTheirRateAndHopsTheirLatency) {
  const clock::ReplayResult small = timeOf(64, 1), large = timeOf(65536, 1);
  const clock::ReplayResult far = timeOf(65536, 3);
  // 12.5 GB a second at 1 GHz, with headers and frames.
  const double perByte = (large.cycles - small.cycles) / (65536 - 64);
  EXPECT_GT(perByte, 1 / 12.5);
  EXPECT_LT(perByte, 1 / 11.0);
  ASSERT_EQ(large.ethernet.size(), 1u);
  EXPECT_EQ(large.ethernet[0].fromChip, 0u);
  EXPECT_EQ(large.ethernet[0].toChip, 1u);
  EXPECT_EQ(large.ethernet[0].bytes, 65536u + 4);
  EXPECT_EQ(large.ethernet[0].packets, 16u + 1);
  // Two hops more, which take the same packets one after the other.
  EXPECT_EQ(far.ethernet.size(), 3u);
  EXPECT_GT(far.cycles, large.cycles);
  EXPECT_LT(far.cycles, 1.5 * large.cycles);
  // Who waits ends when the increment has arrived, the others at once.
  EXPECT_EQ(large.cycles, large.cores[1].end);
  EXPECT_LT(large.cores[2].end, 100);
}

} // namespace
} // namespace tt::runtime::test
