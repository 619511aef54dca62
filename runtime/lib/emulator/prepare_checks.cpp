// What the checks know when a run starts: the cores of the clocks, and which
// tensor is where.
#include "emulator/noc_transfers.h"

#include <algorithm>

namespace tt::runtime::emulator {
namespace {

[[noreturn]] void overlap(const Core &core, const std::string &first,
                          std::uint64_t firstAddress, std::uint64_t firstBytes,
                          const std::string &second,
                          std::uint64_t secondAddress,
                          std::uint64_t secondBytes) {
  FaultPlace place;
  place.core = {core.y, core.x};
  place.chip = faultChip(*core.machine);
  if (!core.threads.empty()) {
    place.kernel = core.threads.front()->code->kernel->name;
    place.thread = threadName(core.threads.front()->kind());
  }
  place.address = std::max(firstAddress, secondAddress);
  place.bytes =
      std::min(firstAddress + firstBytes, secondAddress + secondBytes) -
      place.address;
  std::ostringstream message;
  message << first << " (" << firstBytes << " bytes at " << firstAddress
          << ") and " << second << " (" << secondBytes << " bytes at "
          << secondAddress << ") share " << place.bytes << " bytes at "
          << place.address << " of L1";
  throwFault(FaultKind::BufferOverlap, std::move(place), message.str());
}

void watchBuffers(Core &core) {
  for (std::uint32_t port = 0; port < core.buffers.size(); ++port) {
    const CircularBuffer &b = core.buffers[port];
    if (!b.bound)
      continue;
    for (std::uint32_t other = 0; other < port; ++other) {
      const CircularBuffer &o = core.buffers[other];
      if (o.bound && !(o.aliased && b.aliased) &&
          o.address < b.address + b.bytes() &&
          b.address < o.address + o.bytes())
        overlap(core, "circular buffer " + std::to_string(other), o.address,
                o.bytes(), "circular buffer " + std::to_string(port), b.address,
                b.bytes());
    }
    core.watch->mapBuffer(port, b.address, b.address + b.bytes());
  }
}

/// Throws unless the tensor is within a channel or core.
void requireRoom(const LiveBuffer &live, std::int64_t size, const char *what) {
  if (live.bytes > std::uint64_t(size) ||
      live.address > std::uint64_t(size) - live.bytes)
    raise(ErrorCategory::Argument, "expected tensor '", live.name, "' within ",
          what, " of ", size, " bytes, found ", live.bytes, " at ",
          live.address);
}

void watchL1(Core &core, const LiveBuffer &live) {
  const std::uint64_t end = live.address + live.bytes;
  if (!core.watch)
    return;
  if (const auto *written = live.writtenOn(core.machine->device))
    core.watch->written.markAs((*written)[core.index], 0, live.bytes,
                               live.address);
  else
    core.watch->written.mark(live.address, end);
  for (std::uint32_t port = 0; port < core.buffers.size(); ++port) {
    const CircularBuffer &b = core.buffers[port];
    if (b.bound && !b.aliased && b.address < end &&
        live.address < b.address + b.bytes())
      overlap(core, "tensor '" + live.name + "'", live.address, live.bytes,
              "circular buffer " + std::to_string(port), b.address, b.bytes());
  }
}

void watchDram(Machine &machine, const LiveBuffer &live) {
  machine.dram.push_back({live.address, live.address + live.bytes, &live,
                          live.writtenOn(machine.device), false});
}

/// The cores of a chip in clocks: `first` and those behind it, of `count`.
void watchChip(Machine &machine, bool reaches, std::uint32_t first,
               std::uint32_t count) {
  const ChipGeometry &g = *machine.geometry;
  const std::size_t actors = std::size_t(std::max(count, 1u)) * kActors;
  if (!machine.nothing || machine.nothing->size() != actors)
    machine.nothing =
        std::make_shared<const std::vector<std::uint32_t>>(actors);
  const std::vector<std::uint32_t> &semaphores = machine.launch->semaphores;
  std::vector<VectorClock> starts; // for semaphores
  if (!semaphores.empty())
    starts.resize(machine.cores.size(), VectorClock(0, machine.nothing));
  std::uint32_t number = first;
  for (Core &core : machine.cores) {
    if (core.threads.empty() && !reaches)
      continue;
    const std::uint32_t own = core.threads.empty() ? 0 : number++;
    const VectorClock start(own, machine.nothing);
    if (!starts.empty())
      starts[core.index] = start;
    core.watch = std::move(core.spareWatch);
    if (core.watch)
      core.watch->restart(start, own, areaOf(machine, core.index));
    else
      core.watch = std::make_unique<CoreWatch>(
          std::uint64_t(g.l1Size), std::uint64_t(g.l1Base),
          std::uint64_t(g.channels), start, own, areaOf(machine, core.index));
    core.watch->tracksL1 = reaches || core.threads.size() > 1;
    watchBuffers(core);
  }
  machine.watch = std::move(machine.spareWatch);
  if (machine.watch)
    machine.watch->restart(starts, semaphores);
  else
    machine.watch =
        std::make_unique<ChipWatch>(starts, std::uint64_t(g.channels),
                                    std::uint64_t(g.dramBase), semaphores);
  for (const LiveBuffer &live : machine.live) {
    if (live.dram()) {
      requireRoom(live, g.channelSize, "a DRAM channel");
      watchDram(machine, live);
      continue;
    }
    requireRoom(live, g.l1Size, "an L1");
    forCores(machine, live.cores, "a tensor",
             [&](Core &core) { watchL1(core, live); });
  }
  std::sort(machine.dram.begin(), machine.dram.end(),
            [](const DramTensor &a, const DramTensor &b) {
              return a.begin < b.begin;
            });
  // Where tensors share bytes, what changes one changes another.
  std::uint64_t end = 0;
  bool shared = false;
  for (const DramTensor &tensor : machine.dram) {
    shared |= tensor.begin < end;
    end = std::max(end, tensor.end);
  }
  for (DramTensor &tensor : machine.dram)
    tensor.changes = shared;
}

} // namespace

void watchMemory(Mesh &mesh) {
  // Kernels are the same on all chips.
  bool reaches = false, joined = false;
  for (const auto &code : mesh.own().codes) {
    joined |= code->reachesChips;
    reaches |= code->reachesCores || code->reachesChips;
    for (const PlacedAccessor &accessor : code->accessors)
      reaches |= !accessor.dram;
  }
  joined &= mesh.machines.size() > 1;
  if (joined)
    for (const auto &machine : mesh.machines)
      for (std::uint32_t index : machine->active)
        mesh.numbered.push_back(&machine->cores[index]);
  std::uint32_t first = 0;
  for (const auto &machine : mesh.machines) {
    if (!mesh.ownership.isLocal(machine->device))
      continue;
    const auto own = std::uint32_t(machine->active.size());
    if (joined)
      watchChip(*machine, reaches, first, std::uint32_t(mesh.numbered.size()));
    else
      watchChip(*machine, reaches, 0, own);
    first += own;
  }
}

void keepWritten(Mesh &mesh) {
  for (const auto &machine : mesh.machines)
    for (const LiveBuffer &live : machine->live)
      if (auto *written = live.writtenOn(machine->device);
          written && !live.dram())
        forCores(*machine, live.cores, "a tensor", [&](Core &core) {
          if (core.watch)
            (*written)[core.index].markAs(core.watch->written, live.address,
                                          live.address + live.bytes, 0);
        });
}

} // namespace tt::runtime::emulator
