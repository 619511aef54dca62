#include "ttnn/streams/exchange.h"

#include "numerics/tiles.h"

#include <algorithm>

namespace tt::runtime::ttnn::streams {

namespace {

/// Semaphores: cores of the line whose parts are ready, lines that are
/// combined, and multicasts of each worker from this one on.
constexpr std::uint32_t kPartsReady = 1, kLinesReady = 2, kMulticasts = 3;

} // namespace

Exchange::Exchange(const Builder &builder, std::vector<std::int32_t> cores,
                   std::int32_t core, std::int64_t rows, Ports ports)
    : builder_(builder), cores_(std::move(cores)), rows_(rows), ports_(ports),
      index_(std::find(cores_.begin(), cores_.end(), core) - cores_.begin()),
      line_(std::min(count(), builder.chip().gridX)),
      // The last line, which may be shorter, has as many workers as all others.
      share_(ceilDiv(rows, (count() - 1) % line_ + 1)),
      workers_(ceilDiv(rows, share_)) {}

void Exchange::read(Thread &reader, std::int64_t number) const {
  reader.wait(ports_.parts, rows_);
  for (std::int64_t i = begin(); i < begin() + workers_; ++i)
    if (i != index_)
      reader.increment(place(i), kPartsReady);
  if (combinesLine() && end() - begin() > 1) {
    reader.waitFor(kPartsReady, std::uint32_t(number * (end() - begin() - 1)));
    readParts(reader, begin(), end(), 1);
  }
  if (combinesLine() && !combinesAll())
    reader.increment(place(index_ - begin()), kLinesReady);
  if (combinesAll() && lines() > 1) {
    reader.waitFor(kLinesReady, std::uint32_t(number * (lines() - 1)));
    readParts(reader, index_, count(), line_);
  }
  if (combinesAll()) {
    const auto [from, to] = box();
    reader.multicast(from, to, count() - 1,
                     share_ * numerics::tileBytes(DType::BF16));
    reader.setAll(from, to, count() - 1, kMulticasts + std::uint32_t(index_),
                  std::uint32_t(number));
  }
  for (std::int64_t i = 0; i < workers_; ++i)
    if (i != index_)
      reader.waitFor(kMulticasts + std::uint32_t(i), std::uint32_t(number));
  reader.pop(ports_.parts, rows_);
}

void Exchange::readParts(Thread &reader, std::int64_t from, std::int64_t to,
                         std::int64_t step) const {
  const std::int64_t bytes = numerics::tileBytes(DType::BF16);
  std::int64_t tiles = 0;
  for (std::int64_t i = from; i < to; i += step)
    if (i != index_) {
      reader.read(place(i), share_ * bytes, share_);
      tiles += share_;
    }
  reader.reserve(ports_.others, tiles);
  reader.readBarrier();
  reader.push(ports_.others, tiles);
  reader.wait(ports_.combined, share_);
  reader.pop(ports_.combined, share_);
}

void Exchange::compute(Thread &engines) const {
  if (combinesLine())
    combine(engines, end() - begin() - 1);
  if (combinesAll())
    combine(engines, lines() - 1);
}

void Exchange::combine(Thread &engines, std::int64_t parts) const {
  if (parts == 0)
    return;
  engines.wait(ports_.others, parts * share_);
  engines.reserve(ports_.combined, share_);
  engines.compute({Opcode::add_tiles, double(parts * share_), DType::BF16,
                   DType::BF16, 1, 0, false});
  engines.compute({Opcode::pack_tile, double(share_), DType::BF16});
  engines.pop(ports_.others, parts * share_);
  engines.push(ports_.combined, share_);
}

std::pair<NocPoint, NocPoint> Exchange::box() const {
  NocPoint from = place(0), to = from;
  for (std::int64_t i = 1; i < count(); ++i) {
    const NocPoint at = place(i);
    from = {std::min(from.x, at.x), std::min(from.y, at.y)};
    to = {std::max(to.x, at.x), std::max(to.y, at.y)};
  }
  return {from, to};
}

} // namespace tt::runtime::ttnn::streams
