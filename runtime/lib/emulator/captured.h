// Captured programs of both runtimes: the memory of their runs, and the buffers
// of their inputs and outputs.
#ifndef TT_RUNTIME_EMULATOR_CAPTURED_H
#define TT_RUNTIME_EMULATOR_CAPTURED_H

#include "common/layout.h"
#include "emulator/device.h"
#include "emulator/tensor.h"
#include "tt/runtime/capture.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace tt::runtime::emulator {

/// The number of buffers of each input and output: one is transferred while a
/// run uses the other.
inline constexpr std::size_t kTraceBuffers = 2;

/// The blocks that a run allocates, at the same addresses in each run. They
/// stay reserved between runs.
class CapturedMemory {
public:
  CapturedMemory(Chips chips, std::string owner);
  ~CapturedMemory() { release(); }
  CapturedMemory(const CapturedMemory &) = delete;

  /// Records the allocations of a run during its lifetime.
  class Capture {
  public:
    explicit Capture(CapturedMemory &memory);
    ~Capture();
    Capture(const Capture &) = delete;

  private:
    CapturedMemory &memory_;
  };
  /// Reserves the blocks. Those of `outputs` remain in use after the run, and
  /// get unique addresses in each buffer. Returns the number of buffers that
  /// fit, at least one.
  std::size_t hold(const std::vector<TensorPtr> &outputs);
  /// Reserves free blocks again.
  void hold();

  /// During its lifetime, a run with these buffers allocates the blocks.
  class Run {
  public:
    Run(CapturedMemory &memory, std::size_t buffer);
    ~Run();
    Run(const Run &) = delete;

  private:
    CapturedMemory &memory_;
  };

private:
  struct Region {
    PlacedBlock block;
    bool held = false;
  };
  struct Bank { // of a chip
    std::array<PlacedBlocks, kTraceBuffers> runs;
    std::vector<Region> regions;
    std::uint64_t generation = 0;
  };
  struct Place {
    Bank *bank;
    std::size_t block; // in `runs`
    std::shared_ptr<Chip> chip;
    Space space;
  };

  void release();
  template <typename Body> void forBanks(const Body &body);
  std::vector<Place> placesOf(const std::vector<TensorPtr> &outputs);
  /// Assigns unique addresses to the blocks. False if there is no room.
  bool separate(const std::vector<Place> &places, std::size_t buffer);

  Chips chips_;
  std::string owner_;
  std::vector<std::array<Bank, 2>> banks_; // by position; L1 and DRAM
};

/// The cost of a replay: see TraceReport.
struct CapturedCosts {
  Report parameters, write, run, read;
  double launchSeconds = 0; // of the host, for an operation
};

/// A captured program of a runtime. The device is locked.
class CapturedProgram {
public:
  virtual ~CapturedProgram() = default;

  /// Writes the inputs that are not part of the trace, in order.
  virtual void write(std::size_t buffer,
                     const std::vector<TensorPtr> &inputs) = 0;
  virtual void replay(std::size_t buffer) = 0;
  /// Returns the outputs on the host, and frees those on the device.
  virtual std::vector<TensorPtr> read(std::size_t buffer) = 0;
  virtual void discard(std::size_t buffer) = 0;

  std::size_t buffers = kTraceBuffers;
  CapturedCosts costs;
};

/// Collects the costs of a part of a capture: enables reports during its
/// lifetime, and restores the device's previous report.
class CapturedCost {
public:
  explicit CapturedCost(OpenDevice &device);
  ~CapturedCost();
  CapturedCost(const CapturedCost &) = delete;

private:
  OpenDevice &device_;
  bool reporting_;
  std::optional<TraceFilter> tracing_;
  Report report_;
};

/// Appends operations to a report.
void append(Report &all, OpCost op);
void append(Report &all, Report more);

/// Allocates memory like that of a tensor, at an address of its own on each
/// chip, in DRAM from the end. Copies a host tensor.
TensorPtr allocateLike(const TensorPtr &tensor, const Chips &chips,
                       const std::string &owner);
/// Copies a tensor to one of the same layout.
void copyShards(const TensorPtr &from, const TensorPtr &to);
/// Returns the tensor on the host in row-major order; for a mesh, a tensor per
/// chip.
TensorPtr onHost(const TensorPtr &tensor);
/// The same, but always a copy.
TensorPtr copyToHost(const TensorPtr &tensor);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_CAPTURED_H
