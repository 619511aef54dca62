// Steps of a top-k along the columns of destination tiles.
#include "support.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

using namespace tt::runtime::tensix;
using namespace tt::runtime::tensix::test;

namespace {

/// A column of two tiles, and the indices of its numbers.
using Column = std::vector<std::pair<float, float>>;

/// Two tiles of numbers in registers 0 and 1, whose indices, 0 to 63 in every
/// column, are in 2 and 3.
class Sorting : public ::testing::Test {
protected:
  Sorting() {
    for (int half : {0, 1}) {
      const Tile values = inFormat(DType::BF16, randomTile(17 + half));
      Tile index(values.size());
      for (size_t i = 0; i < index.size(); ++i)
        index[i] = float(i / 32 + 32 * size_t(half));
      numbers_[half] = values;
      core_.bind(std::uint32_t(half), DType::F32, {values});
      core_.bind(std::uint32_t(2 + half), DType::F32, {index});
    }
    for (std::uint32_t port = 16; port < 20; ++port)
      core_.bind(port, DType::F32, 1);
    reload();
  }

  void reload() {
    for (std::uint64_t i = 0; i < 4; ++i)
      core_.run(Opcode::copy_tile, {i, 0, i});
  }

  Column column(size_t at) {
    Column result;
    for (std::uint32_t half : {0u, 1u}) {
      const Tile values = core_.result(16 + half, half);
      const Tile index = core_.result(18 + half, 2 + half);
      for (size_t row = 0; row < 32; ++row)
        result.emplace_back(values[row * 32 + at], index[row * 32 + at]);
    }
    return result;
  }

  float original(size_t column, float index) const {
    const auto i = size_t(index);
    return numbers_[i / 32][i % 32 * 32 + column];
  }

  void expectPairs(const Column &found, size_t at) const {
    std::vector<bool> seen(64);
    for (const auto &[value, index] : found) {
      ASSERT_EQ(value, original(at, index));
      ASSERT_EQ(seen[size_t(index)], false);
      seen[size_t(index)] = true;
    }
  }

  static void expectSorted(const Column &found, size_t begin, size_t count,
                           bool ascending) {
    for (size_t i = begin + 1; i < begin + count; ++i)
      if (ascending)
        ASSERT_LE(found[i - 1].first, found[i].first) << i;
      else
        ASSERT_GE(found[i - 1].first, found[i].first) << i;
  }

  Core core_{{.fp32DestAcc = true, .preserveFp32 = true}};
  Tile numbers_[2];
};

TEST_F(Sorting, LocalSortAlternatesDirections) {
  for (std::uint64_t idir : {0, 1})
    for (std::uint64_t phase = 0; phase < 6; ++phase) {
      reload();
      core_.run(Opcode::topk_local_sort, {0, idir, phase, 0});
      for (size_t at : {0, 13, 31}) {
        const Column found = column(at);
        expectPairs(found, at);
        const size_t length = size_t(2) << phase;
        for (size_t i = 0; i < 64 / length; ++i)
          expectSorted(found, i * length, length, (i & 1) != idir);
      }
    }
}

TEST_F(Sorting, PhasesInParts) {
  core_.run(Opcode::topk_local_sort, {0, 0, 4, 0});
  const Column whole = column(5);
  reload();
  core_.run(Opcode::topk_local_sort, {0, 0, 2, 0});
  core_.run(Opcode::topk_local_sort, {0, 0, 4, 3});
  EXPECT_EQ(column(5), whole);
}

/// The k greatest of each column, by merging within the two tiles.
TEST_F(Sorting, TopKOfAColumn) {
  for (bool least : {false, true})
    for (std::uint64_t k : {4, 8, 16, 32}) {
      reload();
      const auto logk = std::uint64_t(std::bit_width(k) - 1);
      core_.run(Opcode::topk_local_sort, {0, least, logk - 1, 0});
      for (std::uint64_t m = 0; (k << m) < 64; ++m) {
        core_.run(Opcode::topk_merge, {0, m, k, least});
        // After the last merge the second tile has none of them.
        const std::uint64_t last = (k << m) == 32;
        core_.run(Opcode::topk_rebuild, {0, least, m, k, logk, last});
      }
      for (size_t at : {0, 9, 31}) {
        const Column found = column(at);
        expectPairs(found, at);
        expectSorted(found, 0, k, least);
        std::vector<float> all;
        for (float i = 0; i < 64; ++i)
          all.push_back(original(at, i));
        std::ranges::sort(all);
        if (!least)
          std::ranges::reverse(all);
        for (size_t i = 0; i < k; ++i)
          ASSERT_EQ(found[i].first, all[i]) << "k " << k;
      }
    }
}

TEST_F(Sorting, WholeColumn) {
  core_.run(Opcode::topk_local_sort, {0, 0, 5, 0});
  core_.run(Opcode::topk_rebuild, {0, 1, 0, 64, 6, 0});
  expectSorted(column(3), 0, 64, true);
}

TEST_F(Sorting, WrongOperands) {
  const auto fails = [&](Opcode opcode,
                         std::initializer_list<std::uint64_t> operands) {
    EXPECT_FAULT(core_.run(opcode, operands), ComputeFault::Operand);
  };
  fails(Opcode::topk_local_sort, {0, 2, 4, 0});
  fails(Opcode::topk_local_sort, {0, 0, 6, 0});
  fails(Opcode::topk_local_sort, {0, 0, 2, 3});
  fails(Opcode::topk_merge, {0, 0, 12, 0});
  fails(Opcode::topk_merge, {0, 0, 128, 0});
  fails(Opcode::topk_rebuild, {0, 0, 0, 16, 5, 0});
  EXPECT_FAULT(core_.run(Opcode::topk_merge, {1, 0, 32, 0}),
               ComputeFault::DstIndex);
}

TEST_F(Sorting, SpecialNumbers) {
  Tile values = numbers_[0];
  values[0] = -INFINITY;
  values[32] = NAN;
  values[64] = INFINITY;
  Core core{{.fp32DestAcc = true, .preserveFp32 = true}};
  core.bind(0, DType::F32, {values});
  core.bind(16, DType::F32, 1);
  for (std::uint64_t i = 0; i < 4; ++i)
    core.run(Opcode::copy_tile, {0, 0, i});
  core.run(Opcode::topk_local_sort, {0, 0, 4, 0});
  const Tile found = core.result(16);
  EXPECT_TRUE(std::isnan(found[0]));
  EXPECT_EQ(found[32], INFINITY);
  EXPECT_EQ(found[31 * 32], -INFINITY);
}

TEST_F(Sorting, MaximumWithIndices) {
  for (std::uint64_t rows : {1, 9, 32}) {
    reload();
    core_.run(Opcode::max_reduce_with_indices, {0, 2, 0, rows});
    const Tile value = core_.result(16, 0), index = core_.result(18, 2);
    for (size_t at = 0; at < 32; ++at) {
      size_t best = 0;
      for (size_t row = 1; row < rows; ++row)
        if (numbers_[0][row * 32 + at] > numbers_[0][best * 32 + at])
          best = row;
      ASSERT_EQ(value[at], numbers_[0][best * 32 + at]);
      ASSERT_EQ(index[at], float(best));
    }
  }
  EXPECT_FAULT(core_.run(Opcode::max_reduce_with_indices, {0, 2, 0, 33}),
               ComputeFault::Operand);
}

} // namespace
