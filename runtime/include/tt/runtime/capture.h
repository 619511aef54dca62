// Captured traces: programs with all their addresses, which the device replays
// without the host on one command queue, while a second one transfers inputs
// and results. They are unrelated to the timelines of trace.h.
#ifndef TT_RUNTIME_CAPTURE_H
#define TT_RUNTIME_CAPTURE_H

#include "tt/runtime/report.h"
#include "tt/runtime/trace.h"
#include "tt/runtime/types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tt::runtime {

struct CapturedTrace : public detail::RuntimeCheckedObjectImpl {
  using detail::RuntimeCheckedObjectImpl::RuntimeCheckedObjectImpl;
};

/// A command of one of the two queues, in cycles.
struct QueueCommand {
  std::uint32_t queue = 0; // 0 runs the trace, 1 transfers
  std::string name;        // "write inputs", "replay" or "read outputs"
  std::uint32_t replay = 0;
  double ready = 0; // reaches the front of its queue
  double begin = 0; // starts, when its dependencies in the other queue are done
  double end = 0;
};

/// The modelled cost of a captured trace on the chip.
struct TraceReport {
  std::uint32_t buffers = 0;   // of each input and output
  Report parameters;           // of values computed once from bound tensors
  Report write, run, read;     // of one replay
  double parametersCycles = 0; // of `parameters`, launched op by op by the host
  double callCycles = 0;       // of a call, launched op by op by the host
  double captureCycles = 0;    // of the host, which goes through the ops again
  double latencyCycles = 0;    // of one replay, with its transfers
  double periodCycles = 0;     // between replays that follow each other
  /// The commands of the first replays, and their timeline if requested.
  std::vector<QueueCommand> commands;
  std::shared_ptr<const Trace> timeline;
};

/// Runs a program once and captures its operations and the addresses of its
/// tensors. The trace includes frozen inputs and values computed from them;
/// each replay gets the other inputs. The trace owns the addresses until it is
/// released or its last handle is destroyed. Inputs and outputs have two
/// buffers each, or one if L1 has no room for two. Throws Error(Unsupported),
/// which names the operation, if the host would have to act in the middle of a
/// run.
CapturedTrace captureTrace(Device device, Binary executable,
                           std::uint32_t programIndex,
                           std::vector<Tensor> const &inputs);
/// The number of buffers of each input and output.
std::uint32_t getTraceBuffers(CapturedTrace trace);
/// Queue 1: writes the inputs that are not frozen to free buffers, and returns
/// their index. Throws Error(Argument), and changes nothing, for inputs of
/// other shapes or types, or if no buffers are free.
std::uint32_t writeTraceInputs(Device device, CapturedTrace trace,
                               std::vector<Tensor> const &inputs);
/// Queue 0: runs the trace on the inputs of these buffers.
void replayTrace(Device device, CapturedTrace trace, std::uint32_t buffer);
/// Queue 1: the outputs, on the host; the buffers are free after.
std::vector<Tensor> readTraceOutputs(Device device, CapturedTrace trace,
                                     std::uint32_t buffer);
/// Frees buffers whose outputs are not needed.
void discardTraceInputs(CapturedTrace trace, std::uint32_t buffer);
/// Frees all memory of the trace, which is then unusable.
void releaseTrace(Device device, CapturedTrace trace);

/// The report of consecutive `replays`, with a timeline of the part that the
/// filter keeps.
TraceReport getTraceReport(CapturedTrace trace, std::uint32_t replays,
                           std::optional<TraceFilter> timeline = std::nullopt);

} // namespace tt::runtime

#endif // TT_RUNTIME_CAPTURE_H
