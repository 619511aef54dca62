// StableHLO's gather and the gradient of a look-up against their definition.
#include "numerics/gather.h"
#include "indices.h"
#include "support.h"

#include <algorithm>
#include <stdexcept>

using namespace tt::runtime::numerics;
using namespace tt::runtime::numerics::test;

namespace {

bool has(const Shape &dims, int64_t dim) {
  return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

/// Element by element, as the specification says.
std::vector<uint16_t> reference(const std::vector<uint16_t> &operand,
                                const Shape &shape,
                                const std::vector<uint32_t> &indices,
                                const Shape &indexShape, const GatherDims &g,
                                const Shape &outShape) {
  std::vector<uint16_t> out;
  for (int64_t i = 0; i < volumeOf(outShape); ++i) {
    const Shape result = indexOf(outShape, i);
    Shape batch, offset;
    for (size_t d = 0; d < result.size(); ++d)
      (has(g.offsetDims, int64_t(d)) ? offset : batch).push_back(result[d]);
    Shape at(shape.size(), 0);
    for (size_t c = 0; c < g.startIndexMap.size(); ++c) {
      Shape index = batch;
      if (g.indexVectorDim < int64_t(indexShape.size()))
        index.insert(index.begin() + g.indexVectorDim, int64_t(c));
      at[size_t(g.startIndexMap[c])] =
          indices[size_t(offsetOf(indexShape, index))];
    }
    for (size_t b = 0; b < g.operandBatchingDims.size(); ++b) {
      const int64_t of = g.startIndicesBatchingDims[b];
      at[size_t(g.operandBatchingDims[b])] =
          batch[size_t(of < g.indexVectorDim ? of : of - 1)];
    }
    size_t next = 0;
    for (size_t d = 0; d < shape.size(); ++d)
      if (!has(g.collapsedSliceDims, int64_t(d)) &&
          !has(g.operandBatchingDims, int64_t(d)))
        at[d] += offset[next++];
    out.push_back(operand[size_t(offsetOf(shape, at))]);
  }
  return out;
}

struct GatherCase {
  Shape operand, indices;
  GatherDims dims;
  Shape out;
};
const GatherCase kGathers[] = {
    // Rows of a table.
    {{10, 6}, {4, 1}, {{1}, {0}, {}, {}, {0}, 1, {1, 6}}, {4, 6}},
    // The same with implicit index vectors.
    {{10, 6}, {4}, {{1}, {0}, {}, {}, {0}, 1, {1, 6}}, {4, 6}},
    // Columns, offsets before the batch.
    {{10, 6}, {3, 2, 1}, {{0}, {1}, {}, {}, {1}, 2, {10, 1}}, {10, 3, 2}},
    // Single elements by coordinates in reverse.
    {{7, 9}, {5, 2}, {{}, {0, 1}, {}, {}, {1, 0}, 1, {1, 1}}, {5}},
    // Windows of a volume, index vectors in the first dimension.
    {{6, 5, 8},
     {2, 3},
     {{1, 2, 3}, {}, {}, {}, {0, 2}, 0, {2, 5, 4}},
     {3, 2, 5, 4}},
    // One dynamic slice.
    {{6, 5, 8},
     {3},
     {{0, 1, 2}, {}, {}, {}, {0, 1, 2}, 0, {2, 3, 4}},
     {2, 3, 4}},
    // Offsets around the batch.
    {{4, 9, 5}, {6, 1}, {{0, 2}, {1}, {}, {}, {1}, 1, {4, 1, 5}}, {4, 6, 5}},
    // Batching dimensions.
    {{3, 8, 4}, {3, 5, 1}, {{2}, {1}, {0}, {0}, {1}, 2, {1, 1, 4}}, {3, 5, 4}},
    {{2, 3, 8},
     {3, 6, 2, 1},
     {{}, {2}, {0, 1}, {2, 0}, {2}, 3, {1, 1, 1}},
     {3, 6, 2}},
};

TEST(Gather, IsTheSpecification) {
  for (const GatherCase &c : kGathers) {
    ASSERT_EQ(gatherShape(c.operand, c.indices, c.dims), c.out);
    std::vector<uint16_t> operand(size_t(volumeOf(c.operand)));
    for (size_t i = 0; i < operand.size(); ++i)
      operand[i] = uint16_t(i);
    // Coordinate c of every index vector stays in its range.
    std::vector<uint32_t> indices(size_t(volumeOf(c.indices)));
    std::mt19937 random(3);
    for (size_t i = 0; i < indices.size(); ++i) {
      const Shape at = indexOf(c.indices, int64_t(i));
      const size_t coordinate =
          c.dims.indexVectorDim < int64_t(c.indices.size())
              ? size_t(at[size_t(c.dims.indexVectorDim)])
              : 0;
      const auto dim = size_t(c.dims.startIndexMap[coordinate]);
      indices[i] = uint32_t(random()) %
                   uint32_t(c.operand[dim] - c.dims.sliceSizes[dim] + 1);
    }
    std::vector<uint16_t> found(size_t(volumeOf(c.out)));
    gather(operand.data(), c.operand, DType::U32, indices.data(), c.indices,
           c.dims, 2, found.data());
    ASSERT_EQ(found,
              reference(operand, c.operand, indices, c.indices, c.dims, c.out));
  }
}

TEST(Gather, OutOfRangeIsAnError) {
  const float operand[10] = {};
  float out[4];
  const GatherDims dims{{1}, {}, {}, {}, {0}, 1, {4}};
  const int32_t good[] = {6}, far[] = {7}, negative[] = {-1};
  gather(operand, Shape{10}, DType::I32, good, Shape{1, 1}, dims, 4, out);
  for (const int32_t *bad : {far, negative})
    EXPECT_THROW(
        gather(operand, Shape{10}, DType::I32, bad, Shape{1, 1}, dims, 4, out),
        std::out_of_range);
}

TEST(Gather, AttributesThatDoNotFit) {
  const Shape operand{10, 6}, indices{4, 1};
  const GatherDims good{{1}, {0}, {}, {}, {0}, 1, {1, 6}};
  EXPECT_EQ(gatherShape(operand, indices, good), (Shape{4, 6}));
  const auto bad = [&](auto edit) {
    GatherDims dims = good;
    edit(dims);
    EXPECT_THROW(gatherShape(operand, indices, dims), std::invalid_argument);
  };
  bad([](GatherDims &d) { d.offsetDims = {2}; });
  bad([](GatherDims &d) { d.offsetDims = {}; });
  bad([](GatherDims &d) { d.collapsedSliceDims = {2}; });
  bad([](GatherDims &d) { d.collapsedSliceDims = {}; });
  bad([](GatherDims &d) { d.startIndexMap = {0, 1}; });
  bad([](GatherDims &d) { d.startIndexMap = {-1}; });
  bad([](GatherDims &d) { d.indexVectorDim = 3; });
  bad([](GatherDims &d) { d.indexVectorDim = -1; });
  bad([](GatherDims &d) { d.sliceSizes = {1, 7}; });
  bad([](GatherDims &d) { d.sliceSizes = {2, 6}; });
  bad([](GatherDims &d) { d.sliceSizes = {1}; });
  bad([](GatherDims &d) { d.operandBatchingDims = {0}; });
  bad([](GatherDims &d) {
    d.operandBatchingDims = {1};
    d.startIndicesBatchingDims = {0};
  });
}

class Scatter : public EachIsa {};
TT_EACH_ISA(Scatter);

TEST_P(Scatter, AddsRows) {
  constexpr int64_t kCount = 300, kRows = 40, kCols = 37;
  std::mt19937 random(4);
  std::vector<uint32_t> indices;
  for (int64_t i = 0; i < kCount; ++i)
    indices.push_back(uint32_t(random() % (kRows - 3)));
  for (DType type : {DType::F32, DType::BF16, DType::U8, DType::I32}) {
    std::vector<char> gradient = elementsOf(
        type, randomFloats(kCount * kCols, 12, type == DType::U8 ? 0 : -9, 9));
    std::vector<float> x = floatsOf(type, gradient.data(), kCount * kCols);
    std::vector<char> out(size_t(kRows * kCols * elementSize(type)), char(1));
    scatterAddRows(type, gradient.data(), kCols, DType::U32, indices.data(),
                   kCount, kRows, out.data());
    std::vector<float> found = floatsOf(type, out.data(), kRows * kCols);
    for (int64_t r = 0; r < kRows; ++r)
      for (int64_t c = 0; c < kCols; ++c) {
        double exact = 0;
        for (int64_t i = 0; i < kCount; ++i)
          if (indices[size_t(i)] == r)
            exact += x[size_t(i * kCols + c)];
        const float value = found[size_t(r * kCols + c)];
        if (isInteger(type))
          ASSERT_EQ(value, exact);
        else
          ASSERT_NEAR(value, exact,
                      1e-4 +
                          (type == DType::BF16 ? std::fabs(exact) / 256 : 0));
      }
  }
  const uint32_t far[] = {2};
  float one[1] = {}, two[2];
  EXPECT_THROW(scatterAddRows(DType::F32, one, 1, DType::U32, far, 1, 2, two),
               std::out_of_range);
}

} // namespace
