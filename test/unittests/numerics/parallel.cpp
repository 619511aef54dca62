// The thread pool: coverage, nesting, errors, fork.
#include "numerics/parallel.h"

#include "testing/testing.h"

#include <atomic>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace tt::runtime::numerics;

namespace {

class Threads : public ::testing::TestWithParam<int> {
protected:
  void SetUp() override { setNumThreads(GetParam()); }
  void TearDown() override { setNumThreads(0); }
};
INSTANTIATE_TEST_SUITE_P(Count, Threads, ::testing::Values(1, 2, 3, 7));

TEST_P(Threads, EachIndexOnceAtGrainBoundaries) {
  for (int64_t count : {0, 1, 5, 64, 1000, 12345})
    for (int64_t grain : {1, 7, 64}) {
      std::vector<std::atomic<int>> hits(static_cast<size_t>(count));
      parallelFor(10, 10 + count, grain, [&](int64_t begin, int64_t end) {
        EXPECT_EQ((begin - 10) % grain, 0);
        for (int64_t i = begin; i < end; ++i)
          ++hits[size_t(i - 10)];
      });
      for (auto &hit : hits)
        ASSERT_EQ(hit.load(), 1);
    }
}

TEST_P(Threads, NestedLoopsRunInline) {
  std::atomic<int64_t> total{0};
  parallelFor(0, 50, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      std::thread::id self = std::this_thread::get_id();
      parallelFor(0, 100, 1, [&](int64_t first, int64_t last) {
        EXPECT_EQ(self, std::this_thread::get_id());
        total += last - first;
      });
    }
  });
  EXPECT_EQ(total, 5000);
}

TEST_P(Threads, FirstErrorReachesTheCaller) {
  for (int round = 0; round < 20; ++round)
    EXPECT_THROW(parallelFor(0, 100, 1,
                             [](int64_t begin, int64_t end) {
                               if (begin <= 42 && 42 < end)
                                 throw std::runtime_error("42");
                             }),
                 std::runtime_error);
  std::atomic<int> runs{0};
  parallelFor(0, 8, 1, [&](int64_t b, int64_t e) { runs += int(e - b); });
  EXPECT_EQ(runs, 8);
}

TEST_P(Threads, ManyCallersAtOnce) {
  std::vector<std::thread> callers;
  std::atomic<int64_t> total{0};
  for (int c = 0; c < 4; ++c)
    callers.emplace_back([&] {
      for (int round = 0; round < 200; ++round)
        parallelFor(0, 64, 1, [&](int64_t b, int64_t e) { total += e - b; });
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(total, 4 * 200 * 64);
}

TEST_P(Threads, ChildOfForkHasItsOwnPool) {
  parallelFor(0, 64, 1, [](int64_t, int64_t) {});
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::atomic<int64_t> total{0};
    parallelFor(0, 64, 1, [&](int64_t b, int64_t e) { total += e - b; });
    _exit(total == 64 ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(ThreadCount, BelowOneChoosesTheMachine) {
  setNumThreads(-3);
  EXPECT_GE(getNumThreads(), 1);
  setNumThreads(5);
  EXPECT_EQ(getNumThreads(), 5);
  setNumThreads(0);
}

} // namespace
