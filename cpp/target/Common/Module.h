#ifndef TARGET_COMMON_MODULE_H
#define TARGET_COMMON_MODULE_H

#include "dialects/TT/TTOps.h"
#include "target/Common/Flatbuffer.h"
#include "target/Common/OpText.h"
#include "target/Common/Tensors.h"
#include "target/SystemDesc/SystemDesc.h"

#include "ttmlir/Target/Common/control_flow_generated.h"
#include "ttmlir/Target/Common/version_generated.h"

#include "flatbuffers/flatbuffers.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace mlir::tt::serialization {

//===-- What is written -----------------------------------------------------//

/// A module that can be serialized, and the parts of it that the file needs.
struct ModuleSource {
  ModuleOp module;
  SystemDescAttr systemDesc;
  DeviceAttr device;
  /// The module with aliases, if it is attached.
  std::string text;
  size_t goldenBytes = 0;
};

/// The source in `op`, or an error: it is no module or does not verify, it was
/// not lowered to `dialect`, it has no system description, or a golden does not
/// fit it.
FailureOr<ModuleSource> getModuleSource(Operation *op, StringRef dialect,
                                        const Attachments &attachments);

/// An error if text, goldens and `more` bytes are too many for a flatbuffer;
/// fails without one if the work was cancelled.
LogicalResult expectToFit(const ModuleSource &source, size_t more = 0);

//===-- Functions -----------------------------------------------------------//

/// The block that is the function's body; null and an error if it is not one.
Block *getBody(FlatbufferObjectCache &cache, func::FuncOp func);

/// What the body returns; a null offset and an error if it does not return.
Offset<Vector<Offset<fbs::TensorRef>>> resultRefs(FlatbufferObjectCache &cache,
                                                  Block &body);

/// A fingerprint that is equal for functions that differ only in names, also of
/// what they call, and in locations.
uint64_t getFingerprint(func::FuncOp function);

/// The results that the ops `tt.load_cached` of a body load: `serialize` makes
/// the programs of the functions, `create` the tables. Null and an error if one
/// cannot be serialized.
template <typename ResultsT, typename ProgramT, typename CreateT>
Offset<Vector<Offset<ResultsT>>>
cachedResults(FlatbufferObjectCache &cache, Block &body,
              function_ref<Offset<ProgramT>(func::FuncOp)> serialize,
              CreateT create) {
  std::vector<Offset<ResultsT>> results;
  for (auto load : body.getOps<LoadCachedOp>()) {
    auto function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        load, load.getCalleeAttr());
    Offset<ProgramT> program = serialize(function);
    cache.currentOp = load;
    if (program.IsNull())
      return 0;
    // They have the bytes of the callee's, and no address.
    ValueRange returned =
        function.getBody().front().getTerminator()->getOperands();
    for (auto [result, value] : llvm::zip(load.getResults(), returned))
      cache.places[result] = {
          0, cache.places.lookup(cache.getIdentity(value)).size};
    std::vector<uint32_t> inputs;
    for (Value input : load.getInputs())
      inputs.push_back(cast<BlockArgument>(input).getArgNumber());
    auto outputs = tensorRefs(cache, load.getResults());
    if (outputs.IsNull())
      return 0;
    results.push_back(create(*cache.fbb, program,
                             cache.fbb->CreateVector(inputs), outputs,
                             getFingerprint(function)));
  }
  return cache.fbb->CreateVector(results);
}

/// The table of control flow: `serialize` makes the programs of its parts,
/// which it adds to `parts`. A null offset and an error if one cannot be
/// serialized.
template <typename ProgramT>
Offset<fbs::ControlFlowOp>
controlFlow(FlatbufferObjectCache &cache, Operation *op,
            std::vector<Offset<ProgramT>> &parts,
            function_ref<Offset<ProgramT>(func::FuncOp)> serialize) {
  std::vector<uint32_t> indices;
  func::FuncOp function;
  for (FlatSymbolRefAttr name : getParts(op)) {
    function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, name);
    Offset<ProgramT> program = serialize(function);
    cache.currentOp = op;
    if (program.IsNull())
      return 0;
    indices.push_back(parts.size());
    parts.push_back(program);
  }
  for (Value result : op->getResults())
    cache.places[result] = {0, 0};
  Offset<fbs::TensorRef> condition;
  Offset<Vector<Offset<fbs::TensorRef>>> carried, captured;
  fbs::ControlFlowType type = fbs::ControlFlowType::If;
  uint64_t count = 0;
  if (auto call = dyn_cast<CallOp>(op)) {
    type = fbs::ControlFlowType::HostCall;
    captured = tensorRefs(cache, call.getInputs());
  } else if (auto branch = dyn_cast<IfOp>(op)) {
    condition = tensorRef(cache, branch.getCondition());
    captured = tensorRefs(cache, branch.getCaptured());
  } else if (auto loop = dyn_cast<ForOp>(op)) {
    type = fbs::ControlFlowType::For;
    count = loop.getCount();
    carried = tensorRefs(cache, loop.getCarried());
    captured = tensorRefs(cache, loop.getCaptured());
  } else {
    auto whileOp = cast<WhileOp>(op);
    type = fbs::ControlFlowType::While;
    carried = tensorRefs(cache, whileOp.getCarried());
    captured = tensorRefs(cache, whileOp.getCaptured());
  }
  auto outputs = tensorRefs(cache, op->getResults());
  if (cache.failed)
    return 0;
  return fbs::CreateControlFlowOp(*cache.fbb, type, condition, carried,
                                  captured, cache.fbb->CreateVector(indices),
                                  count, outputs);
}

/// The text of an op; a null offset and an error if it and `more` bytes do not
/// fit, a null offset without an error if the work was cancelled.
Offset<::flatbuffers::String> opText(FlatbufferObjectCache &cache,
                                     OpTextPrinter &printer, Operation *op,
                                     size_t more = 0);

/// The variables of a function, which are the last ones of its arguments and
/// results; null if it has none. An error for one that the module does not
/// have.
Offset<Vector<Offset<fbs::VariableRef>>>
variableRefs(FlatbufferObjectCache &cache, func::FuncOp function);

/// The programs that `serialize` makes of the functions, in their order.
template <typename ProgramT>
FailureOr<std::vector<Offset<ProgramT>>>
serializeFunctions(ModuleOp module,
                   function_ref<Offset<ProgramT>(func::FuncOp)> serialize) {
  std::vector<Offset<ProgramT>> programs;
  WalkResult walk = module.walk<WalkOrder::PreOrder>([&](func::FuncOp func) {
    // A part of the programs that load its results.
    if (func->hasAttr(LoadCachedOp::kFunctionAttr) || func->hasAttr(kPartAttr))
      return WalkResult::skip();
    programs.push_back(serialize(func));
    return programs.back().IsNull() ? WalkResult::interrupt()
                                    : WalkResult::skip();
  });
  if (walk.wasInterrupted())
    return failure();
  return programs;
}

//===-- The file ------------------------------------------------------------//

/// The version and the commit of this compiler.
::tt::target::Version getVersion();
const char *getGitHash();

/// A verifier for a finished buffer of this compiler.
::flatbuffers::Verifier makeVerifier(::flatbuffers::FlatBufferBuilder &fbb);

/// The bytes of a finished buffer, which the builder releases.
FlatbufferBytes release(::flatbuffers::FlatBufferBuilder &fbb);

/// Finishes the buffer: `create` makes the root table of version, commit,
/// system, programs and variables.
template <typename BinaryT, typename ProgramT, typename CreateT>
FailureOr<FlatbufferBytes>
finishBinary(FlatbufferObjectCache &cache, const ModuleSource &source,
             const std::vector<Offset<ProgramT>> &programs, CreateT create,
             const char *identifier) {
  ::flatbuffers::FlatBufferBuilder &fbb = *cache.fbb;
  fbs::Version version = getVersion();
  auto gitHash = fbb.CreateString(getGitHash());
  auto system = mlir::tt::toFlatbuffer(fbb, source.systemDesc);
  Offset<BinaryT> root =
      create(fbb, &version, gitHash, system, fbb.CreateVector(programs),
             fbb.CreateVector(cache.variables));
  fbb.FinishSizePrefixed(root, identifier);
  ::flatbuffers::Verifier verifier = makeVerifier(fbb);
  if (!verifier.VerifySizePrefixedBuffer<BinaryT>(identifier))
    return ModuleOp(source.module)
        ->emitError("was serialized to a flatbuffer that does not pass its "
                    "verifier");
  return release(fbb);
}

} // namespace mlir::tt::serialization

#endif
