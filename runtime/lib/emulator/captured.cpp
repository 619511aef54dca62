#include "emulator/captured.h"

#include "emulator/handles.h"
#include "emulator/mesh.h"
#include "emulator/result_cache.h"
#include "emulator/tensor_copy.h"

#include <algorithm>
#include <limits>

namespace tt::runtime::emulator {

//===-- Memory ------------------------------------------------------------===//

CapturedMemory::CapturedMemory(Chips chips, std::string owner)
    : chips_(std::move(chips)), owner_(std::move(owner)),
      banks_(chips_.size()) {
  forBanks(
      [](Bank &bank, Memory &memory) { bank.generation = memory.generation; });
}

template <typename Body> void CapturedMemory::forBanks(const Body &body) {
  for (std::size_t p = 0; p < chips_.size(); ++p) {
    std::lock_guard lock(chips_[p]->mutex());
    for (std::size_t i = 0; i < 2; ++i)
      body(banks_[p][i], chips_[p]->memory(i ? Space::Dram : Space::L1));
  }
}

CapturedMemory::Capture::Capture(CapturedMemory &memory) : memory_(memory) {
  memory.forBanks([](Bank &, Memory &m) { m.allocator.startCapture(); });
}

CapturedMemory::Capture::~Capture() {
  memory_.forBanks(
      [](Bank &bank, Memory &m) { bank.runs.fill(m.allocator.stopCapture()); });
}

std::vector<CapturedMemory::Place>
CapturedMemory::placesOf(const std::vector<TensorPtr> &outputs) {
  std::vector<Place> places;
  for (const TensorPtr &output : outputs)
    for (std::size_t p = 0; p < chips_.size(); ++p) {
      const TensorData &shard = *shardOf(output, p);
      if (!shard.onDevice())
        continue;
      Bank &bank = banks_[p][shard.layout.space == Space::Dram];
      const PlacedBlocks &run = bank.runs.front();
      // Tensors outside the blocks of the run, such as inputs, keep their
      // place.
      for (std::size_t i = run.size(); i-- > 0;)
        if (run[i].address == shard.buffer->address()) {
          places.push_back({&bank, i, chips_[p], shard.layout.space});
          break;
        }
    }
  return places;
}

std::size_t CapturedMemory::hold(const std::vector<TensorPtr> &outputs) {
  const std::vector<Place> places = placesOf(outputs);
  // Other tensors may have used the blocks of the outputs before.
  forBanks([&](Bank &bank, Memory &) {
    std::vector<std::int64_t> cuts;
    for (const PlacedBlock &block : bank.runs.front())
      cuts.insert(cuts.end(), {block.address, block.address + block.bytes});
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    const auto isOutput = [&](std::int64_t address) {
      return std::any_of(places.begin(), places.end(), [&](const Place &p) {
        const PlacedBlock &block = bank.runs.front()[p.block];
        return p.bank == &bank && block.address <= address &&
               address < block.address + block.bytes;
      });
    };
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      const bool used =
          std::any_of(bank.runs.front().begin(), bank.runs.front().end(),
                      [&](const PlacedBlock &block) {
                        return block.address <= cuts[i] &&
                               cuts[i + 1] <= block.address + block.bytes;
                      });
      if (!used)
        continue;
      const bool joins =
          !bank.regions.empty() && !isOutput(cuts[i]) &&
          !isOutput(bank.regions.back().block.address) &&
          bank.regions.back().block.address + bank.regions.back().block.bytes ==
              cuts[i];
      if (joins)
        bank.regions.back().block.bytes += cuts[i + 1] - cuts[i];
      else
        bank.regions.push_back({{cuts[i], cuts[i + 1] - cuts[i]}});
    }
  });
  hold();
  std::size_t buffers = 0;
  for (; buffers < kTraceBuffers && separate(places, buffers); ++buffers)
    hold();
  return std::max<std::size_t>(buffers, 1);
}

bool CapturedMemory::separate(const std::vector<Place> &places,
                              std::size_t buffer) {
  std::vector<std::unique_ptr<Buffer>> blocks;
  for (const Place &place : places) {
    const std::int64_t bytes = place.bank->runs[buffer][place.block].bytes;
    try {
      const std::int64_t address =
          place.space == Space::Dram ? findAddress({place.chip}, bytes) : -1;
      blocks.push_back(
          address < 0
              ? std::make_unique<Buffer>(place.chip, place.space, bytes, owner_)
              : std::make_unique<Buffer>(place.chip, place.space, address,
                                         bytes, owner_));
    } catch (const Error &error) {
      if (error.category() != ErrorCategory::OutOfMemory)
        throw;
      return false;
    }
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    PlacedBlock &block = places[i].bank->runs[buffer][places[i].block];
    block.address = blocks[i]->address();
    places[i].bank->regions.push_back({block});
  }
  return true;
}

void CapturedMemory::hold() {
  forBanks([&](Bank &bank, Memory &memory) {
    for (Region &region : bank.regions) {
      const auto [address, bytes] = region.block;
      if (region.held || memory.generation != bank.generation ||
          !memory.allocator.holderOf(address, bytes).empty())
        continue;
      memory.allocator.reserve(address, bytes, owner_);
      region.held = true;
    }
  });
}

void CapturedMemory::release() {
  forBanks([](Bank &bank, Memory &memory) {
    for (Region &region : bank.regions)
      if (std::exchange(region.held, false) &&
          memory.generation == bank.generation)
        memory.allocator.release(region.block.address);
  });
}

CapturedMemory::Run::Run(CapturedMemory &memory, std::size_t buffer)
    : memory_(memory) {
  memory.release();
  memory.forBanks([&](Bank &bank, Memory &m) {
    m.allocator.startReplay(bank.runs[buffer]);
  });
}

CapturedMemory::Run::~Run() {
  memory_.forBanks([](Bank &, Memory &m) { m.allocator.stopReplay(); });
  memory_.hold();
}

//===-- Costs and tensors -------------------------------------------------===//

CapturedCost::CapturedCost(OpenDevice &device)
    : device_(device), reporting_(std::exchange(device.reporting, true)),
      tracing_(std::exchange(device.tracing, std::nullopt)),
      report_(std::move(device.report)) {}

CapturedCost::~CapturedCost() {
  device_.reporting = reporting_;
  device_.tracing = std::move(tracing_);
  device_.report = std::move(report_);
}

void append(Report &all, OpCost op) {
  op.start = all.cycles;
  all.cycles += op.cycles;
  all.seconds += op.cycles / all.clockHz;
  all.ops.push_back(std::move(op));
}

void append(Report &all, Report more) {
  for (OpCost &op : more.ops)
    append(all, std::move(op));
}

namespace {

TensorPtr onEachChip(const TensorPtr &tensor, const Layout &layout) {
  if (!tensor->onMesh())
    return place(tensor, layout, nullptr, "tensor of a trace");
  std::vector<TensorPtr> shards;
  for (const TensorPtr &shard : tensor->shards)
    shards.push_back(
        shard->remote()
            ? remoteTensor(layout, nullptr, "", *shard->buffer->remote())
            : place(shard, layout, nullptr, "tensor of a trace"));
  return meshTensor(std::move(shards), tensor->meshShape);
}

} // namespace

TensorPtr allocateLike(const TensorPtr &tensor, const Chips &chips,
                       const std::string &owner) {
  if (!tensor->onDevice())
    return onEachChip(tensor, tensor->layout);
  if (tensor->layout.space == Space::Dram)
    return keepOnChips(tensor, chips, owner);
  return placeOnChips(tensor, tensor->layout, chips, tensor->meshShape, owner);
}

void copyShards(const TensorPtr &from, const TensorPtr &to) {
  const std::size_t count = to->onMesh() ? to->shards.size() : 1;
  for (std::size_t p = 0; p < count; ++p)
    copyTensor(shardOf(from, p)->view(), shardOf(to, p)->view(),
               numerics::Rounding::Host);
}

TensorPtr onHost(const TensorPtr &tensor) {
  return tensor->onDevice() ? copyToHost(tensor) : tensor;
}

TensorPtr copyToHost(const TensorPtr &tensor) {
  return onEachChip(
      tensor, hostLayout(tensor->layout.shape, plainType(tensor->layout.type)));
}

} // namespace tt::runtime::emulator
