// What the engines of a compute thread do in a replay.
#include "clock/replay_state.h"

#include <algorithm>
#include <cstring>

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

const ComputeCycles &Replay::cyclesOf(const Process &process,
                                      const Event &event) {
  Taken &taken = taken_[std::size_t(event.opcode) % taken_.size()];
  if (taken.compute != process.compute ||
      std::memcmp(&taken.event, &event, sizeof event) != 0)
    taken = {event, process.compute,
             computeCycles(arch_, event, *process.compute)};
  return taken.cycles;
}

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
  const ComputeCycles &cycles = cyclesOf(process, event);
  if (cycles.unpack == 0)
    return Outcome::Next;
  Moment begin = process.end();
  // Two banks: item i replaces item i - 2.
  if (process.item >= 2) {
    const Span *free = await(process, core.consumed, process.item - 1);
    if (!free)
      return Outcome::Blocked;
    begin.await(free->end);
  }
  work(process, event, begin, begin.after(Part::Compute, cycles.unpack),
       cycles.unpack);
  ++process.item;
  grow(core.unpacked, {begin, process.engine});
  return Outcome::Next;
}

Replay::Outcome Replay::math(Process &process, const Event &event) {
  CoreState &core = *process.core;
  if (!isCompute(event))
    return Outcome::Next;
  const ComputeCycles &cycles = cyclesOf(process, event);
  if (cycles.math > 0 || cycles.unpack > 0) {
    Moment ready = process.end();
    // After a pack the next section begins; it was packed two sections ago.
    const std::uint64_t section = process.section + process.packing;
    if (section >= 2) {
      const Span *free = await(process, core.packed, section - 1);
      if (!free)
        return Outcome::Blocked;
      ready.await(free->end);
    }
    Span source;
    if (cycles.unpack > 0) {
      const Span *unpacked = await(process, core.unpacked, process.item + 1);
      if (!unpacked)
        return Outcome::Blocked;
      source = *unpacked;
      ++process.item;
    }
    process.section = section;
    process.packing = false;
    const Span span = follow(source, ready, cycles.math, tilesOf(event));
    work(process, event, span.begin, span.end, cycles.math);
    result_.flops += cycles.flops;
    if (cycles.product)
      result_.phases = std::max(result_.phases, process.compute->phases());
    if (cycles.unpack > 0)
      grow(core.consumed, span);
    if (cycles.pack > 0)
      grow(core.moved, span);
  }
  if (cycles.pack > 0 && !process.packing) {
    process.packing = true;
    grow(core.computed, {process.engine, process.engine});
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
  const ComputeCycles &cycles = cyclesOf(process, event);
  if ((cycles.math > 0 || cycles.unpack > 0) && process.packing) {
    // What was packed is free.
    process.packing = false;
    ++process.section;
    grow(core.packed, {process.engine, process.engine});
  }
  if (cycles.pack == 0)
    return Outcome::Next;
  Span source;
  if (cycles.math > 0) { // a block that is packed as it is made
    const Span *moved = await(process, core.moved, process.block + 1);
    if (!moved)
      return Outcome::Blocked;
    source = *moved;
    ++process.block;
  } else if (!process.packing) {
    const Span *ready = await(process, core.computed, process.section + 1);
    if (!ready)
      return Outcome::Blocked;
    source = *ready;
  }
  process.packing = true;
  const Span span = follow(source, process.end(), cycles.pack, tilesOf(event));
  work(process, event, span.begin, span.end, cycles.pack);
  return Outcome::Next;
}

} // namespace tt::runtime::clock::timing
