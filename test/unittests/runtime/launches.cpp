// Launches that take over what those before have left: only its memory.
#include "planted.h"

#include <random>

namespace tt::runtime::test {
namespace {

using namespace emulator;
using enum Opcode;

constexpr std::uint32_t kOut = kDramBase + 65536;

/// What a launch does and says.
struct Outcome {
  std::vector<std::string> prints;
  std::vector<std::uint32_t> words;
  std::uint64_t instructions = 0, rounds = 0, events = 0;
  bool operator==(const Outcome &) const = default;
};

/// Adds a tile to itself on the core (y, x).
void addTiles(Bench &bench, int y, int x, bool exact) {
  const CoreRange core{y, x, 1, 1};
  auto *tile = bench.dram<float>(0, kDramBase);
  for (int k = 0; k < 1024; ++k)
    tile[k] = 1.0f / float(k + 3);
  Assembler read, compute = adder(1, 0, 0), write;
  const auto place = [](Assembler &a, std::uint32_t address) {
    return a.op(get_noc_addr_from_bank_id, {0, int(address), 1});
  };
  read.op(cb_reserve_back, {0, 1});
  read.op(noc_async_read,
          {place(read, kDramBase), read.op(get_write_ptr, {0}), 4096});
  read.op(noc_async_read_barrier);
  read.op(cb_push_back, {0, 1});
  write.op(cb_wait_front, {16, 1});
  write.op(noc_async_write,
           {write.op(get_read_ptr, {16}), place(write, kOut), 4096});
  write.op(noc_async_write_barrier);
  write.op(cb_pop_front, {16, 1});
  bench.kernel(KernelKind::Noc0, read, core);
  bench.kernel(KernelKind::Noc1, write, core);
  bench.kernel(KernelKind::Tensix, compute, core);
  bench.buffer(0, kL1Base, 2, core);
  bench.buffer(16, kL1Base + 8192, 2, core);
  bench.options.exactNumerics = exact;
}

/// Cores of a row raise each other's semaphore and print what they find.
void passFlags(Bench &bench, int cores) {
  bench.launch.semaphores = {3, 0};
  Assembler a;
  const Reg x = a.op(my_logical_x);
  const Reg next = a.op(remui, {a.op(addi, {x, 1}), cores});
  const Reg flag = a.op(get_semaphore, {1});
  a.op(noc_semaphore_inc,
       {a.op(get_noc_addr,
             {a.op(convert_logical_x_to_translated, {next}), 0, flag}),
        2});
  a.op(noc_async_atomic_barrier);
  a.op(noc_semaphore_wait, {flag, 2});
  a.op(dprint, {int(a.string("core {} of {}")), x, a.op(get_arg_val, {0})});
  bench.kernel(KernelKind::Noc1, a, {0, 0, 1, cores}).runtimeArgs = {
      {std::uint32_t(cores)}};
}

/// Core (0, 0) reads bytes that no launch has written for it.
void readNothing(Bench &bench) {
  Assembler a;
  a.op(load_from_l1, {int(kL1Base) + 64, 4});
  bench.kernel(KernelKind::Noc0, a);
}

void fill(Bench &bench, unsigned kind) {
  bench.launch.kernels.clear();
  bench.launch.buffers.clear();
  bench.launch.semaphores.clear();
  bench.options.exactNumerics = false;
  switch (kind) {
  case 0:
    return addTiles(bench, 0, 0, false);
  case 1:
    return addTiles(bench, 3, 2, true);
  case 2:
    return passFlags(bench, 4);
  case 3:
    return passFlags(bench, 2);
  default:
    return readNothing(bench);
  }
}

Outcome outcomeOf(Bench &bench) {
  Outcome outcome;
  std::fill_n(bench.dram<std::uint32_t>(0, kOut), 1024, 0);
  try {
    const LaunchResult result = bench.run();
    outcome.instructions = result.instructions;
    outcome.rounds = result.rounds;
    for (const DebugPrint &line : result.prints)
      outcome.prints.push_back(line.text);
    for (const auto &thread : result.events)
      outcome.events += thread.events.size();
  } catch (const Fault &fault) {
    outcome.prints.push_back(fault.what());
  }
  const auto *words = bench.dram<std::uint32_t>(0, kOut);
  outcome.words.assign(words, words + 1024);
  return outcome;
}

TEST(Launches, SeeNothingOfThoseBefore) {
  std::vector<Outcome> expected;
  for (unsigned kind = 0; kind < 5; ++kind) {
    Bench alone;
    fill(alone, kind);
    expected.push_back(outcomeOf(alone));
  }
  EXPECT_NE(expected[0].words, expected[1].words);
  EXPECT_EQ(expected[2].prints.size(), 4u);
  EXPECT_NE(expected[4].prints.at(0).find("nothing has written"),
            std::string::npos)
      << expected[4].prints[0];
  std::mt19937 random(3);
  Bench bench;
  for (int i = 0; i < 200; ++i) {
    const unsigned kind = random() % 5;
    const bool again = i && random() % 3 == 0; // the same programs once more
    static unsigned last;
    if (!again)
      fill(bench, last = kind);
    bench.options.events = random() % 2;
    bench.options.checks = last == 4 || random() % 4;
    Outcome outcome = outcomeOf(bench);
    if (bench.options.events)
      EXPECT_EQ(outcome.events > 0, last < 4) << i;
    outcome.events = 0;
    ASSERT_EQ(outcome, expected[last]) << i << " " << last;
  }
}

} // namespace
} // namespace tt::runtime::test
