// Recording a trace, and what its filter keeps.
#include "clock/trace.h"

#include "tt/runtime/error.h"

#include <algorithm>
#include <fnmatch.h>

namespace tt::runtime {

namespace {

/// Indexed by TrackKind. The host's transfers are ops, too.
constexpr const char *kKinds[] = {"ops", "ops",  "cores",
                                  "noc", "dram", "ethernet"};
constexpr const char *kCounters = "counters";

bool isDetail(TrackKind kind) { return kind >= TrackKind::Thread; }

template <typename T> bool has(const std::vector<T> &list, const T &value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

std::string joined(const auto &texts) {
  std::string result;
  std::size_t count = 0;
  for (const std::string &text : texts) {
    if (++count > 20)
      return result + ", ...";
    result += (result.empty() ? "'" : ", '") + text + "'";
  }
  return result;
}

bool matches(const std::vector<std::string> &patterns,
             const std::string &text) {
  return std::any_of(patterns.begin(), patterns.end(), [&](auto const &p) {
    return fnmatch(p.c_str(), text.c_str(), 0) == 0;
  });
}

} // namespace

const std::vector<std::string> &traceKinds() {
  static const std::vector<std::string> kinds = [] {
    std::vector<std::string> all;
    for (const char *kind : kKinds)
      if (!has<std::string>(all, kind))
        all.push_back(kind);
    all.push_back(kCounters);
    return all;
  }();
  return kinds;
}

void checkFilter(const TraceFilter &filter) {
  for (const std::string &kind : filter.tracks)
    if (!has(traceKinds(), kind))
      raise(ErrorCategory::Argument, "kinds of tracks: expected some of ",
            joined(traceKinds()), ", found '", kind, "'");
  if (!(filter.begin >= 0 && filter.begin < filter.end))
    raise(ErrorCategory::Argument,
          "window of a trace: expected a begin from 0 and a later end, found ",
          filter.begin, " and ", filter.end);
}

const char *categoryName(Category category) {
  constexpr const char *kNames[] = {
      "program",       "op",   "host", "kernel", "dispatch", "compute",
      "data_movement", "sync", "wait", "noc",    "dram",     "ethernet",
      "estimate"};
  return kNames[int(category)];
}

//===-- Recording ---------------------------------------------------------===//

Trace::Trace(TraceFilter filter) : filter_(std::move(filter)) {}

bool Trace::begin(const std::string &op, std::string_view location) {
  const std::string label = labelOf(location);
  op_ = keep({{"op", label.empty() ? op : label}});
  return keepsOp(op, label);
}

void Trace::annotate(const TraceArguments &arguments) {
  TraceArguments &own = arguments_[op_];
  own.insert(own.end(), arguments.begin(), arguments.end());
}

bool Trace::keepsOp(const std::string &name, const std::string &label) const {
  return filter_.ops.empty() || matches(filter_.ops, name) ||
         matches(filter_.ops, label);
}

bool Trace::keepsKind(const char *kind) const {
  return filter_.tracks.empty() || has<std::string>(filter_.tracks, kind);
}

bool Trace::keeps(const TrackKey &key) const {
  if (!keepsKind(kKinds[int(key.kind)]))
    return false;
  const bool ofChip =
      key.process != TrackKey::kProgram && key.process != TrackKey::kLinks;
  if (ofChip && !filter_.devices.empty() &&
      !has(filter_.devices, int(key.process - 1)))
    return false;
  return key.kind != TrackKind::Thread || filter_.cores.empty() ||
         has(filter_.cores, {int(key.first), int(key.second)});
}

std::uint32_t Trace::track(const TrackKey &key) {
  const auto [found, made] = index_.try_emplace(key, kNone);
  if (made && keeps(key)) {
    found->second = std::uint32_t(tracks_.size());
    tracks_.emplace_back().key = key;
  }
  seen_ += made && isDetail(key.kind);
  return found->second;
}

std::uint32_t Trace::nameOf(std::string text, Category category,
                            const char *unit) {
  const auto [found, made] = nameIndex_.try_emplace(
      {std::move(text), category}, std::uint32_t(names_.size()));
  if (made)
    names_.push_back({found->first.first, category, unit});
  return found->second;
}

std::uint32_t Trace::nameOf(const SliceKind &kind) {
  // Names are looked up by their address first: slices are many.
  const auto [found, made] =
      kindIndex_.try_emplace(reinterpret_cast<std::uintptr_t>(kind.name) * 16 +
                             std::uintptr_t(kind.category));
  if (made)
    found->second =
        nameOf(kind.name, kind.category, kind.unit ? kind.unit : "");
  return found->second;
}

std::uint32_t Trace::append(Track &track, const Slice &slice) {
  kept_ += isDetail(track.key.kind);
  ++track.count;
  track.last = slice;
  track.lastIndex = kNone;
  if (++slices_ <= filter_.limit) {
    track.lastIndex = std::uint32_t(track.slices.size());
    track.slices.push_back(slice);
  }
  return track.lastIndex;
}

Trace::Mark Trace::add(std::uint32_t track, const SliceKind &kind, double begin,
                       double end, std::uint32_t number) {
  if (track == kNone)
    return {};
  Track &at = tracks_[track];
  begin = std::max(begin, at.end);
  if (end <= begin || end <= filter_.begin || begin >= filter_.end)
    return {};
  at.end = end;
  const std::uint32_t name = nameOf(kind);
  const std::uint64_t sum = std::uint64_t(at.last.number) + number;
  if (kind.addsUp && at.count > 0 && at.last.name == name &&
      at.last.end == begin && sum < kNone) {
    at.last.end = end;
    at.last.number = std::uint32_t(sum);
    if (at.lastIndex != kNone)
      at.slices[at.lastIndex] = at.last;
  } else {
    append(at, {begin, end, name, number});
  }
  return at.lastIndex == kNone ? Mark() : Mark{track, at.lastIndex};
}

Trace::Mark Trace::last(std::uint32_t track) const {
  if (track == kNone || tracks_[track].lastIndex == kNone)
    return {};
  return {track, tracks_[track].lastIndex};
}

void Trace::open(std::uint32_t track, const std::string &name,
                 Category category, double begin, std::uint32_t arguments) {
  if (track == kNone)
    return;
  Track &at = tracks_[track];
  begin = std::max(begin, at.end);
  const std::uint32_t index =
      append(at, {begin, begin, nameOf(name, category),
                  arguments == kNone ? op_ : arguments});
  at.open.push_back({index, begin, at.count});
  at.end = begin;
}

void Trace::close(std::uint32_t track, double end) {
  if (track == kNone)
    return;
  Track &at = tracks_[track];
  const auto [index, begin, count] = at.open.back();
  at.open.pop_back();
  at.end = std::max(at.end, end);
  if (index != kNone)
    at.slices[index].end = at.end;
  const bool outside = at.end <= filter_.begin || begin >= filter_.end;
  if (at.count != count || (!outside && begin < at.end))
    return;
  // There is nothing in it, and it is not to be seen.
  --at.count;
  --slices_;
  kept_ -= isDetail(at.key.kind);
  if (index != kNone)
    at.slices.pop_back();
  at.last.name = kNone;
  at.lastIndex = kNone;
}

std::uint32_t Trace::keep(TraceArguments arguments) {
  arguments_.push_back(std::move(arguments));
  return std::uint32_t(arguments_.size() - 1);
}

void Trace::flow(Mark from, Mark to) {
  if (from && to && flows_.size() < filter_.limit)
    flows_.push_back({from, to});
}

void Trace::sample(std::uint32_t process, const std::string &name,
                   const std::string &unit, double time, double value) {
  if (!keepsKind(kCounters))
    return;
  const auto found =
      std::find_if(counters_.begin(), counters_.end(), [&](auto const &c) {
        return c.process == process && c.name == name;
      });
  Counter &counter =
      found != counters_.end()
          ? *found
          : counters_.emplace_back(Counter{process, name, unit, {}});
  auto &samples = counter.samples;
  if (!samples.empty() && samples.back().first == time)
    samples.back().second = value;
  else if (samples.empty() || samples.back().second != value)
    samples.emplace_back(time, value);
}

const TraceArguments *Trace::argumentsOf(const Slice &slice) const {
  const bool opened = names_[slice.name].category <= Category::Kernel;
  return opened && slice.number < arguments_.size() ? &arguments_[slice.number]
                                                    : nullptr;
}

void Trace::check() const {
  if (!anyOp_ && !filter_.ops.empty())
    raise(ErrorCategory::Argument, "the trace is empty: no op matches ",
          joined(filter_.ops),
          "; expected names or labels of ops: ", joined(ops_));
  if (slices_ > filter_.limit)
    raise(ErrorCategory::Argument, "the trace has ", slices_,
          " slices, expected at most ", filter_.limit,
          ": narrow it by ops, cores, devices, tracks or a window of cycles, "
          "or raise the limit");
  const bool onlyOps =
      !filter_.tracks.empty() &&
      std::all_of(filter_.tracks.begin(), filter_.tracks.end(),
                  [](const std::string &kind) {
                    return kind == kKinds[0] || kind == kCounters;
                  });
  const bool narrowed = !filter_.tracks.empty() || !filter_.devices.empty() ||
                        !filter_.cores.empty() || filter_.begin > 0 ||
                        filter_.end < cycles_;
  if (slices_ == 0 && counters_.empty())
    raise(ErrorCategory::Argument, "the trace is empty: its tracks and window "
                                   "leave nothing of the run");
  if (kept_ == 0 && seen_ > 0 && narrowed && !onlyOps)
    raise(ErrorCategory::Argument,
          "the trace is empty: its tracks, devices, cores and window leave "
          "nothing of ",
          seen_, " tracks in ", std::uint64_t(cycles_), " cycles");
}

} // namespace tt::runtime
