// Ops that MLIR's patterns from `arith` to `emitc` do not convert.
#include "conversion/TTKernelToEmitC/TTKernelToEmitC.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/EmitC/Transforms/TypeConversions.h"

using namespace mlir;
using namespace mlir::tt;

namespace {

/// %r = arith.minui %a, %b
/// =>
/// %x = emitc.cast %a to ui32, %y = emitc.cast %b to ui32
/// %c = emitc.cmp lt, %x, %y
/// %r = emitc.conditional %c, %a, %b
template <typename OpT, emitc::CmpPredicate predicate, bool isUnsigned>
class MinMaxPattern : public OpConversionPattern<OpT> {
public:
  using OpConversionPattern<OpT>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    Location loc = op.getLoc();
    auto compared = [&](Value value) -> Value {
      std::optional<Type> type =
          isUnsigned ? emitc::getUnsignedTypeFor(value.getType())
                     : std::nullopt;
      if (!type || *type == value.getType())
        return value;
      return emitc::CastOp::create(rewriter, loc, *type, value);
    };
    Value less = emitc::CmpOp::create(rewriter, loc, rewriter.getI1Type(),
                                      predicate, compared(adaptor.getLhs()),
                                      compared(adaptor.getRhs()));
    rewriter.replaceOpWithNewOp<emitc::ConditionalOp>(
        op, adaptor.getLhs().getType(), less, adaptor.getLhs(),
        adaptor.getRhs());
    return success();
  }
};

} // namespace

void emission::populateMinMaxPatterns(const TypeConverter &converter,
                                      RewritePatternSet &patterns) {
  using emitc::CmpPredicate;
  patterns.add<MinMaxPattern<arith::MinSIOp, CmpPredicate::lt, false>,
               MinMaxPattern<arith::MaxSIOp, CmpPredicate::gt, false>,
               MinMaxPattern<arith::MinUIOp, CmpPredicate::lt, true>,
               MinMaxPattern<arith::MaxUIOp, CmpPredicate::gt, true>>(
      converter, patterns.getContext());
}
