// Recording of a trace, what its filter keeps, and the formats.
#include "clock/trace.h"
#include "clock/trace_view.h"
#include "tt/runtime/error.h"

#include "testing/testing.h"

namespace tt::runtime::test {
namespace {

constexpr SliceKind kTiles{"add_tiles", Category::Compute, "tiles"};
constexpr SliceKind kWait{"cb_wait_front", Category::Wait, "cb", false};

OpCost opOf(const char *name, const char *location, double start,
            double cycles) {
  OpCost op;
  op.name = name;
  op.location = location;
  op.start = start;
  op.cycles = cycles;
  op.parts.dispatch = 10;
  return op;
}

Report reportOf(std::vector<OpCost> ops) {
  Report report;
  report.program = "main";
  report.arch = "wormhole_b0";
  report.clockHz = 1e9;
  for (const OpCost &op : ops)
    report.cycles += op.cycles;
  report.ops = std::move(ops);
  return report;
}

/// A kernel of 90 cycles on a core, with two slices and an arrow.
Trace traceOf(TraceFilter filter = {}) {
  Trace trace(std::move(filter));
  if (trace.begin("add", R"(loc("sum"("f.py":1:2)))")) {
    const auto reader = trace.track(TrackKey::thread(0, 0, 0, TrackKey::Noc0));
    const auto math = trace.track(TrackKey::thread(0, 0, 0, TrackKey::Math));
    for (const std::uint32_t track : {reader, math})
      trace.open(track, track == reader ? "read" : "sum", Category::Kernel, 10);
    const Trace::Mark from = trace.add(reader, kTiles, 10, 30, 1);
    trace.add(math, kWait, 10, 40, 3);
    trace.flow(from, trace.add(math, kTiles, 40, 90, 2));
    for (const std::uint32_t track : {reader, math})
      trace.close(track, 100);
  }
  trace.finish(reportOf({opOf("add", R"(loc("sum"("f.py":1:2)))", 0, 100)}));
  return trace;
}

std::string write(const Trace &trace, TraceFormat format) {
  std::string text;
  writeTrace(trace, format,
             [&](std::string_view piece) { text.append(piece); });
  return text;
}

std::size_t slicesOf(const Trace &trace) {
  std::size_t count = 0;
  const TraceView view(trace);
  for (const TraceView::Track &track : view.tracks())
    count += view.slices(track).size();
  return count;
}

std::string errorOf(const Trace &trace) {
  try {
    write(trace, TraceFormat::Json);
    return "";
  } catch (const Error &error) {
    return error.what();
  }
}

TEST(Trace, WhatFollowsWithoutAGapIsOneSlice) {
  Trace trace;
  const auto track = trace.track(TrackKey::channel(0, 2));
  trace.add(track, kTiles, 0, 10, 1);
  trace.add(track, kTiles, 10, 20, 2);
  trace.add(track, kTiles, 21, 30, 4);
  trace.add(track, kWait, 30, 35, 1);
  trace.add(track, kWait, 35, 40, 1); // a wait is not part of another one
  const auto &slices = trace.tracks()[track].slices;
  ASSERT_EQ(slices.size(), 4u);
  EXPECT_EQ(slices[0].end, 20);
  EXPECT_EQ(slices[0].number, 3u);
  EXPECT_EQ(slices[1].number, 4u);
}

TEST(Trace, SlicesOfATrackNest) {
  Trace trace;
  const auto track = trace.track(TrackKey::channel(0, 0));
  trace.add(track, kTiles, 0, 10);
  trace.add(track, kWait, 5, 20);   // cut off at 10
  trace.add(track, kTiles, 12, 15); // nothing is left
  const auto &slices = trace.tracks()[track].slices;
  ASSERT_EQ(slices.size(), 2u);
  EXPECT_EQ(slices[1].begin, 10);
  EXPECT_EQ(slices[1].end, 20);
}

TEST(Trace, TracksAreInTheOrderOfChipsCoresAndThreads) {
  Trace trace;
  for (int device : {1, 0})
    for (int x : {10, 2})
      for (auto lane : {TrackKey::Pack, TrackKey::Noc1}) {
        const auto track =
            trace.track(TrackKey::thread(std::uint32_t(device), 0, x, lane));
        trace.add(track, kTiles, 0, 5);
      }
  const TraceView view(trace);
  std::vector<std::string> names;
  for (const TraceView::Track &track : view.tracks())
    names.push_back(track.name);
  EXPECT_EQ(names.size(), 8u);
  EXPECT_EQ(names[0], "core 0,2 noc1");
  EXPECT_EQ(names[1], "core 0,2 pack");
  EXPECT_EQ(names[2], "core 0,10 noc1");
  EXPECT_EQ(view.tracks()[3].process, view.processes()[0].id);
  EXPECT_EQ(view.tracks()[4].process, view.processes()[1].id);
}

TEST(Trace, OpsKernelsAndArguments) {
  const Trace trace = traceOf();
  const std::string json = write(trace, TraceFormat::Json);
  for (
      const char *part :
      {R"("name": "main", "cat": "program")", R"("name": "sum", "cat": "op")",
       R"("name": "dispatch", "cat": "dispatch")",
       R"("name": "read", "cat": "kernel", "args": {"op": "sum"})",
       R"("ts": 0.040, "dur": 0.050, "name": "add_tiles", "cat": "compute", "args": {"tiles": 2})",
       R"("args": {"cb": 3})", R"("ph": "s")", R"("ph": "f")",
       R"("name": "core 0,0 math")", "\"name\": \"device 0 (wormhole_b0)\""})
    EXPECT_NE(json.find(part), std::string::npos) << part;
}

TEST(Trace, FiltersKeepWhatTheyName) {
  EXPECT_EQ(slicesOf(traceOf()), 8u); // the run, its op, dispatch, 2 + 3
  TraceFilter ops;
  ops.ops = {"s*m"};
  EXPECT_EQ(slicesOf(traceOf(ops)), 8u);
  TraceFilter kinds;
  kinds.tracks = {"ops"};
  EXPECT_EQ(slicesOf(traceOf(kinds)), 3u);
  TraceFilter window;
  window.begin = 85;
  EXPECT_EQ(slicesOf(traceOf(window)), 5u); // all but what is over before it
}

TEST(Trace, AFilterThatKeepsNothingIsAnError) {
  TraceFilter filter;
  filter.ops = {"conv*"};
  EXPECT_NE(errorOf(traceOf(filter)).find("'add', 'sum'"), std::string::npos);
  filter = {};
  filter.cores = {{7, 7}};
  EXPECT_NE(errorOf(traceOf(filter)).find("trace is empty"), std::string::npos);
  filter = {};
  filter.devices = {1};
  EXPECT_NE(errorOf(traceOf(filter)).find("trace is empty"), std::string::npos);
  filter = {};
  filter.tracks = {"threads"};
  EXPECT_THROW(checkFilter(filter), Error);
  filter = {};
  filter.end = 0;
  EXPECT_THROW(checkFilter(filter), Error);
}

TEST(Trace, ATraceThatIsTooLargeSaysHowLarge) {
  TraceFilter filter;
  filter.limit = 7;
  const std::string error = errorOf(traceOf(filter));
  EXPECT_NE(error.find("8 slices, expected at most 7"), std::string::npos)
      << error;
  filter.limit = 8;
  EXPECT_EQ(errorOf(traceOf(filter)), "");
}

TEST(Trace, MemoryInUseIsThatOfTheFullestCore) {
  Report report = reportOf({opOf("add", "", 0, 100)});
  const auto hold = [&](const char *space, std::uint64_t bytes, double begin,
                        double end, int x1) {
    MemoryUse use;
    use.space = space;
    use.bytes = bytes;
    use.begin = begin;
    use.end = end;
    use.x1 = x1;
    report.memory.push_back(use);
  };
  hold("l1", 100, 0, 50, 3);
  hold("l1", 30, 20, 100, 0);
  hold("l1", 60, 50, 80, 1);
  hold("dram", 7, 0, 100, 0);
  Trace trace;
  trace.finish(report);
  for (const Trace::Counter &counter : trace.counters())
    if (counter.name == "L1 in use") {
      const std::vector<std::pair<double, double>> expected = {
          {0, 100}, {20, 130}, {50, 90}, {80, 30}, {100, 0}};
      EXPECT_TRUE(counter.samples == expected);
    } else if (counter.name == "DRAM in use") {
      EXPECT_EQ(counter.samples.size(), 2u);
    }
}

TEST(Trace, NamesOfAnyBytesAreText) {
  Report report = reportOf({opOf("a\"\\\n\x01\xff", "", 0, 20)});
  Trace trace;
  trace.finish(report);
  const std::string json = write(trace, TraceFormat::Json);
  EXPECT_NE(json.find(R"("a\"\\\n\u0001\ufffd")"), std::string::npos);
  EXPECT_NE(write(trace, TraceFormat::Perfetto).find("\xef\xbf\xbd"),
            std::string::npos);
}

TEST(Trace, PerfettoHasPacketsOnly) {
  const std::string bytes = write(traceOf(), TraceFormat::Perfetto);
  std::size_t at = 0, packets = 0;
  while (at < bytes.size()) {
    ASSERT_EQ(bytes[at++], char(1 << 3 | 2));
    std::size_t size = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes[at++]);
      size |= std::size_t(byte & 0x7f) << shift;
      if (byte < 0x80)
        break;
    }
    at += size;
    ++packets;
  }
  EXPECT_EQ(at, bytes.size());
  // Names, 2 processes, 3 tracks, begins and ends of 8 slices.
  EXPECT_EQ(packets, 1u + 2 + 3 + 16);
}

TEST(Trace, WritersHandOnPieces) {
  TraceFilter filter;
  filter.tracks = {"dram"};
  Trace trace(filter);
  const auto track = trace.track(TrackKey::channel(0, 0));
  for (int i = 0; i < 20000; ++i)
    trace.add(track, kWait, 2 * i, 2 * i + 1);
  trace.finish(reportOf({}));
  std::size_t pieces = 0, largest = 0;
  writeTrace(trace, TraceFormat::Json, [&](std::string_view piece) {
    ++pieces;
    largest = std::max(largest, piece.size());
  });
  EXPECT_GT(pieces, 1u);
  EXPECT_LT(largest, std::size_t(2) << 20);
}

} // namespace
} // namespace tt::runtime::test
