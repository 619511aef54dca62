#include "conversion/TTNNToEmitC/CppText.h"

#include "dialects/TT/CoreRanges.h"
#include "dialects/TT/Formats.h"
#include "dialects/TT/TensorLayout.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

#include <limits>

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::emission;

//===----------------------------------------------------------------------===//
// Enumerators
//===----------------------------------------------------------------------===//

std::string emission::toCpp(DataType dtype) {
  return std::string("ttnn::DataType::") + formatOf(dtype).library;
}

std::string emission::toCpp(ttnn::Layout order) {
  return "ttnn::Layout::" + ttnn::stringifyEnum(order).upper();
}

std::string emission::toCpp(ttnn::TensorMemoryLayout layout) {
  return "ttnn::TensorMemoryLayout::" + ttnn::stringifyEnum(layout).upper();
}

std::string emission::toCpp(ttnn::BufferType buffer) {
  return "ttnn::BufferType::" + ttnn::stringifyEnum(buffer).upper();
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

std::string emission::braced(ArrayRef<int64_t> values) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "{";
  llvm::interleaveComma(values, os);
  os << "}";
  return text;
}

/// The cores that hold the shards, and the extents of a shard in elements.
static std::optional<std::string>
getShards(function_ref<InFlightDiagnostic()> emitError, LayoutAttr layout,
          DeviceAttr device) {
  if (!device) {
    emitError() << "expected the attribute " << DeviceAttr::name
                << " on the module, which --ttir-implicit-device sets";
    return std::nullopt;
  }
  FailureOr<SmallVector<CoreRange>> ranges =
      getCoreRanges(emitError, layout, device);
  if (failed(ranges))
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "ttnn::ShardSpec({";
  llvm::interleaveComma(*ranges, os, [&](const CoreRange &range) {
    os << "{{" << range.y << ", " << range.x << "}, {" << range.height << ", "
       << range.width << "}}";
  });
  // All dimensions but the last make the rows.
  SmallVector<int64_t> shape = layout.getShardShape();
  os << "}, " << braced({volume(ArrayRef(shape).drop_back()), shape.back()})
     << ")";
  return text;
}

static ttnn::BufferType getBufferType(LayoutAttr layout) {
  switch (layout.getMemorySpace()) {
  case MemorySpace::System:
  case MemorySpace::SystemMMIO:
    return ttnn::BufferType::SystemMemory;
  case MemorySpace::DeviceDRAM:
    return ttnn::BufferType::DRAM;
  case MemorySpace::DeviceL1:
    return ttnn::BufferType::L1;
  }
  llvm_unreachable("every memory space is named");
}

/// Without a memory layout, a tensor in L1 is sharded on its grid, and one in
/// DRAM is interleaved over all channels.
static ttnn::TensorMemoryLayout getMemoryLayout(LayoutAttr layout) {
  switch (layout.getMemLayout()) {
  case TensorMemoryLayout::None:
    return layout.getMemorySpace() == MemorySpace::DeviceL1
               ? ttnn::TensorMemoryLayout::BlockSharded
               : ttnn::TensorMemoryLayout::Interleaved;
  case TensorMemoryLayout::Interleaved:
    return ttnn::TensorMemoryLayout::Interleaved;
  case TensorMemoryLayout::SingleBank:
    return ttnn::TensorMemoryLayout::SingleBank;
  case TensorMemoryLayout::HeightSharded:
    return ttnn::TensorMemoryLayout::HeightSharded;
  case TensorMemoryLayout::WidthSharded:
    return ttnn::TensorMemoryLayout::WidthSharded;
  case TensorMemoryLayout::BlockSharded:
    return ttnn::TensorMemoryLayout::BlockSharded;
  }
  llvm_unreachable("every memory layout is named");
}

static std::optional<MemoryConfig>
getMemoryConfig(function_ref<InFlightDiagnostic()> emitError, LayoutAttr layout,
                DeviceAttr device) {
  if (layout.isSystemMemorySpace())
    return MemoryConfig();
  MemoryConfig config{getMemoryLayout(layout), getBufferType(layout), {}};
  // The cores matter to shards, and to a single bank of L1.
  if (config.layout == ttnn::TensorMemoryLayout::Interleaved ||
      (config.layout == ttnn::TensorMemoryLayout::SingleBank &&
       config.buffer != ttnn::BufferType::L1))
    return config;
  std::optional<std::string> shards = getShards(emitError, layout, device);
  if (!shards)
    return std::nullopt;
  config.shards = std::move(*shards);
  return config;
}

/// Strides that are not those of a dense row-major array, and the padding.
static std::string getPhysicalLayout(LayoutAttr layout,
                                     ArrayRef<int64_t> shape) {
  SmallVector<int64_t> stride = layout.getStride(shape);
  int64_t dense = 1;
  bool isDense = true;
  for (size_t d = shape.size(); d-- > 0;) {
    isDense &= stride[d] == dense;
    dense *= shape[d];
  }
  auto padding = [&] {
    switch (layout.getOobVal()) {
    case OOBVal::Undef:
      return "Undef";
    case OOBVal::Zero:
      return "Zero";
    case OOBVal::One:
      return "One";
    case OOBVal::Inf:
      return "Inf";
    case OOBVal::NegInf:
      return "NegInf";
    }
    llvm_unreachable("every padding is named");
  }();
  if (isDense && layout.getOobVal() == OOBVal::Undef)
    return {};
  return "ttnn::PhysicalLayout(" +
         (isDense ? std::string("{}") : braced(stride)) +
         ", ttnn::OOBVal::" + padding + ")";
}

std::optional<TensorSpec>
emission::getTensorSpec(function_ref<InFlightDiagnostic()> emitError, Type type,
                        DeviceAttr device) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  LayoutAttr layout = getLayoutOf(type);
  if (!layout || !tensor.hasStaticShape()) {
    emitError() << "expected tensors of static shape with a tt.layout, found "
                << type;
    return std::nullopt;
  }
  std::optional<DataType> dtype =
      elementTypeToDataType(layout.getElementType());
  if (!dtype) {
    emitError() << "has a tensor of an element type that the machine does not "
                   "have: "
                << layout.getElementType();
    return std::nullopt;
  }
  std::optional<MemoryConfig> memory =
      ::getMemoryConfig(emitError, layout, device);
  if (!memory)
    return std::nullopt;
  TensorSpec spec;
  spec.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  spec.dtype = *dtype;
  spec.order = layout.isTiled() ? ttnn::Layout::Tile : ttnn::Layout::RowMajor;
  spec.memory = std::move(*memory);
  spec.physical = getPhysicalLayout(layout, spec.shape);
  return spec;
}

std::string emission::toCpp(const MemoryConfig &config) {
  std::string text = "ttnn::MemoryConfig(" + toCpp(config.layout) + ", " +
                     toCpp(config.buffer);
  if (!config.shards.empty())
    text += ", " + config.shards;
  return text + ")";
}

std::string emission::toCpp(const TensorSpec &spec) {
  std::string text = "ttnn::TensorSpec(" + braced(spec.shape) + ", " +
                     toCpp(spec.dtype) + ", " + toCpp(spec.order);
  bool onHost = spec.memory == MemoryConfig();
  if (!onHost)
    text += ", " + toCpp(spec.memory);
  if (!spec.physical.empty())
    text += (onHost ? ", {}, " : ", ") + spec.physical;
  return text + ")";
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static std::string toCpp(const APInt &value, bool isSigned) {
  // The magnitude of the smallest number does not fit into its type.
  if (isSigned && value.getBitWidth() == 64 && value.isMinSignedValue())
    return "std::numeric_limits<int64_t>::min()";
  SmallString<24> text;
  value.toString(text, /*Radix=*/10, isSigned);
  if (!isSigned && value.getActiveBits() > 63)
    text += "u";
  return std::string(text);
}

/// The shortest number that reads as `value`; the bits of NaNs.
static std::string toCpp(APFloat value) {
  bool isFloat = &value.getSemantics() != &APFloat::IEEEdouble();
  std::string type = isFloat ? "float" : "double";
  bool losesInfo;
  if (isFloat)
    value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  if (value.isInfinity())
    return (value.isNegative() ? "-" : "") +
           ("std::numeric_limits<" + type + ">::infinity()");
  APInt bits = value.bitcastToAPInt();
  if (value.isNaN())
    return "std::bit_cast<" + type + ">(" +
           (isFloat ? "uint32_t" : "uint64_t") + "(0x" +
           llvm::toString(bits, /*Radix=*/16, /*Signed=*/false) + "))";
  SmallString<24> text;
  value.toString(text, /*FormatPrecision=*/0, /*FormatMaxPadding=*/6);
  // "1" would be an integer.
  if (text.find_first_of(".E") == StringRef::npos)
    text += ".0";
  if (isFloat)
    text += "f";
  return std::string(text);
}

/// "std::vector<int32_t>{-1, 2}".
template <typename Range, typename Fn>
static std::string list(StringRef type, Range &&values, Fn print) {
  std::string text = type.str();
  llvm::raw_string_ostream os(text);
  os << "{";
  llvm::interleaveComma(values, os, [&](auto value) { os << print(value); });
  os << "}";
  return text;
}

static std::string quoted(StringRef value) {
  std::string text = "\"";
  llvm::raw_string_ostream os(text);
  os.write_escaped(value, /*UseHexEscapes=*/false);
  os << "\"";
  return text;
}

std::optional<std::string> emission::toCpp(StringRef type, Attribute attr) {
  using Result = std::optional<std::string>;
  if (!attr)
    return type == "bool" ? "false" : "std::nullopt";
  auto integer = [](auto value) { return std::to_string(value); };
  return llvm::TypeSwitch<Attribute, Result>(attr)
      .Case([](UnitAttr) { return "true"; })
      .Case([](BoolAttr value) { return value.getValue() ? "true" : "false"; })
      .Case([](IntegerAttr value) {
        return ::toCpp(value.getValue(), !value.getType().isUnsignedInteger());
      })
      .Case([](FloatAttr value) { return ::toCpp(value.getValue()); })
      .Case([](StringAttr value) { return quoted(value.getValue()); })
      .Case([&](DenseI32ArrayAttr value) {
        return list(type, value.asArrayRef(), integer);
      })
      .Case([&](DenseI64ArrayAttr value) {
        return list(type, value.asArrayRef(), integer);
      })
      .Case([&](ArrayAttr value) -> Result {
        std::string text = type.str();
        StringRef separator = "{";
        for (Attribute element : value) {
          if (!isa<IntegerAttr, FloatAttr>(element))
            return std::nullopt;
          text += separator.str() + *toCpp("", element);
          separator = ", ";
        }
        return text + (value.empty() ? "{}" : "}");
      })
      .Case([](ttnn::ShapeAttr value) {
        return "ttnn::Shape(" + braced(value.getShape()) + ")";
      })
      .Case([](ttnn::MemoryConfigAttr value) {
        return toCpp(MemoryConfig{value.getTensorMemoryLayout().getValue(),
                                  value.getBufferType().getValue(),
                                  {}});
      })
      .Case([&](ttnn::DeviceComputeKernelConfigAttr value) {
        std::optional<MathFidelity> fidelity = value.getMathFidelity();
        std::string text = type.str() + "{" +
                           (fidelity ? "ttnn::MathFidelity::" +
                                           stringifyEnum(*fidelity).upper()
                                     : "std::nullopt");
        for (BoolAttr flag : {value.getMathApproxMode(),
                              value.getFp32DestAccEn(), value.getPackerL1Acc()})
          text += ", " + *toCpp("", flag);
        return text + "}";
      })
      .Case([](DataTypeAttr value) { return toCpp(value.getValue()); })
      .Case([](ttnn::LayoutAttr value) { return toCpp(value.getValue()); })
      .Case([](ttnn::TensorMemoryLayoutAttr value) {
        return toCpp(value.getValue());
      })
      .Case([](ttnn::BufferTypeAttr value) { return toCpp(value.getValue()); })
      .Case<ReduceTypeAttr, TopologyAttr, MeshShardTypeAttr,
            MeshShardDirectionAttr>([&](auto value) -> Result {
        return type.str() + "::" + stringifyEnum(value.getValue()).upper();
      })
      .Case([&](DenseIntElementsAttr value) -> Result {
        if (value.getType().getRank() != 2)
          return std::nullopt;
        SmallVector<int64_t> entries(value.getValues<int64_t>());
        ArrayRef<int64_t> rest = entries;
        std::string text = type.str() + "{";
        for (int64_t row = 0; row < value.getType().getDimSize(0); ++row) {
          size_t size = value.getType().getDimSize(1);
          text += (row == 0 ? "" : ", ") + braced(rest.take_front(size));
          rest = rest.drop_front(size);
        }
        return text + "}";
      })
      .Default([](Attribute) -> Result { return std::nullopt; });
}

//===----------------------------------------------------------------------===//
// Identifiers
//===----------------------------------------------------------------------===//

/// Keywords, what the header declares outside of its namespace, C's functions
/// without arguments, and `main`, which C++ reserves for the start of a
/// program.
static bool isReserved(StringRef name) {
  static const llvm::StringSet<> words = {
      "abort",       "alignas",    "alignof",      "and",
      "and_eq",      "asm",        "auto",         "bitand",
      "bitor",       "bool",       "break",        "case",
      "catch",       "char",       "char16_t",     "char32_t",
      "char8_t",     "class",      "clock",        "co_await",
      "co_return",   "co_yield",   "compl",        "concept",
      "const",       "const_cast", "consteval",    "constexpr",
      "constinit",   "continue",   "decltype",     "default",
      "delete",      "do",         "double",       "dynamic_cast",
      "else",        "enum",       "explicit",     "export",
      "extern",      "false",      "float",        "for",
      "friend",      "getchar",    "goto",         "if",
      "inline",      "int",        "long",         "main",
      "mutable",     "namespace",  "new",          "noexcept",
      "not",         "not_eq",     "nullptr",      "operator",
      "or",          "or_eq",      "private",      "protected",
      "public",      "rand",       "register",     "reinterpret_cast",
      "requires",    "return",     "Shape",        "short",
      "signed",      "sizeof",     "static",       "static_assert",
      "static_cast", "std",        "struct",       "switch",
      "template",    "this",       "thread_local", "throw",
      "true",        "try",        "tt",           "ttnn",
      "typedef",     "typeid",     "typename",     "union",
      "unsigned",    "using",      "virtual",      "void",
      "volatile",    "wchar_t",    "while",        "xor",
      "xor_eq"};
  return words.contains(name);
}

std::string emission::toIdentifier(StringRef name) {
  std::string text = name.str();
  for (char &c : text)
    if (!llvm::isAlnum(c) && c != '_')
      c = '_';
  if (text.empty() || llvm::isDigit(text.front()))
    text.insert(text.begin(), '_');
  if (isReserved(text))
    text += "_";
  return text;
}
