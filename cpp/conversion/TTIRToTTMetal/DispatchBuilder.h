#ifndef CONVERSION_TTIRTOTTMETAL_DISPATCHBUILDER_H
#define CONVERSION_TTIRTOTTMETAL_DISPATCHBUILDER_H

#include "conversion/TTIRToTTMetal/TTIRToTTMetal.h"

#include <functional>

namespace mlir::tt {

/// A rectangle of workers.
struct CoreRectangle {
  int64_t row = 0, column = 0, rows = 1, columns = 1;
  /// The units of work that it was chosen for; 0 where data lies there.
  int64_t units = 0;
  int64_t volume() const { return rows * columns; }
};

/// Makes the `ttmetal.dispatch` that replaces an op:
///
/// ```
/// DispatchBuilder dispatch(rewriter, op, lowering);
/// Tensor in = dispatch.input(op.getInput());
/// Tensor out = dispatch.output(op.getOutput());
/// Buffer tiles = dispatch.addTiles(CBPort::In0, tileType, /*blockTiles=*/4);
/// dispatch.setCores(dispatch.coresFor(units));
/// dispatch.reader([&](KernelBuilder &kernel) { ... });
/// dispatch.compute([&](KernelBuilder &kernel) { ... });
/// dispatch.writer([&](KernelBuilder &kernel) { ... });
/// return dispatch.build();
/// ```
///
/// All kernels have all buffers as arguments, in the order of declaration;
/// those that alias tensors must be declared in the order of the operands.
class DispatchBuilder {
public:
  using Kernel = std::function<void(KernelBuilder &)>;

  DispatchBuilder(ConversionPatternRewriter &rewriter, Operation *op,
                  const Lowering &lowering)
      : rewriter(rewriter), op(op), lowering(lowering) {}

  MLIRContext *getContext() const { return op->getContext(); }

  /// Declares an operand; a tensor of the device that has an address.
  Tensor input(Value tensor);
  Tensor output(Value tensor);

  /// A buffer of `numBuffers` blocks of `blockTiles` tiles.
  Buffer addTiles(ttkernel::CBPort port, TileType type, int64_t blockTiles,
                  int64_t numBuffers = 2);
  /// A buffer of `numBuffers` times the scalars of a block, in pages of
  /// `pageBytes`, which divide the block.
  Buffer addScalars(ttkernel::CBPort port, Type elementType,
                    ArrayRef<int64_t> blockShape, int64_t pageBytes,
                    int64_t numBuffers = 2);
  /// A buffer that is the shard of a tensor in L1; its pages have the size of
  /// a tile (of 32x32 elements if they are scalars).
  Buffer addAlias(ttkernel::CBPort port, const Tensor &tensor);
  /// A semaphore with its initial value on all cores; returns its id.
  int64_t addSemaphore(int32_t initial = 0);

  /// Bytes of L1 that are free for buffers.
  int64_t getFreeL1() const;

  /// The extents of the device's grid of workers.
  CoreRectangle allCores() const;
  /// The fewest rows of cores with a core for each of `units` units of work, or
  /// all cores.
  CoreRectangle coresFor(int64_t units) const;
  /// The cores of the grid of a tensor in L1.
  CoreRectangle coresOf(const Tensor &tensor) const;
  /// The cores of kernels that are added from now on.
  void setCores(CoreRectangle rectangle) { cores = rectangle; }
  const CoreRectangle &getCores() const { return cores; }

  /// Adds a kernel; the functions are called by `build`.
  void reader(Kernel kernel);
  void writer(Kernel kernel);
  /// It is built as the options say of the op.
  void compute(Kernel kernel);
  void addKernel(Attribute config, Kernel kernel);

  /// Makes the dispatch; an error if the buffers exceed the L1.
  FailureOr<ttmetal::DispatchOp> create();
  /// Says how the op runs.
  void report() const;
  /// Makes it in place of the op.
  LogicalResult build();

private:
  struct KernelSpec {
    Attribute config;
    CoreRectangle cores;
    Kernel write;
  };

  /// The operand number `index` of the inputs or outputs, with its address.
  Tensor withAddress(Value tensor, bool isOutput, size_t index);
  /// The first byte of L1 after the tensors, aligned for all transfers.
  uint64_t getBufferBase() const;
  Buffer addBuffer(ttkernel::CBPort port, MemRefType memref, int64_t pageBytes,
                   int64_t blockPages, int64_t numBuffers);

  ConversionPatternRewriter &rewriter;
  Operation *op;
  const Lowering &lowering;
  SmallVector<Value> inputs, outputs;
  SmallVector<Buffer> buffers;
  SmallVector<int32_t> semaphores;
  /// Run-time arguments of all kernels: addresses that the runtime chooses, of
  /// inputs, or of outputs, and which one.
  SmallVector<std::pair<bool, size_t>> addressArguments;
  SmallVector<KernelSpec> kernels;
  CoreRectangle cores;
  /// Bytes of L1 that circular buffers take.
  uint64_t bufferBytes = 0;
};

} // namespace mlir::tt

#endif
