#include "target/TTNN/TTNNToFlatbuffer.h"

#include "target/Common/SerializeModule.h"
#include "target/TTNN/Cpp.h"
#include "target/TTNN/HostFunctions.h"
#include "target/TTNN/Support.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttnn;
using namespace mlir::tt::serialization;

static Offset<fbs::ttnn::Program>
serializeProgram(FlatbufferObjectCache &cache, func::FuncOp func,
                 Offset<fbs::DebugInfo> debugInfo);

/// The function that the op applies to its result, if there is one. The schema
/// has the names of the functions' ops.
static flatbuffers::Optional<fbs::ttnn::EltwiseOpType>
toActivation(FlatbufferObjectCache &cache, Operation *op) {
  auto activation = op->getAttrOfType<StringAttr>(kActivation);
  if (!activation)
    return flatbuffers::nullopt;
  std::string name = llvm::convertToCamelFromSnakeCase(
      activation.getValue(), /*capitalizeFirst=*/true);
  for (fbs::ttnn::EltwiseOpType type : fbs::ttnn::EnumValuesEltwiseOpType())
    if (StringRef(fbs::ttnn::EnumNameEltwiseOpType(type))
            .equals_insensitive(name))
      return type;
  cache.emitError() << "has an activation that files do not know: "
                    << activation;
  return flatbuffers::nullopt;
}

/// The operations of a function, whose parts are added to `parts`; null on
/// failure.
static Offset<Vector<Offset<fbs::ttnn::Operation>>>
serializeOperations(FlatbufferObjectCache &cache, Block &block,
                    OpTextPrinter &printer,
                    std::vector<Offset<fbs::ttnn::Program>> &parts) {
  SmallVector<Offset<fbs::ttnn::Operation>> operations;
  for (Operation &op : block.without_terminator()) {
    if (isa<LoadCachedOp>(op))
      continue;
    cache.currentOp = &op;
    std::optional<Payload> payload;
    Offset<fbs::ControlFlowOp> branches;
    if (isControlFlow(&op)) {
      branches = controlFlow<fbs::ttnn::Program>(
          cache, &op, parts,
          [&](func::FuncOp part) { return serializeProgram(cache, part, 0); });
      if (branches.IsNull())
        return 0;
      payload = {fbs::ttnn::OpType::NONE, 0};
    } else {
      payload = serializePayload(cache, &op);
    }
    cache.fbb->ForceDefaults(false);
    if (isa<func::CallOp>(op))
      cache.emitError() << "cannot be serialized: programs do not call each "
                           "other; --inline puts the callee's body here";
    else if (!payload)
      cache.emitError() << "has no flatbuffer table and cannot be serialized";
    if (cache.failed)
      return 0;
    auto debugInfo = opText(cache, printer, &op);
    if (debugInfo.IsNull())
      return 0;
    auto config = toFlatbuffer(cache, getComputeConfig(&op));
    operations.push_back(fbs::ttnn::CreateOperation(
        *cache.fbb, payload->type, payload->table, debugInfo, config, branches,
        toActivation(cache, &op)));
  }
  return cache.fbb->CreateVector(operations.data(), operations.size());
}

/// The program of a function; null on failure.
static Offset<fbs::ttnn::Program>
serializeProgram(FlatbufferObjectCache &cache, func::FuncOp func,
                 Offset<fbs::DebugInfo> debugInfo) {
  cache.currentOp = func;
  Block *body = getBody(cache, func);
  if (!body)
    return 0;
  auto inputs = tensorRefs(cache, body->getArguments());
  if (inputs.IsNull())
    return 0;

  auto cached = cachedResults<fbs::ttnn::CachedResults, fbs::ttnn::Program>(
      cache, *body,
      [&](func::FuncOp callee) { return serializeProgram(cache, callee, 0); },
      fbs::ttnn::CreateCachedResults);
  if (cached.IsNull())
    return 0;
  OpTextPrinter printer(func);
  std::vector<Offset<fbs::ttnn::Program>> parts;
  auto operations = serializeOperations(cache, *body, printer, parts);
  if (operations.IsNull())
    return 0;

  auto outputs = resultRefs(cache, *body);
  if (outputs.IsNull())
    return 0;
  StringRef symbol = func.getSymName();
  auto name = cache.fbb->CreateString(symbol.data(), symbol.size());
  auto variables = variableRefs(cache, func);
  if (cache.failed)
    return 0;
  auto inputHosts = hostDescs(cache, func, /*ofResults=*/false);
  auto outputHosts = hostDescs(cache, func, /*ofResults=*/true);
  return fbs::ttnn::CreateProgram(*cache.fbb, name, inputs, outputs, operations,
                                  debugInfo, inputHosts, outputHosts, cached,
                                  argumentDescs(cache, func),
                                  cache.fbb->CreateVector(parts), variables);
}

Offset<fbs::ttnn::Program>
ttnn::serializeHostFunction(FlatbufferObjectCache &cache, func::FuncOp func) {
  return serializeProgram(cache, func, 0);
}

FailureOr<FlatbufferBytes>
ttnn::serializeToFlatbuffer(Operation *op, const Attachments &attachments) {
  FailureOr<ModuleSource> source = getModuleSource(op, "ttnn", attachments);
  if (failed(source))
    return failure();
  std::string cpp =
      attachments.withTexts ? emitCpp(source->module) : std::string();
  return serializeModule<fbs::ttnn::TTNNBinary, fbs::ttnn::Program>(
      *source, "ttnn", attachments, cpp,
      [](FlatbufferObjectCache &cache, func::FuncOp func, Describe describe) {
        return serializeProgram(cache, func, describe(""));
      },
      fbs::ttnn::CreateTTNNBinary, fbs::ttnn::TTNNBinaryIdentifier());
}

LogicalResult ttnn::translateTTNNToFlatbuffer(Operation *module,
                                              llvm::raw_ostream &os) {
  return serialization::write(serializeToFlatbuffer(module), os);
}
