// What a trace takes from the report: the run, its ops, rates and memory.
#include "clock/trace.h"

#include <algorithm>
#include <unordered_map>

namespace tt::runtime {

namespace {

/// The numbers of an op that are not 0, with where it comes from.
TraceArguments describe(const OpCost &op) {
  TraceArguments arguments = {{"op", op.name}, {"phase", op.phase}};
  const auto text = [&](const char *key, const std::string &value) {
    if (!value.empty())
      arguments.push_back({key, value});
  };
  const auto number = [&](const char *key, auto value) {
    if (value > 0)
      arguments.push_back({key, value});
  };
  text("location", op.location);
  text("fidelity", op.fidelity);
  number("cores", std::uint64_t(op.cores));
  number("flops", op.flops);
  number("dram_read_bytes", op.dramReadBytes);
  number("dram_write_bytes", op.dramWriteBytes);
  number("noc_bytes", op.nocBytes);
  number("host_bytes", op.hostBytes);
  number("ethernet_bytes", op.ethernetBytes);
  number("cycles", op.cycles);
  number("compute_cycles", op.parts.compute);
  number("noc_cycles", op.parts.noc);
  number("dram_cycles", op.parts.dram);
  number("ethernet_cycles", op.parts.ethernet);
  number("host_cycles", op.parts.host);
  number("dispatch_cycles", op.parts.dispatch);
  number("waiting_cycles", op.parts.waiting);
  return arguments;
}

/// Bytes in use on the cores of a chip.
class CoreBytes {
public:
  void add(const MemoryUse &use, std::int64_t bytes) {
    for (int y = use.y0; y <= use.y1; ++y)
      for (int x = use.x0; x <= use.x1; ++x)
        cores_[std::uint32_t(y) << 16 | std::uint32_t(x)] += bytes;
  }
  double most() const {
    std::int64_t most = 0;
    for (const auto &[core, bytes] : cores_)
      most = std::max(most, bytes);
    return double(most);
  }

private:
  std::unordered_map<std::uint32_t, std::int64_t> cores_;
};

} // namespace

void Trace::finish(const Report &report) {
  program_ = report.program;
  arch_ = report.arch;
  clockHz_ = report.clockHz;
  cycles_ = report.cycles;
  addOps(report);
  addRates(report);
  addMemory(report);
}

void Trace::addOps(const Report &report) {
  const std::uint32_t ops = track(TrackKey::ops());
  open(ops, report.program, Category::Program, 0,
       keep({{"arch", report.arch},
             {"clock_hz", report.clockHz},
             {"cycles", report.cycles}}));
  for (const OpCost &op : report.ops)
    addOp(op.hostBytes > 0 ? track(TrackKey::host()) : ops, op, op.start);
  close(ops, report.cycles);
}

void Trace::addOp(std::uint32_t track, const OpCost &op, double start) {
  constexpr SliceKind kDispatch{"dispatch", Category::Dispatch};
  const std::string label = labelOf(op.location);
  ops_.insert(op.name);
  if (!label.empty())
    ops_.insert(label);
  anyOp_ |= keepsOp(op.name, label);
  open(track, label.empty() ? op.name : label,
       op.hostBytes > 0 ? Category::Host : Category::Op, start,
       keep(describe(op)));
  add(track, kDispatch, start, start + op.parts.dispatch);
  close(track, start + op.cycles);
}

void Trace::addRates(const Report &report) {
  const auto rate = [&](const char *name, const char *unit, auto amount) {
    const bool any =
        std::any_of(report.ops.begin(), report.ops.end(),
                    [&](const OpCost &op) { return amount(op) > 0; });
    if (!any)
      return;
    for (const OpCost &op : report.ops)
      if (op.cycles > 0)
        sample(TrackKey::kProgram, name, unit, op.start,
               double(amount(op)) * report.clockHz / op.cycles);
    sample(TrackKey::kProgram, name, unit, report.cycles, 0);
  };
  rate("DRAM traffic", "bytes/s",
       [](const OpCost &op) { return op.dramReadBytes + op.dramWriteBytes; });
  rate("Ethernet traffic", "bytes/s",
       [](const OpCost &op) { return op.ethernetBytes; });
  rate("arithmetic", "FLOP/s", [](const OpCost &op) { return op.flops; });
}

void Trace::addMemory(const Report &report) {
  struct Change {
    double time;
    std::int64_t bytes;
    const MemoryUse *use;
  };
  std::vector<Change> changes;
  for (const MemoryUse &use : report.memory) {
    changes.push_back({use.begin, std::int64_t(use.bytes), &use});
    changes.push_back({use.end, -std::int64_t(use.bytes), &use});
  }
  // What ends makes room for what begins.
  std::sort(changes.begin(), changes.end(), [](auto const &a, auto const &b) {
    return std::pair(a.time, a.bytes) < std::pair(b.time, b.bytes);
  });
  std::map<int, CoreBytes> l1;
  std::map<int, std::int64_t> dram;
  for (const Change &change : changes) {
    const int device = change.use->device;
    const auto process = std::uint32_t(device + 1);
    if (!filter_.devices.empty() &&
        std::count(filter_.devices.begin(), filter_.devices.end(), device) == 0)
      continue;
    if (change.use->space == "l1") {
      l1[device].add(*change.use, change.bytes);
      sample(process, "L1 in use", "bytes", change.time, l1[device].most());
    } else {
      dram[device] += change.bytes;
      sample(process, "DRAM in use", "bytes", change.time,
             double(dram[device]));
    }
  }
}

} // namespace tt::runtime
