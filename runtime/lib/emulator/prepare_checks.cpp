// What the checks know when a run starts: who counts in the clocks, and what
// lies where.
#include "emulator/engine.h"

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
  for (std::uint32_t port = 0; port < kPorts; ++port) {
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
    if (b.full)
      core.watch->markWritten(b.address, b.address + b.bytes());
  }
}

void watchLive(Core &core, const LiveBuffer &live) {
  const std::uint64_t end = live.address + live.bytes;
  const auto size = std::uint64_t(core.machine->geometry->l1Size);
  if (live.bytes > size || end > size)
    raise(ErrorCategory::Argument, "expected tensor '", live.name,
          "' within an L1 of ", size, " bytes, found ", live.bytes, " at ",
          live.address);
  if (!core.watch)
    return;
  if (live.initialized)
    core.watch->markWritten(live.address, end);
  for (std::uint32_t port = 0; port < kPorts; ++port) {
    const CircularBuffer &b = core.buffers[port];
    if (b.bound && !b.aliased && b.address < end &&
        live.address < b.address + b.bytes())
      overlap(core, "tensor '" + live.name + "'", live.address, live.bytes,
              "circular buffer " + std::to_string(port), b.address, b.bytes());
  }
}

/// Numbers of the cores in clocks.
struct Numbers {
  std::uint32_t next = 0;  // of the chip's first core
  std::uint32_t count = 0; // of all
};

void watchChip(Machine &machine, bool reaches, Numbers numbers) {
  const ChipGeometry &g = *machine.geometry;
  // Accesses have 10 bits for the core.
  const bool many = numbers.count > 1 && numbers.count < 1000;
  machine.watch = std::make_unique<ChipWatch>(machine.cores.size(),
                                              std::uint64_t(g.channels),
                                              machine.launch->semaphores);
  for (Core &core : machine.cores) {
    if (core.threads.empty() && !reaches)
      continue;
    core.watch = std::make_unique<CoreWatch>(
        std::uint64_t(g.l1Size), std::uint64_t(g.channels),
        core.threads.empty() ? 0 : numbers.next++, std::max(numbers.count, 1u));
    core.watch->tracksDram = many;
    if (many && reaches)
      core.watch->trackL1(std::uint64_t(g.l1Size));
    watchBuffers(core);
  }
  for (const LiveBuffer &live : machine.launch->live)
    forCores(machine, live.cores, "a tensor",
             [&](Core &core) { watchLive(core, live); });
}

} // namespace

void watchMemory(Mesh &mesh) {
  // Kernels are the same on all chips.
  bool reaches = false, joined = false;
  for (const auto &code : mesh.machines.front()->codes) {
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
  Numbers numbers{0, std::uint32_t(mesh.numbered.size())};
  for (const auto &machine : mesh.machines) {
    const auto own = std::uint32_t(machine->active.size());
    watchChip(*machine, reaches, joined ? numbers : Numbers{0, own});
    numbers.next += own;
  }
}

} // namespace tt::runtime::emulator
