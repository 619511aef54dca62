// Debugged runs: where they stop, what they show, and that they compute the
// same.
#include "planted.h"

#include "tt/runtime/debugger.h"

#include <thread>

namespace tt::runtime::test {
namespace {

using enum Opcode;
using Kind = DebugStopKind;

/// A run of a bench in a thread of its own, stopped in front of its kernels.
class Debugged {
public:
  explicit Debugged(Bench &bench) {
    bench.options.debugger = &debugger;
    runner_ = std::thread([this, &bench] {
      try {
        result = bench.run();
        debugger.end("");
      } catch (const Error &error) {
        category = error.category();
        debugger.end(error.what());
      }
    });
    EXPECT_EQ(debugger.wait().kind, Kind::Launch);
  }
  ~Debugged() {
    debugger.abandon();
    runner_.join();
  }

  DebugStop resume(DebugResume how = DebugResume::Continue,
                   const std::optional<DebugPlace> &place = {}) {
    debugger.resume(how, place);
    return debugger.wait();
  }
  int stopAt(const std::string &file, std::uint32_t line) {
    DebugBreakpoint point;
    point.file = file;
    point.line = line;
    return debugger.addBreakpoint(point);
  }
  DebugThread thread(std::size_t index) const {
    return debugger.threads().at(index);
  }

  Debugger debugger;
  LaunchResult result;
  std::optional<ErrorCategory> category; // of the error at the end

private:
  std::thread runner_;
};

/// noc0 pushes `pages` words, which noc1 pops and prints.
void passPages(Bench &bench, int pages) {
  Assembler push, pop;
  push.loop(pages, [&](Reg i) {
    push.op(cb_reserve_back, {0, 1});
    push.op(store_to_l1, {i, push.op(get_write_ptr, {0}), 4});
    push.op(cb_push_back, {0, 1});
  });
  pop.loop(pages, [&](Reg) {
    pop.op(cb_wait_front, {0, 1});
    pop.op(dprint, {int(pop.string("found {}")),
                    pop.op(load_from_l1, {pop.op(get_read_ptr, {0}), 4})});
    pop.op(cb_pop_front, {0, 1});
  });
  bench.kernel(KernelKind::Noc0, push);
  bench.kernel(KernelKind::Noc1, pop);
  bench.buffer(0, kL1Base, 2, {0, 0, 1, 1});
}

const DebugPlace kFirst{{0, 0, 0}, "noc0"}, kSecond{{0, 0, 0}, "noc1"};

TEST(Debugger, StopsAtALineEachTime) {
  Bench bench;
  passPages(bench, 3);
  Debugged run(bench);
  const int id = run.stopAt("k", 4); // a line of both kernels
  for (int i = 0; i < 6; ++i) {
    const DebugStop stop = run.resume();
    EXPECT_EQ(stop.kind, Kind::Breakpoint);
    EXPECT_EQ(stop.breakpoints, std::vector<int>{id});
  }
  const auto points = run.debugger.breakpoints();
  EXPECT_EQ(points.at(0).hits, 6u);
  EXPECT_EQ(points.at(0).places, std::vector<std::string>{"k:4"});
  EXPECT_EQ(run.resume().kind, Kind::Ended);
  EXPECT_FALSE(run.category);
}

TEST(Debugger, ComputesWhatARunWithoutItDoes) {
  Bench plain;
  passPages(plain, 40);
  plain.options.events = true;
  const LaunchResult expected = plain.run();
  Bench bench;
  passPages(bench, 40);
  bench.options.events = true;
  Debugged run(bench);
  run.stopAt("k", 4);
  while (run.resume().kind != Kind::Ended)
    ;
  EXPECT_EQ(run.result.instructions, expected.instructions);
  EXPECT_EQ(run.result.rounds, expected.rounds);
  ASSERT_EQ(run.result.prints.size(), 40u);
  EXPECT_EQ(run.debugger.prints().size(), 40u);
  for (std::size_t i = 0; i < 40; ++i)
    EXPECT_EQ(run.result.prints[i].text, expected.prints[i].text);
  ASSERT_EQ(run.result.events.size(), expected.events.size());
  for (std::size_t i = 0; i < expected.events.size(); ++i) {
    const auto &found = run.result.events[i].events;
    ASSERT_EQ(found.size(), expected.events[i].events.size());
    for (std::size_t k = 0; k < found.size(); ++k)
      EXPECT_EQ(found[k].calls, expected.events[i].events[k].calls);
  }
}

TEST(Debugger, StepsInstructionsLinesAndCores) {
  Bench bench;
  passPages(bench, 3);
  Debugged run(bench);
  DebugStop stop = run.resume(DebugResume::Instruction, kFirst);
  EXPECT_EQ(stop.kind, Kind::Step);
  EXPECT_EQ(stop.place, kFirst);
  EXPECT_EQ(run.thread(0).steps, 1u);
  const std::string line = run.thread(0).location;
  EXPECT_EQ(run.resume(DebugResume::Line, kFirst).kind, Kind::Step);
  EXPECT_NE(run.thread(0).location, line);
  const std::uint64_t first = run.thread(0).steps, second = run.thread(1).steps;
  stop = run.resume(DebugResume::Core, kSecond);
  EXPECT_EQ(stop.kind, Kind::Step);
  EXPECT_EQ(stop.place, kSecond);
  EXPECT_EQ(run.thread(0).steps, first + 1);
  EXPECT_EQ(run.thread(1).steps, second + 1);
  EXPECT_EQ(run.resume().kind, Kind::Ended);
  EXPECT_FALSE(run.category);
}

TEST(Debugger, StepsACoreToItsEnd) {
  Bench bench;
  passPages(bench, 3);
  Debugged run(bench);
  int steps = 0;
  while (run.resume(DebugResume::Core, kFirst).kind == Kind::Step) {
    const auto threads = run.debugger.threads();
    if (std::all_of(threads.begin(), threads.end(), [](const auto &thread) {
          return thread.state == DebugThreadState::Ended;
        }))
      break;
    ASSERT_LE(++steps, 1000);
  }
  EXPECT_EQ(run.resume().kind, Kind::Ended);
  EXPECT_FALSE(run.category);
  EXPECT_EQ(run.result.prints.size(), 3u);
}

TEST(Debugger, StepOfAWaitingThreadLetsTheOthersRun) {
  Bench bench;
  passPages(bench, 3);
  Debugged run(bench);
  // It waits for the first page, which the other thread has to push.
  while (!run.thread(1).instruction.starts_with("dprint"))
    ASSERT_EQ(run.resume(DebugResume::Instruction, kSecond).kind, Kind::Step);
  EXPECT_EQ(run.thread(1).instruction, "dprint(\"found {}\", 0)");
  EXPECT_EQ(run.thread(0).state, DebugThreadState::Waiting);
  EXPECT_EQ(run.thread(0).waitsFor,
            "1 free pages of circular buffer 0, which has 0 of 2");
  ASSERT_EQ(run.thread(0).suppliers.size(), 1u);
}

TEST(Debugger, ShowsBuffersAndMemory) {
  Bench bench;
  passPages(bench, 3);
  bench.launch.semaphores = {7, 9};
  Debugged run(bench);
  DebugBreakpoint atStart;
  atStart.thread = "noc1";
  run.debugger.addBreakpoint(atStart);
  EXPECT_EQ(run.resume().place, kSecond); // noc0 has filled the buffer
  const DebugCore core;
  const auto buffers = run.debugger.buffers(core);
  ASSERT_EQ(buffers.size(), 1u);
  EXPECT_EQ(buffers[0].pages, 2u);
  EXPECT_EQ(buffers[0].available, 2u);
  EXPECT_EQ(buffers[0].room, 0u);
  EXPECT_EQ(buffers[0].pushed, 2u);
  const auto bytes =
      run.debugger.readL1(core, buffers[0].address + buffers[0].pageSize, 4);
  std::uint32_t word;
  std::memcpy(&word, bytes.data(), sizeof word);
  EXPECT_EQ(word, 1u);
  const auto semaphores = run.debugger.semaphores(core);
  ASSERT_EQ(semaphores.size(), 2u);
  EXPECT_EQ(semaphores[1].value, 9u);
}

TEST(Debugger, ShowsDestinationRegisters) {
  Bench bench;
  Assembler add = adder(1, 0, 0);
  bench.kernel(KernelKind::Tensix, add);
  Assembler fill;
  fill.op(cb_reserve_back, {0, 1});
  fill.op(noc_async_read,
          {dram(fill, kDramBase), fill.op(get_write_ptr, {0}), 4096});
  fill.op(noc_async_read_barrier);
  fill.op(cb_push_back, {0, 1});
  bench.kernel(KernelKind::Noc0, fill);
  bench.buffer(0, kL1Base, 2, {0, 0, 1, 1});
  bench.buffer(16, kL1Base + 8192, 2, {0, 0, 1, 1});
  for (int k = 0; k < 1024; ++k)
    bench.dram<float>(0, kDramBase)[k] = 3;
  Debugged run(bench);
  const DebugPlace compute{{0, 0, 0}, "compute"};
  EXPECT_TRUE(run.debugger.registers({}).empty());
  std::vector<DebugRegister> found;
  while (found.empty()) {
    ASSERT_EQ(run.resume(DebugResume::Instruction, compute).kind, Kind::Step);
    found = run.debugger.registers({});
  }
  EXPECT_EQ(found[0].section, "math");
  EXPECT_EQ(found[0].kind, "f32");
  EXPECT_EQ(found[0].words, std::vector<std::uint32_t>(1024, 0x40c00000)); // 6
}

TEST(Debugger, StopsAtFaultsAndDeadlocks) {
  Bench bench;
  Assembler waits;
  waits.op(cb_wait_front, {0, 1});
  bench.kernel(KernelKind::Noc0, waits);
  bench.buffer(0, kL1Base, 2, {0, 0, 1, 1});
  {
    Debugged run(bench);
    const DebugStop stop = run.resume();
    EXPECT_EQ(stop.kind, Kind::Deadlock);
    EXPECT_EQ(stop.place, kFirst);
    EXPECT_EQ(run.thread(0).state, DebugThreadState::Waiting);
    EXPECT_EQ(run.resume().kind, Kind::Ended);
    EXPECT_EQ(run.category, ErrorCategory::Kernel);
  }
  Bench faulty;
  Assembler divides;
  divides.op(divsi, {1, 0});
  faulty.kernel(KernelKind::Noc1, divides);
  Debugged run(faulty);
  const DebugStop stop = run.resume();
  EXPECT_EQ(stop.kind, Kind::Fault);
  EXPECT_EQ(stop.place, kSecond);
  EXPECT_EQ(run.thread(0).instruction, "divsi(1, 0)");
}

TEST(Debugger, InterruptsAndAbandons) {
  Bench bench;
  Assembler spins;
  spins.loop(1 << 30, [&](Reg) {});
  bench.kernel(KernelKind::Noc0, spins);
  {
    Debugged run(bench);
    run.debugger.resume(DebugResume::Continue);
    run.debugger.interrupt();
    EXPECT_EQ(run.debugger.wait().kind, Kind::Interrupt);
    run.debugger.resume(DebugResume::Continue);
    run.debugger.abandon();
    EXPECT_EQ(run.debugger.wait().kind, Kind::Ended);
    EXPECT_EQ(run.category, ErrorCategory::Cancelled);
  }
  bench.options.stepLimit = 1000;
  Debugged run(bench);
  EXPECT_EQ(run.resume().kind, Kind::Fault);
}

TEST(Debugger, RefusesWhatDoesNotExist) {
  Bench bench;
  passPages(bench, 1);
  Debugged run(bench);
  const auto refuses = [](const auto &body, const std::string &expected) {
    EXPECT_NE(refusal(body).find(expected), std::string::npos);
  };
  refuses([&] { run.debugger.removeBreakpoint(5); }, "no breakpoint 5");
  refuses([&] { run.stopAt("k", 0); }, "from 1 on");
  refuses([&] { run.debugger.buffers({0, 99, 0}); }, "(99, 0)");
  refuses([&] { run.debugger.buffers({3, 0, 0}); }, "device below 1");
  refuses([&] { run.debugger.arguments({{0, 0, 0}, "compute"}); },
          "no kernel runs on compute");
  refuses([&] { run.debugger.readL1({}, ~0ull, 8); }, "an L1 of");
  refuses([&] { run.debugger.resume(DebugResume::Line); }, "needs a thread");
  EXPECT_EQ(run.resume().kind, Kind::Ended);
  refuses([&] { run.debugger.threads(); }, "has ended");
  refuses([&] { run.debugger.resume(DebugResume::Continue); }, "has ended");
}

} // namespace
} // namespace tt::runtime::test
