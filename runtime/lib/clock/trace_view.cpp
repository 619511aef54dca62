#include "clock/trace_view.h"

#include <algorithm>
#include <cmath>

namespace tt::runtime {

namespace {

std::string processName(const Trace &trace, std::uint32_t key) {
  if (key == TrackKey::kProgram)
    return "program " + trace.program();
  if (key == TrackKey::kLinks)
    return "Ethernet";
  return "device " + std::to_string(key - 1) + " (" + trace.arch() + ")";
}

std::string trackName(const TrackKey &key) {
  constexpr const char *kLanes[] = {"noc0", "noc1", "unpack", "math", "pack"};
  const auto number = [](std::uint32_t value) { return std::to_string(value); };
  if (key == TrackKey::queue(key.second))
    return "queue " + number(key.second);
  switch (key.kind) {
  case TrackKind::Ops:
    return "ops";
  case TrackKind::Host:
    return key.process == TrackKey::kProgram ? "host"
           : key.second                      ? "to the host"
                                             : "from the host";
  case TrackKind::Thread:
    return "core " + number(key.first) + "," + number(key.second) + " " +
           kLanes[key.third];
  case TrackKind::Link:
    return "noc" + number(key.first) + " link " + number(key.second & 0xffff) +
           "," + number(key.second >> 16) + (key.third ? " column" : " row");
  case TrackKind::Channel:
    return "DRAM channel " + number(key.first);
  case TrackKind::Ethernet:
    return "chip " + number(key.first) + " to " + number(key.second) +
           ", link " + number(key.third);
  }
  return "";
}

std::string groupName(const TrackKey &key) {
  switch (key.kind) {
  case TrackKind::Link:
    return "noc" + std::to_string(key.first);
  case TrackKind::Channel:
    return "DRAM";
  default:
    return "";
  }
}

} // namespace

TraceView::TraceView(const Trace &trace) : trace_(trace) {
  std::map<TrackKey, std::uint32_t> sorted;
  std::map<std::uint32_t, int> ids;
  for (std::uint32_t i = 0; i < trace.tracks().size(); ++i)
    if (const Trace::Track &track = trace.tracks()[i]; !track.slices.empty()) {
      sorted[track.key] = i;
      ids[track.key.process] = 0;
    }
  for (const Trace::Counter &counter : trace.counters())
    ids[counter.process] = 0;
  for (auto &[key, id] : ids) {
    id = int(processes_.size()) + 1;
    processes_.push_back({key, id, processName(trace, key)});
  }
  int id = int(processes_.size());
  for (const auto &[key, index] : sorted)
    tracks_.push_back(
        {index, ids[key.process], ++id, trackName(key), groupName(key)});
  addArrows();
}

/// Those that go forward in time between slices that are shown.
void TraceView::addArrows() {
  const auto sliceOf = [&](Trace::Mark mark) -> const Trace::Slice & {
    return trace_.tracks()[mark.track].slices[mark.slice];
  };
  const auto shown = [&](const Trace::Slice &slice) {
    return nanoseconds(slice.begin) < nanoseconds(slice.end);
  };
  std::uint32_t id = 0;
  for (const auto &[from, to] : trace_.flows()) {
    const Trace::Slice &a = sliceOf(from), &b = sliceOf(to);
    if (!shown(a) || !shown(b) || nanoseconds(a.begin) >= nanoseconds(b.begin))
      continue;
    arrows_.push_back({from, ++id, true});
    arrows_.push_back({to, id, false});
  }
  std::sort(arrows_.begin(), arrows_.end(), [](auto const &a, auto const &b) {
    return std::tie(a.at, a.id) < std::tie(b.at, b.id);
  });
}

int TraceView::idAfterTracks() const {
  return int(processes_.size() + tracks_.size()) + 1;
}

const TraceView::Process &TraceView::process(std::uint32_t key) const {
  return *std::find_if(processes_.begin(), processes_.end(),
                       [&](const Process &p) { return p.key == key; });
}

std::vector<TraceView::Slice> TraceView::slices(const Track &track) const {
  std::vector<Slice> result;
  std::vector<std::uint64_t> ends; // of those around
  std::uint32_t index = 0;
  for (const Trace::Slice &slice : trace_.tracks()[track.index].slices) {
    const Trace::Mark mark{track.index, index++};
    const std::uint64_t begin = nanoseconds(slice.begin),
                        end = nanoseconds(slice.end);
    if (begin == end)
      continue;
    while (!ends.empty() && ends.back() <= begin)
      ends.pop_back();
    result.push_back({mark, begin, end, std::uint32_t(ends.size()), &slice});
    ends.push_back(end);
  }
  return result;
}

std::span<const TraceView::Arrow> TraceView::arrows(Trace::Mark at) const {
  struct Order {
    bool operator()(const Arrow &a, Trace::Mark b) const { return a.at < b; }
    bool operator()(Trace::Mark a, const Arrow &b) const { return a < b.at; }
  };
  const auto [first, last] =
      std::equal_range(arrows_.begin(), arrows_.end(), at, Order());
  return {first, last};
}

TraceArguments TraceView::arguments(const Trace::Slice &slice) const {
  if (const TraceArguments *kept = trace_.argumentsOf(slice))
    return *kept;
  const Trace::Name &of = name(slice);
  if (of.unit.empty())
    return {};
  return {{of.unit, std::uint64_t(slice.number)}};
}

std::uint64_t TraceView::nanoseconds(double cycles) const {
  return std::uint64_t(std::llround(cycles * 1e9 / trace_.clockHz()));
}

} // namespace tt::runtime
