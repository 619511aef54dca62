// The timeline of a run: what every thread, link and channel did and when.
#ifndef TT_RUNTIME_TRACE_H
#define TT_RUNTIME_TRACE_H

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tt::runtime {

/// What of a run a trace keeps; an empty list keeps all.
struct TraceFilter {
  std::vector<std::string> tracks;        // kinds, of traceKinds()
  std::vector<std::string> ops;           // names or labels; * and ? as in sh
  std::vector<int> devices;               // positions of chips in the mesh
  std::vector<std::pair<int, int>> cores; // y, x: logical
  // Cycles of the run: what overlaps with them.
  double begin = 0, end = std::numeric_limits<double>::infinity();
  std::uint64_t limit = 1'000'000; // slices
};

/// "ops", "cores", ...: the kinds of tracks.
const std::vector<std::string> &traceKinds();
/// Throws Error(Argument) for a kind that is none, or an empty window.
void checkFilter(const TraceFilter &filter);

enum class TraceFormat {
  Json,     // of Chrome: an object with traceEvents
  Perfetto, // protobuf of Perfetto: packets of track events
};

/// Made by a run; see Report.
class Trace;

/// Hands the trace to `sink`, piece by piece. Throws Error(Argument) before the
/// first one if the trace has more slices than its filter allows, or if the
/// filter keeps nothing.
void writeTrace(const Trace &trace, TraceFormat format,
                const std::function<void(std::string_view)> &sink);

} // namespace tt::runtime

#endif // TT_RUNTIME_TRACE_H
