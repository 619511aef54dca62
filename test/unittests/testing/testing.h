// The macros of the C++ unit tests: those of GoogleTest that they use, with its
// names and meanings, so that the tests need no package. A test goes on after
// an EXPECT_ that fails, and returns after an ASSERT_.
#ifndef TTMLIR_UNITTESTS_TESTING_TESTING_H
#define TTMLIR_UNITTESTS_TESTING_TESTING_H

#include "print.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace testing {

//===----------------------------------------------------------------------===//
// What a test reports
//===----------------------------------------------------------------------===//

/// A failure, or what else a test says of itself; `=` records it.
class Report {
public:
  enum Kind { Failure, FatalFailure, Skip };
  Report(Kind kind, const char *file, int line, std::string text = "")
      : kind(kind), file(file), line(line), text(std::move(text)) {}
  void operator=(const Message &message) const;

private:
  Kind kind;
  const char *file;
  int line;
  std::string text;
};

/// A line that failures name while it lives.
class Trace {
public:
  Trace(const char *file, int line, const Message &message);
  ~Trace();
  Trace(const Trace &) = delete;
};

/// What a check found, and how it differs from what was expected.
struct Check {
  bool holds;
  std::string text;
};

inline Check checkTrue(bool value, bool expected, const char *code) {
  if (value == expected)
    return {true, ""};
  return {false, Message() << "expected " << (expected ? "true" : "false")
                           << ": " << code};
}

// Numbers of several types are compared as their authors wrote them.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"
#define TESTING_COMPARISON(NAME, OP)                                           \
  template <typename A, typename B>                                            \
  Check NAME(const A &a, const B &b, const char *aCode, const char *bCode) {   \
    if (a OP b)                                                                \
      return {true, ""};                                                       \
    return {false, Message()                                                   \
                       << "expected: " << aCode << " " #OP " " << bCode        \
                       << "\n   found: " << show(a) << " and " << show(b)};    \
  }
TESTING_COMPARISON(checkEQ, ==)
TESTING_COMPARISON(checkNE, !=)
TESTING_COMPARISON(checkLT, <)
TESTING_COMPARISON(checkLE, <=)
TESTING_COMPARISON(checkGT, >)
TESTING_COMPARISON(checkGE, >=)
#undef TESTING_COMPARISON
#pragma GCC diagnostic pop

inline Check checkSTREQ(const char *a, const char *b, const char *aCode,
                        const char *bCode) {
  return checkEQ(std::string(a), std::string(b), aCode, bCode);
}

inline Check checkNear(double a, double b, double bound, const char *aCode,
                       const char *bCode) {
  if (a == b || std::fabs(a - b) <= bound)
    return {true, ""};
  return {false, Message() << "expected: " << aCode << " within " << show(bound)
                           << " of " << bCode << "\n   found: " << show(a)
                           << " and " << show(b)};
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

class Test {
public:
  virtual ~Test() = default;
  virtual void SetUp() {}
  virtual void TearDown() {}
  virtual void TestBody() = 0;
};

/// A test of each value that `INSTANTIATE_TEST_SUITE_P` names.
template <typename T> class TestWithParam : public Test {
public:
  using ParamType = T;
  static const T &GetParam() { return *current; }
  static inline const T *current = nullptr;
};

template <typename T> struct TestParamInfo {
  T param;
  size_t index;
};

using Factory = std::function<std::unique_ptr<Test>()>;

/// Makes a test known; `value` is what its parameter is, or empty.
bool add(std::string suite, std::string name, Factory make,
         std::string value = "");

/// The tests of a suite, for each value of a parameter.
struct Suite {
  std::vector<std::pair<std::string, Factory>> tests;
  std::vector<std::function<void(const Suite &)>> instantiations;
};
Suite &suiteWithParam(const std::string &name);

template <typename T> bool addWithParam(const char *suite, const char *name) {
  suiteWithParam(suite).tests.emplace_back(
      name, [] { return std::make_unique<T>(); });
  return true;
}

template <typename Param>
std::string indexOf(const TestParamInfo<Param> &info) {
  return std::to_string(info.index);
}

/// `names` gives a name to a value, which is its index otherwise.
template <typename S, typename Values, typename Names>
bool instantiate(const char *prefix, const char *suite, const Values &values,
                 Names names) {
  using Param = typename S::ParamType;
  auto kept = std::make_shared<std::vector<Param>>(std::begin(values),
                                                   std::end(values));
  suiteWithParam(suite).instantiations.push_back([=](const Suite &all) {
    for (const auto &test : all.tests)
      for (size_t i = 0; i < kept->size(); ++i) {
        const Param *value = &(*kept)[i];
        Factory make = test.second;
        add(
            std::string(prefix) + "/" + suite,
            test.first + "/" + names(TestParamInfo<Param>{*value, i}),
            [=] {
              TestWithParam<Param>::current = value;
              return make();
            },
            show(*value));
      }
  });
  return true;
}

template <typename S, typename Values>
bool instantiate(const char *prefix, const char *suite, const Values &values) {
  return instantiate<S>(prefix, suite, values, indexOf<typename S::ParamType>);
}

template <typename... T>
std::vector<std::common_type_t<T...>> Values(T... values) {
  return {values...};
}
template <typename Container>
const Container &ValuesIn(const Container &values) {
  return values;
}
template <typename T> std::vector<T> Range(T first, T end) {
  std::vector<T> values;
  for (; first < end; ++first)
    values.push_back(first);
  return values;
}

/// A folder for files, with a slash at its end.
std::string TempDir();

} // namespace testing

#define TESTING_JOIN_(A, B) A##B
#define TESTING_JOIN(A, B) TESTING_JOIN_(A, B)

// The switch keeps an `else` of the caller's from being taken for this one.
#define TESTING_CHECK(CHECK, ON_FAILURE, KIND)                                 \
  switch (0)                                                                   \
  case 0:                                                                      \
  default:                                                                     \
    if (const ::testing::Check check_ = CHECK; check_.holds)                   \
      ;                                                                        \
    else                                                                       \
      ON_FAILURE ::testing::Report(::testing::Report::KIND, __FILE__,          \
                                   __LINE__, check_.text) =                    \
          ::testing::Message()
#define TESTING_EXPECT(...) TESTING_CHECK((__VA_ARGS__), , Failure)
#define TESTING_ASSERT(...) TESTING_CHECK((__VA_ARGS__), return, FatalFailure)

#define EXPECT_TRUE(A) TESTING_EXPECT(::testing::checkTrue(bool(A), true, #A))
#define EXPECT_FALSE(A) TESTING_EXPECT(::testing::checkTrue(bool(A), false, #A))
#define EXPECT_EQ(A, B) TESTING_EXPECT(::testing::checkEQ(A, B, #A, #B))
#define EXPECT_NE(A, B) TESTING_EXPECT(::testing::checkNE(A, B, #A, #B))
#define EXPECT_LT(A, B) TESTING_EXPECT(::testing::checkLT(A, B, #A, #B))
#define EXPECT_LE(A, B) TESTING_EXPECT(::testing::checkLE(A, B, #A, #B))
#define EXPECT_GT(A, B) TESTING_EXPECT(::testing::checkGT(A, B, #A, #B))
#define EXPECT_GE(A, B) TESTING_EXPECT(::testing::checkGE(A, B, #A, #B))
#define EXPECT_STREQ(A, B) TESTING_EXPECT(::testing::checkSTREQ(A, B, #A, #B))
#define EXPECT_NEAR(A, B, BOUND)                                               \
  TESTING_EXPECT(::testing::checkNear(A, B, BOUND, #A, #B))

#define ASSERT_TRUE(A) TESTING_ASSERT(::testing::checkTrue(bool(A), true, #A))
#define ASSERT_EQ(A, B) TESTING_ASSERT(::testing::checkEQ(A, B, #A, #B))
#define ASSERT_NE(A, B) TESTING_ASSERT(::testing::checkNE(A, B, #A, #B))
#define ASSERT_LE(A, B) TESTING_ASSERT(::testing::checkLE(A, B, #A, #B))
#define ASSERT_GE(A, B) TESTING_ASSERT(::testing::checkGE(A, B, #A, #B))
#define ASSERT_NEAR(A, B, BOUND)                                               \
  TESTING_ASSERT(::testing::checkNear(A, B, BOUND, #A, #B))

#define EXPECT_THROW(STATEMENT, EXCEPTION)                                     \
  TESTING_EXPECT([&]() -> ::testing::Check {                                   \
    try {                                                                      \
      STATEMENT;                                                               \
    } catch (const EXCEPTION &) {                                              \
      return {true, ""};                                                       \
    } catch (...) {                                                            \
      return {false, "expected " #EXCEPTION                                    \
                     ", found another exception: " #STATEMENT};                \
    }                                                                          \
    return {false, "expected " #EXCEPTION ", found none: " #STATEMENT};        \
  }())
#define EXPECT_NO_THROW(STATEMENT)                                             \
  TESTING_EXPECT([&]() -> ::testing::Check {                                   \
    try {                                                                      \
      STATEMENT;                                                               \
    } catch (...) {                                                            \
      return {false, "expected no exception: " #STATEMENT};                    \
    }                                                                          \
    return {true, ""};                                                         \
  }())

#define ADD_FAILURE()                                                          \
  ::testing::Report(::testing::Report::Failure, __FILE__, __LINE__) =          \
      ::testing::Message()
#define FAIL()                                                                 \
  return ::testing::Report(::testing::Report::FatalFailure, __FILE__,          \
                           __LINE__) = ::testing::Message()
#define GTEST_SKIP()                                                           \
  return ::testing::Report(::testing::Report::Skip, __FILE__, __LINE__) =      \
             ::testing::Message()
#define SCOPED_TRACE(MESSAGE)                                                  \
  const ::testing::Trace TESTING_JOIN(trace_, __LINE__)(                       \
      __FILE__, __LINE__, ::testing::Message() << (MESSAGE))

#define TESTING_TEST(SUITE, NAME, BASE, ADD)                                   \
  namespace {                                                                  \
  class SUITE##_##NAME##_Test : public BASE {                                  \
    void TestBody() override;                                                  \
  };                                                                           \
  [[maybe_unused]] const bool SUITE##_##NAME##_isKnown = ADD;                  \
  }                                                                            \
  void SUITE##_##NAME##_Test::TestBody()
#define TEST_F(SUITE, NAME)                                                    \
  TESTING_TEST(SUITE, NAME, SUITE, ::testing::add(#SUITE, #NAME, [] {          \
                 return std::make_unique<SUITE##_##NAME##_Test>();             \
               }))
#define TEST(SUITE, NAME)                                                      \
  TESTING_TEST(SUITE, NAME, ::testing::Test,                                   \
               ::testing::add(#SUITE, #NAME, [] {                              \
                 return std::make_unique<SUITE##_##NAME##_Test>();             \
               }))
#define TEST_P(SUITE, NAME)                                                    \
  TESTING_TEST(SUITE, NAME, SUITE,                                             \
               ::testing::addWithParam<SUITE##_##NAME##_Test>(#SUITE, #NAME))
#define INSTANTIATE_TEST_SUITE_P(PREFIX, SUITE, ...)                           \
  [[maybe_unused]] static const bool PREFIX##_##SUITE##_isInstantiated =       \
      ::testing::instantiate<SUITE>(#PREFIX, #SUITE, __VA_ARGS__)

#endif
