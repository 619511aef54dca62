// Rows of an operand that broadcasts, in the places of the result's rows.
#ifndef TT_RUNTIME_TTNN_ROW_READER_H
#define TT_RUNTIME_TTNN_ROW_READER_H

#include "ttnn/executor.h"

namespace tt::runtime::ttnn {

/// Reads rows of an operand as seen from the rows of the result, whose `shape`
/// it broadcasts to. The tensor outlives the reader.
class RowReader {
public:
  RowReader(const TensorPtr &tensor, const std::vector<std::int64_t> &shape,
            numerics::DType type);

  numerics::DType type() const { return type_; }
  /// True if every row of the result meets the same row.
  bool single() const { return single_; }

  /// Result rows [row, row + rows), `row` a multiple of 32, each with `cols`
  /// elements, to `target`.
  void read(std::int64_t row, std::int64_t rows, std::int64_t cols,
            std::byte *target) const;

private:
  /// The 32 rows that a tile gives at once; the next row is mostly among them.
  struct Block {
    std::int64_t first = -1;
    std::vector<std::byte> data;
  };

  std::int64_t rowOf(std::int64_t resultRow) const;
  void readRow(std::int64_t row, std::int64_t cols, std::byte *target,
               Block &block) const;

  emulator::View view_;
  numerics::DType type_;
  std::vector<std::int64_t> shape_, step_;
  bool broadcastCol_ = false, identity_ = false, single_ = false;
};

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_TTNN_ROW_READER_H
