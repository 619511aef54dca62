// The state of a run of kernels: what launch() builds and the instructions work
// on.
#ifndef TT_RUNTIME_EMULATOR_ENGINE_H
#define TT_RUNTIME_EMULATOR_ENGINE_H

#include "emulator/code.h"
#include "emulator/engine_setup.h"
#include "emulator/launch.h"
#include "emulator/launch_memory.h"
#include "emulator/native_thread.h"
#include "emulator/noc.h"
#include "emulator/watch.h"
#include "tensix/compute.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace tt::runtime::emulator {

struct Core;
struct Machine;

struct CircularBuffer {
  bool bound = false, tiled = true, aliased = false;
  /// Of an aliased buffer: no kernel pushes to it, no kernel pops from it.
  bool full = false, free = false;
  /// Scratch memory: no kernel of the core pushes or pops its pages.
  bool scratch = false;
  numerics::DType type = numerics::DType::BF16;
  std::uint32_t address = 0, pageSize = 0, pages = 0;
  std::uint64_t received = 0, acked = 0;     // pages pushed and popped
  std::uint32_t readPage = 0, writePage = 0; // pointers
  std::uint32_t waited = 0, reserved = 0;    // pages from the pointers on
  std::uint32_t packed = 0;                  // tiles packed in order
  const Thread *producer = nullptr, *consumer = nullptr;

  std::uint64_t available() const { return full ? pages : received - acked; }
  std::uint64_t room() const {
    return free ? pages : pages - (received - acked);
  }
  std::uint64_t bytes() const { return std::uint64_t(pages) * pageSize; }

  /// For the checks: pages that another thread than the producer has popped and
  /// that nothing was written to since. None before the first.
  std::vector<bool> spent;
  void spend(std::uint32_t popped) {
    spent.resize(pages);
    for (std::uint32_t i = 0; i < popped; ++i)
      spent[(readPage + i) % pages] = true;
  }
  /// Bytes of the buffer or around it are written.
  void refill(std::uint64_t begin, std::uint64_t end) {
    if (!spent.empty())
      forPagesOf(begin, end, [&](std::size_t page) { spent[page] = false; });
  }
  bool isSpent(std::uint64_t begin, std::uint64_t end) const {
    bool any = false;
    if (!spent.empty())
      forPagesOf(begin, end, [&](std::size_t page) { any |= spent[page]; });
    return any;
  }

private:
  template <typename F>
  void forPagesOf(std::uint64_t begin, std::uint64_t end, F &&f) const {
    begin = std::max<std::uint64_t>(begin, address) - address;
    end = std::min(end - address, bytes());
    for (std::uint64_t page = begin / pageSize; page * pageSize < end; ++page)
      f(page);
  }
};

enum class State : std::uint8_t { Ready, Blocked, Done };

/// Bytes [begin, end) of an L1.
struct Span {
  std::uint64_t begin, end;
  bool meets(std::uint64_t first, std::uint64_t last) const {
    return begin < last && first < end;
  }
};

/// The bytes of L1 that transfers of a thread may still read or write.
class OpenTransfers {
public:
  void add(std::uint64_t begin, std::uint64_t end);
  void clear();
  bool meets(std::uint64_t begin, std::uint64_t end) const {
    return begin < high_ && low_ < end && find(begin, end);
  }

private:
  bool find(std::uint64_t begin, std::uint64_t end) const;

  std::uint64_t low_ = ~std::uint64_t(0), high_ = 0; // around all spans
  std::vector<Span> spans_; // ascending, and none touches another
};

/// The reads, or the writes, that a thread has started since its last barrier,
/// by transaction id. The id is 0 where the kernel sets none.
class Transactions {
public:
  static constexpr std::uint32_t kAll = ~std::uint32_t(0);

  /// A transfer starts, with bytes of local L1 or with none.
  void add(std::uint64_t begin, std::uint64_t end) {
    open_ |= bit(id);
    if (id >= memory_.size())
      memory_.resize(id + 1);
    memory_[id].add(begin, end);
  }
  /// `ids` has a bit for each id.
  bool any(std::uint32_t ids = kAll) const { return open_ & ids; }
  bool meets(std::uint64_t begin, std::uint64_t end) const {
    for (const OpenTransfers &memory : memory_)
      if (memory.meets(begin, end))
        return true;
    return false;
  }
  /// The transfers no longer need local L1.
  void release(std::uint32_t ids = kAll) {
    for (std::uint32_t i = 0; i < memory_.size(); ++i)
      if (ids & bit(i))
        memory_[i].clear();
  }
  /// The transfers are complete.
  void complete(std::uint32_t ids = kAll) {
    release(ids);
    open_ &= ~ids;
  }
  /// As if it were new; keeps its memory.
  void restart() {
    complete();
    id = 0;
    unicastEpochs = multicastEpochs = {};
  }
  static constexpr std::uint32_t bit(std::uint32_t id) {
    return std::uint32_t(1) << id;
  }

  std::uint32_t id = 0; // of the transfers that start
  /// With checks, by id: the epochs of the last transfer to or from one place,
  /// and of the last multicast.
  std::array<std::uint32_t, clock::kTransactionIds> unicastEpochs{},
      multicastEpochs{};

private:
  std::uint32_t open_ = 0;
  std::vector<OpenTransfers> memory_; // by id
};

struct Thread {
  Machine *machine = nullptr;
  Core *core = nullptr;
  const Code *code = nullptr;
  std::vector<std::uint64_t> registers;
  std::uint64_t *r = nullptr; // registers
  const Op *next = nullptr;
  const Op *current = nullptr;          // while a compute instruction runs
  std::unique_ptr<NativeThread> native; // of a kernel in C++
  std::uint32_t coreIndex = 0;          // within the cores of the kernel
  State state = State::Ready;
  std::uint64_t steps = 0;
  std::int64_t budget = 0; // instructions left in this round
  // Transfers to or from other cores that land at the end of the round.
  std::uint32_t remoteReads = 0, remoteWrites = 0, remoteAtomics = 0;
  std::uint32_t remoteFabric = 0; // to other chips
  // Since the last barrier; kept when checks are on.
  Transactions reads, writes;
  OpenTransfers fabric; // to other chips
  bool fabricOpen = false, atomicsOpen = false;
  ThreadEvents *events = nullptr;
  std::uint32_t sinceEvent = 0; // calls that take time

  /// As if it were new; keeps its memory.
  void restart();
  KernelKind kind() const { return code->kernel->kind; }
  const KernelProgram &program() const { return *code->kernel->program; }
  /// Stops at `op`, which runs again later.
  const Op *block(const Op *op) {
    next = op;
    state = State::Blocked;
    return nullptr;
  }
  /// Lets the other threads of the core run: polling makes no progress else.
  const Op *yield(const Op *after) {
    next = after;
    budget -= 1000;
    return nullptr;
  }
};

/// The number of a thread among those of a core, as clocks count them.
inline std::uint32_t threadOf(const Thread &t) {
  return std::uint32_t(t.kind());
}

/// What a core does to another: it happens at the end of the round.
struct Transfer {
  enum class Kind : std::uint8_t { Read, Write, Word, Increment };
  Kind kind;
  bool loopback = false; // a multicast that includes the sender
  bool unicast = true;
  bool semaphore = false; // orders the cores
  Thread *thread;
  const Op *op;
  std::uint32_t core = 0;       // the other core, of a unicast
  std::uint32_t x0, y0, x1, y1; // the rectangle of a multicast
  std::uint32_t local = 0;      // address in local L1
  std::uint32_t remote = 0;     // address in the other L1
  std::uint32_t bytes = 0;
  std::uint32_t value = 0; // of Word and Increment
  std::uint32_t clock = 0; // snapshot of the sender's clock
  Access access = 0;       // to the other core's memory; with checks
};

/// What a core does to a chip that is named by its position, this chip
/// included: a Write or an Increment, to the L1 of a core or to a DRAM channel.
/// It takes effect at the end of the round, after what the cores of every chip
/// do to each other.
struct FabricTransfer {
  Transfer transfer; // `core` is a core or a channel
  std::uint32_t device = 0;
  bool dram = false;
};

/// The handshake of the two sections of destination registers.
struct DstState {
  bool acquired = false; // by the matrix engine
  bool packing = false;  // the packer owns the oldest committed section
  std::uint32_t committed = 0;
};

class CoreTiles;

struct Core {
  Machine *machine = nullptr;
  std::uint32_t index = 0; // among the workers of the chip
  int y = 0, x = 0;        // logical
  NocCoord place;
  std::byte *l1 = nullptr;
  std::vector<std::unique_ptr<Thread>> threads; // noc0, noc1, compute
  std::vector<std::unique_ptr<Thread>> spareThreads;
  // By port; none on a core that runs no kernel and has no buffer, so that the
  // many idle cores of a small program cost nothing.
  std::vector<CircularBuffer> buffers;
  std::unique_ptr<CoreTiles> tiles;
  std::unique_ptr<tensix::ComputeContext> compute;
  DstState dst;
  EngineSetup setup; // with checks
  std::vector<Transfer> outbox;
  std::vector<FabricTransfer> fabricOutbox;
  std::vector<DebugPrint> prints;
  std::uint32_t lines = 0; // that were printed
  std::exception_ptr fault;
  std::unique_ptr<CoreWatch> watch; // with checks
  std::unique_ptr<CoreWatch> spareWatch;
  bool progressed = false; // in this round

  Core();
  Core(Core &&) noexcept;
  ~Core();
  /// As if nothing had run on it; keeps its memory.
  void restart();

  bool running() const {
    for (const auto &thread : threads)
      if (thread->state != State::Done)
        return true;
    return false;
  }
};

/// A tensor in the DRAM, in every channel.
struct DramTensor {
  std::uint64_t begin, end;
  const LiveBuffer *buffer;
  std::vector<WrittenBytes> *written; // by channel; null if all was
  /// Something in this run writes it. Set by the threads of any core.
  bool changes = false;
};

/// Of the threads in a round, or of those of all ranks.
struct Round {
  bool progressed = false, running = false;
};

/// What the chips of a run share, by position in the mesh.
struct Mesh {
  /// Those of other ranks have no active cores.
  std::vector<std::unique_ptr<Machine>> machines;
  Ownership ownership;
  /// Ranks run round by round, since kernels send to chips of others.
  bool together = false;
  Round round;
  /// With checks: something happened that may differ in a run with other data.
  std::atomic<bool> sawData = false;
  Fabric *fabric = nullptr; // of several chips
  /// With checks, if kernels reach other chips: the cores of all chips by their
  /// number in clocks. Otherwise every chip numbers its cores.
  std::vector<Core *> numbered;
  LaunchResult result;

  /// One that this rank runs; kernels are the same on all chips.
  const Machine &own() const { return *machines[ownership.first()]; }
};

/// A chip of a run.
struct Machine {
  Mesh *mesh = nullptr;
  std::uint32_t device = 0; // the position
  Chip *chip = nullptr;
  const ChipGeometry *geometry = nullptr;
  const Launch *launch = nullptr;
  std::span<const LiveBuffer> live;
  LaunchOptions options;
  NocMap noc;
  std::uint32_t semaphores = 0, zeros = 0; // addresses in L1
  CodeCache decoded;
  std::vector<Code *> codes;
  std::vector<Core> cores;           // every worker of the chip
  std::vector<std::uint32_t> active; // cores with kernels, ascending
  std::unique_ptr<ChipWatch> watch;  // with checks
  std::unique_ptr<ChipWatch> spareWatch;
  /// What no thread knows at first.
  std::shared_ptr<const std::vector<std::uint32_t>> nothing;
  std::vector<DramTensor> dram; // with checks; ascending
  /// Tensors in DRAM whose rows the host has.
  std::vector<HostPages *> hostPages;
  /// The tensors in DRAM are more than caches hold.
  bool streams = false;
  /// By position: why nothing can be sent there; empty if it can. Filled in if
  /// a kernel sends.
  std::vector<std::string> noWay;

  bool checks() const { return options.checks; }
};

/// Whether a check is enabled for the kernel of a thread.
inline bool checks(const Thread &t, Check check) {
  const LaunchOptions &options = t.machine->options;
  return options.checks &&
         (options.checkKinds & ~t.code->kernel->unchecked & kindOf(check));
}

/// Bytes of the zeros that kernels may read.
inline constexpr std::uint32_t kZerosBytes = 512;
/// Distance of semaphores.
inline constexpr std::uint32_t kSemaphoreBytes = 16;

/// The place of a core; without a chip if there is but one.
FaultChip faultChip(const Machine &machine);
/// " of device 4 (chip 7)", or nothing if there is but one chip.
std::string chipText(const Machine &machine);
/// "core (0, 1)", or with its chip if there are several.
std::string coreText(const Core &core);

/// Where an instruction of a thread is.
FaultPlace placeOf(const Thread &thread, const Op *op);

/// Throws the fault with the place of `op`.
template <typename... Parts>
[[noreturn]] void fail(const Thread &thread, const Op *op, FaultKind kind,
                       Span memory, const Parts &...parts) {
  std::ostringstream message;
  (message << ... << parts);
  FaultPlace place = placeOf(thread, op);
  place.address = memory.begin;
  place.bytes = memory.end - memory.begin;
  throwFault(kind, std::move(place), message.str());
}

template <typename... Parts>
[[noreturn]] void fail(const Thread &thread, const Op *op, FaultKind kind,
                       const Parts &...parts) {
  fail(thread, op, kind, Span{0, 0}, parts...);
}

/// The functions of a group of instructions; null for those of other groups.
Handler controlHandler(Opcode opcode);   // control.cpp
Handler bufferHandler(Opcode opcode);    // buffers.cpp
Handler localHandler(Opcode opcode);     // local.cpp
Handler nocHandler(Opcode opcode);       // noc.cpp
Handler semaphoreHandler(Opcode opcode); // semaphores.cpp
Handler fabricHandler(Opcode opcode);    // fabric_ops.cpp
Handler dstHandler(Opcode opcode);       // compute.cpp
Handler tileHandler(Opcode opcode);      // compute.cpp, of tensix::isCompute

/// Prints a line, unless the core has printed too many.
void printLine(Thread &thread, std::string text);

/// Appends to the events of the thread when they are recorded.
void record(Thread &thread, const Op *op, EventKind kind, Event details = {});

/// Builds the machines of the chips, from those that the launch before has
/// left; throws Error(Argument) for what does not fit a chip.
std::unique_ptr<Mesh> prepare(const LaunchChips &chips, const Launch &launch,
                              std::span<const LiveBuffer> live,
                              const LaunchOptions &options);
/// Calls `f` for the cores of ranges. Throws an error with `what` if they are
/// not in the grid.
void forCores(Machine &machine, const std::vector<CoreRange> &ranges,
              const char *what, const std::function<void(Core &)> &f);
/// Sets up the checks, once all machines exist.
void watchMemory(Mesh &mesh);
/// After the run: what was written of the tensors in L1.
void keepWritten(Mesh &mesh);

/// Does what the cores deferred to the end of the round, the last one if all
/// threads have ended. Returns false if there was nothing.
bool exchange(Mesh &mesh);
/// The part of it between the cores of one chip, and that between chips.
bool exchangeOnChip(Machine &machine);
bool exchangeFabric(Mesh &mesh);

/// What a thread waits for.
Waiter waiterOf(const Mesh &mesh, const Thread &thread);
/// Throws the report of threads that all wait.
[[noreturn]] void reportDeadlock(const Mesh &mesh);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_ENGINE_H
