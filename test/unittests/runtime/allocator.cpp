#include "emulator/allocator.h"

#include "tt/runtime/error.h"

#include "testing/testing.h"

#include <map>
#include <random>

using tt::runtime::Error;
using tt::runtime::ErrorCategory;
using tt::runtime::emulator::Allocator;

TEST(Allocator, AlignsAndReusesTheLowestAddress) {
  Allocator allocator("L1", 1000, 100000, 32);
  const auto a = allocator.allocate(1, "a");
  const auto b = allocator.allocate(100, "b");
  EXPECT_EQ(a, 1024);
  EXPECT_EQ(b, 1056);
  EXPECT_EQ(allocator.used(), 32 + 128);
  allocator.release(a);
  EXPECT_EQ(allocator.allocate(32, "c"), a);
  EXPECT_EQ(allocator.highWater(), 160);
}

TEST(Allocator, NeighboursMerge) {
  Allocator allocator("L1", 0, 300, 4);
  std::vector<std::int64_t> blocks;
  for (int i = 0; i < 3; ++i)
    blocks.push_back(allocator.allocate(100, "block"));
  for (int i : {0, 2, 1})
    allocator.release(blocks[std::size_t(i)]);
  EXPECT_EQ(allocator.allocate(300, "all"), 0);
}

TEST(Allocator, ExhaustionNamesTheHolders) {
  Allocator allocator("L1", 0, 4096, 16);
  allocator.allocate(3000, "tensor 7");
  allocator.allocate(100, "tensor 8");
  try {
    allocator.allocate(2000, "tensor 9");
    FAIL() << "expected an error";
  } catch (const Error &error) {
    EXPECT_EQ(error.category(), ErrorCategory::OutOfMemory);
    EXPECT_EQ(std::string(error.what()),
              "L1 exhausted: tensor 9 requested 2000 bytes per bank, available "
              "976 of 4096 (largest free block 976); held by: tensor 7 3008 "
              "bytes; tensor 8 112 bytes");
  }
}

TEST(Allocator, RecordsWhoHeldWhatWhen) {
  Allocator allocator("L1", 0, 4096, 16);
  const auto before = allocator.allocate(1024, "before");
  allocator.startRecording();
  const auto first = allocator.allocate(512, "first");
  allocator.release(first); // in the step that ends at 10
  allocator.advance(10);
  const auto again = allocator.allocate(512, "again");
  allocator.release(before);
  allocator.advance(30);
  EXPECT_THROW(allocator.allocate(4000, "large"), Error);
  const auto found = allocator.stopRecording();
  ASSERT_EQ(found.blocks.size(), 3u);
  const auto expectBlock = [&](std::size_t i, const char *owner,
                               std::int64_t address, double begin, double end) {
    EXPECT_EQ(found.blocks[i].owner, owner);
    EXPECT_EQ(found.blocks[i].address, address);
    EXPECT_EQ(found.blocks[i].begin, begin);
    EXPECT_EQ(found.blocks[i].end, end);
  };
  expectBlock(0, "before", before, 0, 10);
  expectBlock(1, "first", first, 0, 10);
  expectBlock(2, "again", again, 10, 30);
  ASSERT_TRUE(found.failed.has_value());
  EXPECT_EQ(found.failed->owner, "large");
  EXPECT_EQ(found.failed->bytes, 4000);
  EXPECT_EQ(found.failed->available, 4096 - 512);
  EXPECT_TRUE(allocator.stopRecording().blocks.empty());
}

TEST(Allocator, RandomUseNeverOverlaps) {
  std::mt19937 random(3);
  Allocator allocator("DRAM", 64, 1 << 20, 32);
  std::map<std::int64_t, std::int64_t> live;
  for (int i = 0; i < 20000; ++i) {
    if (random() % 2 && !live.empty()) {
      auto it = std::next(live.begin(), long(random() % live.size()));
      allocator.release(it->first);
      live.erase(it);
      continue;
    }
    const std::int64_t size = 1 + random() % 5000;
    try {
      const std::int64_t address = allocator.allocate(size, "block");
      ASSERT_EQ(address % 32, 0);
      ASSERT_GE(address, 64);
      ASSERT_LE(address + size, 1 << 20);
      auto next = live.lower_bound(address);
      if (next != live.end())
        ASSERT_LE(address + size, next->first);
      if (next != live.begin())
        ASSERT_LE(std::prev(next)->first + std::prev(next)->second, address);
      live[address] = size;
    } catch (const Error &) {
      // Full; go on freeing.
    }
  }
  for (auto const &[address, size] : live)
    allocator.release(address);
  EXPECT_EQ(allocator.used(), 0);
  EXPECT_NO_THROW(allocator.allocate(allocator.capacity(), "all"));
}

namespace {

std::string messageOf(Allocator &allocator, std::int64_t address,
                      std::int64_t bytes, const char *owner) {
  try {
    allocator.reserve(address, bytes, owner);
  } catch (const Error &error) {
    EXPECT_EQ(error.category(), ErrorCategory::Argument);
    return error.what();
  }
  return "no error";
}

} // namespace

TEST(Allocator, ReservedMemoryIsTaken) {
  Allocator allocator("L1", 1000, 100000, 32);
  allocator.reserve(2048, 100, "tensor 1"); // whole units: 128 bytes
  EXPECT_EQ(allocator.allocate(1024, "a"), 1024);
  EXPECT_EQ(allocator.allocate(32, "b"), 2048 + 128);
  EXPECT_EQ(
      messageOf(allocator, 2144, 8, "tensor 2"),
      "L1: expected free memory for tensor 2 [2144, 2176), found tensor 1 "
      "[2048, 2176)");
  allocator.release(2048);
  EXPECT_EQ(messageOf(allocator, 2144, 8, "tensor 2"), "no error");
}

TEST(Allocator, ReservationsAreAlignedAndInside) {
  Allocator allocator("DRAM", 1024, 4096, 32);
  EXPECT_EQ(messageOf(allocator, 1040, 8, "tensor 1"),
            "DRAM: expected an address of tensor 1 that is a multiple of 32, "
            "found 1040");
  EXPECT_EQ(
      messageOf(allocator, 992, 64, "tensor 1"),
      "DRAM: expected tensor 1 within [1024, 4096), found 64 bytes at 992");
  EXPECT_EQ(messageOf(allocator, 4064, 33, "tensor 1"),
            "DRAM: expected tensor 1 within [1024, 4096), found 33 bytes at "
            "4064");
  EXPECT_EQ(messageOf(allocator, 4064, 32, "tensor 1"), "no error");
}

TEST(Allocator, RepeatsTheAddressesOfACapture) {
  Allocator allocator("L1", 0, 4096, 16);
  const auto run = [&] {
    const auto a = allocator.allocate(512, "a"),
               b = allocator.allocate(64, "b");
    allocator.release(a);
    const auto c = allocator.findHighest(100, 4096);
    allocator.release(b);
    return std::vector{a, b, c};
  };
  const auto before = allocator.allocate(256, "before");
  allocator.startCapture();
  const auto first = run();
  const auto blocks = allocator.stopCapture();
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[2].bytes, 112);
  // Without it they would be others.
  allocator.release(before);
  allocator.startReplay(blocks);
  EXPECT_EQ(run(), first);
  allocator.stopReplay();
  EXPECT_NE(run(), first);
}

TEST(Allocator, RefusesAnotherRunThanTheCaptured) {
  Allocator allocator("L1", 0, 4096, 16);
  allocator.startCapture();
  allocator.release(allocator.allocate(512, "a"));
  const auto blocks = allocator.stopCapture();
  const auto expectInternal = [&](std::int64_t bytes, const char *text) {
    allocator.startReplay(blocks);
    try {
      allocator.allocate(bytes, "b");
      FAIL() << "expected an error";
    } catch (const Error &error) {
      EXPECT_EQ(error.category(), ErrorCategory::Internal);
      EXPECT_EQ(std::string(error.what()), text);
    }
    allocator.stopReplay();
  };
  expectInternal(16, "L1: expected a block of 512 bytes as in the capture, "
                     "found 16");
  allocator.allocate(16, "other");
  expectInternal(512, "L1: expected free memory at 0 as in the capture, found "
                      "other [0, 16)");
}
