#include "numerics/transform.h"

#include "numerics/check.h"
#include "numerics/eltwise.h"
#include "numerics/isa/table.h"
#include "numerics/parallel.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace tt::runtime::numerics {
namespace {

using Dims = std::vector<int64_t>;

/// Side of the square that is transposed while it is in the cache.
constexpr int64_t kTransposeBlock = 64;

Dims contiguousStrides(std::span<const int64_t> shape) {
  Dims strides(shape.size());
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= shape[d];
  }
  return strides;
}

void checkElement(const char *what, int64_t bytes) {
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
    fail(std::string(what) +
         ": expected elements of 1, 2, 4 or 8 bytes, found " +
         std::to_string(bytes));
}

void checkRank(const char *what, const char *name, size_t expected,
               size_t found) {
  if (expected != found)
    fail(std::string(what) + ": expected " + std::to_string(expected) + " " +
         name + ", found " + std::to_string(found));
}

/// A copy between two strided arrays, with unit extents dropped and dimensions
/// that both walk alike merged.
struct Copy {
  Dims shape, inStrides, outStrides;

  Copy(std::span<const int64_t> extents, std::span<const int64_t> in,
       std::span<const int64_t> out) {
    for (size_t d = 0; d < extents.size(); ++d) {
      if (extents[d] == 1)
        continue;
      if (!shape.empty() && inStrides.back() == in[d] * extents[d] &&
          outStrides.back() == out[d] * extents[d]) {
        shape.back() *= extents[d];
        inStrides.back() = in[d];
        outStrides.back() = out[d];
      } else {
        shape.push_back(extents[d]);
        inStrides.push_back(in[d]);
        outStrides.push_back(out[d]);
      }
    }
    if (shape.empty()) {
      shape = {1};
      inStrides = {1};
      outStrides = {1};
    }
  }

  /// Element offsets of the dimensions in `dims` at linear index `index`.
  void offsets(const Dims &dims, int64_t index, int64_t &in,
               int64_t &out) const {
    in = out = 0;
    for (size_t i = dims.size(); i-- > 0;) {
      size_t d = size_t(dims[i]);
      in += index % shape[d] * inStrides[d];
      out += index % shape[d] * outStrides[d];
      index /= shape[d];
    }
  }
};

template <typename T>
void copyLine(const char *from, int64_t inStride, char *to, int64_t outStride,
              int64_t count) {
  const T *source = reinterpret_cast<const T *>(from);
  T *target = reinterpret_cast<T *>(to);
  if (inStride == 0 && outStride == 1) {
    std::fill(target, target + count, *source);
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    target[i * outStride] = source[i * inStride];
}

void copyLine(int64_t bytes, const char *from, int64_t inStride, char *to,
              int64_t outStride, int64_t count) {
  if (inStride == 1 && outStride == 1)
    std::memcpy(to, from, size_t(count * bytes));
  else if (bytes == 4)
    copyLine<uint32_t>(from, inStride, to, outStride, count);
  else if (bytes == 2)
    copyLine<uint16_t>(from, inStride, to, outStride, count);
  else if (bytes == 1)
    copyLine<uint8_t>(from, inStride, to, outStride, count);
  else
    copyLine<uint64_t>(from, inStride, to, outStride, count);
}

/// Lines along the last dimension.
void copyLines(const Copy &copy, const char *in, char *out, int64_t bytes) {
  size_t last = copy.shape.size() - 1;
  Dims outer;
  int64_t lines = 1;
  for (size_t d = 0; d < last; ++d) {
    outer.push_back(int64_t(d));
    lines *= copy.shape[d];
  }
  int64_t n = copy.shape[last];
  if (lines * n == 0)
    return;
  int64_t inStride = copy.inStrides[last], outStride = copy.outStrides[last];
  int64_t piece = std::min(n, grainFor(bytes));
  int64_t pieces = (n + piece - 1) / piece;
  parallelFor(0, lines * pieces, grainFor(piece * bytes),
              [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; ++i) {
                  int64_t first = i % pieces * piece, from, to;
                  copy.offsets(outer, i / pieces, from, to);
                  copyLine(bytes, in + (from + first * inStride) * bytes,
                           inStride, out + (to + first * outStride) * bytes,
                           outStride, std::min(piece, n - first));
                }
              });
}

template <typename T>
void transposeScalar(const void *source, int64_t sourceStride, int64_t rows,
                     int64_t cols, void *target, int64_t targetStride) {
  const T *from = static_cast<const T *>(source);
  T *to = static_cast<T *>(target);
  for (int64_t c = 0; c < cols; ++c)
    for (int64_t r = 0; r < rows; ++r)
      to[c * targetStride + r] = from[r * sourceStride + c];
}

/// `fast` is contiguous in the input, the last dimension in the output: squares
/// of the two are transposed.
void copyTransposed(const Copy &copy, size_t fast, const char *in, char *out,
                    int64_t bytes) {
  const KernelTable &table = kernelTable();
  auto transposeBlock = bytes == 4   ? table.transpose4
                        : bytes == 2 ? table.transpose2
                        : bytes == 1 ? transposeScalar<uint8_t>
                                     : transposeScalar<uint64_t>;
  size_t last = copy.shape.size() - 1;
  Dims outer;
  int64_t matrices = 1;
  for (size_t d = 0; d < last; ++d)
    if (d != fast) {
      outer.push_back(int64_t(d));
      matrices *= copy.shape[d];
    }
  int64_t rows = copy.shape[last], cols = copy.shape[fast];
  int64_t rowBlocks = (rows + kTransposeBlock - 1) / kTransposeBlock;
  int64_t colBlocks = (cols + kTransposeBlock - 1) / kTransposeBlock;
  int64_t blockBytes =
      bytes * std::min(rows, kTransposeBlock) * std::min(cols, kTransposeBlock);
  parallelFor(0, matrices * rowBlocks * colBlocks, grainFor(blockBytes),
              [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; ++i) {
                  int64_t r = i % rowBlocks * kTransposeBlock;
                  int64_t c = i / rowBlocks % colBlocks * kTransposeBlock, from,
                          to;
                  copy.offsets(outer, i / (rowBlocks * colBlocks), from, to);
                  transposeBlock(
                      in + (from + r * copy.inStrides[last] + c) * bytes,
                      copy.inStrides[last], std::min(kTransposeBlock, rows - r),
                      std::min(kTransposeBlock, cols - c),
                      out + (to + c * copy.outStrides[fast] + r) * bytes,
                      copy.outStrides[fast]);
                }
              });
}

void copyStrided(std::span<const int64_t> shape, const void *in,
                 std::span<const int64_t> inStrides, void *out,
                 std::span<const int64_t> outStrides, int64_t bytes) {
  Copy copy(shape, inStrides, outStrides);
  const char *from = static_cast<const char *>(in);
  char *to = static_cast<char *>(out);
  size_t last = copy.shape.size() - 1;
  if (copy.outStrides[last] == 1 && copy.inStrides[last] > 1)
    for (size_t d = 0; d < last; ++d)
      if (copy.inStrides[d] == 1)
        return copyTransposed(copy, d, from, to, bytes);
  copyLines(copy, from, to, bytes);
}

const char *at(const void *data, int64_t bytes) {
  return static_cast<const char *>(data) + bytes;
}
char *at(void *data, int64_t bytes) {
  return static_cast<char *>(data) + bytes;
}

} // namespace

void permute(const void *input, std::span<const int64_t> shape,
             std::span<const int64_t> permutation, int64_t elementBytes,
             void *output) {
  checkElement("permute", elementBytes);
  checkRank("permute", "dimensions in the permutation", shape.size(),
            permutation.size());
  if (volume("permute", shape) == 0)
    return;
  Dims inStrides = contiguousStrides(shape), outShape, strides;
  std::vector<bool> seen(shape.size());
  for (int64_t dim : permutation) {
    if (dim < 0 || dim >= int64_t(shape.size()) || seen[size_t(dim)])
      fail("permute: expected a permutation of 0.." +
           std::to_string(int64_t(shape.size()) - 1) + ", found " +
           shapeText(permutation));
    seen[size_t(dim)] = true;
    outShape.push_back(shape[size_t(dim)]);
    strides.push_back(inStrides[size_t(dim)]);
  }
  copyStrided(outShape, input, strides, output, contiguousStrides(outShape),
              elementBytes);
}

void transpose(const void *input, std::span<const int64_t> shape, int64_t dim0,
               int64_t dim1, int64_t elementBytes, void *output) {
  int64_t rank = int64_t(shape.size());
  if (dim0 < 0 || dim0 >= rank || dim1 < 0 || dim1 >= rank)
    fail("transpose: expected dimensions in [0, " + std::to_string(rank) +
         "), found " + std::to_string(dim0) + " and " + std::to_string(dim1));
  Dims permutation(shape.size());
  for (size_t d = 0; d < shape.size(); ++d)
    permutation[d] = int64_t(d);
  std::swap(permutation[size_t(dim0)], permutation[size_t(dim1)]);
  permute(input, shape, permutation, elementBytes, output);
}

void concat(std::span<const void *const> inputs,
            std::span<const std::span<const int64_t>> shapes, int64_t dim,
            int64_t elementBytes, void *output) {
  checkElement("concat", elementBytes);
  checkRank("concat", "shapes", inputs.size(), shapes.size());
  if (inputs.empty())
    fail("concat: expected at least one input, found none");
  Dims outShape(shapes[0].begin(), shapes[0].end());
  if (dim < 0 || dim >= int64_t(outShape.size()))
    fail("concat: expected a dimension in [0, " +
         std::to_string(outShape.size()) + "), found " + std::to_string(dim));
  outShape[size_t(dim)] = 0;
  for (std::span<const int64_t> shape : shapes) {
    checkRank("concat", "dimensions", outShape.size(), shape.size());
    for (size_t d = 0; d < shape.size(); ++d)
      if (int64_t(d) != dim && shape[d] != outShape[d])
        fail("concat: expected shapes that agree but for dimension " +
             std::to_string(dim) + ", found " + shapeText(shapes[0]) + " and " +
             shapeText(shape));
    volume("concat", shape);
    outShape[size_t(dim)] += shape[size_t(dim)];
  }
  Dims outStrides = contiguousStrides(outShape);
  int64_t offset = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    copyStrided(shapes[i], inputs[i], contiguousStrides(shapes[i]),
                at(output, offset * elementBytes), outStrides, elementBytes);
    offset += shapes[i][size_t(dim)] * outStrides[size_t(dim)];
  }
}

void slice(const void *input, std::span<const int64_t> shape,
           std::span<const int64_t> begin, std::span<const int64_t> end,
           std::span<const int64_t> step, int64_t elementBytes, void *output) {
  checkElement("slice", elementBytes);
  checkRank("slice", "begins", shape.size(), begin.size());
  checkRank("slice", "ends", shape.size(), end.size());
  checkRank("slice", "steps", shape.size(), step.size());
  volume("slice", shape);
  Dims strides = contiguousStrides(shape), outShape;
  int64_t offset = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (begin[d] < 0 || begin[d] > end[d] || end[d] > shape[d] || step[d] < 1)
      fail("slice: expected 0 <= begin <= end <= " + std::to_string(shape[d]) +
           " and step >= 1 in dimension " + std::to_string(d) +
           ", found begin " + std::to_string(begin[d]) + ", end " +
           std::to_string(end[d]) + ", step " + std::to_string(step[d]));
    offset += begin[d] * strides[d];
    strides[d] *= step[d];
    outShape.push_back((end[d] - begin[d] + step[d] - 1) / step[d]);
  }
  copyStrided(outShape, at(input, offset * elementBytes), strides, output,
              contiguousStrides(outShape), elementBytes);
}

void pad(const void *input, std::span<const int64_t> shape,
         std::span<const int64_t> low, std::span<const int64_t> high,
         const void *value, int64_t elementBytes, void *output) {
  checkElement("pad", elementBytes);
  checkRank("pad", "low paddings", shape.size(), low.size());
  checkRank("pad", "high paddings", shape.size(), high.size());
  volume("pad", shape);
  Dims outShape;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (low[d] < 0 || high[d] < 0)
      fail("pad: expected paddings of at least 0, found low " + shapeText(low) +
           ", high " + shapeText(high));
    outShape.push_back(low[d] + shape[d] + high[d]);
  }
  Dims outStrides = contiguousStrides(outShape), zero(shape.size(), 0);
  copyStrided(outShape, value, zero, output, outStrides, elementBytes);
  int64_t offset = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    offset += low[d] * outStrides[d];
  copyStrided(shape, input, contiguousStrides(shape),
              at(output, offset * elementBytes), outStrides, elementBytes);
}

void broadcastTo(const void *input, std::span<const int64_t> shape,
                 std::span<const int64_t> resultShape, int64_t elementBytes,
                 void *output) {
  checkElement("broadcast", elementBytes);
  volume("broadcast", resultShape);
  Dims strides(resultShape.size());
  if (!broadcastStrides(shape, resultShape, strides))
    fail("broadcast: expected a shape that broadcasts to " +
         shapeText(resultShape) + ", found " + shapeText(shape));
  copyStrided(resultShape, input, strides, output,
              contiguousStrides(resultShape), elementBytes);
}

void repeat(const void *input, std::span<const int64_t> shape,
            std::span<const int64_t> repeats, int64_t elementBytes,
            void *output) {
  checkElement("repeat", elementBytes);
  checkRank("repeat", "repeats", shape.size(), repeats.size());
  volume("repeat", shape);
  volume("repeat", repeats);
  // Each dimension becomes two: which copy, and where in it.
  Dims inStrides = contiguousStrides(shape), outShape, strides;
  for (size_t d = 0; d < shape.size(); ++d) {
    outShape.push_back(repeats[d]);
    outShape.push_back(shape[d]);
    strides.push_back(0);
    strides.push_back(inStrides[d]);
  }
  copyStrided(outShape, input, strides, output, contiguousStrides(outShape),
              elementBytes);
}

} // namespace tt::runtime::numerics
