#include "target/Common/Goldens.h"

#include "dialects/TT/HostType.h"
#include "target/SystemDesc/SystemDesc.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::serialization;

namespace fbs = ::tt::target;
using ::flatbuffers::Offset;

/// The tensor of `key`, as the source has it; null if there is none.
static RankedTensorType getTensor(func::FuncOp func, StringRef key) {
  FunctionType type = func.getFunctionType();
  ArrayRef<Type> types;
  bool isInput = key.consume_front("input_");
  if (isInput)
    types = type.getInputs();
  else if (key.consume_front("output_"))
    types = type.getResults();
  unsigned index = 0;
  if (key.getAsInteger(10, index) || index >= types.size())
    return nullptr;
  auto source = isInput
                    ? func.getArgAttrOfType<TypeAttr>(index, kHostTypeAttr)
                    : func.getResultAttrOfType<TypeAttr>(index, kHostTypeAttr);
  if (source)
    return dyn_cast<RankedTensorType>(source.getValue());
  return dyn_cast<RankedTensorType>(types[index]);
}

static LogicalResult verifyGolden(func::FuncOp func, const Golden &golden) {
  RankedTensorType tensor = getTensor(func, golden.key);
  if (!tensor)
    return func.emitError("has no tensor for the golden '")
           << golden.key << "': expected input_<i> or output_<i> for one of "
           << func.getNumArguments() << " inputs and " << func.getNumResults()
           << " outputs";
  if (tensor.getShape() != golden.shape)
    return func.emitError("golden '")
           << golden.key << "': expected shape [" << tensor.getShape()
           << "], found [" << golden.shape << "]";
  if (isBlockFloat(golden.dataType))
    return func.emitError("golden '")
           << golden.key << "': expected scalar elements, found "
           << stringifyDataType(golden.dataType);
  int64_t expected =
      tensor.getNumElements() * getDataTypeBits(golden.dataType) / 8;
  if (expected != static_cast<int64_t>(golden.data.size()))
    return func.emitError("golden '")
           << golden.key << "': expected " << expected << " bytes, found "
           << golden.data.size();
  return success();
}

LogicalResult serialization::verifyGoldens(ModuleOp module,
                                           ArrayRef<Golden> goldens) {
  llvm::StringSet<> seen;
  for (const Golden &golden : goldens) {
    auto func = module.lookupSymbol<func::FuncOp>(golden.program);
    if (!func)
      return module.emitError("has no function '")
             << golden.program << "' for the golden '" << golden.key << "'";
    if (failed(verifyGolden(func, golden)))
      return failure();
    if (!seen.insert((golden.program + "/" + golden.key).str()).second)
      return func.emitError("golden '") << golden.key << "' is given twice";
  }
  return success();
}

static Offset<fbs::GoldenTensor>
createTensor(::flatbuffers::FlatBufferBuilder &fbb, const Golden &golden) {
  SmallVector<int64_t> stride(golden.shape.size(), 1);
  for (size_t i = stride.size(); i-- > 1;)
    stride[i - 1] = stride[i] * golden.shape[i];
  auto name = fbb.CreateString(golden.key.data(), golden.key.size());
  auto shape = fbb.CreateVector(golden.shape.data(), golden.shape.size());
  auto strides = fbb.CreateVector(stride.data(), stride.size());
  auto data = fbb.CreateVector(golden.data.bytes_begin(), golden.data.size());
  return fbs::CreateGoldenTensor(fbb, name, shape, strides,
                                 mlir::tt::toFlatbuffer(golden.dataType), data);
}

Offset<fbs::GoldenInfo>
serialization::createGoldenInfo(::flatbuffers::FlatBufferBuilder &fbb,
                                StringRef program, ArrayRef<Golden> goldens) {
  std::vector<Offset<fbs::GoldenKV>> entries;
  for (const Golden &golden : goldens) {
    if (golden.program != program)
      continue;
    auto key = fbb.CreateString(golden.key.data(), golden.key.size());
    auto tensor = createTensor(fbb, golden);
    entries.push_back(fbs::CreateGoldenKV(fbb, key, tensor));
  }
  if (entries.empty())
    return 0;
  return fbs::CreateGoldenInfo(fbb, fbb.CreateVector(entries));
}
