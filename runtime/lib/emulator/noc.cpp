// Transfers over the network on chip, and tensors by pages.
#include "emulator/checks.h"
#include "emulator/host_pages.h"
#include "emulator/noc_transfers.h"
#include "numerics/stream.h"

#include <cstring>

namespace tt::runtime::emulator {

//===-- Addresses ---------------------------------------------------------===//

NocAddress nocAddress(Thread &t, const Op *op, std::uint64_t value,
                      NocTag tag) {
  const NocAddress address = decodeNoc(value);
  if (address.tag != tag)
    fail(t, op, FaultKind::Coordinates, "expected the address of a ",
         tag == NocTag::Multicast ? "multicast rectangle" : "core or channel",
         ", found ",
         address.tag == NocTag::None        ? "a number that is no NoC address"
         : address.tag == NocTag::Multicast ? "that of a multicast rectangle"
                                            : "that of a core or channel",
         " (", value, ")");
  return address;
}

NocMap::Node nodeAt(Thread &t, const Op *op, std::uint32_t x, std::uint32_t y,
                    const NocMap *map) {
  const NocMap::Node node = (map ? *map : t.machine->noc).at(x, y);
  if (node.kind == NocMap::Node::Nobody)
    fail(t, op, FaultKind::Coordinates, "expected the NoC coordinates of a ",
         "worker core or DRAM channel, found x ", x, ", y ", y);
  return node;
}

static const char *nodeName(NocMap::Node node) {
  return node.kind == NocMap::Node::Dram ? "a DRAM channel" : "a core";
}

void checkTransfer(Thread &t, const Op *op, NocMap::Node node,
                   std::uint64_t remote, std::uint64_t local,
                   std::uint64_t bytes, bool reads) {
  const ChipGeometry &g = *t.machine->geometry;
  const bool dram = node.kind == NocMap::Node::Dram;
  const auto size = std::uint64_t(dram ? g.channelSize : g.l1Size);
  const Span there{remote, remote + bytes};
  if (bytes > size || remote > size - bytes)
    fail(t, op, FaultKind::OutOfBounds, there, "expected bytes within the ",
         size, " of ", nodeName(node), ", found ", bytes, " at ", remote);
  requireLocal(t, op, local, bytes, "the local core");
  if (!t.machine->checks())
    return;
  if (bytes == 0)
    fail(t, op, FaultKind::Length, there, "a transfer of 0 bytes");
  const auto base = std::uint64_t(dram ? g.dramBase : g.l1Base);
  const auto end = std::uint64_t(dram ? g.dramEnd : g.l1Size);
  // The zeros and semaphores of every core can be read.
  const bool system =
      !dram && reads && remote >= t.machine->zeros && remote < base;
  if (!dram && !reads && remote < base &&
      remote + bytes > t.machine->semaphores)
    fail(t, op, FaultKind::Semaphore, there, bytes, " bytes at ", remote,
         " of a core are written, which has semaphores from ",
         t.machine->semaphores, " to ", base,
         "; expected an instruction of semaphores");
  if ((remote < base && !system) || remote + bytes > end)
    fail(t, op, FaultKind::OutOfBounds, there, "expected bytes from ", base,
         " to ", end, " of ", nodeName(node), ", found ", bytes, " at ",
         remote);
  const auto align = std::uint64_t(dram && reads ? g.dramAlign : g.l1Align);
  if ((remote ^ local) & (align - 1))
    fail(t, op, FaultKind::Alignment, there, "expected the address in ",
         nodeName(node), " and that in L1 to be equal modulo ", align,
         ", found ", remote, " and ", local, " (", remote % align, " and ",
         local % align, "), ", bytes, " bytes");
}

namespace {

std::uint32_t coordinate(Thread &t, const Op *op, std::uint64_t value) {
  if (value >= kNocSide)
    fail(t, op, FaultKind::Coordinates, "expected a NoC coordinate below ",
         kNocSide, ", found ", std::int32_t(value));
  return std::uint32_t(value);
}

const Op *getNocAddr(Thread &t, const Op *op) {
  const std::uint32_t x = coordinate(t, op, t.r[op->a]);
  const std::uint32_t y = coordinate(t, op, t.r[op->b]);
  t.r[op->out] = encodeUnicast(x, y, t.r[op->c] & kLocalMask);
  return op + 1;
}

const Op *getNocAddrFromBank(Thread &t, const Op *op) {
  const bool dram = op->c != 0;
  const auto &geometry = *t.machine->geometry;
  const auto banks = std::uint64_t(dram ? geometry.channels : geometry.cores());
  const std::uint64_t bank = t.r[op->a];
  if (bank >= banks)
    fail(t, op, FaultKind::Coordinates, "expected a bank of ",
         dram ? "DRAM" : "L1", " below ", banks, ", found ", bank);
  const NocMap &noc = t.machine->noc;
  const NocCoord at =
      dram ? noc.channel(std::uint32_t(bank)) : noc.worker(std::uint32_t(bank));
  t.r[op->out] = encodeUnicast(std::uint32_t(at.x), std::uint32_t(at.y),
                               t.r[op->b] & kLocalMask);
  return op + 1;
}

const Op *getMulticastAddr(Thread &t, const Op *op) {
  const std::uint32_t *o = op->operands;
  std::uint32_t at[4];
  for (int i = 0; i < 4; ++i)
    at[i] = coordinate(t, op, t.r[o[i]]);
  t.r[op->out] =
      encodeMulticast(at[0], at[1], at[2], at[3], t.r[o[4]] & kLocalMask);
  return op + 1;
}

//===-- Unicast -----------------------------------------------------------===//

void recordTransfer(Thread &t, const Op *op, EventKind kind, NocMap::Node node,
                    std::uint64_t bytes, std::uint32_t id = 0) {
  if (!t.events)
    return;
  const NocCoord at = node.kind == NocMap::Node::Dram
                          ? t.machine->noc.channel(node.index)
                          : t.machine->noc.worker(node.index);
  Event event{};
  event.remote = {std::uint8_t(at.x), std::uint8_t(at.y)};
  event.bytes = std::uint32_t(bytes);
  event.value = id;
  record(t, op, kind, event);
}

/// The tensor of these bytes of a channel if the host has it, else null.
HostPages *hostPagesAt(const Machine &machine, std::uint64_t address) {
  for (HostPages *pages : machine.hostPages)
    if (pages->has(address))
      return pages;
  return nullptr;
}

void readDram(Machine &machine, std::uint32_t channel, std::uint64_t address,
              std::byte *target, std::uint64_t bytes) {
  if (const HostPages *pages = hostPagesAt(machine, address)) {
    const std::byte *row = pages->find(channel, address, bytes);
    if (!row)
      return pages->read(channel, address, bytes, target);
    if (machine.streams)
      numerics::prefetch(row + pages->rowBytes(), bytes); // of the next row
    std::memcpy(target, row, bytes);
    return;
  }
  // Pages that follow each other are in neighbouring channels.
  if (machine.streams && channel + 1 < machine.geometry->channels)
    numerics::prefetch(machine.chip->dram(channel + 1, std::int64_t(address)),
                       bytes);
  std::memcpy(target, machine.chip->dram(channel, std::int64_t(address)),
              bytes);
}

const Op *readFrom(Thread &t, const Op *op, NocMap::Node node,
                   std::uint64_t remote, std::uint64_t local,
                   std::uint64_t bytes) {
  checkTransfer(t, op, node, remote, local, bytes, true);
  Machine &machine = *t.machine;
  const bool dram = node.kind == NocMap::Node::Dram;
  const bool own = !dram && node.index == t.core->index;
  bool written = true;
  if (machine.checks()) {
    if (own)
      checkOwnRead(t, op, remote, remote + bytes);
    checkOwnWrite(t, op, local, local + bytes);
    t.reads.add(local, local + bytes);
    if (dram)
      written = noteDram(t, op, node.index, remote, remote + bytes, false);
  }
  std::byte *target = t.core->l1 + local;
  if (dram) {
    readDram(machine, node.index, remote, target, bytes);
  } else if (own) {
    std::memmove(target, t.core->l1 + remote, bytes);
  } else {
    send(t, op, Transfer::Kind::Read, node.index, local, remote, bytes);
  }
  if (!written)
    hideUnwritten(t, node.index, local);
  if (machine.checks())
    t.reads.unicastEpochs[t.reads.id] =
        t.core->watch->begun(threadOf(t), Reads);
  recordTransfer(t, op, EventKind::NocRead, node, bytes, t.reads.id);
  return op + 1;
}

/// To the channel of the last noted access, with checks.
void writeDram(Thread &t, std::uint32_t channel, std::uint64_t remote,
               const std::byte *source, std::uint64_t bytes) {
  Machine &machine = *t.machine;
  std::byte *target = nullptr;
  std::uint32_t *what =
      machine.checks() ? &t.core->watch->dram[channel].back().what : nullptr;
  HostPages *pages = hostPagesAt(machine, remote);
  if (pages && !pages->isWritable()) {
    pages->settle();
    pages = nullptr;
  }
  if (!pages)
    target = machine.chip->dram(channel, std::int64_t(remote));
  else if (!(target = pages->find(channel, remote, bytes))) {
    if (what)
      *what = fingerprint(source, bytes, remote);
    return pages->write(channel, remote, bytes, source);
  }
  if (machine.streams && what &&
      reinterpret_cast<std::uintptr_t>(target) % 16 == 0) {
    *what = copyWithFingerprint(target, source, bytes, remote);
    return;
  }
  if (what)
    *what = fingerprint(source, bytes, remote);
  if (machine.streams)
    numerics::copyStreamed(target, source, bytes);
  else
    std::memcpy(target, source, bytes);
}

const Op *writeTo(Thread &t, const Op *op, NocMap::Node node,
                  std::uint64_t remote, std::uint64_t local,
                  std::uint64_t bytes) {
  checkTransfer(t, op, node, remote, local, bytes, false);
  Machine &machine = *t.machine;
  const bool dram = node.kind == NocMap::Node::Dram;
  const bool own = !dram && node.index == t.core->index;
  if (machine.checks()) {
    checkOwnRead(t, op, local, local + bytes);
    if (own)
      checkOwnWrite(t, op, remote, remote + bytes);
    t.writes.add(local, local + bytes);
    if (dram)
      noteDram(t, op, node.index, remote, remote + bytes, true);
  }
  const std::byte *source = t.core->l1 + local;
  if (dram)
    writeDram(t, node.index, remote, source, bytes);
  else if (own)
    std::memmove(t.core->l1 + remote, source, bytes);
  else
    send(t, op, Transfer::Kind::Write, node.index, local, remote, bytes);
  if (machine.checks())
    t.writes.unicastEpochs[t.writes.id] =
        t.core->watch->begun(threadOf(t), Writes);
  recordTransfer(t, op, EventKind::NocWrite, node, bytes, t.writes.id);
  return op + 1;
}

const Op *asyncRead(Thread &t, const Op *op) {
  const NocAddress from = nocAddress(t, op, t.r[op->a], NocTag::Unicast);
  return readFrom(t, op, nodeAt(t, op, from.x, from.y), from.local, t.r[op->b],
                  t.r[op->c]);
}

const Op *asyncWrite(Thread &t, const Op *op) {
  const NocAddress to = nocAddress(t, op, t.r[op->b], NocTag::Unicast);
  return writeTo(t, op, nodeAt(t, op, to.x, to.y), to.local, t.r[op->a],
                 t.r[op->c]);
}

const Op *inlineWrite(Thread &t, const Op *op) {
  const NocAddress to = nocAddress(t, op, t.r[op->a], NocTag::Unicast);
  const NocMap::Node node = nodeAt(t, op, to.x, to.y);
  const auto size = std::uint64_t(t.machine->geometry->l1Size);
  const Span there{to.local, to.local + 4};
  if (node.kind != NocMap::Node::Worker)
    fail(t, op, FaultKind::Coordinates, there,
         "expected a worker core, which alone takes inline writes, found a "
         "DRAM channel");
  if (to.local % 4)
    fail(t, op, FaultKind::Alignment, there,
         "expected an address that is a multiple of 4, found ", to.local);
  if (to.local > size - 4)
    fail(t, op, FaultKind::OutOfBounds, there, "expected bytes within the ",
         size, " of a core, found 4 at ", to.local);
  if (t.machine->checks() && to.local < std::uint64_t(t.machine->semaphores))
    fail(t, op, FaultKind::OutOfBounds, there, "expected an address from ",
         t.machine->semaphores, " on, found ", to.local);
  if (t.machine->checks() && !isSemaphore(*t.machine, to.local) &&
      to.local < std::uint64_t(t.machine->geometry->l1Base))
    fail(t, op, FaultKind::Semaphore, there, "expected the address of one of ",
         t.machine->launch->semaphores.size(), " semaphores, found ", to.local);
  sendWord(t, op, node.index, to.local, std::uint32_t(t.r[op->b]));
  recordTransfer(t, op, EventKind::NocInline, node, 4);
  return op + 1;
}

//===-- Multicast ---------------------------------------------------------===//

template <bool Loopback> const Op *multicast(Thread &t, const Op *op) {
  const std::uint64_t local = t.r[op->a], bytes = t.r[op->c];
  const NocAddress to = nocAddress(t, op, t.r[op->b], NocTag::Multicast);
  const std::uint64_t destinations = t.r[op->operands[3]];
  Transfer transfer =
      rectangle(t, op, to, destinations, Loopback, Transfer::Kind::Write);
  // Every destination is a core, so the path is that of the first one.
  checkTransfer(t, op, {NocMap::Node::Worker, t.core->index}, to.local, local,
                bytes, false);
  if (t.machine->checks()) {
    checkOwnRead(t, op, local, local + bytes);
    t.writes.add(local, local + bytes);
    transfer.access = t.core->watch->begin(threadOf(t), Multicasts);
    t.writes.multicastEpochs[t.writes.id] =
        t.core->watch->begun(threadOf(t), Multicasts);
  }
  transfer.local = std::uint32_t(local);
  transfer.remote = std::uint32_t(to.local);
  transfer.bytes = std::uint32_t(bytes);
  t.core->outbox.push_back(transfer);
  ++t.remoteWrites;
  transfer.value = t.writes.id; // of the event
  recordMulticast(t, op, EventKind::NocMulticast, transfer, destinations);
  return op + 1;
}

//===-- Transaction ids ---------------------------------------------------===//

std::uint32_t transactionId(const Thread &t, const Op *op,
                            std::uint64_t value) {
  if (value >= clock::kTransactionIds)
    fail(t, op, FaultKind::Operand, "expected a transaction id below ",
         clock::kTransactionIds, ", found ", std::int32_t(value));
  return std::uint32_t(value);
}

template <Transactions Thread::*Transfers>
const Op *setId(Thread &t, const Op *op) {
  (t.*Transfers).id = transactionId(t, op, t.r[op->a]);
  return op + 1;
}

const Op *writeWithId(Thread &t, const Op *op) {
  t.writes.id = transactionId(t, op, t.r[op->operands[3]]);
  return asyncWrite(t, op);
}

/// The transfers of the ids of a mask are no longer counted, whose barrier
/// would therefore not wait for those that are under way.
const Op *resetIds(Thread &t, const Op *op) {
  const auto ids = std::uint32_t(t.r[op->a]);
  if (checks(t, Check::Transfers) && (t.reads.any(ids) || t.writes.any(ids)))
    fail(t, op, FaultKind::OutstandingTransfer,
         "the counters of transaction ids are reset, mask ", ids,
         ", while transfers with one of them may be under way; expected a "
         "barrier with its id before");
  return op + 1;
}

//===-- Barriers ----------------------------------------------------------===//

void endReads(Thread &t) {
  t.reads.complete();
  if (t.core->watch)
    t.core->watch->finish(threadOf(t), Reads);
}

void endWrites(Thread &t) {
  t.writes.complete();
  if (!t.core->watch)
    return;
  t.core->watch->finish(threadOf(t), Writes);
  t.core->watch->finish(threadOf(t), Multicasts);
}

const Op *readBarrier(Thread &t, const Op *op) {
  if (t.remoteReads)
    return t.block(op);
  endReads(t);
  record(t, op, EventKind::ReadBarrier);
  return op + 1;
}

const Op *writeBarrier(Thread &t, const Op *op) {
  if (t.remoteWrites)
    return t.block(op);
  endWrites(t);
  record(t, op, EventKind::WriteBarrier);
  return op + 1;
}

/// Waits for the transfers with one id. Those that reach other cores land
/// together, whatever their ids are.
template <bool Reading> const Op *barrierWithId(Thread &t, const Op *op) {
  const std::uint32_t id = transactionId(t, op, t.r[op->a]);
  const std::uint32_t bit = Transactions::bit(id);
  Transactions &transfers = Reading ? t.reads : t.writes;
  if ((Reading ? t.remoteReads : t.remoteWrites) &&
      (!t.machine->checks() || transfers.any(bit)))
    return t.block(op);
  transfers.complete(bit);
  if (CoreWatch *watch = t.core->watch.get()) {
    watch->finish(threadOf(t), Reading ? Reads : Writes,
                  transfers.unicastEpochs[id]);
    if (!Reading)
      watch->finish(threadOf(t), Multicasts, transfers.multicastEpochs[id]);
  }
  Event event{};
  event.value = id;
  record(t, op, Reading ? EventKind::ReadBarrier : EventKind::WriteBarrier,
         event);
  return op + 1;
}

/// The writes have left the core; whether they have arrived is not known.
const Op *writesFlushed(Thread &t, const Op *op) {
  if (t.remoteWrites)
    return t.block(op);
  t.writes.release();
  record(t, op, EventKind::WritesFlushed);
  return op + 1;
}

const Op *atomicBarrier(Thread &t, const Op *op) {
  if (t.remoteAtomics)
    return t.block(op);
  t.atomicsOpen = false;
  record(t, op, EventKind::AtomicBarrier);
  return op + 1;
}

const Op *fullBarrier(Thread &t, const Op *op) {
  if (t.remoteReads || t.remoteWrites || t.remoteAtomics)
    return t.block(op);
  endReads(t);
  endWrites(t);
  t.atomicsOpen = false;
  record(t, op, EventKind::ReadBarrier);
  record(t, op, EventKind::WriteBarrier);
  record(t, op, EventKind::AtomicBarrier);
  return op + 1;
}

//===-- Tensors by pages --------------------------------------------------===//

const Op *tensorAccessor(Thread &t, const Op *op) {
  t.r[op->out] = std::uint64_t(op->b) << 32 | std::uint32_t(t.r[op->a]);
  return op + 1;
}

/// What is at an address, for messages.
std::string tensorAt(const Machine &machine, bool dram, std::uint64_t address) {
  for (const LiveBuffer &live : machine.live)
    if (live.dram() == dram && live.address == address)
      return live.name;
  return "the tensor at " + std::to_string(address);
}

struct PagePlace {
  NocMap::Node node;
  std::uint64_t address;
  std::uint32_t bytes;
};

PagePlace pageOf(Thread &t, const Op *op, std::uint64_t accessor,
                 std::uint64_t page) {
  const std::uint64_t index = accessor >> 32;
  const auto &accessors = t.code->accessors;
  if (index >= accessors.size())
    fail(t, op, FaultKind::Operand, "expected an accessor of the kernel (of ",
         accessors.size(), "), found number ", index);
  const PlacedAccessor &a = accessors[index];
  const auto base = std::uint32_t(accessor);
  if (page >= a.pages)
    fail(t, op, FaultKind::OutOfBounds, Span{base, base}, "expected a page of ",
         tensorAt(*t.machine, a.dram, base), " below ", a.pages, ", found ",
         std::int32_t(page));
  std::uint32_t bank = 0, slot = std::uint32_t(page);
  if (!a.shardBanks.empty()) {
    const std::uint32_t row = slot / a.cols, col = slot % a.cols;
    bank = a.shardBanks[row / a.shardRows * a.shardsX + col / a.shardCols];
    slot = row % a.shardRows * a.shardCols + col % a.shardCols;
  } else if (a.banks > 1) {
    bank = slot % a.banks;
    slot /= a.banks;
  }
  return {{a.dram ? NocMap::Node::Dram : NocMap::Node::Worker, bank},
          base + std::uint64_t(slot) * a.stride,
          a.bytes};
}

const Op *accessorNocAddr(Thread &t, const Op *op) {
  const PagePlace page = pageOf(t, op, t.r[op->a], t.r[op->b]);
  const NocMap &noc = t.machine->noc;
  const NocCoord at = page.node.kind == NocMap::Node::Dram
                          ? noc.channel(page.node.index)
                          : noc.worker(page.node.index);
  t.r[op->out] =
      encodeUnicast(std::uint32_t(at.x), std::uint32_t(at.y),
                    (page.address + std::uint32_t(t.r[op->c])) & kLocalMask);
  return op + 1;
}

const Op *readPage(Thread &t, const Op *op) {
  const PagePlace page = pageOf(t, op, t.r[op->b], t.r[op->a]);
  return readFrom(t, op, page.node, page.address, t.r[op->c], page.bytes);
}

const Op *writePage(Thread &t, const Op *op) {
  const PagePlace page = pageOf(t, op, t.r[op->b], t.r[op->a]);
  return writeTo(t, op, page.node, page.address, t.r[op->c], page.bytes);
}

} // namespace

Handler nocHandler(Opcode opcode) {
  constexpr Handler get_noc_addr = getNocAddr;
  constexpr Handler get_noc_addr_from_bank_id = getNocAddrFromBank;
  constexpr Handler get_noc_multicast_addr = getMulticastAddr;
  constexpr Handler noc_async_read = asyncRead;
  constexpr Handler noc_async_write = asyncWrite;
  constexpr Handler noc_async_write_multicast = multicast<false>;
  constexpr Handler noc_async_write_multicast_loopback_src = multicast<true>;
  constexpr Handler noc_async_read_barrier = readBarrier;
  constexpr Handler noc_async_write_barrier = writeBarrier;
  constexpr Handler noc_async_writes_flushed = writesFlushed;
  constexpr Handler noc_async_atomic_barrier = atomicBarrier;
  constexpr Handler noc_async_full_barrier = fullBarrier;
  constexpr Handler noc_async_read_set_trid = setId<&Thread::reads>;
  constexpr Handler noc_async_write_set_trid = setId<&Thread::writes>;
  constexpr Handler noc_async_read_barrier_with_trid = barrierWithId<true>;
  constexpr Handler noc_async_write_barrier_with_trid = barrierWithId<false>;
  constexpr Handler noc_async_write_one_packet_with_trid = writeWithId;
  constexpr Handler reset_noc_trid_barrier_counter = resetIds;
  constexpr Handler noc_inline_dw_write = inlineWrite;
  constexpr Handler tensor_accessor = tensorAccessor;
  constexpr Handler tensor_accessor_get_noc_addr = accessorNocAddr;
  constexpr Handler noc_async_read_page = readPage;
  constexpr Handler noc_async_write_page = writePage;
  switch (opcode) {
    TTMLIR_NOC_HANDLERS(TTMLIR_HANDLER_CASE)
  default:
    return nullptr;
  }
}

} // namespace tt::runtime::emulator
