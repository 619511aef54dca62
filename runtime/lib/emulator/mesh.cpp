#include "emulator/mesh.h"

#include "common/collective.h"
#include "emulator/handles.h"
#include "emulator/tensor_copy.h"
#include "numerics/parallel.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>

namespace tt::runtime::emulator {

using Extents = std::vector<std::int64_t>;
using MeshShape = std::vector<std::uint32_t>;
using numerics::Rounding;

namespace {

constexpr std::uint32_t kMaxChips = 1024;

/// Elements of a plain type, row-major.
struct Rows {
  TensorPtr tensor; // keeps the memory alive
  std::byte *data = nullptr;
};

/// In place where the tensor is row-major on the host, else a copy.
Rows rowsOf(const TensorPtr &tensor) {
  const Layout &l = tensor->layout;
  const Layout host = hostLayout(l.shape, plainType(l.type));
  TensorPtr rows =
      l.samePages(host) && l.dense ? tensor : place(tensor, host, nullptr, "");
  return {rows, rows->view().base};
}

/// Copies between the block of `whole` (of shape `full`) from element `offset`
/// on and `part`, which is row-major.
void copyBlock(std::byte *whole, const Extents &full, const Extents &offset,
               std::byte *part, const Extents &shape, std::int64_t size,
               bool toPart) {
  // Dimensions that the block has whole are one run of bytes.
  std::size_t inner = full.size();
  std::int64_t run = size;
  while (inner > 0) {
    --inner;
    run *= shape[inner];
    if (shape[inner] != full[inner])
      break;
  }
  std::int64_t runs = 1;
  for (std::size_t d = 0; d < inner; ++d)
    runs *= shape[d];
  const auto address = [&](std::int64_t index) {
    std::int64_t at = 0, stride = size;
    for (std::size_t d = full.size(); d-- > 0;) {
      std::int64_t i = offset[d];
      if (d < inner) {
        i += index % shape[d];
        index /= shape[d];
      }
      at += i * stride;
      stride *= full[d];
    }
    return at;
  };
  numerics::parallelFor(
      0, runs, numerics::grainFor(run),
      [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) {
          std::byte *a = whole + address(i), *b = part + i * run;
          std::memcpy(toPart ? b : a, toPart ? a : b, std::size_t(run));
        }
      });
}

/// The elements of a shard as rowsOf() has them.
std::size_t rowBytes(const Layout &l) {
  const Layout host = hostLayout(l.shape, plainType(l.type));
  return std::size_t(l.volume() * host.elementSize());
}

Extents offsetOf(const Sharding &sharding, const MeshShape &mesh,
                 std::uint32_t position, const Extents &shard) {
  Extents offset = shardIndex(sharding, mesh, position);
  for (std::size_t d = 0; d < shard.size(); ++d)
    offset[d] *= shard[d];
  return offset;
}

[[noreturn]] void failDifferent(const TensorPtr &tensor, std::size_t a,
                                std::size_t b) {
  raise(ErrorCategory::Argument, "expected one tensor of ",
        shapeString(tensor->layout.shape), " that all chips of mesh ",
        meshString(tensor->meshShape),
        " have, found different ones at "
        "positions ",
        a, " and ", b,
        ": aggregate the shards, with mesh_shard in the program or with "
        "aggregateTensor");
}

/// Throws unless two shards have equal elements.
void expectEqual(const TensorPtr &tensor, std::size_t a, std::size_t b) {
  const TensorPtr &first = tensor->shards[a], &second = tensor->shards[b];
  if (first == second || first->buffer == second->buffer)
    return;
  const Rows x = rowsOf(first), y = rowsOf(second);
  if (std::memcmp(x.data, y.data, rowBytes(tensor->layout)) != 0)
    failDifferent(tensor, a, b);
}

/// Which positions have the same shard: each one's first such position.
using Copies = std::vector<std::size_t>;

/// The shards of a tensor of which another rank has some; see distinctShards().
class ShardGathering {
public:
  ShardGathering(const TensorPtr &tensor, const Copies &copies)
      : tensor_(tensor), copies_(copies), shards_(copies.size()) {
    for (const TensorPtr &shard : tensor->shards)
      if (const Remote *remote = shard->buffer->remote())
        ranks_ = remote->ranks.get();
    for (std::size_t p = copies.size(); p-- > 0;)
      if (!isRemote(p))
        shards_[copies[p]] = tensor->shards[p];
  }

  std::vector<TensorPtr> run() {
    std::vector<MessageWriter> writers(ranks_->size());
    Rows rows;
    std::uint64_t hash = 0;
    forItems([&](std::size_t p, std::uint32_t to, bool needed) {
      if (isRemote(p))
        return;
      if (to == 0) {
        rows = rowsOf(tensor_->shards[p]);
        hash = hashOf(rows.data);
      }
      if (needed)
        writers[to].addBytes(rows.data, bytes_);
      if (isCopied(p))
        writers[to].add(hash);
    });
    std::vector<std::string> messages;
    for (MessageWriter &writer : writers)
      messages.push_back(std::move(writer.text));
    messages = ranks_->exchange("the reading of a tensor", std::move(messages));
    read(messages);
    return std::move(shards_);
  }

private:
  bool isRemote(std::size_t p) const { return tensor_->shards[p]->remote(); }
  std::uint32_t ownerOf(std::size_t p) const {
    const Remote *remote = tensor_->shards[p]->buffer->remote();
    return remote ? remote->owner : ranks_->rank();
  }
  bool isCopied(std::size_t p) const {
    return std::count(copies_.begin(), copies_.end(), copies_[p]) > 1;
  }
  std::uint64_t hashOf(const std::byte *data) const {
    std::uint64_t hash = bytes_;
    for (std::size_t at = 0; at < bytes_; at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, data + at, std::min<std::size_t>(8, bytes_ - at));
      hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 29;
    }
    return hash;
  }

  /// body(position, rank, whether the rank needs the elements), in an order on
  /// which all ranks agree; all ranks of a position follow each other.
  template <typename Body> void forItems(const Body &body) const {
    for (std::size_t p = 0; p < copies_.size(); ++p)
      for (std::uint32_t to = 0; to < ranks_->size(); ++to) {
        bool needed = copies_[p] == p;
        for (std::size_t q = 0; q < copies_.size() && needed; ++q)
          needed = copies_[q] != p || ownerOf(q) != to;
        body(p, to, needed);
      }
  }

  void read(const std::vector<std::string> &messages) {
    std::vector<MessageReader> readers(messages.begin(), messages.end());
    std::vector<std::uint64_t> hashes(copies_.size());
    const Layout host =
        hostLayout(tensor_->layout.shape, plainType(tensor_->layout.type));
    forItems([&](std::size_t p, std::uint32_t to, bool needed) {
      if (to != ranks_->rank())
        return;
      MessageReader &reader = readers[ownerOf(p)];
      if (needed) {
        shards_[p] = allocateTensor(host, nullptr, "shard");
        std::memcpy(shards_[p]->view().base, reader.takeBytes(bytes_), bytes_);
      }
      if (isCopied(p))
        hashes[p] = reader.take<std::uint64_t>();
    });
    for (std::size_t p = 0; p < copies_.size(); ++p)
      if (hashes[p] != hashes[copies_[p]])
        failDifferent(tensor_, copies_[p], p);
  }

  const TensorPtr &tensor_;
  const Copies &copies_;
  const std::size_t bytes_ = rowBytes(tensor_->layout);
  std::vector<TensorPtr> shards_;
  Ranks *ranks_ = nullptr;
};

/// A tensor for each first position of `copies`, which this rank has; null for
/// other positions. Throws if shards that are to be the same differ.
std::vector<TensorPtr> distinctShards(const TensorPtr &tensor,
                                      const Copies &copies) {
  if (std::any_of(tensor->shards.begin(), tensor->shards.end(),
                  [](const TensorPtr &shard) { return shard->remote(); }))
    return ShardGathering(tensor, copies).run();
  std::vector<TensorPtr> shards(copies.size());
  for (std::size_t p = 0; p < copies.size(); ++p)
    if (copies[p] == p)
      shards[p] = tensor->shards[p];
    else
      expectEqual(tensor, copies[p], p);
  return shards;
}

const TensorPtr &expectMesh(const TensorPtr &tensor) {
  if (!tensor->onMesh())
    raise(ErrorCategory::Argument, "expected a tensor of a mesh, found one of ",
          tensor->layout.describe());
  return tensor;
}

} // namespace

void checkMeshShape(const MeshShape &meshShape) {
  std::uint64_t volume = 1;
  for (std::uint32_t extent : meshShape) {
    volume = extent ? volume * extent : 0;
    if (volume == 0 || volume > kMaxChips)
      break;
  }
  if (meshShape.empty() || volume == 0 || volume > kMaxChips)
    raise(ErrorCategory::Argument,
          "expected a mesh of positive extents and at most ", kMaxChips,
          " chips, found ",
          meshShape.empty() ? "one without extents" : meshString(meshShape));
}

TensorPtr meshTensor(std::vector<TensorPtr> shards, MeshShape meshShape) {
  checkMeshShape(meshShape);
  const std::uint32_t volume = meshVolume(meshShape);
  if (shards.size() != volume)
    raise(ErrorCategory::Argument, "expected ", volume, " shards for mesh ",
          meshString(meshShape), ", found ", shards.size());
  for (std::size_t i = 0; i < shards.size(); ++i) {
    if (shards[i]->onMesh())
      raise(ErrorCategory::Argument, "shard ", i,
            ": expected a tensor of one chip, found one of mesh ",
            meshString(shards[i]->meshShape));
    const Layout &expected = shards[0]->layout, &found = shards[i]->layout;
    if (found.shape != expected.shape || !found.samePages(expected))
      raise(ErrorCategory::Argument, "shard ", i, " of mesh ",
            meshString(meshShape), ": expected ", expected.describe(),
            " as shard 0, found ", found.describe());
  }
  auto tensor = std::make_shared<TensorData>();
  tensor->layout = shards.front()->layout;
  tensor->shards = std::move(shards);
  tensor->meshShape = std::move(meshShape);
  return tensor;
}

TensorPtr repeatTensor(const TensorPtr &tensor, const MeshShape &meshShape) {
  checkMeshShape(meshShape);
  return meshTensor(std::vector<TensorPtr>(meshVolume(meshShape), tensor),
                    meshShape);
}

TensorPtr shardTensor(const TensorPtr &full, const Sharding &sharding,
                      const MeshShape &meshShape, const Layout &layout,
                      const Ownership &ownership) {
  const TensorPtr whole = commonTensor(full);
  const Extents &shape = whole->layout.shape;
  const Extents part = shardShape(sharding, shape, meshShape);
  if (part != layout.shape)
    raise(ErrorCategory::Argument, sharding.describe(meshShape),
          ": expected a shard of ", shapeString(part), ", found ",
          shapeString(layout.shape));
  if (part == shape && whole->layout.samePages(layout) && !whole->onDevice())
    return repeatTensor(std::make_shared<TensorData>(*whole), meshShape);
  const Rows rows = rowsOf(whole);
  const Layout &from = rows.tensor->layout;
  const Layout host = hostLayout(part, from.type);
  const bool direct = layout.samePages(host) && layout.dense;
  std::vector<TensorPtr> shards;
  std::map<Extents, TensorPtr> known; // by offset
  for (std::uint32_t p = 0; p < meshVolume(meshShape); ++p) {
    // What all chips have is no shard of any rank.
    if (part != shape && !ownership.isLocal(p)) {
      shards.push_back(
          remoteTensor(layout, nullptr, "shard", ownership.remote(p)));
      continue;
    }
    const Extents offset = offsetOf(sharding, meshShape, p, part);
    TensorPtr &shard = known[offset];
    if (!shard) {
      shard = allocateTensor(host, nullptr, "shard");
      copyBlock(rows.data, shape, offset, shard->view().base, part,
                from.elementSize(), true);
      if (!direct)
        shard = place(shard, layout, nullptr, "shard");
    }
    shards.push_back(shard);
  }
  return meshTensor(std::move(shards), meshShape);
}

TensorPtr aggregateTensor(const TensorPtr &tensor, const Sharding &sharding,
                          const Layout &layout) {
  const MeshShape &mesh = expectMesh(tensor)->meshShape;
  const Extents &part = tensor->layout.shape;
  const Extents full = fullShape(sharding, part, mesh);
  if (full != layout.shape)
    raise(ErrorCategory::Argument, sharding.describe(mesh),
          ": expected a tensor of ", shapeString(full), ", found ",
          shapeString(layout.shape));
  const Layout host = hostLayout(full, plainType(tensor->layout.type));
  TensorPtr whole = allocateTensor(host, nullptr, "tensor");
  std::vector<Extents> offsets;
  Copies copies;
  for (std::uint32_t p = 0; p < tensor->shards.size(); ++p) {
    offsets.push_back(offsetOf(sharding, mesh, p, part));
    copies.push_back(
        std::size_t(std::find(offsets.begin(), offsets.end(), offsets.back()) -
                    offsets.begin()));
  }
  const std::vector<TensorPtr> shards = distinctShards(tensor, copies);
  for (std::size_t p = 0; p < shards.size(); ++p)
    if (shards[p])
      copyBlock(whole->view().base, full, offsets[p], rowsOf(shards[p]).data,
                part, host.elementSize(), false);
  if (layout.samePages(host) && layout.dense)
    return whole;
  return place(whole, layout, nullptr, "tensor");
}

Extents shapeOf(const TensorData &tensor) {
  return tensor.sharding ? fullShape(*tensor.sharding, tensor.layout.shape,
                                     tensor.meshShape)
                         : tensor.layout.shape;
}

TensorPtr takeShards(const Shardings &shardings, std::size_t index,
                     const MeshShape &meshShape, TensorPtr tensor,
                     const Ownership &ownership) {
  if (index >= shardings.size() || !shardings[index])
    return tensor->sharding ? commonTensor(tensor) : tensor;
  const Sharding &sharding = *shardings[index];
  if (tensor->onMesh() &&
      (!tensor->sharding || (tensor->sharding->dims == sharding.dims &&
                             tensor->meshShape == meshShape)))
    return tensor;
  const TensorPtr whole = commonTensor(tensor);
  const Layout &layout = whole->layout;
  return shardTensor(whole, sharding, meshShape,
                     hostLayout(shardShape(sharding, layout.shape, meshShape),
                                plainType(layout.type)),
                     ownership);
}

TensorPtr withSharding(const Shardings &shardings, std::size_t index,
                       TensorPtr tensor) {
  if (index >= shardings.size() || !shardings[index] || !tensor->onMesh())
    return tensor;
  auto known = std::make_shared<TensorData>(*tensor);
  known->sharding = shardings[index];
  return known;
}

TensorPtr commonTensor(const TensorPtr &tensor) {
  if (!tensor->onMesh())
    return tensor;
  if (tensor->sharding)
    return aggregateTensor(
        tensor, *tensor->sharding,
        hostLayout(shapeOf(*tensor), plainType(tensor->layout.type)));
  return distinctShards(tensor, Copies(tensor->shards.size())).front();
}

std::vector<TensorPtr> allShards(const TensorPtr &tensor) {
  Copies none(tensor->shards.size());
  std::iota(none.begin(), none.end(), std::size_t(0));
  return distinctShards(tensor, none);
}

TensorPtr ownedLike(TensorPtr made, const TensorPtr &like) {
  if (const Remote *remote = like->buffer->remote())
    made->buffer->setRemote(*remote);
  return made;
}

TensorPtr placeOnChips(const TensorPtr &source, const Layout &layout,
                       const Chips &chips, const MeshShape &meshShape,
                       const std::string &what) {
  if (chips.size() == 1 || (!layout.onDevice() && !source->onMesh()))
    return place(source, layout, chips.front(), what);
  std::vector<TensorPtr> shards;
  TensorPtr first;
  for (std::size_t p = 0; p < chips.size(); ++p) {
    if (!chips.ownership.isLocal(p)) {
      shards.push_back(remoteTensor(layout, chips[p], ownerText(what, layout),
                                    chips.ownership.remote(p)));
      continue;
    }
    // A tensor that is converted once is copied for the other chips.
    shards.push_back(place(source->onMesh() ? source->shards[p]
                           : first          ? first
                                            : source,
                           layout, chips[p], what));
    if (!first)
      first = shards.back();
  }
  return meshTensor(std::move(shards), meshShape);
}

bool liesOn(const TensorPtr &tensor, const Chips &chips) {
  if (!tensor->onDevice())
    return true;
  if (!tensor->onMesh())
    return chips.size() == 1 && tensor->buffer->chip() == chips.front();
  if (tensor->shards.size() != chips.size())
    return false;
  for (std::size_t p = 0; p < chips.size(); ++p)
    if (tensor->shards[p]->buffer->chip() != chips[p])
      return false;
  return true;
}

} // namespace tt::runtime::emulator
