#include "tt/runtime/pipeline.h"

#include "clock/fabric_time.h"
#include "clock/trace.h"
#include "tt/runtime/error.h"

#include <algorithm>
#include <limits>
#include <map>

namespace tt::runtime {

namespace {

using clock::FabricTime;

constexpr std::uint32_t kHostBuffers = 2;

/// The cycles of a stage for one micro-batch.
struct StageWork {
  double upload = 0, run = 0, download = 0;
};

/// The tensors that one stage sends to another one.
struct Edge {
  std::uint32_t from, to; // stages
  std::vector<FabricTime::Shipment> shipments;
  std::uint32_t buffers() const { return 1 + to - from; }
};

double hostCycles(const Report &report, bool download) {
  double cycles = 0;
  for (const OpCost &op : report.ops)
    if (op.hostBytes > 0 && (op.phase == "download") == download)
      cycles += op.cycles;
  return cycles;
}

StageWork workOf(const Report &report) {
  StageWork work{hostCycles(report, false), 0, hostCycles(report, true)};
  for (const OpCost &op : report.ops)
    if (op.hostBytes == 0)
      work.run += op.cycles;
  return work;
}

/// Simulates the stages in the order of time, because links serve messages in
/// the order of the calls.
class Simulation {
public:
  Simulation(const std::vector<StageWork> &works,
             const std::vector<Edge> &edges, FabricTime &fabric,
             std::uint32_t microBatches)
      : works_(works), edges_(edges), fabric_(fabric), count_(microBatches) {
    for (std::uint32_t stage = 0; stage < works.size(); ++stage) {
      lines_.push_back({Kind::Upload, stage});
      lines_.push_back({Kind::Run, stage});
      lines_.push_back({Kind::Download, stage});
    }
    for (std::uint32_t edge = 0; edge < edges.size(); ++edge)
      lines_.push_back({Kind::Send, edge});
  }

  std::vector<PipelineCommand> run() {
    fabric_.restart();
    while (Line *next = earliest())
      execute(*next, *readyAt(*next));
    return std::move(commands_);
  }

private:
  enum class Kind : std::uint8_t { Upload, Run, Download, Send };
  /// Commands of one kind and place, in the order of micro-batches.
  struct Line {
    Kind kind;
    std::uint32_t index; // of the stage or edge
    double free = 0;     // when the next one can start
    std::vector<double> ends = {};
  };

  const Line &of(Kind kind, std::uint32_t index) const {
    return kind == Kind::Send ? lines_[3 * works_.size() + index]
                              : lines_[3 * index + std::size_t(kind)];
  }

  /// The next command of a line that is free to start; null if all are done.
  Line *earliest() {
    Line *found = nullptr;
    double best = std::numeric_limits<double>::infinity();
    for (Line &line : lines_)
      if (const std::optional<double> ready = readyAt(line);
          ready && *ready < best) {
        best = *ready;
        found = &line;
      }
    return found;
  }

  /// When the next command of the line can start; nothing if that is not known
  /// yet or there is none.
  std::optional<double> readyAt(const Line &line) const {
    const auto next = std::uint32_t(line.ends.size());
    if (next == count_)
      return std::nullopt;
    double ready = line.free;
    bool known = true;
    const auto after = [&](Kind kind, std::uint32_t index,
                           std::uint32_t earlier = 0) {
      if (next < earlier)
        return;
      const Line &other = of(kind, index);
      if (other.ends.size() + earlier <= next)
        known = false;
      else
        ready = std::max(ready, other.ends[next - earlier]);
    };
    switch (line.kind) {
    case Kind::Upload:
      after(Kind::Run, line.index, kHostBuffers);
      break;
    case Kind::Run:
      after(Kind::Upload, line.index);
      after(Kind::Download, line.index, kHostBuffers);
      for (std::uint32_t e = 0; e < edges_.size(); ++e) {
        if (edges_[e].to == line.index)
          after(Kind::Send, e);
        if (edges_[e].from == line.index)
          after(Kind::Send, e, edges_[e].buffers());
      }
      break;
    case Kind::Download:
      after(Kind::Run, line.index);
      break;
    case Kind::Send:
      after(Kind::Run, edges_[line.index].from);
      after(Kind::Run, edges_[line.index].to, edges_[line.index].buffers());
      break;
    }
    return known ? std::optional(ready) : std::nullopt;
  }

  void execute(Line &line, double begin) {
    const auto microBatch = std::uint32_t(line.ends.size());
    if (line.kind == Kind::Send) {
      const Edge &edge = edges_[line.index];
      const double end = fabric_.sendAll(edge.shipments, begin).end;
      // The links know when they are free.
      line.free = begin;
      line.ends.push_back(end);
      commands_.push_back(
          {"send", edge.from, edge.to, microBatch, begin, end, bytesOf(edge)});
      return;
    }
    const StageWork &work = works_[line.index];
    const double cycles = line.kind == Kind::Upload ? work.upload
                          : line.kind == Kind::Run  ? work.run
                                                    : work.download;
    line.free = begin + cycles;
    line.ends.push_back(line.free);
    const char *name = line.kind == Kind::Upload ? "upload"
                       : line.kind == Kind::Run  ? "run"
                                                 : "download";
    if (cycles > 0 || line.kind == Kind::Run)
      commands_.push_back(
          {name, line.index, line.index, microBatch, begin, begin + cycles});
  }

  std::uint64_t bytesOf(const Edge &edge) const {
    std::uint64_t bytes = 0;
    for (const auto &[from, to, message] : edge.shipments)
      bytes += std::uint64_t(message.bytes) * fabric_.route(from, to).size();
    return bytes;
  }

  const std::vector<StageWork> &works_;
  const std::vector<Edge> &edges_;
  FabricTime &fabric_;
  std::uint32_t count_;
  std::vector<Line> lines_;
  std::vector<PipelineCommand> commands_;
};

double endOf(const std::vector<PipelineCommand> &commands) {
  double end = 0;
  for (const PipelineCommand &command : commands)
    end = std::max(end, command.end);
  return end;
}

/// The runs of a stage, in order.
std::vector<PipelineCommand>
runsOf(const std::vector<PipelineCommand> &commands, std::size_t stage) {
  std::vector<PipelineCommand> runs;
  for (const PipelineCommand &command : commands)
    if (command.name == "run" && command.stage == stage)
      runs.push_back(command);
  return runs;
}

/// Positions in the mesh by the id of the chip.
std::vector<Edge> edgesOf(const std::vector<std::uint32_t> &chipIds,
                          const std::vector<PipelineStage> &stages,
                          const std::vector<PipelineSend> &sends) {
  std::map<std::uint32_t, std::uint32_t> positions;
  for (std::uint32_t i = 0; i < chipIds.size(); ++i)
    positions[chipIds[i]] = i;
  for (const PipelineStage &stage : stages)
    for (std::uint32_t chip : stage.chips)
      if (!positions.count(chip))
        raise(ErrorCategory::Argument,
              "expected stages on chips of the mesh, found chip ", chip);
  std::vector<Edge> edges;
  for (const PipelineSend &send : sends) {
    if (send.from >= send.to || send.to >= stages.size())
      raise(ErrorCategory::Argument, "expected a send to a later one of ",
            stages.size(), " stages, found from stage ", send.from, " to ",
            send.to);
    const auto &from = stages[send.from].chips, &to = stages[send.to].chips;
    if (from.size() != to.size())
      raise(ErrorCategory::Argument, "expected as many chips in stage ",
            send.to, " as in stage ", send.from, ", ", from.size(), ", found ",
            to.size());
    auto edge = std::find_if(edges.begin(), edges.end(), [&](const Edge &e) {
      return e.from == send.from && e.to == send.to;
    });
    if (edge == edges.end())
      edge = edges.insert(edge, Edge{send.from, send.to, {}});
    for (std::size_t i = 0; i < from.size(); ++i)
      edge->shipments.push_back({positions[from[i]],
                                 positions[to[i]],
                                 {send.bytes, send.pageBytes, send.numLinks}});
  }
  return edges;
}

} // namespace

PipelineSchedule schedulePipeline(SystemDesc desc,
                                  const std::vector<std::uint32_t> &meshShape,
                                  const std::vector<std::uint32_t> &chipIds,
                                  const std::vector<PipelineStage> &stages,
                                  const std::vector<PipelineSend> &sends,
                                  std::uint32_t microBatches,
                                  std::optional<TraceFilter> timeline) {
  if (stages.empty() || microBatches == 0)
    raise(ErrorCategory::Argument,
          "expected at least one stage and one micro-batch, found ",
          stages.size(), " and ", microBatches);
  const auto arch = desc->chip_descs()->Get(0)->arch();
  FabricTime fabric(std::move(desc), arch, chipIds, meshShape);
  const std::vector<Edge> edges = edgesOf(chipIds, stages, sends);
  std::vector<StageWork> works, onChip;
  double busy = 0;
  for (const PipelineStage &stage : stages) {
    works.push_back(workOf(stage.report));
    onChip.push_back({.run = works.back().run});
    busy += works.back().run;
  }
  const auto simulate = [&](const std::vector<StageWork> &own,
                            std::uint32_t count) {
    return Simulation(own, edges, fabric, count).run();
  };

  PipelineSchedule schedule;
  const auto last = stages.size() - 1;
  // Long enough for the period to be constant.
  const auto depth = std::uint32_t(4 * stages.size() + 4);
  const auto many = runsOf(simulate(onChip, 2 * depth), last);
  schedule.periodCycles =
      (many.back().end - many[depth - 1].end) / double(depth);
  schedule.latencyCycles = endOf(simulate(onChip, 1));
  const std::vector<PipelineCommand> chips = simulate(onChip, microBatches);
  schedule.chipCycles = endOf(chips);
  schedule.fillCycles = runsOf(chips, last).front().begin;
  schedule.drainCycles = schedule.chipCycles - runsOf(chips, 0).back().end;
  if (schedule.chipCycles > 0)
    schedule.idle = 1 - busy * double(microBatches) /
                            (double(stages.size()) * schedule.chipCycles);
  fabric.keepSlices(timeline.has_value());
  schedule.commands = simulate(works, microBatches);
  schedule.cycles = endOf(schedule.commands);
  schedule.ethernetUse = fabric.use();
  if (timeline) {
    auto drawn = std::make_shared<Trace>(std::move(*timeline));
    drawn->finish(stages, schedule);
    fabric.addTo(*drawn, "send", 0);
    schedule.timeline = std::move(drawn);
  }
  return schedule;
}

} // namespace tt::runtime
