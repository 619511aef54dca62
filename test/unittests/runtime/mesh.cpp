// Meshes through the C++ API: devices, tensors of several chips, programs.
#include "errors.h"
#include "support.h"

#include "testing/testing.h"

#include <numeric>

namespace tt::runtime::test {
namespace {

using Mesh = std::vector<std::uint32_t>;
using Dims = std::vector<std::int64_t>;

SystemDesc t3000() { return system_desc::getDefaultSystemDesc("t3000"); }

/// rows x cols numbered from 0.
Tensor numbered(std::uint32_t rows, std::uint32_t cols) {
  std::vector<float> elements(rows * cols);
  std::iota(elements.begin(), elements.end(), 0.0f);
  return hostTensor(elements, rows, cols);
}

TEST(MeshDevice, ChoosesLinkedChips) {
  const struct {
    Mesh mesh;
    DeviceIds ids;
  } cases[] = {
      {{2, 4}, {0, 1, 2, 3, 4, 5, 6, 7}},
      {{1, 8}, {0, 1, 2, 3, 7, 6, 5, 4}},
      {{8, 1}, {0, 1, 2, 3, 7, 6, 5, 4}},
      {{2, 2}, {0, 1, 4, 5}},
      {{1, 2}, {0, 1}},
      {{2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7}},
  };
  for (auto const &[mesh, ids] : cases) {
    Device device = openMeshDevice(t3000(), mesh);
    EXPECT_EQ(getDeviceIds(device), ids);
    EXPECT_EQ(getMeshShape(device), mesh);
    closeDevice(device);
  }
}

TEST(MeshDevice, PartsShareTheChips) {
  Device device = openMeshDevice(t3000(), {2, 4});
  Device part = createSubMeshDevice(device, {2, 2}, {0, 1});
  EXPECT_EQ(getDeviceIds(part), (DeviceIds{1, 2, 5, 6}));
  reshapeMeshDevice(part, {4, 1});
  EXPECT_EQ(getMeshShape(part), (Mesh{4, 1}));
  EXPECT_EQ(getMeshShape(device), (Mesh{2, 4}));
  EXPECT_EQ(refusal([&] { closeDevice(part); }),
            "expected a device that was opened, found a submesh of one: it is "
            "released");
  EXPECT_EQ(refusal([&] { releaseSubMeshDevice(device); }),
            "expected a submesh, found a device that was opened: it is closed");
  releaseSubMeshDevice(part);
  EXPECT_NE(refusal([&] {
              reshapeMeshDevice(part, {2, 2});
            }).find("one that was closed"),
            std::string::npos);
  Device again = createSubMeshDevice(device, {1, 4});
  closeDevice(device);
  EXPECT_NE(refusal([&] {
              createSubMeshDevice(again, {1, 2});
            }).find("one that was closed"),
            std::string::npos);
}

TEST(MeshDevice, RefusesWhatDoesNotFit) {
  EXPECT_EQ(refusal([] {
              openMeshDevice(t3000(), {3, 3});
            }),
            "mesh 3x3: expected at most 8 chips, which the system has, found "
            "9");
  EXPECT_EQ(refusal([] {
              openMeshDevice(t3000(), {1, 2}, {4, 4});
            }),
            "mesh 1x2: expected each device id once, found 4 more than once");
  EXPECT_EQ(refusal([] {
              openMeshDevice(t3000(), {1, 2}, {4});
            }),
            "mesh 1x2: expected 2 device ids, found 1");
  EXPECT_EQ(refusal([] {
              openMeshDevice(t3000(), {1, 2}, {0, 8});
            }),
            "mesh 1x2: expected a device id from 0 to 7, found 8");
  EXPECT_EQ(refusal([] {
              openMeshDevice(t3000(), {0, 2});
            }),
            "expected a mesh of positive extents and at most 1024 chips, found "
            "0x2");
  Device device = openMeshDevice(t3000(), {2, 4});
  EXPECT_EQ(refusal([&] {
              reshapeMeshDevice(device, {2, 3});
            }),
            "mesh 2x4: expected a shape of 8 chips, found 2x3");
  EXPECT_EQ(refusal([&] {
              createSubMeshDevice(device, {2, 2}, {0, 3});
            }),
            "submesh 2x2 of mesh 2x4: expected it within 4 chips along axis 1, "
            "found 2 from offset 3");
  EXPECT_EQ(refusal([&] {
              createSubMeshDevice(device, {2, 2}, {1});
            }),
            "submesh 2x2 of mesh 2x4: expected an offset for each of 2 axes, "
            "found 1");
  closeDevice(device);
}

TEST(MeshTensor, ShardsLieWhereTheirPositionSays) {
  // Rows over the second axis, columns over the first.
  Tensor sharded = shardTensor(numbered(4, 4), {2, 4}, {4, 2}, {1, 0});
  EXPECT_EQ(getMeshShape(sharded), (Mesh{2, 4}));
  const std::vector<Tensor> shards = getShards(sharded);
  ASSERT_EQ(shards.size(), 8u);
  EXPECT_EQ(values(shards[0], 2), (std::vector<float>{0, 1}));
  EXPECT_EQ(values(shards[3], 2), (std::vector<float>{12, 13}));
  EXPECT_EQ(values(shards[5], 2), (std::vector<float>{6, 7}));
  EXPECT_EQ(values(aggregateTensor(sharded, {4, 2}, {1, 0}), 16),
            values(numbered(4, 4), 16));
  // Both axes split the rows, the first one is the outer.
  Tensor rows = shardTensor(numbered(8, 1), {2, 4}, {8, 1}, {0, 0});
  EXPECT_EQ(values(getShards(rows)[6], 1), (std::vector<float>{6}));
}

TEST(MeshTensor, OneTensorIfAllChipsAgree) {
  Tensor all = replicateTensor(numbered(2, 2), {1, 2});
  EXPECT_EQ(values(all, 4), values(numbered(2, 2), 4));
  Tensor half = shardTensor(numbered(2, 2), {1, 2}, {2, 1}, {-1, 0});
  EXPECT_EQ(refusal([&] { toHost(half); }),
            "expected one tensor of 1x2 that all chips of mesh 1x2 have, found "
            "different ones at positions 0 and 1: aggregate the shards, with "
            "mesh_shard in the program or with aggregateTensor");
  // Along the first axis nothing is split, so its chips must agree.
  Tensor differ =
      createMultiDeviceHostTensor({numbered(1, 1), hostTensor({5}, 1, 1)}, {2});
  EXPECT_NE(refusal([&] {
              aggregateTensor(differ, {1, 1}, {-1});
            }).find("different ones at positions 0 and 1"),
            std::string::npos);
}

TEST(MeshTensor, CombinesTensorsOfChips) {
  const std::vector<Tensor> host = {numbered(2, 2),
                                    hostTensor({5, 6, 7, 8}, 2, 2)};
  Tensor both = combineDeviceTensors(host, {1, 2});
  EXPECT_EQ(getMeshShape(both), (Mesh{1, 2}));
  EXPECT_EQ(values(aggregateTensor(both, {2, 1}, {-1, 0}), 8),
            (std::vector<float>{0, 1, 2, 3, 5, 6, 7, 8}));
  EXPECT_EQ(getDeviceBytes(both), 0);
  EXPECT_EQ(refusal([&] {
              combineDeviceTensors({host[0]}, {1, 2});
            }),
            "expected 2 shards for mesh 1x2, found 1");
  EXPECT_NE(refusal([&] {
              combineDeviceTensors({both, both}, {1, 2});
            }).find("expected a tensor of one chip, found one of mesh 1x2"),
            std::string::npos);
}

TEST(MeshTensor, RefusesUnequalShards) {
  const auto refuse = [](const Mesh &mesh, const Dims &shards,
                         const Dims &dims) {
    return refusal([&] { shardTensor(numbered(6, 4), mesh, shards, dims); });
  };
  EXPECT_EQ(refuse({1, 4}, {4, 1}, {-1, 0}),
            "4x1 shards, dims [-1, 0], on mesh 1x4: expected equal shards, "
            "found extent 6 of dimension 0 of 6x4, which is no multiple of 4");
  EXPECT_EQ(refuse({1, 4}, {2, 1}, {-1, 0}),
            "2x1 shards, dims [-1, 0], on mesh 1x4: expected 4 shards of "
            "dimension 0, one for each chip that splits it, found 2");
  EXPECT_EQ(refuse({1, 4}, {4}, {-1, 0}),
            "4 shards, dims [-1, 0], on mesh 1x4: expected a number of shards "
            "for each of 2 dimensions of the tensor, found 1");
  EXPECT_EQ(refuse({1, 4}, {1, 4}, {1}),
            "1x4 shards, dims [1], on mesh 1x4: expected a dimension or -1 for "
            "each of 2 axes of the mesh, found 1");
  EXPECT_EQ(refuse({1, 4}, {1, 4}, {-1, 2}),
            "1x4 shards, dims [-1, 2], on mesh 1x4: expected dimensions from "
            "-1 to 1, found 2 for axis 1 of the mesh");
  EXPECT_EQ(
      refusal([] {
        createMultiDeviceHostTensor({numbered(1, 2), numbered(2, 1)}, {1, 2});
      }),
      "shard 1 of mesh 1x2: expected 1x2 f32, host row_major as shard 0, "
      "found 2x1 f32, host row_major");
  EXPECT_EQ(refusal([] {
              createMultiDeviceHostTensor({}, {1, 2});
            }),
            "expected 2 shards for mesh 1x2, found 0");
}

} // namespace
} // namespace tt::runtime::test
