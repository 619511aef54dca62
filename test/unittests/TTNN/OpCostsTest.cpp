// Calls whose times are known are not timed again.
#include "dialects/TTNN/Transforms/OpCosts.h"
#include "dialects/TT/KnownTimes.h"
#include "dialects/TTNN/TTNN.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "testing/testing.h"

namespace mlir::tt::ttnn {
namespace {

constexpr char kCalls[] = R"mlir(
#l1 = #tt.layout<(d0, d1) -> (d0, d1), undef, <8x8>, memref<1x1x!tt.tile<32x32, bf16>, #tt.memory_space<l1>>, interleaved>
#dram = #tt.layout<(d0, d1) -> (d0, d1), undef, <8x8>, memref<1x1x!tt.tile<32x32, bf16>, #tt.memory_space<dram>>, interleaved>
func.func @calls(%a: tensor<64x64xbf16, #dram>, %b: tensor<64x64xbf16, #l1>) {
  %0 = "ttnn.relu"(%a, %a) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x64xbf16, #dram>, tensor<64x64xbf16, #dram>) -> tensor<64x64xbf16, #dram>
  %1 = "ttnn.relu"(%b, %b) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x64xbf16, #l1>, tensor<64x64xbf16, #l1>) -> tensor<64x64xbf16, #l1>
  %2 = "ttnn.exp"(%a, %a) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x64xbf16, #dram>, tensor<64x64xbf16, #dram>) -> tensor<64x64xbf16, #dram>
  %3 = "ttnn.relu"(%a, %a) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x64xbf16, #dram>, tensor<64x64xbf16, #dram>) -> tensor<64x64xbf16, #dram>
  return
}
)mlir";

/// Returns another time for each question.
class CountingClock : public ProgramClock {
public:
  CountingClock(Dialect *dialect, KnownTimes &known)
      : ProgramClock(dialect), known(known) {}

  double getCycles(ModuleOp) const override { return ++asked; }
  double getCycles(ModuleOp, ComputeConfigDemands &) const override {
    return kUnknownTime;
  }
  KnownTimes &getKnownTimes() const override { return known; }

  mutable unsigned asked = 0;

private:
  KnownTimes &known;
};

class OpCostsTest : public ::testing::Test {
protected:
  /// The times of all calls in a context of their own, and how often its clock
  /// was asked.
  std::pair<std::vector<double>, unsigned>
  timeCalls(llvm::StringRef target = "n150") {
    MLIRContext context(MLIRContext::Threading::DISABLED);
    context.loadDialect<TTDialect, TTNNDialect, func::FuncDialect>();
    auto *dialect = context.getLoadedDialect<TTDialect>();
    auto made = std::make_unique<CountingClock>(dialect, known);
    const CountingClock &clock = *made;
    dialect->addInterface(std::move(made));

    auto module = parseSourceString<ModuleOp>(kCalls, &context);
    auto system = SystemDescAttr::getNamed(&context, target);
    module->getOperation()->setAttr(SystemDescAttr::name, system);
    module->getOperation()->setAttr(DeviceAttr::name, DeviceAttr::get(system));

    auto costs = OpCosts::create(*module, "test", 10);
    EXPECT_TRUE(succeeded(costs) && *costs);
    std::vector<double> times;
    module->walk([&](Operation *op) {
      if (isa<ReluOp, ExpOp>(op))
        times.push_back((*costs)->get(op, op->getOperand(0).getType(),
                                      op->getResult(0).getType()));
    });
    return {times, clock.asked};
  }

  KnownTimes known;
};

TEST_F(OpCostsTest, TimesEachCallOnce) {
  auto [times, asked] = timeCalls();
  EXPECT_EQ(times, (std::vector<double>{1, 2, 3, 1}));
  EXPECT_EQ(asked, 3u);
}

TEST_F(OpCostsTest, KeepsTimesForOtherContexts) {
  auto [first, _] = timeCalls();
  auto [times, asked] = timeCalls();
  EXPECT_EQ(times, first);
  EXPECT_EQ(asked, 0u);
}

TEST_F(OpCostsTest, TimesAgainForAnotherSystem) {
  timeCalls();
  EXPECT_EQ(timeCalls("p150").second, 3u);
}

TEST_F(OpCostsTest, KnownTimesAreFoundByText) {
  KnownTimes::Digest one = KnownTimes::digest("one");
  EXPECT_FALSE(known.find(one).has_value());
  known.insert(one, 5);
  EXPECT_EQ(known.find(KnownTimes::digest("one")).value_or(0), 5);
  EXPECT_FALSE(known.find(KnownTimes::digest("two")).has_value());
}

} // namespace
} // namespace mlir::tt::ttnn
