// Public tensors of a mesh: made of shards, cut into them, put together.
#include "common/collective.h"
#include "emulator/handles.h"
#include "emulator/mesh.h"
#include "emulator/result_cache.h"
#include "emulator/tensor_copy.h"

namespace tt::runtime {

using emulator::denseTensor;
using emulator::handleOf;
using emulator::TensorPtr;
using emulator::wrap;

namespace {

/// A row-major host layout of a shape and the plain type of a tensor.
Layout hostLike(const TensorPtr &tensor, std::vector<std::int64_t> shape) {
  return hostLayout(std::move(shape), emulator::plainType(tensor->layout.type));
}

} // namespace

Tensor
createMultiDeviceHostTensor(std::vector<Tensor> const &shards,
                            std::vector<std::uint32_t> const &meshShape) {
  std::vector<TensorPtr> tensors;
  for (Tensor shard : shards) {
    if (isOnDevice(shard))
      raise(ErrorCategory::Argument, "shard ", tensors.size(),
            ": expected a tensor on the host, found ", describeTensor(shard));
    tensors.push_back(denseTensor(handleOf(shard)));
  }
  return wrap(emulator::meshTensor(std::move(tensors), meshShape));
}

Tensor combineDeviceTensors(std::vector<Tensor> const &shards,
                            std::vector<std::uint32_t> const &meshShape) {
  std::vector<TensorPtr> tensors;
  for (Tensor shard : shards)
    tensors.push_back(denseTensor(handleOf(shard)));
  return wrap(emulator::meshTensor(std::move(tensors), meshShape));
}

Tensor combineOwnTensors(std::vector<std::optional<Tensor>> const &shards,
                         std::vector<std::uint32_t> const &meshShape,
                         Device device, DeviceIds const &chipIds) {
  const emulator::OpenDevice &opened = emulator::deviceOf(device);
  emulator::checkMeshShape(meshShape);
  const std::vector<std::uint32_t> ids(chipIds.begin(), chipIds.end());
  const emulator::Chips chips = opened.select({meshShape, ids});
  if (shards.size() != chips.size())
    raise(ErrorCategory::Argument, "expected ", chips.size(),
          " shards for mesh ", meshString(meshShape), ", found ",
          shards.size());
  std::vector<TensorPtr> tensors(shards.size());
  for (std::size_t p = 0; p < shards.size(); ++p) {
    if (shards[p].has_value() != chips.ownership.isLocal(p))
      raise(ErrorCategory::Argument, "shard ", p, " of mesh ",
            meshString(meshShape), ": expected ",
            shards[p] ? "none, since another rank has the chip"
                      : "a tensor, since this rank has the chip",
            ", found ", shards[p] ? "one" : "none");
    if (shards[p]) {
      Tensor shard = *shards[p];
      tensors[p] = denseTensor(handleOf(shard));
    }
  }
  const TensorPtr &own = tensors[chips.ownership.first()];
  for (std::size_t p = 0; p < shards.size(); ++p)
    if (!tensors[p])
      tensors[p] = emulator::remoteLike(own, chips[p],
                                        chips.ownership.remote(p), "shard");
  return wrap(emulator::meshTensor(std::move(tensors), meshShape));
}

std::vector<std::optional<Tensor>> getOwnShards(Tensor tensor) {
  const TensorPtr &data = handleOf(tensor).tensor;
  if (!data->onMesh())
    return {tensor};
  std::vector<std::optional<Tensor>> shards;
  for (const TensorPtr &shard : data->shards)
    shards.push_back(shard->remote() ? std::nullopt
                                     : std::optional(wrap(shard)));
  return shards;
}

std::vector<Tensor> getShards(Tensor tensor) {
  const TensorPtr &data = handleOf(tensor).tensor;
  if (!data->onMesh())
    return {tensor};
  std::vector<Tensor> shards;
  for (const TensorPtr &shard : emulator::allShards(data))
    shards.push_back(wrap(shard));
  return shards;
}

Tensor copyToChip(Tensor tensor, Device device, std::uint32_t chipId) {
  const TensorPtr &source = handleOf(tensor).tensor;
  if (source->onMesh() || !source->onDevice())
    raise(ErrorCategory::Argument, "expected a tensor of one chip, found ",
          describeTensor(tensor));
  emulator::OpenDevice &opened = emulator::deviceOf(device);
  opened.checkOpen();
  const emulator::Chips chips = {opened.chip(chipId)};
  std::lock_guard lock(opened.mutex);
  // In DRAM away from the addresses that programs have for themselves.
  return wrap(
      source->layout.space == Space::Dram
          ? emulator::keepOnChips(source, chips, "tensor")
          : emulator::place(source, source->layout, chips.front(), "tensor"));
}

std::vector<std::uint32_t> getMeshShape(Tensor tensor) {
  return handleOf(tensor).tensor->meshShape;
}

Tensor shardTensor(Tensor tensor, std::vector<std::uint32_t> const &meshShape,
                   std::vector<std::int64_t> const &shards,
                   std::vector<std::int64_t> const &dims) {
  emulator::checkMeshShape(meshShape);
  const TensorPtr source = denseTensor(handleOf(tensor));
  const Sharding sharding = {shards, dims};
  const Layout layout =
      hostLike(source, shardShape(sharding, source->layout.shape, meshShape));
  return wrap(emulator::shardTensor(source, sharding, meshShape, layout));
}

Tensor replicateTensor(Tensor tensor,
                       std::vector<std::uint32_t> const &meshShape) {
  emulator::checkMeshShape(meshShape);
  const TensorPtr source = denseTensor(handleOf(tensor));
  return wrap(emulator::shardTensor(
      source, replicated(source->layout.shape.size(), meshShape.size()),
      meshShape, hostLike(source, source->layout.shape)));
}

Tensor aggregateTensor(Tensor tensor, std::vector<std::int64_t> const &shards,
                       std::vector<std::int64_t> const &dims) {
  const TensorPtr &source = handleOf(tensor).tensor;
  if (!source->onMesh())
    raise(ErrorCategory::Argument, "expected a tensor of a mesh, found ",
          describeTensor(tensor));
  const Sharding sharding = {shards, dims};
  const Layout layout = hostLike(
      source, fullShape(sharding, source->layout.shape, source->meshShape));
  return wrap(emulator::aggregateTensor(source, sharding, layout));
}

} // namespace tt::runtime
