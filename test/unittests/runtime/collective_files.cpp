// What files may say of a collective, and what they may not.
#include "errors.h"
#include "ttnn/verifier/verifier.h"

#include "testing/testing.h"

using namespace tt::runtime;
using test::refusal;
namespace target = ::tt::target;

namespace {

using Type = target::CollectiveType;
using Groups = std::vector<std::int64_t>;
using Shape = std::vector<std::int64_t>;

struct Fields {
  Type type = Type::AllGather;
  std::optional<target::ReduceType> reduce;
  std::optional<int> dim, concat, split;
  std::optional<unsigned> axis;
  Groups groups;
  std::optional<unsigned> groupSize, links;
  std::optional<target::Topology> topology;
};

Collective read(const Fields &f, const std::vector<std::uint32_t> &mesh,
                std::size_t rank = 2) {
  flatbuffers::FlatBufferBuilder fbb;
  const auto groups = fbb.CreateVector(f.groups);
  target::CollectiveOpBuilder op(fbb);
  op.add_type(f.type);
  op.add_groups(groups);
  if (f.reduce)
    op.add_reduce_type(*f.reduce);
  if (f.dim)
    op.add_dim(*f.dim);
  if (f.concat)
    op.add_concat_dim(*f.concat);
  if (f.split)
    op.add_split_count(*f.split);
  if (f.axis)
    op.add_cluster_axis(*f.axis);
  if (f.groupSize)
    op.add_group_size(*f.groupSize);
  if (f.links)
    op.add_num_links(*f.links);
  if (f.topology)
    op.add_topology(*f.topology);
  fbb.Finish(op.Finish());
  return readCollective(
      flatbuffers::GetRoot<target::CollectiveOp>(fbb.GetBufferPointer()), mesh,
      rank);
}

std::string refused(const Fields &f) {
  return refusal([&] { read(f, {2, 4}); });
}

TEST(CollectiveFile, GroupsFollowTheAxis) {
  Fields f;
  f.dim = -1;
  f.axis = 1;
  const Collective rows = read(f, {2, 4}, 3);
  EXPECT_EQ(rows.groups,
            (std::vector<CollectiveGroup>{{0, 1, 2, 3}, {4, 5, 6, 7}}));
  EXPECT_EQ(rows.dim, 2);
  EXPECT_EQ(rows.numLinks, 1);
  EXPECT_FALSE(rows.topology);
  f.axis = 0;
  f.topology = target::Topology::Linear;
  f.links = 2;
  const Collective columns = read(f, {2, 4});
  EXPECT_EQ(columns.groups,
            (std::vector<CollectiveGroup>{{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
  EXPECT_EQ(columns.topology, Topology::Linear);
  EXPECT_EQ(columns.numLinks, 2);
  EXPECT_EQ(read(f, {2, 2, 2}).groups[1], (CollectiveGroup{1, 5}));
  f = {};
  f.type = Type::MeshPartition;
  f.dim = 0;
  EXPECT_EQ(read(f, {2, 2}).groups,
            (std::vector<CollectiveGroup>{{0, 1, 2, 3}}));
}

TEST(CollectiveFile, RefusesAxesAndDims) {
  Fields f;
  f.dim = 1;
  EXPECT_EQ(refused(f), "expected an axis in field cluster_axis, found none");
  f.axis = 2;
  EXPECT_EQ(refused(f), "expected a cluster axis below 2 on mesh 2x4, found 2");
  f.axis = 1;
  f.dim.reset();
  EXPECT_EQ(refused(f), "expected a dimension in field dim, found none");
  f.dim = 2;
  EXPECT_NE(refused(f), "accepted");
  f.dim = 0;
  f.links = 0;
  EXPECT_EQ(refused(f),
            "expected at least one link in field num_links, found 0");
}

TEST(CollectiveFile, RefusesReductions) {
  Fields f;
  f.type = Type::AllReduce;
  f.axis = 1;
  EXPECT_EQ(refused(f), "expected a type in field reduce_type, found none");
  f.reduce = target::ReduceType::Std;
  EXPECT_EQ(refused(f),
            "expected reduce type Sum, Mean, Max or Min, found Std");
}

TEST(CollectiveFile, RefusesGroups) {
  Fields f;
  f.type = Type::AllToAll;
  f.dim = f.concat = 0;
  f.split = 4;
  f.groups = {0, 1, 2, 3, 4, 5, 6};
  f.groupSize = 4;
  EXPECT_EQ(refused(f),
            "expected a multiple of group_size elements in field groups, found "
            "7 elements and group_size 4");
  f.groups.push_back(8);
  EXPECT_EQ(refused(f), "expected positions from 0 to 7 of mesh 2x4 in field "
                        "groups, found 8");
  f.groups.back() = 3;
  EXPECT_EQ(refused(f), "expected every position of mesh 2x4 once as a member "
                        "of a group, found 3 twice");
  f.groups = {0, 1, 2, 3};
  EXPECT_EQ(refused(f), "expected all 8 positions of mesh 2x4 in field groups, "
                        "found 4");
  f.groups = {0, 1, 2, 3, 4, 5, 6, 7};
  f.split = 2;
  EXPECT_EQ(refused(f), "expected a split_count of 4, the chips of a group on "
                        "mesh 2x4, found 2");
  f.split = 4;
  EXPECT_EQ(refused(f), "accepted");
  f.type = Type::CollectivePermute;
  f.groupSize = 2;
  f.groups = {0, 1, 2, 1};
  EXPECT_EQ(refused(f), "expected every position of mesh 2x4 once as a target, "
                        "found 1 twice");
  f.groups = {2, 0, 2, 1};
  EXPECT_EQ(refused(f), "expected every position of mesh 2x4 once as a source, "
                        "found 2 twice");
  f.groups = {};
  EXPECT_EQ(refused(f), "accepted");
}

/// A program with an operand and a result of these shapes.
std::string stepRefused(const Collective &c, const Shape &in, const Shape &out,
                        numerics::DType type = numerics::DType::F32,
                        numerics::DType outType = numerics::DType::F32,
                        Space space = Space::Dram) {
  ttnn::Program program;
  program.values = {{1, hostLayout(in, type)}, {2, hostLayout(out, outType)}};
  for (ttnn::Value &value : program.values)
    value.layout.space = space;
  ttnn::Step step = ttnn::CollectiveStep{c, 0, 1};
  return refusal([&] { ttnn::verify(program, step); });
}

TEST(CollectiveFile, ShapesOfResults) {
  Fields f;
  f.dim = f.axis = 1;
  Collective c = read(f, {2, 4});
  EXPECT_EQ(stepRefused(c, {32, 64}, {32, 256}), "accepted");
  EXPECT_NE(stepRefused(c, {32, 64}, {32, 128}).find("32x256"),
            std::string::npos);
  c.kind = CollectiveKind::ReduceScatter;
  EXPECT_EQ(stepRefused(c, {32, 64}, {32, 16}), "accepted");
  EXPECT_EQ(stepRefused(c, {32, 66}, {32, 16}),
            "expected equal shards for the 4 chips of a group on mesh 2x4, "
            "found extent 66 of dimension 1 of 32x66");
  c.kind = CollectiveKind::AllToAll;
  c.concatDim = 0;
  EXPECT_EQ(stepRefused(c, {32, 64}, {128, 16}), "accepted");
  c.kind = CollectiveKind::AllReduce;
  EXPECT_EQ(
      stepRefused(c, {5}, {5}, numerics::DType::I32, numerics::DType::I32),
      "accepted");
  EXPECT_EQ(
      stepRefused(c, {5}, {5}, numerics::DType::F32, numerics::DType::BF16),
      "expected one data type in fields in and out, found f32 and bf16");
  c.reduce = ReduceKind::Mean;
  EXPECT_EQ(
      stepRefused(c, {5}, {5}, numerics::DType::I32, numerics::DType::I32),
      "expected a floating-point tensor for a mean, found i32");
  EXPECT_EQ(stepRefused(c, {5}, {5}, numerics::DType::F32, numerics::DType::F32,
                        Space::Host),
            "expected tensors on the device, found 5 f32, host row_major");
}

} // namespace
