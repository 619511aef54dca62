// A reduction as its kernel takes it.
#ifndef TT_RUNTIME_TTNN_REDUCTIONS_H
#define TT_RUNTIME_TTNN_REDUCTIONS_H

#include "numerics/reduce.h"
#include "ttnn/program.h"

namespace tt::runtime::ttnn {

numerics::ReduceOp reduceOf(::tt::target::ttnn::ReductionOpType type);

/// The shape of the reduction proper, of a tensor `in`. The result may keep
/// whole tiles of 32 where this has 1; the reduction is then at index 0 and the
/// rest is zero.
std::vector<std::int64_t> reducedShape(const ReductionStep &s, const Layout &in,
                                       const Layout &out);

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_TTNN_REDUCTIONS_H
