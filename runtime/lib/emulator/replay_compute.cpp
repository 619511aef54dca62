// What the engines of a compute thread do in a replay.
#include "emulator/compute_time.h"
#include "emulator/replay_state.h"

#include <algorithm>

namespace tt::runtime::emulator::timing {

using ::tt::target::metal::EnumNameOpcode;

namespace {

bool isCompute(const Event &event) { return event.kind == EventKind::Compute; }

/// When work on `tiles` tiles, which come one by one in `source`, begins and
/// ends.
Span follow(Span source, double ready, double cycles, double tiles) {
  const double begin =
      std::max(ready, source.begin + (source.end - source.begin) / tiles);
  return {begin, std::max(begin + cycles, source.end + cycles / tiles)};
}

} // namespace

void Replay::sliceCompute(const Process &process, const Event &event,
                          double begin, double end) {
  slice(process, {EnumNameOpcode(event.opcode), Category::Compute, "tiles"},
        begin, end, std::max(1u, event.count));
}

Replay::Outcome Replay::unpack(Process &process, const Event &event) {
  CoreState &core = *process.core;
  if (event.kind == EventKind::CbWait)
    return waitPages(process, event);
  if (event.kind == EventKind::CbPop) {
    // The pages are free when the unpacker has read them.
    const double begin = process.time;
    process.time += timing_.cbCycles;
    movePages(process, event, begin, std::max(process.time, process.engine));
    return Outcome::Next;
  }
  if (!isCompute(event))
    return Outcome::Next;
  const ComputeCycles cycles = computeCycles(arch_, event, process.phases);
  if (cycles.unpack == 0)
    return Outcome::Next;
  // Two banks: item i replaces item i - 2.
  double free = 0;
  if (process.item >= 2 && !await(process, core.consumed, process.item - 1,
                                  process.itemCursor, free))
    return Outcome::Blocked;
  const double begin = std::max({process.time, process.engine, free});
  process.engine = begin + cycles.unpack;
  process.busy += cycles.unpack;
  sliceCompute(process, event, begin, process.engine);
  core.unpackSpans.push_back({begin, process.engine});
  ++process.item;
  grow(core.unpacked, 1, process.engine);
  return Outcome::Next;
}

Replay::Outcome Replay::math(Process &process, const Event &event) {
  CoreState &core = *process.core;
  if (!isCompute(event))
    return Outcome::Next;
  const ComputeCycles cycles = computeCycles(arch_, event, process.phases);
  double free = 0;
  if (cycles.math > 0 || cycles.unpack > 0) {
    // After a pack the next section begins; it was packed two sections ago.
    const std::uint64_t section = process.section + process.packing;
    if (section >= 2 &&
        !await(process, core.packed, section - 1, process.sectionCursor, free))
      return Outcome::Blocked;
    Span source{0, 0};
    if (cycles.unpack > 0) {
      double ready;
      if (!await(process, core.unpacked, process.item + 1, process.itemCursor,
                 ready))
        return Outcome::Blocked;
      source = core.unpackSpans[process.item++];
    }
    process.section = section;
    process.packing = false;
    const Span span =
        follow(source, std::max({process.time, process.engine, free}),
               cycles.math, std::max(1u, event.count));
    process.engine = span.end;
    process.busy += cycles.math;
    sliceCompute(process, event, span.begin, span.end);
    if (cycles.unpack > 0)
      grow(core.consumed, 1, process.engine);
    if (cycles.pack > 0) {
      core.moveSpans.push_back(span);
      grow(core.moved, 1, process.engine);
    }
  }
  if (cycles.pack > 0 && !process.packing) {
    process.packing = true;
    grow(core.computed, 1, process.engine);
  }
  return Outcome::Next;
}

Replay::Outcome Replay::pack(Process &process, const Event &event) {
  CoreState &core = *process.core;
  if (event.kind == EventKind::CbReserve)
    return waitRoom(process, event);
  if (event.kind == EventKind::CbPush) {
    const double begin = process.time;
    process.time += timing_.cbCycles;
    movePages(process, event, begin, std::max(process.time, process.engine));
    return Outcome::Next;
  }
  if (!isCompute(event))
    return Outcome::Next;
  const ComputeCycles cycles = computeCycles(arch_, event, process.phases);
  if ((cycles.math > 0 || cycles.unpack > 0) && process.packing) {
    // What was packed is free.
    process.packing = false;
    ++process.section;
    grow(core.packed, 1, process.engine);
  }
  if (cycles.pack == 0)
    return Outcome::Next;
  double ready = 0;
  const bool block = cycles.math > 0;
  if (block) {
    if (!await(process, core.moved, process.block + 1, process.blockCursor,
               ready))
      return Outcome::Blocked;
  } else if (!process.packing &&
             !await(process, core.computed, process.section + 1,
                    process.sectionCursor, ready)) {
    return Outcome::Blocked;
  }
  const Span source =
      block ? core.moveSpans[process.block++] : Span{ready, ready};
  process.packing = true;
  const Span span = follow(source, std::max(process.time, process.engine),
                           cycles.pack, std::max(1u, event.count));
  process.engine = span.end;
  process.busy += cycles.pack;
  sliceCompute(process, event, span.begin, span.end);
  return Outcome::Next;
}

} // namespace tt::runtime::emulator::timing
