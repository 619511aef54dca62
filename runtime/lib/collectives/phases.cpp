#include "collectives/phases.h"

#include "numerics/eltwise.h"
#include "numerics/parallel.h"

#include <algorithm>
#include <cstring>

namespace tt::runtime::collectives {

using numerics::BinaryOp;
using numerics::DType;
using numerics::grainFor;

namespace {

/// Pages that cross a group at the same time, at most; and memory for what a
/// chip has received of them from one side and not yet passed on. It fits the
/// caches of the host.
constexpr std::int64_t kLanes = 16, kReceivedBytes = 1 << 20;

BinaryOp opOf(ReduceKind kind) {
  return kind == ReduceKind::Max   ? BinaryOp::Maximum
         : kind == ReduceKind::Min ? BinaryOp::Minimum
                                   : BinaryOp::Add;
}

/// Elements of a page that are combined at once: those of a tile.
constexpr std::int64_t kStep = numerics::kTileElements;

void toF32(DType type, const std::byte *data, float *out, std::int64_t count) {
  if (numerics::isBlockFloat(type))
    numerics::dequantizeTiles(type, data, out, 1);
  else
    numerics::toF32(type, data, out, count);
}

void fromF32(DType type, const float *values, std::byte *out,
             std::int64_t count) {
  if (numerics::isBlockFloat(type))
    numerics::quantizeTiles(type, values, out, 1, numerics::Rounding::Fast);
  else
    numerics::fromF32(type, values, out, count, numerics::Rounding::Fast);
}

/// out = own + before + behind in f32, rounded once; null operands are left
/// out. A mean divides by `size`.
void combineFloats(const Combine &combine, std::int64_t size,
                   const std::byte *own, const std::byte *before,
                   const std::byte *behind, std::byte *out) {
  const BinaryOp op = opOf(combine.kind);
  const float divisor = float(size);
  float sum[kStep], other[kStep];
  for (std::int64_t at = 0; at < combine.count; at += kStep) {
    const std::int64_t count = std::min(kStep, combine.count - at);
    const std::int64_t offset = at * numerics::elementSize(combine.type);
    toF32(combine.type, own + offset, sum, count);
    for (const std::byte *side : {before, behind})
      if (side) {
        toF32(combine.type, side + offset, other, count);
        numerics::binary(op, DType::F32, sum, other, sum, count);
      }
    if (combine.kind == ReduceKind::Mean)
      numerics::binaryScalar(BinaryOp::Div, DType::F32, sum, &divisor, false,
                             sum, count);
    fromF32(combine.type, sum, out + offset, count);
  }
}

/// The same where the type of the tensor is that of the sum. Integers have no
/// mean.
void combinePlain(const Combine &combine, std::int64_t size,
                  const std::byte *own, const std::byte *before,
                  const std::byte *behind, std::byte *out) {
  const std::byte *sum = own;
  for (const std::byte *side : {before, behind})
    if (side) {
      numerics::binary(opOf(combine.kind), combine.type, sum, side, out,
                       combine.count);
      sum = out;
    }
  if (sum != out)
    std::memcpy(
        out, sum,
        std::size_t(combine.count * numerics::elementSize(combine.type)));
  const float divisor = float(size);
  if (combine.kind == ReduceKind::Mean)
    numerics::binaryScalar(BinaryOp::Div, DType::F32, out, &divisor, false, out,
                           combine.count);
}

bool havePages(const Pages &pages) {
  return !pages.at.empty() && pages.at.front();
}

/// The pages [first, last) of slice `owner`, with one reach, and the buffer in
/// which they are combined.
struct Line {
  const Combine &combine;
  const std::vector<std::vector<Pages>> &at;
  const PagePool &pool;
  std::size_t owner;
  Reach reach;
  std::int64_t lanes;

  /// The partial sum that arrives at the owner from one side, in the buffer of
  /// a lane: every member that it passes adds its pages. Null if there is no
  /// member on that side.
  std::byte *arrive(bool forward, std::int64_t page, std::int64_t lane) const {
    const std::int64_t slot = forward ? lane : lane + lanes;
    const std::size_t size = at.size();
    const std::uint32_t hops = forward ? reach.before : reach.behind;
    if (hops == 0)
      return nullptr;
    const std::size_t step = forward ? 1 : size - 1;
    std::size_t member = (owner + (forward ? size - hops : hops)) % size;
    std::byte *sum = pool.page(slot);
    std::memcpy(sum, at[member][owner].at[std::size_t(page)],
                std::size_t(at[member][owner].bytes));
    for (std::uint32_t k = 1; k < hops; ++k) {
      member = (member + step) % size;
      numerics::binary(opOf(combine.kind), combine.type,
                       at[member][owner].at[std::size_t(page)], sum, sum,
                       combine.count);
    }
    return sum;
  }
};

void combinePage(const Line &line, std::int64_t page, std::int64_t lane,
                 std::byte *out) {
  const Combine &combine = line.combine;
  const Pages &own = line.at[line.owner][line.owner];
  const std::byte *sum = own.at[std::size_t(page)];
  const std::byte *before = line.arrive(true, page, lane);
  const std::byte *behind = line.arrive(false, page, lane);
  const auto size = std::int64_t(line.at.size());
  if (combine.type == DType::F32 || numerics::isInteger(combine.type))
    combinePlain(combine, size, sum, before, behind, out);
  else
    combineFloats(combine, size, sum, before, behind, out);
}

} // namespace

void copyPages(const Pages &from, const Pages &to) {
  if (!havePages(from) || !havePages(to))
    return;
  numerics::parallelFor(0, from.count(), grainFor(from.bytes),
                        [&](std::int64_t first, std::int64_t last) {
                          for (std::int64_t i = first; i < last; ++i)
                            std::memcpy(to.at[std::size_t(i)],
                                        from.at[std::size_t(i)],
                                        std::size_t(from.bytes));
                        });
}

void spread(const Schedule &schedule,
            const std::vector<std::vector<Pages>> &at) {
  const std::size_t size = at.size();
  for (std::size_t i = 0; i < size; ++i) {
    const Pages &own = at[i][i];
    if (!havePages(own))
      continue;
    for (const Part &part :
         schedule.parts(std::uint32_t(i), std::uint32_t(size), own.count()))
      numerics::parallelFor(
          part.first, part.last, grainFor(own.bytes * std::int64_t(size)),
          [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t page = first; page < last; ++page)
              for (const bool forward : {true, false}) {
                const std::byte *held = own.at[std::size_t(page)];
                const std::uint32_t hops =
                    forward ? part.reach.behind : part.reach.before;
                std::size_t member = i;
                for (std::uint32_t k = 0; k < hops; ++k) {
                  member = (member + (forward ? 1 : size - 1)) % size;
                  std::byte *target = at[member][i].at[std::size_t(page)];
                  if (!target)
                    continue;
                  std::memcpy(target, held, std::size_t(own.bytes));
                  held = target;
                }
              }
          });
  }
}

void gatherSums(const Schedule &schedule, const Combine &combine,
                const std::vector<ChipPtr> &chips,
                const std::vector<std::vector<Pages>> &at,
                const std::vector<Pages> &outs) {
  const std::size_t size = at.size();
  std::int64_t bytes = 1;
  for (const Pages &pages : at.front())
    bytes = std::max(bytes, pages.bytes);
  const std::int64_t most =
      std::clamp<std::int64_t>(kReceivedBytes / bytes, 1, kLanes);
  std::vector<PagePool> pools;
  for (const ChipPtr &chip : chips)
    pools.emplace_back(chip, 2 * most, bytes);
  for (std::size_t owner = 0; owner < size; ++owner) {
    if (!havePages(outs[owner]))
      continue;
    for (const Part &part : schedule.parts(
             std::uint32_t(owner), std::uint32_t(size), outs[owner].count())) {
      const Line line{combine, at, pools[owner], owner, part.reach, most};
      const std::int64_t count = part.last - part.first;
      const std::int64_t lanes = std::clamp<std::int64_t>(
          count / grainFor(bytes * std::int64_t(size)), 1, most);
      numerics::parallelFor(
          0, lanes, 1, [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t lane = first; lane < last; ++lane)
              for (std::int64_t page = part.first + count * lane / lanes;
                   page < part.first + count * (lane + 1) / lanes; ++page)
                combinePage(line, page, lane,
                            outs[owner].at[std::size_t(page)]);
          });
    }
  }
}

} // namespace tt::runtime::collectives
