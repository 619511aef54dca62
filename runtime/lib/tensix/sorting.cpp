#include "tensix/sorting.h"

#include "tensix/engine.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <utility>

namespace tt::runtime::tensix {

using numerics::kTileDim;

namespace {

/// Numbers of a column of two tiles.
constexpr std::uint32_t kColumn = 2 * kTileDim;
constexpr std::uint32_t kPhases = std::bit_width(kColumn) - 1;

/// A key that orders the numbers of a tile as the engine does: floats by sign
/// and magnitude, so that -0 is below +0 and a NaN is beyond the infinity of
/// its sign.
std::uint32_t keyOf(Kind kind, std::uint32_t word) {
  constexpr std::uint32_t kSign = 0x80000000u;
  switch (kind) {
  case Kind::F32:
    return word & kSign ? ~word : word | kSign;
  case Kind::I32:
    return word ^ kSign;
  case Kind::U32:
    break;
  }
  return word;
}

/// The columns of two tiles of numbers and of the two tiles of their indices.
class Columns {
public:
  Columns(ComputeContext &context, std::uint64_t first)
      : context_(context),
        tiles_{readDst(context, first), readDst(context, first + 1),
               readDst(context, first + 2), readDst(context, first + 3)} {
    expectSame(0, 1);
    expectSame(2, 3);
  }

  /// Exchanges two numbers of every column, unless the upper one, at `upper`,
  /// is the greater one, or the lesser one if `ascending`. The engine exchanges
  /// equal ones when it wants the greater one above.
  void order(std::uint32_t upper, std::uint32_t lower, bool ascending) {
    const Kind kind = tiles_[0].tile.kind;
    for (std::int64_t column = 0; column < kTileDim; ++column) {
      std::uint32_t &a = at(0, upper, column), &b = at(0, lower, column);
      const bool less = keyOf(kind, b) < keyOf(kind, a);
      if (less != ascending)
        continue;
      std::swap(a, b);
      std::swap(at(2, upper, column), at(2, lower, column));
    }
  }

  /// Sorts a sequence whose halves are sorted in opposite directions.
  void sortBitonic(std::uint32_t begin, std::uint32_t length, bool ascending) {
    for (std::uint32_t distance = length / 2; distance; distance /= 2)
      for (std::uint32_t i = 0; i < length; ++i)
        if (!(i & distance))
          order(begin + i, begin + i + distance, ascending);
  }

  void finish() {
    for (const Dst &dst : tiles_)
      mark(context_, dst, dst.tile.kind, dst.tile.half);
  }

private:
  void expectSame(int a, int b) {
    if (tiles_[a].tile.kind != tiles_[b].tile.kind)
      faultFormat(context_, "a step of a top-k",
                  "two tiles of floats or two of integers", "one of each");
  }
  std::uint32_t &at(std::uint32_t tile, std::uint32_t row,
                    std::int64_t column) {
    return tiles_[tile + row / kTileDim]
        .words[faceIndex(row % kTileDim, column)];
  }

  ComputeContext &context_;
  std::array<Dst, 4> tiles_;
};

void expect(ComputeContext &context, bool good, const std::string &expected,
            std::uint64_t found) {
  if (!good)
    context.access.fault(ComputeFault::Operand, "expected " + expected +
                                                    ", found " +
                                                    std::to_string(found));
}

void expectDirection(ComputeContext &context, std::uint64_t idir) {
  expect(context, idir <= 1, "a direction of 0 (descending) or 1 (ascending)",
         idir);
}

void expectK(ComputeContext &context, std::uint64_t k) {
  expect(context, k >= 4 && k <= kColumn && std::has_single_bit(k),
         "a k that is a power of 2 from 4 to 64", k);
}

/// The numbers between a sequence of at most 32 and the one that a merge
/// compares it with.
std::uint32_t distanceOf(std::uint64_t k, std::uint64_t iteration) {
  const std::uint64_t length = std::min<std::uint64_t>(k, kTileDim);
  return iteration >= kPhases ? kTileDim
                              : std::uint32_t(std::min<std::uint64_t>(
                                    length << iteration, kTileDim));
}

} // namespace

void topkLocalSort(ComputeContext &context, const std::uint64_t *operands) {
  const std::uint64_t idir = operands[1], end = operands[2],
                      start = operands[3];
  expectDirection(context, idir);
  expect(context, end < kPhases,
         "an end phase below " + std::to_string(kPhases), end);
  expect(context, start <= end,
         "a start phase of at most " + std::to_string(end), start);
  Columns columns(context, operands[0]);
  for (auto phase = std::uint32_t(start); phase <= end; ++phase) {
    const std::uint32_t length = 2u << phase;
    for (std::uint32_t i = 0; i < kColumn / length; ++i)
      columns.sortBitonic(i * length, length, (i & 1) != idir);
  }
  columns.finish();
}

void topkMerge(ComputeContext &context, const std::uint64_t *operands) {
  const std::uint64_t iteration = operands[1], k = operands[2];
  expectK(context, k);
  const bool ascending = operands[3] != 0;
  const std::uint32_t distance = distanceOf(k, iteration);
  const auto length = std::uint32_t(std::min<std::uint64_t>(k, kTileDim));
  Columns columns(context, operands[0]);
  for (std::uint32_t begin = 0; begin < kColumn; begin += 2 * distance)
    for (std::uint32_t i = begin; i < begin + length; ++i)
      columns.order(i, i + distance, ascending);
  columns.finish();
}

void topkRebuild(ComputeContext &context, const std::uint64_t *operands) {
  const std::uint64_t idir = operands[1], iteration = operands[2],
                      k = operands[3];
  expectDirection(context, idir);
  expectK(context, k);
  expect(context, operands[4] == std::bit_width(k) - 1u,
         "a logk of " + std::to_string(std::bit_width(k) - 1), operands[4]);
  const auto length = std::uint32_t(k);
  // The survivors of different merges can be in the two tiles.
  const std::uint32_t pitch = std::max(
      length, std::min(2 * distanceOf(k, iteration), std::uint32_t(kTileDim)));
  const std::uint32_t end = operands[5] ? std::uint32_t(kTileDim) : kColumn;
  Columns columns(context, operands[0]);
  std::uint32_t number = 0;
  for (std::uint32_t begin = 0; begin < end; begin += pitch)
    columns.sortBitonic(begin, length, (number++ & 1) != idir);
  columns.finish();
}

void maxReduceWithIndices(ComputeContext &context,
                          const std::uint64_t *operands) {
  const std::uint64_t rows = operands[3];
  expect(context, rows >= 1 && rows <= kTileDim, "1 to 32 rows", rows);
  Dst numbers = readDst(context, operands[0]);
  Dst indices = readDst(context, operands[1]);
  const Kind kind = numbers.tile.kind;
  for (std::int64_t column = 0; column < kTileDim; ++column) {
    std::int64_t best = faceIndex(0, column);
    for (std::int64_t row = 1; row < std::int64_t(rows); ++row)
      if (const std::int64_t i = faceIndex(row, column);
          keyOf(kind, numbers.words[best]) < keyOf(kind, numbers.words[i]))
        best = i;
    numbers.words[faceIndex(0, column)] = numbers.words[best];
    indices.words[faceIndex(0, column)] = indices.words[best];
  }
  mark(context, numbers, kind, numbers.tile.half);
  mark(context, indices, indices.tile.kind, indices.tile.half);
}

} // namespace tt::runtime::tensix
