#include "emulator/checks.h"

#include <algorithm>

namespace tt::runtime::emulator {

using Word = std::uint64_t;

namespace {

/// The core that touched memory of the chip.
const Core &coreOfAccess(const Machine &machine, Access access) {
  const std::uint32_t number = coreOf(access);
  if (!machine.mesh->numbered.empty())
    return *machine.mesh->numbered[number];
  return machine.cores[machine.active[number]];
}

/// What is missing to order two accesses, the second by `t`.
std::string missingOrder(const Thread &t, const Core &other, Access access,
                         bool sameThread) {
  const std::uint32_t actor = actorOf(access);
  const char *barrier = actor >= FabricWrites ? "fabric_async_write_barrier"
                        : actor >= Writes     ? "noc_async_write_barrier"
                        : actor >= Reads      ? "noc_async_read_barrier"
                                              : nullptr;
  if (sameThread && barrier)
    return std::string(barrier) + " between the two";
  std::string text = &other == t.core
                         ? "a circular buffer or a semaphore between the two"
                         : "a semaphore between the two";
  if (barrier)
    text += std::string(", after ") + barrier;
  return text;
}

} // namespace

void failRace(const Thread &t, const Op *op, Span memory,
              const std::string &where, bool writes, const Race &race) {
  const Core &other = coreOfAccess(*t.machine, race.other);
  const std::uint32_t actor = actorOf(race.other);
  const auto kind = KernelKind(actor < Reads ? actor : (actor - Reads) % 2);
  const bool sameThread = &other == t.core && kind == t.kind();
  std::string by = coreText(other);
  if (&other == t.core)
    by =
        sameThread ? "the same thread" : std::string("its ") + threadName(kind);
  fail(t, op, FaultKind::DataRace, memory, memory.end - memory.begin,
       " bytes at ", memory.begin, " of ", where, " are ",
       writes ? "written" : "read", " by ", coreText(*t.core), " and ",
       race.otherWrites ? "written" : "read", " by ", by,
       " in no order; expected ",
       missingOrder(t, other, race.other, sameThread));
}

namespace {

/// Records an access of `t` to the L1 of `target`.
void orderL1(Thread &t, const Op *op, Core &target, Word begin, Word end,
             bool writes, Access me, const ClockView &clock) {
  CoreWatch &watch = *target.watch;
  if (!watch.tracksL1 || !checks(t, Check::Races) ||
      begin < Word(t.machine->geometry->l1Base))
    return; // semaphores order; they are not ordered
  if (const Race race =
          watch.l1.touch(begin, end, {me, clock, watch.place, writes}))
    failRace(t, op, Span{std::max(begin, race.begin), end},
             "the L1 of " + coreText(target), writes, race);
}

void orderOwn(Thread &t, const Op *op, Word begin, Word end, bool writes) {
  const CoreWatch &watch = *t.core->watch;
  orderL1(t, op, *t.core, begin, end, writes, watch.now(threadOf(t)),
          watch.peek(threadOf(t)));
}

/// Calls `f(port, buffer)` for the circular buffers that have some of the
/// bytes.
template <typename F> void forBuffers(Core &core, Word begin, Word end, F &&f) {
  auto visit = [&](std::uint32_t port) {
    CircularBuffer &b = core.buffers[port];
    if (b.bound && begin < b.address + b.bytes() && b.address < end)
      f(port, b);
  };
  const std::uint8_t first = core.watch->bufferNear(begin);
  const std::uint8_t last = core.watch->bufferNear(end - 1);
  if (first == last && first != CoreWatch::kMany && end - begin <= 1024) {
    if (first != CoreWatch::kNone)
      visit(first);
    return;
  }
  if (first == last && first < kPorts) {
    const CircularBuffer &b = core.buffers[first];
    if (begin >= b.address && end <= b.address + b.bytes()) {
      visit(first);
      return;
    }
  }
  for (std::uint32_t port = 0; port < core.buffers.size(); ++port)
    visit(port);
}

/// Whether the bytes are in `pages` pages from `page` on, which may wrap.
bool inWindow(const CircularBuffer &b, Word begin, Word end, std::uint32_t page,
              std::uint32_t pages) {
  if (begin < b.address || end > b.address + b.bytes())
    return false;
  const Word from = Word(page) * b.pageSize;
  const Word size = Word(pages) * b.pageSize;
  Word first = begin - b.address, last = end - b.address;
  if (first < from) {
    first += b.bytes();
    last += b.bytes();
  }
  return last <= from + size;
}

void requireUser(Thread &t, const Op *op, Word begin, Word end,
                 const char *does, Word low) {
  const auto base = Word(t.machine->geometry->l1Base);
  if (begin < low)
    fail(t, op, FaultKind::OutOfBounds, Span{begin, end}, "local L1 is ", does,
         " below its first free byte, ", base, ": ", end - begin, " bytes at ",
         begin);
}

void checkNotPending(Thread &t, const Op *op, Word begin, Word end) {
  if (!checks(t, Check::Transfers))
    return;
  for (const auto &thread : t.core->threads)
    if (thread->reads.meets(begin, end))
      fail(t, op, FaultKind::PendingTransfer, Span{begin, end}, end - begin,
           " bytes at ", begin, " of local L1 are read while a ",
           "noc_async_read of kernel '", thread->code->kernel->name,
           "' may still write them; expected noc_async_read_barrier before");
}

/// The op with which a thread sends the bytes, if they may not have left yet,
/// or null.
const char *sending(const Thread &thread, Word begin, Word end) {
  return thread.writes.meets(begin, end)   ? "noc_async_write"
         : thread.fabric.meets(begin, end) ? "fabric_async_write"
                                           : nullptr;
}

void checkNotSending(Thread &t, const Op *op, Word begin, Word end) {
  if (!checks(t, Check::Transfers))
    return;
  for (const auto &thread : t.core->threads)
    if (const char *sends = sending(*thread, begin, end))
      fail(t, op, FaultKind::PendingTransfer, Span{begin, end}, end - begin,
           " bytes at ", begin, " of local L1 are written while a ", sends,
           " of kernel '", thread->code->kernel->name,
           "' may still read them; expected ",
           thread->writes.meets(begin, end)
               ? "noc_async_write_barrier or noc_async_writes_flushed"
               : "fabric_async_write_barrier",
           " before");
}

void requireWritten(const Thread &t, const Op *op, Word begin, Word end,
                    const Core &core) {
  if (!core.watch->written.all(begin, end) && checks(t, Check::Memory))
    fail(t, op, FaultKind::UninitializedRead, Span{begin, end}, end - begin,
         " bytes at ", begin, " of the L1 of ", coreText(core),
         " are read, which nothing has written");
}

/// Whether a thread may use the bytes of a buffer in any way.
bool isFree(const Thread &t, const CircularBuffer &b) {
  return b.aliased || b.scratch || !checks(t, Check::Buffers);
}

} // namespace

//===-- Local memory ------------------------------------------------------===//

void checkOwnRead(Thread &t, const Op *op, Word begin, Word end) {
  requireUser(t, op, begin, end, "read", t.machine->zeros);
  if (begin < Word(t.machine->geometry->l1Base))
    return;
  forBuffers(*t.core, begin, end, [&](std::uint32_t port, CircularBuffer &b) {
    if (isFree(t, b) || inWindow(b, begin, end, b.readPage, b.waited) ||
        inWindow(b, begin, end, b.writePage, b.reserved))
      return;
    fail(t, op, FaultKind::PageNotWaited, Span{begin, end}, end - begin,
         " bytes at ", begin, " are read, in circular buffer ", port,
         ", but not in the ", b.waited, " pages from page ", b.readPage,
         " on that were waited for");
  });
  checkNotPending(t, op, begin, end);
  requireWritten(t, op, begin, end, *t.core);
  orderOwn(t, op, begin, end, false);
}

void checkOwnWrite(Thread &t, const Op *op, Word begin, Word end) {
  requireUser(t, op, begin, end, "written", Word(t.machine->geometry->l1Base));
  forBuffers(*t.core, begin, end, [&](std::uint32_t port, CircularBuffer &b) {
    b.refill(begin, end);
    if (isFree(t, b) || inWindow(b, begin, end, b.writePage, b.reserved))
      return;
    fail(t, op, FaultKind::PageNotReserved, Span{begin, end}, end - begin,
         " bytes at ", begin, " are written, in circular buffer ", port,
         ", but not in the ", b.reserved, " pages from page ", b.writePage,
         " on that were reserved");
  });
  checkNotSending(t, op, begin, end);
  t.core->watch->written.mark(begin, end);
  orderOwn(t, op, begin, end, true);
}

void checkTileRead(Thread &t, const Op *op, Word begin, Word end,
                   bool isWritten) {
  if (!isWritten)
    requireWritten(t, op, begin, end, *t.core);
  orderOwn(t, op, begin, end, false);
}

void checkTileAdd(Thread &t, const Op *op, const CircularBuffer &buffer,
                  Word begin, Word end) {
  if (!checks(t, Check::Memory))
    return;
  const bool old = buffer.isSpent(begin, end);
  if (old || !t.core->watch->written.all(begin, end))
    fail(t, op, FaultKind::UninitializedRead, Span{begin, end},
         "the packer adds to ", end - begin, " bytes at ", begin,
         " of the L1 of ", coreText(*t.core), ", which nothing has written",
         old ? " since another thread has popped them" : "",
         "; expected pack_reconfig_l1_acc(0) for the first tile of a page");
}

void checkTileWrite(Thread &t, const Op *op, Word begin, Word end) {
  checkNotSending(t, op, begin, end);
  t.core->watch->written.mark(begin, end);
  orderOwn(t, op, begin, end, true);
}

//===-- Circular buffers --------------------------------------------------===//

namespace {

/// The parts of `pages` pages from `page` on, before and after the end.
template <typename F>
void forPages(const CircularBuffer &b, std::uint32_t page, std::uint32_t pages,
              F &&f) {
  const std::uint32_t head = std::min(pages, b.pages - page);
  const Word base = b.address;
  if (head)
    f(base + Word(page) * b.pageSize, base + Word(page + head) * b.pageSize);
  if (pages > head)
    f(base, base + Word(pages - head) * b.pageSize);
}

} // namespace

void checkPush(Thread &t, const Op *op, const CircularBuffer &buffer,
               std::uint32_t pages) {
  if (!checks(t, Check::Transfers))
    return;
  forPages(buffer, buffer.writePage, pages, [&](Word begin, Word end) {
    if (t.reads.meets(begin, end))
      fail(t, op, FaultKind::PendingTransfer, Span{begin, end},
           "pages are pushed to circular buffer ", op->a,
           " that a noc_async_read may still write; expected "
           "noc_async_read_barrier before");
  });
}

void checkPop(Thread &t, const Op *op, const CircularBuffer &buffer,
              std::uint32_t pages) {
  if (!checks(t, Check::Transfers))
    return;
  forPages(buffer, buffer.readPage, pages, [&](Word begin, Word end) {
    if (const char *sends = sending(t, begin, end))
      fail(t, op, FaultKind::PendingTransfer, Span{begin, end},
           "pages are popped from circular buffer ", op->a, " that a ", sends,
           " may still read; expected ",
           t.writes.meets(begin, end)
               ? "noc_async_write_barrier or noc_async_writes_flushed"
               : "fabric_async_write_barrier",
           " before");
  });
}

//===-- End of the kernel -------------------------------------------------===//

namespace {

/// Calls f(port, pages, whether they were pushed) for pages that a thread has
/// reserved or waited for.
template <typename F> void forLeftovers(const Thread &t, F &&f) {
  for (std::uint32_t port = 0; port < kPorts; ++port) {
    const CircularBuffer &b = t.core->buffers[port];
    if (!b.bound || b.aliased)
      continue;
    if (b.producer == &t && b.reserved)
      f(port, b.reserved, false);
    if (b.consumer == &t && b.waited)
      f(port, b.waited, true);
  }
}

std::string describeLeftover(std::uint32_t port, std::uint32_t pages,
                             bool pushed) {
  return std::to_string(pages) + " pages of circular buffer " +
         std::to_string(port) +
         (pushed ? " waited for and not popped" : " reserved and not pushed");
}

} // namespace

void checkFinish(Thread &t, const Op *op) {
  auto open = [&](bool is, const char *what, const char *barrier) {
    if (is && checks(t, Check::Transfers))
      fail(t, op, FaultKind::OutstandingTransfer, "the kernel ends while its ",
           what, " may be under way; expected ", barrier, " before");
  };
  open(t.reads.any(), "noc_async_read", "noc_async_read_barrier");
  open(t.writes.any(), "writes on the network", "noc_async_write_barrier");
  open(t.atomicsOpen, "semaphore increments", "noc_async_atomic_barrier");
  open(t.fabricOpen, "writes or increments on other chips",
       "fabric_async_write_barrier");
  if (checks(t, Check::Leftovers))
    forLeftovers(t, [&](std::uint32_t port, std::uint32_t pages, bool pushed) {
      fail(t, op, FaultKind::BufferDirty, "the kernel ends with ",
           describeLeftover(port, pages, pushed), "; expected ",
           pushed ? "cb_pop_front" : "cb_push_back");
    });
  const DstState &dst = t.core->dst;
  if (t.kind() == KernelKind::Tensix && (dst.acquired || dst.committed))
    fail(t, op, FaultKind::DstProtocol,
         "the kernel ends with destination registers that are ",
         dst.acquired ? "acquired and not committed"
                      : "committed and not released");
}

std::vector<Leftover> findLeftovers(const Mesh &mesh) {
  std::vector<Leftover> all;
  for (const auto &machine : mesh.machines)
    for (const std::uint32_t index : machine->active)
      for (const auto &t : machine->cores[index].threads)
        forLeftovers(*t, [&](auto port, auto pages, bool pushed) {
          addLeftover(all, {"kernel '" + t->code->kernel->name + "' on " +
                                threadName(t->kind()) + " ends with " +
                                describeLeftover(port, pages, pushed),
                            coreText(*t->core), 1});
        });
  return all;
}

void addLeftover(std::vector<Leftover> &all, const Leftover &found) {
  const auto same = std::ranges::find(all, found.text, &Leftover::text);
  if (same == all.end())
    all.push_back(found);
  else
    same->cores += found.cores;
}

std::vector<std::string> describeLeftovers(const std::vector<Leftover> &all) {
  std::vector<std::string> notes;
  for (const Leftover &found : all)
    notes.push_back(found.text + ", on " + found.first +
                    (found.cores > 1
                         ? " and " + std::to_string(found.cores - 1) + " others"
                         : ""));
  return notes;
}

//===-- Other cores -------------------------------------------------------===//

void checkRemoteWrite(Core &core, const Transfer &transfer) {
  Thread &t = *transfer.thread;
  const Word begin = transfer.remote, end = begin + transfer.bytes;
  // Whether the pages were reserved is between the two cores; that they hold
  // nothing that was not popped yet is sure to be wanted.
  forBuffers(core, begin, end, [&](std::uint32_t port, CircularBuffer &b) {
    b.refill(begin, end);
    if (isFree(t, b) || b.received == b.acked)
      return;
    const auto live = std::uint32_t(b.received - b.acked);
    forPages(b, b.readPage, live, [&](Word first, Word last) {
      if (begin < last && first < end)
        fail(t, transfer.op, FaultKind::PageNotReserved, Span{begin, end},
             end - begin, " bytes at ", begin,
             " are written to circular buffer ", port, " of ", coreText(core),
             ", over pages that it has not popped");
    });
  });
  for (const auto &thread : core.threads)
    if (const char *sends = sending(*thread, begin, end);
        sends && thread.get() != &t && checks(t, Check::Transfers))
      fail(t, transfer.op, FaultKind::PendingTransfer, Span{begin, end},
           end - begin, " bytes at ", begin, " of the L1 of ", coreText(core),
           " are written while a ", sends, " of its kernel '",
           thread->code->kernel->name, "' may still read them");
  core.watch->written.mark(begin, end);
  if (transfer.kind != Transfer::Kind::Word) // a word orders
    orderL1(t, transfer.op, core, begin, end, true, transfer.access,
            t.core->watch->snapshotAt(transfer.clock));
}

void checkRemoteRead(Core &core, const Transfer &transfer) {
  Thread &t = *transfer.thread;
  const Word begin = transfer.remote, end = begin + transfer.bytes;
  if (begin < Word(t.machine->geometry->l1Base))
    return;
  requireWritten(t, transfer.op, begin, end, core);
  orderL1(t, transfer.op, core, begin, end, false, transfer.access,
          t.core->watch->snapshotAt(transfer.clock));
}

} // namespace tt::runtime::emulator
