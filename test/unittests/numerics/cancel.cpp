// Work that ends early: loops on any number of threads, polls, nested scopes.
#include "numerics/cancel.h"
#include "numerics/parallel.h"
#include "tt/runtime/cancel.h"
#include "tt/runtime/error.h"

#include "testing/testing.h"

#include <atomic>
#include <thread>
#include <vector>

using namespace tt::runtime;
using namespace tt::runtime::numerics;

namespace {

template <typename Body> ErrorCategory categoryOf(const Body &body) {
  try {
    body();
  } catch (const Error &error) {
    return error.category();
  }
  return ErrorCategory::Internal;
}

class Cancel : public ::testing::TestWithParam<int> {
protected:
  void SetUp() override { setNumThreads(GetParam()); }
  void TearDown() override { setNumThreads(0); }
};
INSTANTIATE_TEST_SUITE_P(Count, Cancel, ::testing::Values(1, 2, 7));

TEST_P(Cancel, ALoopEndsAfterThePiecesThatRun) {
  const CancelToken token;
  std::atomic<std::int64_t> done{0};
  const CancelScope scope(token);
  EXPECT_EQ(categoryOf([&] {
              parallelFor(0, 1 << 20, 1, [&](std::int64_t, std::int64_t) {
                token.cancel();
                ++done;
              });
            }),
            ErrorCategory::Cancelled);
  // Each thread has one piece at most behind it.
  EXPECT_GE(done.load(), 1);
  EXPECT_LE(done.load(), GetParam());
}

TEST_P(Cancel, ALoopThatNobodyCancelsIsWhole) {
  const CancelScope scope(CancelToken{});
  for (std::int64_t count : {1, 5, 64, 12345})
    for (std::int64_t grain : {1, 7, 64}) {
      std::vector<std::atomic<int>> hits(static_cast<std::size_t>(count));
      parallelFor(10, 10 + count, grain,
                  [&](std::int64_t begin, std::int64_t end) {
                    EXPECT_EQ((begin - 10) % grain, 0);
                    for (; begin < end; ++begin)
                      ++hits[std::size_t(begin - 10)];
                  });
      for (auto &hit : hits)
        ASSERT_EQ(hit.load(), 1);
    }
}

TEST_P(Cancel, ThreadsWorkAsBeforeAfterwards) {
  {
    const CancelToken token;
    token.cancel();
    const CancelScope scope(token);
    EXPECT_THROW(
        parallelFor(0, 100, 1, [](std::int64_t, std::int64_t) { FAIL(); }),
        Error);
  }
  std::atomic<std::int64_t> total{0};
  parallelFor(0, 100, 1, [&](std::int64_t begin, std::int64_t end) {
    total += end - begin;
  });
  EXPECT_EQ(total.load(), 100);
}

TEST_P(Cancel, OnlyTheCallerPolls) {
  const CancelToken token;
  const std::thread::id self = std::this_thread::get_id();
  int polls = 0;
  const CancelScope scope(token, [&] {
    EXPECT_EQ(std::this_thread::get_id(), self);
    if (++polls == 2)
      token.cancel();
  });
  // Endless but for the poll.
  EXPECT_EQ(categoryOf([] {
              for (;;)
                parallelFor(0, 1000, 1, [](std::int64_t, std::int64_t) {});
            }),
            ErrorCategory::Cancelled);
  EXPECT_EQ(polls, 2);
}

TEST(CancelScope, EveryScopeEndsTheWork) {
  const CancelToken outer, inner;
  const CancelScope first(outer);
  {
    const CancelScope second(inner);
    EXPECT_NO_THROW(checkCancelled());
    inner.cancel();
    EXPECT_THROW(checkCancelled(), Error);
  }
  EXPECT_NO_THROW(checkCancelled());
  {
    const CancelScope second(CancelToken{});
    outer.cancel();
    EXPECT_THROW(checkCancelled(), Error);
  }
}

TEST(CancelScope, AScopeIsOfItsThread) {
  const CancelToken token;
  token.cancel();
  const CancelScope scope(token);
  std::thread([] { EXPECT_NO_THROW(checkCancelled()); }).join();
  EXPECT_THROW(checkCancelled(), Error);
}

} // namespace
