// The parts of the Python module; each binds one group of the public API.
#ifndef TT_RUNTIME_PYTHON_BINDINGS_H
#define TT_RUNTIME_PYTHON_BINDINGS_H

#include "tt/runtime/trace.h"

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tt::runtime::python {

/// The timeline of a report.
struct Timeline {
  std::shared_ptr<const Trace> trace;

  void write(const nanobind::callable &sink, const std::string &format) const;
};
/// Returns nullopt for null.
std::optional<Timeline> toTimeline(std::shared_ptr<const Trace> trace);

/// Whether a report has a timeline, and its filter.
using TimelineChoice = std::variant<bool, TraceFilter>;
std::optional<TraceFilter> toFilter(const TimelineChoice &choice);

/// Extents or an offset of a mesh, as numbers of Python; throws where they are
/// negative or too large.
std::vector<std::uint32_t> toExtents(const char *name,
                                     const std::vector<std::int64_t> &numbers);

void bindNativeCalls(nanobind::module_ &m);
void bindErrors();
void bindFiles(nanobind::module_ &m);
void bindKernels(nanobind::module_ &m);
void bindTensors(nanobind::module_ &m);
void bindDevices(nanobind::module_ &m);
void bindTransports(nanobind::module_ &m);
/// Must be called after the devices are bound.
void bindCaptures(nanobind::module_ &m);
/// Likewise.
void bindPipelines(nanobind::module_ &m);
void bindDebugger(nanobind::module_ &m);

} // namespace tt::runtime::python

#endif // TT_RUNTIME_PYTHON_BINDINGS_H
