// A timeline of replayed programs, as the Chrome and Perfetto viewers read it.
#ifndef TT_RUNTIME_EMULATOR_TRACE_H
#define TT_RUNTIME_EMULATOR_TRACE_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tt::runtime::emulator {

/// Slices on tracks; a track is a thread of a core, a link or a DRAM channel.
/// Times in cycles.
class Trace {
public:
  /// The track of that name in a group (a core, a network), made at first use.
  std::uint32_t track(const std::string &group, const std::string &name);
  /// `name` lives as long as the trace. A slice that follows another one of the
  /// same name without a gap becomes part of it.
  void add(std::uint32_t track, const char *name, double begin, double end);

  /// The JSON of the trace event format; microseconds at `clockHz`.
  std::string json(double clockHz) const;
  bool empty() const { return slices_.empty(); }

private:
  struct Track {
    std::string group, name;
    int process;
    std::size_t last; // slice, or ~0
  };
  struct Slice {
    std::uint32_t track;
    const char *name;
    double begin, end;
  };
  std::vector<Track> tracks_;
  std::map<std::string, int> groups_;
  std::map<std::pair<std::string, std::string>, std::uint32_t> index_;
  std::vector<Slice> slices_;
};

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_TRACE_H
