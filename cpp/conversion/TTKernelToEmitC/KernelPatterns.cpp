// Ops of kernels as the calls of their C++ functions.
#include "conversion/TTKernelToEmitC/TTKernelToEmitC.h"

#include "dialects/TT/Formats.h"
#include "dialects/TTKernel/TTKernel.h"
#include "ttmlir/Target/TTMetal/instructions.inc"

#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
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

/// An enumerator as the kernel library names it.
static std::string toCpp(Attribute enumerator) {
  return llvm::TypeSwitch<Attribute, std::string>(enumerator)
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
      });
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
static std::string toExpression(TensorAccessorArgsAttr args) {
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

/// What `form`, a word of the descriptions, makes of an attribute, which may be
/// missing; nothing where it is not written.
static std::optional<std::string> getText(StringRef form, Attribute attr) {
  auto number = [&] {
    return cast<IntegerAttr>(attr).getValue().getZExtValue();
  };
  auto accessor = [&] { return cast<TensorAccessorArgsAttr>(attr); };
  if (form == "enumerator")
    return toCpp(attr);
  if (form == "flag")
    return attr ? "true" : "false";
  if (form == "flag_if_set")
    return attr ? std::optional<std::string>("true") : std::nullopt;
  if (form == "reuse")
    return attr ? "EltwiseBinaryReuseDestType::DEST_TO_SRCB"
                : "EltwiseBinaryReuseDestType::DEST_TO_SRCA";
  if (form == "format")
    return toCpp(static_cast<DataType>(number()));
  if (form == "format_number")
    return "static_cast<uint32_t>(" + toCpp(static_cast<DataType>(number())) +
           ")";
  if (form == "word")
    return getWord(number());
  if (form == "number")
    return std::to_string(number());
  if (form == "text")
    return quoted(cast<StringAttr>(attr).getValue());
  if (form == "accessor")
    return toExpression(accessor());
  if (form == "page_size")
    return std::to_string(accessor().getPageSize());
  if (form == "aligned_page_size")
    return std::to_string(accessor().getAlignedPageSize());
  llvm_unreachable("instruction_tables.py knows the same words");
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// An address as a pointer to numbers that others may change.
static Value toPointer(OpBuilder &builder, Location loc, Value address,
                       uint32_t bytes) {
  auto pointee = emitc::OpaqueType::get(builder.getContext(),
                                        "volatile tt_l1_ptr " + getWord(bytes));
  return emitc::CastOp::create(builder, loc, emitc::PointerType::get(pointee),
                               address);
}

namespace {

/// The C++ of an op, as its description says. Arguments stand one behind the
/// other with commas: the number of an operand, or a word of `getText` and an
/// attribute, or "semaphore" and an operand, whose address becomes a pointer.
/// A template argument may be a text, too.
struct Call {
  StringRef callee;
  StringRef literal; // instead of the call, if it is not empty
  StringRef templateArgs;
  StringRef args;
};

SmallVector<StringRef> items(StringRef list) {
  SmallVector<StringRef> result;
  list.split(result, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return result;
}

const Call *findCall(Operation *op) {
  static const llvm::StringMap<Call> calls{
#define TTMLIR_CALL(op, callee, literal, templateArgs, args)                   \
  {op, Call{callee, literal, templateArgs, args}},
      TTMLIR_KERNEL_CALLS(TTMLIR_CALL)
#undef TTMLIR_CALL
  };
  auto found = calls.find(op->getName().getStringRef());
  return found == calls.end() ? nullptr : &found->second;
}

/// Every op that is a call or a name of the library.
class CallPattern : public ConversionPattern {
public:
  CallPattern(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), /*benefit=*/1,
                          context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const final {
    // The kernel that it calls is an attribute.
    auto builtin = dyn_cast<BuiltinOp>(op);
    const Call *call = findCall(op);
    if (!call && !builtin)
      return rewriter.notifyMatchFailure(op, "is no op of kernels");
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op->getResultTypes(), types)))
      return rewriter.notifyMatchFailure(op, "has a result without C++ type");
    if (builtin) {
      rewriter.replaceOpWithNewOp<emitc::CallOpaqueOp>(
          op, types, builtin.getOp(), operands);
      return success();
    }
    if (!call->literal.empty()) {
      rewriter.replaceOpWithNewOp<emitc::LiteralOp>(op, types.front(),
                                                    call->literal);
      return success();
    }
    SmallVector<Value> values(operands);
    ArrayAttr args = getArgs(op, *call, values, rewriter);
    rewriter.replaceOpWithNewOp<emitc::CallOpaqueOp>(
        op, types, call->callee, values, args,
        getTemplateArgs(op, *call, rewriter));
    return success();
  }

private:
  static ArrayAttr getArgs(Operation *op, const Call &call,
                           MutableArrayRef<Value> values, OpBuilder &builder);
  static ArrayAttr getTemplateArgs(Operation *op, const Call &call,
                                   Builder &builder);
};

/// Operands by their number, and texts; null for all operands in their order.
ArrayAttr CallPattern::getArgs(Operation *op, const Call &call,
                               MutableArrayRef<Value> values,
                               OpBuilder &builder) {
  SmallVector<Attribute> args;
  bool inOrder = true;
  for (StringRef item : items(call.args)) {
    auto [form, name] = item.split(' ');
    unsigned operand;
    if (!(name.empty() ? form : name).getAsInteger(10, operand)) {
      if (form == "semaphore")
        values[operand] =
            toPointer(builder, op->getLoc(), values[operand], /*bytes=*/4);
      inOrder &= operand == args.size();
      args.push_back(builder.getIndexAttr(operand));
    } else if (auto text = getText(form, op->getAttr(name))) {
      inOrder = false;
      args.push_back(emitc::OpaqueAttr::get(op->getContext(), *text));
    }
  }
  return inOrder ? ArrayAttr() : builder.getArrayAttr(args);
}

ArrayAttr CallPattern::getTemplateArgs(Operation *op, const Call &call,
                                       Builder &builder) {
  SmallVector<Attribute> args;
  for (StringRef item : items(call.templateArgs)) {
    auto [form, name] = item.split(' ');
    std::optional<std::string> text =
        name.empty() ? form.str() : getText(form, op->getAttr(name));
    if (text)
      args.push_back(emitc::OpaqueAttr::get(op->getContext(), *text));
  }
  return args.empty() ? ArrayAttr() : builder.getArrayAttr(args);
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
               EndPattern<ReturnOp>, EndPattern<UnreachableOp>>(converter,
                                                                context);
}
