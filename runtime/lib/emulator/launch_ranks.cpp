#include "emulator/launch_ranks.h"

#include "emulator/noc_transfers.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tt::runtime::emulator {

namespace {

//===-- Transfers between chips -------------------------------------------===//

/// body(transfer) for what the cores of this rank send in this round.
template <typename Body> bool forSent(Mesh &mesh, const Body &body) {
  bool any = false;
  for (const auto &machine : mesh.machines)
    for (std::uint32_t index : machine->active)
      for (const FabricTransfer &transfer :
           machine->cores[index].fabricOutbox) {
        any = true;
        body(transfer);
      }
  return any;
}

/// The address that a transfer writes to on a chip of this rank.
std::byte *targetOf(Machine &machine, const FabricTransfer &to) {
  const Transfer &t = to.transfer;
  return to.dram ? machine.chip->dram(t.core, t.remote)
                 : machine.cores[t.core].l1 + t.remote;
}

void write(MessageWriter &message, const FabricTransfer &from) {
  const Transfer &t = from.transfer;
  message.add(from.device);
  message.add(from.dram);
  message.add(t.kind);
  message.add(t.core);
  message.add(t.remote);
  message.add(t.bytes);
  message.add(t.value);
  if (t.kind == Transfer::Kind::Write)
    message.addBytes(t.thread->core->l1 + t.local, t.bytes);
}

/// What another rank has sent arrives on a chip of this one.
void arrive(Mesh &mesh, MessageReader &message) {
  FabricTransfer to{};
  Transfer &t = to.transfer;
  to.device = message.take<std::uint32_t>();
  to.dram = message.take<bool>();
  t.kind = message.take<Transfer::Kind>();
  t.core = message.take<std::uint32_t>();
  t.remote = message.take<std::uint32_t>();
  t.bytes = message.take<std::uint32_t>();
  t.value = message.take<std::uint32_t>();
  Machine &machine = *mesh.machines[to.device];
  if (t.kind == Transfer::Kind::Increment)
    return applyWord(machine.cores[t.core], t);
  std::memcpy(targetOf(machine, to), message.takeBytes(t.bytes), t.bytes);
}

void arriveHere(Mesh &mesh, const FabricTransfer &to) {
  const Transfer &t = to.transfer;
  Machine &machine = *mesh.machines[to.device];
  if (t.kind == Transfer::Kind::Increment)
    return applyWord(machine.cores[t.core], t);
  std::memmove(targetOf(machine, to), t.thread->core->l1 + t.local, t.bytes);
}

//===-- Results -----------------------------------------------------------===//

static_assert(std::is_trivially_copyable_v<Event>);

void write(MessageWriter &message, const ThreadEvents &thread) {
  message.add(thread.coreY);
  message.add(thread.coreX);
  message.add(thread.place);
  message.add(thread.compute);
  message.add(thread.noc);
  message.add(thread.kernel);
  message.add(thread.device);
  message.add(std::uint64_t(thread.events.size()));
  message.addBytes(thread.events.data(), thread.events.size() * sizeof(Event));
}

ThreadEvents readEvents(MessageReader &message) {
  ThreadEvents thread{};
  thread.coreY = message.take<int>();
  thread.coreX = message.take<int>();
  thread.place = message.take<NocPoint>();
  thread.compute = message.take<bool>();
  thread.noc = message.take<int>();
  thread.kernel = message.take<std::uint32_t>();
  thread.device = message.take<std::uint32_t>();
  thread.events.resize(std::size_t(message.take<std::uint64_t>()));
  const std::size_t bytes = thread.events.size() * sizeof(Event);
  if (bytes)
    std::memcpy(thread.events.data(), message.takeBytes(bytes), bytes);
  return thread;
}

void write(MessageWriter &message, const DebugPrint &print) {
  message.add(print.core);
  message.addText(print.thread);
  message.addText(print.text);
  message.add(print.chip);
  message.add(print.round);
}

DebugPrint readPrint(MessageReader &message) {
  DebugPrint print;
  print.core = message.take<FaultCore>();
  print.thread = message.takeText();
  print.text = message.takeText();
  print.chip = message.take<FaultChip>();
  print.round = message.take<std::uint64_t>();
  return print;
}

void write(MessageWriter &message, const Leftover &leftover) {
  message.addText(leftover.text);
  message.addText(leftover.first);
  message.add(std::uint64_t(leftover.cores));
}

Leftover readLeftover(MessageReader &message) {
  Leftover leftover;
  leftover.text = message.takeText();
  leftover.first = message.takeText();
  leftover.cores = std::size_t(message.take<std::uint64_t>());
  return leftover;
}

template <typename T>
void writeAll(MessageWriter &message, const std::vector<T> &all) {
  message.add(std::uint64_t(all.size()));
  for (const T &one : all)
    write(message, one);
}

template <typename Read, typename Add>
void readAll(MessageReader &message, const Read &read, const Add &add) {
  for (auto count = message.take<std::uint64_t>(); count > 0; --count)
    add(read(message));
}

} // namespace

bool exchangeFabricOfRanks(Mesh &mesh) {
  const Ownership &ownership = mesh.ownership;
  Ranks &ranks = ownership.ranks();
  std::vector<MessageWriter> writers(ranks.size());
  mesh.round.progressed |= forSent(mesh, [](const FabricTransfer &) {});
  for (MessageWriter &writer : writers)
    writer.add(mesh.round);
  const bool any = forSent(mesh, [&](const FabricTransfer &transfer) {
    if (!ownership.isLocal(transfer.device))
      write(writers[ownership.ownerOf(transfer.device)], transfer);
  });
  std::vector<std::string> messages;
  for (MessageWriter &writer : writers)
    messages.push_back(std::move(writer.text));
  messages = ranks.exchange("a round of kernels", std::move(messages));
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    MessageReader reader(messages[rank]);
    const Round round = reader.take<Round>();
    mesh.round.progressed |= round.progressed;
    mesh.round.running |= round.running;
    while (!reader.done())
      arrive(mesh, reader);
    if (rank == ranks.rank())
      forSent(mesh, [&](const FabricTransfer &transfer) {
        if (ownership.isLocal(transfer.device))
          arriveHere(mesh, transfer);
      });
  }
  for (const auto &machine : mesh.machines)
    for (std::uint32_t index : machine->active) {
      Core &core = machine->cores[index];
      core.fabricOutbox.clear();
      for (auto &thread : core.threads)
        thread->remoteFabric = 0;
    }
  return any;
}

void joinResults(Mesh &mesh, std::vector<Leftover> leftovers) {
  LaunchResult &result = mesh.result;
  if (mesh.ownership.divided()) {
    MessageWriter own;
    own.add(result.instructions);
    own.add(result.rounds);
    writeAll(own, result.prints);
    writeAll(own, leftovers);
    writeAll(own, result.events);
    result = {};
    leftovers.clear();
    for (const std::string &message :
         mesh.ownership.ranks().gather("the end of kernels", own.text)) {
      MessageReader reader(message);
      result.instructions += reader.take<std::uint64_t>();
      result.rounds = std::max(result.rounds, reader.take<std::uint64_t>());
      readAll(reader, readPrint, [&](DebugPrint print) {
        result.prints.push_back(std::move(print));
      });
      readAll(reader, readLeftover,
              [&](Leftover leftover) { addLeftover(leftovers, leftover); });
      readAll(reader, readEvents, [&](ThreadEvents thread) {
        result.events.push_back(std::move(thread));
      });
    }
    // As one process has them: by round, and by position within it. A rank may
    // have any positions.
    std::ranges::stable_sort(result.prints, {}, [](const DebugPrint &print) {
      return std::pair(print.round, print.chip.device);
    });
    std::ranges::stable_sort(result.events, {}, &ThreadEvents::device);
  }
  result.notes = describeLeftovers(leftovers);
}

} // namespace tt::runtime::emulator
