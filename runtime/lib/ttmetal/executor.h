// Runs a decoded TTMetal program on an opened device, command by command. On a
// mesh a command does the same on every chip, and kernels run on all of them in
// one launch. A host tensor is replicated, or has a shard for each chip.
#ifndef TT_RUNTIME_TTMETAL_EXECUTOR_H
#define TT_RUNTIME_TTMETAL_EXECUTOR_H

#include "emulator/fabric.h"
#include "emulator/host_pages.h"
#include "emulator/launch.h"
#include "emulator/mesh.h"
#include "emulator/recorder.h"
#include "emulator/tensor.h"
#include "ttmetal/program.h"

namespace tt::runtime::ttmetal {

using emulator::OpenDevice;
using emulator::TensorPtr;

class Executor {
public:
  Executor(OpenDevice &device, const Program &program);
  /// Of a part of the program that `caller` runs.
  Executor(Executor &caller, const Program &part);

  /// `inputs` are of the program's shapes, on the host or any device, `cached`
  /// are the results of other programs that it uses. Returns the results where
  /// the program leaves them; their memory is freed with the last owner.
  std::vector<TensorPtr> run(const std::vector<TensorPtr> &inputs,
                             const std::vector<TensorPtr> &cached = {});

  /// Results that kernels write in rows may come back as tensors of the host.
  void allowHostResults() { allowsHostResults_ = true; }

private:
  /// What a value is in this run.
  struct Slot {
    TensorPtr tensor;
    /// Its rows, if the host has them.
    std::unique_ptr<emulator::HostPages> pages;
    bool written = false; // a tensor of the host, by a command
    bool deallocated = false;
    std::vector<emulator::CoreRange> cores; // that hold a shard in L1
  };

  void runQueues();
  /// One command of queue `queue`; false if it must wait.
  bool step(std::size_t queue, const Command &command);
  void execute(const CreateBufferStep &step);
  void execute(const DeallocateBufferStep &step);
  void execute(const WriteBufferStep &step);
  void execute(const ReadBufferStep &step);
  void execute(const RecordEventStep &step) { recorded_[step.event] = true; }
  void execute(const WaitForEventStep &) {}
  void execute(const NothingStep &) {}
  void execute(const RunStep &step);
  void execute(const MeshShardStep &step);
  void execute(const CollectiveStep &step);
  void execute(const ControlFlowStep &step);

  /// The tensor of a value for a kernel; results are allocated when they are
  /// first used.
  const TensorPtr &place(ValueIndex value);
  /// The same for others, who find all of it in its own memory.
  const TensorPtr &use(ValueIndex value);
  void settle(Slot &slot);
  /// The tensor of a value that the run itself creates.
  void makeResult(ValueIndex value);
  /// A tensor of the host that has the rows of a result; null if kernels do not
  /// write it in rows, or somebody wants it on the device.
  TensorPtr hostResult(ValueIndex value, const TensorPtr &tensor) const;
  /// The same of a value that a command reads as a whole; `what` precedes its
  /// name in the fault. Throws Error(Format) for a host tensor that nothing has
  /// written, and with checks an UninitializedReadFault for one of the device
  /// that the kernels have not written in full.
  const TensorPtr &read(ValueIndex value, const std::string &what = "");
  /// The same of a result, at the end of the run.
  const TensorPtr &output(std::size_t index);
  void requireWritten(const TensorPtr &tensor, const std::string &what) const;
  TensorPtr create(ValueIndex value) {
    return create(value, device_.options.checks);
  }
  TensorPtr create(ValueIndex value, bool watch);
  TensorPtr createOn(const std::shared_ptr<emulator::Chip> &chip,
                     const Value &value, std::int64_t address = 0,
                     bool watch = false,
                     const emulator::Ownership &ownership = {},
                     std::size_t position = 0);
  /// The tensor of the host that a constant is.
  TensorPtr constantOf(const Value &value);
  /// Host memory for what the chips have of `from`.
  TensorPtr hostFor(const TensorPtr &from, ValueIndex value);
  const ChipGeometry &geometry() const { return chips_.front()->geometry(); }
  /// The links over which kernels send; null if there is one chip.
  emulator::Fabric *links() const {
    return chips_.size() > 1 ? fabric_.get() : nullptr;
  }
  void write(const TensorPtr &source, ValueIndex target);
  /// The host, or a collective, has written a tensor in full.
  void setWritten(ValueIndex value);
  /// Of the device tensors that there are now.
  const std::vector<emulator::LiveBuffer> &liveBuffers();
  void checkSources(const RunStep &step) const;
  /// What a report calls a transfer with the host that is no command.
  void holdBuffers(const emulator::Launch &launch, const std::string &op);
  void reportTransfer(const char *name, const Value &value, bool toDevice);
  void bindInput(std::size_t index, const TensorPtr &input);
  [[noreturn]] void deadlock(const std::vector<std::size_t> &next) const;

  OpenDevice &device_;
  const Program &program_;
  emulator::Chips chips_;                    // by position
  std::unique_ptr<emulator::Fabric> fabric_; // of a mesh
  std::vector<Slot> slots_;                  // by value
  std::vector<emulator::LiveBuffer> live_;   // what liveBuffers() returns
  std::vector<bool> recorded_;               // by event
  bool allowsHostResults_ = false;
  std::optional<emulator::CostRecorder> ownCost_; // of a program, no part
  emulator::CostRecorder &cost_;
  const Command *command_ =
      nullptr; // the one that runs; null for inputs and results
};

} // namespace tt::runtime::ttmetal

#endif // TT_RUNTIME_TTMETAL_EXECUTOR_H
