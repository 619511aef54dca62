// The checks of accesses to DRAM. A core sees at once what others write there
// in the same round. So all accesses are checked at the end of the round, in an
// order that does not depend on the number of host threads.
#include "emulator/checks.h"
#include "numerics/parallel.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace tt::runtime::emulator {

using Word = std::uint64_t;

namespace {

/// "DRAM channel 3 of device 4 (chip 7)".
std::string channelText(const Machine &machine, Word channel) {
  return "DRAM channel " + std::to_string(channel) + chipText(machine);
}

/// The tensor that has all of the bytes.
DramTensor &tensorOf(Thread &t, const Op *op, Machine &machine, Word channel,
                     Word begin, Word end, bool writes) {
  const auto next =
      std::upper_bound(machine.dram.begin(), machine.dram.end(), begin,
                       [](Word address, const DramTensor &tensor) {
                         return address < tensor.begin;
                       });
  DramTensor *before =
      next == machine.dram.begin() ? nullptr : &*std::prev(next);
  if (before && end <= before->end) {
    if (std::atomic_ref changes(before->changes);
        writes && !changes.load(std::memory_order_relaxed))
      changes.store(true, std::memory_order_relaxed);
    return *before;
  }
  std::string place = "there is no tensor before them";
  if (before)
    place =
        (begin < before->end ? "they cross the end of " : "they are after ") +
        before->buffer->name + " [" + std::to_string(before->begin) + ", " +
        std::to_string(before->end) + ")";
  fail(t, op, FaultKind::OutOfBounds, Span{begin, end}, end - begin,
       " bytes at ", begin, " of ", channelText(machine, channel), " are ",
       writes ? "written" : "read",
       " that do not belong to one tensor: ", place);
}

} // namespace

void noteArrival(Machine &machine, const FabricTransfer &from) {
  const Transfer &transfer = from.transfer;
  const Word begin = transfer.remote, end = begin + transfer.bytes;
  const DramTensor &tensor = tensorOf(*transfer.thread, transfer.op, machine,
                                      transfer.core, begin, end, true);
  const std::byte *bytes = transfer.thread->core->l1 + transfer.local;
  machine.watch->arrived[transfer.core].push_back(
      {begin, end, &tensor, transfer.thread, transfer.op, transfer.access,
       transfer.clock, fingerprint(bytes, end - begin, begin), true, false});
}

bool noteDram(Thread &t, const Op *op, Word channel, Word begin, Word end,
              bool writes) {
  CoreWatch &watch = *t.core->watch;
  const DramTensor &tensor =
      tensorOf(t, op, *t.machine, channel, begin, end, writes);
  const Access access = watch.begin(threadOf(t), writes ? Writes : Reads);
  const bool missing =
      !writes && tensor.written &&
      !(*tensor.written)[channel].all(begin - tensor.begin, end - tensor.begin);
  if (missing)
    t.machine->mesh->sawData.store(true, std::memory_order_relaxed);
  watch.dram[channel].push_back({begin, end, &tensor, &t, op, access,
                                 watch.snapshot(threadOf(t)), 0, writes,
                                 missing});
  return !missing;
}

void hideUnwritten(Thread &t, Word channel, Word local) {
  const std::vector<DramAccess> &accesses = t.core->watch->dram[channel];
  const DramAccess &read = accesses.back();
  const Word first = read.tensor->begin;
  const Word bytes = read.end - read.begin;
  WrittenBytes written;
  written.markAs((*read.tensor->written)[channel], read.begin - first,
                 read.end - first, 0);
  for (const DramAccess &a : accesses)
    if (a.writes && a.begin < read.end && read.begin < a.end)
      written.mark(std::max(a.begin, read.begin) - read.begin,
                   std::min(a.end, read.end) - read.begin);
  for (Word at = 0; (at = written.find(false, at, bytes)) != bytes;) {
    const Word stop = written.find(true, at, bytes);
    std::memset(t.core->l1 + local + at, 0, stop - at);
    at = stop;
  }
}

namespace {

/// Records what is written.
void noteWritten(std::size_t channel, const DramAccess &a) {
  if (a.writes && a.tensor->written)
    (*a.tensor->written)[channel].mark(a.begin - a.tensor->begin,
                                       a.end - a.tensor->begin);
}

/// Finds a read of what was not, once all that the round has written is known.
void judgeMissing(const Machine &machine, std::size_t channel,
                  const DramAccess &a) {
  if (!a.missing || !checks(*a.thread, Check::Memory))
    return;
  if (const Word missing = (*a.tensor->written)[channel].countUnwritten(
          a.begin - a.tensor->begin, a.end - a.tensor->begin))
    fail(*a.thread, a.op, FaultKind::UninitializedRead, Span{a.begin, a.end},
         a.end - a.begin, " bytes at ", a.begin, " of ",
         channelText(machine, channel), " are read, in ",
         a.tensor->buffer->name, ", of which nothing has written ", missing);
}

void judgeOrder(Machine &machine, std::size_t channel, const DramAccess &a) {
  if (!checks(*a.thread, Check::Races))
    return;
  const ClockView clock = a.thread->core->watch->snapshotAt(a.clock);
  // No flag reaches a channel; those from other chips reach the whole chip.
  const Area place{machine.device, kNocSide, kNocSide, kNocSide, kNocSide};
  if (const Race race = machine.watch->dram[channel].touch(
          a.begin, a.end, {a.access, clock, place, a.writes, a.what}))
    failRace(*a.thread, a.op, Span{std::max(a.begin, race.begin), a.end},
             channelText(machine, channel), a.writes, race);
}

/// What the cores of the chip did in the round, then what came from others.
template <typename Judge>
void forAccesses(Machine &machine, std::size_t channel, const Judge &judge) {
  for (std::uint32_t index : machine.active)
    for (const DramAccess &a : machine.cores[index].watch->dram[channel])
      judge(machine, channel, a);
  for (const DramAccess &a : machine.watch->arrived[channel])
    judge(machine, channel, a);
}

/// Those of all channels; counts no further than `enough`.
std::size_t countAccesses(const Machine &machine, std::size_t enough) {
  std::size_t count = 0;
  for (const auto &accesses : machine.watch->arrived)
    count += accesses.size();
  for (std::uint32_t index : machine.active) {
    for (const auto &accesses : machine.cores[index].watch->dram)
      count += accesses.size();
    if (count >= enough)
      break;
  }
  return count;
}

/// A read that is in no order with the write is a race, even if it came first.
/// Of a tensor that the run never writes the last reads need no order.
void judgeChannel(Machine &machine, std::size_t channel, bool last) {
  bool missing = false;
  forAccesses(machine, channel,
              [&](Machine &machine, std::size_t channel, const DramAccess &a) {
                if (!last || a.tensor->changes)
                  judgeOrder(machine, channel, a);
                noteWritten(channel, a);
                missing |= a.missing;
              });
  if (missing)
    forAccesses(machine, channel, judgeMissing);
  machine.watch->arrived[channel].clear();
}

} // namespace

void judgeDram(Machine &machine, bool last) {
  const std::int64_t channels = machine.geometry->channels;
  std::vector<std::exception_ptr> faults(machine.watch->arrived.size());
  // Few accesses take less time than waking other threads.
  constexpr std::size_t kFew = 64;
  numerics::parallelFor(
      0, channels, countAccesses(machine, kFew) < kFew ? channels : 1,
      [&](std::int64_t first, std::int64_t stop) {
        for (; first < stop; ++first)
          try {
            judgeChannel(machine, std::size_t(first), last);
          } catch (...) {
            faults[std::size_t(first)] = std::current_exception();
          }
      });
  for (const std::exception_ptr &fault : faults)
    if (fault)
      std::rethrow_exception(fault);
}

} // namespace tt::runtime::emulator
