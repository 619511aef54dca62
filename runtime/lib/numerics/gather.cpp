#include "numerics/gather.h"

#include "numerics/check.h"
#include "numerics/integers.h"
#include "numerics/isa/table.h"
#include "numerics/parallel.h"

#include <algorithm>
#include <cstring>

namespace tt::runtime::numerics {
namespace {

using Dims = std::vector<int64_t>;

/// Reads indices of any type and checks them.
class Indices {
public:
  Indices(const char *what, DType type, const void *data, bool clamp = false)
      : what_(what), type_(type), data_(data), clamp_(clamp) {
    if (!isInteger(type) && type != DType::F32 && type != DType::BF16)
      fail(std::string(what) +
           ": expected indices of an integer type, f32 or bf16, found " +
           dtypeName(type));
  }

  /// The index at `position`, in [0, limit).
  int64_t at(int64_t position, int64_t limit) const {
    if (type_ == DType::F32)
      return fromFloat(get<float>(position), position, limit);
    if (type_ == DType::BF16)
      return fromFloat(bf16ToF32(get<uint16_t>(position)), position, limit);
    const int64_t index = withInteger(type_, [&](auto zero) {
      return int64_t(get<decltype(zero)>(position));
    });
    if (clamp_)
      return std::clamp<int64_t>(index, 0, limit - 1);
    if (index < 0 || index >= limit)
      outOfRange(std::to_string(index), position, limit);
    return index;
  }

private:
  template <typename T> T get(int64_t position) const {
    T value;
    std::memcpy(&value,
                static_cast<const char *>(data_) +
                    position * int64_t(sizeof(T)),
                sizeof(T));
    return value;
  }
  int64_t fromFloat(float value, int64_t position, int64_t limit) const {
    if (clamp_)
      return !(value > 0) ? 0 : int64_t(std::min(double(value), limit - 1.0));
    if (!(value > -1 && double(value) < double(limit)))
      outOfRange(std::to_string(value), position, limit);
    return int64_t(value);
  }
  [[noreturn]] void outOfRange(const std::string &found, int64_t position,
                               int64_t limit) const {
    throw std::out_of_range(std::string(what_) + ": expected an index in [0, " +
                            std::to_string(limit) + "), found " + found +
                            " at position " + std::to_string(position));
  }

  const char *what_;
  DType type_;
  const void *data_;
  bool clamp_;
};

bool contains(const Dims &dims, int64_t dim) {
  return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

/// Throws unless `dims` are different dimensions below `rank`, ascending if
/// `sorted`.
void checkDims(const char *name, const Dims &dims, int64_t rank, bool sorted) {
  for (size_t i = 0; i < dims.size(); ++i) {
    bool repeats = std::count(dims.begin(), dims.end(), dims[i]) > 1;
    bool falls = sorted && i > 0 && dims[i] < dims[i - 1];
    if (dims[i] < 0 || dims[i] >= rank || repeats || falls)
      fail(std::string("gather: expected ") + name + " to hold different" +
           (sorted ? ", ascending" : "") + " dimensions in [0, " +
           std::to_string(rank) + "), found " + shapeText(dims));
  }
}

void checkSize(const char *name, size_t expected, size_t found) {
  if (expected != found)
    fail(std::string("gather: expected ") + std::to_string(expected) + " " +
         name + ", found " + std::to_string(found));
}

Dims contiguous(std::span<const int64_t> shape) {
  Dims strides(shape.size());
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0; stride *= shape[d])
    strides[d] = stride;
  return strides;
}

/// One loop of a nest: an extent and how far operand and result move.
struct Loop {
  int64_t extent, from, to;
};

/// Drops loops of one step and merges neighbours that walk on alike.
std::vector<Loop> merged(const std::vector<Loop> &loops) {
  std::vector<Loop> result;
  for (const Loop &loop : loops) {
    if (loop.extent == 1)
      continue;
    if (!result.empty() && result.back().from == loop.from * loop.extent &&
        result.back().to == loop.to * loop.extent)
      result.back() = {result.back().extent * loop.extent, loop.from, loop.to};
    else
      result.push_back(loop);
  }
  return result;
}

template <typename T>
void copyLine(const char *from, int64_t fromStride, char *to, int64_t toStride,
              int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * toStride * int64_t(sizeof(T)),
                from + i * fromStride * int64_t(sizeof(T)), sizeof(T));
}

void copyLine(int64_t bytes, const char *from, int64_t fromStride, char *to,
              int64_t toStride, int64_t count) {
  if (fromStride == 1 && toStride == 1)
    std::memcpy(to, from, size_t(count * bytes));
  else if (bytes == 4)
    copyLine<uint32_t>(from, fromStride, to, toStride, count);
  else if (bytes == 2)
    copyLine<uint16_t>(from, fromStride, to, toStride, count);
  else if (bytes == 1)
    copyLine<uint8_t>(from, fromStride, to, toStride, count);
  else
    copyLine<uint64_t>(from, fromStride, to, toStride, count);
}

/// The slice that one index vector selects, as lines along its last loop.
struct Slice {
  std::vector<Loop> outer;
  Loop line{1, 1, 1};
  int64_t lines = 1;

  explicit Slice(std::vector<Loop> loops) {
    if (!loops.empty()) {
      line = loops.back();
      loops.pop_back();
    }
    outer = std::move(loops);
    for (const Loop &loop : outer)
      lines *= loop.extent;
  }

  void copy(int64_t index, int64_t bytes, const char *from, char *to) const {
    if (outer.empty())
      return copyLine(bytes, from, line.from, to, line.to, line.extent);
    int64_t source = 0, target = 0;
    for (size_t l = outer.size(); l-- > 0;) {
      source += index % outer[l].extent * outer[l].from;
      target += index % outer[l].extent * outer[l].to;
      index /= outer[l].extent;
    }
    copyLine(bytes, from + source * bytes, line.from, to + target * bytes,
             line.to, line.extent);
  }
};

/// Where the slice of each position of the batch begins.
struct Batch {
  Dims shape;         // batch dimensions of the indices
  Dims indexStrides;  // in the indices
  Dims outStrides;    // in the result
  Dims operandStride; // of the operand dimension that moves along, or 0
  int64_t vectorStride = 0;
  Dims limits, strides; // by coordinate: number of positions, operand stride

  /// A position and what it is in indices, operand and result.
  struct Cursor {
    Dims at;
    int64_t vector = 0, source = 0, target = 0;
  };

  Cursor cursor(int64_t index) const {
    Cursor result{Dims(shape.size()), 0, 0, 0};
    for (size_t d = shape.size(); d-- > 0; index /= shape[d])
      step(result, d, index % shape[d]);
    return result;
  }
  void step(Cursor &c, size_t d, int64_t count) const {
    c.at[d] += count;
    c.vector += count * indexStrides[d];
    c.source += count * operandStride[d];
    c.target += count * outStrides[d];
  }
  void advance(Cursor &c) const {
    for (size_t d = shape.size(); d-- > 0;) {
      step(c, d, 1);
      if (c.at[d] < shape[d])
        return;
      step(c, d, -shape[d]);
    }
  }

  /// Offset of the slice in the operand.
  int64_t source(const Indices &indices, const Cursor &c) const {
    int64_t offset = c.source;
    for (size_t i = 0; i < limits.size(); ++i)
      offset += indices.at(c.vector + int64_t(i) * vectorStride, limits[i]) *
                strides[i];
    return offset;
  }
};

} // namespace

void gatherRows(const void *table, int64_t tableRows, int64_t rowBytes,
                DType indexType, const void *indices, int64_t count,
                void *output) {
  const Indices index("gather", indexType, indices);
  const char *from = static_cast<const char *>(table);
  char *to = static_cast<char *>(output);
  parallelFor(0, count, grainFor(rowBytes), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      std::memcpy(to + i * rowBytes, from + index.at(i, tableRows) * rowBytes,
                  size_t(rowBytes));
  });
}

std::vector<int64_t> gatherShape(std::span<const int64_t> operandShape,
                                 std::span<const int64_t> indicesShape,
                                 const GatherDims &dims) {
  int64_t rank = int64_t(operandShape.size());
  int64_t indexRank = int64_t(indicesShape.size());
  int64_t vectorDim = dims.indexVectorDim;
  if (vectorDim < 0 || vectorDim > indexRank)
    fail("gather: expected index_vector_dim in [0, " +
         std::to_string(indexRank) + "], found " + std::to_string(vectorDim));
  checkDims("collapsed_slice_dims", dims.collapsedSliceDims, rank, true);
  checkDims("operand_batching_dims", dims.operandBatchingDims, rank, true);
  checkDims("start_indices_batching_dims", dims.startIndicesBatchingDims,
            indexRank, false);
  checkDims("start_index_map", dims.startIndexMap, rank, false);
  checkSize("start_indices_batching_dims", dims.operandBatchingDims.size(),
            dims.startIndicesBatchingDims.size());
  checkSize("coordinates in start_index_map",
            vectorDim < indexRank ? size_t(indicesShape[size_t(vectorDim)]) : 1,
            dims.startIndexMap.size());
  checkSize("slice_sizes", operandShape.size(), dims.sliceSizes.size());
  for (int64_t d = 0; d < rank; ++d) {
    bool collapsed = contains(dims.collapsedSliceDims, d);
    bool batching = contains(dims.operandBatchingDims, d);
    int64_t size = dims.sliceSizes[size_t(d)];
    int64_t most = collapsed || batching
                       ? std::min<int64_t>(1, operandShape[size_t(d)])
                       : operandShape[size_t(d)];
    if (size < 0 || size > most)
      fail("gather: expected a slice size in [0, " + std::to_string(most) +
           "] in dimension " + std::to_string(d) + ", found " +
           std::to_string(size));
    if (batching && (collapsed || contains(dims.startIndexMap, d)))
      fail("gather: expected operand_batching_dims apart from "
           "collapsed_slice_dims and start_index_map, found dimension " +
           std::to_string(d) + " in both");
  }
  for (size_t i = 0; i < dims.operandBatchingDims.size(); ++i) {
    int64_t of = dims.startIndicesBatchingDims[i];
    int64_t expected = operandShape[size_t(dims.operandBatchingDims[i])];
    if (of == vectorDim || indicesShape[size_t(of)] != expected)
      fail("gather: expected a batch dimension of " + std::to_string(expected) +
           " indices, found dimension " + std::to_string(of) + " of " +
           shapeText(indicesShape));
  }
  int64_t batchRank = indexRank - (vectorDim < indexRank ? 1 : 0);
  int64_t offsets = rank - int64_t(dims.collapsedSliceDims.size() +
                                   dims.operandBatchingDims.size());
  checkSize("offset_dims", size_t(offsets), dims.offsetDims.size());
  checkDims("offset_dims", dims.offsetDims, batchRank + offsets, true);
  Dims shape;
  int64_t slice = 0, batch = 0;
  for (int64_t d = 0; d < batchRank + offsets; ++d) {
    if (contains(dims.offsetDims, d)) {
      while (contains(dims.collapsedSliceDims, slice) ||
             contains(dims.operandBatchingDims, slice))
        ++slice;
      shape.push_back(dims.sliceSizes[size_t(slice++)]);
    } else {
      batch += batch == vectorDim;
      shape.push_back(indicesShape[size_t(batch++)]);
    }
  }
  return shape;
}

void gather(const void *operand, std::span<const int64_t> operandShape,
            DType indexType, const void *indices,
            std::span<const int64_t> indicesShape, const GatherDims &dims,
            int64_t elementBytes, void *output) {
  const Dims outShape = gatherShape(operandShape, indicesShape, dims);
  const Indices index("gather", indexType, indices, dims.clamp);
  const Dims outStrides = contiguous(outShape);
  const Dims operandStrides = contiguous(operandShape);
  const Dims indexStrides = contiguous(indicesShape);

  std::vector<Loop> loops;
  for (int64_t d = 0; d < int64_t(operandShape.size()); ++d)
    if (!contains(dims.collapsedSliceDims, d) &&
        !contains(dims.operandBatchingDims, d))
      loops.push_back({dims.sliceSizes[size_t(d)], operandStrides[size_t(d)],
                       outStrides[size_t(dims.offsetDims[loops.size()])]});
  const Slice slice(merged(loops));

  Batch batch;
  int64_t count = 1, out = 0;
  for (int64_t d = 0; d < int64_t(indicesShape.size()); ++d) {
    if (d == dims.indexVectorDim)
      continue;
    while (contains(dims.offsetDims, out))
      ++out;
    batch.shape.push_back(indicesShape[size_t(d)]);
    batch.indexStrides.push_back(indexStrides[size_t(d)]);
    batch.outStrides.push_back(outStrides[size_t(out++)]);
    batch.operandStride.push_back(0);
    for (size_t i = 0; i < dims.startIndicesBatchingDims.size(); ++i)
      if (dims.startIndicesBatchingDims[i] == d)
        batch.operandStride.back() =
            operandStrides[size_t(dims.operandBatchingDims[i])];
    count *= indicesShape[size_t(d)];
  }
  if (dims.indexVectorDim < int64_t(indicesShape.size()))
    batch.vectorStride = indexStrides[size_t(dims.indexVectorDim)];
  for (int64_t d : dims.startIndexMap) {
    batch.limits.push_back(operandShape[size_t(d)] -
                           dims.sliceSizes[size_t(d)] + 1);
    batch.strides.push_back(operandStrides[size_t(d)]);
  }

  const char *from = static_cast<const char *>(operand);
  char *to = static_cast<char *>(output);
  int64_t grain = grainFor(slice.line.extent * elementBytes);
  // A task gets a range of lines, which may be part of a slice or many slices.
  parallelFor(0, count * slice.lines, grain, [&](int64_t begin, int64_t end) {
    Batch::Cursor cursor = batch.cursor(begin / slice.lines);
    for (int64_t i = begin, line = begin % slice.lines; i < end; line = 0) {
      const char *start = from + batch.source(index, cursor) * elementBytes;
      char *result = to + cursor.target * elementBytes;
      int64_t stop = std::min(end - i + line, slice.lines);
      for (i += stop - line; line < stop; ++line)
        slice.copy(line, elementBytes, start, result);
      batch.advance(cursor);
    }
  });
}

void scatterAddRows(DType type, const void *gradient, int64_t cols,
                    DType indexType, const void *indices, int64_t count,
                    int64_t rows, void *output, Rounding rounding) {
  requirePlain("scatter", type);
  const Indices index("scatter", indexType, indices);
  // Positions sorted by row, in ascending order within a row, so that threads
  // can share the rows out.
  Dims first(size_t(rows) + 1), order(static_cast<size_t>(count));
  Dims target(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    target[size_t(i)] = index.at(i, rows);
    ++first[size_t(target[size_t(i)]) + 1];
  }
  for (int64_t row = 0; row < rows; ++row)
    first[size_t(row) + 1] += first[size_t(row)];
  Dims next(first.begin(), first.end() - 1);
  for (int64_t i = 0; i < count; ++i)
    order[size_t(next[size_t(target[size_t(i)])]++)] = i;

  const KernelTable &table = kernelTable();
  int64_t size = elementSize(type);
  const char *from = static_cast<const char *>(gradient);
  char *to = static_cast<char *>(output);
  BinaryFn addIntegers =
      isInteger(type) ? table.binaryInt[int(BinaryOp::Add)][integerIndex(type)]
                                       [int(Spread::None)]
                      : nullptr;
  parallelFor(0, rows, grainFor(cols * size), [&](int64_t begin, int64_t end) {
    std::vector<float> total(static_cast<size_t>(addIntegers ? 0 : cols));
    std::vector<float> line(total.size());
    for (int64_t row = begin; row < end; ++row) {
      char *result = to + row * cols * size;
      int64_t at = first[size_t(row)], last = first[size_t(row) + 1];
      if (at == last || addIntegers)
        std::memset(result, 0, size_t(cols * size));
      for (int64_t i = at; i < last; ++i) {
        const char *source = from + order[size_t(i)] * cols * size;
        if (addIntegers) {
          addIntegers(result, source, result, cols, {});
          continue;
        }
        table.toF32[int(type)](source, i == at ? total.data() : line.data(),
                               cols);
        if (i > at)
          table.addRows(total.data(), line.data(), cols);
      }
      if (at < last && !addIntegers)
        table.fromF32[int(type)](total.data(), result, cols, rounding);
    }
  });
}

} // namespace tt::runtime::numerics
