// What ranks tell each other, and how they fail together.
#include "rank_support.h"

#include "testing/testing.h"

#include <mutex>
#include <set>

using namespace tt::runtime;
using namespace tt::runtime::test;
using emulator::Ownership;
using emulator::Ranks;
using emulator::SharedError;

namespace {

/// The errors of `body(ranks)` on all ranks, each once.
template <typename Body>
std::set<std::string> errorsOf(std::uint32_t size, const Body &body) {
  std::set<std::string> errors;
  std::mutex mutex;
  onRanks(size, [&](const std::shared_ptr<Ranks> &ranks) {
    std::string error;
    try {
      body(*ranks);
    } catch (const Error &found) {
      error = found.what();
    }
    std::lock_guard lock(mutex);
    errors.insert(error);
  });
  return errors;
}

} // namespace

TEST(Ranks, ExchangeGivesEachRankWhatItWasSent) {
  onRanks(5, [](const std::shared_ptr<Ranks> &ranks) {
    for (int turn = 0; turn < 50; ++turn) {
      const auto text = [&](std::uint32_t from, std::uint32_t to) {
        return std::string(from + to, char('a' + turn % 26));
      };
      std::vector<std::string> messages;
      for (std::uint32_t to = 0; to < 5; ++to)
        messages.push_back(text(ranks->rank(), to));
      const auto found = ranks->exchange("a test", messages);
      ASSERT_EQ(found.size(), 5u);
      for (std::uint32_t from = 0; from < 5; ++from)
        EXPECT_EQ(found[from], text(from, ranks->rank()));
    }
  });
}

TEST(Ranks, AnErrorOfOneIsOneOfAll) {
  onRanks(3, [](const std::shared_ptr<Ranks> &ranks) {
    if (ranks->rank() == 1) {
      ranks->announce(ErrorCategory::OutOfMemory, "no room");
    } else {
      try {
        ranks->exchange("all_reduce");
        ADD_FAILURE() << "expected an error";
      } catch (const SharedError &error) {
        EXPECT_EQ(error.category(), ErrorCategory::OutOfMemory);
        EXPECT_STREQ(error.what(), "rank 1 of 3: no room");
      }
    }
    EXPECT_TRUE(ranks->failed());
    // They can go on together.
    EXPECT_EQ(ranks->gather("the next program", "x").size(), 3u);
    EXPECT_FALSE(ranks->failed());
  });
}

TEST(Ranks, RanksThatAreElsewhere) {
  EXPECT_EQ(errorsOf(2,
                     [](Ranks &ranks) {
                       ranks.exchange("all_gather");
                       ranks.exchange(ranks.rank() ? "all_reduce" : "the end");
                     }),
            (std::set<std::string>{
                "expected all ranks to run the same script, found rank 0 at "
                "the end (exchange 2) and rank 1 at all_reduce (exchange 2)",
                "expected all ranks to run the same script, found rank 1 at "
                "all_reduce (exchange 2) and rank 0 at the end (exchange 2)"}));
}

TEST(Ranks, DifferentValues) {
  EXPECT_EQ(errorsOf(3,
                     [](Ranks &ranks) {
                       ranks.requireSame("version", "1");
                       ranks.requireSame("program",
                                         ranks.rank() == 2 ? "b" : "a");
                     }),
            (std::set<std::string>{"expected the same program on all ranks, "
                                   "found a on rank 0 and b on rank 2"}));
}

TEST(Ranks, OwnershipOfPositions) {
  onRanks(4, [](const std::shared_ptr<Ranks> &ranks) {
    const Ownership eight(ranks, {2, 4});
    EXPECT_TRUE(eight.divided());
    EXPECT_EQ(eight.first(), 2 * ranks->rank());
    for (std::size_t p = 0; p < 8; ++p) {
      EXPECT_EQ(eight.ownerOf(p), p / 2);
      EXPECT_EQ(eight.isLocal(p), p / 2 == ranks->rank());
    }
    // Every rank has the only chip.
    const Ownership one(ranks, {1, 1});
    EXPECT_FALSE(one.divided());
    EXPECT_TRUE(one.isLocal(0));
  });
  EXPECT_EQ(errorsOf(4,
                     [](Ranks &ranks) {
                       const auto alias =
                           std::shared_ptr<Ranks>(&ranks, [](Ranks *) {});
                       if (ranks.rank() == 3)
                         Ownership(alias, {2, 3});
                     }),
            (std::set<std::string>{
                "", "rank 3 of 4: expected a mesh of one chip, or of a "
                    "multiple of 4 chips, found mesh 2x3 of 6"}));
}

TEST(Ranks, MessagesEnd) {
  emulator::MessageWriter writer;
  writer.add(std::uint32_t(7));
  writer.addText("seven");
  emulator::MessageReader reader(writer.text);
  EXPECT_EQ(reader.take<std::uint32_t>(), 7u);
  EXPECT_EQ(reader.takeText(), "seven");
  EXPECT_TRUE(reader.done());
  EXPECT_THROW(reader.take<char>(), Error);
}
