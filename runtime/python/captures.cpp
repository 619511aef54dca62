// Python bindings for captured traces.
#include "bindings.h"
#include "native_call.h"

#include "tt/runtime/capture.h"
#include "tt/runtime/runtime.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace tt::runtime::python {

void bindCaptures(nb::module_ &m) {
  nb::class_<CapturedTrace>(
      m, "CapturedTrace",
      "A program with all its addresses, which its device runs again without "
      "the host; see capture_trace.")
      .def_prop_ro("buffers", native(&getTraceBuffers),
                   "Buffers of each input and output.");

  nb::class_<QueueCommand>(m, "QueueCommand",
                           "A command of a queue, in cycles: 0 runs, 1 "
                           "transfers.")
      .def_ro("queue", &QueueCommand::queue)
      .def_ro("name", &QueueCommand::name)
      .def_ro("replay", &QueueCommand::replay)
      .def_ro("ready", &QueueCommand::ready,
              "When it reaches the front of its queue.")
      .def_ro("begin", &QueueCommand::begin)
      .def_ro("end", &QueueCommand::end);

  nb::class_<TraceReport>(m, "TraceReport",
                          "Modelled cost of a captured trace.")
      .def_ro("buffers", &TraceReport::buffers,
              "Buffers of each input and output.")
      .def_ro("parameters", &TraceReport::parameters,
              "Ops that depend on bound tensors alone, run once.")
      .def_ro("write", &TraceReport::write)
      .def_ro("run", &TraceReport::run)
      .def_ro("read", &TraceReport::read)
      .def_ro("parameters_cycles", &TraceReport::parametersCycles)
      .def_ro("call_cycles", &TraceReport::callCycles,
              "Of a call that the host launches op by op.")
      .def_ro("capture_cycles", &TraceReport::captureCycles)
      .def_ro("latency_cycles", &TraceReport::latencyCycles,
              "Of one replay, with its transfers.")
      .def_ro("period_cycles", &TraceReport::periodCycles,
              "Between replays that follow each other.")
      .def_ro("commands", &TraceReport::commands)
      .def_prop_ro("timeline", [](const TraceReport &self) {
        return toTimeline(self.timeline);
      });

  m.def("capture_trace", native(&captureTrace), "device"_a, "executable"_a,
        "program_index"_a, "inputs"_a,
        "Runs a program once and captures it. Inputs that are frozen are part "
        "of the trace; each replay gets the others.");
  m.def("write_trace_inputs", native(&writeTraceInputs), "device"_a, "trace"_a,
        "inputs"_a,
        "Writes the inputs of a replay to free buffers, and returns their "
        "index.");
  m.def("replay_trace", native(&replayTrace), "device"_a, "trace"_a, "buffer"_a,
        "Runs a trace on the inputs in these buffers.");
  m.def(
      "read_trace_outputs", native(&readTraceOutputs), "device"_a, "trace"_a,
      "buffer"_a,
      "Returns the outputs in these buffers on the host, and frees them.");
  m.def("discard_trace_inputs", native(&discardTraceInputs), "trace"_a,
        "buffer"_a, "Frees buffers whose outputs are not read.");
  m.def("release_trace", native(&releaseTrace), "device"_a, "trace"_a,
        "Frees the memory of a trace, which cannot be used after.");
  m.def(
      "get_trace_report",
      [](const CapturedTrace &trace, std::uint32_t replays,
         const TimelineChoice &timeline) {
        return nativeCall(
            [&] { return getTraceReport(trace, replays, toFilter(timeline)); });
      },
      "trace"_a, "replays"_a, "timeline"_a = false,
      "The modelled cost of this many consecutive replays, with their "
      "timeline if requested.");
}

} // namespace tt::runtime::python
