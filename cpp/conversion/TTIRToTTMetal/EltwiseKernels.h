#ifndef CONVERSION_TTIRTOTTMETAL_ELTWISEKERNELS_H
#define CONVERSION_TTIRTOTTMETAL_ELTWISEKERNELS_H

#include "conversion/TTIRToTTMetal/DispatchBuilder.h"
#include "conversion/TTIRToTTMetal/EltwiseProgram.h"

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

  /// The one tile of an input is read once.
  bool isResident() const { return grid.volume() == 1; }
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
/// all that it needs, else with a reader and a writer that stream tiles.
class EltwiseKernels {
public:
  /// `dispatch` has the operands already; they are in tiles.
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
  void addReader(CoreRectangle cores);
  void addCompute(CoreRectangle cores);
  void addIntermediates();
  int64_t chooseBlock(int64_t share) const;
  I32 getPage(const EltwiseSource &source, I32 tile) const;

  Operation *op;
  DispatchBuilder &dispatch;
  const Lowering &lowering;
  SmallVector<EltwiseSource> sources;
  Tensor output;
  TileGrid grid;
  EltwiseProgram program;
  SmallVector<Buffer> inputs, intermediates;
  Buffer outputBuffer;
  /// Tiles of all columns, and of those of the last tile of a row.
  std::optional<Buffer> mask;
};

} // namespace mlir::tt

#endif
