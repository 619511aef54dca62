#include "dialects/TTIR/Transforms/Memory/L1Pressure.h"

#include "testing/testing.h"

#include <algorithm>
#include <random>
#include <vector>

using mlir::tt::ttir::L1Pressure;

/// The tree gives what an array of all steps does, for numbers of steps that
/// are powers of two and others.
TEST(L1Pressure, IsWhatAnArrayGives) {
  std::mt19937 random(1);
  for (unsigned steps : {1u, 2u, 7u, 64u, 100u}) {
    L1Pressure pressure(steps);
    std::vector<int64_t> expected(steps);
    auto draw = [&](unsigned below) { return unsigned(random() % below); };
    for (unsigned i = 0; i < 500; ++i) {
      unsigned first = draw(steps), last = draw(steps);
      int64_t bytes = int64_t(draw(200)) - 50;
      pressure.add(first, last, bytes);
      for (unsigned step = first; step <= last && step < steps; ++step)
        expected[step] += bytes;

      first = draw(steps);
      last = first + draw(steps - first);
      EXPECT_EQ(pressure.getMax(first, last),
                *std::max_element(expected.begin() + first,
                                  expected.begin() + last + 1));
    }
  }
}

TEST(L1Pressure, NothingIsTakenBetweenStepsInReverse) {
  L1Pressure pressure(8);
  pressure.add(5, 4, 100);
  EXPECT_EQ(pressure.getMax(0, 7), 0);
  EXPECT_EQ(pressure.getMax(5, 4), 0);
}
