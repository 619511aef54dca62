// Schedules of pipelines.
#include "tt/runtime/pipeline.h"

#include "mesh_support.h"

#include "testing/testing.h"
#include "tt/runtime/error.h"

#include <map>

using namespace tt::runtime;

namespace {

/// A stage of one op that takes `cycles`, with transfers of the host.
PipelineStage stage(std::uint32_t chip, double cycles, double upload = 0,
                    double download = 0) {
  PipelineStage stage{{chip}, {}};
  stage.report.program = "main";
  stage.report.arch = "wormhole_b0";
  stage.report.clockHz = 1e9;
  const auto add = [&](const char *name, const char *phase, double own,
                       std::uint64_t hostBytes) {
    if (own == 0)
      return;
    OpCost op;
    op.name = name;
    op.phase = phase;
    op.cycles = own;
    op.hostBytes = hostBytes;
    stage.report.ops.push_back(op);
  };
  add("to_device", "upload", upload, 64);
  add("matmul", "run", cycles, 0);
  add("from_device", "download", download, 64);
  return stage;
}

PipelineSchedule schedule(const std::vector<PipelineStage> &stages,
                          const std::vector<PipelineSend> &sends,
                          std::uint32_t microBatches,
                          std::vector<std::uint32_t> chips = {0, 1, 2, 3}) {
  const std::vector<std::uint32_t> mesh = {1, std::uint32_t(chips.size())};
  return schedulePipeline(system_desc::getDefaultSystemDesc("t3000"), mesh,
                          chips, stages, sends, microBatches, TraceFilter());
}

std::map<std::string, PipelineCommand>
byName(const PipelineSchedule &schedule) {
  std::map<std::string, PipelineCommand> found;
  for (const PipelineCommand &command : schedule.commands)
    found[command.name + " " + std::to_string(command.stage) + " " +
          std::to_string(command.microBatch)] = command;
  return found;
}

} // namespace

TEST(Pipeline, StagesWorkOnDifferentMicroBatches) {
  const PipelineSchedule found =
      schedule({stage(0, 1000), stage(1, 1000)}, {}, 4);
  // Without sends nothing orders the stages.
  EXPECT_EQ(found.chipCycles, 4000);
  EXPECT_EQ(found.idle, 0);

  const PipelineSchedule sent =
      schedule({stage(0, 10000), stage(1, 10000)}, {{0, 1, 12288, 4096}}, 4);
  auto commands = byName(sent);
  ASSERT_EQ(commands.size(), 12u);
  EXPECT_EQ(commands["run 0 1"].begin, 10000);
  EXPECT_EQ(commands["send 0 0"].begin, 10000);
  EXPECT_EQ(commands["send 0 0"].bytes, 12288u);
  // The second stage starts when the tensor has arrived, while the first one
  // works on the next micro-batch.
  const double arrival = commands["send 0 0"].end;
  EXPECT_GT(arrival, 10900);
  EXPECT_LT(arrival, 13000);
  EXPECT_EQ(commands["run 1 0"].begin, arrival);
  EXPECT_EQ(sent.fillCycles, arrival);
  EXPECT_EQ(sent.latencyCycles, arrival + 10000);
  EXPECT_EQ(sent.periodCycles, 10000);
  EXPECT_EQ(sent.chipCycles, arrival + 40000);
  EXPECT_NEAR(sent.drainCycles, arrival, 1e-6);
  EXPECT_NEAR(sent.idle, 1 - 80000 / (2 * sent.chipCycles), 1e-12);
  ASSERT_EQ(sent.ethernetUse.size(), 1u);
  EXPECT_EQ(sent.ethernetUse[0].bytes, 4 * 12288u);
}

TEST(Pipeline, TheSlowestStageOrLinkIsThePeriod) {
  EXPECT_EQ(schedule({stage(0, 1000), stage(1, 5000), stage(2, 2000)},
                     {{0, 1, 4096, 4096}, {1, 2, 4096, 4096}}, 8)
                .periodCycles,
            5000);
  // A megabyte takes 84 us at 12.5 GB/s; two links share it.
  const PipelineStage first = stage(0, 1000), second = stage(1, 1000);
  const double one =
      schedule({first, second}, {{0, 1, 1 << 20, 4096}}, 8).periodCycles;
  EXPECT_GT(one, 83000);
  EXPECT_NEAR(
      schedule({first, second}, {{0, 1, 1 << 20, 4096, 2}}, 8).periodCycles,
      one / 2, 100);
}

TEST(Pipeline, BuffersLimitHowFarAStageIsAhead) {
  auto commands = byName(
      schedule({stage(0, 100), stage(1, 100000)}, {{0, 1, 4096, 4096}}, 8));
  // Two tensors wait at the second stage, and two more at the first one.
  EXPECT_LT(commands["run 0 3"].end, 2000);
  EXPECT_GT(commands["run 0 5"].begin, 100000);
}

TEST(Pipeline, TransfersOfTheHostOverlapWithRuns) {
  const PipelineSchedule found = schedule(
      {stage(0, 1000, 300), stage(1, 1000, 0, 400)}, {{0, 1, 4096, 4096}}, 4);
  auto commands = byName(found);
  EXPECT_EQ(commands["upload 0 1"].begin, 300);
  EXPECT_EQ(commands["run 0 0"].begin, 300);
  EXPECT_EQ(commands["run 0 1"].begin, 1300);
  EXPECT_NEAR(found.cycles, found.chipCycles + 300 + 400, 1e-6);
}

TEST(Pipeline, SendsPassStages) {
  // A tensor for the third stage passes the second chip.
  const PipelineSchedule found =
      schedule({stage(0, 10000), stage(1, 10000), stage(2, 10000)},
               {{0, 1, 4096, 4096}, {1, 2, 4096, 4096}, {0, 2, 4096, 4096}}, 6);
  EXPECT_EQ(found.ethernetUse.size(), 2u);
  EXPECT_NEAR(found.periodCycles, 10000, 1e-6);
  std::uint64_t bytes = 0;
  for (const PipelineCommand &command : found.commands)
    bytes += command.bytes;
  EXPECT_EQ(bytes, 6u * 4 * 4096);
}

TEST(Pipeline, WrongArgumentsAreErrors) {
  const auto failsWith = [](const char *text, auto &&run) {
    try {
      run();
      FAIL() << text;
    } catch (const Error &error) {
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos)
          << error.what();
    }
  };
  failsWith("at least one stage", [] { schedule({}, {}, 1); });
  failsWith("one micro-batch", [] { schedule({stage(0, 1)}, {}, 0); });
  failsWith("found chip 7", [] { schedule({stage(7, 1)}, {}, 1); });
  failsWith("from stage 1 to 0",
            [] { schedule({stage(0, 1), stage(1, 1)}, {{1, 0, 64}}, 1); });
  // In the order of their ids the chips of this system are no line.
  failsWith("expected an Ethernet link", [] {
    schedule({stage(3, 1), stage(4, 1)}, {{0, 1, 64}}, 1,
             {0, 1, 2, 3, 4, 5, 6, 7});
  });
}
