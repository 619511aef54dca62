// Which sharded layouts of a chain's ops are left at which size of L1.
#include "dialects/TTIR/Transforms/Optimizer/ShardSolver.h"
#include "dialects/TTIR/TTIR.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "testing/testing.h"

namespace mlir::tt::ttir {
namespace {

/// Three ops on 8x8 tiles: on 64 cores a shard has 4096 bytes, on the two grids
/// of 32 cores 8192, and so on up to 262144 on one core.
constexpr char kChain[] = R"mlir(
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device>
#dram = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<256x256xf32, #tt.memory_space<dram>>, interleaved>
func.func @chain(%a: tensor<256x256xf32, #dram>) -> tensor<256x256xf32, #dram> {
  %0 = tensor.empty() : tensor<256x256xf32, #dram>
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<256x256xf32, #dram>, tensor<256x256xf32, #dram>) -> tensor<256x256xf32, #dram>
  %2 = "ttir.exp"(%1, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<256x256xf32, #dram>, tensor<256x256xf32, #dram>) -> tensor<256x256xf32, #dram>
  %3 = "ttir.abs"(%2, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<256x256xf32, #dram>, tensor<256x256xf32, #dram>) -> tensor<256x256xf32, #dram>
  return %3 : tensor<256x256xf32, #dram>
}
)mlir";

class ShardSolverTest : public ::testing::Test {
protected:
  ShardSolverTest() {
    context.loadDialect<TTDialect, TTIRDialect, func::FuncDialect,
                        tensor::TensorDialect>();
    module = parseSourceString<ModuleOp>(kChain, &context);
    auto emitError = [&] { return mlir::emitError(UnknownLoc::get(&context)); };
    device = DeviceAttr::getChecked(
        emitError, SystemDescAttr::getDefault(&context), /*meshShape=*/{});
    legal = std::make_unique<LegalLayoutAnalysis>(device, noGrids, noLayouts,
                                                  /*sharding=*/true);
    module->walk([&](TTIROp op) {
      EXPECT_TRUE(succeeded(legal->analyze(op)));
      ops.push_back(op);
    });
  }

  ShardSolver solve(uint64_t usableBytes) {
    return ShardSolver(ops, *legal, L1Budget(usableBytes));
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
  DeviceAttr device;
  GridOverrides noGrids;
  LayoutOverrides noLayouts;
  std::unique_ptr<LegalLayoutAnalysis> legal;
  SmallVector<Operation *> ops;
};

TEST_F(ShardSolverTest, MostCoresComeFirst) {
  const LegalLayouts *layouts = legal->lookup(ops[0]);
  ASSERT_EQ(layouts->sharded.size(), layouts->shardedBytes.size());
  // 16 block-sharded grids, 3 columns and 3 rows of cores.
  EXPECT_EQ(layouts->sharded.size(), 22u);
  EXPECT_EQ(ArrayRef<uint64_t>(layouts->shardedBytes).take_front(3),
            ArrayRef<uint64_t>({4096, 8192, 8192}));
  EXPECT_EQ(layouts->shardedBytes.back(), 262144u);
  EXPECT_TRUE(llvm::is_sorted(layouts->shardedBytes));
}

TEST_F(ShardSolverTest, EverythingFitsALargeL1) {
  ShardSolver solver = solve(1 << 20);
  for (unsigned op = 0; op < 3; ++op)
    EXPECT_EQ(solver.getRemaining(op), (uint64_t(1) << 22) - 1);
  // The first input comes from elsewhere.
  ASSERT_EQ(solver.getReshardedOperands().size(), 1u);
  EXPECT_EQ(solver.getReshardedOperands()[0], &ops[0]->getOpOperand(0));
}

TEST_F(ShardSolverTest, OnlyPairsThatFitAreLeft) {
  // 0.8 * 12000 bytes: two results on 64 cores, but none on 32 beside one.
  ShardSolver solver = solve(12000);
  for (unsigned op = 0; op < 3; ++op)
    EXPECT_EQ(solver.getRemaining(op), 1u);
}

TEST_F(ShardSolverTest, AChoiceNarrowsItsNeighbours) {
  // 0.8 * 17000 bytes: 32 cores beside 64, but not beside 32.
  ShardSolver solver = solve(17000);
  for (unsigned op = 0; op < 3; ++op)
    EXPECT_EQ(solver.getRemaining(op), 7u);
  solver.select(0, 1);
  EXPECT_EQ(solver.getRemaining(0), 2u);
  EXPECT_EQ(solver.getRemaining(1), 1u);
  EXPECT_EQ(solver.getRemaining(2), 7u);
  solver.select(2, 2);
  EXPECT_EQ(solver.getRemaining(1), 1u);
  EXPECT_EQ(solver.getRemaining(2), 4u);
}

TEST_F(ShardSolverTest, EdgesWithoutAPathAreConverted) {
  ShardSolver solver = solve(8192);
  ArrayRef<OpOperand *> resharded = solver.getReshardedOperands();
  ASSERT_EQ(resharded.size(), 3u);
  for (unsigned op = 0; op < 3; ++op) {
    EXPECT_EQ(resharded[op], &ops[op]->getOpOperand(0));
    EXPECT_EQ(solver.getRemaining(op), (uint64_t(1) << 22) - 1);
  }
}

} // namespace
} // namespace mlir::tt::ttir
