#ifndef CONVERSION_TTIRTOTTMETAL_ELTWISEKERNELS_H
#define CONVERSION_TTIRTOTTMETAL_ELTWISEKERNELS_H

#include "conversion/TTIRToTTMetal/DispatchBuilder.h"
#include "conversion/TTIRToTTMetal/EltwiseProgram.h"
#include "conversion/TTIRToTTMetal/RowBlocks.h"

namespace mlir::tt {

/// The port of the circular buffer of input `i`. Those for data flow follow
/// those for inputs and are as good.
inline ttkernel::CBPort getInputPort(unsigned i) {
  return static_cast<ttkernel::CBPort>(i);
}

/// An input of elementwise work with the place of its tiles relative to the
/// output's.
struct EltwiseSource {
  EltwiseSource(const Tensor &tensor, const Tensor &output);

  Tensor tensor;
  TileGrid grid;
  ttkernel::BroadcastType broadcast = ttkernel::BroadcastType::None;
  /// The input has the tiles of the output, in the same order.
  bool isPlain = true;

  /// The kernels make tiles of its rows.
  bool isRows() const { return !tensor.isTiled(); }
  /// The one tile of an input is read once.
  bool isResident() const { return grid.volume() == 1 && !isRows(); }
};

/// Runs `body` with the first unit and the number of units of every block of
/// the core's share of `units`.
void forBlocks(KernelBuilder &kernel, int64_t units, const CoreRectangle &cores,
               int64_t block, function_ref<void(I32, I32)> body);

/// The reader and the writer of `units` pages in their order, in blocks of
/// `buffer`.
void readPages(KernelBuilder &kernel, const Tensor &input, const Buffer &buffer,
               int64_t units, const CoreRectangle &cores);
void writePages(KernelBuilder &kernel, const Tensor &output,
                const Buffer &buffer, int64_t units,
                const CoreRectangle &cores);

/// Writes a tile of bf16 at `address` in L1: ones in its first rows and
/// columns, zeros elsewhere.
void writeMaskTile(KernelBuilder &kernel, I32 address, int64_t rows,
                   int64_t columns);

/// The kernels of an elementwise program: on shards in L1 where every core has
/// all that it needs, else with a reader and a writer that stream tiles. Of
/// operands in rows of scalars the reader streams rows, which the compute
/// kernel tilizes; it untilizes a result in rows.
class EltwiseKernels {
public:
  /// `dispatch` has the operands already.
  EltwiseKernels(Operation *op, DispatchBuilder &dispatch,
                 const Lowering &lowering, ArrayRef<EltwiseSource> sources,
                 const Tensor &output);

  /// Why not all operands are shards of one shape on one grid, or whole on one
  /// core, so that every core has what it needs in local L1; empty if they are.
  StringRef whyNotAlias() const;
  /// Says how tiles come to the cores; `whyStreamed` is empty if they are
  /// there.
  void report(StringRef whyStreamed) const;
  /// Block floats of one row share an exponent with the padding after them, so
  /// the padding must not have larger values: the program then has a mask of
  /// the tensor's columns as its last input.
  bool needsMask() const;
  /// Makes the dispatch.
  LogicalResult lower(const EltwiseProgram &program);

private:
  LogicalResult lowerAliased();
  LogicalResult lowerStreamed();
  LogicalResult checkStreamed() const;
  TileType getTile(const Tensor &tensor) const;
  void addBuffers();
  void addReader(CoreRectangle cores);
  void addCompute(CoreRectangle cores);
  void addWriter(CoreRectangle cores);
  void addIntermediates();
  void chooseBlock(int64_t share);
  void tilize(KernelBuilder &kernel, I32 count);
  void untilize(KernelBuilder &kernel, I32 count);

  /// The tiles of a block: the number of the first, and how many there are.
  struct TileBlock {
    I32 first, count;
    /// If an operand has rows.
    const RowBlock *rows = nullptr;
  };
  void forTileBlocks(KernelBuilder &kernel, const CoreRectangle &cores,
                     function_ref<void(const TileBlock &)> body) const;

  I32 getPage(const EltwiseSource &source, I32 tile) const;

  Operation *op;
  DispatchBuilder &dispatch;
  const Lowering &lowering;
  SmallVector<EltwiseSource> sources;
  Tensor output;
  TileGrid grid;
  EltwiseProgram program;
  /// Buffers of tiles.
  SmallVector<Buffer> inputs, intermediates;
  Buffer outputBuffer;
  /// If an operand has rows: how they are cut, and buffers for each of those.
  std::optional<RowBlocks> rowBlocks;
  SmallVector<std::optional<Buffer>> inputRows;
  std::optional<Buffer> outputRows;
  /// Tiles of a block, and blocks of a buffer that a thread fills for another.
  int64_t block = 1, numBuffers = 2;
  /// Tiles of all columns, and of those of the last tile of a row.
  std::optional<Buffer> mask;
};

} // namespace mlir::tt

#endif
