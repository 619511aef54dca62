#include "TestSupport.h"

#include "mlir/IR/Builders.h"

#include <set>

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::test;

namespace {

struct LayoutTest : public TTTest {
  Type f32() { return Builder(&context).getF32Type(); }
  Type tile(DataType dataType = DataType::Float32) {
    return TileType::get(&context, {32, 32}, dataType);
  }
  GridAttr grid(ArrayRef<int64_t> shape) {
    return GridAttr::get(&context, shape);
  }
  std::string linear(ArrayRef<int64_t> shape, unsigned gridRank,
                     LayoutAttr::CollapseIntervals intervals = {{0, -1}}) {
    LayoutAttr layout =
        LayoutAttr::get(&context, shape, f32(), MemorySpace::System,
                        GridAttr::get(&context, gridRank), intervals);
    return toString(layout.getLinear());
  }
  /// Null and an error, or a layout, for arguments that may not fit.
  LayoutAttr checked(ArrayRef<int64_t> shape, Type type, GridAttr grid,
                     LayoutAttr::CollapseIntervals intervals = {{0, -1}}) {
    error.clear();
    return LayoutAttr::getChecked(emitError(), &context, shape, type,
                                  MemorySpace::DeviceL1, grid, intervals,
                                  OOBVal::Undef, TensorMemoryLayout::None);
  }
};

TEST_F(LayoutTest, LinearMapsOfTheDocumentation) {
  EXPECT_EQ(linear({2, 3, 64, 128}, 2),
            "(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)");
  EXPECT_EQ(linear({128}, 2), "(d0) -> (0, d0)");
  EXPECT_EQ(linear({2, 3, 64, 128}, 3, {{1, -1}}),
            "(d0, d1, d2, d3) -> (d0, d1 * 64 + d2, d3)");
  EXPECT_EQ(linear({2, 3, 64, 128}, 3, {{0, 2}}),
            "(d0, d1, d2, d3) -> (d0 * 3 + d1, d2, d3)");
  EXPECT_EQ(linear({2, 3, 5, 7, 11, 13, 17}, 4, {{0, 3}, {-3, -1}}),
            "(d0, d1, d2, d3, d4, d5, d6) -> (d0 * 15 + d1 * 5 + d2, d3, "
            "d4 * 13 + d5, d6)");
  EXPECT_EQ(linear({1, 32, 32}, 2), "(d0, d1, d2) -> (d0 * 32 + d1, d2)");
  EXPECT_EQ(linear({8, 96, 32}, 3), "(d0, d1, d2) -> (d0 * 96 + d1, d1, d2)");
  EXPECT_EQ(linear({5, 3, 2, 2, 7, 32, 32}, 4),
            "(d0, d1, d2, d3, d4, d5, d6) -> (d0 * 2688 + d1 * 896 + d2 * 448 "
            "+ d3 * 224 + d4 * 32 + d5, d4, d5, d6)");
  EXPECT_EQ(linear({}, 2), "() -> (0, 0)");
  EXPECT_EQ(linear({4, 5}, 3), "(d0, d1) -> (0, d0, d1)");
}

TEST_F(LayoutTest, ShardsOfTheDocumentation) {
  auto shard = [&](ArrayRef<int64_t> shape, ArrayRef<int64_t> gridShape,
                   Type type, LayoutAttr::CollapseIntervals intervals) {
    return LayoutAttr::get(&context, shape, type, MemorySpace::DeviceL1,
                           grid(gridShape), intervals)
        .getShardShape(/*convertTileToScalar=*/false);
  };
  EXPECT_EQ(shard({2, 3, 64, 128}, {2, 4}, f32(), {{0, -1}}), Shape({192, 32}));
  EXPECT_EQ(shard({8, 300}, {1, 2}, f32(), {{0, -1}}), Shape({8, 150}));
  EXPECT_EQ(shard({8, 96, 32}, {2, 1, 2}, f32(), {{0, -1}}),
            Shape({384, 96, 16}));
  EXPECT_EQ(shard({5, 3, 2, 2, 7, 32, 32}, {3, 2, 2, 2}, f32(), {{0, -1}}),
            Shape({4480, 4, 16, 16}));
  EXPECT_EQ(shard({53, 63}, {3, 2}, f32(), {{0, -1}}), Shape({18, 32}));
  EXPECT_EQ(shard({53, 63}, {3, 2}, tile(), {{0, -1}}), Shape({1, 1}));
  EXPECT_EQ(shard({3, 64, 128}, {3, 2}, tile(), {{0, -1}}), Shape({2, 2}));
  EXPECT_EQ(shard({2, 3, 64, 128}, {2, 2, 4}, tile(), {{1, -1}}),
            Shape({1, 3, 1}));
}

TEST_F(LayoutTest, StrideOfTheDocumentation) {
  LayoutAttr layout = LayoutAttr::get(&context, {2, 3, 64, 128}, f32(),
                                      MemorySpace::System, grid({1, 1}));
  EXPECT_EQ(layout.getStride({2, 3, 64, 128}), Shape({24576, 8192, 128, 1}));
}

/// The physical shape is the box around all elements, the stride leads from the
/// origin to every element, and no two elements share a place.
TEST_F(LayoutTest, PhysicalSpaceHoldsEveryElementOnce) {
  for (int round = 0; round < 300; ++round) {
    int64_t rank = uniform(1, 5);
    Shape shape = randomShape(rank, 7);
    int64_t gridRank = uniform(2, std::max<int64_t>(2, rank));
    Shape gridShape = randomShape(gridRank, 5);
    // With as many grid dimensions as groups: collapse a leading interval.
    int64_t end = rank >= gridRank ? rank - gridRank + 1 : 0;
    LayoutAttr layout =
        LayoutAttr::get(&context, shape, f32(), MemorySpace::DeviceL1,
                        grid(gridShape), {{0, end}});
    Shape box(gridRank, 0);
    std::set<std::vector<int64_t>> places;
    Shape stride = layout.getStride(shape);
    Shape physical = layout.getPhysicalShape(shape);
    int64_t elements = 0;
    forEachIndex(shape, [&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> point = layout.getLinear().compose(index);
      int64_t offset = 0, viaStride = 0;
      for (int64_t g = 0; g < gridRank; ++g) {
        box[g] = std::max(box[g], point[g] + 1);
        offset = offset * physical[g] + point[g];
      }
      for (int64_t d = 0; d < rank; ++d)
        viaStride += index[d] * stride[d];
      EXPECT_EQ(offset, viaStride);
      places.insert({point.begin(), point.end()});
      ++elements;
    });
    EXPECT_EQ(physical, box);
    EXPECT_EQ(static_cast<int64_t>(places.size()), elements);
    Shape shard = layout.getShardShape();
    for (int64_t g = 0; g < gridRank; ++g) {
      EXPECT_GE(shard[g] * gridShape[g], box[g]);
      EXPECT_LT((shard[g] - 1) * gridShape[g], box[g]);
    }
  }
}

TEST_F(LayoutTest, TilesHoldEveryElement) {
  for (int round = 0; round < 60; ++round) {
    Shape shape = {uniform(1, 3), uniform(1, 90), uniform(1, 90)};
    Shape gridShape = randomShape(2, 4);
    LayoutAttr layout = LayoutAttr::get(&context, shape, tile(),
                                        MemorySpace::DeviceL1, grid(gridShape));
    Shape box(2, 0);
    forEachIndex(shape, [&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> point = layout.getLinear().compose(index);
      box[0] = std::max(box[0], point[0] / 32 + 1);
      box[1] = std::max(box[1], point[1] / 32 + 1);
    });
    EXPECT_EQ(layout.getTiledShape(shape), box);
    EXPECT_TRUE(layout.isTiled());
    EXPECT_TRUE(layout.getIdentityTileLinearMap().isIdentity());
    EXPECT_EQ(layout.getIdentityTileLinearMap().getNumDims(), 2u);
  }
}

TEST_F(LayoutTest, DerivedLayouts) {
  LayoutAttr scalar = LayoutAttr::get(&context, {53, 63}, f32(),
                                      MemorySpace::System, grid({3, 2}));
  LayoutAttr tiled = scalar.withElementType(tile(DataType::BFP_BFloat8));
  EXPECT_EQ(toString(tiled),
            "#tt.layout<(d0, d1) -> (d0, d1), undef, <3x2>, "
            "memref<1x1x!tt.tile<32x32, bfp_bf8>, #tt.memory_space<system>>>");
  EXPECT_EQ(tiled.getShardShape(), Shape({32, 32}));
  EXPECT_EQ(tiled.getScalarElementType(), Builder(&context).getBF16Type());
  EXPECT_EQ(tiled.getElementSizeBytes(), 1024u);
  EXPECT_EQ(tiled.getElementStorageSizeBytes(), 1088u);
  EXPECT_EQ(tiled.withElementType(f32()).getMemref().getShape(),
            ArrayRef<int64_t>({32, 32}));
  LayoutAttr moved = scalar.withMemorySpace(MemorySpace::DeviceDRAM)
                         .withMemoryLayout(TensorMemoryLayout::Interleaved);
  EXPECT_EQ(toString(moved),
            "#tt.layout<(d0, d1) -> (d0, d1), undef, <3x2>, memref<18x32xf32, "
            "#tt.memory_space<dram>>, interleaved>");
  EXPECT_TRUE(moved.isDeviceMemorySpace());
  EXPECT_EQ(moved.withGrid({53, 63}, grid({1, 1})).getShardShape(),
            Shape({53, 63}));
  EXPECT_EQ(moved.withGrid({53, 63}, grid({1, 1})).getMemLayout(),
            TensorMemoryLayout::Interleaved);
}

TEST_F(LayoutTest, ArgumentsThatDoNotFit) {
  EXPECT_FALSE(checked({2, 3, 4}, f32(), grid({1})));
  EXPECT_NE(error.find("2 collapsed dimensions do not fit a grid of rank 1"),
            std::string::npos);
  EXPECT_FALSE(checked({2, 3, 4}, f32(), grid({1, 1}), {{1, -1}}));
  EXPECT_FALSE(checked({2, 3, 4}, f32(), grid({1, 1}), {{0, 4}}));
  EXPECT_NE(error.find("expected ascending collapse intervals inside [0, 3)"),
            std::string::npos);
  EXPECT_FALSE(checked({2, 3, 4}, f32(), grid({1, 1}), {{1, 3}, {0, 2}}));
  EXPECT_FALSE(checked({32}, tile(), grid({1})));
  EXPECT_NE(error.find("expected a grid of rank >= 2 for tiles"),
            std::string::npos);
  EXPECT_FALSE(checked({ShapedType::kDynamic, 3}, f32(), grid({1, 1})));
  EXPECT_FALSE(
      checked({2, 3}, FunctionType::get(&context, {}, {}), grid({1, 1})));
  EXPECT_TRUE(checked({0, 3}, f32(), grid({1, 1})));
  EXPECT_TRUE(checked({}, f32(), grid({1, 1})));
  EXPECT_TRUE(checked({}, f32(), GridAttr()));
  EXPECT_EQ(error, "");
}

TEST_F(LayoutTest, TileSizes) {
  auto sizes = [&](ArrayRef<int64_t> shape, DataType dataType) {
    TileType type = TileType::get(&context, shape, dataType);
    return std::pair(type.getSizeBytes(), type.getStorageSizeBytes());
  };
  using Sizes = std::pair<uint64_t, uint64_t>;
  EXPECT_EQ(sizes({32, 32}, DataType::Float32), Sizes(4096, 4096));
  EXPECT_EQ(sizes({16, 32}, DataType::BFloat16), Sizes(1024, 1024));
  EXPECT_EQ(sizes({4, 16}, DataType::UInt8), Sizes(64, 64));
  EXPECT_EQ(sizes({32, 32}, DataType::BFP_Float8), Sizes(1024, 1088));
  EXPECT_EQ(sizes({32, 32}, DataType::BFP_BFloat4), Sizes(512, 576));
  EXPECT_EQ(sizes({32, 32}, DataType::BFP_BFloat2), Sizes(256, 320));
}

TEST_F(LayoutTest, ElementTypes) {
  Builder b(&context);
  EXPECT_EQ(elementTypeToDataType(b.getF32Type()), DataType::Float32);
  EXPECT_EQ(elementTypeToDataType(b.getF16Type()), DataType::Float16);
  EXPECT_EQ(elementTypeToDataType(b.getBF16Type()), DataType::BFloat16);
  EXPECT_EQ(elementTypeToDataType(b.getIntegerType(32, /*isSigned=*/false)),
            DataType::UInt32);
  EXPECT_EQ(elementTypeToDataType(b.getIntegerType(32, /*isSigned=*/true)),
            DataType::Int32);
  EXPECT_EQ(dataTypeToElementType(&context, DataType::Int32),
            b.getIntegerType(32, /*isSigned=*/true));
  for (bool isSigned : {false, true}) {
    EXPECT_EQ(elementTypeToDataType(b.getIntegerType(16, isSigned)),
              isSigned ? DataType::Int16 : DataType::UInt16);
    EXPECT_EQ(elementTypeToDataType(b.getIntegerType(8, isSigned)),
              isSigned ? DataType::Int8 : DataType::UInt8);
  }
  EXPECT_EQ(elementTypeToDataType(b.getI32Type()), DataType::UInt32);
  EXPECT_EQ(elementTypeToDataType(tile(DataType::BFP_Float2)),
            DataType::BFP_Float2);
  EXPECT_EQ(elementTypeToDataType(b.getF64Type()), std::nullopt);
  EXPECT_EQ(elementTypeToDataType(b.getI1Type()), std::nullopt);
  EXPECT_EQ(elementTypeToDataType(b.getIndexType()), std::nullopt);
  EXPECT_EQ(dataTypeToElementType(&context, DataType::BFP_Float4),
            b.getF16Type());
  EXPECT_EQ(dataTypeToElementType(&context, DataType::UInt8),
            b.getIntegerType(8));
}

TEST_F(LayoutTest, Constraints) {
  EXPECT_TRUE(allowsMemorySpace(OperandConstraint::Any, MemorySpace::System));
  EXPECT_FALSE(
      allowsMemorySpace(OperandConstraint::AnyDevice, MemorySpace::System));
  EXPECT_FALSE(allowsMemorySpace(OperandConstraint::L1BlockSharded,
                                 MemorySpace::DeviceDRAM));
  EXPECT_TRUE(allowsMemoryLayout(OperandConstraint::L1BlockSharded,
                                 TensorMemoryLayout::BlockSharded));
  EXPECT_FALSE(allowsMemoryLayout(OperandConstraint::L1BlockSharded,
                                  TensorMemoryLayout::Interleaved));
}

} // namespace
