// Collectives against a loop over elements, and what they send over each link.
#include "mesh_support.h"

#include "numerics/parallel.h"

#include "testing/testing.h"

#include <cmath>

using namespace tt::runtime;
using namespace tt::runtime::test;
using numerics::DType;

namespace {

Collective along(CollectiveKind kind, const MeshShape &mesh, std::uint32_t axis,
                 std::int64_t dim = 0, ReduceKind reduce = ReduceKind::Sum) {
  Collective c;
  c.kind = kind;
  c.meshShape = mesh;
  c.groups = groupsAlong(mesh, axis);
  c.dim = c.concatDim = dim;
  c.reduce = reduce;
  return c;
}

Shape resultShape(const Collective &c, Shape shape) {
  if (c.kind == CollectiveKind::Permute)
    return shape;
  const auto size = std::int64_t(c.groups.front().size());
  std::int64_t &extent = shape[std::size_t(c.dim)];
  if (c.kind == CollectiveKind::AllGather)
    extent *= size;
  if (c.kind == CollectiveKind::ReduceScatter ||
      c.kind == CollectiveKind::Partition || c.kind == CollectiveKind::AllToAll)
    extent /= size;
  if (c.kind == CollectiveKind::AllToAll)
    shape[std::size_t(c.concatDim)] *= size;
  return shape;
}

struct Format {
  DType type;
  bool tiled;
};

/// Runs a collective and compares with the loop; returns the cost.
collectives::CollectiveCost check(TestMesh &mesh, const Collective &c,
                                  const Shape &shape, Format format,
                                  double tolerance = 0) {
  const Layout in =
      interleavedLayout(shape, format.type, format.tiled, mesh.geometry());
  const Layout out = interleavedLayout(resultShape(c, shape), format.type,
                                       format.tiled, mesh.geometry());
  const auto ins = placeAll(mesh, in), outs = allocateAll(mesh, out);
  std::vector<Values> values;
  for (const TensorPtr &tensor : ins)
    values.push_back(valuesOf(tensor));
  const auto cost = collectives::run(c, mesh.fabric, ins, outs);
  if (collectives::isLinear(c.kind)) {
    const auto estimate = collectives::estimate(
        c, mesh.fabric, mesh.geometry(), in, out, collectives::OperandTime());
    EXPECT_EQ(estimate.cycles, cost.cycles) << in.describe();
    EXPECT_EQ(estimate.bytes, cost.bytes) << in.describe();
  }
  const auto expected = expectedOf(c, shape, out.shape, values);
  for (std::uint32_t p = 0; p < mesh.size(); ++p) {
    const Values found = valuesOf(outs[p]);
    for (std::size_t i = 0; i < found.size(); ++i)
      if (!(std::abs(found[i] - expected[p][i]) <=
            tolerance * std::abs(expected[p][i]))) {
        ADD_FAILURE() << collectiveName(c.kind) << " of " << in.describe()
                      << " on mesh " << meshString(c.meshShape) << ", position "
                      << p << ", element " << i << ": expected "
                      << expected[p][i] << ", found " << found[i];
        return cost;
      }
  }
  return cost;
}

constexpr Format kBf16 = {DType::BF16, true};

struct MeshCase {
  const char *name;
  MeshShape shape;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> links; // none: t3000
  std::vector<int> ids;
};

const MeshCase kMeshes[] = {
    {"1x2", {1, 2}, lineLinks(2, false), {}},
    {"2x4", {2, 4}, {}, {}},
    {"1x8 ring", {1, 8}, {}, {0, 1, 2, 3, 7, 6, 5, 4}},
    {"1x8 line", {1, 8}, lineLinks(8, false), {}},
    {"8x1", {8, 1}, lineLinks(8, true), {}},
    {"1x5 ring", {1, 5}, lineLinks(5, true), {}},
    {"3x1 ring", {3, 1}, lineLinks(3, true), {}},
    {"1x6 ring", {1, 6}, lineLinks(6, true), {}},
    {"7x1 line", {7, 1}, lineLinks(7, false, 2), {}},
    {"2x3",
     {2, 3},
     {{0, 1}, {1, 2}, {3, 4}, {4, 5}, {0, 3}, {1, 4}, {2, 5}},
     {}},
};

SystemDesc systemOf(const MeshCase &m) {
  return m.links.empty() ? system_desc::getDefaultSystemDesc("t3000")
                         : linkedSystem(meshVolume(m.shape), m.links);
}

class OnMeshes : public testing::TestWithParam<MeshCase> {
protected:
  OnMeshes() : mesh(systemOf(GetParam()), GetParam().shape, GetParam().ids) {}
  TestMesh mesh;
  const MeshShape &shape = GetParam().shape;

  /// Calls body(axis, chips of a group) for the axes with several chips.
  template <typename Body> void forAxes(const Body &body) {
    for (std::uint32_t axis = 0; axis < shape.size(); ++axis)
      if (shape[axis] > 1)
        body(axis, std::int64_t(shape[axis]));
  }
};

INSTANTIATE_TEST_SUITE_P(Meshes, OnMeshes, testing::ValuesIn(kMeshes),
                         [](const auto &info) {
                           std::string name = info.param.name;
                           for (char &c : name)
                             c = c == ' ' ? '_' : c;
                           return name;
                         });

//===-- Values ------------------------------------------------------------===//

TEST_P(OnMeshes, gatherAndScatterOfWholeAndCutTiles) {
  for (const Format format :
       {kBf16, Format{DType::F32, true}, Format{DType::F32, false},
        Format{DType::I32, true}, Format{DType::F16, true},
        Format{DType::BFP8_B, true}})
    forAxes([&](std::uint32_t axis, std::int64_t n) {
      for (std::int64_t dim : {0, 1, 2}) {
        for (const Shape &part : {Shape{2, 32, 64}, Shape{3, 5, 7}}) {
          Shape whole = part;
          whole[std::size_t(dim)] *= n;
          check(mesh, along(CollectiveKind::AllGather, shape, axis, dim), part,
                format);
          check(mesh, along(CollectiveKind::ReduceScatter, shape, axis, dim),
                whole, format);
          check(mesh, along(CollectiveKind::Partition, shape, axis, dim), whole,
                format);
        }
      }
    });
}

TEST_P(OnMeshes, tensorsOfAnyRank) {
  forAxes([&](std::uint32_t axis, std::int64_t n) {
    for (const Shape &part : {Shape{5}, Shape{64}, Shape{2, 1, 3, 5},
                              Shape{1, 2, 3, 32, 32}, Shape{3, 2, 1, 2, 7}})
      for (std::int64_t dim = 0; dim < std::int64_t(part.size()); ++dim)
        for (const Format format : {kBf16, Format{DType::U8, false}}) {
          Shape whole = part;
          whole[std::size_t(dim)] *= n;
          check(mesh, along(CollectiveKind::AllGather, shape, axis, dim), part,
                format);
          check(mesh, along(CollectiveKind::ReduceScatter, shape, axis, dim),
                whole, format);
          auto c = along(CollectiveKind::AllToAll, shape, axis, dim);
          c.concatDim = std::int64_t(part.size()) - 1 - dim;
          check(mesh, c, whole, format);
        }
  });
}

TEST_P(OnMeshes, allReduceOfAnyShape) {
  forAxes([&](std::uint32_t axis, std::int64_t) {
    for (const ReduceKind kind :
         {ReduceKind::Sum, ReduceKind::Mean, ReduceKind::Max, ReduceKind::Min})
      for (const Shape &s : {Shape{64, 96}, Shape{5, 7}, Shape{3, 40, 33}}) {
        const auto c = along(CollectiveKind::AllReduce, shape, axis, 0, kind);
        check(mesh, c, s, {DType::F32, true},
              kind == ReduceKind::Mean ? 1e-7 : 0);
        check(mesh, c, s, {DType::BF16, false},
              kind == ReduceKind::Mean ? 1.0 / 256 : 0);
        if (kind != ReduceKind::Mean)
          check(mesh, c, s, {DType::U32, true});
      }
  });
}

TEST_P(OnMeshes, allToAllAndBroadcast) {
  forAxes([&](std::uint32_t axis, std::int64_t n) {
    for (std::int64_t split : {0, 1})
      for (std::int64_t join : {0, 1}) {
        auto c = along(CollectiveKind::AllToAll, shape, axis, split);
        c.concatDim = join;
        check(mesh, c, {32 * n, 32 * n}, kBf16);
        check(mesh, c, {3 * n, 5 * n}, kBf16);
        check(mesh, c, {3 * n, 5 * n}, {DType::F32, false});
      }
    check(mesh, along(CollectiveKind::Broadcast, shape, axis), {40, 40}, kBf16);
  });
}

TEST_P(OnMeshes, permuteSendsZerosToNobody) {
  Collective c;
  c.kind = CollectiveKind::Permute;
  c.meshShape = shape;
  for (std::uint32_t i = 0; i + 1 < mesh.size(); ++i)
    c.pairs.emplace_back(i, mesh.size() - 1 - i);
  const auto cost = check(mesh, c, {33, 70}, kBf16);
  std::uint64_t hops = 0;
  for (auto [from, to] : c.pairs)
    hops += mesh.fabric.route(from, to).size();
  EXPECT_EQ(cost.bytes, hops * 2 * 3 * 2048);
}

//===-- Bytes -------------------------------------------------------------===//

/// The most bytes of a link in one direction, and the sum over all.
std::pair<std::uint64_t, std::uint64_t>
bytesOf(const collectives::CollectiveCost &cost) {
  std::uint64_t most = 0;
  for (const EthernetUse &use : cost.use)
    most = std::max(most, use.bytes);
  return {most, cost.bytes};
}

TEST_P(OnMeshes, bytesAreTheFormulas) {
  forAxes([&](std::uint32_t axis, std::int64_t n) {
    const bool ring = mesh.fabric.wraps(axis);
    const std::uint64_t m = std::uint64_t(n), groups = mesh.size() / m;
    // 4n tiles, so that halves of slices are whole tiles.
    const std::uint64_t slice = 4 * 2048, total = m * slice;
    const auto gather =
        bytesOf(check(mesh, along(CollectiveKind::AllGather, shape, axis, 1),
                      {32, 128}, kBf16));
    EXPECT_EQ(gather.first, ring ? (m - 1) * slice / 2 : (m - 1) * slice);
    // Each chip's tensor reaches each other chip over one link more.
    EXPECT_EQ(gather.second, groups * m * (m - 1) * slice);
    const auto scatter = bytesOf(
        check(mesh, along(CollectiveKind::ReduceScatter, shape, axis, 1),
              {32, 128 * n}, kBf16));
    EXPECT_EQ(scatter, gather);
    const auto reduce =
        bytesOf(check(mesh, along(CollectiveKind::AllReduce, shape, axis),
                      {32, 128 * n}, kBf16));
    EXPECT_EQ(reduce.first, ring ? (m - 1) * slice : total);
    EXPECT_EQ(reduce.second, 2 * gather.second);
    const auto exchange =
        bytesOf(check(mesh, along(CollectiveKind::AllToAll, shape, axis, 1),
                      {32, 128 * n}, kBf16));
    EXPECT_EQ(exchange.first, m / 2 * (m - m / 2) * slice / (ring ? 2 : 1));
    const auto cast = bytesOf(check(
        mesh, along(CollectiveKind::Broadcast, shape, axis), {32, 128}, kBf16));
    EXPECT_EQ(cast.first, slice);
    EXPECT_EQ(cast.second, groups * (m - 1) * slice);
  });
}

TEST(Collectives, linksShareThePages) {
  const MeshShape shape = {1, 4};
  TestMesh mesh(linkedSystem(4, lineLinks(4, false, 2)), shape);
  for (const CollectiveKind kind :
       {CollectiveKind::AllGather, CollectiveKind::ReduceScatter,
        CollectiveKind::AllReduce, CollectiveKind::AllToAll,
        CollectiveKind::Broadcast}) {
    auto c = along(kind, shape, 1);
    const auto one = check(mesh, c, {32 * 64, 32}, kBf16);
    c.numLinks = 2;
    const auto two = check(mesh, c, {32 * 64, 32}, kBf16);
    EXPECT_EQ(one.bytes, two.bytes) << collectiveName(kind);
    EXPECT_EQ(one.use.size() * 2, two.use.size()) << collectiveName(kind);
    EXPECT_EQ(bytesOf(one).first, 2 * bytesOf(two).first);
    EXPECT_LT(two.cycles, one.cycles) << collectiveName(kind);
  }
}

TEST(Collectives, bytesOfAllToAllOnALine) {
  const MeshShape shape = {1, 8};
  TestMesh mesh(linkedSystem(8, lineLinks(8, false)), shape);
  const auto cost =
      check(mesh, along(CollectiveKind::AllToAll, shape, 1), {256, 32}, kBf16);
  // 4 chips send a tile to each of the 4 on the other side.
  EXPECT_EQ(bytesOf(cost).first, 4 * 4 * 2048);
  EXPECT_EQ(mesh.between(3, 4).bytes, 4 * 4 * 2048);
  EXPECT_EQ(mesh.between(0, 1).bytes, 7 * 2048);
}

TEST(Collectives, linesOfAReductionAreBalanced) {
  const MeshShape shape = {1, 4};
  TestMesh mesh(linkedSystem(4, lineLinks(4, false)), shape);
  check(mesh, along(CollectiveKind::AllReduce, shape, 1), {32, 128}, kBf16);
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(mesh.between(i, i + 1).bytes, 4 * 2048);
    EXPECT_EQ(mesh.between(i + 1, i).bytes, 4 * 2048);
  }
}

TEST(Collectives, blockFloatsTravelAsTheyAre) {
  const MeshShape shape = {1, 2};
  TestMesh mesh(linkedSystem(2, lineLinks(2, false)), shape);
  const auto c = along(CollectiveKind::AllGather, shape, 1, 1);
  const auto small = check(mesh, c, {32, 256}, {DType::BFP8_B, true});
  EXPECT_EQ(mesh.between(0, 1).bytes, 8 * 1088);
  // Four tiles fill a packet.
  EXPECT_EQ(mesh.between(0, 1).packets, 2);
  EXPECT_EQ(mesh.between(0, 1).wireBytes, 2 * (4352 + 48 + 3 * 50));
  const auto large = check(mesh, c, {32, 256}, kBf16);
  EXPECT_EQ(mesh.between(0, 1).bytes, 8 * 2048);
  EXPECT_EQ(mesh.between(0, 1).packets, 4);
  EXPECT_LT(small.cycles, large.cycles);
}

//===-- Bits --------------------------------------------------------------===//

std::vector<Values> randomTensors(std::uint32_t count, std::int64_t volume) {
  std::uint32_t state = 12345;
  std::vector<Values> tensors(count, Values(std::size_t(volume)));
  for (Values &values : tensors)
    for (float &x : values) {
      state = state * 1664525u + 1013904223u;
      x = (float(state >> 8) / float(1 << 23) - 1) * 3;
    }
  return tensors;
}

TEST_P(OnMeshes, allReduceHasTheSameBitsOnAllChips) {
  for (const DType type : {DType::BF16, DType::BFP8_B, DType::F16, DType::F32})
    forAxes([&](std::uint32_t axis, std::int64_t) {
      const auto c = along(CollectiveKind::AllReduce, shape, axis);
      const Layout l = interleavedLayout({96, 80}, type, true, mesh.geometry());
      const auto values = randomTensors(mesh.size(), l.volume());
      std::vector<TensorPtr> ins, twice;
      for (std::uint32_t p = 0; p < mesh.size(); ++p) {
        ins.push_back(place(mesh, p, l, values[p]));
        twice.push_back(place(mesh, p, l, values[p]));
      }
      const auto outs = allocateAll(mesh, l);
      collectives::run(c, mesh.fabric, ins, outs);
      numerics::setNumThreads(1);
      collectives::run(c, mesh.fabric, twice, twice); // in place
      numerics::setNumThreads(0);
      const auto sums = expectedOf(c, l.shape, l.shape, values);
      const double ulp = type == DType::F32    ? 1e-6
                         : type == DType::F16  ? 1e-3
                         : type == DType::BF16 ? 8e-3
                                               : 3e-2;
      for (const CollectiveGroup &group : c.groups) {
        const Values first = valuesOf(outs[group.front()]);
        for (std::uint32_t p : group) {
          EXPECT_EQ(valuesOf(outs[p]), first);
          EXPECT_EQ(valuesOf(twice[p]), first);
        }
        for (std::size_t i = 0; i < first.size(); ++i)
          ASSERT_NEAR(first[i], sums[group.front()][i], 24 * ulp);
      }
    });
}

/// NaN of any chip is the result; of 0 and -0 every chip has the same.
TEST_P(OnMeshes, extremesOfNaNAndZeros) {
  const float nan = std::nanf("");
  forAxes([&](std::uint32_t axis, std::int64_t n) {
    for (const ReduceKind kind : {ReduceKind::Max, ReduceKind::Min})
      for (const DType type : {DType::F32, DType::BF16}) {
        const auto c = along(CollectiveKind::AllReduce, shape, axis, 0, kind);
        const Layout l =
            interleavedLayout({1, 2 * n}, type, false, mesh.geometry());
        std::vector<TensorPtr> ins;
        for (std::uint32_t p = 0; p < mesh.size(); ++p) {
          Values values(std::size_t(2 * n), float(p));
          for (std::int64_t i = 0; i < n; ++i)
            values[std::size_t(i)] = (p + i) % 2 ? 0.0f : -0.0f;
          for (std::int64_t i = n; i < 2 * n; ++i)
            if (c.groups[0][std::size_t(i - n)] == p)
              values[std::size_t(i)] = nan;
          ins.push_back(place(mesh, p, l, values));
        }
        const auto outs = allocateAll(mesh, l);
        collectives::run(c, mesh.fabric, ins, outs);
        const Values first = valuesOf(outs[c.groups[0].front()]);
        for (std::uint32_t p : c.groups[0]) {
          const Values found = valuesOf(outs[p]);
          for (std::int64_t i = 0; i < n; ++i) {
            EXPECT_EQ(found[std::size_t(i)], 0);
            EXPECT_EQ(std::signbit(found[std::size_t(i)]),
                      std::signbit(first[std::size_t(i)]));
            EXPECT_TRUE(std::isnan(found[std::size_t(n + i)]));
          }
        }
      }
  });
}

/// What pads the tiles of block floats shares exponents with elements: a sum of
/// four paddings would cost them two bits.
TEST(Collectives, paddingCostsNothing) {
  const MeshShape shape = {1, 4};
  TestMesh mesh(linkedSystem(4, lineLinks(4, false)), shape);
  Layout l = interleavedLayout({40, 5}, DType::BFP8_B, true, mesh.geometry());
  l.padding = 1;
  std::vector<TensorPtr> ins;
  for (std::uint32_t p = 0; p < 4; ++p)
    ins.push_back(place(mesh, p, l, Values(200, p ? 0.0f : 1.0f / 64)));
  const auto outs = allocateAll(mesh, l);
  const auto c = along(CollectiveKind::AllReduce, shape, 1);
  collectives::run(c, mesh.fabric, ins, outs);
  EXPECT_EQ(valuesOf(outs[3]), Values(200, 1.0f / 64));
  collectives::run(c, mesh.fabric, ins, ins);
  EXPECT_EQ(valuesOf(ins[2]), Values(200, 1.0f / 64));
}

TEST(Collectives, orderOfASum) {
  // f32: (2^24 + 1) - 2^24 is 0 when it is rounded at each hop, in this order.
  const MeshShape shape = {1, 3};
  TestMesh mesh(linkedSystem(3, lineLinks(3, false)), shape);
  const Layout l =
      interleavedLayout({1, 3}, DType::F32, false, mesh.geometry());
  const float big = 16777216;
  std::vector<TensorPtr> ins = {place(mesh, 0, l, {big, big, 1}),
                                place(mesh, 1, l, {1, 1, 1}),
                                place(mesh, 2, l, {-big, -big, big})};
  const Layout one =
      interleavedLayout({1, 1}, DType::F32, false, mesh.geometry());
  const auto outs = allocateAll(mesh, one);
  collectives::run(along(CollectiveKind::ReduceScatter, shape, 1, 1),
                   mesh.fabric, ins, outs);
  EXPECT_EQ(valuesOf(outs[0])[0], big + (-big + 1)); // x0 + (x2 + x1)
  EXPECT_EQ(valuesOf(outs[1])[0], 0);                // (x0 + x1) + x2
  EXPECT_EQ(valuesOf(outs[2])[0], 2 + big);          // (x0 + x1) + x2
}

//===-- Places ------------------------------------------------------------===//

Layout sharded(const Shape &shape, DType type, bool tiled,
               const ChipGeometry &chip) {
  flatbuffers::FlatBufferBuilder fbb;
  namespace target = ::tt::target;
  const std::vector<int> extents(shape.begin(), shape.end());
  const std::vector<int> stride = {extents[1], 1};
  std::vector<int> shard = {(extents[0] + 1) / 2, (extents[1] + 1) / 2};
  if (tiled)
    shard = {(shard[0] + 31) / 32, (shard[1] + 31) / 32};
  const target::Dim2d tile(tiled ? 32 : 1, tiled ? 32 : 1);
  const std::int64_t unit =
      tiled ? numerics::kTileElements * 2 : numerics::elementSize(type);
  const std::vector<target::Dim2dRange> cores = {
      target::Dim2dRange(target::Dim2d(0, 0), target::Dim2d(2, 2))};
  auto memory = target::CreateMemoryDescDirect(
      fbb, &shard, &tile, target::DataType(type), target::MemorySpace::DeviceL1,
      target::TensorMemoryLayout::BlockSharded,
      std::uint64_t(shard[0] * shard[1] * unit));
  auto layout = target::CreateLayoutDescDirect(
      fbb, &stride, target::OOBVal::Undef, &cores, memory);
  fbb.Finish(target::CreateTensorDescDirect(fbb, &extents, layout));
  return readLayout(
      flatbuffers::GetRoot<target::TensorDesc>(fbb.GetBufferPointer()), chip);
}

TEST(Collectives, fromAnyPlaceToAnyPlace) {
  const MeshShape shape = {1, 2};
  TestMesh mesh(linkedSystem(2, lineLinks(2, false)), shape);
  const ChipGeometry &chip = mesh.geometry();
  const Shape in = {64, 64};
  for (const auto &c : {along(CollectiveKind::AllGather, shape, 1, 1),
                        along(CollectiveKind::AllReduce, shape, 1),
                        along(CollectiveKind::ReduceScatter, shape, 1, 0),
                        along(CollectiveKind::AllToAll, shape, 1, 1),
                        along(CollectiveKind::Broadcast, shape, 1),
                        along(CollectiveKind::Partition, shape, 1, 1)}) {
    const Shape out = resultShape(c, in);
    std::vector<Layout> from, to;
    for (const bool tiled : {true, false}) {
      from.push_back(interleavedLayout(in, DType::BF16, tiled, chip));
      from.push_back(sharded(in, DType::BF16, tiled, chip));
      to.push_back(interleavedLayout(out, DType::BF16, tiled, chip));
      to.push_back(sharded(out, DType::BF16, tiled, chip));
    }
    for (const Layout &a : from)
      for (const Layout &b : to) {
        const auto ins = placeAll(mesh, a), outs = allocateAll(mesh, b);
        std::vector<Values> values;
        for (const TensorPtr &tensor : ins)
          values.push_back(valuesOf(tensor));
        collectives::run(c, mesh.fabric, ins, outs);
        const auto expected = expectedOf(c, in, out, values);
        for (std::uint32_t p = 0; p < 2; ++p)
          EXPECT_EQ(valuesOf(outs[p]), expected[p])
              << collectiveName(c.kind) << " from " << a.describe() << " to "
              << b.describe();
      }
  }
}

TEST_P(OnMeshes, slicesAreSentWhileOthersAreComputed) {
  constexpr double kBegin = 3000, kEnd = 903000;
  for (const auto kind :
       {CollectiveKind::AllReduce, CollectiveKind::ReduceScatter})
    forAxes([&](std::uint32_t axis, std::int64_t count) {
      const auto c = along(kind, shape, axis);
      const std::int64_t rows = 32 * 64 * count;
      const auto layoutOf = [&](std::int64_t height) {
        return interleavedLayout({height, 512}, DType::BF16, true,
                                 mesh.geometry());
      };
      const Layout in = layoutOf(rows);
      const Layout out =
          layoutOf(kind == CollectiveKind::AllReduce ? rows : rows / count);
      const auto time = [&](collectives::OperandTime operand) {
        return collectives::estimate(c, mesh.fabric, mesh.geometry(), in, out,
                                     operand);
      };
      const auto alone = time({});
      // The start overlaps, all transfers are left.
      const auto whole = time({1, kBegin, kEnd});
      EXPECT_LT(whole.cycles, alone.cycles);
      EXPECT_EQ(whole.bytes, alone.bytes);
      // Of a long product, the transfer of the last slice is left.
      double before = whole.cycles;
      for (const std::uint32_t slices : {2, 4, 8}) {
        const auto some = time({slices, kBegin, kEnd * 100});
        EXPECT_EQ(some.bytes, alone.bytes);
        EXPECT_LT(some.cycles, before);
        EXPECT_GT(some.cycles, whole.cycles / slices);
        before = some.cycles;
      }
      // Behind a short one, links work no faster than they can.
      const auto rest = time({4, 100, 200});
      for (const EthernetUse &use : rest.use)
        EXPECT_GT(rest.cycles + 200, use.busy);
    });
}

TEST(Collectives, resultsMayLieOverOperands) {
  const MeshShape shape = {1, 4};
  TestMesh mesh(linkedSystem(4, lineLinks(4, true)), shape);
  const Layout l =
      interleavedLayout({64, 64}, DType::BF16, true, mesh.geometry());
  Collective cycle;
  cycle.kind = CollectiveKind::Permute;
  cycle.meshShape = shape;
  cycle.pairs = {{0, 1}, {1, 3}, {3, 2}, {2, 0}};
  for (const auto &c : {along(CollectiveKind::AllReduce, shape, 1),
                        along(CollectiveKind::AllToAll, shape, 1, 1),
                        along(CollectiveKind::Broadcast, shape, 1), cycle}) {
    const auto tensors = placeAll(mesh, l);
    std::vector<Values> values;
    for (const TensorPtr &tensor : tensors)
      values.push_back(valuesOf(tensor));
    collectives::run(c, mesh.fabric, tensors, tensors);
    const auto expected = expectedOf(c, l.shape, l.shape, values);
    for (std::uint32_t p = 0; p < 4; ++p)
      EXPECT_EQ(valuesOf(tensors[p]), expected[p]) << collectiveName(c.kind);
  }
}

//===-- Errors ------------------------------------------------------------===//

std::string errorOf(TestMesh &mesh, const Collective &c) {
  try {
    check(mesh, c, {32, 32}, kBf16);
  } catch (const Error &error) {
    EXPECT_EQ(error.category(), ErrorCategory::SystemMismatch);
    return error.what();
  }
  return "no error";
}

TEST(Collectives, missingLinksAreNamed) {
  const MeshShape shape = {1, 4};
  TestMesh line(linkedSystem(4, lineLinks(4, false)), shape);
  auto c = along(CollectiveKind::AllGather, shape, 1);
  c.topology = Topology::Ring;
  EXPECT_EQ(errorOf(line, c),
            "expected an Ethernet link between chips 3 and 0 (positions 3 and "
            "0 of mesh 1x4), found none in the system");
  c.topology = {};
  c.numLinks = 2;
  EXPECT_EQ(errorOf(line, c),
            "expected 2 Ethernet links between chips 0 and 1 (positions 0 and "
            "1 of mesh 1x4), found 1 in the system");
  TestMesh broken(linkedSystem(4, {{0, 1}, {2, 3}}), shape);
  auto away = along(CollectiveKind::AllToAll, shape, 1);
  EXPECT_EQ(errorOf(broken, away),
            "expected an Ethernet link between chips 1 and 2 (positions 1 and "
            "2 of mesh 1x4), found none in the system");
}

} // namespace
