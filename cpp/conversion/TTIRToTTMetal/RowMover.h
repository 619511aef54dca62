#ifndef CONVERSION_TTIRTOTTMETAL_ROWMOVER_H
#define CONVERSION_TTIRTOTTMETAL_ROWMOVER_H

#include "conversion/TTIRToTTMetal/Batches.h"

#include <functional>

namespace mlir::tt {

/// An element of a tensor of rows.
struct RowPlace {
  I32 row, column;
};

/// Where a part of every row of a result comes from: `parts` runs of `count`
/// elements each, side by side from column `first` of the result on.
struct Piece {
  Tensor source;
  int64_t first = 0, count = 0, parts = 1;
  /// Place of the first element of a run, by the row of the result and the
  /// number of the run. The last argument is an address in L1 that the function
  /// may use.
  std::function<RowPlace(KernelBuilder &, I32 row, I32 part, I32 scratch)>
      place;
  /// Rows that have the piece; all if null.
  std::function<Condition(I32 row)> isThere;
  /// Columns and rows between neighbours of a run.
  int64_t columnStep = 1, rowStep = 0;
  /// What `place` gives as columns are multiples of this; 0 is column 0.
  int64_t columnUnit = 1;
  /// All runs of a row are the same one.
  bool repeats = false;
};

/// Writes the kernels of an op whose result is made of pieces of its inputs:
/// one kernel puts rows together in L1 and the other writes them. A row that
/// does not fit into L1 is made in windows of some of its columns. All tensors
/// are row-major, with a page for each row.
class RowMover {
public:
  RowMover(Operation *op, const Lowering &lowering,
           ConversionPatternRewriter &rewriter)
      : op(op), dispatch(rewriter, op, lowering),
        align(lowering.systemDesc.getAddressAlignBytes()) {}

  Tensor input(Value tensor) { return dispatch.input(tensor); }
  void output(Value tensor) { out = dispatch.output(tensor); }
  const Tensor &getOutput() const { return out; }
  /// Source and destination of a transfer must agree modulo this many bytes.
  int64_t getAlign() const { return align; }
  void add(Piece piece) { pieces.push_back(std::move(piece)); }
  /// The value where no piece is.
  void fillWith(APFloat value);

  /// Replaces the op, or emits an error at it.
  LogicalResult build();

private:
  LogicalResult check(const Tensor &tensor) const;
  int64_t elementBytes() const;
  int64_t scratchBytes() const;
  int64_t bufferBytes() const;
  int64_t outRows() const;
  int64_t windows() const;
  LogicalResult chooseWindow();

  /// Columns from `begin` on of a row of the result.
  struct Window {
    I32 row, begin, count;
  };
  void forWindows(KernelBuilder &kernel, function_ref<void(Window)> body);
  void read(KernelBuilder &kernel);
  void write(KernelBuilder &kernel);
  /// Reads a piece of a whole row. Whether a barrier is still to come.
  bool readPiece(KernelBuilder &kernel, const Piece &piece, I32 row,
                 I32 address);
  /// Reads what a window has of a piece.
  void readPiece(KernelBuilder &kernel, const Piece &piece, Window part,
                 I32 address);
  /// Whether a row of the result has the piece.
  Condition isThere(const Piece &piece, I32 row) const;
  /// Reads bytes of a row, and returns where in the scratch memory they begin.
  I32 fetch(KernelBuilder &kernel, const Piece &piece, RowPlace place,
            I32 bytes, I32 scratch);
  /// Whether a run that begins at `column` of its row, if that is known, can be
  /// read to its place: both are aligned alike.
  bool isInPlace(const Piece &piece, std::optional<I32> column) const;
  /// Bytes of the scratch memory for a run, and the runs that are fetched
  /// together.
  int64_t runSlot(const Piece &piece) const;
  int64_t runsTogether(const Piece &piece) const;
  /// Reads all runs of a piece through the scratch memory.
  void readRuns(KernelBuilder &kernel, const Piece &piece, I32 row, I32 target,
                I32 scratch);
  /// These read `count` elements of a run through the scratch memory.
  void readRun(KernelBuilder &kernel, const Piece &piece, RowPlace place,
               I32 count, I32 target, I32 scratch);
  void gatherColumn(KernelBuilder &kernel, const Piece &piece, RowPlace place,
                    I32 count, I32 target, I32 scratch);
  /// Reads a run once and copies it as often as it repeats.
  void repeatRun(KernelBuilder &kernel, const Piece &piece, RowPlace place,
                 I32 target, I32 scratch);
  /// Reads one element and fills `count` with it.
  void repeatElement(KernelBuilder &kernel, const Piece &piece, RowPlace place,
                     I32 count, I32 target, I32 scratch);

  Operation *op;
  DispatchBuilder dispatch;
  int64_t align;
  Tensor out;
  SmallVector<Piece> pieces;
  /// Bits of the element that fills.
  std::optional<uint32_t> fill;
  /// Columns that are put together at once.
  int64_t window = 0;
  Buffer rows;
};

} // namespace mlir::tt

#endif
