// What kernels do to other chips of the mesh: writes and semaphore increments
// over the Ethernet links. They arrive at the end of the round, in the order of
// positions, cores and instructions; so an increment arrives after what its
// core wrote before.
#include "emulator/checks.h"
#include "emulator/fabric.h"
#include "emulator/launch_ranks.h"
#include "emulator/noc_transfers.h"

#include <cstring>

namespace tt::runtime::emulator {
namespace {

const Op *myDevice(Thread &t, const Op *op) {
  t.r[op->out] = t.machine->device;
  return op + 1;
}

/// The chip at a position; faults if no links lead there.
Machine &machineAt(Thread &t, const Op *op, std::uint64_t device) {
  const auto &machines = t.machine->mesh->machines;
  if (device >= machines.size())
    fail(t, op, FaultKind::DevicePosition,
         "expected the position of a chip of the mesh, below ", machines.size(),
         ", found ", std::int32_t(device));
  if (!t.machine->noWay[device].empty())
    fail(t, op, FaultKind::MissingLink, t.machine->noWay[device]);
  return *machines[device];
}

void recordFabric(Thread &t, const Op *op, EventKind kind, std::uint64_t device,
                  const NocAddress &to, std::uint64_t bytes,
                  std::uint64_t value) {
  if (!t.events)
    return;
  Event event{};
  event.device = std::uint16_t(device);
  event.remote = {std::uint8_t(to.x), std::uint8_t(to.y)};
  event.bytes = std::uint32_t(bytes);
  event.address = std::uint32_t(to.local);
  event.value = std::uint32_t(value);
  record(t, op, kind, event);
}

const Op *fabricWrite(Thread &t, const Op *op) {
  const std::uint64_t local = t.r[op->a], device = t.r[op->b];
  const std::uint64_t bytes = t.r[op->operands[3]];
  const Machine &machine = machineAt(t, op, device);
  const NocAddress to = nocAddress(t, op, t.r[op->c], NocTag::Unicast);
  const NocMap::Node node = nodeAt(t, op, to.x, to.y, &machine.noc);
  checkTransfer(t, op, node, to.local, local, bytes, false);
  if (t.machine->checks()) {
    checkOwnRead(t, op, local, local + bytes);
    t.fabric.add(local, local + bytes);
    t.fabricOpen = true;
  }
  FabricTransfer send{makeTransfer(t, op, Transfer::Kind::Write),
                      std::uint32_t(device), node.kind == NocMap::Node::Dram};
  send.transfer.core = node.index;
  send.transfer.local = std::uint32_t(local);
  send.transfer.remote = std::uint32_t(to.local);
  send.transfer.bytes = std::uint32_t(bytes);
  if (t.core->watch)
    send.transfer.access = t.core->watch->begin(threadOf(t), FabricWrites);
  t.core->fabricOutbox.push_back(send);
  ++t.remoteFabric;
  recordFabric(t, op, EventKind::FabricWrite, device, to, bytes, 0);
  return op + 1;
}

const Op *fabricIncrement(Thread &t, const Op *op) {
  const std::uint64_t device = t.r[op->a];
  const Machine &machine = machineAt(t, op, device);
  const NocAddress to = nocAddress(t, op, t.r[op->b], NocTag::Unicast);
  FabricTransfer send{makeTransfer(t, op, Transfer::Kind::Increment),
                      std::uint32_t(device)};
  send.transfer.core = remoteSemaphore(t, op, to, &machine.noc);
  send.transfer.remote = std::uint32_t(to.local);
  send.transfer.bytes = 4;
  send.transfer.value = std::uint32_t(t.r[op->c]);
  Area chip{.device = std::uint32_t(device)};
  chip.chip = true;
  releaseClock(t, send.transfer, FabricWrites, chip);
  t.core->fabricOutbox.push_back(send);
  ++t.remoteFabric;
  t.fabricOpen = true;
  recordFabric(t, op, EventKind::FabricInc, device, to, 4, send.transfer.value);
  return op + 1;
}

const Op *fabricBarrier(Thread &t, const Op *op) {
  if (t.remoteFabric)
    return t.block(op);
  t.fabric.clear();
  t.fabricOpen = false;
  if (t.core->watch)
    t.core->watch->finish(threadOf(t), FabricWrites);
  record(t, op, EventKind::FabricBarrier);
  return op + 1;
}

//===-- Arrival -----------------------------------------------------------===//

void arrive(Machine &machine, const FabricTransfer &from) {
  const Transfer &t = from.transfer;
  if (t.kind == Transfer::Kind::Increment)
    return applyWord(machine.cores[t.core], t);
  if (machine.watch && from.dram)
    noteArrival(machine, from);
  else if (machine.watch)
    checkRemoteWrite(machine.cores[t.core], t);
  std::byte *source = t.thread->core->l1 + t.local;
  std::byte *target = from.dram ? machine.chip->dram(t.core, t.remote)
                                : machine.cores[t.core].l1 + t.remote;
  const std::uint32_t sender = t.thread->machine->device;
  if (sender == from.device)
    std::memmove(target, source, t.bytes);
  else
    machine.mesh->fabric->move(sender, from.device, source, target, t.bytes);
}

} // namespace

bool exchangeFabric(Mesh &mesh) {
  if (mesh.together)
    return exchangeFabricOfRanks(mesh);
  bool any = false;
  for (const auto &machine : mesh.machines)
    for (std::uint32_t index : machine->active) {
      Core &core = machine->cores[index];
      if (core.fabricOutbox.empty())
        continue;
      any = true;
      for (const FabricTransfer &transfer : core.fabricOutbox)
        arrive(*mesh.machines[transfer.device], transfer);
      core.fabricOutbox.clear();
      for (auto &thread : core.threads)
        thread->remoteFabric = 0;
    }
  return any;
}

Handler fabricHandler(Opcode opcode) {
  constexpr Handler get_my_device_id = myDevice;
  constexpr Handler fabric_async_write = fabricWrite;
  constexpr Handler fabric_semaphore_inc = fabricIncrement;
  constexpr Handler fabric_async_write_barrier = fabricBarrier;
  switch (opcode) {
    TTMLIR_FABRIC_HANDLERS(TTMLIR_HANDLER_CASE)
  default:
    return nullptr;
  }
}

} // namespace tt::runtime::emulator
