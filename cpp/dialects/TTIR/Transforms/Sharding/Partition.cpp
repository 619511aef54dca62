#include "dialects/TT/Mesh.h"
#include "dialects/TT/TTOps.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/Sharding/FunctionPartition.h"
#include "dialects/TTIR/Transforms/Sharding/SlicedProducts.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSwitch.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRPARTITION
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

std::optional<ParallelKind> parseKind(StringRef name) {
  return llvm::StringSwitch<std::optional<ParallelKind>>(name)
      .Case("none", ParallelKind::None)
      .Case("data", ParallelKind::Data)
      .Case("sequence", ParallelKind::Sequence)
      .Case("tensor", ParallelKind::Tensor)
      .Case("expert", ParallelKind::Expert)
      .Default(std::nullopt);
}

class TTIRPartition : public impl::TTIRPartitionBase<TTIRPartition> {
public:
  using Base::Base;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> funcs;
    bool isForAll = llvm::any_of(parallelism,
                                 [](StringRef kind) { return kind != "none"; });
    for (auto func : module.getOps<func::FuncOp>()) {
      if (func.isExternal() || !func.isPublic() || func->hasAttr(kPartAttr) ||
          isOnHost(func))
        continue;
      bool isStated = isForAll;
      for (unsigned i = 0, end = func.getNumArguments(); i != end; ++i)
        isStated |= func.getArgAttr(i, kShardDimsAttr) != nullptr;
      if (isStated)
        funcs.push_back(func);
    }
    if (funcs.empty())
      return;
    if (failed(getMesh(module)) || failed(parseKinds(module)) ||
        failed(checkOps(module)))
      return signalPassFailure();

    OpPassManager expansion(ModuleOp::getOperationName());
    addExpansionForSharding(expansion);
    if (failed(runPipeline(expansion, module)))
      return signalPassFailure();

    bool dividesColumns = llvm::is_contained(kinds, ParallelKind::Tensor);
    for (func::FuncOp func : funcs) {
      if (dividesColumns)
        numSplit += splitSlicedProducts(func);
      FunctionPartition partition(func, mesh, kinds,
                                  {inputsOnDevice, resultsOnDevice});
      if (failed(partition.chooseArguments()))
        return signalPassFailure();
      partition.run();
      numSharded += partition.getNumSharded();
      numCollectives += partition.getNumCollectives();
    }
  }

private:
  /// Finds the mesh, and records it in the module.
  LogicalResult getMesh(ModuleOp module) {
    constexpr StringLiteral kName = "tt.mesh_shape";
    mesh.assign(meshShape.begin(), meshShape.end());
    if (auto device = module->getAttrOfType<DeviceAttr>(DeviceAttr::name);
        device && mesh.empty())
      mesh.assign(device.getMeshShape().begin(), device.getMeshShape().end());
    if (auto own = module->getAttrOfType<DenseI64ArrayAttr>(kName);
        own && mesh.empty())
      mesh.assign(own.asArrayRef().begin(), own.asArrayRef().end());
    if (mesh.empty())
      return module.emitError("ttir-partition: expected a mesh to partition "
                              "the program over, found none; set mesh-shape");
    if (llvm::any_of(mesh, [](int64_t chips) { return chips < 1; }))
      return module.emitError("ttir-partition: expected positive extents of "
                              "the mesh, found ")
             << formatExtents(mesh);
    if (!module->hasAttr(kName))
      module->setAttr(kName, DenseI64ArrayAttr::get(module.getContext(), mesh));
    while (mesh.size() < 2)
      mesh.push_back(1);
    return success();
  }

  LogicalResult parseKinds(ModuleOp module) {
    kinds.clear();
    for (StringRef name : parallelism) {
      std::optional<ParallelKind> kind = parseKind(name);
      if (!kind)
        return module.emitError("ttir-partition: parallelism: expected none, "
                                "data, sequence, tensor or expert, found '")
               << name << "'";
      kinds.push_back(*kind);
    }
    if (kinds.size() <= mesh.size())
      return success();
    return module.emitError("ttir-partition: expected a kind of parallelism "
                            "for each axis of the mesh ")
           << formatExtents(mesh) << ", found " << kinds.size();
  }

  /// A program with collectives is already the program of one chip.
  LogicalResult checkOps(ModuleOp module) {
    WalkResult found = module.walk([](CollectiveOpInterface op) {
      op->emitError("ttir-partition: expected a program for one chip, found "
                    "the collective ")
          << op->getName();
      return WalkResult::interrupt();
    });
    return failure(found.wasInterrupted());
  }

  SmallVector<int64_t> mesh;
  SmallVector<ParallelKind> kinds;
};

} // namespace

void addExpansionForSharding(OpPassManager &manager) {
  TTIRExpandCompositesOptions options;
  for (StringRef name : {ScaledDotProductAttentionOp::getOperationName(),
                         RotaryEmbeddingOp::getOperationName()})
    options.keep.push_back(name.split('.').second.str());
  manager.addPass(createTTIRExpandComposites(options));
}

} // namespace mlir::tt::ttir
