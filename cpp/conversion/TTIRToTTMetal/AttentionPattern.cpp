//===- AttentionPattern.cpp - attention in one pass over the keys ---------===//
//
// A core takes a block of rows of queries of one head, and goes through the
// keys and values block by block. It keeps in L1, for each row, the maximum of
// the scores so far, the sum of their exponentials, and the sum of the values
// times these; when a block has a greater maximum, the sums are scaled down. No
// tensor of queries times keys exists.

#include "conversion/TTIRToTTMetal/Batches.h"
#include "dialects/TTIR/Composites/Composites.h"

#include "llvm/ADT/bit.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tt;

namespace {

using ttkernel::BroadcastType;
using ttkernel::CBPort;
using ttkernel::EltwiseBinaryType;
using ttkernel::PoolType;
using ttkernel::ReduceDim;

/// Tiles of queries and of keys that a block has at most.
constexpr int64_t kBlockRows = 4, kBlockColumns = 8;
/// Registers of 32 bits for results, beside two for what is combined with them.
constexpr int64_t kScores = 2, kProducts = 4;
/// Pages of the buffer of masks.
enum MaskTile : int64_t { Diagonal, Tail, kNumMasks };
/// An element of a mask, 1 in bf16, whose score is hidden.
constexpr int64_t kHidden = 0x3f80;
/// No score is below.
constexpr float kLowest = -1e30f;

/// One op: operands, buffers and blocks.
class FlashAttention {
public:
  FlashAttention(ttir::ScaledDotProductAttentionOp op, const Lowering &lowering,
                 ConversionPatternRewriter &rewriter)
      : op(op), dispatch(rewriter, op, lowering) {}

  LogicalResult lower();

private:
  LogicalResult check();
  void choose();
  void report(int64_t wantedRows, int64_t wantedColumns) const;
  int64_t getBufferBytes() const;
  void declare();

  /// The blocks of queries that the core has: batch and head, first row of
  /// tiles, and the blocks of keys that it sees.
  void forUnits(KernelBuilder &kernel, function_ref<void(I32, I32, I32)> body);
  /// The first tile of keys of each block, and how many it has.
  void forKeys(KernelBuilder &kernel, I32 blocks,
               function_ref<void(I32, I32)> body);
  I32 keyBatch(I32 batch) const;

  void makeMasks(KernelBuilder &kernel);
  void hideColumns(KernelBuilder &kernel, I32 address, I32 first, I32 count);
  void readQueriesAndKeys(KernelBuilder &kernel);
  void readMask(KernelBuilder &kernel, I32 batch, I32 row, I32 key, I32 keys);
  void readValuesAndWrite(KernelBuilder &kernel);

  void compute(KernelBuilder &kernel);
  void fill(KernelBuilder &kernel, const Buffer &buffer, int64_t tiles,
            float value);
  void score(KernelBuilder &kernel, I32 row, I32 key, I32 keys);
  void applyMasks(KernelBuilder &kernel, I32 place, I32 row, I32 column,
                  I32 index);
  void updateMaximum(KernelBuilder &kernel, I32 keys);
  void exponentiate(KernelBuilder &kernel, I32 keys);
  void updateSum(KernelBuilder &kernel, I32 keys);
  void multiplyValues(KernelBuilder &kernel, I32 keys);
  void updateResult(KernelBuilder &kernel);
  void divide(KernelBuilder &kernel);

  // Sequences of instructions.
  void copy(KernelBuilder &kernel, const Buffer &buffer, I32 tile, I32 to);
  void combine(KernelBuilder &kernel, StringRef op, I32 a, I32 b, I32 to);
  void setRegister(KernelBuilder &kernel, float value, I32 to);
  void packTo(KernelBuilder &kernel, I32 from, const Buffer &buffer, I32 tile);
  void makeTiles(KernelBuilder &kernel, const Buffer &target, int64_t rowTiles,
                 I32 count, int64_t registers,
                 function_ref<void(I32, I32, I32)> make);
  void makeColumn(KernelBuilder &kernel, const Buffer &target,
                  function_ref<void(I32)> make);
  void rowReduce(KernelBuilder &kernel, const Buffer &buffer,
                 const Buffer &target, PoolType pool, I32 first, I32 count);
  void startColumnBroadcast(KernelBuilder &kernel, EltwiseBinaryType type,
                            const Buffer &a, const Buffer &b,
                            const Buffer &target);
  NamedAttribute columns(KernelBuilder &kernel) {
    return kernel.getBuilder().getNamedAttr(
        "broadcast_type",
        ttkernel::BroadcastTypeAttr::get(op.getContext(), BroadcastType::Col));
  }

  ttir::ScaledDotProductAttentionOp op;
  DispatchBuilder dispatch;
  Tensor query, key, value, mask, out;
  bool hasMask = false, isCausal = false;
  /// Extents in tiles, and of a block.
  int64_t rows = 1, keys = 1, width = 1, valueWidth = 1;
  int64_t blockRows = 1, blockKeys = 1;
  /// Columns of the last tile of keys; 0 if it is full.
  int64_t tail = 0;
  float scale = 1;
  Buffer queryTiles, keyTiles, valueTiles, ones, masks, maskTiles, scores,
      weights, maximum, newMaximum, factor, sum, products, result, outTiles;
};

LogicalResult FlashAttention::check() {
  SmallVector<std::pair<StringRef, const Tensor *>> tensors{
      {"the query", &query},
      {"the key", &key},
      {"the value", &value},
      {"the output", &out}};
  if (hasMask)
    tensors.push_back({"the mask", &mask});
  for (auto [name, tensor] : tensors)
    if (failed(checkFloatTiles(op, name, *tensor)))
      return failure();
  ArrayRef<int64_t> keyShape = key.getShape();
  if (failed(checkPadding(op, "the query", query, keyShape[3], OOBVal::Zero)))
    return failure();
  for (auto [name, tensor] : {tensors[1], tensors[2]})
    for (int64_t extent : tensor->getShape().take_back(2))
      if (failed(checkPadding(op, name, *tensor, extent, OOBVal::Zero)))
        return failure();
  if (hasMask &&
      failed(checkPadding(op, "the mask", mask, keyShape[2], OOBVal::Zero)))
    return failure();
  return success();
}

int64_t FlashAttention::getBufferBytes() const {
  int64_t sumTile = 32 * 32 * 4, masked = hasMask ? mask.getPageBytes() : 0;
  int64_t numbers = 2 * blockRows * blockKeys + 4 * blockRows +
                    2 * blockRows * valueWidth + 1;
  return numbers * sumTile + kNumMasks * 2048 +
         2 * blockRows * width * query.getPageBytes() +
         2 * blockKeys * width * key.getPageBytes() +
         2 * blockKeys * valueWidth * value.getPageBytes() +
         2 * blockRows * blockKeys * masked +
         blockRows * valueWidth * out.getPageBytes();
}

void FlashAttention::choose() {
  int64_t batches = out.getTileGrid().batches;
  int64_t cores = dispatch.allCores().volume();
  // Rows are blocks of one size, so that sums stay at their places, and as many
  // that all cores have some.
  auto fits = [&](int64_t size) {
    return rows % size == 0 && batches * rows / size >= cores;
  };
  blockRows = std::min(rows, kBlockRows);
  while (blockRows > 1 && !fits(blockRows))
    --blockRows;
  blockKeys = std::min(keys, kBlockColumns);
  int64_t wantedRows = blockRows, wantedKeys = blockKeys;
  while (getBufferBytes() > dispatch.getFreeL1()) {
    if (blockKeys > 1) {
      blockKeys = (blockKeys + 1) / 2;
    } else if (blockRows > 1) {
      do {
        --blockRows;
      } while (rows % blockRows);
    } else {
      break; // An error when the buffers are allocated.
    }
  }
  report(wantedRows, wantedKeys);
}

void FlashAttention::report(int64_t wantedRows, int64_t wantedColumns) const {
  auto remark = kKernelRemarks.passed(op, "Blocks");
  if (!remark)
    return;
  remark << reason("blocks of {0} of {1} tiles of queries go through {2} tiles "
                   "of keys in steps of {3}, with a running maximum and sum",
                   blockRows, rows, keys, blockKeys);
  if (wantedRows != blockRows || wantedColumns != blockKeys)
    remark << rejected("{0} tiles of queries and steps of {1}: l1 has no room",
                       wantedRows, wantedColumns);
  else
    remark << rejected("softmax of a tensor of all scores: it would be written "
                       "to memory and read again");
}

void FlashAttention::declare() {
  auto getTile = [](const Tensor &tensor) {
    return cast<TileType>(tensor.getLayout().getElementType());
  };
  TileType f32 = TileType::get(op.getContext(), DataType::Float32);
  TileType bf16 = TileType::get(op.getContext(), DataType::BFloat16);
  int64_t block = blockRows * blockKeys;
  queryTiles =
      dispatch.addTiles(CBPort::In0, getTile(query), blockRows * width);
  keyTiles = dispatch.addTiles(CBPort::In1, getTile(key), blockKeys * width);
  valueTiles =
      dispatch.addTiles(CBPort::In2, getTile(value), blockKeys * valueWidth);
  ones = dispatch.addTiles(CBPort::In3, f32, 1, 1);
  masks = dispatch.addTiles(CBPort::In4, bf16, kNumMasks, 1);
  if (hasMask)
    maskTiles = dispatch.addTiles(CBPort::In5, getTile(mask), block);
  outTiles =
      dispatch.addTiles(CBPort::Out0, getTile(out), blockRows * valueWidth, 1);
  auto add = [&](CBPort port, int64_t tiles) {
    return dispatch.addTiles(port, f32, tiles, 1);
  };
  scores = add(CBPort::Intermed0, block);
  weights = add(CBPort::Intermed1, block);
  maximum = add(CBPort::Intermed2, blockRows);
  newMaximum = add(CBPort::Intermed3, blockRows);
  factor = add(CBPort::Intermed4, blockRows);
  sum = add(CBPort::Intermed5, blockRows);
  products = add(CBPort::Intermed6, blockRows * valueWidth);
  result = add(CBPort::Intermed7, blockRows * valueWidth);
  dispatch.setCores(
      dispatch.coresFor(out.getTileGrid().batches * rows / blockRows));
}

//===----------------------------------------------------------------------===//
// Loops that all three kernels have in common
//===----------------------------------------------------------------------===//

void FlashAttention::forUnits(KernelBuilder &kernel,
                              function_ref<void(I32, I32, I32)> body) {
  int64_t blocks = rows / blockRows, steps = llvm::divideCeil(keys, blockKeys);
  Share share = kernel.share(out.getTileGrid().batches * blocks,
                             dispatch.getCores().volume());
  kernel.forRange(share.count, [&](I32 i) {
    I32 unit = share.first + i;
    I32 row = unit % blocks * blockRows;
    I32 seen = steps;
    // Keys behind the last row of the block are not seen.
    if (isCausal)
      seen = min((row + (blockRows + blockKeys - 1)) / blockKeys, steps);
    body(unit / blocks, row, seen);
  });
}

void FlashAttention::forKeys(KernelBuilder &kernel, I32 blocks,
                             function_ref<void(I32, I32)> body) {
  kernel.forRange(blocks, [&](I32 j) {
    I32 first = j * blockKeys;
    I32 count =
        keys % blockKeys ? min(I32(keys) - first, blockKeys) : I32(blockKeys);
    body(first, count);
  });
}

/// The batch and head of keys that a batch and head of queries reads.
I32 FlashAttention::keyBatch(I32 batch) const {
  // Heads that share one follow each other.
  return batch / (query.getShape()[1] / key.getShape()[1]);
}

//===----------------------------------------------------------------------===//
// Data movement
//===----------------------------------------------------------------------===//

/// Hides `count` columns of a row of a face.
void FlashAttention::hideColumns(KernelBuilder &kernel, I32 address, I32 first,
                                 I32 count) {
  OpBuilder &builder = kernel.getBuilder();
  kernel.call("fill_with_val", {address + first * 2, count, kHidden},
              builder.getNamedAttr("bytes", builder.getI32IntegerAttr(2)));
}

/// The two masks: `Diagonal` hides the columns to the right of the diagonal,
/// and `Tail` those behind the last key. A tile has four faces of 16x16.
void FlashAttention::makeMasks(KernelBuilder &kernel) {
  OpBuilder &builder = kernel.getBuilder();
  auto fillAll = [&](const Buffer &buffer, I32 count, int64_t number,
                     int32_t bytes) {
    kernel.call(
        "fill_with_val", {kernel.writePointer(buffer), count, number},
        builder.getNamedAttr("bytes", builder.getI32IntegerAttr(bytes)));
  };
  kernel.reserve(ones);
  fillAll(ones, 32 * 32, llvm::bit_cast<uint32_t>(1.0f), 4);
  kernel.push(ones);

  constexpr int64_t kFace = 16, kFaceBytes = kFace * kFace * 2;
  kernel.reserve(masks);
  fillAll(masks, kNumMasks * 32 * 32, 0, 2);
  I32 start = kernel.writePointer(masks);
  if (isCausal) {
    I32 tile = start + Diagonal * 2048;
    hideColumns(kernel, tile + kFaceBytes, 0, kFace * kFace);
    for (int64_t face : {0, 3})
      kernel.forRange(kFace - 1, [&](I32 row) {
        hideColumns(kernel, tile + face * kFaceBytes + row * (kFace * 2),
                    row + 1, I32(kFace - 1) - row);
      });
  }
  for (int64_t face : {0, 1}) {
    int64_t first = std::clamp<int64_t>(tail - face * kFace, 0, kFace);
    if (!tail || first == kFace)
      continue;
    I32 tile = start + Tail * 2048;
    for (int64_t half : {0, 2})
      kernel.forRange(kFace, [&](I32 row) {
        hideColumns(kernel,
                    tile + (face + half) * kFaceBytes + row * (kFace * 2),
                    first, kFace - first);
      });
  }
  kernel.push(masks);
}

void FlashAttention::readMask(KernelBuilder &kernel, I32 batch, I32 row,
                              I32 first, I32 count) {
  TileGrid grid = mask.getTileGrid();
  I32 from = broadcastBatch(batch, getBatchExtents(out), getBatchExtents(mask));
  bool isRow = mask.getShape()[2] == 1;
  kernel.reserve(maskTiles);
  I32 address = kernel.writePointer(maskTiles);
  kernel.forRange(isRow ? 1 : blockRows, [&](I32 y) {
    kernel.forRange(count, [&](I32 x) {
      kernel.readPage(mask,
                      grid.page(from, isRow ? I32(0) : row + y, first + x),
                      address + (y * blockKeys + x) * maskTiles.getPageBytes());
    });
  });
  kernel.readBarrier();
  kernel.push(maskTiles);
}

void FlashAttention::readQueriesAndKeys(KernelBuilder &kernel) {
  makeMasks(kernel);
  TileGrid queries = query.getTileGrid(), grid = key.getTileGrid();
  forUnits(kernel, [&](I32 batch, I32 row, I32 blocks) {
    kernel.reserve(queryTiles);
    I32 address = kernel.writePointer(queryTiles);
    kernel.forRange(blockRows * width, [&](I32 i) {
      kernel.readPage(query, queries.page(batch, row, 0) + i,
                      address + i * queryTiles.getPageBytes());
    });
    kernel.readBarrier();
    kernel.push(queryTiles);
    I32 from = keyBatch(batch);
    forKeys(kernel, blocks, [&](I32 first, I32 count) {
      kernel.reserve(keyTiles);
      I32 keyAddress = kernel.writePointer(keyTiles);
      // Transposed: a row of tiles for each tile of the width.
      kernel.forRange(count, [&](I32 y) {
        kernel.forRange(width, [&](I32 x) {
          kernel.readPage(key, grid.page(from, first + y, x),
                          keyAddress +
                              (x * blockKeys + y) * keyTiles.getPageBytes());
        });
      });
      kernel.readBarrier();
      kernel.push(keyTiles);
      if (hasMask)
        readMask(kernel, batch, row, first, count);
    });
  });
}

void FlashAttention::readValuesAndWrite(KernelBuilder &kernel) {
  TileGrid grid = value.getTileGrid(), to = out.getTileGrid();
  forUnits(kernel, [&](I32 batch, I32 row, I32 blocks) {
    I32 from = keyBatch(batch);
    forKeys(kernel, blocks, [&](I32 first, I32 count) {
      kernel.reserve(valueTiles);
      I32 address = kernel.writePointer(valueTiles);
      kernel.forRange(count * valueWidth, [&](I32 i) {
        kernel.readPage(value, grid.page(from, first, 0) + i,
                        address + i * valueTiles.getPageBytes());
      });
      kernel.readBarrier();
      kernel.push(valueTiles);
    });
    kernel.wait(outTiles);
    I32 address = kernel.readPointer(outTiles);
    kernel.forRange(blockRows * valueWidth, [&](I32 i) {
      kernel.writePage(out, to.page(batch, row, 0) + i,
                       address + i * outTiles.getPageBytes());
    });
    kernel.writeBarrier();
    kernel.pop(outTiles);
  });
}

//===----------------------------------------------------------------------===//
// Computation
//===----------------------------------------------------------------------===//

void FlashAttention::copy(KernelBuilder &kernel, const Buffer &buffer, I32 tile,
                          I32 to) {
  kernel.call("copy_tile_init", {buffer});
  kernel.call("copy_tile", {buffer, tile, to});
}

void FlashAttention::combine(KernelBuilder &kernel, StringRef name, I32 a,
                             I32 b, I32 to) {
  kernel.call((name + "_init").str());
  kernel.call(name, {a, b, to});
}

void FlashAttention::setRegister(KernelBuilder &kernel, float number, I32 to) {
  kernel.call("fill_tile_init");
  kernel.call("fill_tile", {to, int64_t(llvm::bit_cast<uint32_t>(number))});
}

void FlashAttention::packTo(KernelBuilder &kernel, I32 from,
                            const Buffer &buffer, I32 tile) {
  OpBuilder &builder = kernel.getBuilder();
  kernel.call("pack_tile", {from, buffer, tile},
              builder.getNamedAttr("out_of_order", builder.getUnitAttr()));
}

/// Fills `count` tiles in each row of `target`, whose rows have `rowTiles`:
/// `make` makes some from its second argument on, `registers` at most, in the
/// registers from 0 on.
void FlashAttention::makeTiles(KernelBuilder &kernel, const Buffer &target,
                               int64_t rowTiles, I32 count, int64_t registers,
                               function_ref<void(I32, I32, I32)> make) {
  kernel.reserve(target);
  kernel.forRange(blockRows, [&](I32 y) {
    kernel.forChunks(count, registers, [&](I32 x, I32 tiles) {
      kernel.acquire();
      make(y, x, tiles);
      kernel.commit();
      kernel.forRange(tiles, [&](I32 i) {
        packTo(kernel, i, target, y * rowTiles + x + i);
      });
      kernel.release();
    });
  });
  kernel.push(target);
}

/// Fills `target`, which has one tile for each row, from register 0.
void FlashAttention::makeColumn(KernelBuilder &kernel, const Buffer &target,
                                function_ref<void(I32)> make) {
  kernel.reserve(target);
  kernel.forRange(blockRows, [&](I32 y) {
    kernel.acquire();
    make(y);
    kernel.commit();
    packTo(kernel, 0, target, y);
    kernel.release();
  });
  kernel.push(target);
}

/// Register 0: one number for each row of `count` tiles.
void FlashAttention::rowReduce(KernelBuilder &kernel, const Buffer &buffer,
                               const Buffer &target, PoolType pool, I32 first,
                               I32 count) {
  MLIRContext *context = op.getContext();
  OpBuilder &builder = kernel.getBuilder();
  NamedAttribute how[] = {
      builder.getNamedAttr("pool_type",
                           ttkernel::PoolTypeAttr::get(context, pool)),
      builder.getNamedAttr(
          "reduce_dim", ttkernel::ReduceDimAttr::get(context, ReduceDim::Row))};
  kernel.call("reduce_init", {buffer, ones, target}, how);
  kernel.forRange(count, [&](I32 i) {
    kernel.call("reduce_tile", {buffer, ones, first + i, 0, 0}, how);
  });
  kernel.call("reduce_uninit");
}

void FlashAttention::startColumnBroadcast(KernelBuilder &kernel,
                                          EltwiseBinaryType type,
                                          const Buffer &a, const Buffer &b,
                                          const Buffer &target) {
  NamedAttribute how[] = {
      kernel.getBuilder().getNamedAttr(
          "binary_type",
          ttkernel::EltwiseBinaryTypeAttr::get(op.getContext(), type)),
      columns(kernel)};
  kernel.call("init_bcast", {a, b, target}, how);
}

void FlashAttention::fill(KernelBuilder &kernel, const Buffer &buffer,
                          int64_t tiles, float number) {
  kernel.reserve(buffer);
  kernel.acquire();
  setRegister(kernel, number, 0);
  kernel.commit();
  kernel.forRange(tiles, [&](I32 i) { packTo(kernel, 0, buffer, i); });
  kernel.release();
  kernel.push(buffer);
}

/// Masks register `place`, the scores of a tile. The mask of the op is added.
/// A score that the op does not see is replaced: it may be infinite or NaN.
void FlashAttention::applyMasks(KernelBuilder &kernel, I32 place, I32 row,
                                I32 column, I32 index) {
  int64_t other = kScores, hidden = kScores + 1;
  if (hasMask) {
    kernel.call("reconfig_data_format_srca", {maskTiles});
    if (mask.getShape()[2] == 1 && out.getShape()[2] != 1) {
      NamedAttribute how = kernel.getBuilder().getNamedAttr(
          "broadcast_type", ttkernel::BroadcastTypeAttr::get(
                                op.getContext(), BroadcastType::Row));
      kernel.call("unary_bcast_init", {maskTiles, scores}, how);
      kernel.call("unary_bcast", {maskTiles, index % blockKeys, other}, how);
    } else {
      copy(kernel, maskTiles, index, other);
    }
    combine(kernel, "add_binary_tile", place, other, place);
  }
  auto hide = [&](int64_t tile) {
    kernel.call("reconfig_data_format_srca", {masks});
    copy(kernel, masks, tile, other);
    setRegister(kernel, -INFINITY, hidden);
    kernel.call("where_tile_init");
    kernel.call("where_tile", {other, hidden, place, place});
  };
  if (isCausal) {
    kernel.ifThen(column == row, [&] { hide(Diagonal); });
    kernel.ifThen(row < column, [&] { setRegister(kernel, -INFINITY, place); });
  }
  if (tail)
    kernel.ifThen(column == keys - 1, [&] { hide(Tail); });
}

/// scale * queries * keys^T, and the masks.
void FlashAttention::score(KernelBuilder &kernel, I32 row, I32 first,
                           I32 count) {
  kernel.wait(keyTiles);
  if (hasMask)
    kernel.wait(maskTiles);
  kernel.call("pack_reconfig_data_format", {scores});
  makeTiles(
      kernel, scores, blockKeys, count, kScores, [&](I32 y, I32 x, I32 tiles) {
        kernel.call("reconfig_data_format", {keyTiles, queryTiles});
        kernel.call("mm_block_init_short",
                    {queryTiles, keyTiles, 1, tiles, 1, width});
        kernel.forRange(width, [&](I32 k) {
          kernel.call("matmul_block",
                      {queryTiles, keyTiles, y * width + k, k * blockKeys + x,
                       0, 1, tiles, 1, width});
        });
        setRegister(kernel, scale, kScores);
        kernel.call("mul_binary_tile_init");
        kernel.forRange(tiles, [&](I32 i) {
          kernel.call("mul_binary_tile", {i, kScores, i});
        });
        kernel.forRange(tiles, [&](I32 i) {
          applyMasks(kernel, i, row + y, first + x + i, y * blockKeys + x + i);
        });
      });
  kernel.pop(keyTiles);
  if (hasMask)
    kernel.pop(maskTiles);
}

/// The maximum with that of these scores, and the factor by which it scales
/// down what was summed up with the last one.
void FlashAttention::updateMaximum(KernelBuilder &kernel, I32 count) {
  kernel.wait(scores);
  kernel.wait(maximum);
  kernel.call("reconfig_data_format", {scores, ones});
  makeColumn(kernel, newMaximum, [&](I32 y) {
    rowReduce(kernel, scores, newMaximum, PoolType::Max, y * blockKeys, count);
    copy(kernel, maximum, y, 1);
    combine(kernel, "binary_max_tile", 0, 1, 0);
  });
  kernel.wait(newMaximum);
  makeColumn(kernel, factor, [&](I32 y) {
    copy(kernel, maximum, y, 0);
    copy(kernel, newMaximum, y, 1);
    combine(kernel, "sub_binary_tile", 0, 1, 0);
    kernel.call("exp_tile_init");
    kernel.call("exp_tile", {0});
  });
  kernel.wait(factor);
  kernel.pop(maximum);
}

void FlashAttention::exponentiate(KernelBuilder &kernel, I32 count) {
  startColumnBroadcast(kernel, EltwiseBinaryType::Sub, scores, newMaximum,
                       weights);
  kernel.call("exp_tile_init");
  makeTiles(kernel, weights, blockKeys, count, kProducts,
            [&](I32 y, I32 x, I32 tiles) {
              kernel.forRange(tiles, [&](I32 i) {
                kernel.call("sub_tiles_bcast",
                            {scores, newMaximum, y * blockKeys + x + i, y, i},
                            columns(kernel));
              });
              kernel.forRange(tiles,
                              [&](I32 i) { kernel.call("exp_tile", {i}); });
            });
  kernel.pop(scores);
  // The new maximum is the last one of the next block.
  kernel.call("copy_tile_init", {newMaximum});
  makeColumn(kernel, maximum,
             [&](I32 y) { kernel.call("copy_tile", {newMaximum, y, 0}); });
  kernel.pop(newMaximum);
}

void FlashAttention::updateSum(KernelBuilder &kernel, I32 count) {
  kernel.wait(weights);
  kernel.wait(sum);
  kernel.forRange(blockRows, [&](I32 y) {
    kernel.acquire();
    rowReduce(kernel, weights, sum, PoolType::Sum, y * blockKeys, count);
    copy(kernel, sum, 0, 1);
    copy(kernel, factor, y, 2);
    combine(kernel, "mul_binary_tile", 1, 2, 1);
    combine(kernel, "add_binary_tile", 0, 1, 0);
    kernel.commit();
    // The sums go round in their buffer.
    kernel.pop(sum, 1);
    kernel.reserve(sum, 1);
    packTo(kernel, 0, sum, 0);
    kernel.release();
    kernel.push(sum, 1);
  });
}

void FlashAttention::multiplyValues(KernelBuilder &kernel, I32 count) {
  kernel.wait(valueTiles);
  kernel.call("reconfig_data_format", {valueTiles, weights});
  makeTiles(kernel, products, valueWidth, valueWidth, kProducts,
            [&](I32 y, I32 x, I32 tiles) {
              kernel.call("mm_block_init_short",
                          {weights, valueTiles, 0, tiles, 1, blockKeys});
              kernel.forRange(count, [&](I32 k) {
                kernel.call("matmul_block",
                            {weights, valueTiles, y * blockKeys + k,
                             k * valueWidth + x, 0, 0, tiles, 1, blockKeys});
              });
            });
  kernel.pop(valueTiles);
  kernel.pop(weights);
}

void FlashAttention::updateResult(KernelBuilder &kernel) {
  kernel.wait(products);
  kernel.wait(result);
  kernel.forRange(blockRows, [&](I32 y) {
    kernel.forChunks(valueWidth, kProducts / 2, [&](I32 x, I32 tiles) {
      kernel.acquire();
      startColumnBroadcast(kernel, EltwiseBinaryType::Mul, result, factor,
                           result);
      kernel.forRange(tiles, [&](I32 i) {
        kernel.call("mul_tiles_bcast", {result, factor, i, y, i},
                    columns(kernel));
      });
      kernel.call("copy_tile_init", {products});
      kernel.forRange(tiles, [&](I32 i) {
        kernel.call("copy_tile",
                    {products, y * valueWidth + x + i, i + kProducts / 2});
      });
      kernel.call("add_binary_tile_init");
      kernel.forRange(tiles, [&](I32 i) {
        kernel.call("add_binary_tile", {i, i + kProducts / 2, i});
      });
      kernel.commit();
      kernel.forRange(tiles, [&](I32 i) {
        kernel.pop(result, 1);
        kernel.reserve(result, 1);
        packTo(kernel, i, result, 0);
        kernel.push(result, 1);
      });
      kernel.release();
    });
  });
  kernel.pop(products);
  kernel.pop(factor);
}

void FlashAttention::divide(KernelBuilder &kernel) {
  kernel.wait(sum);
  kernel.wait(result);
  makeColumn(kernel, factor, [&](I32 y) {
    copy(kernel, sum, y, 0);
    kernel.call("recip_tile_init");
    kernel.call("recip_tile", {0});
  });
  kernel.wait(factor);
  startColumnBroadcast(kernel, EltwiseBinaryType::Mul, result, factor,
                       outTiles);
  makeTiles(kernel, outTiles, valueWidth, valueWidth, kProducts,
            [&](I32 y, I32 x, I32 tiles) {
              kernel.forRange(tiles, [&](I32 i) {
                kernel.call("mul_tiles_bcast",
                            {result, factor, y * valueWidth + x + i, y, i},
                            columns(kernel));
              });
            });
  kernel.pop(factor);
  kernel.pop(sum);
  kernel.pop(result);
  kernel.wait(maximum);
  kernel.pop(maximum);
}

void FlashAttention::compute(KernelBuilder &kernel) {
  kernel.call("mm_block_init", {queryTiles, keyTiles, scores, 1,
                                std::min(kScores, blockKeys), 1, width});
  kernel.wait(ones);
  kernel.wait(masks);
  forUnits(kernel, [&](I32, I32 row, I32 blocks) {
    kernel.call("pack_reconfig_data_format", {maximum});
    fill(kernel, maximum, blockRows, kLowest);
    fill(kernel, sum, blockRows, 0);
    fill(kernel, result, blockRows * valueWidth, 0);
    kernel.wait(queryTiles);
    forKeys(kernel, blocks, [&](I32 first, I32 count) {
      score(kernel, row, first, count);
      updateMaximum(kernel, count);
      exponentiate(kernel, count);
      updateSum(kernel, count);
      multiplyValues(kernel, count);
      updateResult(kernel);
    });
    divide(kernel);
    kernel.pop(queryTiles);
  });
  kernel.pop(ones);
  kernel.pop(masks);
}

LogicalResult FlashAttention::lower() {
  query = dispatch.input(op.getQuery());
  key = dispatch.input(op.getKey());
  value = dispatch.input(op.getValue());
  hasMask = static_cast<bool>(op.getAttentionMask());
  if (hasMask)
    mask = dispatch.input(op.getAttentionMask());
  out = dispatch.output(op.getOutput());
  if (failed(check()))
    return failure();
  isCausal = op.getIsCausal();
  rows = query.getTileGrid().rows;
  width = query.getTileGrid().columns;
  keys = key.getTileGrid().rows;
  valueWidth = value.getTileGrid().columns;
  tail = key.getShape()[2] % TileType::kExtent;
  scale = op.getScale()
              ? op.getScale()->convertToFloat()
              : 1 / std::sqrt(static_cast<float>(query.getShape()[3]));
  choose();
  declare();
  dispatch.reader([&](KernelBuilder &kernel) { readQueriesAndKeys(kernel); });
  dispatch.compute([&](KernelBuilder &kernel) { compute(kernel); });
  dispatch.writer([&](KernelBuilder &kernel) { readValuesAndWrite(kernel); });
  return dispatch.build();
}

struct AttentionPattern
    : public KernelPattern<ttir::ScaledDotProductAttentionOp> {
  using KernelPattern::KernelPattern;
  LogicalResult lower(ttir::ScaledDotProductAttentionOp op,
                      ConversionPatternRewriter &rewriter) const final {
    if (!ttir::hasKernel(op))
      return op.emitOpError(
          "has kernels for floats without positions, a "
          "sink or a window; run --ttir-expand-composites first");
    return FlashAttention(op, lowering, rewriter).lower();
  }
};

} // namespace

void tt::populateTTIRToTTMetalAttentionPatterns(RewritePatternSet &patterns,
                                                Lowering &lowering) {
  patterns.add<AttentionPattern>(patterns.getContext(), lowering);
}
