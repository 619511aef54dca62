// Order between threads: what a clock knows, and what flags and barriers tell.
#include "emulator/watch.h"

#include "testing/testing.h"

namespace tt::runtime::emulator {
namespace {

constexpr Area kHere{0, 3, 4, 3, 4}, kElsewhere{0, 5, 4, 5, 4};

/// The threads of two cores.
struct Cores {
  std::shared_ptr<const std::vector<std::uint32_t>> none =
      std::make_shared<const std::vector<std::uint32_t>>(2 * kActors);
  CoreWatch first{65536, 0, 1, VectorClock(0, none), 0, kElsewhere};
  CoreWatch second{65536, 0, 1, VectorClock(1, none), 1, kHere};
};

TEST(VectorClock, AThreadKnowsWhatItWaitsFor) {
  Cores cores;
  const Access before = cores.first.now(0);
  const std::uint32_t flag = cores.first.release(0);
  const Access after = cores.first.now(0);
  cores.second.clock(1).join(cores.first.snapshotAt(flag));
  EXPECT_TRUE(cores.second.peek(1).knows(before, kHere));
  EXPECT_FALSE(cores.second.peek(1).knows(after, kHere));
  EXPECT_FALSE(cores.second.peek(0).knows(before, kHere)); // another thread
}

TEST(VectorClock, KnowledgePassesThroughThreads) {
  Cores cores;
  const Access access = cores.first.now(2);
  cores.second.clock(0).join(cores.first.snapshotAt(cores.first.release(2)));
  const std::uint32_t passed = cores.second.release(0);
  cores.second.clock(2).join(cores.second.snapshotAt(passed));
  EXPECT_TRUE(cores.second.peek(2).knows(access, kHere));
  EXPECT_FALSE(cores.second.peek(1).knows(access, kHere));
}

TEST(VectorClock, TransfersAreOverAtTheirBarrier) {
  Cores cores;
  const Access write = cores.first.begin(0, Writes);
  cores.second.clock(0).join(cores.first.snapshotAt(cores.first.release(0)));
  EXPECT_FALSE(cores.second.peek(0).knows(write, kHere));
  cores.first.finish(0, Writes);
  EXPECT_TRUE(cores.first.peek(0).knows(write, kHere));
  cores.second.clock(0).join(cores.first.snapshotAt(cores.first.release(0)));
  EXPECT_TRUE(cores.second.peek(0).knows(write, kHere));
}

TEST(VectorClock, AFlagIsBehindWhatWentTheSameWay) {
  Cores cores;
  const Access write = cores.first.begin(0, Writes);
  const Access multicast = cores.first.begin(0, Multicasts);
  const Access other = cores.first.begin(1, Writes);
  const std::uint32_t flag = cores.first.releaseBehind(0, Writes, kHere);
  const Access later = cores.first.begin(0, Writes);
  cores.second.clock(0).join(cores.first.snapshotAt(flag));
  const VectorClock &clock = cores.second.peek(0);
  EXPECT_TRUE(clock.knows(write, kHere));
  EXPECT_FALSE(clock.knows(write, kElsewhere));
  EXPECT_FALSE(clock.knows(multicast, kHere));
  EXPECT_FALSE(clock.knows(other, kHere));
  EXPECT_FALSE(clock.knows(later, kHere));
}

/// One that goes to another chip is behind what the whole core sent there.
TEST(VectorClock, FlagsToOtherChips) {
  Cores cores;
  const Access write = cores.first.begin(1, FabricWrites);
  Area chip{.device = 1};
  chip.chip = true;
  cores.second.clock(0).join(
      cores.first.snapshotAt(cores.first.releaseBehind(0, FabricWrites, chip)));
  EXPECT_TRUE(cores.second.peek(0).knows(write, {1, 64, 64, 64, 64}));
  EXPECT_FALSE(cores.second.peek(0).knows(write, kHere));
}

TEST(VectorClock, PagesPassOnWhatTheyNeed) {
  Cores cores;
  PageClock pages;
  const Access first = cores.first.now(0);
  pages.pass(1, cores.first.peek(0), 4);
  cores.first.release(0);
  const Access second = cores.first.now(0);
  pages.pass(2, cores.first.peek(0), 4);
  VectorClock &consumer = cores.first.clock(2);
  pages.take(1, consumer);
  EXPECT_TRUE(consumer.knows(first, kHere));
  EXPECT_FALSE(consumer.knows(second, kHere));
  pages.take(2, consumer);
  EXPECT_TRUE(consumer.knows(second, kHere));
}

TEST(VectorClock, SemaphoresPassOnWhatAValueNeeds) {
  Cores cores;
  SemaphoreClock semaphore(0, VectorClock(1, cores.none));
  const Access first = cores.first.now(0);
  semaphore.increment(1, cores.first.snapshotAt(cores.first.release(0)).copy());
  const Access second = cores.first.now(0);
  semaphore.increment(2, cores.first.snapshotAt(cores.first.release(0)).copy());
  VectorClock &one = cores.second.clock(0);
  semaphore.waitFor(1, one);
  EXPECT_TRUE(one.knows(first, kHere));
  EXPECT_FALSE(one.knows(second, kHere));
  VectorClock &other =
      cores.second.clock(1); // finds what the first one has waited for
  semaphore.waitFor(2, other);
  EXPECT_TRUE(other.knows(first, kHere));
  EXPECT_TRUE(other.knows(second, kHere));
}

TEST(TouchedMemory, AWriteReplacesWhatItCovers) {
  Cores cores;
  TouchedMemory memory;
  const auto touch = [&](CoreWatch &core, std::uint64_t begin,
                         std::uint64_t end, bool writes) {
    return memory.touch(begin, end, {core.now(0), core.peek(0), kHere, writes});
  };
  for (std::uint64_t at = 0; at < 4096; at += 16)
    EXPECT_FALSE(touch(cores.first, at, at + 16, at % 32 == 0));
  EXPECT_TRUE(touch(cores.second, 2064, 2068, true)); // was read
  EXPECT_FALSE(touch(cores.second, 2064, 2068, false));
  cores.second.clock(0).join(cores.first.snapshotAt(cores.first.release(0)));
  EXPECT_FALSE(touch(cores.second, 0, 4096, true));
  const Race race = touch(cores.first, 100, 104, false);
  EXPECT_TRUE(race.otherWrites);
  EXPECT_EQ(coreOf(race.other), 1u);
  EXPECT_EQ(race.begin, 100u);
}

} // namespace
} // namespace tt::runtime::emulator
