// A trace as the formats show it: processes and tracks in order, with names and
// ids, times in nanoseconds.
#ifndef TT_RUNTIME_CLOCK_TRACE_VIEW_H
#define TT_RUNTIME_CLOCK_TRACE_VIEW_H

#include "clock/trace.h"

#include <span>

namespace tt::runtime {

class TraceView {
public:
  explicit TraceView(const Trace &trace);

  /// Ids of processes count from 1, those of tracks go on from there: both are
  /// unique.
  struct Process {
    std::uint32_t key;
    int id;
    std::string name;
  };
  struct Track {
    std::uint32_t index; // in the trace
    int process, id;
    std::string name;
    std::string group; // of tracks of a chip that are no threads
  };
  /// A slice that lasts at least a nanosecond.
  struct Slice {
    Trace::Mark mark;
    std::uint64_t begin, end;
    std::uint32_t depth;
    const Trace::Slice *slice;
  };
  /// An arrow leaves a slice, or ends there.
  struct Arrow {
    Trace::Mark at;
    std::uint32_t id;
    bool leaves;
  };

  const std::vector<Process> &processes() const { return processes_; }
  const std::vector<Track> &tracks() const { return tracks_; }
  int idAfterTracks() const;
  const Process &process(std::uint32_t key) const;
  /// In the order in which they begin, each before those inside it.
  std::vector<Slice> slices(const Track &track) const;
  std::span<const Arrow> arrows(Trace::Mark at) const;
  /// Number, or text in UTF-8.
  TraceArguments arguments(const Trace::Slice &slice) const;
  const Trace::Name &name(const Trace::Slice &slice) const {
    return trace_.names()[slice.name];
  }
  std::uint64_t nanoseconds(double cycles) const;

private:
  void addArrows();

  const Trace &trace_;
  std::vector<Process> processes_;
  std::vector<Track> tracks_;
  std::vector<Arrow> arrows_; // sorted
};

} // namespace tt::runtime

#endif // TT_RUNTIME_CLOCK_TRACE_VIEW_H
