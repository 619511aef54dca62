// Runs the tests of an executable. Takes the options of GoogleTest that CMake's
// gtest_discover_tests needs: --gtest_list_tests and --gtest_filter, whose
// patterns may have `*` and are separated by `:`.
#include "testing.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <mutex>
#include <string_view>

using namespace testing;

namespace {

struct Known {
  std::string suite, name, value;
  Factory make;
  std::string fullName() const { return suite + "." + name; }
};

// Filled while static objects are made, in any order.
std::vector<Known> &tests() {
  static std::vector<Known> all;
  return all;
}

std::map<std::string, Suite> &suites() {
  static std::map<std::string, Suite> all;
  return all;
}

/// What the test that runs has reported, from any thread.
struct Running {
  std::mutex mutex;
  bool failed = false, ends = false, skipped = false;
  std::vector<std::string> traces;
};
std::unique_ptr<Running> running;

std::string at(const char *file, int line) {
  return std::string(file) + ":" + std::to_string(line) + ": ";
}

bool matches(std::string_view pattern, std::string_view name) {
  if (pattern.empty() || name.empty())
    return pattern.empty() ? name.empty() : pattern == "*";
  if (pattern[0] == '*')
    return matches(pattern.substr(1), name) || matches(pattern, name.substr(1));
  return pattern[0] == name[0] && matches(pattern.substr(1), name.substr(1));
}

bool matchesAny(std::string_view patterns, std::string_view name) {
  while (true) {
    const size_t colon = patterns.find(':');
    if (matches(patterns.substr(0, colon), name))
      return true;
    if (colon == std::string_view::npos)
      return false;
    patterns.remove_prefix(colon + 1);
  }
}

/// Runs `step` of a test; what it throws is a failure.
template <typename Step> void guarded(const char *what, const Step &step) {
  try {
    step();
  } catch (const std::exception &error) {
    Report(Report::FatalFailure, what, 0) = Message() << error.what();
  } catch (...) {
    Report(Report::FatalFailure, what, 0) = Message() << "unknown exception";
  }
}

void runTest(const Known &test) {
  running = std::make_unique<Running>();
  std::printf("[ RUN      ] %s\n", test.fullName().c_str());
  std::fflush(stdout);
  guarded("exception in the test", [&] {
    const std::unique_ptr<Test> object = test.make();
    guarded("exception in SetUp", [&] { object->SetUp(); });
    if (!running->ends && !running->skipped)
      guarded("exception in the body", [&] { object->TestBody(); });
    guarded("exception in TearDown", [&] { object->TearDown(); });
  });
  const char *end = running->failed    ? "  FAILED  "
                    : running->skipped ? "  SKIPPED "
                                       : "       OK ";
  std::printf("[%s] %s\n", end, test.fullName().c_str());
  std::fflush(stdout);
}

void list(std::string_view filter) {
  std::string suite;
  for (const Known &test : tests()) {
    if (!matchesAny(filter, test.fullName()))
      continue;
    if (test.suite != suite)
      std::printf("%s.\n", test.suite.c_str());
    suite = test.suite;
    std::printf("  %s", test.name.c_str());
    if (!test.value.empty())
      std::printf("  # GetParam() = %s", test.value.c_str());
    std::printf("\n");
  }
}

int run(std::string_view filter) {
  size_t count = 0, failed = 0;
  for (const Known &test : tests()) {
    if (!matchesAny(filter, test.fullName()))
      continue;
    runTest(test);
    ++count;
    failed += running->failed;
  }
  std::printf("%zu tests, %zu failed\n", count, failed);
  if (count == 0)
    std::fprintf(stderr, "error: no test is called '%s'\n",
                 std::string(filter).c_str());
  return failed || count == 0 ? 1 : 0;
}

} // namespace

void Report::operator=(const Message &message) const {
  const std::lock_guard lock(running->mutex);
  if (kind == Skip) {
    running->skipped = true;
  } else {
    running->failed = true;
    running->ends |= kind == FatalFailure;
  }
  std::string said = text;
  if (const std::string more = message; !more.empty())
    said += (said.empty() ? "" : "\n") + more;
  for (const std::string &trace : running->traces)
    said += "\n" + trace;
  std::printf("%s%s\n", at(file, line).c_str(), said.c_str());
}

Trace::Trace(const char *file, int line, const Message &message) {
  const std::lock_guard lock(running->mutex);
  running->traces.push_back(at(file, line) + message.str());
}

Trace::~Trace() {
  const std::lock_guard lock(running->mutex);
  running->traces.pop_back();
}

bool testing::add(std::string suite, std::string name, Factory make,
                  std::string value) {
  tests().push_back(
      {std::move(suite), std::move(name), std::move(value), std::move(make)});
  return true;
}

Suite &testing::suiteWithParam(const std::string &name) {
  return suites()[name];
}

std::string testing::TempDir() {
  const char *folder = std::getenv("TMPDIR");
  return std::string(folder ? folder : "/tmp") + "/";
}

int main(int argc, char **argv) {
  for (const auto &[name, suite] : suites()) {
    if (suite.instantiations.empty()) {
      std::fprintf(stderr, "error: the tests of '%s' have no values\n",
                   name.c_str());
      return 1;
    }
    for (const auto &instantiation : suite.instantiations)
      instantiation(suite);
  }
  std::string_view filter = "*";
  bool lists = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const std::string_view prefix = "--gtest_filter=";
    if (argument == "--gtest_list_tests")
      lists = true;
    else if (argument.substr(0, prefix.size()) == prefix)
      filter = argument.substr(prefix.size());
    else if (argument.substr(0, 8) != "--gtest_") {
      std::fprintf(stderr,
                   "error: expected --gtest_list_tests or "
                   "--gtest_filter=NAME, found '%s'\n",
                   argv[i]);
      return 1;
    }
  }
  if (!lists)
    return run(filter);
  list(filter);
  return 0;
}
