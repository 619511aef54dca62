// Ops of kernels as the calls of their C++ functions.
#include "conversion/TTKernelToEmitC/TTKernelToEmitC.h"

#include "dialects/TT/Formats.h"
#include "dialects/TTKernel/TTKernel.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttkernel;

//===----------------------------------------------------------------------===//
// C++ text
//===----------------------------------------------------------------------===//

static std::string toCpp(DataType dataType) {
  return std::string("DataFormat::") + formatOf(dataType).kernel;
}

static std::string toCpp(const APInt &dataType) {
  return toCpp(static_cast<DataType>(dataType.getZExtValue()));
}

/// An enumerator as the kernel library names it; nothing for other attributes.
static std::optional<std::string> toCpp(Attribute attr) {
  return llvm::TypeSwitch<Attribute, std::optional<std::string>>(attr)
      .Case([](EltwiseBinaryTypeAttr type) {
        return "EltwiseBinaryType::ELW" +
               stringifyEnum(type.getValue()).upper();
      })
      .Case([](BroadcastTypeAttr type) {
        return "BroadcastType::" + stringifyEnum(type.getValue()).upper();
      })
      .Case([](PoolTypeAttr type) {
        return "PoolType::" + stringifyEnum(type.getValue()).upper();
      })
      .Case([](ReduceDimAttr dim) {
        return "ReduceDim::REDUCE_" + stringifyEnum(dim.getValue()).upper();
      })
      .Default([](Attribute) { return std::nullopt; });
}

/// "uint8_t" for one byte.
static std::string getWord(uint32_t bytes) {
  return ("uint" + Twine(bytes * 8) + "_t").str();
}

static std::string quoted(StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  os << '"';
  os.write_escaped(text, /*UseHexEscapes=*/false);
  os << '"';
  return result;
}

static std::string braced(ArrayRef<int64_t> numbers) {
  std::string result;
  llvm::raw_string_ostream os(result);
  os << "{";
  llvm::interleaveComma(numbers, os);
  os << "}";
  return result;
}

/// `TensorAccessorArgs` of C++, as an expression.
static std::string toCpp(TensorAccessorArgsAttr args) {
  std::string result;
  llvm::raw_string_ostream os(result);
  os << "TensorAccessorArgs("
     << (args.getMemorySpace() == MemorySpace::DeviceDRAM ? "true" : "false");
  if (args.isSharded()) {
    os << ", " << braced(args.getTensorPages()) << ", "
       << braced(args.getShardPages()) << ", {";
    for (size_t i = 0; i < args.getCores().size(); i += 4)
      os << (i ? ", " : "") << braced(args.getCores().slice(i, 4));
    os << "}";
  }
  os << ")";
  return result;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {

/// Calls by operands, other arguments and template arguments.
struct Call {
  std::string callee;
  /// Operands by their number, and texts; all operands if it is empty.
  SmallVector<Attribute> args;
  SmallVector<Attribute> templateArgs;
};

/// Every op that is a call.
class CallPattern : public ConversionPattern {
public:
  CallPattern(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), /*benefit=*/1,
                          context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const final {
    if (op->getName().getDialectNamespace() != "ttkernel")
      return rewriter.notifyMatchFailure(op, "is no op of kernels");
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op->getResultTypes(), types)))
      return rewriter.notifyMatchFailure(op, "has a result without C++ type");
    Call call = getCall(op, rewriter);
    auto array = [&](ArrayRef<Attribute> attrs) {
      return attrs.empty() ? ArrayAttr() : rewriter.getArrayAttr(attrs);
    };
    rewriter.replaceOpWithNewOp<emitc::CallOpaqueOp>(op, types, call.callee,
                                                     operands, array(call.args),
                                                     array(call.templateArgs));
    return success();
  }

private:
  static Call getCall(Operation *op, Builder &builder);
  static void addSpecial(Operation *op, Builder &builder, Call &call);
};

Attribute opaque(Builder &builder, const Twine &text) {
  return emitc::OpaqueAttr::get(builder.getContext(), text.str());
}

Call CallPattern::getCall(Operation *op, Builder &builder) {
  StringRef mnemonic = op->getName().stripDialect();
  // The library's name, where it differs.
  StringRef callee = llvm::StringSwitch<StringRef>(mnemonic)
                         .Case("assert", "ASSERT")
                         .Case("fill_tile", "fill_tile_bitcast")
                         .Case("my_logical_x", "get_absolute_logical_x")
                         .Case("my_logical_y", "get_absolute_logical_y")
                         .Case("tensor_accessor", "TensorAccessor")
                         .Case("tensor_accessor_get_noc_addr", "get_noc_addr")
                         .Case("unreachable", "__builtin_unreachable")
                         .Default(mnemonic);
  Call call{callee.str(), {}, {}};
  for (StringRef name : op->getName().getAttributeNames())
    if (Attribute attr = op->getAttr(name))
      if (std::optional<std::string> text = toCpp(attr))
        call.templateArgs.push_back(opaque(builder, *text));
  addSpecial(op, builder, call);
  return call;
}

void CallPattern::addSpecial(Operation *op, Builder &builder, Call &call) {
  auto addTemplate = [&](const Twine &text) {
    call.templateArgs.push_back(opaque(builder, text));
  };
  auto addText = [&](const Twine &text) {
    call.args.push_back(opaque(builder, text));
  };
  auto addOperands = [&](ArrayRef<int64_t> numbers) {
    for (int64_t number : numbers)
      call.args.push_back(builder.getIndexAttr(number));
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case<GetArgValOp, GetCommonArgValOp>(
          [&](auto) { addTemplate("uint32_t"); })
      .Case([&](GetCompileTimeArgValOp arg) {
        addText(Twine(arg.getArgIndex()));
      })
      .Case([&](BuiltinOp builtin) { call.callee = builtin.getOp().str(); })
      .Case([&](AssertOp assertion) {
        addOperands({0});
        addText(quoted(assertion.getMessage()));
      })
      .Case([&](PackTileOp pack) {
        if (pack.getOutOfOrder())
          addTemplate("true");
      })
      .Case([&](GetNocAddrFromBankIdOp address) {
        addTemplate(address.getDram() ? "true" : "false");
      })
      .Case<BinaryDestReuseTilesInitOp, BinaryDestReuseTilesOp>(
          [&](auto reuse) {
            addTemplate(reuse.getDstIsSecond()
                            ? "EltwiseBinaryReuseDestType::DEST_TO_SRCB"
                            : "EltwiseBinaryReuseDestType::DEST_TO_SRCA");
          })
      .Case([&](TypecastTileOp cast) {
        for (const APInt &type : {cast.getInDtype(), cast.getOutDtype()})
          addTemplate("static_cast<uint32_t>(" + toCpp(type) + ")");
      })
      .Case([&](PackSetDataTypeOp pack) { addText(toCpp(pack.getDataType())); })
      .Case([&](UnpackSetDataTypeOp unpack) {
        addText(toCpp(unpack.getDataTypeA()));
        addText(toCpp(unpack.getDataTypeB()));
      })
      .Case([&](FillWithValOp fill) { addTemplate(getWord(fill.getBytes())); })
      .Case([&](TensorAccessorOp accessor) {
        addText(toCpp(accessor.getArgs()));
        addOperands({0});
        addText(Twine(accessor.getArgs().getPageSize()));
        addText(Twine(accessor.getArgs().getAlignedPageSize()));
      })
      .Case([&](TensorAccessorGetNocAddrOp) {
        addOperands({1, 0, 2});
      })
      .Default([](Operation *) {});
}

/// An op that is a name of the library: `my_x[noc_index]`.
template <typename OpT> class LiteralPattern : public OpConversionPattern<OpT> {
public:
  LiteralPattern(const TypeConverter &converter, MLIRContext *context,
                 StringRef text)
      : OpConversionPattern<OpT>(converter, context, /*benefit=*/2),
        text(text) {}

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    rewriter.replaceOpWithNewOp<emitc::LiteralOp>(
        op, this->getTypeConverter()->convertType(op.getType()), text);
    return success();
  }

private:
  StringRef text;
};

/// An address as a pointer to numbers that others may change.
Value toPointer(OpBuilder &builder, Location loc, Value address,
                uint32_t bytes) {
  auto pointee = emitc::OpaqueType::get(builder.getContext(),
                                        "volatile tt_l1_ptr " + getWord(bytes));
  return emitc::CastOp::create(builder, loc, emitc::PointerType::get(pointee),
                               address);
}

class LoadPattern : public OpConversionPattern<LoadFromL1Op> {
public:
  LoadPattern(const TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern(converter, context, /*benefit=*/2) {}

  LogicalResult
  matchAndRewrite(LoadFromL1Op op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    Value pointer =
        toPointer(rewriter, op.getLoc(), adaptor.getAddress(), op.getBytes());
    rewriter.replaceOpWithNewOp<emitc::ApplyOp>(op, op.getType(), "*", pointer);
    return success();
  }
};

class StorePattern : public OpConversionPattern<StoreToL1Op> {
public:
  StorePattern(const TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern(converter, context, /*benefit=*/2) {}

  LogicalResult
  matchAndRewrite(StoreToL1Op op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    Value pointer =
        toPointer(rewriter, op.getLoc(), adaptor.getAddress(), op.getBytes());
    rewriter.replaceOpWithNewOp<emitc::VerbatimOp>(
        op, rewriter.getStringAttr("*{} = {};"),
        ValueRange{pointer, adaptor.getValue()});
    return success();
  }
};

/// A semaphore of the own core is a pointer.
template <typename OpT>
class SemaphorePattern : public OpConversionPattern<OpT> {
public:
  SemaphorePattern(const TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern<OpT>(converter, context, /*benefit=*/2) {}

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    Value pointer =
        toPointer(rewriter, op.getLoc(), adaptor.getAddress(), /*bytes=*/4);
    rewriter.replaceOpWithNewOp<emitc::CallOpaqueOp>(
        op, TypeRange(), op->getName().stripDialect(),
        ValueRange{pointer, adaptor.getValue()});
    return success();
  }
};

/// "row {} of {}" =>
/// emitc.verbatim "DPRINT << \"row \" << {} << \" of \" << {} << ENDL();"
class DPrintPattern : public OpConversionPattern<DPrintOp> {
public:
  DPrintPattern(const TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern(converter, context, /*benefit=*/2) {}

  LogicalResult
  matchAndRewrite(DPrintOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    bool hasValues = !adaptor.getValues().empty();
    std::string line = "DPRINT";
    auto addText = [&](StringRef text) {
      if (text.empty())
        return;
      line += " << ";
      // A brace that is no place for a value is doubled.
      for (char c : quoted(text))
        line += hasValues && c == '{' ? "{{" : std::string(1, c);
    };
    StringRef rest = op.getFmt();
    for (size_t at = rest.find("{}"); at != StringRef::npos;
         at = rest.find("{}")) {
      addText(rest.take_front(at));
      line += " << {}";
      rest = rest.drop_front(at + 2);
    }
    addText(rest);
    line += " << ENDL();";
    rewriter.replaceOpWithNewOp<emitc::VerbatimOp>(
        op, rewriter.getStringAttr(line), adaptor.getValues());
    return success();
  }
};

/// The end of a kernel is that of its function.
template <typename OpT> class EndPattern : public OpConversionPattern<OpT> {
public:
  EndPattern(const TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern<OpT>(converter, context, /*benefit=*/2) {}

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    if (isa<UnreachableOp>(op))
      emitc::CallOpaqueOp::create(rewriter, op.getLoc(), TypeRange(),
                                  "__builtin_unreachable", ValueRange());
    rewriter.replaceOpWithNewOp<func::ReturnOp>(op);
    return success();
  }
};

} // namespace

void emission::populateKernelPatterns(const TypeConverter &converter,
                                      RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<CallPattern, LoadPattern, StorePattern, DPrintPattern,
               SemaphorePattern<NocSemaphoreWaitOp>,
               SemaphorePattern<NocSemaphoreWaitMinOp>,
               SemaphorePattern<NocSemaphoreSetOp>, EndPattern<ReturnOp>,
               EndPattern<UnreachableOp>>(converter, context);
  patterns.add<LiteralPattern<MyXOp>>(converter, context, "my_x[noc_index]");
  patterns.add<LiteralPattern<MyYOp>>(converter, context, "my_y[noc_index]");
  patterns.add<LiteralPattern<MemZerosBaseOp>>(converter, context,
                                               "MEM_ZEROS_BASE");
  patterns.add<LiteralPattern<MemZerosSizeOp>>(converter, context,
                                               "MEM_ZEROS_SIZE");
}
