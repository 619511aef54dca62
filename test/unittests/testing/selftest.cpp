// What each macro does where a check fails, and where none does: 9 tests, of
// which 5 fail and one is skipped, as CMakeLists.txt expects.
#include "testing.h"

#include <stdexcept>

TEST(Macros, GoOnAfterAnExpectation) {
  EXPECT_EQ(1, 2) << "and so on";
  EXPECT_TRUE(false);
  ADD_FAILURE() << "the end is reached";
}

TEST(Macros, EndAfterAnAssertion) {
  ASSERT_EQ(std::string("a"), "b");
  ADD_FAILURE() << "the end must not be reached";
}

TEST(Macros, CatchWhatATestThrows) { throw std::runtime_error("thrown"); }

TEST(Macros, WantAnException) {
  EXPECT_THROW(std::string().size(), std::runtime_error);
}

TEST(Macros, PassWhereAllHolds) {
  EXPECT_THROW(throw std::runtime_error(""), std::runtime_error);
  EXPECT_NO_THROW(std::string().size());
  EXPECT_EQ((std::vector<int>{1, 2}), (std::vector<int>{1, 2}));
  EXPECT_NEAR(1.0, 1.1, 0.2);
  EXPECT_STREQ("a", "a");
}

TEST(Macros, Skip) { GTEST_SKIP() << "not on this machine"; }

class Numbers : public testing::TestWithParam<int> {};

TEST_P(Numbers, AreOdd) {
  SCOPED_TRACE("in a scope");
  EXPECT_NE(GetParam() % 2, 0) << GetParam();
}

INSTANTIATE_TEST_SUITE_P(Few, Numbers, testing::Values(1, 2, 3));
