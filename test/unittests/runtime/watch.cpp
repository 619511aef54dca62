// The order of accesses, against a model that keeps every byte by itself.
#include "emulator/watch.h"

#include "testing/testing.h"

#include <algorithm>
#include <map>
#include <random>

namespace tt::runtime::test {
namespace {

using namespace emulator;

constexpr std::uint32_t kCores = 5;
/// What the model knows: the epochs of the cores that are over.
using Epochs = std::vector<std::uint32_t>;
constexpr std::uint64_t kBytes = 2 * Block::kBytes;

struct Byte {
  Access write = 0;
  std::uint32_t what = 0;
  std::map<std::uint32_t, std::uint32_t> reads; // core to epoch
};

struct Try {
  std::uint64_t begin, end;
  std::uint32_t core, what;
  bool writes;
};

class Model {
public:
  /// The first byte that conflicts, or kBytes; notes the access if there is
  /// none.
  std::uint64_t touch(const Try &a, const Epochs &clock) {
    const auto ordered = [&](std::uint32_t core, std::uint32_t epoch) {
      return core == a.core || epoch <= clock[core];
    };
    for (std::uint64_t i = a.begin; i < a.end; ++i) {
      const Byte &byte = bytes_[i];
      const bool same = a.writes && a.what && byte.what == a.what;
      if (byte.write && !same &&
          !ordered(coreOf(byte.write), epochOf(byte.write)))
        return i;
      for (auto const &[core, epoch] : byte.reads)
        if (a.writes && !ordered(core, epoch))
          return i;
    }
    for (std::uint64_t i = a.begin; i < a.end; ++i)
      if (a.writes)
        bytes_[i] = {makeAccess(a.core, 0, clock[a.core]), a.what, {}};
      else
        bytes_[i].reads[a.core] = clock[a.core];
    return kBytes;
  }

private:
  std::vector<Byte> bytes_{kBytes};
};

Try randomTry(std::mt19937 &random) {
  Try a{};
  const std::uint64_t size = random() % 2 ? 64 : 1 + random() % kBytes;
  a.begin = size == 64 ? random() % (kBytes / 64) * 64 : random() % kBytes;
  a.end = std::min(kBytes, a.begin + size);
  a.core = random() % kCores;
  a.writes = random() % 3 == 0;
  a.what = a.writes && random() % 2 ? 1 + random() % 3 : 0;
  return a;
}

TEST(Watch, RacesAreThoseOfTheBytes) {
  int races = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    TouchedMemory memory;
    const auto none = std::make_shared<const Epochs>(kCores * kActors);
    Model model;
    std::vector<Epochs> epochs(kCores, Epochs(kCores, 0));
    std::vector<VectorClock> clocks;
    for (std::uint32_t core = 0; core < kCores; ++core) {
      epochs[core][core] = 1;
      clocks.emplace_back(core, none).set(0, 1);
    }
    for (int step = 0; step < 200; ++step) {
      // Most accesses are ordered, so that there is something to forget.
      const std::uint32_t from = random() % kCores, to = random() % kCores;
      if (from != to && random() % 8) {
        for (std::uint32_t core = 0; core < kCores; ++core)
          epochs[to][core] = std::max(epochs[to][core], epochs[from][core]);
        ++epochs[from][from];
        clocks[to].join(clocks[from]);
        clocks[from].advance(0, 1);
        continue;
      }
      const Try a = randomTry(random);
      const Race found =
          memory.touch(a.begin, a.end,
                       {makeAccess(a.core, 0, epochs[a.core][a.core]),
                        clocks[a.core], Area(), a.writes, a.what});
      const std::uint64_t expected = model.touch(a, epochs[a.core]);
      ASSERT_EQ(bool(found), expected < kBytes) << seed << " " << step;
      if (!found)
        continue;
      ASSERT_LE(found.begin, expected) << seed << " " << step;
      ++races;
      break;
    }
  }
  EXPECT_GT(races, 100);
}

TEST(Watch, WrittenBytesAreThoseThatWereMarked) {
  constexpr std::uint64_t kAll = 3000;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    WrittenBytes written;
    std::vector<bool> model(kAll);
    const auto find = [&](bool value, std::uint64_t begin, std::uint64_t end) {
      while (begin < end && model[begin] != value)
        ++begin;
      return begin;
    };
    std::uint64_t next = 0; // many marks go on where the last one ended
    for (int step = 0; step < 60; ++step) {
      const std::uint64_t begin = random() % 3 ? next : random() % kAll;
      const std::uint64_t end = std::min(kAll, begin + random() % 100);
      written.mark(begin, end);
      std::fill(model.begin() + std::ptrdiff_t(begin),
                model.begin() + std::ptrdiff_t(end), true);
      next = end;
      for (int look = 0; look < 10; ++look) {
        const std::uint64_t from = random() % kAll;
        const std::uint64_t to = from + random() % (kAll - from + 1);
        for (bool value : {false, true})
          ASSERT_EQ(written.find(value, from, to), find(value, from, to))
              << seed << " " << step << " " << from << " " << to;
        ASSERT_EQ(written.all(from, to), find(false, from, to) == to);
        ASSERT_EQ(written.countUnwritten(from, to),
                  std::uint64_t(std::count(model.begin() + std::ptrdiff_t(from),
                                           model.begin() + std::ptrdiff_t(to),
                                           false)));
      }
      if (random() % 40 == 0) {
        written.clear();
        std::fill(model.begin(), model.end(), false);
      }
    }
  }
}

} // namespace
} // namespace tt::runtime::test
