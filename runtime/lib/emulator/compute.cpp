// The compute thread: the handshake of the destination registers, and compute
// instructions that the engines execute.
#include "emulator/compute_access.h"

#include "emulator/checks.h"

namespace tt::runtime::emulator {

using ::tt::target::metal::BroadcastType;

//===-- Circular buffers as the engines see them --------------------------===//

namespace {

/// Most operands of a compute instruction.
constexpr std::size_t kMaxOperands = 16;

CircularBuffer &bound(Thread &t, std::uint32_t port) {
  CircularBuffer &buffer = t.core->buffers[port];
  if (!buffer.bound)
    fail(t, t.current, FaultKind::BufferMisuse, "circular buffer ", port,
         " does not exist on this core");
  return buffer;
}

/// Address of bytes at a pointer; they do not run past the end of the buffer.
std::uint64_t contiguous(Thread &t, std::uint32_t port,
                         const CircularBuffer &buffer, std::uint32_t page,
                         std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t begin = std::uint64_t(page) * buffer.pageSize + offset;
  const std::uint64_t size = buffer.bytes();
  const std::uint64_t address = buffer.address + begin;
  if (offset > size || bytes > size || begin > size - bytes)
    fail(t, t.current, FaultKind::BufferWrap, Span{address, address + bytes},
         bytes, " bytes from page ", page, " + ", offset,
         " bytes on run past the end of circular buffer ", port, ", which has ",
         buffer.pages, " pages of ", buffer.pageSize, " bytes");
  return address;
}

/// Fails unless the bytes at a pointer are within `pages` pages.
void requireWindow(Thread &t, std::uint32_t port, const CircularBuffer &buffer,
                   std::uint64_t address, std::uint64_t end,
                   std::uint64_t bytes, std::uint32_t pages, FaultKind kind) {
  if (end > std::uint64_t(pages) * buffer.pageSize)
    fail(t, t.current, kind, Span{address, address + bytes}, "page ",
         (end - 1) / buffer.pageSize, " of circular buffer ", port, " is ",
         kind == FaultKind::PageNotWaited ? "read" : "written", ", of which ",
         pages,
         kind == FaultKind::PageNotWaited ? " pages were waited for"
                                          : " pages were reserved");
}

/// Which numbers of a tile of the circular buffer the instruction uses.
BroadcastType usedPart(const Op *op, std::uint32_t port) {
  switch (op->opcode) {
  case Opcode::add_tiles_bcast:
  case Opcode::sub_tiles_bcast:
  case Opcode::mul_tiles_bcast:
    if (port == op->operands[0])
      return BroadcastType::None;
    return BroadcastType(op->operands[5]);
  case Opcode::unary_bcast:
    return BroadcastType(op->operands[3]);
  default:
    return BroadcastType::None;
  }
}

/// Whether the numbers that a broadcast uses of a tile were written: kernels
/// leave the others of a constant as they are.
bool isUsedPartWritten(const Thread &t, std::uint32_t port,
                       std::uint64_t address, std::uint64_t bytes) {
  constexpr std::uint64_t kFace = 256, kRow = 16; // numbers
  const BroadcastType part = usedPart(t.current, port);
  const std::uint64_t size = bytes / (4 * kFace); // of a number
  if (part == BroadcastType::None || size == 0 || bytes % (4 * kFace))
    return false;
  const auto isWritten = [&](std::uint64_t first, std::uint64_t count) {
    const std::uint64_t begin = address + first * size;
    return t.core->watch->written.all(begin, begin + count * size);
  };
  if (part == BroadcastType::Scalar)
    return isWritten(0, 1);
  if (part == BroadcastType::Row)
    return isWritten(0, kRow) && isWritten(kFace, kRow);
  for (std::uint64_t face : {std::uint64_t(0), 2 * kFace})
    for (std::uint64_t row = 0; row < 16; ++row)
      if (!isWritten(face + row * kRow, 1))
        return false;
  return true;
}

} // namespace

const std::byte *CoreTiles::front(std::uint32_t port, std::uint64_t offset,
                                  std::uint64_t bytes) {
  Thread &t = *thread;
  const CircularBuffer &buffer = bound(t, port);
  const std::uint64_t address =
      contiguous(t, port, buffer, buffer.readPage, offset, bytes);
  if (t.machine->checks() && bytes) {
    if (!buffer.full && checks(t, Check::Buffers))
      requireWindow(t, port, buffer, address, offset + bytes, bytes,
                    buffer.waited, FaultKind::PageNotWaited);
    checkTileRead(t, t.current, address, address + bytes,
                  isUsedPartWritten(t, port, address, bytes));
  }
  return t.core->l1 + address;
}

std::byte *CoreTiles::back(std::uint32_t port, std::uint64_t offset,
                           std::uint64_t bytes, bool adds) {
  Thread &t = *thread;
  CircularBuffer &buffer = bound(t, port);
  const std::uint64_t address =
      contiguous(t, port, buffer, buffer.writePage, offset, bytes);
  if (t.machine->checks() && bytes) {
    if (!buffer.free && checks(t, Check::Buffers))
      requireWindow(t, port, buffer, address, offset + bytes, bytes,
                    buffer.reserved, FaultKind::PageNotReserved);
    if (adds)
      checkTileAdd(t, t.current, buffer, address, address + bytes);
    buffer.refill(address, address + bytes);
    checkTileWrite(t, t.current, address, address + bytes);
  }
  t.core->compute->dst.settle(t.core->l1 + address, bytes);
  return t.core->l1 + address;
}

std::byte *CoreTiles::nextBack(std::uint32_t port, std::uint64_t tiles,
                               bool adds) {
  CircularBuffer &buffer = bound(*thread, port);
  std::byte *at = back(port, std::uint64_t(buffer.packed) * buffer.pageSize,
                       tiles * buffer.pageSize, adds);
  buffer.packed += std::uint32_t(tiles);
  return at;
}

void CoreTiles::fault(tensix::ComputeFault kind, const std::string &message) {
  FaultKind as = FaultKind::Operand;
  switch (kind) {
  case tensix::ComputeFault::DstIndex:
    as = FaultKind::DstIndex;
    break;
  case tensix::ComputeFault::DstUnwritten:
    as = FaultKind::DstUnwritten;
    break;
  case tensix::ComputeFault::Format:
    as = FaultKind::TileFormat;
    break;
  case tensix::ComputeFault::Operand:
    break;
  }
  fail(*thread, thread->current, as, message);
}

//===-- Instructions ------------------------------------------------------===//

namespace {

/// Operands by value, and the circular buffers among them.
void recordCompute(Thread &t, const Op *op, const std::uint64_t *values) {
  const Opcode opcode = op->opcode;
  const std::string_view form = signatureOf(opcode).operands;
  Event event{};
  event.first = event.second = 255;
  event.count = 1;
  for (std::size_t i = 0; i < form.size(); ++i)
    if (form[i] == 'c') {
      const auto type = std::uint8_t(t.core->buffers[values[i]].type);
      (event.first == 255 ? event.first : event.second) = type;
      event.port = std::uint16_t(values[i]);
    }
  if (opcode == Opcode::matmul_block) {
    event.count = std::uint32_t(values[6] * values[7]);
    event.value = std::uint32_t(values[6]);
  }
  if (opcode == Opcode::reduce_tile)
    event.value = std::uint32_t(values[5] << 8 | values[6]);
  if (opcode == Opcode::tilize_block || opcode == Opcode::untilize_block)
    event.count = std::uint32_t(values[1]);
  else if (opcode == Opcode::pack_tile_block)
    event.count = std::uint32_t(values[2]);
  else if (opcode == Opcode::pack_untilize_block)
    event.count = std::uint32_t(values[1] * values[4]);
  else if (opcode == Opcode::pack_untilize_dest)
    event.count = std::uint32_t(values[1] * values[3]);
  record(t, op, EventKind::Compute, event);
}

/// Values of the operands.
const std::uint64_t *evaluate(const Thread &t, const Op *op,
                              std::uint64_t (&values)[kMaxOperands]) {
  for (std::uint32_t i = 0; i < op->a; ++i)
    values[i] = op->b >> i & 1 ? t.r[op->operands[i]] : op->operands[i];
  return values;
}

const Op *execute(Thread &t, const Op *op) {
  std::uint64_t values[kMaxOperands];
  evaluate(t, op, values);
  t.current = op;
  op->compute(*t.core->compute, values);
  if (checks(t, Check::Init))
    t.core->setup.execute(t, op, op->opcode, values);
  if (t.events)
    recordCompute(t, op, values);
  return op + 1;
}

const Op *math(Thread &t, const Op *op) {
  if (!t.core->dst.acquired)
    fail(t, op, FaultKind::DstProtocol,
         "the matrix engine writes destination registers that it has not "
         "acquired; expected tile_regs_acquire before");
  return execute(t, op);
}

const Op *packTile(Thread &t, const Op *op) {
  if (!t.core->dst.packing)
    fail(t, op, FaultKind::DstProtocol,
         "the packer reads destination registers that it has not waited for; "
         "expected tile_regs_wait before");
  return execute(t, op);
}

/// Instructions that the emulator reads off the circular buffers.
const Op *configure(Thread &t, const Op *op) {
  std::uint64_t values[kMaxOperands];
  if (checks(t, Check::Init))
    t.core->setup.execute(t, op, op->opcode, evaluate(t, op, values));
  return op + 1;
}

//===-- Destination registers ---------------------------------------------===//

const Op *acquire(Thread &t, const Op *op) {
  DstState &dst = t.core->dst;
  if (dst.acquired)
    fail(t, op, FaultKind::DstProtocol,
         "the destination registers are acquired twice; expected "
         "tile_regs_commit between");
  if (dst.committed == 2)
    return t.block(op);
  dst.acquired = true;
  t.core->compute->dst.acquire();
  return op + 1;
}

const Op *commit(Thread &t, const Op *op) {
  DstState &dst = t.core->dst;
  if (!dst.acquired)
    fail(t, op, FaultKind::DstProtocol,
         "destination registers are committed that are not acquired; expected "
         "tile_regs_acquire before");
  dst.acquired = false;
  ++dst.committed;
  t.core->compute->dst.commit();
  return op + 1;
}

const Op *waitForMath(Thread &t, const Op *op) {
  DstState &dst = t.core->dst;
  if (dst.committed == 0)
    return t.block(op);
  dst.packing = true;
  return op + 1;
}

const Op *release(Thread &t, const Op *op) {
  DstState &dst = t.core->dst;
  if (!dst.packing)
    fail(t, op, FaultKind::DstProtocol,
         "destination registers are released that the packer has not waited "
         "for; expected tile_regs_wait before");
  dst.packing = false;
  --dst.committed;
  t.core->compute->dst.release();
  return op + 1;
}

/// acquire_dst acquires one section for both engines at once.
const Op *acquireBoth(Thread &t, const Op *op) {
  const Op *next = acquire(t, op);
  if (next)
    t.core->dst.packing = true;
  return next;
}

const Op *releaseBoth(Thread &t, const Op *op) {
  if (!t.core->dst.acquired || !t.core->dst.packing)
    fail(t, op, FaultKind::DstProtocol,
         "destination registers are released that are not acquired; expected "
         "acquire_dst before");
  commit(t, op);
  return release(t, op);
}

} // namespace

Handler dstHandler(Opcode opcode) {
  constexpr Handler acquire_dst = acquireBoth;
  constexpr Handler release_dst = releaseBoth;
  constexpr Handler tile_regs_acquire = acquire;
  constexpr Handler tile_regs_commit = commit;
  constexpr Handler tile_regs_wait = waitForMath;
  constexpr Handler tile_regs_release = release;
  switch (opcode) {
    TTMLIR_DST_HANDLERS(TTMLIR_HANDLER_CASE)
  default:
    return nullptr;
  }
}

Handler tileHandler(Opcode opcode) {
  if (!tensix::handlerFor(opcode))
    return configure;
  switch (tensix::destinationOf(opcode)) {
  case tensix::Destination::Writes:
    return math;
  case tensix::Destination::Reads:
    return packTile;
  case tensix::Destination::None:
    break;
  }
  return execute;
}

} // namespace tt::runtime::emulator
