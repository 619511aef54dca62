// Collects the costs of the steps of one run to a report.
#ifndef TT_RUNTIME_EMULATOR_RECORDER_H
#define TT_RUNTIME_EMULATOR_RECORDER_H

#include "clock/trace.h"
#include "common/arch.h"
#include "emulator/device.h"

namespace tt::runtime::emulator {

/// Costs nothing while the device does not report.
class CostRecorder {
public:
  CostRecorder(OpenDevice &device, const std::string &program);
  CostRecorder(const CostRecorder &) = delete;
  /// A run that failed leaves the device with the report of what it did.
  ~CostRecorder();

  /// Adds a step; the high-water marks are read from the device.
  void add(OpCost cost);
  /// What a step holds in the L1 of cores while it runs, beside tensors: before
  /// the step is added, from its start on.
  void hold(MemoryUse use);
  /// Cycles so far.
  double cycles() const { return report_.cycles; }
  /// Where the next step is traced; null if it is not.
  Trace *trace(const std::string &name, std::string_view location) {
    return trace_ && trace_->begin(name, location) ? trace_.get() : nullptr;
  }
  Report finish();

private:
  void addLink(const EthernetUse &use);
  void addMemory();
  std::uint64_t mostHeld() const;

  OpenDevice &device_;
  bool open_; // reports, and is not finished
  Report report_;
  std::vector<MemoryUse> holding_; // of the step to come
  std::shared_ptr<Trace> trace_;
};

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_RECORDER_H
