//===- Reformat.cpp - to other elements: tiles, formats, padding ---------===//

#include "conversion/TTIRToTTMetal/EltwiseKernels.h"
#include "conversion/TTIRToTTMetal/RowBlocks.h"
#include "dialects/TT/Formats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;

using ttkernel::CBPort;

/// Elements and tiles that are worked on at a time.
static constexpr int64_t kTile = TileType::kExtent;
static constexpr int64_t kTileElements = kTile * kTile;
static constexpr int64_t kReformatTiles = 16;
/// Of a page that is copied piece by piece.
static constexpr int64_t kPieceBytes = 64 << 10;

static int64_t getElementBytes(DataType type) {
  return getDataTypeBits(type) / 8;
}

static bool isInteger(DataType type) {
  return formatOf(type).exponentBits == 0;
}

/// The bits of the padding as an element of `type`; 0 if no op reads it.
static int64_t getPaddingBits(OOBVal value, DataType type) {
  unsigned bits = getDataTypeBits(type);
  if (isInteger(type)) {
    bool isSigned = type == DataType::Int32 || type == DataType::Int16 ||
                    type == DataType::Int8;
    switch (value) {
    case OOBVal::One:
      return 1;
    case OOBVal::Inf:
      return isSigned ? llvm::maxIntN(bits) : llvm::maxUIntN(bits);
    case OOBVal::NegInf:
      return isSigned ? llvm::minIntN(bits) & llvm::maxUIntN(bits) : 0;
    default:
      return 0;
    }
  }
  const llvm::fltSemantics &semantics = bits == 32 ? APFloat::IEEEsingle()
                                        : type == DataType::Float16
                                            ? APFloat::IEEEhalf()
                                            : APFloat::BFloat();
  auto bitsOf = [](APFloat number) {
    return static_cast<int64_t>(number.bitcastToAPInt().getZExtValue());
  };
  switch (value) {
  case OOBVal::One:
    return bitsOf(APFloat(semantics, 1));
  case OOBVal::Inf:
    return bitsOf(APFloat::getInf(semantics));
  case OOBVal::NegInf:
    return bitsOf(APFloat::getInf(semantics, /*Negative=*/true));
  default:
    return 0;
  }
}

namespace {

/// A ttir.to_layout that does not move the tensor, or a ttir.reshape that
/// leaves rows whole and makes tiles of them or them of tiles.
class Reformat {
public:
  Reformat(DestinationStyleOpInterface op, const Lowering &lowering,
           ConversionPatternRewriter &rewriter)
      : op(op), lowering(lowering), dispatch(rewriter, op, lowering),
        input(dispatch.input(op.getDpsInputs().front())),
        output(dispatch.output(op.getDpsInits().front())) {}

  LogicalResult lower() {
    if (input.isTiled() != output.isTiled()) {
      bool tilizes = output.isTiled();
      const Tensor &scalars = tilizes ? input : output;
      if (isInteger(input.getDataType()) != isInteger(output.getDataType()) ||
          (isInteger(input.getDataType()) &&
           input.getDataType() != output.getDataType()))
        return op->emitOpError("changes the element type from ")
               << input.getLayout().getElementType() << " to "
               << output.getLayout().getElementType()
               << "; expected tiles of the same integers, or of floats";
      if (haveWholeTiles(scalars, tilizes ? output : input))
        return lowerShards(tilizes);
      return lowerBlocks(tilizes);
    }
    bool casts = input.getDataType() != output.getDataType();
    OOBVal padding = output.getLayout().getOobVal();
    bool masks = input.isTiled() && padding != OOBVal::Undef &&
                 padding != input.getLayout().getOobVal();
    if (casts && masks)
      return op->emitOpError("changes the element type and the padding of "
                             "tiles; expected one of them");
    if (failed(checkPages()))
      return failure();
    if (masks && hasPartialTiles())
      return lowerMask();
    if (!casts)
      return lowerCopy();
    return input.isTiled() ? lowerTypecast() : lowerRowTypecast();
  }

private:
  /// Whether both are the same shard in L1, and no part of a tile is read that
  /// the scalars do not have.
  bool haveWholeTiles(const Tensor &scalars, const Tensor &tiles) const {
    return scalars.isInL1() && tiles.isInL1() && !scalars.isPaged() &&
           !tiles.isPaged() &&
           scalars.getLayout().getLinear() == tiles.getLayout().getLinear() &&
           scalars.getLayout().getShardShape() ==
               tiles.getLayout().getShardShape() &&
           (input.isTiled() ||
            hasFullShards(scalars.getLayout(), scalars.getShape()));
  }

  bool hasPartialTiles() const {
    TileGrid grid = output.getTileGrid();
    return grid.height % kTile != 0 || grid.width % kTile != 0;
  }

  /// Both sides have pages that correspond.
  LogicalResult checkPages() {
    for (const Tensor &tensor : {input, output})
      if (!tensor.getAccessorArgs(lowering.systemDesc) &&
          !(tensor.isInL1() && input.isTiled()))
        return op->emitOpError("expected a tensor in pages, or tiles in L1, "
                               "found ")
               << tensor.value.getType();
    if (input.getMatrixRows() == output.getMatrixRows() &&
        input.getNumPages() == output.getNumPages() &&
        (!input.isTiled() || input.isInL1() || input.hasTilesOfItsOwn()))
      return success();
    return op->emitOpError("changes the rows of the matrices without a change "
                           "to tiles; expected one layout of rows, found ")
           << input.getType() << " and " << output.getType();
  }

  TileType getTile(DataType type) {
    return TileType::get(op->getContext(), type);
  }

  LogicalResult lowerShards(bool tilizes);

  LogicalResult lowerBlocks(bool tilizes);
  LogicalResult checkBlocks(const Tensor &scalars, const Tensor &tiles);
  bool mustAlignRows(const Tensor &scalars) const;
  void readRows(KernelBuilder &kernel, const RowBlocks &blocks,
                const Buffer &buffer, const std::optional<Buffer> &alignedRows);

  LogicalResult lowerMask();
  void writeMasks(KernelBuilder &kernel, const Buffer &masks);
  void computeMask(KernelBuilder &kernel, const Buffer &in, const Buffer &masks,
                   const Buffer &out, I32 index, I32 tile);

  LogicalResult lowerCopy();
  LogicalResult lowerCopyInPieces();
  LogicalResult lowerTypecast();
  LogicalResult lowerRowTypecast();

  DestinationStyleOpInterface op;
  const Lowering &lowering;
  DispatchBuilder dispatch;
  Tensor input, output;
  CoreRectangle cores;
  TileGrid grid;
};

} // namespace

//===----------------------------------------------------------------------===//
// Shards of whole tiles
//===----------------------------------------------------------------------===//

LogicalResult Reformat::lowerShards(bool tilizes) {
  Buffer in = dispatch.addAlias(CBPort::In0, input);
  Buffer out = dispatch.addAlias(CBPort::Out0, output);
  // Both buffers count pages of one tile.
  ArrayRef<int64_t> shard = (tilizes ? out : in).type.getShape();
  dispatch.setCores(dispatch.coresOf(output));
  auto config = ttkernel::TensixConfigAttr::get(
      op->getContext(), ttkernel::MathFidelity::HiFi4,
      /*fp32_dest_acc_en=*/false, /*preserve_fp32_precision=*/false,
      /*math_approx_mode=*/false);
  dispatch.addKernel(config, [&](KernelBuilder &kernel) {
    int64_t tiles = shard.back();
    if (tilizes)
      kernel.call("tilize_init", {in, tiles, out});
    else
      kernel.call("untilize_init", {in, out});
    for (int64_t row = 0; row < volume(shard.drop_back()); ++row) {
      kernel.call(tilizes ? "tilize_block" : "untilize_block",
                  {in, tiles, out});
      kernel.pop(in, tiles);
      kernel.push(out, tiles);
    }
  });
  return dispatch.build();
}

//===----------------------------------------------------------------------===//
// Rows of scalars to tiles and back, with parts of tiles
//===----------------------------------------------------------------------===//

LogicalResult Reformat::checkBlocks(const Tensor &scalars,
                                    const Tensor &tiles) {
  auto isOnOneCore = [](const Tensor &tensor) {
    return tensor.isInL1() && tensor.getLayout().getGrid().getVolume() == 1;
  };
  if (!tiles.getAccessorArgs(lowering.systemDesc) ||
      !(scalars.isPaged() || isOnOneCore(scalars)))
    return op->emitOpError(
               "expected tensors in pages, or in L1 shards of whole "
               "tiles, found ")
           << input.getType() << " and " << output.getType();
  bool isOneMap =
      scalars.getLayout().getLinear() == tiles.getLayout().getLinear();
  if (scalars.getShape() != tiles.getShape() &&
      (!tiles.hasTilesOfItsOwn() || !scalars.isPaged() ||
       scalars.getNumPages() != volume(scalars.getShape().drop_back()) ||
       scalars.getShape().back() != tiles.getShape().back()))
    return op->emitOpError("expected rows that stay whole, in pages, and every "
                           "matrix in tiles of its own, found ")
           << input.getType() << " and " << output.getType();
  if ((!tiles.hasTilesOfItsOwn() && !isOneMap) || !scalars.getMatrixRows())
    return op->emitOpError("expected every matrix of the leading dimensions in "
                           "tiles of its own, or one linear map, found ")
           << input.getType() << " and " << output.getType();
  return success();
}

/// The tiles of `tiles`, made of the rows of `scalars`. Where tiles hold rows
/// of several matrices, all rows are those of one.
static TileGrid getRowTiles(const Tensor &scalars, const Tensor &tiles) {
  if (tiles.hasTilesOfItsOwn())
    return tiles.getTileGrid();
  SmallVector<int64_t> extents =
      scalars.getLayout().getPhysicalShape(scalars.getShape());
  TileGrid grid;
  grid.height = volume(ArrayRef(extents).drop_back());
  grid.width = extents.back();
  grid.rows = llvm::divideCeil(grid.height, kTile);
  grid.columns = llvm::divideCeil(grid.width, kTile);
  return grid;
}

/// Whether parts of rows cannot be read to places side by side: these begin at
/// multiples of a tile's width, which may be less than the alignment of reads.
bool Reformat::mustAlignRows(const Tensor &scalars) const {
  int64_t align = lowering.systemDesc.getAddressAlignBytes(
      scalars.getLayout().getMemorySpace());
  return scalars.isPaged() &&
         kTile * getElementBytes(scalars.getDataType()) % align != 0;
}

void Reformat::readRows(KernelBuilder &kernel, const RowBlocks &blocks,
                        const Buffer &buffer,
                        const std::optional<Buffer> &alignedRows) {
  I32 padding =
      getPaddingBits(output.getLayout().getOobVal(), input.getDataType());
  if (alignedRows)
    kernel.reserve(*alignedRows);
  blocks.forEach(kernel, cores, [&](const RowBlock &block) {
    kernel.reserve(buffer);
    I32 base = kernel.writePointer(buffer);
    std::optional<AlignedRows> aligned;
    if (alignedRows)
      aligned = {kernel.writePointer(*alignedRows),
                 alignedRows->getPageBytes() / kTile,
                 static_cast<int64_t>(lowering.systemDesc.getAddressAlignBytes(
                     input.getLayout().getMemorySpace()))};
    blocks.read(kernel, input, block, base, padding, aligned);
    kernel.readBarrier();
    kernel.push(buffer);
  });
  if (alignedRows) {
    kernel.push(*alignedRows);
    kernel.wait(*alignedRows);
    kernel.pop(*alignedRows);
  }
}

LogicalResult Reformat::lowerBlocks(bool tilizes) {
  const Tensor &scalars = tilizes ? input : output;
  const Tensor &tiles = tilizes ? output : input;
  if (failed(checkBlocks(scalars, tiles)))
    return failure();
  grid = getRowTiles(scalars, tiles);
  // Rows that a reshape leaves whole follow each other.
  int64_t matrixRows = input.getShape() == output.getShape()
                           ? *scalars.getMatrixRows()
                           : grid.height;
  auto tileType = cast<TileType>(tiles.getLayout().getElementType());
  int64_t scalarPage = RowBlocks::getPageBytes(scalars);
  int64_t tilePage = tileType.getStorageSizeBytes();
  bool aligns = tilizes && mustAlignRows(scalars);
  int64_t align = lowering.systemDesc.getAddressAlignBytes();
  int64_t free = dispatch.getFreeL1() - (aligns ? 2 * kTile * align : 0);
  int64_t each = 2 * (scalarPage + tilePage) + (aligns ? scalarPage : 0);
  int64_t blockTiles = std::clamp<int64_t>(
      free / each, 1, std::min(kReformatTiles, grid.columns));
  RowBlocks blocks(grid, matrixRows, blockTiles);

  auto addRows = [&](CBPort port) {
    return blocks.addBuffer(dispatch, port, scalars);
  };
  auto addTiles = [&](CBPort port) {
    return dispatch.addTiles(port, tileType, blockTiles);
  };
  Buffer in = tilizes ? addRows(CBPort::In0) : addTiles(CBPort::In0);
  Buffer out = tilizes ? addTiles(CBPort::Out0) : addRows(CBPort::Out0);
  std::optional<Buffer> alignedRows;
  if (aligns) {
    // A row, and the bytes in front of it that align it.
    int64_t rowBytes =
        llvm::alignTo(blockTiles * scalarPage / kTile, align) + align;
    alignedRows = dispatch.addScalars(
        CBPort::DataFlow0, IntegerType::get(op->getContext(), 8),
        {kTile, rowBytes}, kTile * rowBytes, /*numBuffers=*/1);
  }
  // Scalars in a shard are read by the core that has them.
  cores = scalars.isPaged() ? dispatch.coresFor(blocks.countBlocks())
                            : CoreRectangle();
  dispatch.setCores(cores);

  auto forTiles = [&](KernelBuilder &kernel, const RowBlock &block, I32 address,
                      auto move) {
    I32 page = blocks.getFirstTile(block);
    kernel.forRange(block.tiles,
                    [&](I32 i) { move(page + i, address + i * tilePage); });
  };
  dispatch.reader([&](KernelBuilder &kernel) {
    if (tilizes)
      return readRows(kernel, blocks, in, alignedRows);
    blocks.forEach(kernel, cores, [&](const RowBlock &block) {
      kernel.reserve(in);
      forTiles(kernel, block, kernel.writePointer(in),
               [&](I32 page, I32 to) { kernel.readPage(input, page, to); });
      kernel.readBarrier();
      kernel.push(in);
    });
  });
  dispatch.compute([&](KernelBuilder &kernel) {
    if (tilizes)
      kernel.call("tilize_init", {in, blockTiles, out});
    else
      kernel.call("untilize_init", {in, out});
    blocks.forEach(kernel, cores, [&](const RowBlock &block) {
      kernel.wait(in);
      kernel.reserve(out);
      kernel.call(tilizes ? "tilize_block" : "untilize_block",
                  {in, block.tiles, out});
      kernel.push(out);
      kernel.pop(in);
    });
    if (tilizes)
      kernel.call("tilize_uninit", {in, out});
    else
      kernel.call("untilize_uninit", {in});
  });
  dispatch.writer([&](KernelBuilder &kernel) {
    blocks.forEach(kernel, cores, [&](const RowBlock &block) {
      kernel.wait(out);
      I32 base = kernel.readPointer(out);
      if (tilizes)
        forTiles(kernel, block, base, [&](I32 page, I32 from) {
          kernel.writePage(output, page, from);
        });
      else
        blocks.write(kernel, output, block, base);
      kernel.writeBarrier();
      kernel.pop(out);
    });
  });
  return dispatch.build();
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// Masks of ones where the tensor is: of tiles at the right, at the bottom, and
/// at both.
static constexpr int64_t kMasks = 3;

void Reformat::writeMasks(KernelBuilder &kernel, const Buffer &masks) {
  kernel.reserve(masks);
  I32 base = kernel.writePointer(masks);
  for (int64_t mask = 1; mask <= kMasks; ++mask)
    writeMaskTile(kernel, base + (mask - 1) * masks.getPageBytes(),
                  mask & 2 ? grid.height % kTile : kTile,
                  mask & 1 ? grid.width % kTile : kTile);
  kernel.push(masks);
}

void Reformat::computeMask(KernelBuilder &kernel, const Buffer &in,
                           const Buffer &masks, const Buffer &out, I32 index,
                           I32 tile) {
  auto load = [&](const Buffer &buffer, I32 page, int64_t dst) {
    kernel.call("reconfig_data_format_srca", {buffer});
    kernel.call("copy_tile_init", {buffer});
    kernel.call("copy_tile", {buffer, page, dst});
  };
  I32 atRight = grid.width % kTile == 0
                    ? I32(0)
                    : select(tile % grid.columns == grid.columns - 1, 1, 0);
  I32 atBottom =
      grid.height % kTile == 0
          ? I32(0)
          : select(tile / grid.columns % grid.rows == grid.rows - 1, 2, 0);
  I32 mask = atRight + atBottom;
  DataType type = output.getDataType();
  OOBVal padding = output.getLayout().getOobVal();
  kernel.acquire();
  load(in, index, 0);
  kernel.ifThen(mask != 0, [&] {
    load(masks, mask - 1, 1);
    kernel.call("fill_tile_init");
    if (isInteger(type))
      kernel.call("fill_tile_int", {2, getPaddingBits(padding, type)});
    else
      kernel.call("fill_tile", {2, getPaddingBits(padding, DataType::Float32)});
    kernel.call("where_tile_init");
    kernel.call("where_tile", {1, 0, 2, 0});
  });
  kernel.commit();
  kernel.pack(0, out, index);
  kernel.release();
}

LogicalResult Reformat::lowerMask() {
  grid = output.getTileGrid();
  if (!input.hasTilesOfItsOwn() ||
      !input.getAccessorArgs(lowering.systemDesc) ||
      !output.getAccessorArgs(lowering.systemDesc))
    return op->emitOpError("expected tiles with pages, every matrix of the "
                           "leading dimensions in tiles of its own, found ")
           << input.getType();
  int64_t units = grid.volume(), block = 4;
  cores = dispatch.coresFor(units);
  dispatch.setCores(cores);
  auto tileType = cast<TileType>(output.getLayout().getElementType());
  Buffer in = dispatch.addTiles(CBPort::In0, tileType, block);
  Buffer masks = dispatch.addTiles(CBPort::In1, getTile(DataType::BFloat16),
                                   kMasks, /*numBuffers=*/1);
  Buffer out = dispatch.addTiles(CBPort::Out0, tileType, block);
  dispatch.reader([&](KernelBuilder &kernel) {
    writeMasks(kernel, masks);
    readPages(kernel, input, in, units, cores);
  });
  dispatch.compute([&](KernelBuilder &kernel) {
    kernel.call("init_sfpu", {in, out});
    kernel.wait(masks);
    forBlocks(kernel, units, cores, block, [&](I32 first, I32 count) {
      kernel.wait(in);
      kernel.reserve(out);
      kernel.forRange(count, [&](I32 i) {
        computeMask(kernel, in, masks, out, i, first + i);
      });
      kernel.push(out);
      kernel.pop(in);
    });
    kernel.pop(masks);
  });
  dispatch.writer([&](KernelBuilder &kernel) {
    writePages(kernel, output, out, units, cores);
  });
  return dispatch.build();
}

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

LogicalResult Reformat::lowerCopy() {
  int64_t units = input.getNumPages();
  int64_t bytes = llvm::alignTo(input.getPageBytes(),
                                lowering.systemDesc.getAddressAlignBytes());
  if (2 * bytes > dispatch.getFreeL1())
    return lowerCopyInPieces();
  int64_t block = std::clamp<int64_t>(dispatch.getFreeL1() / (2 * bytes), 1,
                                      kReformatTiles);
  cores = dispatch.coresFor(units);
  dispatch.setCores(cores);
  Buffer pages =
      dispatch.addScalars(CBPort::In0, IntegerType::get(op->getContext(), 8),
                          {block, bytes}, bytes);
  dispatch.reader([&](KernelBuilder &kernel) {
    readPages(kernel, input, pages, units, cores);
  });
  dispatch.writer([&](KernelBuilder &kernel) {
    writePages(kernel, output, pages, units, cores);
  });
  return dispatch.build();
}

/// Copies pages that do not fit into L1.
LogicalResult Reformat::lowerCopyInPieces() {
  int64_t align = lowering.systemDesc.getAddressAlignBytes();
  int64_t bytes = input.getPageBytes();
  int64_t piece = llvm::alignDown(
      std::min<int64_t>(dispatch.getFreeL1() / 2, kPieceBytes), align);
  int64_t pieces = llvm::divideCeil(bytes, piece);
  int64_t units = input.getNumPages() * pieces;
  cores = dispatch.coresFor(units);
  dispatch.setCores(cores);
  Buffer buffer = dispatch.addScalars(
      CBPort::In0, IntegerType::get(op->getContext(), 8), {1, piece}, piece);
  auto forPieces = [&](KernelBuilder &kernel,
                       llvm::function_ref<void(I32, I32, I32)> body) {
    forBlocks(kernel, units, cores, 1, [&](I32 unit, I32) {
      I32 offset = unit % pieces * piece;
      body(unit / pieces, offset,
           bytes % piece == 0 ? I32(piece) : min(bytes - offset, piece));
    });
  };
  dispatch.reader([&](KernelBuilder &kernel) {
    forPieces(kernel, [&](I32 page, I32 offset, I32 count) {
      kernel.reserve(buffer);
      kernel.readBytes(input, page, offset, kernel.writePointer(buffer), count);
      kernel.readBarrier();
      kernel.push(buffer);
    });
  });
  dispatch.writer([&](KernelBuilder &kernel) {
    forPieces(kernel, [&](I32 page, I32 offset, I32 count) {
      kernel.wait(buffer);
      kernel.writeBytes(output, page, offset, kernel.readPointer(buffer),
                        count);
      kernel.writeBarrier();
      kernel.pop(buffer);
    });
  });
  return dispatch.build();
}

LogicalResult Reformat::lowerTypecast() {
  EltwiseKernels kernels(op, dispatch, lowering, EltwiseSource(input, output),
                         output);
  return kernels.lower(
      EltwiseProgram::getTypecast(op->getContext(), input.getDataType(),
                                  output.getDataType(), kernels.needsMask()));
}

LogicalResult Reformat::lowerRowTypecast() {
  // The order of elements does not matter: pieces of a row are taken for tiles.
  DataType from = input.getDataType(), to = output.getDataType();
  int64_t width = output.getPageBytes() / getElementBytes(to);
  int64_t chunks = llvm::divideCeil(width, kTileElements);
  int64_t units = output.getNumPages() * chunks;
  cores = dispatch.coresFor(units);
  dispatch.setCores(cores);
  Buffer in = dispatch.addTiles(CBPort::In0, getTile(from), 1);
  Buffer out = dispatch.addTiles(CBPort::Out0, getTile(to), 1);
  auto countElements = [&](I32 chunk) {
    return width % kTileElements == 0
               ? I32(kTileElements)
               : min(width - chunk * kTileElements, kTileElements);
  };
  dispatch.reader([&](KernelBuilder &kernel) {
    int64_t bytes = getElementBytes(from);
    forBlocks(kernel, units, cores, 1, [&](I32 unit, I32) {
      I32 chunk = unit % chunks, count = countElements(chunk);
      kernel.reserve(in);
      I32 base = kernel.writePointer(in);
      kernel.readBytes(input, unit / chunks, chunk * (kTileElements * bytes),
                       base, count * bytes);
      kernel.ifThen(count != kTileElements, [&] {
        kernel.call("fill_with_val",
                    {base + count * bytes, kTileElements - count, 0},
                    kernel.getBuilder().getNamedAttr(
                        "bytes", kernel.getBuilder().getI32IntegerAttr(bytes)));
      });
      kernel.readBarrier();
      kernel.push(in);
    });
  });
  EltwiseProgram program =
      EltwiseProgram::getTypecast(op->getContext(), from, to);
  dispatch.compute([&](KernelBuilder &kernel) {
    EltwiseWriter writer(kernel, program, in, {}, out);
    writer.start();
    forBlocks(kernel, units, cores, 1, [&](I32, I32) {
      kernel.wait(in);
      kernel.reserve(out);
      writer.write(
          1, [](unsigned, unsigned) { return I32(0); }, 0);
      kernel.push(out);
      kernel.pop(in);
    });
  });
  dispatch.writer([&](KernelBuilder &kernel) {
    int64_t bytes = getElementBytes(to);
    forBlocks(kernel, units, cores, 1, [&](I32 unit, I32) {
      I32 chunk = unit % chunks;
      kernel.wait(out);
      kernel.writeBytes(output, unit / chunks, chunk * (kTileElements * bytes),
                        kernel.readPointer(out), countElements(chunk) * bytes);
      kernel.writeBarrier();
      kernel.pop(out);
    });
  });
  return dispatch.build();
}

LogicalResult tt::lowerReformat(DestinationStyleOpInterface op,
                                const Lowering &lowering,
                                ConversionPatternRewriter &rewriter) {
  return Reformat(op, lowering, rewriter).lower();
}
