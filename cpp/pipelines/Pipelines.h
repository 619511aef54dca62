#ifndef PIPELINES_PIPELINES_H
#define PIPELINES_PIPELINES_H

#include "dialects/TT/TT.h"
#include "dialects/TTIR/Transforms/Overrides.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::tt {

struct TTIRToTTNNBackendPipelineOptions
    : public PassPipelineOptions<TTIRToTTNNBackendPipelineOptions> {
  Option<bool> optimizerEnabled{
      *this, "enable-optimizer",
      llvm::cl::desc("Determine and set max valid grid for Op execution."),
      llvm::cl::init(true)};
  Option<ttir::GridOverrides> overrideGridSizes{
      *this, "override-grid-sizes",
      llvm::cl::desc("Override grid sizes for specific ops."),
      llvm::cl::init(ttir::GridOverrides())};
  Option<ttir::LayoutOverrides> overrideOutputLayout{
      *this, "override-output-layout",
      llvm::cl::desc("Override output tensor layout for specific ops."),
      llvm::cl::init(ttir::LayoutOverrides())};
  Option<bool> shardingPassEnabled{
      *this, "sharding-pass-enabled",
      llvm::cl::desc("Enable sharding pass to shard ops."),
      llvm::cl::init(false)};
  Option<bool> reshardingEnabled{
      *this, "resharding-enabled",
      llvm::cl::desc("Convert the inputs of sharded chains to shards."),
      llvm::cl::init(false)};
  Option<bool> activationDtypeLoweringEnabled{
      *this, "enable-activation-dtype-lowering",
      llvm::cl::desc("Send activations between chips as bfp_bf8."),
      llvm::cl::init(false)};
  Option<bool> activationDtypeLoweringF32{
      *this, "activation-dtype-lowering-f32",
      llvm::cl::desc("With it, lower activations of f32 too, not only those of "
                     "bf16."),
      llvm::cl::init(false)};
  Option<llvm::cl::boolOrDefault> deallocateEnabled{
      *this, "enable-deallocate",
      llvm::cl::desc("Free tensors of the device after their last use; by "
                     "default in functions that have tensors in L1."),
      llvm::cl::init(llvm::cl::boolOrDefault::BOU_UNSET)};
  Option<std::string> systemDescPath{
      *this, "system-desc-path",
      llvm::cl::desc(
          "Pass in a system descriptor flatbuffer to compile against."),
      llvm::cl::init("")};
  ListOption<int64_t> meshShape{
      *this, "mesh-shape", llvm::cl::desc("Set the multi-device mesh shape.")};
  ListOption<unsigned> chipIds{
      *this, "chip-ids",
      llvm::cl::desc(
          "Chips of the mesh, row-major; chosen by their links if empty.")};
};

struct TTIRToTTMetalBackendPipelineOptions
    : public PassPipelineOptions<TTIRToTTMetalBackendPipelineOptions> {
  ListOption<int64_t> meshShape{
      *this, "mesh-shape", llvm::cl::desc("Set the multi-device mesh shape.")};
  ListOption<unsigned> chipIds{
      *this, "chip-ids",
      llvm::cl::desc(
          "Chips of the mesh, row-major; chosen by their links if empty.")};
  Option<std::string> systemDescPath{
      *this, "system-desc-path",
      llvm::cl::desc(
          "Pass in a system descriptor flatbuffer to compile against."),
      llvm::cl::init("")};
  ListOption<int64_t> overrideDeviceShape{
      *this, "override-device-shape",
      llvm::cl::desc("Rows and columns of cores to use of each chip.")};
  Option<MemorySpace> defaultMemorySpace{
      *this, "default-memory-space", llvm::cl::desc("Where tensors lie."),
      llvm::cl::init(MemorySpace::DeviceDRAM),
      llvm::cl::values(
          clEnumValN(MemorySpace::DeviceDRAM, "dram",
                     "interleaved over the banks; kernels stream them"),
          clEnumValN(MemorySpace::DeviceL1, "l1",
                     "on the cores that work on them"))};
  Option<bool> useAllGatherKernel{
      *this, "use-all-gather-kernel",
      llvm::cl::desc(
          "Turn all_gather, reduce_scatter and all_reduce into kernels."),
      llvm::cl::init(false)};
  Option<int64_t> allGatherSwizzle{
      *this, "all-gather-swizzle",
      llvm::cl::desc("Rows of tiles in a group that an all_gather goes through "
                     "column by column; 0 for all tiles row by row."),
      llvm::cl::init(0)};
};

struct FrontendPipelineOptions
    : public PassPipelineOptions<FrontendPipelineOptions> {
  Option<bool> removeDeadValuesEnabled{
      *this, "enable-remove-dead-values",
      llvm::cl::desc("Enable --remove-dead-values optimization pass."),
      llvm::cl::init(false)};
};

/// From a program in TOSA to TTIR without calls.
void createTosaToTTIRPipeline(OpPassManager &manager,
                              const FrontendPipelineOptions &options);

/// From a program in linalg on tensors to TTIR without calls.
void createLinalgToTTIRPipeline(OpPassManager &manager,
                                const FrontendPipelineOptions &options);

/// Lowers TTIR on a module to TTNN, ready for `--ttnn-to-flatbuffer`.
void createTTIRToTTNNBackendPipeline(
    OpPassManager &manager, const TTIRToTTNNBackendPipelineOptions &options);

/// Lowers TTIR on a module to kernels, ready for `--ttmetal-to-flatbuffer`.
void createTTIRToTTMetalBackendPipeline(
    OpPassManager &manager, const TTIRToTTMetalBackendPipelineOptions &options);

/// Registers every pipeline under its name.
void registerPipelines();

} // namespace mlir::tt

#endif
