#include "numerics/matmul.h"

#include "numerics/check.h"
#include "numerics/isa/table.h"
#include "numerics/parallel.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

namespace tt::runtime::numerics {
namespace {

// How it works: A and B are packed once into blocks of kBlock along K (rows of
// A, panels of nr columns of B). A task owns an output tile of at most
// kTileRows x kTileCols, walks K in ascending blocks with its sums in a scratch
// tile, then rounds the tile into C. With few rows each B panel is used once,
// so it is packed where it is used. Every element adds its products in
// ascending order of k whatever the blocking, so tiles may be cut to fit the
// threads.

constexpr int64_t kTileRows = 192; // a multiple of every mr and of 32
constexpr int64_t kTileCols = 256;
constexpr int64_t kPackRows = 96; // a multiple of every mr and of 32
constexpr int64_t kPackCols = 32;
/// Packed operands are processed in slabs of at most this many bytes.
constexpr int64_t kSlabBytes = int64_t(96) << 20;
/// Work (multiply-adds) below which a task is not worth a thread.
constexpr int64_t kTaskWork = int64_t(1) << 17;

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }
int64_t roundUp(int64_t a, int64_t b) { return ceilDiv(a, b) * b; }

/// Aligned memory that a thread keeps for its next product.
class Workspace {
public:
  ~Workspace() { release(); }
  void *get(int64_t bytes) {
    if (bytes > capacity) {
      release();
      data = ::operator new(size_t(bytes), std::align_val_t(64));
      capacity = bytes;
    }
    return data;
  }
  /// Gives big memory back.
  void trim() {
    if (capacity > (int64_t(64) << 20))
      release();
  }

private:
  void release() {
    if (data)
      ::operator delete(data, std::align_val_t(64));
    data = nullptr;
    capacity = 0;
  }
  void *data = nullptr;
  int64_t capacity = 0;
};

thread_local Workspace packedAMemory, packedBMemory, tileMemory, stageMemory;

struct Product {
  const MatmulArgs &args;
  const KernelTable &table;
  const GemmTable &gemm;
  DType packedType;

  /// A block of an operand as stored, in the packed type.
  struct Block {
    const char *data;
    int64_t stride;
  };

  /// Rows and columns are those of the operand as stored, its elements too.
  /// What a reader delivers goes to `staged`, one row behind the other.
  Block locate(const MatmulOperand &operand, int64_t batch, int64_t row0,
               int64_t rows, int64_t col0, int64_t cols, char *staged) const {
    if (operand.reader.read) {
      operand.reader.read(operand.reader.context, batch, row0, rows, col0, cols,
                          staged, cols);
      return {staged, cols};
    }
    int64_t stride = operand.rowStride;
    return {static_cast<const char *>(operand.data) +
                (batch * operand.batchStride + row0 * stride + col0) *
                    elementSize(operand.type),
            stride};
  }

  void convert(const MatmulOperand &operand, const Block &block, int64_t rows,
               int64_t cols, float *target, int64_t stride) const {
    int64_t size = elementSize(operand.type);
    for (int64_t row = 0; row < rows; ++row)
      table.toF32[int(operand.type)](block.data + row * block.stride * size,
                                     target + row * stride, cols);
  }

  Block fetch(const MatmulOperand &operand, int64_t batch, int64_t row0,
              int64_t rows, int64_t col0, int64_t cols) const {
    // Staging memory: what a reader delivers, then what a conversion makes.
    char *staged = static_cast<char *>(stageMemory.get(2 * rows * cols * 4));
    Block block = locate(operand, batch, row0, rows, col0, cols, staged);
    if (operand.type == packedType)
      return block;
    char *converted = staged + rows * cols * 4;
    convert(operand, block, rows, cols, reinterpret_cast<float *>(converted),
            cols);
    return {converted, cols};
  }

  /// Packs rows [row0, row0+rows) and k [k0, k0+depth) of A.
  void packA(int64_t batch, int64_t row0, int64_t rows, int64_t k0,
             int64_t depth, char *target) const {
    if (args.a.transposed) {
      Block block = fetch(args.a, batch, k0, depth, row0, rows);
      gemm.packATransposed(block.data, block.stride, rows, depth, target);
    } else if (args.a.type != packedType) {
      // Packed rows are plain: the conversion writes them.
      char *staged = static_cast<char *>(stageMemory.get(rows * depth * 4));
      convert(args.a, locate(args.a, batch, row0, rows, k0, depth, staged),
              rows, depth, reinterpret_cast<float *>(target), gemm.aStride);
    } else {
      Block block = fetch(args.a, batch, row0, rows, k0, depth);
      gemm.packA(block.data, block.stride, rows, depth, target);
    }
  }

  /// Packs k [k0, k0+depth) and columns [col0, col0+cols) of B into panels.
  void packB(int64_t batch, int64_t k0, int64_t depth, int64_t col0,
             int64_t cols, char *target, int64_t panelBytes) const {
    int64_t size = gemm.operandBytes;
    if (!args.b.transposed && args.b.type == DType::BF16 &&
        gemm.packBFromBf16) {
      char *staged = static_cast<char *>(stageMemory.get(depth * cols * 2));
      Block block = locate(args.b, batch, k0, depth, col0, cols, staged);
      for (int64_t col = 0; col < cols; col += gemm.nr, target += panelBytes)
        gemm.packBFromBf16(block.data + col * 2, block.stride, depth,
                           std::min<int64_t>(gemm.nr, cols - col), target);
      return;
    }
    Block block = args.b.transposed
                      ? fetch(args.b, batch, col0, cols, k0, depth)
                      : fetch(args.b, batch, k0, depth, col0, cols);
    for (int64_t col = 0; col < cols; col += gemm.nr) {
      int64_t width = std::min<int64_t>(gemm.nr, cols - col);
      if (args.b.transposed)
        gemm.packBTransposed(block.data + col * block.stride * size,
                             block.stride, depth, width, target);
      else
        gemm.packB(block.data + col * size, block.stride, depth, width, target);
      target += panelBytes;
    }
  }

  /// Rounds a scratch tile into C.
  void storeTile(int64_t batch, int64_t row0, int64_t rows, int64_t col0,
                 int64_t cols, float *tile, int64_t tileStride) const {
    int64_t size = elementSize(args.cType);
    char *target =
        static_cast<char *>(args.c) +
        (batch * args.cBatchStride + row0 * args.cRowStride + col0) * size;
    for (int64_t row = 0; row < rows; ++row) {
      float *line = tile + row * tileStride;
      if (args.bias)
        table.addRows(line, args.bias + col0, cols);
      table.fromF32[int(args.cType)](
          line, target + row * args.cRowStride * size, cols, args.rounding);
    }
  }

  int64_t depthOf(int64_t block) const {
    return std::min(gemm.kBlock, args.k - block * gemm.kBlock);
  }
  int64_t blocksK() const { return ceilDiv(args.k, gemm.kBlock); }

  /// Panels of one K block times rows of A into the scratch tile.
  void multiply(const char *a, const char *b, int64_t panelBytes, float *tile,
                int64_t rows, int64_t cols, int64_t depth,
                bool accumulate) const {
    int64_t k = roundUp(depth, gemm.kGroup);
    for (int64_t col = 0; col < cols; col += gemm.nr, b += panelBytes)
      for (int64_t row = 0; row < rows; row += gemm.mr)
        gemm.kernel(a + row * gemm.aStride * gemm.operandBytes, b,
                    tile + row * kTileCols + col, kTileCols,
                    std::min<int64_t>(gemm.mr, rows - row), k, accumulate);
  }

  void runFewRows(int64_t batch) const;
  void runVector(int64_t batch) const;
  void runSlab(int64_t batch, int64_t row0, int64_t rows, int64_t col0,
               int64_t cols, const char *packedB, bool packRows) const;
  void runLarge(int64_t batch) const;
  void run(int64_t batch) const {
    bool direct = !args.b.transposed && !args.b.reader.read &&
                  (args.b.type == DType::F32 || args.b.type == DType::BF16);
    if (args.m <= 4 && direct)
      runVector(batch);
    else if (args.m <= kTileRows)
      runFewRows(batch);
    else
      runLarge(batch);
  }
};

/// At most four rows: a pass over B where it lies.
void Product::runVector(int64_t batch) const {
  int64_t m = args.m, n = args.n, k = args.k;
  float *a = static_cast<float *>(packedAMemory.get(m * k * 4));
  if (args.a.transposed || args.a.reader.read) {
    // Few elements: any order will do.
    bool transposed = args.a.transposed;
    Product f32{args, table, table.gemmF32, DType::F32};
    constexpr int64_t kStep = 256;
    for (int64_t k0 = 0; k0 < k; k0 += kStep) {
      int64_t depth = std::min(kStep, k - k0);
      Block block = transposed ? f32.fetch(args.a, batch, k0, depth, 0, m)
                               : f32.fetch(args.a, batch, 0, m, k0, depth);
      const float *data = reinterpret_cast<const float *>(block.data);
      for (int64_t row = 0; row < m; ++row)
        for (int64_t p = 0; p < depth; ++p)
          a[row * k + k0 + p] = transposed ? data[p * block.stride + row]
                                           : data[row * block.stride + p];
    }
  } else {
    int64_t size = elementSize(args.a.type);
    for (int64_t row = 0; row < m; ++row)
      table.toF32[int(args.a.type)](
          static_cast<const char *>(args.a.data) +
              (batch * args.a.batchStride + row * args.a.rowStride) * size,
          a + row * k, k);
  }
  int64_t step = std::clamp(roundUp(ceilDiv(n, getNumThreads()), 64),
                            int64_t(64), int64_t(1024));
  int64_t grain = std::max<int64_t>(1, kTaskWork / 2 / (step * k));
  parallelFor(0, ceilDiv(n, step), grain, [&](int64_t begin, int64_t end) {
    float *tile = static_cast<float *>(tileMemory.get(m * step * 4));
    for (int64_t i = begin; i < end; ++i) {
      int64_t col0 = i * step, cols = std::min(step, n - col0);
      std::memset(tile, 0, size_t(m * step * 4));
      int64_t offset = batch * args.b.batchStride + col0;
      if (args.b.type == DType::F32)
        table.gemvF32(a, k, static_cast<const float *>(args.b.data) + offset,
                      args.b.rowStride, tile, step, m, cols, k);
      else
        table.gemvBf16(a, k,
                       static_cast<const uint16_t *>(args.b.data) + offset,
                       args.b.rowStride, tile, step, m, cols, k);
      storeTile(batch, 0, m, col0, cols, tile, step);
    }
  });
}

/// One tile of rows: B is packed by the task that uses it.
void Product::runFewRows(int64_t batch) const {
  int64_t m = args.m, n = args.n;
  int64_t rowBytes = gemm.aStride * gemm.operandBytes;
  int64_t blockBytes = roundUp(m, gemm.mr) * rowBytes;
  char *packedA =
      static_cast<char *>(packedAMemory.get(blocksK() * blockBytes));
  int64_t packGrain =
      std::max<int64_t>(1, kTaskWork / (gemm.kBlock * std::min(m, kPackRows)));
  int64_t rowUnits = ceilDiv(m, kPackRows);
  parallelFor(
      0, blocksK() * rowUnits, packGrain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          int64_t block = i / rowUnits;
          int64_t row0 = i % rowUnits * kPackRows;
          packA(batch, row0, std::min(kPackRows, m - row0), block * gemm.kBlock,
                depthOf(block), packedA + block * blockBytes + row0 * rowBytes);
        }
      });
  // Narrow tiles keep all threads busy.
  int64_t step =
      std::clamp(roundUp(ceilDiv(n, getNumThreads() * int64_t(4)), kPackCols),
                 kPackCols, kTileCols);
  int64_t grain = std::max<int64_t>(1, kTaskWork / (step * args.k * m));
  int64_t panelBytes = gemm.kBlock * gemm.nr * gemm.operandBytes;
  parallelFor(0, ceilDiv(n, step), grain, [&](int64_t begin, int64_t end) {
    float *tile = static_cast<float *>(
        tileMemory.get(roundUp(m, gemm.mr) * kTileCols * 4));
    char *packedB =
        static_cast<char *>(packedBMemory.get(step / gemm.nr * panelBytes));
    for (int64_t i = begin; i < end; ++i) {
      int64_t col0 = i * step, cols = std::min(step, n - col0);
      for (int64_t block = 0; block < blocksK(); ++block) {
        packB(batch, block * gemm.kBlock, depthOf(block), col0, cols, packedB,
              panelBytes);
        multiply(packedA + block * blockBytes, packedB, panelBytes, tile, m,
                 cols, depthOf(block), block > 0);
      }
      storeTile(batch, 0, m, col0, cols, tile, kTileCols);
    }
  });
}

/// A range of rows against a range of columns whose B is packed. Packs A into
/// this thread's memory if `packRows`, else it is there.
void Product::runSlab(int64_t batch, int64_t row0, int64_t rows, int64_t col0,
                      int64_t cols, const char *packedB, bool packRows) const {
  int64_t rowBytes = gemm.aStride * gemm.operandBytes;
  int64_t blockBytes = roundUp(rows, gemm.mr) * rowBytes;
  char *packedA =
      static_cast<char *>(packedAMemory.get(blocksK() * blockBytes));
  int64_t rowUnits = ceilDiv(rows, kPackRows);
  if (packRows)
    parallelFor(0, rowUnits * blocksK(), 2, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        int64_t unit = i / blocksK() * kPackRows, block = i % blocksK();
        packA(batch, row0 + unit, std::min(kPackRows, rows - unit),
              block * gemm.kBlock, depthOf(block),
              packedA + block * blockBytes + unit * rowBytes);
      }
    });
  int64_t panelBytes = gemm.kBlock * gemm.nr * gemm.operandBytes;
  int64_t panelsBytes = ceilDiv(cols, gemm.nr) * panelBytes;
  // Smaller tiles when there would be too few to share out evenly.
  int64_t tileRows = kTileRows, tileCols = kTileCols;
  int64_t wanted = 6 * int64_t(getNumThreads());
  if (ceilDiv(rows, tileRows) * ceilDiv(cols, tileCols) < wanted)
    tileRows = kPackRows;
  if (ceilDiv(rows, tileRows) * ceilDiv(cols, tileCols) < wanted)
    tileCols = kTileCols / 2;
  int64_t rowTiles = ceilDiv(rows, tileRows);
  parallelFor(
      0, rowTiles * ceilDiv(cols, tileCols), 1,
      [&](int64_t begin, int64_t end) {
        float *tile =
            static_cast<float *>(tileMemory.get(kTileRows * kTileCols * 4));
        for (int64_t i = begin; i < end; ++i) {
          int64_t r = i % rowTiles * tileRows, c = i / rowTiles * tileCols;
          int64_t height = std::min(tileRows, rows - r);
          int64_t width = std::min(tileCols, cols - c);
          for (int64_t block = 0; block < blocksK(); ++block)
            multiply(packedA + block * blockBytes + r * rowBytes,
                     packedB + block * panelsBytes + c / gemm.nr * panelBytes,
                     panelBytes, tile, height, width, depthOf(block),
                     block > 0);
          storeTile(batch, row0 + r, height, col0 + c, width, tile, kTileCols);
        }
      });
}

void Product::runLarge(int64_t batch) const {
  int64_t m = args.m, n = args.n;
  int64_t panelBytes = gemm.kBlock * gemm.nr * gemm.operandBytes;
  int64_t colBytes = blocksK() * gemm.kBlock * gemm.operandBytes;
  int64_t rowBytes = blocksK() * gemm.aStride * gemm.operandBytes;
  int64_t slabCols =
      std::max(kSlabBytes / colBytes / kTileCols * kTileCols, kTileCols);
  int64_t slabRows =
      std::max(kSlabBytes / rowBytes / kTileRows * kTileRows, kTileRows);
  for (int64_t col0 = 0; col0 < n; col0 += slabCols) {
    int64_t cols = std::min(slabCols, n - col0);
    int64_t panelsBytes = ceilDiv(cols, gemm.nr) * panelBytes;
    char *packedB =
        static_cast<char *>(packedBMemory.get(blocksK() * panelsBytes));
    int64_t units = ceilDiv(cols, kPackCols);
    parallelFor(0, units * blocksK(), 4, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        int64_t block = i / units, col = i % units * kPackCols;
        packB(batch, block * gemm.kBlock, depthOf(block), col0 + col,
              std::min(kPackCols, cols - col),
              packedB + block * panelsBytes + col / gemm.nr * panelBytes,
              panelBytes);
      }
    });
    for (int64_t row0 = 0; row0 < m; row0 += slabRows)
      runSlab(batch, row0, std::min(slabRows, m - row0), col0, cols, packedB,
              m > slabRows || col0 == 0);
  }
  packedAMemory.trim();
  packedBMemory.trim();
}

void checkOperand(const char *name, const MatmulOperand &operand, int64_t rows,
                  int64_t cols) {
  if (operand.type != DType::F32 && operand.type != DType::F16 &&
      operand.type != DType::BF16)
    fail(std::string("matmul: expected ") + name +
         " of type f32, f16 or bf16, found " + dtypeName(operand.type));
  if (operand.transposed)
    std::swap(rows, cols);
  if (!operand.reader.read && rows > 1 && operand.rowStride < cols)
    fail(std::string("matmul: expected a row stride of ") + name +
         " of at least " + std::to_string(cols) + ", found " +
         std::to_string(operand.rowStride));
}

void storeBiasOnly(const MatmulArgs &args, const KernelTable &table) {
  std::unique_ptr<float[]> line(new float[size_t(args.n)]());
  if (args.bias)
    std::copy(args.bias, args.bias + args.n, line.get());
  int64_t size = elementSize(args.cType);
  for (int64_t batch = 0; batch < args.batch; ++batch)
    for (int64_t row = 0; row < args.m; ++row)
      table.fromF32[int(args.cType)](
          line.get(),
          static_cast<char *>(args.c) +
              (batch * args.cBatchStride + row * args.cRowStride) * size,
          args.n, args.rounding);
}

} // namespace

void matmul(const MatmulArgs &args) {
  if (args.batch < 0 || args.m < 0 || args.n < 0 || args.k < 0)
    fail("matmul: expected extents of at least 0, found batch " +
         std::to_string(args.batch) + ", m " + std::to_string(args.m) + ", n " +
         std::to_string(args.n) + ", k " + std::to_string(args.k));
  checkOperand("a", args.a, args.m, args.k);
  checkOperand("b", args.b, args.k, args.n);
  if (args.cType != DType::F32 && args.cType != DType::F16 &&
      args.cType != DType::BF16)
    fail(std::string("matmul: expected c of type f32, f16 or bf16, found ") +
         dtypeName(args.cType));
  if (args.m > 1 && args.cRowStride < args.n)
    fail("matmul: expected a row stride of c of at least " +
         std::to_string(args.n) + ", found " + std::to_string(args.cRowStride));
  if (args.batch == 0 || args.m == 0 || args.n == 0)
    return;
  const KernelTable &table = kernelTable();
  if (args.k == 0)
    return storeBiasOnly(args, table);
  bool bf16 = args.a.type == DType::BF16 && args.b.type == DType::BF16;
  const GemmTable &gemm = bf16 ? table.gemmBf16 : table.gemmF32;
  Product product{args, table, gemm,
                  gemm.operandBytes == 2 ? DType::BF16 : DType::F32};
  // Small products are shared out whole, big ones inside.
  int64_t work = args.m * args.n * args.k;
  int64_t share = std::max<int64_t>(1, kTaskWork / work);
  if (args.batch > 1 && work < (int64_t(1) << 25)) {
    parallelFor(0, args.batch, share, [&](int64_t begin, int64_t end) {
      for (int64_t batch = begin; batch < end; ++batch)
        product.run(batch);
    });
  } else {
    for (int64_t batch = 0; batch < args.batch; ++batch)
      product.run(batch);
  }
}

} // namespace tt::runtime::numerics
