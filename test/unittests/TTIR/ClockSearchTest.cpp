// Which layouts the optimizer takes by what a clock says.
#include "dialects/TT/TensorLayout.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Optimizer/LegalLayouts.h"
#include "dialects/TTIR/Transforms/Optimizer/OpTimer.h"
#include "dialects/TTIR/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "testing/testing.h"

#include <functional>
#include <set>

namespace mlir::tt::ttir {
namespace {

/// relu and exp are a chain, which abs reads; by the rules they get the most
/// cores, 8x8.
constexpr char kChain[] = R"mlir(
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device>
#dram = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<256x256xf32, #tt.memory_space<dram>>, interleaved>
func.func @chain(%a: tensor<256x256xf32, #dram>) -> tensor<256x256xf32, #dram> {
  %0 = tensor.empty() : tensor<256x256xf32, #dram>
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<256x256xf32, #dram>, tensor<256x256xf32, #dram>) -> tensor<256x256xf32, #dram> loc("first")
  %2 = "ttir.exp"(%1, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<256x256xf32, #dram>, tensor<256x256xf32, #dram>) -> tensor<256x256xf32, #dram>
  %3 = "ttir.abs"(%2, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<256x256xf32, #dram>, tensor<256x256xf32, #dram>) -> tensor<256x256xf32, #dram>
  return %3 : tensor<256x256xf32, #dram>
}
)mlir";

/// Cycles of an op by the layouts of its input and of its result.
using Times = std::function<double(LayoutAttr input, LayoutAttr result)>;

class FakeClock : public ProgramClock {
public:
  FakeClock(Dialect *dialect, Times times)
      : ProgramClock(dialect), times(std::move(times)) {}

  double getCycles(ModuleOp) const override { return kUnknownTime; }

  double getCycles(ModuleOp program,
                   ComputeConfigDemands &demands) const override {
    ++asked;
    double cycles = 0;
    program.walk([&](TTIROp op) {
      std::string text = (op->getName().getStringRef() + " ").str();
      llvm::raw_string_ostream stream(text);
      ComputeConfigOverrides::print(stream,
                                    demands.forOp(op).orElse(demands.forAll()));
      configs.insert(text);
      cycles += isa<ToLayoutOp>(op)
                    ? conversion
                    : times(getLayoutOf(op->getOperand(0).getType()),
                            getLayoutOf(op->getResult(0).getType()));
    });
    return cycles;
  }

  KnownTimes &getKnownTimes() const override { return known; }

  mutable KnownTimes known;
  mutable unsigned asked = 0;
  mutable std::set<std::string> configs;
  Times times;
  double conversion = 0;
};

class ClockSearchTest : public ::testing::Test {
protected:
  ClockSearchTest() {
    context.loadDialect<TTDialect, TTIRDialect, func::FuncDialect,
                        tensor::TensorDialect>();
    options.shardingPassEnabled = true;
  }

  void attach(Times times) {
    auto *dialect = context.getLoadedDialect<TTDialect>();
    auto made = std::make_unique<FakeClock>(dialect, std::move(times));
    clock = made.get();
    dialect->addInterface(std::move(made));
  }

  /// The layouts of the results of relu, exp and abs.
  std::vector<std::string> optimize() {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(kChain, &context);
    PassManager manager(&context);
    manager.addPass(createTTIRLoadSystemDesc());
    manager.addPass(createTTIRImplicitDevice());
    manager.addPass(createTTIROptimizer(options));
    EXPECT_TRUE(succeeded(manager.run(*module)));
    std::vector<std::string> layouts;
    module->walk([&](TTIROp op) {
      layouts.push_back(describe(getLayoutOf(op->getResult(0).getType())));
    });
    return layouts;
  }

  const std::string dram = "8x8:dram:interleaved:row_major",
                    most = "8x8:l1:block_sharded:row_major",
                    wide = "1x8:l1:width_sharded:row_major";
  /// What the rules choose.
  const std::vector<std::string> rules{most, most, dram};
  /// What there is to time: the first op with two of three kinds of shards and
  /// in DRAM, the second with the same, from DRAM, into DRAM and all in DRAM,
  /// their reader with each.
  static constexpr unsigned kAll = 7 + (6 + 6 + 6 + 1) + 7;

  MLIRContext context{MLIRContext::Threading::DISABLED};
  TTIROptimizerOptions options;
  FakeClock *clock = nullptr;
};

double isWide(LayoutAttr layout) {
  return layout.getMemLayout() == TensorMemoryLayout::WidthSharded;
}
double equalTimes(LayoutAttr, LayoutAttr) { return 100; }
double wideIsFaster(LayoutAttr, LayoutAttr result) {
  return 100 - isWide(result);
}

TEST_F(ClockSearchTest, WithoutAClockRulesDecide) {
  EXPECT_EQ(optimize(), rules);
}

TEST_F(ClockSearchTest, TakesTheFastestLayouts) {
  attach(wideIsFaster);
  EXPECT_EQ(optimize(), std::vector({wide, wide, dram}));
  EXPECT_EQ(clock->asked, kAll);
}

TEST_F(ClockSearchTest, LeavesTheChainInDram) {
  attach([](LayoutAttr, LayoutAttr result) {
    return isShardedInL1(result) ? 100 : 99;
  });
  EXPECT_EQ(optimize(), std::vector({dram, dram, dram}));
}

TEST_F(ClockSearchTest, CountsWhatNeighboursMakeOfIt) {
  // The wide result is faster to make, but the next op reads it slowly.
  attach([](LayoutAttr input, LayoutAttr result) {
    return 100 - isWide(result) + 10 * isWide(input);
  });
  EXPECT_EQ(optimize(), rules);
  // Unless what reads it gains as much: here the last of the chain is read.
  clock->times = [](LayoutAttr input, LayoutAttr result) {
    return 100 - isWide(result) - 10 * isWide(input);
  };
  EXPECT_EQ(optimize(), std::vector({wide, wide, dram}));
}

TEST_F(ClockSearchTest, EqualTimesKeepTheRules) {
  attach(equalTimes);
  EXPECT_EQ(optimize(), rules);
}

TEST_F(ClockSearchTest, UnknownTimesKeepTheRules) {
  attach([&](LayoutAttr, LayoutAttr result) {
    return isWide(result) ? 1 : kUnknownTime;
  });
  EXPECT_EQ(optimize(), rules);
  EXPECT_EQ(clock->asked, 3u); // The chain by the rules.
}

TEST_F(ClockSearchTest, TheLimitEndsTheSearch) {
  attach(wideIsFaster);
  for (unsigned limit : {0u, 2u, 3u, 20u, kAll}) {
    clock->asked = 0;
    options.clockSearchLimit = limit;
    std::vector<std::string> found = optimize();
    EXPECT_EQ(clock->asked, limit);
    if (limit <= 3)
      EXPECT_EQ(found, rules);
    if (limit == kAll)
      EXPECT_EQ(found, std::vector({wide, wide, dram}));
  }
}

TEST_F(ClockSearchTest, OverridesWin) {
  attach(wideIsFaster);
  LayoutOverride &wanted = options.overrideOutputLayout.entries["first"];
  wanted.grid = {2, 2};
  wanted.memLayout = TensorMemoryLayout::BlockSharded;
  EXPECT_TRUE(
      optimize() ==
      std::vector<std::string>({"2x2:l1:block_sharded:row_major", wide, dram}));
  options.overrideOutputLayout.entries.clear();
  options.overrideGridSizes.entries["first"] = {4, 4};
  EXPECT_EQ(optimize().front(), "4x4:dram:interleaved:row_major");
}

TEST_F(ClockSearchTest, OpsAreTimedAsTheyAreConfigured) {
  attach(equalTimes);
  options.mathFidelity = MathFidelityOption::HiFi3;
  options.overrideComputeConfig.entries["first"].packerL1Acc = true;
  optimize();
  EXPECT_EQ(clock->configs,
            (std::set<std::string>{"ttir.relu hifi3:packer_l1_acc",
                                   "ttir.exp hifi3", "ttir.abs hifi3"}));
}

TEST_F(ClockSearchTest, TheConversionOfTheInputCounts) {
  options.reshardingEnabled = true;
  attach([](LayoutAttr input, LayoutAttr) {
    return isShardedInL1(input) ? 90 : 100;
  });
  clock->conversion = 21;
  EXPECT_EQ(optimize(), std::vector({dram, most, dram}));
  clock->conversion = 19;
  // The layout change is in front.
  EXPECT_EQ(optimize(), std::vector({most, most, most, dram}));
}

} // namespace
} // namespace mlir::tt::ttir
