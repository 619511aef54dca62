#include "emulator/result_cache.h"

#include "emulator/mesh.h"
#include "emulator/tensor_copy.h"

#include <algorithm>
#include <limits>

namespace tt::runtime::emulator {

namespace {

template <typename T>
bool same(const std::vector<std::weak_ptr<T>> &kept,
          const std::vector<std::shared_ptr<T>> &now) {
  return std::equal(kept.begin(), kept.end(), now.begin(), now.end(),
                    [](const auto &a, const auto &b) { return a.lock() == b; });
}

template <typename T>
std::vector<std::weak_ptr<T>>
weak(const std::vector<std::shared_ptr<T>> &pointers) {
  return {pointers.begin(), pointers.end()};
}

/// In DRAM; where there is no room, at a negative address, the allocator says
/// who has it.
std::shared_ptr<Buffer> bufferAt(std::int64_t address,
                                 const std::shared_ptr<Chip> &chip,
                                 std::int64_t bytes, const std::string &owner) {
  return address < 0 ? std::make_shared<Buffer>(chip, Space::Dram, bytes, owner)
                     : std::make_shared<Buffer>(chip, Space::Dram, address,
                                                bytes, owner);
}

bool isLive(const TensorPtr &tensor) {
  bool live = true;
  forShards(tensor,
            [&](const TensorPtr &shard) { live &= shard->buffer->live(); });
  return live;
}

} // namespace

std::int64_t findAddress(const Chips &chips, std::int64_t bytes) {
  std::int64_t end = std::numeric_limits<std::int64_t>::max();
  for (std::size_t agreed = 0; agreed < chips.size() && end >= 0;) {
    for (auto const &chip : chips) {
      std::lock_guard lock(chip->mutex());
      const std::int64_t found =
          chip->memory(Space::Dram).allocator.findHighest(bytes, end);
      agreed = found == end ? agreed + 1 : 1;
      end = found;
    }
  }
  return end;
}

ResultCache::Entry *ResultCache::of(const Chips &chips) {
  for (Entry &entry : entries_)
    if (same(entry.chips, chips))
      return &entry;
  return nullptr;
}

ResultCache::Tensors ResultCache::find(const Chips &chips, const Key &key) {
  std::lock_guard lock(mutex_);
  const Entry *entry = of(chips);
  if (!entry || entry->numerics != key.numerics ||
      !same(entry->arguments, key.arguments) ||
      !std::all_of(entry->results.begin(), entry->results.end(), isLive))
    return {};
  return entry->results;
}

void ResultCache::keep(const Chips &chips, const Key &key,
                       const Tensors &results) {
  for (const TensorPtr &argument : key.arguments)
    if (!argument->frozen)
      return;
  std::lock_guard lock(mutex_);
  entries_.push_back({weak(chips), weak(key.arguments), key.numerics, results});
}

void ResultCache::drop(const Chips &chips) {
  std::lock_guard lock(mutex_);
  std::erase_if(entries_,
                [&](const Entry &entry) { return same(entry.chips, chips); });
}

ResultCache::Tensors findShared(OpenDevice &device, std::uint64_t fingerprint,
                                const Chips &chips,
                                const ResultCache::Key &key) {
  auto &caches = device.resultCaches;
  std::erase_if(caches,
                [](const auto &entry) { return entry.second.expired(); });
  if (fingerprint == 0)
    return {};
  const auto [begin, end] = caches.equal_range(fingerprint);
  for (auto entry = begin; entry != end; ++entry)
    if (const auto cache = entry->second.lock())
      if (ResultCache::Tensors found = cache->find(chips, key); !found.empty())
        return found;
  return {};
}

void share(OpenDevice &device, std::uint64_t fingerprint,
           const std::shared_ptr<ResultCache> &kept) {
  const auto [begin, end] = device.resultCaches.equal_range(fingerprint);
  if (fingerprint != 0 && std::none_of(begin, end, [&](const auto &entry) {
        return entry.second.lock() == kept;
      }))
    device.resultCaches.emplace(fingerprint, kept);
}

TensorPtr placeHighOnChips(const TensorPtr &source, const Layout &layout,
                           const Chips &chips,
                           const std::vector<std::uint32_t> &meshShape,
                           std::int64_t bytes, const std::string &owner) {
  if (!layout.onDevice())
    return placeOnChips(source, layout, chips, meshShape, owner);
  const std::int64_t address = findAddress(chips, bytes);
  std::vector<TensorPtr> shards;
  for (std::size_t p = 0; p < chips.size(); ++p) {
    auto kept = std::make_shared<TensorData>();
    kept->layout = layout;
    kept->buffer = bufferAt(address, chips[p], bytes, owner);
    if (!chips.ownership.isLocal(p))
      kept->buffer->setRemote(chips.ownership.remote(p));
    copyOwn(shardOf(source, p), kept, numerics::Rounding::Host);
    shards.push_back(std::move(kept));
  }
  return shards.size() > 1 ? meshTensor(std::move(shards), meshShape)
                           : shards.front();
}

TensorPtr remoteLike(const TensorPtr &own, const std::shared_ptr<Chip> &chip,
                     Remote remote, const std::string &owner) {
  const Layout &layout = own->layout;
  if (layout.space != Space::Dram)
    return remoteTensor(layout, chip, owner, std::move(remote));
  auto tensor = std::make_shared<TensorData>();
  tensor->layout = layout;
  tensor->buffer = bufferAt(findAddress({chip}, own->buffer->bankBytes()), chip,
                            own->buffer->bankBytes(), owner);
  tensor->buffer->setRemote(std::move(remote));
  return tensor;
}

TensorPtr keepOnChips(const TensorPtr &tensor, const Chips &chips,
                      const std::string &owner) {
  if (!tensor->onDevice())
    return tensor;
  return placeHighOnChips(tensor, tensor->layout, chips, tensor->meshShape,
                          shardOf(tensor, 0)->buffer->bankBytes(), owner);
}

} // namespace tt::runtime::emulator
