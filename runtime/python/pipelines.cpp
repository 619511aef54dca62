// Python bindings for schedules of pipelines.
#include "bindings.h"
#include "native_call.h"

#include "tt/runtime/pipeline.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace tt::runtime::python {

void bindPipelines(nb::module_ &m) {
  using Ids = std::vector<std::uint32_t>;
  nb::class_<PipelineStage>(m, "PipelineStage",
                            "A program on its own chips, which runs once for "
                            "each micro-batch.")
      .def(
          "__init__",
          [](PipelineStage *self, Ids chips, const Report &report) {
            new (self) PipelineStage{std::move(chips), report};
          },
          "chips"_a, "report"_a)
      .def_ro("chips", &PipelineStage::chips,
              "Ids, row-major over the mesh of the stage.")
      .def_ro("report", &PipelineStage::report, "Of one micro-batch.");

  nb::class_<PipelineSend>(m, "PipelineSend",
                           "A tensor that each chip of a stage sends to the "
                           "chip at the same position of a later stage, for "
                           "each micro-batch.")
      .def(
          "__init__",
          [](PipelineSend *self, std::uint32_t from, std::uint32_t to,
             std::int64_t bytes, std::int64_t pageBytes,
             std::uint32_t numLinks) {
            new (self) PipelineSend{from, to, bytes, pageBytes, numLinks};
          },
          "from_stage"_a, "to_stage"_a, "bytes"_a, "page_bytes"_a = 0,
          "num_links"_a = 1)
      .def_ro("from_stage", &PipelineSend::from)
      .def_ro("to_stage", &PipelineSend::to)
      .def_ro("bytes", &PipelineSend::bytes, "Of one chip.")
      .def_ro("page_bytes", &PipelineSend::pageBytes)
      .def_ro("num_links", &PipelineSend::numLinks);

  nb::class_<PipelineCommand>(m, "PipelineCommand",
                              "The work of a stage on a micro-batch, or a send "
                              "between two stages, in cycles.")
      .def_ro("name", &PipelineCommand::name, "upload, run, send or download.")
      .def_ro("stage", &PipelineCommand::stage)
      .def_ro("to_stage", &PipelineCommand::to)
      .def_ro("micro_batch", &PipelineCommand::microBatch)
      .def_ro("begin", &PipelineCommand::begin)
      .def_ro("end", &PipelineCommand::end)
      .def_ro("bytes", &PipelineCommand::bytes,
              "Of a send: payload over links, once per hop.");

  nb::class_<PipelineSchedule>(m, "PipelineSchedule",
                               "When the stages of a pipeline work, in cycles.")
      .def_ro("cycles", &PipelineSchedule::cycles,
              "Of all micro-batches, with transfers of the host.")
      .def_ro("chip_cycles", &PipelineSchedule::chipCycles,
              "The same without those; so are the following.")
      .def_ro("latency_cycles", &PipelineSchedule::latencyCycles,
              "Of one micro-batch.")
      .def_ro("period_cycles", &PipelineSchedule::periodCycles,
              "Between micro-batches in a long sequence.")
      .def_ro("fill_cycles", &PipelineSchedule::fillCycles,
              "Until the last stage starts.")
      .def_ro("drain_cycles", &PipelineSchedule::drainCycles,
              "After the first stage has ended.")
      .def_ro("idle", &PipelineSchedule::idle,
              "The share of the time that stages wait, on average.")
      .def_ro("commands", &PipelineSchedule::commands)
      .def_ro("ethernet_use", &PipelineSchedule::ethernetUse)
      .def_prop_ro("timeline", [](const PipelineSchedule &self) {
        return toTimeline(self.timeline);
      });

  m.def(
      "schedule_pipeline",
      [](const SystemDesc &desc, const Ids &meshShape, const Ids &chipIds,
         const std::vector<PipelineStage> &stages,
         const std::vector<PipelineSend> &sends, std::uint32_t microBatches,
         const TimelineChoice &timeline) {
        return nativeCall([&] {
          return schedulePipeline(desc, meshShape, chipIds, stages, sends,
                                  microBatches, toFilter(timeline));
        });
      },
      "system_desc"_a, "mesh_shape"_a, "chip_ids"_a, "stages"_a, "sends"_a,
      "micro_batches"_a, "timeline"_a = false,
      "When the stages of a pipeline work on each micro-batch, and when "
      "tensors "
      "pass between them, with the timeline if requested.");
}

} // namespace tt::runtime::python
