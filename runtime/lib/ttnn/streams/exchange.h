// Exchanges of partial results, such as the sums of rows, between cores that
// share these rows.
#ifndef TT_RUNTIME_TTNN_STREAMS_EXCHANGE_H
#define TT_RUNTIME_TTNN_STREAMS_EXCHANGE_H

#include "ttnn/streams/builder.h"

#include <vector>

namespace tt::runtime::ttnn::streams {

/// A two-stage reduction: the first cores of each line of the grid combine an
/// equal share of the rows of their line, those of the first line combine these
/// and multicast the result to all cores. All cores do the same exchanges.
class Exchange {
public:
  /// Circular buffers that the two threads of a core use.
  struct Ports {
    int parts;    // of this core, `rows` tiles
    int others;   // parts of others, at most `mostOthers()` tiles
    int combined; // `rows` tiles
  };

  /// `core` is one of `cores`, whose order is that of their shards; `rows` are
  /// tiles of partial results that each of them has.
  Exchange(const Builder &builder, std::vector<std::int32_t> cores,
           std::int32_t core, std::int64_t rows, Ports ports);

  /// The reader's part of exchange `number`, from 1 on: from when the core's
  /// parts are ready until it has all results.
  void read(Thread &reader, std::int64_t number) const;
  /// The part of the engines, behind pushing the core's parts.
  void compute(Thread &engines) const;

  /// Tiles that a core reads at once, for `rows` rows.
  static std::int64_t mostOthers(const ChipGeometry &chip, std::int64_t rows) {
    return rows * std::max(chip.gridX, chip.gridY);
  }

private:
  std::int64_t lines() const { return ceilDiv(count(), line_); }
  std::int64_t count() const { return std::int64_t(cores_.size()); }
  /// The first core of this core's line, and the one behind its last.
  std::int64_t begin() const { return index_ / line_ * line_; }
  std::int64_t end() const { return std::min(begin() + line_, count()); }
  bool combinesLine() const { return index_ - begin() < workers_; }
  bool combinesAll() const { return index_ < workers_; }
  NocPoint place(std::int64_t index) const {
    return builder_.place(cores_[std::size_t(index)]);
  }
  void readParts(Thread &reader, std::int64_t from, std::int64_t to,
                 std::int64_t step) const;
  void combine(Thread &engines, std::int64_t parts) const;
  std::pair<NocPoint, NocPoint> box() const;

  const Builder &builder_;
  std::vector<std::int32_t> cores_;
  std::int64_t rows_;
  Ports ports_;
  std::int64_t index_;   // of this core
  std::int64_t line_;    // cores of a line
  std::int64_t share_;   // rows that a core combines
  std::int64_t workers_; // cores of a line that combine
};

} // namespace tt::runtime::ttnn::streams

#endif // TT_RUNTIME_TTNN_STREAMS_EXCHANGE_H
