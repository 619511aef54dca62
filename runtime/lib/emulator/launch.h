// Runs a program of kernels on the cores of a chip, or of all chips of a mesh.
//
// Each core runs up to two data movement kernels and one compute kernel.
// Threads are resumable states that run until they must wait; the cores run
// side by side in rounds on the host's threads. In a round a core sees only
// what it does itself and DRAM; what it does to other cores (writes,
// multicasts, semaphore increments) and reads of their memory happen between
// rounds in the order of the cores. So results, faults and reports do not
// depend on the number of host threads.
//
// Ranks that divide a mesh run the same rounds, if a kernel sends to other
// chips: what a chip does to one of another rank is a message at the end of the
// round. Without such kernels each rank runs its rounds alone.
//
// On a mesh every chip runs the program; get_my_device_id tells its position.
// The cores of all chips run side by side in the same rounds, and what one chip
// does to another arrives at the end of a round too, in the order of positions
// and cores: after what the cores of each chip did to each other.
//
// The compute kernel has one program counter for its three engines. The chip
// runs the same kernel once per engine, each doing its own part in program
// order and waiting for the others at the circular buffers and the destination
// registers; executing all parts in program order is one of the orders that
// these waits allow. It reaches the end unless one engine must run ahead of
// another: only a kernel whose earlier packing waits for its later unpacking
// needs that. Waits and events record the engine.
#ifndef TT_RUNTIME_EMULATOR_LAUNCH_H
#define TT_RUNTIME_EMULATOR_LAUNCH_H

#include "clock/events.h"
#include "emulator/machine.h"
#include "emulator/program.h"
#include "emulator/written.h"
#include "tt/runtime/checks.h"
#include "tt/runtime/fault.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tt::runtime {
class Debugger;
struct CppKernel;
} // namespace tt::runtime

namespace tt::runtime::emulator {

using clock::CoreRange;
using clock::Event;
using clock::EventKind;
using clock::NocPoint;
using clock::ThreadEvents;

class NativeKernel;

enum class KernelKind : std::uint8_t { Noc0, Noc1, Tensix };

/// "noc0", "noc1" or "compute".
const char *threadName(KernelKind kind);

/// A kernel on the cores of its ranges, which do not overlap. The cores are
/// numbered in the order of the ranges, row-major in each: for `core_index` and
/// for arguments.
struct Kernel {
  std::string name;
  std::string location = {}; // debug_info, as in the file
  std::shared_ptr<const KernelProgram> program;
  /// A C++ kernel; `program` is then that of the NativeKernel.
  std::shared_ptr<const NativeKernel> native = {};
  /// The text of a C++ kernel of a file, which runs only as `native`.
  std::shared_ptr<const CppKernel> cpp = {};
  KernelKind kind = KernelKind::Noc0;
  std::vector<CoreRange> cores;
  /// Of Tensix kernels.
  ::tt::target::MathFidelity fidelity = ::tt::target::MathFidelity::HiFi4;
  bool fp32DestAcc = false, preserveFp32 = false, approx = false;
  /// The checks that it disables.
  CheckKinds unchecked = 0;
  /// Each argument has one value for all cores, or one per core.
  std::vector<std::vector<std::uint32_t>> runtimeArgs;
  std::vector<std::uint32_t> compileArgs;
};

/// A circular buffer on all cores of its ranges. The same one may be listed
/// several times; two different ones with one port on a core are an error. An
/// aliased buffer is the memory of a tensor, or shares its bytes with others:
/// if no kernel of the core pushes to it, it is full of valid pages from the
/// start; if none pops from it, its pages are free to be written.
struct CircularBufferConfig {
  std::uint32_t port = 0;
  std::uint64_t address = 0;
  std::uint64_t pageSize = 0; // bytes
  std::uint64_t pages = 0;
  numerics::DType type = numerics::DType::BF16;
  bool tiled = true;
  bool aliased = false;
  std::vector<CoreRange> cores;
};

class HostPages;

/// Bytes of a tensor that lives in the DRAM or in the L1 of the cores while the
/// program runs; for the checks. Kernels reach no other DRAM. Circular buffers
/// that are not aliased must not overlap a tensor in L1.
struct LiveBuffer {
  std::string name;
  std::uint64_t address = 0, bytes = 0; // in each channel or core
  std::vector<CoreRange> cores;         // of L1; none: it is in the DRAM
  /// By position: the bytes of it that were written, by channel or core; the
  /// run updates them. None, or null: all of it.
  std::vector<std::vector<WrittenBytes> *> written;
  /// Of one in the DRAM of a launch on one chip: its rows, if the host has
  /// them.
  HostPages *host = nullptr;

  bool dram() const { return cores.empty(); }
  std::vector<WrittenBytes> *writtenOn(std::uint32_t device) const {
    return device < written.size() ? written[device] : nullptr;
  }
};

struct Launch {
  std::vector<Kernel> kernels;
  std::vector<CircularBufferConfig> buffers;
  /// Initial values of the semaphores 0, 1, ... on every core of a kernel.
  std::vector<std::uint32_t> semaphores;
  std::vector<std::uint32_t> commonArgs;
  std::vector<LiveBuffer> live;
};

struct LaunchOptions {
  /// Reports every misuse listed in fault.h; without, only fatal ones.
  bool checks = true;
  /// The enabled checks. Errors that are fatal to the run are always reported.
  CheckKinds checkKinds = kUsualChecks;
  /// Most instructions of a thread; more are a StepLimit fault.
  std::uint64_t stepLimit = 2'000'000'000;
  /// The bit-exact model of the matrix unit and packer, else the fast one.
  bool exactNumerics = false;
  bool events = false;
  /// Without checks: an earlier run has shown that this one finds nothing, so
  /// that no kernel sees what earlier programs have left. See CheckedLaunches.
  bool checkedBefore = false;
  /// Not 0 with checkedBefore: kernels do the same in all runs of this number.
  std::uint64_t repetition = 0;
  /// Controls the run, on one host thread.
  Debugger *debugger = nullptr;
};

/// A line that a kernel printed.
struct DebugPrint {
  FaultCore core;
  std::string thread, text;
  FaultChip chip; // on a mesh
  std::uint64_t round = 0;
};

class Fabric;
class LaunchMemory;

/// The chips of a run by position. `fabric` are the links between them; with
/// one chip there may be none. `memory` is that of launches on these chips, if
/// something is to be kept.
struct LaunchChips {
  std::vector<Chip *> chips;
  Fabric *fabric = nullptr;
  LaunchMemory *memory = nullptr;
  /// Which of them this rank runs.
  Ownership ownership = {};
};

struct LaunchResult {
  /// By round, chip, core, thread; the first 100000 lines of a core, and if
  /// there were more, one that says so.
  std::vector<DebugPrint> prints;
  /// Findings of checks that may be intended, such as pages that a kernel
  /// leaves in a circular buffer. Equal notes of several cores are merged.
  std::vector<std::string> notes;
  std::uint64_t instructions = 0; // of all threads
  std::uint64_t rounds = 0;
  /// By chip, core, then noc0, noc1, compute.
  std::vector<ThreadEvents> events;
  /// With checks: they find the same in every run with tensors at the same
  /// places of which the same bytes were written, whatever the data is. False
  /// if a kernel may load data, if a read of unwritten memory or a race was
  /// excused, or if kinds of checks are disabled.
  bool checksRepeat = false;
};

/// Whether a kernel sends to other chips.
bool reachesChips(const Launch &launch);

/// Semaphores of a core.
inline constexpr std::uint32_t kSemaphores = 16;
/// Address of semaphore `id` in the L1 of every core. Semaphores are below the
/// unreserved base, like the zeros that kernels may read. Throws
/// Error(Unsupported) on a chip without space there.
std::uint32_t semaphoreAddress(const ChipGeometry &chip, std::uint32_t id);

/// Runs the program to its end on every chip. Throws Error(Argument) for a
/// launch that does not fit a chip, and a Fault for what a kernel does wrong.
/// Not for two threads at once on one chip. Of a mesh that is divided, each
/// rank runs its chips, and all get the result of all chips; kernels that reach
/// chips run without checks there.
LaunchResult launch(const LaunchChips &chips, const Launch &launch,
                    const LaunchOptions &options = {});
/// The same with these tensors instead of the launch's own.
LaunchResult launch(const LaunchChips &chips, const Launch &launch,
                    std::span<const LiveBuffer> live,
                    const LaunchOptions &options);
LaunchResult launch(Chip &chip, const Launch &launch,
                    const LaunchOptions &options = {});

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_LAUNCH_H
