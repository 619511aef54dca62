#include "clock/queues.h"

#include "testing/testing.h"

#include <map>

using namespace tt::runtime;
using tt::runtime::clock::countLaunches;
using tt::runtime::clock::launchedCycles;
using tt::runtime::clock::periodOf;
using tt::runtime::clock::QueueWork;
using tt::runtime::clock::scheduleQueues;

namespace {

std::map<std::string, QueueCommand> byName(const QueueWork &work,
                                           std::uint32_t replays) {
  std::map<std::string, QueueCommand> found;
  for (const QueueCommand &command : scheduleQueues(work, replays))
    found[command.name + " " + std::to_string(command.replay)] = command;
  return found;
}

OpCost op(double cycles, std::uint64_t hostBytes = 0) {
  OpCost cost;
  cost.cycles = cycles;
  cost.hostBytes = hostBytes;
  return cost;
}

} // namespace

TEST(Queues, TransfersOverlapWithRuns) {
  auto found = byName({.write = 10, .run = 100, .read = 20}, 3);
  ASSERT_EQ(found.size(), 9u);
  EXPECT_EQ(found["replay 0"].begin, 10);
  EXPECT_EQ(found["write inputs 1"].begin, 10);
  EXPECT_EQ(found["replay 1"].begin, 110);
  // It is the next one of its queue long before the replay is over.
  EXPECT_EQ(found["read outputs 0"].ready, 20);
  EXPECT_EQ(found["read outputs 0"].begin, 110);
  EXPECT_EQ(found["write inputs 2"].begin, 130);
  EXPECT_EQ(found["replay 2"].end, 310);
  EXPECT_EQ(found["read outputs 2"].end, 330);
}

TEST(Queues, ThePeriodIsThatOfTheBusierQueue) {
  EXPECT_EQ(periodOf({.write = 10, .run = 100, .read = 20}), 100);
  EXPECT_EQ(periodOf({.write = 60, .run = 100, .read = 70}), 130);
  EXPECT_EQ(periodOf({.write = 0, .run = 100, .read = 0}), 100);
  EXPECT_EQ(periodOf({.write = 50, .run = 0, .read = 1}), 51);
}

TEST(Queues, OneBufferIsForOneReplay) {
  const QueueWork work{.write = 10, .run = 100, .read = 20, .buffers = 1};
  auto found = byName(work, 2);
  EXPECT_EQ(found["read outputs 0"].end, 130);
  EXPECT_EQ(found["write inputs 1"].begin, 130);
  EXPECT_EQ(found["replay 1"].begin, 140);
  EXPECT_EQ(periodOf(work), 130);
}

TEST(Queues, TheHostLaunchesAhead) {
  // Launched at 10, 20 and 30; the second one is longer than a launch.
  EXPECT_EQ(launchedCycles({op(2), op(50), op(3)}, 10), 73);
  EXPECT_EQ(launchedCycles({op(2), op(2), op(2)}, 10), 32);
  // Neither transfers nor what takes no time.
  EXPECT_EQ(launchedCycles({op(7, 64), op(0), op(1)}, 10), 11);
  EXPECT_EQ(countLaunches({op(7, 64), op(0), op(1)}), 1u);
}
