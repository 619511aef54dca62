// What the engines of a compute thread do in a replay.
#include "clock/compute_time.h"
#include "clock/replay_state.h"

#include <algorithm>

namespace tt::runtime::clock::timing {

using ::tt::target::metal::EnumNameOpcode;

namespace {

bool isCompute(const Event &event) { return event.kind == EventKind::Compute; }

double tilesOf(const Event &event) {
  return std::max(1.0, double(event.count) * repeatsOf(event));
}

/// When work on `tiles` tiles, which come one by one in `source`, begins and
/// ends.
Span follow(const Span &source, const Moment &ready, double cycles,
            double tiles) {
  const double each = (source.end.time - source.begin.time) / tiles;
  Moment begin = ready;
  begin.await(source.begin.after(Part::Compute, each));
  Moment end = begin.after(Part::Compute, cycles);
  end.await(source.end.after(Part::Compute, cycles / tiles));
  return {begin, end};
}

} // namespace

void Replay::work(Process &process, const Event &event, const Moment &begin,
                  const Moment &end, double cycles) {
  process.engine = end;
  process.busy += cycles;
  if (process.begin < 0)
    process.begin = begin.time;
  slice(process, {EnumNameOpcode(event.opcode), Category::Compute, "tiles"},
        begin.time, end.time, std::uint32_t(tilesOf(event)));
}

Replay::Outcome Replay::unpack(Process &process, const Event &event) {
  CoreState &core = *process.core;
  if (event.kind == EventKind::CbWait)
    return waitPages(process, event);
  if (event.kind == EventKind::CbPop) {
    // The pages are free when the unpacker has read them.
    const double begin = process.now.time;
    process.now.spend(Part::Compute, timing_.cbCycles);
    movePages(process, event, begin, process.end());
    return Outcome::Next;
  }
  if (!isCompute(event))
    return Outcome::Next;
  const ComputeCycles cycles = computeCycles(arch_, event, process.compute);
  if (cycles.unpack == 0)
    return Outcome::Next;
  Moment begin = process.end();
  // Two banks: item i replaces item i - 2.
  if (process.item >= 2) {
    const Moment *free =
        await(process, core.consumed, process.item - 1, process.itemCursor);
    if (!free)
      return Outcome::Blocked;
    begin.await(*free);
  }
  work(process, event, begin, begin.after(Part::Compute, cycles.unpack),
       cycles.unpack);
  core.unpackSpans.push_back({begin, process.engine});
  ++process.item;
  grow(core.unpacked, 1, process.engine);
  return Outcome::Next;
}

Replay::Outcome Replay::math(Process &process, const Event &event) {
  CoreState &core = *process.core;
  if (!isCompute(event))
    return Outcome::Next;
  const ComputeCycles cycles = computeCycles(arch_, event, process.compute);
  if (cycles.math > 0 || cycles.unpack > 0) {
    Moment ready = process.end();
    // After a pack the next section begins; it was packed two sections ago.
    const std::uint64_t section = process.section + process.packing;
    if (section >= 2) {
      const Moment *free =
          await(process, core.packed, section - 1, process.sectionCursor);
      if (!free)
        return Outcome::Blocked;
      ready.await(*free);
    }
    Span source;
    if (cycles.unpack > 0) {
      if (!await(process, core.unpacked, process.item + 1, process.itemCursor))
        return Outcome::Blocked;
      source = core.unpackSpans[process.item++];
    }
    process.section = section;
    process.packing = false;
    const Span span = follow(source, ready, cycles.math, tilesOf(event));
    work(process, event, span.begin, span.end, cycles.math);
    result_.flops += cycles.flops;
    if (cycles.product)
      result_.phases = std::max(result_.phases, process.compute.phases());
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
    const double begin = process.now.time;
    process.now.spend(Part::Compute, timing_.cbCycles);
    movePages(process, event, begin, process.end());
    return Outcome::Next;
  }
  if (!isCompute(event))
    return Outcome::Next;
  const ComputeCycles cycles = computeCycles(arch_, event, process.compute);
  if ((cycles.math > 0 || cycles.unpack > 0) && process.packing) {
    // What was packed is free.
    process.packing = false;
    ++process.section;
    grow(core.packed, 1, process.engine);
  }
  if (cycles.pack == 0)
    return Outcome::Next;
  Span source;
  if (cycles.math > 0) { // a block that is packed as it is made
    if (!await(process, core.moved, process.block + 1, process.blockCursor))
      return Outcome::Blocked;
    source = core.moveSpans[process.block++];
  } else if (!process.packing) {
    const Moment *ready = await(process, core.computed, process.section + 1,
                                process.sectionCursor);
    if (!ready)
      return Outcome::Blocked;
    source = {*ready, *ready};
  }
  process.packing = true;
  const Span span = follow(source, process.end(), cycles.pack, tilesOf(event));
  work(process, event, span.begin, span.end, cycles.pack);
  return Outcome::Next;
}

} // namespace tt::runtime::clock::timing
