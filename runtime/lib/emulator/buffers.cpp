// Circular buffers: pages passed from one thread of a core to another.
#include "emulator/checks.h"

namespace tt::runtime::emulator {
namespace {

/// The buffer of operand a, bound and used with at most its pages.
CircularBuffer &bufferOf(Thread &t, const Op *op) {
  CircularBuffer &buffer = t.core->buffers[op->a];
  if (!buffer.bound)
    fail(t, op, FaultKind::BufferMisuse, "circular buffer ", op->a,
         " does not exist on this core");
  return buffer;
}

std::uint32_t pagesOf(Thread &t, const Op *op, const CircularBuffer &buffer) {
  const std::uint64_t pages = t.r[op->b];
  if (pages > buffer.pages)
    fail(t, op, FaultKind::BufferCapacity, pages, " pages of circular buffer ",
         op->a, " were asked for, which has ", buffer.pages);
  return std::uint32_t(pages);
}

/// The pointers are state of the thread that moves them: a second thread would
/// have pointers of its own.
void claim(Thread &t, const Op *op, const Thread *&owner, const char *does) {
  if (!owner)
    owner = &t;
  else if (owner != &t && checks(t, Check::Buffers))
    fail(t, op, FaultKind::BufferMisuse, "circular buffer ", op->a, " is ",
         does, " by two threads, ", threadName(owner->kind()), " and ",
         threadName(t.kind()));
}

/// Moves a pointer, which may reach the end but not pass it.
void advance(Thread &t, const Op *op, const CircularBuffer &buffer,
             std::uint32_t &page, std::uint32_t pages) {
  page += pages;
  if (page > buffer.pages)
    fail(t, op, FaultKind::BufferWrap, "the pointer of circular buffer ", op->a,
         " moved ", pages, " pages to page ", page, " of ", buffer.pages,
         "; the pages of a round must add up to the size of the buffer");
  if (page == buffer.pages)
    page = 0;
}

void recordPages(Thread &t, const Op *op, EventKind kind, std::uint32_t pages) {
  if (!t.events)
    return;
  Event event{};
  event.port = std::uint16_t(op->a);
  event.count = pages;
  record(t, op, kind, event);
}

/// A thread that waits for the pages is ordered after what this thread has
/// done.
void pass(Thread &t, PageClock &to, std::uint64_t count, std::uint32_t most) {
  CoreWatch &watch = *t.core->watch;
  to.pass(count, watch.peek(threadOf(t)), most);
  watch.advance(threadOf(t));
}

const Op *reserveBack(Thread &t, const Op *op) {
  CircularBuffer &buffer = bufferOf(t, op);
  const std::uint32_t pages = pagesOf(t, op, buffer);
  if (buffer.room() < pages)
    return t.block(op);
  claim(t, op, buffer.producer, "filled");
  // Pages that were free from the start need no pop.
  if (const std::uint64_t needed = buffer.received + pages;
      t.core->watch && needed > buffer.pages)
    t.core->watch->popped[op->a].take(needed - buffer.pages,
                                      t.core->watch->clock(threadOf(t)));
  buffer.reserved = std::max(buffer.reserved, pages);
  buffer.packed = 0;
  recordPages(t, op, EventKind::CbReserve, pages);
  return op + 1;
}

const Op *pushBack(Thread &t, const Op *op) {
  CircularBuffer &buffer = bufferOf(t, op);
  const std::uint32_t pages = pagesOf(t, op, buffer);
  claim(t, op, buffer.producer, "filled");
  if (!buffer.free) {
    if (buffer.room() < pages)
      fail(t, op, FaultKind::BufferCapacity, pages,
           " pages were pushed to circular buffer ", op->a,
           ", which has room for ", buffer.room());
    if (pages > buffer.reserved && checks(t, Check::Buffers))
      fail(t, op, FaultKind::PageNotReserved, pages,
           " pages were pushed to circular buffer ", op->a, " of which ",
           buffer.reserved, " were reserved");
  }
  if (t.machine->checks())
    checkPush(t, op, buffer, pages);
  advance(t, op, buffer, buffer.writePage, pages);
  buffer.received += pages;
  if (t.core->watch)
    pass(t, t.core->watch->pushed[op->a], buffer.received, buffer.pages);
  buffer.reserved -= std::min(buffer.reserved, pages);
  buffer.packed = 0;
  recordPages(t, op, EventKind::CbPush, pages);
  return op + 1;
}

const Op *waitFront(Thread &t, const Op *op) {
  CircularBuffer &buffer = bufferOf(t, op);
  const std::uint32_t pages = pagesOf(t, op, buffer);
  if (buffer.available() < pages)
    return t.block(op);
  claim(t, op, buffer.consumer, "emptied");
  if (t.core->watch)
    t.core->watch->pushed[op->a].take(buffer.acked + pages,
                                      t.core->watch->clock(threadOf(t)));
  buffer.waited = std::max(buffer.waited, pages);
  recordPages(t, op, EventKind::CbWait, pages);
  return op + 1;
}

const Op *popFront(Thread &t, const Op *op) {
  CircularBuffer &buffer = bufferOf(t, op);
  const std::uint32_t pages = pagesOf(t, op, buffer);
  claim(t, op, buffer.consumer, "emptied");
  if (!buffer.full) {
    if (buffer.available() < pages)
      fail(t, op, FaultKind::BufferCapacity, pages,
           " pages were popped from circular buffer ", op->a, ", which holds ",
           buffer.available());
    if (pages > buffer.waited && checks(t, Check::Buffers))
      fail(t, op, FaultKind::PageNotWaited, pages,
           " pages were popped from circular buffer ", op->a, " of which ",
           buffer.waited, " were waited for");
  }
  if (t.machine->checks()) {
    checkPop(t, op, buffer, pages);
    if (buffer.producer != &t)
      buffer.spend(pages);
  }
  advance(t, op, buffer, buffer.readPage, pages);
  buffer.acked += pages;
  if (t.core->watch)
    pass(t, t.core->watch->popped[op->a], buffer.acked, buffer.pages);
  buffer.waited -= std::min(buffer.waited, pages);
  recordPages(t, op, EventKind::CbPop, pages);
  return op + 1;
}

const Op *pagesAvailable(Thread &t, const Op *op) {
  const CircularBuffer &buffer = bufferOf(t, op);
  t.r[op->out] = buffer.available() >= t.r[op->b];
  return t.r[op->out] ? op + 1 : t.yield(op + 1);
}

const Op *pagesReservable(Thread &t, const Op *op) {
  const CircularBuffer &buffer = bufferOf(t, op);
  t.r[op->out] = buffer.room() >= t.r[op->b];
  return t.r[op->out] ? op + 1 : t.yield(op + 1);
}

const Op *writePointer(Thread &t, const Op *op) {
  const CircularBuffer &buffer = bufferOf(t, op);
  t.r[op->out] = buffer.address + buffer.writePage * buffer.pageSize;
  return op + 1;
}

const Op *readPointer(Thread &t, const Op *op) {
  const CircularBuffer &buffer = bufferOf(t, op);
  t.r[op->out] = buffer.address + buffer.readPage * buffer.pageSize;
  return op + 1;
}

const Op *tileSize(Thread &t, const Op *op) {
  const CircularBuffer &buffer = bufferOf(t, op);
  t.r[op->out] = buffer.tiled ? std::uint32_t(numerics::tileBytes(buffer.type))
                              : buffer.pageSize;
  return op + 1;
}

const Op *dataFormat(Thread &t, const Op *op) {
  t.r[op->out] = std::uint32_t(bufferOf(t, op).type);
  return op + 1;
}

} // namespace

Handler bufferHandler(Opcode opcode) {
  constexpr Handler cb_reserve_back = reserveBack;
  constexpr Handler cb_push_back = pushBack;
  constexpr Handler cb_wait_front = waitFront;
  constexpr Handler cb_pop_front = popFront;
  constexpr Handler cb_pages_available_at_front = pagesAvailable;
  constexpr Handler cb_pages_reservable_at_back = pagesReservable;
  constexpr Handler get_write_ptr = writePointer;
  constexpr Handler get_read_ptr = readPointer;
  constexpr Handler get_tile_size = tileSize;
  constexpr Handler get_dataformat = dataFormat;
  switch (opcode) {
    TTMLIR_BUFFER_HANDLERS(TTMLIR_HANDLER_CASE)
  default:
    return nullptr;
  }
}

} // namespace tt::runtime::emulator
