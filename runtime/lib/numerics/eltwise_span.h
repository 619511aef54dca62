// Single-threaded elementwise work on one span, shared by the contiguous and
// the strided drivers.
#ifndef TT_RUNTIME_NUMERICS_ELTWISE_SPAN_H
#define TT_RUNTIME_NUMERICS_ELTWISE_SPAN_H

#include "numerics/isa/table.h"

namespace tt::runtime::numerics {

/// What all spans of one call have in common.
struct SpanContext {
  const KernelTable &table;
  DType type;
  Rounding rounding;
  /// Store past the caches: the result is too big to stay there.
  bool stream = false;
};

/// Throw std::invalid_argument when the operation has no meaning for the type.
void checkOp(UnaryOp op, DType type);
void checkOp(BinaryOp op, DType type);

void unarySpan(const SpanContext &context, UnaryOp op, const void *in,
               void *out, int64_t count, UnaryParams params);
void binarySpan(const SpanContext &context, BinaryOp op, Spread spread,
                const void *a, const void *b, void *out, int64_t count);

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_ELTWISE_SPAN_H
