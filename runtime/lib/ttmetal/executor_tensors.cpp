// The tensors of a run: their memory, and what was written of it.
#include "emulator/handles.h"
#include "emulator/mesh.h"
#include "emulator/tensor_copy.h"
#include "emulator/unwritten.h"
#include "ttmetal/executor.h"

#include <algorithm>

namespace tt::runtime::ttmetal {

using emulator::CoreRange;
using numerics::Rounding;

namespace {

/// The cores that hold a shard: one rectangle where they are one.
std::vector<CoreRange> coresOf(const Layout &layout, const ChipGeometry &chip) {
  if (layout.placement != Placement::Sharded)
    return {{0, 0, chip.gridY, chip.gridX}};
  std::vector<std::int32_t> banks = layout.shardBank;
  std::sort(banks.begin(), banks.end());
  banks.erase(std::unique(banks.begin(), banks.end()), banks.end());
  const std::int64_t y = banks.front() / chip.gridX;
  const std::int64_t x = banks.front() % chip.gridX;
  const CoreRange box{y, x, banks.back() / chip.gridX - y + 1,
                      banks.back() % chip.gridX - x + 1};
  bool inside = std::int64_t(banks.size()) == box.height * box.width;
  for (std::int32_t bank : banks)
    inside &= bank % chip.gridX >= x && bank % chip.gridX < x + box.width;
  if (inside)
    return {box};
  std::vector<CoreRange> cores;
  for (std::int32_t bank : banks)
    cores.push_back({bank / chip.gridX, bank % chip.gridX, 1, 1});
  return cores;
}

} // namespace

TensorPtr Executor::createOn(const std::shared_ptr<emulator::Chip> &chip,
                             const Value &value, std::int64_t address,
                             bool watch, const emulator::Ownership &ownership,
                             std::size_t position) {
  if (!value.layout.onDevice() && !ownership.isLocal(position))
    return emulator::remoteTensor(value.layout, nullptr, value.description,
                                  ownership.remote(position));
  auto tensor = std::make_shared<emulator::TensorData>();
  tensor->layout = value.layout;
  if (!value.layout.onDevice()) {
    tensor->buffer = std::make_shared<emulator::Buffer>(
        emulator::allocateHost(value.layout.bankBytes));
    return tensor;
  }
  tensor->buffer = std::make_shared<emulator::Buffer>(
      chip, value.layout.space, address, value.bankBytes, value.description);
  if (ownership.isLocal(position))
    tensor->buffer->clear(watch);
  else
    tensor->buffer->setRemote(ownership.remote(position));
  return tensor;
}

TensorPtr Executor::create(ValueIndex index, bool watch) {
  const Value &value = program_.values[index];
  if (value.layout.space == Space::L1)
    slots_[index].cores = coresOf(value.layout, geometry());
  std::int64_t address = value.address;
  if (value.placed) {
    address = emulator::findAddress(chips_, value.bankBytes);
    if (address < 0) // says who has the memory
      emulator::Buffer(chips_.front(), Space::Dram, value.bankBytes,
                       value.description);
  }
  if (chips_.size() == 1 || !value.layout.onDevice())
    return createOn(chips_.front(), value, address, watch);
  std::vector<TensorPtr> shards;
  for (std::size_t p = 0; p < chips_.size(); ++p)
    shards.push_back(
        createOn(chips_[p], value, address, watch, chips_.ownership, p));
  return emulator::meshTensor(std::move(shards), program_.mesh.meshShape);
}

TensorPtr Executor::constantOf(const Value &value) {
  auto constant = std::make_shared<emulator::TensorData>();
  constant->layout = hostLayout(value.layout.shape, value.layout.type);
  constant->buffer = std::make_shared<emulator::Buffer>(std::shared_ptr<void>(
      const_cast<std::uint8_t *>(value.constant.data()), [](void *) {}));
  if (!value.output)
    return constant;
  // A result is its owner's, the elements are the file's.
  TensorPtr copy = createOn(nullptr, value);
  emulator::copyTensor(constant->view(), copy->view(), Rounding::Host);
  return copy;
}

const TensorPtr &Executor::use(ValueIndex index) {
  const TensorPtr &tensor = place(index);
  settle(slots_[index]);
  return tensor;
}

void Executor::settle(Slot &slot) {
  if (!slot.pages)
    return;
  slot.pages->settle();
  slot.pages.reset();
}

TensorPtr Executor::hostResult(ValueIndex index,
                               const TensorPtr &tensor) const {
  const Value &value = program_.values[index];
  const auto &outputs = program_.outputs;
  // Without checks nobody would know what kernels leave out; and every position
  // is a tensor of its own.
  if (!allowsHostResults_ || chips_.size() > 1 || value.placed ||
      !device_.options.checks ||
      std::count(outputs.begin(), outputs.end(), index) != 1)
    return nullptr;
  const Layout &layout = value.layout;
  if (!layout.onDevice() || layout.tiled)
    return nullptr;
  TensorPtr host = emulator::allocateTensor(
      hostLayout(layout.shape, layout.type), nullptr, value.description);
  return emulator::HostPages::fit(*host, tensor->layout) ? host : nullptr;
}

const TensorPtr &Executor::place(ValueIndex index) {
  Slot &slot = slots_[index];
  if (slot.tensor)
    return slot.tensor;
  const Value &value = program_.values[index];
  if (!value.constant.empty()) {
    slot.tensor = constantOf(value);
    slot.written = true;
    return slot.tensor;
  }
  if (slot.deallocated)
    raise(ErrorCategory::Format, value.description,
          " is used after it was deallocated");
  if (!value.output)
    raise(ErrorCategory::Format, value.description,
          " is used before any command creates it");
  makeResult(index);
  return slot.tensor;
}

void Executor::makeResult(ValueIndex index) {
  Slot &slot = slots_[index];
  slot.tensor = create(index);
  if (TensorPtr host = hostResult(index, slot.tensor))
    slot.pages = std::make_unique<emulator::HostPages>(
        std::move(host), slot.tensor, emulator::HostPages::Access::Write);
}

const TensorPtr &Executor::output(std::size_t index) {
  const ValueIndex value = program_.outputs[index];
  try {
    if (const Slot &slot = slots_[value];
        slot.pages && slot.pages->isWritable()) {
      requireWritten(slot.tensor, "output " + std::to_string(index) + ", " +
                                      program_.values[value].description);
      return slot.pages->host();
    }
    const TensorPtr &tensor =
        read(value, "output " + std::to_string(index) + ", ");
    setWritten(value); // what its owner does with it is not watched
    return tensor;
  } catch (const Fault &) {
    throw;
  } catch (const Error &error) {
    raise(error.category(), "program '", program_.name, "', output ", index,
          ": ", error.what());
  }
}

const TensorPtr &Executor::read(ValueIndex index, const std::string &what) {
  const TensorPtr &tensor = use(index);
  const Value &value = program_.values[index];
  if (value.layout.onDevice())
    requireWritten(tensor, what + value.description);
  else if (!slots_[index].written)
    raise(ErrorCategory::Format, value.description, " was never written");
  return tensor;
}

void Executor::requireWritten(const TensorPtr &tensor,
                              const std::string &what) const {
  for (std::size_t p = 0; p < chips_.size(); ++p) {
    const emulator::TensorData &shard = *emulator::shardOf(tensor, p);
    if (shard.remote())
      continue;
    const emulator::Unwritten unwritten = emulator::findUnwritten(shard);
    if (!unwritten.bytes) {
      shard.buffer->zeroUnwritten(); // its padding
      continue;
    }
    FaultPlace place;
    place.kernel = program_.name;
    place.thread = "host";
    place.bytes = std::uint64_t(unwritten.bytes);
    if (command_)
      place.location = command_->location;
    if (chips_.size() > 1)
      place.chip = {int(p), int(chips_[p]->id())};
    const std::string text =
        "program '" + program_.name + "', " + what + describeChip(place.chip) +
        ": no kernel has written " + unwritten.describe(shard.layout);
    throw UninitializedReadFault(std::move(place), text);
  }
}

void Executor::setWritten(ValueIndex index) {
  slots_[index].written = true;
  emulator::forShards(slots_[index].tensor, [](const TensorPtr &shard) {
    shard->buffer->setWritten();
  });
}

void Executor::write(const TensorPtr &source, ValueIndex target) {
  const TensorPtr &tensor = use(target);
  if (source->onMesh() && source->shards.size() != chips_.size())
    raise(ErrorCategory::Argument, "expected a tensor of mesh ",
          meshString(program_.mesh.meshShape), ", found one of mesh ",
          meshString(source->meshShape));
  for (std::size_t p = 0; p < chips_.size(); ++p) {
    const TensorPtr &shard = emulator::shardOf(tensor, p);
    shard->buffer->overwrite(shard->layout);
    emulator::copyOwn(emulator::shardOf(source, p), shard, Rounding::Host);
  }
  setWritten(target);
  if (tensor->onDevice())
    reportTransfer(command_ ? nullptr : "write_input", program_.values[target],
                   true);
}

TensorPtr Executor::hostFor(const TensorPtr &from, ValueIndex index) {
  const Value &value = program_.values[index];
  if (!from->onMesh())
    return createOn(nullptr, value);
  std::vector<TensorPtr> shards;
  for (std::size_t p = 0; p < chips_.size(); ++p)
    shards.push_back(createOn(nullptr, value, 0, false, chips_.ownership, p));
  return emulator::meshTensor(std::move(shards), program_.mesh.meshShape);
}

const std::vector<emulator::LiveBuffer> &Executor::liveBuffers() {
  std::size_t count = 0;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Value &value = program_.values[i];
    if (!slots_[i].tensor || !value.layout.onDevice())
      continue;
    if (count == live_.size())
      live_.emplace_back();
    emulator::LiveBuffer &live = live_[count++];
    const emulator::Buffer &buffer =
        *emulator::shardOf(slots_[i].tensor, 0)->buffer;
    live.name = value.description;
    live.address = std::uint64_t(buffer.address());
    live.bytes = std::uint64_t(buffer.bankBytes());
    live.cores = slots_[i].cores;
    live.host = slots_[i].pages.get();
    live.written.clear();
    if (live.host && !live.host->isWritable())
      continue; // all of it
    emulator::forShards(slots_[i].tensor, [&](const TensorPtr &shard) {
      live.written.push_back(shard->buffer->written());
    });
  }
  live_.resize(count);
  return live_;
}

} // namespace tt::runtime::ttmetal
