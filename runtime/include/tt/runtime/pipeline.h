// Pipelines: programs on different chips that pass micro-batches on.
#ifndef TT_RUNTIME_PIPELINE_H
#define TT_RUNTIME_PIPELINE_H

#include "tt/runtime/report.h"
#include "tt/runtime/trace.h"
#include "tt/runtime/types.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tt::runtime {

/// A program on its own chips, which runs once for each micro-batch.
struct PipelineStage {
  std::vector<std::uint32_t> chips; // ids, row-major over its mesh
  Report report;                    // of one micro-batch
};

/// A tensor that each chip of a stage sends to the chip at the same position of
/// a later stage, for each micro-batch.
struct PipelineSend {
  std::uint32_t from = 0, to = 0; // stages
  std::int64_t bytes = 0;         // of a chip
  std::int64_t pageBytes = 0;     // packets carry whole pages; 0: any bytes
  std::uint32_t numLinks = 1;     // between two chips that share the packets
};

/// What a stage does with a micro-batch, or a transfer between two, in cycles.
struct PipelineCommand {
  std::string name;        // "upload", "run", "send" or "download"
  std::uint32_t stage = 0; // that sends, for a send
  std::uint32_t to = 0;    // that receives; `stage` for others
  std::uint32_t microBatch = 0;
  double begin = 0, end = 0;
  std::uint64_t bytes = 0; // of a send: payload over links, once per hop
};

/// When the stages work, in cycles.
struct PipelineSchedule {
  double cycles = 0;        // of all micro-batches, with transfers of the host
  double chipCycles = 0;    // the same without those
  double latencyCycles = 0; // of one micro-batch, without those
  double periodCycles = 0;  // between micro-batches in a long sequence, without
  double fillCycles = 0;    // until the last stage starts, without
  double drainCycles = 0;   // after the first stage has ended, without
  double idle = 0; // share of `chipCycles` that stages wait, on average
  std::vector<PipelineCommand> commands;
  std::vector<EthernetUse> ethernetUse; // of all micro-batches
  /// Tracks of each chip by its id + 1, and of links, if requested.
  std::shared_ptr<const Trace> timeline;
};

/// Schedules micro-batches. A stage runs them in order; it starts when it has
/// received the tensors of a micro-batch. Transfers overlap with runs: those of
/// the host, and sends, which share the links between chips. Both ends of a
/// send have a buffer for each stage that it crosses, and one more; transfers
/// of the host have two. `meshShape` and `chipIds`, row-major, are the chips of
/// all stages. Throws Error(Argument) for stages, sends or chips that do not
/// fit together, and Error(SystemMismatch) for chips without a link.
PipelineSchedule
schedulePipeline(SystemDesc desc, const std::vector<std::uint32_t> &meshShape,
                 const std::vector<std::uint32_t> &chipIds,
                 const std::vector<PipelineStage> &stages,
                 const std::vector<PipelineSend> &sends,
                 std::uint32_t microBatches,
                 std::optional<TraceFilter> timeline = std::nullopt);

} // namespace tt::runtime

#endif // TT_RUNTIME_PIPELINE_H
