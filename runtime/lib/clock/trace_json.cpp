// The trace event format of Chrome: complete events (X), flows (s and f),
// counters (C) and metadata (M); times in microseconds.
#include "clock/trace_writers.h"

#include "common/text.h"

#include <charconv>
#include <cmath>

namespace tt::runtime {

namespace {

class Writer {
public:
  Writer(const Trace &trace, const TraceSink &sink)
      : trace_(trace), view_(trace), out_(sink) {
    for (const Trace::Name &name : trace.names())
      names_.push_back("\"name\": " + quoted(name.text) + ", \"cat\": \"" +
                       categoryName(name.category) + "\"");
  }

  void write() {
    out_.text = "{\"displayTimeUnit\": \"ns\",\n\"otherData\": {\"program\": " +
                quoted(trace_.program()) +
                ", \"arch\": " + quoted(trace_.arch()) +
                ", \"clock_hz\": " + number(trace_.clockHz()) + "},\n" +
                "\"traceEvents\": [";
    for (const TraceView::Process &process : view_.processes())
      metadata("process", process.id, 0, process.name, process.id);
    for (const TraceView::Track &track : view_.tracks())
      metadata("thread", track.process, track.id, track.name, track.id);
    for (const TraceView::Track &track : view_.tracks())
      for (const TraceView::Slice &slice : view_.slices(track))
        event(track, slice);
    for (const Trace::Counter &counter : trace_.counters())
      samples(counter);
    out_.text += "\n]}\n";
    out_.flush(true);
  }

private:
  static std::string quoted(std::string_view text) {
    std::string result;
    appendJsonString(result, text);
    return result;
  }

  /// The shortest text that is the number; JSON has no infinity.
  static std::string number(double value) {
    if (!std::isfinite(value))
      return "null";
    char buffer[32];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
  }

  static std::string microseconds(std::uint64_t nanoseconds) {
    const std::string rest = std::to_string(nanoseconds % 1000);
    return std::to_string(nanoseconds / 1000) + "." +
           std::string(3 - rest.size(), '0') + rest;
  }

  static std::string valueOf(const TraceArgument &argument) {
    if (auto const *text = std::get_if<std::string>(&argument.value))
      return quoted(*text);
    if (auto const *real = std::get_if<double>(&argument.value))
      return number(*real);
    return std::to_string(std::get<std::uint64_t>(argument.value));
  }

  /// Begins an event, whose object the caller ends.
  std::string &begin(char phase, int process, int track) {
    out_.flush();
    out_.text += first_ ? "\n{\"ph\": \"" : ",\n{\"ph\": \"";
    first_ = false;
    out_.text += phase;
    out_.text += "\", \"pid\": " + std::to_string(process) +
                 ", \"tid\": " + std::to_string(track) + ", ";
    return out_.text;
  }

  void metadata(const char *what, int process, int track,
                const std::string &name, int rank) {
    const std::string key = "\"name\": \"" + std::string(what);
    begin('M', process, track) +=
        key + "_name\", \"args\": {\"name\": " + quoted(name) + "}}";
    begin('M', process, track) += key + "_sort_index\", \"args\": " +
                                  "{\"sort_index\": " + std::to_string(rank) +
                                  "}}";
  }

  void event(const TraceView::Track &track, const TraceView::Slice &slice) {
    std::string &text = begin('X', track.process, track.id);
    text += "\"ts\": " + microseconds(slice.begin) +
            ", \"dur\": " + microseconds(slice.end - slice.begin) + ", " +
            names_[slice.slice->name];
    text += ", \"args\": {";
    const char *separator = "";
    for (const TraceArgument &argument : view_.arguments(*slice.slice)) {
      text += separator + quoted(argument.key) + ": " + valueOf(argument);
      separator = ", ";
    }
    text += "}}";
    // An arrow binds to the slice that is open at its time.
    for (const TraceView::Arrow &arrow : view_.arrows(slice.mark))
      begin(arrow.leaves ? 's' : 'f', track.process, track.id) +=
          "\"ts\": " + microseconds(slice.begin) +
          ", \"id\": " + std::to_string(arrow.id) +
          ", \"name\": \"wakes\", \"cat\": \"flow\"" +
          (arrow.leaves ? "}" : ", \"bp\": \"e\"}");
  }

  void samples(const Trace::Counter &counter) {
    const int process = view_.process(counter.process).id;
    for (const auto &[time, value] : counter.samples)
      begin('C', process, 0) +=
          "\"ts\": " + microseconds(view_.nanoseconds(time)) +
          ", \"name\": " + quoted(counter.name) + ", \"args\": {" +
          quoted(counter.unit) + ": " + number(value) + "}}";
  }

  const Trace &trace_;
  TraceView view_;
  TraceBuffer out_;
  std::vector<std::string> names_; // with categories
  bool first_ = true;
};

} // namespace

void writeJson(const Trace &trace, const TraceSink &sink) {
  Writer(trace, sink).write();
}

} // namespace tt::runtime
