#include "mesh_support.h"

#include <algorithm>

namespace tt::runtime::test {

namespace target = ::tt::target;

SystemDesc linkedSystem(
    std::uint32_t chips,
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> &links) {
  flatbuffers::FlatBufferBuilder fbb;
  const SystemDesc board = system_desc::getDefaultSystemDesc("n150");
  target::ChipDesc const *chip = board->chip_descs()->Get(0);
  const std::vector<target::Dim2d> workers, dram, none;
  std::vector<target::DataType> types;
  for (auto type : *chip->supported_data_types())
    types.push_back(target::DataType(type));
  const std::vector<target::Dim2d> tiles = {{32, 32}};
  auto cores =
      target::CreateChipPhysicalCoresDirect(fbb, &workers, &dram, &none, &none);
  const std::vector<flatbuffers::Offset<target::ChipDesc>> descs = {
      target::CreateChipDescDirect(
          fbb, chip->arch(), chip->grid_size(), chip->l1_size(),
          chip->num_dram_channels(), chip->dram_channel_size(),
          chip->noc_l1_address_align_bytes(), chip->pcie_address_align_bytes(),
          chip->noc_dram_address_align_bytes(), chip->l1_unreserved_base(),
          chip->erisc_l1_unreserved_base(), chip->dram_unreserved_base(),
          chip->dram_unreserved_end(), cores, &types, &tiles)};
  const std::vector<std::uint32_t> indices(chips, 0);
  const std::vector<target::ChipCapability> capabilities(
      chips, target::ChipCapability::NONE);
  std::vector<target::ChipCoord> coords;
  for (std::uint32_t i = 0; i < chips; ++i)
    coords.emplace_back(0, 0, 0, i);
  std::vector<target::ChipChannel> channels;
  for (auto [a, b] : links)
    channels.emplace_back(a, target::Dim2d(0, int(channels.size())), b,
                          target::Dim2d(0, int(channels.size())));
  auto system = target::CreateSystemDescDirect(
      fbb, &descs, &indices, &capabilities, &coords, &channels);
  const target::Version version(TTMLIR_VERSION_MAJOR, TTMLIR_VERSION_MINOR,
                                TTMLIR_VERSION_PATCH);
  target::FinishSizePrefixedSystemDescRootBuffer(
      fbb, target::CreateSystemDescRootDirect(fbb, &version, TTMLIR_GIT_HASH,
                                              "test", system));
  return SystemDesc::loadFromMemory(fbb.GetBufferPointer(), fbb.GetSize());
}

std::vector<std::pair<std::uint32_t, std::uint32_t>>
lineLinks(std::uint32_t chips, bool ring, int each) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> links;
  for (std::uint32_t i = 0; i + (ring ? 0 : 1) < chips; ++i)
    for (int k = 0; k < each; ++k)
      links.emplace_back(i, (i + 1) % chips);
  return links;
}

static emulator::Chips openAll(const SystemDesc &desc, const MeshShape &shape,
                               std::vector<int> ids,
                               std::shared_ptr<emulator::Ranks> ranks) {
  emulator::System system(desc);
  emulator::Chips chips;
  chips.ownership = {std::move(ranks), shape};
  for (std::uint32_t i = 0; i < meshVolume(shape); ++i)
    chips.push_back(system.openChip(ids.empty() ? int(i) : ids[i]));
  return chips;
}

TestMesh::TestMesh(const SystemDesc &desc, MeshShape shape,
                   const std::vector<int> &ids,
                   std::shared_ptr<emulator::Ranks> ranks)
    : fabric(desc, openAll(desc, shape, ids, std::move(ranks)), shape) {}

emulator::FabricLink TestMesh::between(std::uint32_t from,
                                       std::uint32_t to) const {
  emulator::FabricLink sum;
  for (const emulator::FabricLink &link : fabric.links())
    if (link.fromChip == fabric.chip(from)->id() &&
        link.toChip == fabric.chip(to)->id()) {
      sum.bytes += link.bytes;
      sum.wireBytes += link.wireBytes;
      sum.packets += link.packets;
    }
  return sum;
}

TensorPtr place(TestMesh &mesh, std::uint32_t position, const Layout &layout,
                const Values &values) {
  if (!mesh.fabric.ownership().isLocal(position))
    return emulator::remoteTensor(layout, mesh.fabric.chip(position),
                                  "tensor of a test",
                                  mesh.fabric.ownership().remote(position));
  TensorPtr tensor = emulator::allocateTensor(
      layout, mesh.fabric.chip(position), "tensor of a test");
  const Layout host = hostLayout(layout.shape, numerics::DType::F32);
  auto *data = const_cast<std::byte *>(
      reinterpret_cast<const std::byte *>(values.data()));
  emulator::copyTensor({&host, data, 0}, tensor->view(),
                       numerics::Rounding::Host);
  return tensor;
}

std::vector<TensorPtr> placeAll(TestMesh &mesh, const Layout &layout) {
  std::vector<TensorPtr> tensors;
  for (std::uint32_t p = 0; p < mesh.size(); ++p) {
    Values values(std::size_t(layout.volume()));
    // Every format but block floats holds these, and sums of a few.
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = float((i * 7 + p * 31) % 23 + p % 3);
    tensors.push_back(place(mesh, p, layout, values));
  }
  return tensors;
}

std::vector<TensorPtr> allocateAll(TestMesh &mesh, const Layout &layout) {
  std::vector<TensorPtr> tensors;
  for (std::uint32_t p = 0; p < mesh.size(); ++p)
    tensors.push_back(
        place(mesh, p, layout, Values(std::size_t(layout.volume()), 99)));
  return tensors;
}

Values valuesOf(const TensorPtr &tensor) {
  const Layout host = hostLayout(tensor->layout.shape, numerics::DType::F32);
  Values values(std::size_t(host.volume()));
  emulator::copyTensor(tensor->view(),
                       {&host, reinterpret_cast<std::byte *>(values.data()), 0},
                       numerics::Rounding::Host);
  return values;
}

namespace {

/// Calls body(index, flat index) for all elements of a shape.
template <typename Body> void forAll(const Shape &shape, const Body &body) {
  Shape index(shape.size(), 0);
  std::int64_t volume = 1;
  for (std::int64_t extent : shape)
    volume *= extent;
  for (std::int64_t flat = 0; flat < volume; ++flat) {
    body(index, std::size_t(flat));
    for (std::size_t d = shape.size(); d-- > 0;) {
      if (++index[d] < shape[d])
        break;
      index[d] = 0;
    }
  }
}

std::size_t flatOf(const Shape &shape, const Shape &index) {
  std::int64_t flat = 0;
  for (std::size_t d = 0; d < shape.size(); ++d)
    flat = flat * shape[d] + index[d];
  return std::size_t(flat);
}

float reduce(ReduceKind kind, const CollectiveGroup &group,
             const std::vector<Values> &tensors, std::size_t at) {
  float result = tensors[group.front()][at];
  for (std::size_t i = 1; i < group.size(); ++i) {
    const float x = tensors[group[i]][at];
    result = kind == ReduceKind::Max   ? std::max(result, x)
             : kind == ReduceKind::Min ? std::min(result, x)
                                       : result + x;
  }
  return kind == ReduceKind::Mean ? result / float(group.size()) : result;
}

} // namespace

std::vector<Values> expectedOf(const Collective &c, const Shape &in,
                               const Shape &out,
                               const std::vector<Values> &tensors) {
  std::int64_t volume = 1;
  for (std::int64_t extent : out)
    volume *= extent;
  std::vector<Values> results(tensors.size(), Values(std::size_t(volume), 0));
  for (auto [source, target] : c.pairs)
    results[target] = tensors[source];
  const auto dim = std::size_t(c.dim);
  for (const CollectiveGroup &group : c.groups)
    for (std::size_t me = 0; me < group.size(); ++me)
      forAll(out, [&](Shape index, std::size_t flat) {
        float &result = results[group[me]][flat];
        std::size_t from = me;
        switch (c.kind) {
        case CollectiveKind::AllGather:
          from = std::size_t(index[dim] / in[dim]);
          index[dim] %= in[dim];
          break;
        case CollectiveKind::ReduceScatter:
          index[dim] += out[dim] * std::int64_t(me);
          [[fallthrough]];
        case CollectiveKind::AllReduce:
          result = reduce(c.reduce, group, tensors, flatOf(in, index));
          return;
        case CollectiveKind::Partition:
          index[dim] += out[dim] * std::int64_t(me);
          break;
        case CollectiveKind::AllToAll: {
          const auto concat = std::size_t(c.concatDim);
          const std::int64_t part = concat == dim
                                        ? out[dim] / std::int64_t(group.size())
                                        : in[concat];
          from = std::size_t(index[concat] / part);
          index[concat] %= part;
          index[dim] += in[dim] / std::int64_t(group.size()) * std::int64_t(me);
          break;
        }
        case CollectiveKind::Broadcast:
          from = 0;
          break;
        case CollectiveKind::Permute:
          return;
        }
        result = tensors[group[from]][flatOf(in, index)];
      });
  return results;
}

} // namespace tt::runtime::test
