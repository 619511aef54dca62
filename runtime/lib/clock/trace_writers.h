// Formats of traces. Internal to trace*.cpp.
#ifndef TT_RUNTIME_CLOCK_TRACE_WRITERS_H
#define TT_RUNTIME_CLOCK_TRACE_WRITERS_H

#include "clock/trace_view.h"

namespace tt::runtime {

using TraceSink = std::function<void(std::string_view)>;

/// Hands on what has been written when it is a megabyte.
class TraceBuffer {
public:
  explicit TraceBuffer(const TraceSink &sink) : sink_(sink) {}
  std::string text;
  void flush(bool all = false) {
    if (text.size() < (all ? 1 : std::size_t(1) << 20))
      return;
    sink_(text);
    text.clear();
  }

private:
  const TraceSink &sink_;
};

void writeJson(const Trace &trace, const TraceSink &sink);
void writePerfetto(const Trace &trace, const TraceSink &sink);

} // namespace tt::runtime

#endif // TT_RUNTIME_CLOCK_TRACE_WRITERS_H
