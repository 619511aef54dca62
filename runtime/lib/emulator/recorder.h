// Collects the costs of the steps of one run to a report.
#ifndef TT_RUNTIME_EMULATOR_RECORDER_H
#define TT_RUNTIME_EMULATOR_RECORDER_H

#include "common/arch.h"
#include "emulator/device.h"
#include "emulator/trace.h"

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

  OpenDevice &device_;
  bool open_; // reports, and is not finished
  Report report_;
  std::shared_ptr<Trace> trace_;
};

/// Fills in the cycles of memory, dispatch and the whole from the bytes that
/// moved, the pages among them that the host moved, and the cycles of
/// computation.
void modelTime(OpCost &cost, const ArchCost &data, double hostPages = 0);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_RECORDER_H
