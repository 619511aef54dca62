#include "conversion/TodayToTTIR/Dialects.h"

#include "conversion/TodayToTTIR/Table.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::tt::today;

/// `ttir.empty() : tensor<32x32xf32>`
static ParseResult parseEmptyOp(OpAsmParser &parser, OperationState &state) {
  Type type;
  if (parser.parseLParen() || parser.parseRParen() ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type))
    return failure();
  state.addTypes(type);
  return success();
}

/// `ttir.to_layout %a, %b : tensor<..> into tensor<..> -> tensor<..>`, with
/// any number of `name = attribute` in front of the arrow.
static ParseResult parseToLayoutOp(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand, 2> operands(2);
  SmallVector<Type, 2> types(2), results;
  if (parser.parseOperand(operands[0]) || parser.parseComma() ||
      parser.parseOperand(operands[1]) ||
      parser.parseOptionalAttrDict(state.attributes) || parser.parseColon() ||
      parser.parseType(types[0]) || parser.parseKeyword("into") ||
      parser.parseType(types[1]))
    return failure();
  StringRef name;
  while (succeeded(parser.parseOptionalKeyword(&name))) {
    Attribute value;
    if (parser.parseEqual() || parser.parseAttribute(value))
      return failure();
    state.addAttribute(name, value);
  }
  if (succeeded(parser.parseOptionalArrow())) {
    if (parser.parseTypeList(results))
      return failure();
  } else if (isa<TensorType>(types[1])) {
    results.push_back(types[1]);
  }
  state.addTypes(results);
  return parser.resolveOperands(operands, types, parser.getNameLoc(),
                                state.operands);
}

/// `ttcore.device_module { ... }`
static ParseResult parseModuleOp(OpAsmParser &parser, OperationState &state) {
  StringAttr name;
  (void)parser.parseOptionalSymbolName(name);
  return failure(parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
                 parser.parseRegion(*state.addRegion()));
}

/// `ttcore.device @d = <workerGrid = #ttcore.grid<8x8>, l1Map = (d0) -> (d0),
/// meshShape = 1x1, chipIds = [0]>`, of which nothing is kept.
static ParseResult parseDeviceOp(OpAsmParser &parser, OperationState &state) {
  StringAttr name;
  StringRef word;
  Attribute attribute;
  auto parseEntry = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalKeyword(&word)))
      return success();
    return parser.parseAttribute(attribute);
  };
  auto parseField = [&]() -> ParseResult {
    StringRef field;
    if (parser.parseKeyword(&field) || parser.parseEqual())
      return failure();
    AffineMap map;
    SmallVector<int64_t> extents;
    if (field.ends_with("Map"))
      return parser.parseAffineMap(map);
    if (field.ends_with("Shape"))
      return parser.parseDimensionList(extents, /*allowDynamic=*/false,
                                       /*withTrailingX=*/false);
    if (succeeded(parser.parseOptionalLSquare()))
      return failure(parser.parseCommaSeparatedList(parseEntry) ||
                     parser.parseRSquare());
    return parser.parseAttribute(attribute);
  };
  if (parser.parseSymbolName(name) || parser.parseEqual())
    return failure();
  OptionalParseResult whole = parser.parseOptionalAttribute(attribute);
  if (whole.has_value()
          ? failed(*whole)
          : parser.parseLess() || parser.parseCommaSeparatedList(parseField) ||
                parser.parseGreater())
    return failure();
  return parser.parseOptionalAttrDict(state.attributes);
}

/// `ttcore.load_cached(@f, [%a, %b]) : (tensor<..>, ..) -> tensor<..>`
static ParseResult parseLoadCachedOp(OpAsmParser &parser,
                                     OperationState &state) {
  SymbolRefAttr callee;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  FunctionType type;
  if (parser.parseLParen() ||
      parser.parseAttribute(callee, "callee", state.attributes) ||
      parser.parseComma() ||
      parser.parseOperandList(operands, OpAsmParser::Delimiter::Square) ||
      parser.parseRParen() || parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type))
    return failure();
  state.addTypes(type.getResults());
  return parser.resolveOperands(operands, type.getInputs(), parser.getNameLoc(),
                                state.operands);
}

/// An op in a form of its own that has none, or whose form is not known.
static ParseResult refuseForm(OpAsmParser &parser, OperationState &state) {
  StringRef name = state.name.getStringRef();
  auto [dialect, op] = name.split('.');
  const Row *row = dialect == "ttir" ? findRow(op) : nullptr;
  InFlightDiagnostic error = parser.emitError(parser.getNameLoc());
  if (!row)
    error << "unknown op '" << name << "'"
          << (dialect == "ttir" ? suggestOp(op) : std::string());
  else if (!row->refused.empty())
    error << "'" << name << "' cannot be expressed: " << row->refused;
  else
    error << "expected '" << name << "' in the generic form, \"" << name
          << "\"(...)";
  return error;
}

namespace {

class OpaqueDialect : public Dialect {
protected:
  OpaqueDialect(StringRef name, MLIRContext *context, TypeID id)
      : Dialect(name, context, id) {
    allowUnknownOperations();
    allowUnknownTypes();
  }

private:
  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override {
    return OpaqueAttr::get(StringAttr::get(getContext(), getNamespace()),
                           parser.getFullSymbolSpec(),
                           type ? type : NoneType::get(getContext()));
  }
  Type parseType(DialectAsmParser &parser) const override {
    return OpaqueType::get(StringAttr::get(getContext(), getNamespace()),
                           parser.getFullSymbolSpec());
  }
};

class TodayTTIRDialect : public OpaqueDialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TodayTTIRDialect)
  explicit TodayTTIRDialect(MLIRContext *context)
      : OpaqueDialect(getDialectNamespace(), context,
                      TypeID::get<TodayTTIRDialect>()) {}
  static constexpr StringLiteral getDialectNamespace() {
    return StringLiteral("ttir");
  }
  std::optional<ParseOpHook>
  getParseOperationHook(StringRef name) const override {
    if (name == "ttir.empty")
      return ParseOpHook(parseEmptyOp);
    if (name == "ttir.to_layout")
      return ParseOpHook(parseToLayoutOp);
    return ParseOpHook(refuseForm);
  }
};

class TTCoreDialect : public OpaqueDialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TTCoreDialect)
  explicit TTCoreDialect(MLIRContext *context)
      : OpaqueDialect(getDialectNamespace(), context,
                      TypeID::get<TTCoreDialect>()) {}
  static constexpr StringLiteral getDialectNamespace() {
    return StringLiteral("ttcore");
  }
  std::optional<ParseOpHook>
  getParseOperationHook(StringRef name) const override {
    if (name == "ttcore.device_module" || name == "ttcore.cpu_module")
      return ParseOpHook(parseModuleOp);
    if (name == "ttcore.device")
      return ParseOpHook(parseDeviceOp);
    if (name == "ttcore.load_cached")
      return ParseOpHook(parseLoadCachedOp);
    return ParseOpHook(refuseForm);
  }
};

} // namespace

void mlir::tt::today::registerDialects(DialectRegistry &registry) {
  registry
      .insert<TodayTTIRDialect, TTCoreDialect, arith::ArithDialect,
              func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
              quant::QuantDialect, scf::SCFDialect, tensor::TensorDialect>();
}
