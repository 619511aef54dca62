#include "target/TTMetal/Dispatch.h"

#include "dialects/TT/TensorLayout.h"
#include "target/SystemDesc/SystemDesc.h"
#include "target/TTMetal/KernelCpp.h"
#include "target/TTMetal/KernelProgram.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttmetal;
using ::flatbuffers::Offset;
using serialization::FlatbufferObjectCache;

static_assert(static_cast<int>(ttkernel::NocIndex::Noc1) ==
                  static_cast<int>(fbs::metal::NocIndex::Noc1) &&
              static_cast<int>(ttkernel::MathFidelity::HiFi4) ==
                  static_cast<int>(fbs::MathFidelity::HiFi4));

//===----------------------------------------------------------------------===//
// Circular buffers
//===----------------------------------------------------------------------===//

/// The operand in L1 at the address of the buffer; null if there is none.
static Value findAliased(FlatbufferObjectCache &cache, DispatchOp op,
                         uint64_t address) {
  for (Value operand : op->getOperands()) {
    Value tensor = cache.getIdentity(operand);
    LayoutAttr layout = getLayoutOf(tensor.getType());
    if (layout && layout.getMemorySpace() == MemorySpace::DeviceL1 &&
        cache.places.lookup(tensor).address == address)
      return operand;
  }
  return {};
}

/// The bytes of one shard as pages: a page of a block format has exponents too.
static uint64_t getShardBytes(ttkernel::CBType buffer) {
  uint64_t elements = buffer.getMemref().getNumElements();
  if (buffer.isTiled())
    return elements * buffer.getPageSize();
  return elements *
         llvm::divideCeil(buffer.getMemref().getElementTypeBitWidth(), 8);
}

static Offset<fbs::CBRef> cbRef(FlatbufferObjectCache &cache, DispatchOp op,
                                ttkernel::CBType buffer) {
  auto memory = serialization::memoryDesc(
      cache, buffer.getMemref(), MemorySpace::DeviceL1,
      TensorMemoryLayout::None, getShardBytes(buffer));
  if (memory.IsNull())
    return 0;
  auto desc =
      fbs::CreateCBDesc(*cache.fbb, static_cast<uint32_t>(buffer.getPort()),
                        memory, buffer.getPageSize(), buffer.getNumBuffers());
  Value aliased = findAliased(cache, op, buffer.getAddress());
  auto tensor = serialization::tensorRef(cache, aliased);
  return fbs::CreateCBRef(*cache.fbb, cache.nextGlobalId++, tensor,
                          buffer.getAddress(), desc);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

namespace {
/// A member of a union in a vector.
struct RuntimeArgs {
  std::vector<fbs::metal::RuntimeArg> types;
  std::vector<Offset<void>> values;
};
} // namespace

static RuntimeArgs runtimeArgs(::flatbuffers::FlatBufferBuilder &fbb,
                               ArrayAttr args) {
  RuntimeArgs result;
  for (Attribute arg : args) {
    if (auto tensor = dyn_cast<TensorAddressAttr>(arg)) {
      result.types.push_back(fbs::metal::RuntimeArg::RuntimeArgTensorAddress);
      result.values.push_back(fbs::metal::CreateRuntimeArgTensorAddress(
                                  fbb, tensor.getOperandIndex())
                                  .Union());
    } else if (auto semaphore = dyn_cast<SemaphoreAddressAttr>(arg)) {
      result.types.push_back(
          fbs::metal::RuntimeArg::RuntimeArgSemaphoreAddress);
      result.values.push_back(
          fbs::metal::CreateRuntimeArgSemaphoreAddress(
              fbb, semaphore.getInitialValue(), fbs::metal::CoreType::WORKER)
              .Union());
    } else {
      ArrayRef<uint32_t> values = cast<ScalarArgsAttr>(arg).getValues();
      result.types.push_back(fbs::metal::RuntimeArg::RuntimeArgScalar);
      result.values.push_back(
          fbs::metal::CreateRuntimeArgScalar(
              fbb, fbb.CreateVector(values.data(), values.size()))
              .Union());
    }
  }
  return result;
}

/// The numbers of an array of i32; null for none.
static Offset<::flatbuffers::Vector<uint32_t>>
numbers(::flatbuffers::FlatBufferBuilder &fbb,
        std::optional<ArrayRef<int32_t>> values) {
  if (!values)
    return 0;
  std::vector<uint32_t> copy(values->begin(), values->end());
  return fbb.CreateVector(copy);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {
struct Config {
  fbs::metal::KernelConfig type;
  Offset<void> table;
};
} // namespace

static Config kernelConfig(::flatbuffers::FlatBufferBuilder &fbb,
                           Attribute config) {
  using fbs::metal::KernelConfig;
  return llvm::TypeSwitch<Attribute, Config>(config)
      .Case([&](ttkernel::NocConfigAttr noc) {
        return Config{
            KernelConfig::NocConfig,
            fbs::metal::CreateNocConfig(
                fbb, static_cast<fbs::metal::NocIndex>(noc.getNocIndex()))
                .Union()};
      })
      .Case([&](ttkernel::TensixConfigAttr tensix) {
        return Config{
            KernelConfig::TensixConfig,
            fbs::metal::CreateTensixConfig(
                fbb, static_cast<fbs::MathFidelity>(tensix.getMathFidelity()),
                tensix.getFp32DestAccEn(), tensix.getPreserveFp32Precision(),
                tensix.getMathApproxMode())
                .Union()};
      })
      .DefaultUnreachable("kernels run on the cores of the grid");
}

static Offset<::flatbuffers::Vector<uint32_t>>
integers(::flatbuffers::FlatBufferBuilder &fbb, ArrayAttr values) {
  std::vector<uint32_t> numbers;
  for (auto value : values.getAsRange<IntegerAttr>())
    numbers.push_back(static_cast<uint32_t>(value.getValue().getZExtValue()));
  return fbb.CreateVector(numbers);
}

/// Null for a kernel that is not C++.
static Offset<fbs::metal::CppKernel>
cppKernel(::flatbuffers::FlatBufferBuilder &fbb, CppKernelAttr cpp) {
  if (!cpp)
    return 0;
  auto text = [&](Attribute value) {
    return fbb.CreateString(cast<StringAttr>(value).str());
  };
  std::vector<Offset<fbs::metal::CppMacro>> defines;
  for (NamedAttribute macro : cpp.getDefines()) {
    auto value = isa<UnitAttr>(macro.getValue())
                     ? Offset<::flatbuffers::String>()
                     : text(macro.getValue());
    defines.push_back(fbs::metal::CreateCppMacro(
        fbb, fbb.CreateString(macro.getName().str()), value));
  }
  std::vector<Offset<fbs::metal::CppArgument>> named;
  for (NamedAttribute arg : cpp.getNamedCompileArgs())
    named.push_back(fbs::metal::CreateCppArgument(
        fbb, fbb.CreateString(arg.getName().str()),
        static_cast<uint32_t>(
            cast<IntegerAttr>(arg.getValue()).getValue().getZExtValue())));
  std::vector<Offset<fbs::metal::CppHeader>> headers;
  for (NamedAttribute header : cpp.getHeaders())
    headers.push_back(fbs::metal::CreateCppHeader(
        fbb, fbb.CreateString(header.getName().str()),
        text(header.getValue())));
  return fbs::metal::CreateCppKernel(
      fbb, text(cpp.getPath()), fbb.CreateVector(defines),
      integers(fbb, cpp.getCompileArgs()), fbb.CreateVector(named),
      cpp.getCommonArgs(), fbb.CreateVector(headers),
      integers(fbb, cpp.getAddresses()));
}

static std::string describe(DispatchOp op, Region &region) {
  unsigned number = region.getRegionNumber();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "kernel " << number << ": " << op.getKernelConfigs()[number] << ", "
     << op.getCoreRanges()[number] << " " << op.getLoc();
  return text;
}

static Offset<fbs::metal::KernelDesc> kernelDesc(FlatbufferObjectCache &cache,
                                                 DispatchOp op, Region &region,
                                                 std::string &cpp) {
  auto &fbb = *cache.fbb;
  unsigned number = region.getRegionNumber();
  Attribute configAttr = op.getKernelConfigs()[number];
  if (isa<ttkernel::EthernetConfigAttr>(configAttr)) {
    cache.emitError() << "cannot be serialized: expected kernels of the cores "
                         "of the grid, #ttkernel.noc_config or "
                         "#ttkernel.tensix_config, found "
                      << configAttr << " for region " << number;
    return 0;
  }
  FailureOr<KernelProgram> program = compileKernel(region);
  if (failed(program)) {
    cache.failed = true;
    return 0;
  }
  SmallVector<Offset<fbs::CBRef>> buffers;
  for (Type type : region.getArgumentTypes()) {
    buffers.push_back(cbRef(cache, op, cast<ttkernel::CBType>(type)));
    if (buffers.back().IsNull())
      return 0;
  }

  CppKernelAttr ownCpp = op.getCppKernel(number);
  if (ownCpp)
    for (Attribute tensor : ownCpp.getTensors())
      program->accessors.push_back(
          cast<ttkernel::TensorAccessorArgsAttr>(tensor));
  FailureOr<std::string> text =
      ownCpp ? FailureOr<std::string>(ownCpp.getSource().str())
             : emitKernelCpp(region,
                             cast<ttkernel::KernelConfigInterface>(configAttr));
  if (failed(text)) {
    cache.failed = true;
    return 0;
  }
  cpp += *text;
  Config config = kernelConfig(fbb, configAttr);
  auto cppOffset = cppKernel(fbb, ownCpp);
  auto source = fbs::metal::CreateKernelSource(
      fbb, fbb.CreateString(*text), config.type, config.table,
      toFlatbuffer(fbb, *program), cppOffset);

  auto range = cast<CoreRangeAttr>(op.getCoreRanges()[number]);
  fbs::Dim2dRange cores(fbs::Dim2d(range.getOffset()[0], range.getOffset()[1]),
                        fbs::Dim2d(range.getSize()[0], range.getSize()[1]));
  auto coresOffset = fbb.CreateVectorOfStructs(&cores, 1);
  auto buffersOffset = fbb.CreateVector(buffers.data(), buffers.size());
  Offset<::flatbuffers::Vector<fbs::metal::RuntimeArg>> argTypes;
  Offset<::flatbuffers::Vector<Offset<void>>> argValues;
  if (auto args = op.getRuntimeArgs()) {
    RuntimeArgs values = runtimeArgs(fbb, cast<ArrayAttr>((*args)[number]));
    argTypes = fbb.CreateVector(values.types);
    argValues = fbb.CreateVector(values.values);
  }
  Offset<::flatbuffers::Vector<uint32_t>> compileArgs;
  if (auto args = op.getCompileArgs()) {
    auto values = llvm::map_to_vector(
        cast<ArrayAttr>((*args)[number]).getAsRange<IntegerAttr>(),
        [](IntegerAttr value) { return static_cast<int32_t>(value.getInt()); });
    compileArgs = numbers(fbb, ArrayRef<int32_t>(values));
  }
  Offset<::flatbuffers::String> name;
  if (auto names = op.getKernelNames())
    name = fbb.CreateString(cast<StringAttr>((*names)[number]).str());
  return fbs::metal::CreateKernelDesc(
      fbb, fbs::metal::Kernel::KernelSource, source.Union(), coresOffset,
      buffersOffset, argTypes, argValues,
      fbb.CreateString(describe(op, region)), compileArgs, name);
}

Offset<fbs::metal::EnqueueProgramCommand>
ttmetal::serializeDispatch(FlatbufferObjectCache &cache, DispatchOp op,
                           std::string &cpp) {
  auto &fbb = *cache.fbb;
  auto operands = serialization::tensorRefs(cache, op->getOperands());
  if (operands.IsNull())
    return 0;
  SmallVector<Offset<fbs::metal::KernelDesc>> kernels;
  for (Region &region : op.getRegions()) {
    kernels.push_back(kernelDesc(cache, op, region, cpp));
    if (kernels.back().IsNull())
      return 0;
  }
  auto kernelsOffset = fbb.CreateVector(kernels.data(), kernels.size());
  auto semaphores = numbers(fbb, op.getSemaphores());
  auto commonArgs = numbers(fbb, op.getCommonArgs());
  Offset<::flatbuffers::String> name;
  if (auto text = op.getProgramName())
    name = fbb.CreateString(text->str());
  auto program = fbs::metal::CreateProgramDesc(fbb, kernelsOffset, semaphores,
                                               commonArgs, name);
  return fbs::metal::CreateEnqueueProgramCommand(fbb, operands, program);
}
