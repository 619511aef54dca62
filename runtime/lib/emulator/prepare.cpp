// From the description of a launch to the machine that runs it.
#include "emulator/compute_access.h"

#include <algorithm>
#include <cstring>

namespace tt::runtime::emulator {

const char *threadName(KernelKind kind) {
  return kind == KernelKind::Noc0   ? "noc0"
         : kind == KernelKind::Noc1 ? "noc1"
                                    : "compute";
}

namespace {

/// Bytes below the unreserved base: zeros, then the semaphores.
constexpr std::uint32_t kSystemBytes =
    kZerosBytes + kSemaphores * kSemaphoreBytes;

template <typename... Parts> [[noreturn]] void bad(const Parts &...parts) {
  raise(ErrorCategory::Argument, parts...);
}

std::uint32_t zerosAddress(const ChipGeometry &chip) {
  if (chip.l1Base < kSystemBytes)
    raise(ErrorCategory::Unsupported, "expected at least ", kSystemBytes,
          " bytes of L1 below the unreserved base for zeros and semaphores, "
          "found ",
          chip.l1Base);
  return std::uint32_t(chip.l1Base) - kSystemBytes;
}

class Preparer {
public:
  Preparer(Chip &chip, const Launch &launch, const LaunchOptions &options)
      : launch_(launch), geometry_(chip.geometry()),
        machine_(std::make_unique<Machine>()) {
    machine_->chip = &chip;
    machine_->geometry = &chip.geometry();
    machine_->launch = &launch;
    machine_->options = options;
    machine_->noc = NocMap(geometry_);
    machine_->zeros = zerosAddress(geometry_);
    machine_->semaphores = machine_->zeros + kZerosBytes;
  }

  std::unique_ptr<Machine> run() {
    makeCores();
    for (std::uint32_t i = 0; i < launch_.kernels.size(); ++i)
      addKernel(i);
    for (Core &core : machine_->cores)
      finishCore(core);
    for (const CircularBufferConfig &buffer : launch_.buffers)
      forCores(buffer.cores, "a circular buffer",
               [&](Core &core) { addBuffer(core, buffer); });
    initializeMemory();
    for (std::uint32_t index : machine_->active)
      startCore(machine_->cores[index]);
    if (machine_->checks())
      watchMemory();
    return std::move(machine_);
  }

private:
  void makeCores() {
    if (launch_.semaphores.size() > kSemaphores)
      bad("expected at most ", kSemaphores, " semaphores, found ",
          launch_.semaphores.size());
    machine_->cores = std::vector<Core>(std::size_t(geometry_.cores()));
    for (std::uint32_t i = 0; i < machine_->cores.size(); ++i) {
      Core &core = machine_->cores[i];
      core.index = i;
      core.y = int(i / geometry_.gridX);
      core.x = int(i % geometry_.gridX);
      core.place = machine_->noc.worker(i);
      core.l1 = machine_->chip->l1(i, 0);
    }
  }

  template <typename F>
  void forCores(const std::vector<CoreRange> &ranges, const char *what, F &&f) {
    for (const CoreRange &r : ranges) {
      if (r.y < 0 || r.x < 0 || r.height < 1 || r.width < 1 ||
          r.height > geometry_.gridY || r.width > geometry_.gridX ||
          r.y > geometry_.gridY - r.height || r.x > geometry_.gridX - r.width)
        bad("expected ", what, " on cores of the ", geometry_.gridY, "x",
            geometry_.gridX, " grid, found ", r.height, "x", r.width, " at (",
            r.y, ", ", r.x, ")");
      for (std::int64_t y = r.y; y < r.y + r.height; ++y)
        for (std::int64_t x = r.x; x < r.x + r.width; ++x)
          f(machine_->cores[std::size_t(y * geometry_.gridX + x)]);
    }
  }

  //===-- Kernels ---------------------------------------------------------===//

  void addKernel(std::uint32_t index) {
    const Kernel &kernel = launch_.kernels[index];
    if (!kernel.program)
      bad("expected a program of kernel '", kernel.name, "'");
    machine_->codes.push_back(compile(kernel, index, geometry_));
    const Code &code = *machine_->codes.back();
    std::uint32_t count = 0;
    forCores(kernel.cores, "a kernel", [&](Core &core) {
      for (const auto &other : core.threads)
        if (other->kind() == kernel.kind)
          bad("expected one ", threadName(kernel.kind), " kernel on core (",
              core.y, ", ", core.x, "), found '", other->code->kernel->name,
              "' and '", kernel.name, "'");
      auto thread = std::make_unique<Thread>();
      thread->machine = machine_.get();
      thread->core = &core;
      thread->code = &code;
      thread->coreIndex = count++;
      thread->registers.assign(
          std::max<std::size_t>(1, kernel.program->registers), 0);
      thread->r = thread->registers.data();
      std::copy(kernel.program->constants.begin(),
                kernel.program->constants.end(), thread->r);
      thread->next = code.ops.data();
      core.threads.push_back(std::move(thread));
    });
    for (std::size_t i = 0; i < kernel.runtimeArgs.size(); ++i) {
      const std::size_t values = kernel.runtimeArgs[i].size();
      if (values != 1 && values != count)
        bad("expected 1 value or ", count, ", one per core, for argument ", i,
            " of kernel '", kernel.name, "', found ", values);
    }
  }

  /// Threads in the order noc0, noc1, compute.
  void finishCore(Core &core) {
    if (core.threads.empty())
      return;
    std::sort(core.threads.begin(), core.threads.end(),
              [](auto &a, auto &b) { return a->kind() < b->kind(); });
    machine_->active.push_back(core.index);
  }

  //===-- Circular buffers ------------------------------------------------===//

  void addBuffer(Core &core, const CircularBufferConfig &from) {
    const auto size = std::uint64_t(geometry_.l1Size);
    if (from.port >= kPorts)
      bad("expected a circular buffer below ", kPorts, ", found ", from.port);
    if (from.pageSize == 0 || from.pages == 0 || from.pageSize > size ||
        from.pages > size / from.pageSize ||
        from.address > size - from.pageSize * from.pages)
      bad("expected the pages of circular buffer ", from.port, " within the ",
          size, " bytes of an L1, found ", from.pages, " of ", from.pageSize,
          " bytes at ", from.address);
    if (from.address < std::uint64_t(geometry_.l1Base))
      bad("expected circular buffer ", from.port, " at ", geometry_.l1Base,
          " or above, found ", from.address);
    const auto tile = std::uint64_t(kernels::tileBytes(from.type));
    if (from.tiled && from.pageSize < tile)
      bad("expected pages of circular buffer ", from.port, " of at least ",
          tile, " bytes, a tile of ", kernels::dtypeName(from.type), ", found ",
          from.pageSize);
    CircularBuffer &to = core.buffers[from.port];
    const CircularBuffer made = makeBuffer(core, from);
    if (to.bound && (to.address != made.address || to.pages != made.pages ||
                     to.pageSize != made.pageSize || to.type != made.type ||
                     to.tiled != made.tiled || to.aliased != made.aliased))
      bad("expected one circular buffer ", from.port, " on core (", core.y,
          ", ", core.x, "), found ", to.pages, " pages of ", to.pageSize,
          " bytes at ", to.address, " and ", made.pages, " of ", made.pageSize,
          " at ", made.address);
    to = made;
  }

  static CircularBuffer makeBuffer(const Core &core,
                                   const CircularBufferConfig &from) {
    CircularBuffer to;
    to.bound = true;
    to.tiled = from.tiled;
    to.aliased = from.aliased;
    to.type = from.type;
    to.address = std::uint32_t(from.address);
    to.pageSize = std::uint32_t(from.pageSize);
    to.pages = std::uint32_t(from.pages);
    std::uint32_t pushes = 0, pops = 0;
    for (const auto &thread : core.threads) {
      pushes |= thread->code->pushes;
      pops |= thread->code->pops;
    }
    to.full = from.aliased && !(pushes >> from.port & 1);
    to.free = from.aliased && !(pops >> from.port & 1);
    return to;
  }

  //===-- Start -----------------------------------------------------------===//

  void initializeMemory() {
    for (std::uint32_t index : machine_->active) {
      std::byte *l1 = machine_->cores[index].l1;
      std::memset(l1 + machine_->zeros, 0, kSystemBytes);
      for (std::size_t i = 0; i < launch_.semaphores.size(); ++i)
        std::memcpy(l1 + machine_->semaphores + i * kSemaphoreBytes,
                    &launch_.semaphores[i], 4);
    }
  }

  void startCore(Core &core) {
    for (auto &thread : core.threads) {
      if (thread->kind() == KernelKind::Tensix)
        startCompute(core, *thread);
      if (machine_->options.events)
        machine_->result.events.push_back(
            {core.y,
             core.x,
             {std::uint8_t(core.place.x), std::uint8_t(core.place.y)},
             thread->kind() == KernelKind::Tensix,
             thread->kind() == KernelKind::Noc1 ? 1 : 0,
             thread->code->index,
             {}});
    }
  }

  void startCompute(Core &core, Thread &thread) {
    const Kernel &kernel = *thread.code->kernel;
    tensix::MathConfig config;
    config.fidelity = kernel.fidelity;
    config.fp32DestAcc = kernel.fp32DestAcc;
    config.preserveFp32 = kernel.preserveFp32;
    config.approx = kernel.approx;
    config.exact = machine_->options.exactNumerics;
    core.tiles = std::make_unique<CoreTiles>();
    core.tiles->thread = &thread;
    core.compute =
        std::make_unique<tensix::ComputeContext>(config, *core.tiles);
    core.compute->checks = machine_->checks();
    for (std::uint32_t port = 0; port < kPorts; ++port) {
      const CircularBuffer &from = core.buffers[port];
      core.compute->cbs[port] = {from.type, from.tiled, from.bound,
                                 from.pageSize};
    }
  }

  //===-- Checks ----------------------------------------------------------===//

  void watchMemory() {
    const auto count = std::uint32_t(machine_->active.size());
    // Accesses have 10 bits for the core.
    const bool many = count > 1 && count < 1000;
    bool reaches = false;
    for (const auto &code : machine_->codes) {
      reaches |= code->reachesCores;
      for (const PlacedAccessor &accessor : code->accessors)
        reaches |= !accessor.dram;
    }
    machine_->watch = std::make_unique<ChipWatch>(
        machine_->cores.size(), std::uint64_t(geometry_.channels), kSemaphores);
    std::uint32_t next = 0;
    for (Core &core : machine_->cores) {
      if (core.threads.empty() && !reaches)
        continue;
      core.watch = std::make_unique<CoreWatch>(
          std::uint64_t(geometry_.l1Size), std::uint64_t(geometry_.channels),
          core.threads.empty() ? 0 : next++, std::max(count, 1u));
      core.watch->tracksDram = many;
      if (many && reaches)
        core.watch->trackL1(std::uint64_t(geometry_.l1Size));
      watchBuffers(core);
    }
    for (const LiveBuffer &live : launch_.live)
      forCores(live.cores, "a tensor",
               [&](Core &core) { watchLive(core, live); });
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
                  o.bytes(), "circular buffer " + std::to_string(port),
                  b.address, b.bytes());
      }
      core.watch->mapBuffer(port, b.address, b.address + b.bytes());
      if (b.full)
        core.watch->markWritten(b.address, b.address + b.bytes());
    }
  }

  void watchLive(Core &core, const LiveBuffer &live) {
    const std::uint64_t end = live.address + live.bytes;
    if (live.bytes > std::uint64_t(geometry_.l1Size) ||
        end > std::uint64_t(geometry_.l1Size))
      bad("expected tensor '", live.name, "' within an L1 of ",
          geometry_.l1Size, " bytes, found ", live.bytes, " at ", live.address);
    if (!core.watch)
      return;
    if (live.initialized)
      core.watch->markWritten(live.address, end);
    for (std::uint32_t port = 0; port < kPorts; ++port) {
      const CircularBuffer &b = core.buffers[port];
      if (b.bound && !b.aliased && b.address < end &&
          live.address < b.address + b.bytes())
        overlap(core, "tensor '" + live.name + "'", live.address, live.bytes,
                "circular buffer " + std::to_string(port), b.address,
                b.bytes());
    }
  }

  [[noreturn]] void overlap(const Core &core, const std::string &first,
                            std::uint64_t firstAddress,
                            std::uint64_t firstBytes, const std::string &second,
                            std::uint64_t secondAddress,
                            std::uint64_t secondBytes) {
    FaultPlace place;
    place.core = {core.y, core.x};
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

  const Launch &launch_;
  const ChipGeometry &geometry_;
  std::unique_ptr<Machine> machine_;
};

} // namespace

std::uint32_t semaphoreAddress(const ChipGeometry &chip, std::uint32_t id) {
  if (id >= kSemaphores)
    raise(ErrorCategory::Argument, "expected a semaphore below ", kSemaphores,
          ", found ", id);
  return zerosAddress(chip) + kZerosBytes + id * kSemaphoreBytes;
}

std::unique_ptr<Machine> prepare(Chip &chip, const Launch &launch,
                                 const LaunchOptions &options) {
  std::unique_ptr<Machine> machine = Preparer(chip, launch, options).run();
  if (options.events) {
    std::size_t next = 0;
    for (std::uint32_t index : machine->active)
      for (auto &thread : machine->cores[index].threads)
        thread->events = &machine->result.events[next++];
  }
  return machine;
}

} // namespace tt::runtime::emulator
