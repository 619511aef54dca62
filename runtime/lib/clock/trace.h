// A timeline of replayed programs, in cycles: slices on tracks, arrows between
// them, and counters. trace_json.cpp and trace_perfetto.cpp write it.
#ifndef TT_RUNTIME_CLOCK_TRACE_H
#define TT_RUNTIME_CLOCK_TRACE_H

#include "common/location.h"
#include "tt/runtime/capture.h"
#include "tt/runtime/pipeline.h"

#include <compare>
#include <map>
#include <set>
#include <unordered_map>
#include <variant>

namespace tt::runtime {

/// What a track shows.
enum class TrackKind : std::uint8_t {
  Ops,
  Host,
  Thread,
  Link,
  Channel,
  Ethernet
};

/// Which track, and where it stands among the others: in the order of the
/// members.
struct TrackKey {
  static constexpr std::uint32_t kProgram = 0;
  static constexpr std::uint32_t kLinks = ~0u; // between chips
  /// Lanes of a core.
  enum Lane : std::uint32_t { Noc0, Noc1, Unpack, Math, Pack };

  std::uint32_t process; // the program, a chip by its position + 1, or kLinks
  TrackKind kind;
  std::uint32_t first = 0, second = 0, third = 0;

  static TrackKey ops() { return {kProgram, TrackKind::Ops}; }
  static TrackKey host() { return {kProgram, TrackKind::Host}; }
  /// A queue of a captured trace: 0 has its operations, 1 the transfers.
  static TrackKey queue(std::uint32_t queue) {
    return {kProgram, queue ? TrackKind::Host : TrackKind::Ops, 1, queue};
  }
  /// The operations of a chip of a pipeline, and its transfers with the host.
  static TrackKey chipOps(std::uint32_t chip) {
    return {chip + 1, TrackKind::Ops};
  }
  static TrackKey chipHost(std::uint32_t chip, bool download) {
    return {chip + 1, TrackKind::Host, 0, download};
  }
  static TrackKey thread(std::uint32_t device, int y, int x, Lane lane) {
    return {device + 1, TrackKind::Thread, std::uint32_t(y), std::uint32_t(x),
            lane};
  }
  /// From the router at x, y of the die along its row or column.
  static TrackKey link(std::uint32_t device, int noc, int y, int x,
                       bool vertical) {
    return {device + 1, TrackKind::Link, std::uint32_t(noc),
            std::uint32_t(y) << 16 | std::uint32_t(x), vertical};
  }
  static TrackKey channel(std::uint32_t device, std::uint32_t channel) {
    return {device + 1, TrackKind::Channel, channel};
  }
  /// Ids of chips.
  static TrackKey ethernet(std::uint32_t from, std::uint32_t to,
                           std::uint32_t link) {
    return {kLinks, TrackKind::Ethernet, from, to, link};
  }

  auto operator<=>(const TrackKey &) const = default;
};

enum class Category : std::uint8_t {
  Program,
  Op,
  Host,
  Kernel,
  Dispatch,
  Compute,
  DataMovement,
  Sync,
  Wait,
  Noc,
  Dram,
  Ethernet,
  Estimate,
};
constexpr int kCategories = int(Category::Estimate) + 1;
const char *categoryName(Category category);

/// A kind of slices: `name` and `unit` live as long as the trace. A slice has a
/// number if there is a unit, such as "bytes" or "cb". What adds up (bytes,
/// tiles) is one slice if there is no gap.
struct SliceKind {
  const char *name;
  Category category;
  const char *unit = nullptr;
  bool addsUp = true;
};

/// A key and its value that a viewer shows beside a slice.
struct TraceArgument {
  std::string key;
  std::variant<std::uint64_t, double, std::string> value;
};
using TraceArguments = std::vector<TraceArgument>;

class Trace {
public:
  static constexpr std::uint32_t kNone = ~0u;
  /// A slice of a track.
  struct Mark {
    std::uint32_t track = kNone, slice = 0;
    explicit operator bool() const { return track != kNone; }
    auto operator<=>(const Mark &) const = default;
  };

  explicit Trace(TraceFilter filter = {});

  //===-- Recording -------------------------------------------------------===//

  /// Begins an op. False if the filter does not keep what its cores, links and
  /// channels do.
  bool begin(const std::string &op, std::string_view location);
  /// Adds to what is beside the slices of the op.
  void annotate(const TraceArguments &arguments);
  /// The track, made at first use; kNone if the filter does not keep it.
  std::uint32_t track(const TrackKey &key);
  /// A slice of a track that begins when the one before it has ended: what
  /// overlaps with that is cut off. Nothing is added to kNone.
  Mark add(std::uint32_t track, const SliceKind &kind, double begin, double end,
           std::uint32_t number = 0);
  /// The last slice of a track.
  Mark last(std::uint32_t track) const;
  /// A slice that has others inside, with arguments or the name of its op.
  void open(std::uint32_t track, const std::string &name, Category category,
            double begin, std::uint32_t arguments = kNone);
  void close(std::uint32_t track, double end);
  /// Arguments of slices, for open().
  std::uint32_t keep(TraceArguments arguments);
  /// An arrow; from a slice that begins before the other.
  void flow(Mark from, Mark to);
  /// From `time` on the value is `value`.
  void sample(std::uint32_t process, const std::string &name,
              const std::string &unit, double time, double value);

  /// Adds what the report knows: slices of the run and its ops, counters of
  /// rates and of the memory in use.
  void finish(const Report &report);
  /// The same for the queues of a captured trace, whose commands are in the
  /// order of their queues.
  void finish(const TraceReport &report);
  /// The same for a pipeline, without what its links do.
  void finish(const std::vector<PipelineStage> &stages,
              const PipelineSchedule &schedule);

  //===-- What there is ---------------------------------------------------===//

  struct Slice {
    double begin, end;
    std::uint32_t name;   // index
    std::uint32_t number; // of the unit, or of the arguments
  };
  struct Name {
    std::string text;
    Category category;
    std::string unit;
  };
  /// A slice that is not closed; `index` is kNone if it is not kept.
  struct Open {
    std::uint32_t index;
    double begin;
    std::uint64_t count; // of the track, with it
  };
  struct Track {
    TrackKey key;
    std::vector<Slice> slices; // each before those inside it
    std::vector<Open> open;
    // With those over the limit, which are counted and not kept.
    std::uint64_t count = 0;
    Slice last{0, 0, kNone, 0};
    std::uint32_t lastIndex = kNone;
    double end = 0; // of the last one that is not open
  };
  struct Flow {
    Mark from, to;
  };
  struct Counter {
    std::uint32_t process;
    std::string name, unit;
    std::vector<std::pair<double, double>> samples; // cycle and value
  };

  /// Throws as writeTrace() does.
  void check() const;
  const std::vector<Track> &tracks() const { return tracks_; }
  const std::vector<Name> &names() const { return names_; }
  const TraceArguments *argumentsOf(const Slice &slice) const;
  const std::vector<Flow> &flows() const { return flows_; }
  const std::vector<Counter> &counters() const { return counters_; }
  const std::string &program() const { return program_; }
  const std::string &arch() const { return arch_; }
  double clockHz() const { return clockHz_; }

private:
  bool keeps(const TrackKey &key) const;
  bool keepsKind(const char *kind) const;
  bool keepsOp(const std::string &name, const std::string &label) const;
  std::uint32_t nameOf(std::string text, Category category,
                       const char *unit = "");
  std::uint32_t nameOf(const SliceKind &kind);
  /// Appends a slice unless there are too many; returns its index, or kNone.
  std::uint32_t append(Track &track, const Slice &slice);
  void addOps(const Report &report);
  /// An operation that begins at `start`, with its dispatch.
  void addOp(std::uint32_t track, const OpCost &op, double start);
  void addRates(const Report &report);
  void addMemory(const Report &report);

  TraceFilter filter_;
  std::vector<Track> tracks_;
  std::map<TrackKey, std::uint32_t> index_;
  std::vector<Name> names_;
  std::map<std::pair<std::string, Category>, std::uint32_t> nameIndex_;
  std::unordered_map<std::uintptr_t, std::uint32_t> kindIndex_; // by address
  std::vector<TraceArguments> arguments_;
  std::uint32_t op_ = kNone; // arguments of what it does
  std::vector<Flow> flows_;
  std::vector<Counter> counters_;
  std::uint64_t slices_ = 0; // with those over the limit
  // Of cores, links and channels: tracks, and slices that the filter keeps.
  std::uint64_t seen_ = 0, kept_ = 0;
  bool anyOp_ = false;        // that the filter keeps
  std::set<std::string> ops_; // names and labels
  std::string program_, arch_;
  double clockHz_ = 1e9, cycles_ = 0;
};

} // namespace tt::runtime

#endif // TT_RUNTIME_CLOCK_TRACE_H
