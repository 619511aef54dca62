// From the description of a launch to the machine that runs it.
#include "emulator/compute_access.h"
#include "emulator/fabric.h"
#include "numerics/stream.h"

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
  /// `kept` is what the last launch on the chip has left, or null.
  Preparer(Mesh &mesh, std::unique_ptr<Machine> kept, std::uint32_t device,
           Chip &chip, const Launch &launch, std::span<const LiveBuffer> live,
           const LaunchOptions &options)
      : launch_(launch), geometry_(chip.geometry()), mesh_(mesh),
        machine_(std::move(kept)) {
    if (machine_)
      clear();
    else
      make(chip);
    machine_->mesh = &mesh;
    machine_->device = device;
    machine_->launch = &launch;
    machine_->live = live;
    machine_->options = options;
    std::uint64_t bytes = 0; // in a channel
    machine_->hostPages.clear();
    for (const LiveBuffer &buffer : live)
      if (buffer.host)
        machine_->hostPages.push_back(buffer.host);
    for (const LiveBuffer &buffer : live)
      bytes += buffer.dram() ? buffer.bytes : 0;
    machine_->streams =
        bytes >= std::uint64_t(numerics::kStreamedBytes / geometry_.channels);
  }

  /// A chip that another rank runs: kernels address it, and nothing runs on it.
  std::unique_ptr<Machine> runNothing() { return std::move(machine_); }

  std::unique_ptr<Machine> run() {
    if (launch_.semaphores.size() > kSemaphores)
      bad("expected at most ", kSemaphores, " semaphores, found ",
          launch_.semaphores.size());
    for (std::uint32_t i = 0; i < launch_.kernels.size(); ++i)
      addKernel(i);
    for (Core &core : machine_->cores)
      finishCore(core);
    for (const CircularBufferConfig &buffer : launch_.buffers)
      forCores(*machine_, buffer.cores, "a circular buffer",
               [&](Core &core) { addBuffer(core, buffer); });
    initializeMemory();
    for (std::uint32_t index : machine_->active)
      startCore(machine_->cores[index]);
    return std::move(machine_);
  }

private:
  void make(Chip &chip) {
    machine_ = std::make_unique<Machine>();
    machine_->chip = &chip;
    machine_->geometry = &chip.geometry();
    machine_->noc = NocMap(geometry_);
    machine_->zeros = zerosAddress(geometry_);
    machine_->semaphores = machine_->zeros + kZerosBytes;
    machine_->cores = std::vector<Core>(std::size_t(geometry_.cores()));
    for (std::uint32_t i = 0; i < machine_->cores.size(); ++i) {
      Core &core = machine_->cores[i];
      core.machine = machine_.get();
      core.index = i;
      core.y = int(i / geometry_.gridX);
      core.x = int(i % geometry_.gridX);
      core.place = machine_->noc.worker(i);
      core.l1 = machine_->chip->l1(i, 0);
    }
  }

  void clear() {
    for (Code *code : machine_->codes)
      code->taken = false;
    machine_->codes.clear();
    for (Core &core : machine_->cores)
      if (!core.buffers.empty() || core.watch)
        core.restart();
    machine_->active.clear();
    if (machine_->watch)
      machine_->spareWatch = std::move(machine_->watch);
    machine_->dram.clear();
    machine_->noWay.clear();
  }

  //===-- Kernels ---------------------------------------------------------===//

  /// Threads that a core keeps for programs that run in turn.
  static constexpr std::size_t kMostSpareThreads = 12;

  /// A thread that the core had before, if it ran the C++ kernel or the kernel
  /// is not in C++, or a new one.
  static std::unique_ptr<Thread> takeSpare(Core &core,
                                           const NativeKernel *kernel) {
    auto &spare = core.spareThreads;
    auto found = std::ranges::find_if(spare, [&](const auto &thread) {
      return kernel ? thread->native && thread->native->isOf(kernel)
                    : !thread->native;
    });
    if (found == spare.end() && spare.size() < kMostSpareThreads)
      return std::make_unique<Thread>();
    if (found == spare.end())
      found = spare.begin(); // the oldest
    auto thread = std::move(*found);
    spare.erase(found);
    return thread;
  }

  void addKernel(std::uint32_t index) {
    const Kernel &kernel = launch_.kernels[index];
    if (!kernel.program)
      bad("expected a program of kernel '", kernel.name, "'");
    Code &code = machine_->decoded.take(kernel, index, geometry_);
    machine_->codes.push_back(&code);
    std::uint32_t count = 0;
    forCores(*machine_, kernel.cores, "a kernel", [&](Core &core) {
      for (const auto &other : core.threads)
        if (other->kind() == kernel.kind)
          bad("expected one ", threadName(kernel.kind), " kernel on core (",
              core.y, ", ", core.x, "), found '", other->code->kernel->name,
              "' and '", kernel.name, "'");
      std::unique_ptr<Thread> thread = takeSpare(core, kernel.native.get());
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
      if (!kernel.native)
        thread->native.reset();
      else if (!thread->native)
        thread->native = std::make_unique<NativeThread>();
      if (thread->native) {
        thread->native->start(*thread, kernel.native,
                              machine_->options.repetition);
        thread->next = thread->native->op();
      }
      core.threads.push_back(std::move(thread));
      core.buffers.resize(kPorts);
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
    const auto tile = std::uint64_t(numerics::tileBytes(from.type));
    if (from.tiled && from.pageSize < tile)
      bad("expected pages of circular buffer ", from.port, " of at least ",
          tile, " bytes, a tile of ", numerics::dtypeName(from.type),
          ", found ", from.pageSize);
    core.buffers.resize(kPorts);
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
    std::uint32_t pushes = 0, pops = 0, queues = 0;
    for (const auto &thread : core.threads) {
      pushes |= thread->code->pushes;
      pops |= thread->code->pops;
      queues |= thread->code->queues;
    }
    to.full = from.aliased && !(pushes >> from.port & 1);
    to.free = from.aliased && !(pops >> from.port & 1);
    to.scratch = !(queues >> from.port & 1);
    return to;
  }

  //===-- Start -----------------------------------------------------------===//

  /// Contents of circular buffers from earlier programs must not be visible;
  /// the checks find who reads them.
  void initializeMemory() {
    for (std::uint32_t index : machine_->active) {
      std::byte *l1 = machine_->cores[index].l1;
      for (const CircularBuffer &buffer : machine_->cores[index].buffers)
        if (buffer.bound && !buffer.aliased && !machine_->checks() &&
            !machine_->options.checkedBefore)
          std::memset(l1 + buffer.address, 0, buffer.bytes());
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
        mesh_.result.events.push_back(
            {core.y,
             core.x,
             {std::uint8_t(core.place.x), std::uint8_t(core.place.y)},
             thread->kind() == KernelKind::Tensix,
             thread->kind() == KernelKind::Noc1 ? 1 : 0,
             thread->code->index,
             {},
             machine_->device});
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
    config.wormhole = geometry_.arch == ::tt::target::Arch::Wormhole_b0;
    if (core.compute) {
      core.compute->restart(config);
    } else {
      core.tiles = std::make_unique<CoreTiles>();
      core.compute =
          std::make_unique<tensix::ComputeContext>(config, *core.tiles);
    }
    core.tiles->thread = &thread;
    core.compute->checks = machine_->checks();
    for (std::uint32_t port = 0; port < kPorts; ++port) {
      const CircularBuffer &from = core.buffers[port];
      core.compute->cbs[port] = {from.type, from.tiled, from.bound,
                                 from.pageSize};
    }
  }

  const Launch &launch_;
  const ChipGeometry &geometry_;
  Mesh &mesh_;
  std::unique_ptr<Machine> machine_;
};

} // namespace

std::uint32_t semaphoreAddress(const ChipGeometry &chip, std::uint32_t id) {
  if (id >= kSemaphores)
    raise(ErrorCategory::Argument, "expected a semaphore below ", kSemaphores,
          ", found ", id);
  return zerosAddress(chip) + kZerosBytes + id * kSemaphoreBytes;
}

void forCores(Machine &machine, const std::vector<CoreRange> &ranges,
              const char *what, const std::function<void(Core &)> &f) {
  const ChipGeometry &g = *machine.geometry;
  for (const CoreRange &r : ranges) {
    if (r.y < 0 || r.x < 0 || r.height < 1 || r.width < 1 ||
        r.height > g.gridY || r.width > g.gridX || r.y > g.gridY - r.height ||
        r.x > g.gridX - r.width)
      bad("expected ", what, " on cores of the ", g.gridY, "x", g.gridX,
          " grid, found ", r.height, "x", r.width, " at (", r.y, ", ", r.x,
          ")");
    for (std::int64_t y = r.y; y < r.y + r.height; ++y)
      for (std::int64_t x = r.x; x < r.x + r.width; ++x)
        f(machine.cores[std::size_t(y * g.gridX + x)]);
  }
}

namespace {

/// Finds the routes between the chips once, if a kernel sends to others.
void findWays(Mesh &mesh) {
  const std::size_t count = mesh.machines.size();
  for (const auto &machine : mesh.machines) {
    if (!mesh.ownership.isLocal(machine->device))
      continue;
    machine->noWay.resize(count);
    for (std::uint32_t to = 0; to < count; ++to)
      if (to != machine->device)
        try {
          mesh.fabric->route(machine->device, to);
        } catch (const Error &error) {
          machine->noWay[to] = error.what();
        }
  }
}

/// The machines that earlier launches on the same chips have left, without
/// what they did; else none.
std::unique_ptr<Mesh> takeKept(const LaunchChips &chips) {
  std::unique_ptr<Mesh> mesh =
      chips.memory ? std::move(chips.memory->mesh) : nullptr;
  const auto isOn = [](const auto &machine, const Chip *chip) {
    return machine->chip == chip;
  };
  if (!mesh || !std::equal(mesh->machines.begin(), mesh->machines.end(),
                           chips.chips.begin(), chips.chips.end(), isOn))
    return std::make_unique<Mesh>();
  mesh->numbered.clear();
  mesh->sawData = false;
  mesh->result = {};
  return mesh;
}

} // namespace

bool reachesChips(const Launch &launch) {
  const auto sends = [](const Instruction &instruction) {
    return instruction.opcode == Opcode::fabric_async_write ||
           instruction.opcode == Opcode::fabric_semaphore_inc;
  };
  return std::ranges::any_of(launch.kernels, [&](const Kernel &kernel) {
    return kernel.program &&
           std::ranges::any_of(kernel.program->instructions, sends);
  });
}

LaunchMemory::LaunchMemory() = default;
LaunchMemory::~LaunchMemory() = default;

std::unique_ptr<Mesh> prepare(const LaunchChips &chips, const Launch &launch,
                              std::span<const LiveBuffer> live,
                              const LaunchOptions &options) {
  if (chips.chips.empty() || (chips.chips.size() > 1 && !chips.fabric))
    bad("expected a chip, or several with the links between them, found ",
        chips.chips.size(), " chips");
  for (const Kernel &kernel : launch.kernels)
    if (kernel.cpp && !kernel.native)
      raise(ErrorCategory::Unsupported, "the kernel '", kernel.name,
            "' is C++, which is compiled and run only on request: expected "
            "ttmlir.load(..., allow_cpp=True), or --allow-cpp of ttrt");
  std::unique_ptr<Mesh> mesh = takeKept(chips);
  mesh->fabric = chips.fabric;
  mesh->machines.resize(chips.chips.size());
  mesh->ownership = chips.ownership;
  const bool reaches = reachesChips(launch);
  mesh->together = reaches && chips.ownership.divided();
  for (std::uint32_t i = 0; i < chips.chips.size(); ++i) {
    Preparer preparer(*mesh, std::move(mesh->machines[i]), i, *chips.chips[i],
                      launch, live, options);
    mesh->machines[i] =
        chips.ownership.isLocal(i) ? preparer.run() : preparer.runNothing();
  }
  if (options.checks)
    watchMemory(*mesh);
  if (reaches)
    findWays(*mesh);
  if (options.events) {
    std::size_t next = 0;
    for (const auto &machine : mesh->machines)
      for (std::uint32_t index : machine->active)
        for (auto &thread : machine->cores[index].threads)
          thread->events = &mesh->result.events[next++];
  }
  return mesh;
}

} // namespace tt::runtime::emulator
