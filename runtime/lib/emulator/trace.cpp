#include "emulator/trace.h"

#include <cstdio>
#include <cstring>

namespace tt::runtime::emulator {

namespace {

std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (static_cast<unsigned char>(c) >= 0x20)
      result += c;
  }
  return result + '"';
}

} // namespace

std::uint32_t Trace::track(const std::string &group, const std::string &name) {
  const auto [found, made] =
      index_.try_emplace({group, name}, std::uint32_t(tracks_.size()));
  if (made) {
    const int process =
        groups_.try_emplace(group, int(groups_.size()) + 1).first->second;
    tracks_.push_back({group, name, process, ~std::size_t(0)});
  }
  return found->second;
}

void Trace::add(std::uint32_t track, const char *name, double begin,
                double end) {
  if (end <= begin)
    return;
  std::size_t &last = tracks_[track].last;
  if (last != ~std::size_t(0)) {
    Slice &slice = slices_[last];
    if (slice.end >= begin && !std::strcmp(slice.name, name)) {
      slice.end = end;
      return;
    }
  }
  last = slices_.size();
  slices_.push_back({track, name, begin, end});
}

std::string Trace::json(double clockHz) const {
  std::string text = "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n";
  char line[160];
  for (const auto &[group, process] : groups_) {
    std::snprintf(line, sizeof(line),
                  "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": %d, "
                  "\"args\": {\"name\": ",
                  process);
    text += line + quoted(group) + "}},\n";
  }
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    std::snprintf(line, sizeof(line),
                  "{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": %d, "
                  "\"tid\": %zu, \"args\": {\"name\": ",
                  tracks_[i].process, i + 1);
    text += line + quoted(tracks_[i].name) + "}},\n";
  }
  const double scale = 1e6 / clockHz;
  for (const Slice &slice : slices_) {
    std::snprintf(line, sizeof(line),
                  "{\"ph\": \"X\", \"pid\": %d, \"tid\": %u, \"ts\": %.3f, "
                  "\"dur\": %.3f, \"name\": ",
                  tracks_[slice.track].process, slice.track + 1,
                  slice.begin * scale, (slice.end - slice.begin) * scale);
    text += line + quoted(slice.name) + "},\n";
  }
  if (text.back() == '\n' && text[text.size() - 2] == ',')
    text.erase(text.size() - 2, 1);
  return text + "]}\n";
}

} // namespace tt::runtime::emulator
