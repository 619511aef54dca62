//===- ReducePatterns.cpp - reductions and transposition of matrices ------===//

#include "conversion/TTIRToTTMetal/Batches.h"
#include "dialects/Shapes/ShapeRules.h"

#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::tt;

namespace {

using ttkernel::CBPort;
using ttkernel::PoolType;
using ttkernel::ReduceDim;

TileType getTileType(const Tensor &tensor) {
  return cast<TileType>(tensor.getLayout().getElementType());
}

/// Writes the result tile by tile, as many as the core's share has.
void writeTiles(KernelBuilder &kernel, const Share &share, const Tensor &out,
                const Buffer &tiles) {
  kernel.forRange(share.count, [&](I32 i) {
    kernel.wait(tiles);
    kernel.writePage(out, share.first + i, kernel.readPointer(tiles));
    kernel.writeBarrier();
    kernel.pop(tiles);
  });
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// How many tiles are added up one by one.
constexpr int64_t kTilesOfASum = 64;

/// The value of padding that does not change the result.
OOBVal getNeutral(PoolType pool) {
  switch (pool) {
  case PoolType::Max:
    return OOBVal::NegInf;
  case PoolType::Min:
    return OOBVal::Inf;
  default:
    return OOBVal::Zero;
  }
}

/// One reduction: each tile of the result is made of all tiles along the
/// reduced dimensions.
class Reduction {
public:
  Reduction(Operation *op, Value input, Value output, ArrayRef<int64_t> dims,
            PoolType pool, const Lowering &lowering,
            ConversionPatternRewriter &rewriter)
      : op(op), dispatch(rewriter, op, lowering), dims(dims), pool(pool) {
    in = dispatch.input(input);
    out = dispatch.output(output);
  }

  LogicalResult lower();

private:
  LogicalResult check();
  bool reduces(int64_t dim) const { return llvm::is_contained(dims, dim); }
  bool reducesRows() const { return rank >= 2 && reduces(rank - 2); }
  bool reducesColumns() const { return reduces(rank - 1); }
  bool reducesInTile() const { return reducesRows() || reducesColumns(); }
  ReduceDim getReduceDim() const {
    if (reducesRows() && reducesColumns())
      return ReduceDim::Scalar;
    return reducesRows() ? ReduceDim::Col : ReduceDim::Row;
  }

  void read(KernelBuilder &kernel);
  void makeScaler(KernelBuilder &kernel);
  void compute(KernelBuilder &kernel);
  void reduceTiles(KernelBuilder &kernel);
  void reduceInTile(KernelBuilder &kernel, int64_t count, int64_t result);
  void combineTiles(KernelBuilder &kernel, int64_t count, int64_t result);
  void divide(KernelBuilder &kernel);
  void takeTile(KernelBuilder &kernel, function_ref<void()> use);

  Operation *op;
  DispatchBuilder dispatch;
  ArrayRef<int64_t> dims;
  PoolType pool;
  Tensor in, out;
  int64_t rank = 0;
  /// Tiles of the input for each tile of the result.
  int64_t tilesEach = 1;
  /// Elements of the input for each element of the result.
  int64_t elementsEach = 1;
  Buffer inTiles, scaler, outTiles;
};

LogicalResult Reduction::check() {
  rank = in.getType().getRank();
  if (failed(checkFloatTiles(op, "the input", in)) ||
      failed(checkFloatTiles(op, "the output", out)))
    return failure();
  SmallVector<int64_t> expected(in.getShape());
  for (int64_t dim : dims) {
    elementsEach *= expected[dim];
    expected[dim] = 1;
  }
  if (out.getShape() != ArrayRef<int64_t>(expected)) {
    InFlightDiagnostic diagnostic = op->emitOpError(
        "has kernels that keep the reduced dimensions: expected a result of ");
    llvm::interleave(expected, diagnostic, "x");
    diagnostic << ", found ";
    llvm::interleave(out.getShape(), diagnostic, "x");
    return diagnostic << "; run --ttir-decomposition first";
  }
  OOBVal neutral = getNeutral(pool);
  if (reducesColumns() &&
      failed(checkPadding(op, "the input", in, in.getShape().back(), neutral)))
    return failure();
  if (reducesRows() && failed(checkPadding(op, "the input", in,
                                           in.getShape()[rank - 2], neutral)))
    return failure();
  return success();
}

void Reduction::read(KernelBuilder &kernel) {
  if (reducesInTile())
    makeScaler(kernel);
  TileGrid from = in.getTileGrid(), to = out.getTileGrid();
  ArrayRef<int64_t> batches = getBatchExtents(in);
  SmallVector<int64_t> strides = getRowMajorStrides(batches);
  SmallVector<int64_t> kept(batches), reduced(batches);
  for (auto [dim, extent] : llvm::enumerate(batches))
    (reduces(dim) ? kept : reduced)[dim] = 1;

  Share share = kernel.share(to.volume(), dispatch.getCores().volume());
  kernel.forRange(share.count, [&](I32 i) {
    I32 tile = share.first + i;
    I32 batch = linearize(tile / (to.rows * to.columns), kept, strides);
    I32 row = tile / to.columns % to.rows, column = tile % to.columns;
    kernel.forRange(volume(reduced), [&](I32 along) {
      I32 source = batch + linearize(along, reduced, strides);
      kernel.forRange(reducesRows() ? from.rows : 1, [&](I32 y) {
        kernel.forRange(reducesColumns() ? from.columns : 1, [&](I32 x) {
          kernel.reserve(inTiles);
          kernel.readPage(in, from.page(source, row + y, column + x),
                          kernel.writePointer(inTiles));
          kernel.readBarrier();
          kernel.push(inTiles);
        });
      });
    });
  });
}

void Reduction::makeScaler(KernelBuilder &kernel) {
  OpBuilder &builder = kernel.getBuilder();
  kernel.reserve(scaler);
  // 32 x 32 ones of bf16.
  kernel.call("fill_with_val", {kernel.writePointer(scaler), 32 * 32, 0x3f80},
              builder.getNamedAttr("bytes", builder.getI32IntegerAttr(2)));
  kernel.push(scaler);
}

void Reduction::takeTile(KernelBuilder &kernel, function_ref<void()> use) {
  kernel.wait(inTiles);
  use();
  kernel.pop(inTiles);
}

/// Into a register that holds zeros, or nothing yet.
void Reduction::reduceInTile(KernelBuilder &kernel, int64_t count,
                             int64_t result) {
  MLIRContext *context = op->getContext();
  OpBuilder &builder = kernel.getBuilder();
  // A mean is the sum, which `divide` divides.
  PoolType combined = pool == PoolType::Avg ? PoolType::Sum : pool;
  NamedAttribute how[] = {
      builder.getNamedAttr("pool_type",
                           ttkernel::PoolTypeAttr::get(context, combined)),
      builder.getNamedAttr(
          "reduce_dim", ttkernel::ReduceDimAttr::get(context, getReduceDim()))};
  kernel.call("reduce_init", {inTiles, scaler, outTiles}, how);
  kernel.forRange(count, [&](I32) {
    takeTile(kernel, [&] {
      kernel.call("reduce_tile", {inTiles, scaler, 0, 0, result}, how);
    });
  });
  kernel.call("reduce_uninit");
}

/// Tile by tile, with the register after that of the result as a temporary one.
void Reduction::combineTiles(KernelBuilder &kernel, int64_t count,
                             int64_t result) {
  StringRef combine = "add_binary_tile";
  if (pool == PoolType::Max)
    combine = "binary_max_tile";
  else if (pool == PoolType::Min)
    combine = "binary_min_tile";
  kernel.call("copy_tile_init", {inTiles});
  kernel.call((combine + "_init").str());
  int64_t next = result + 1;
  takeTile(kernel, [&] { kernel.call("copy_tile", {inTiles, 0, result}); });
  kernel.forRange(count - 1, [&](I32) {
    takeTile(kernel, [&] { kernel.call("copy_tile", {inTiles, 0, next}); });
    kernel.call(combine, {result, next, result});
  });
}

/// All tiles of a result into register 0. A sum of many is one of shorter sums:
/// each addition rounds what has been added up so far.
void Reduction::reduceTiles(KernelBuilder &kernel) {
  auto reduce = [&](int64_t count, int64_t result) {
    if (reducesInTile())
      reduceInTile(kernel, count, result);
    else
      combineTiles(kernel, count, result);
  };
  bool isSum = pool == PoolType::Sum || pool == PoolType::Avg;
  if (!isSum || tilesEach <= 2 * kTilesOfASum)
    return reduce(tilesEach, 0);
  reduce(kTilesOfASum, 0);
  auto addSum = [&](int64_t count) {
    kernel.call("fill_tile_init");
    kernel.call("fill_tile", {1, 0});
    reduce(count, 1);
    kernel.call("add_binary_tile_init");
    kernel.call("add_binary_tile", {0, 1, 0});
  };
  kernel.forRange(tilesEach / kTilesOfASum - 1,
                  [&](I32) { addSum(kTilesOfASum); });
  if (int64_t rest = tilesEach % kTilesOfASum)
    addSum(rest);
}

/// Register 0 divided by the number of elements.
void Reduction::divide(KernelBuilder &kernel) {
  int64_t count = llvm::bit_cast<uint32_t>(static_cast<float>(elementsEach));
  kernel.call("fill_tile_init");
  kernel.call("fill_tile", {1, count});
  kernel.call("div_binary_tile_init");
  kernel.call("div_binary_tile", {0, 1, 0});
}

void Reduction::compute(KernelBuilder &kernel) {
  kernel.call("unary_op_init_common", {inTiles, outTiles});
  if (reducesInTile())
    kernel.wait(scaler);
  Share share =
      kernel.share(out.getTileGrid().volume(), dispatch.getCores().volume());
  kernel.forRange(share.count, [&](I32) {
    kernel.acquire();
    reduceTiles(kernel);
    if (pool == PoolType::Avg)
      divide(kernel);
    kernel.reserve(outTiles);
    kernel.commit();
    kernel.pack(0, outTiles, 0);
    kernel.release();
    kernel.push(outTiles);
  });
  if (reducesInTile())
    kernel.pop(scaler);
}

LogicalResult Reduction::lower() {
  if (failed(check()))
    return failure();
  tilesEach = in.getTileGrid().volume() / out.getTileGrid().volume();
  inTiles = dispatch.addTiles(CBPort::In0, getTileType(in), 1, 4);
  if (reducesInTile())
    scaler = dispatch.addTiles(
        CBPort::In1, TileType::get(op->getContext(), DataType::BFloat16), 1, 1);
  outTiles = dispatch.addTiles(CBPort::Out0, getTileType(out), 1);
  dispatch.setCores(dispatch.coresFor(out.getTileGrid().volume()));
  dispatch.reader([&](KernelBuilder &kernel) { read(kernel); });
  dispatch.compute([&](KernelBuilder &kernel) { compute(kernel); });
  dispatch.writer([&](KernelBuilder &kernel) {
    writeTiles(
        kernel,
        kernel.share(out.getTileGrid().volume(), dispatch.getCores().volume()),
        out, outTiles);
  });
  return dispatch.build();
}

template <typename OpT, PoolType pool>
struct ReducePattern : public KernelPattern<OpT> {
  using KernelPattern<OpT>::KernelPattern;

  LogicalResult lower(OpT op, ConversionPatternRewriter &rewriter) const final {
    int64_t rank = op.getInput().getType().getRank();
    SmallVector<int64_t> dims;
    if (std::optional<ArrayAttr> given = op.getDimArg())
      for (auto dim : given->template getAsRange<IntegerAttr>())
        dims.push_back(*shapes::normalizeDim(dim.getInt(), rank));
    if (dims.empty())
      dims = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    return Reduction(op, op.getInput(), op.getOutput(), dims, pool,
                     this->lowering, rewriter)
        .lower();
  }
};

//===----------------------------------------------------------------------===//
// Transposition
//===----------------------------------------------------------------------===//

struct TransposePattern : public KernelPattern<ttir::TransposeOp> {
  using KernelPattern::KernelPattern;

  LogicalResult lower(ttir::TransposeOp op,
                      ConversionPatternRewriter &rewriter) const final {
    DispatchBuilder dispatch(rewriter, op, lowering);
    Tensor in = dispatch.input(op.getInput());
    Tensor out = dispatch.output(op.getOutput());
    if (failed(check(op, in, out)))
      return failure();
    Buffer inTiles = dispatch.addTiles(CBPort::In0, getTileType(in), 1);
    Buffer outTiles = dispatch.addTiles(CBPort::Out0, getTileType(out), 1);
    int64_t tiles = out.getTileGrid().volume();
    dispatch.setCores(dispatch.coresFor(tiles));
    int64_t cores = dispatch.getCores().volume();
    dispatch.reader([&](KernelBuilder &kernel) {
      read(kernel, kernel.share(tiles, cores), in, out, inTiles);
    });
    dispatch.compute([&](KernelBuilder &kernel) {
      kernel.call("transpose_wh_init", {inTiles, outTiles});
      kernel.forRange(kernel.share(tiles, cores).count, [&](I32) {
        kernel.wait(inTiles);
        kernel.acquire();
        kernel.call("transpose_wh_tile", {inTiles, 0, 0});
        kernel.pop(inTiles);
        kernel.reserve(outTiles);
        kernel.commit();
        kernel.pack(0, outTiles, 0);
        kernel.release();
        kernel.push(outTiles);
      });
    });
    dispatch.writer([&](KernelBuilder &kernel) {
      writeTiles(kernel, kernel.share(tiles, cores), out, outTiles);
    });
    return dispatch.build();
  }

private:
  static LogicalResult check(ttir::TransposeOp op, const Tensor &in,
                             const Tensor &out) {
    int64_t rank = in.getType().getRank();
    int64_t dim0 = *shapes::normalizeDim(op.getDim0(), rank);
    int64_t dim1 = *shapes::normalizeDim(op.getDim1(), rank);
    if (std::min(dim0, dim1) != rank - 2 || std::max(dim0, dim1) != rank - 1)
      return op.emitOpError("has kernels for the last two dimensions, found ")
             << op.getDim0() << " and " << op.getDim1()
             << "; run --ttir-decomposition first";
    for (auto [name, tensor] :
         {std::pair<StringRef, const Tensor &>("the input", in),
          std::pair<StringRef, const Tensor &>("the output", out)})
      if (!tensor.isTiled() || !tensor.hasTilesOfItsOwn())
        return op.emitOpError("has kernels for tensors whose matrices have "
                              "tiles of their own, found ")
               << name << " of " << tensor.getType();
    return success();
  }

  static void read(KernelBuilder &kernel, const Share &share, const Tensor &in,
                   const Tensor &out, const Buffer &tiles) {
    TileGrid from = in.getTileGrid(), to = out.getTileGrid();
    kernel.forRange(share.count, [&](I32 i) {
      I32 tile = share.first + i;
      kernel.reserve(tiles);
      kernel.readPage(in,
                      from.page(tile / (to.rows * to.columns),
                                tile % to.columns, tile / to.columns % to.rows),
                      kernel.writePointer(tiles));
      kernel.readBarrier();
      kernel.push(tiles);
    });
  }
};

} // namespace

void tt::populateTTIRToTTMetalReducePatterns(RewritePatternSet &patterns,
                                             Lowering &lowering) {
  patterns.add<ReducePattern<ttir::SumOp, PoolType::Sum>,
               ReducePattern<ttir::MeanOp, PoolType::Avg>,
               ReducePattern<ttir::MaxOp, PoolType::Max>,
               ReducePattern<ttir::MinOp, PoolType::Min>, TransposePattern>(
      patterns.getContext(), lowering);
}
