// The combination of a scatter as its kernel takes it.
#ifndef TT_RUNTIME_TTNN_SCATTERS_H
#define TT_RUNTIME_TTNN_SCATTERS_H

#include "numerics/scatter.h"
#include "tt/runtime/error.h"
#include "ttnn/program.h"

namespace tt::runtime::ttnn {

inline numerics::ScatterOp scatterOf(::tt::target::ReduceType type) {
  using Type = ::tt::target::ReduceType;
  switch (type) {
  case Type::Sum:
    return numerics::ScatterOp::Sum;
  case Type::Prod:
    return numerics::ScatterOp::Prod;
  case Type::Max:
    return numerics::ScatterOp::Max;
  case Type::Min:
    return numerics::ScatterOp::Min;
  case Type::Invalid:
    return numerics::ScatterOp::Set;
  case Type::Mean:
  case Type::Std:
  case Type::Var:
    break;
  }
  raise(ErrorCategory::Unsupported,
        "expected reduce type Sum, Prod, Max, Min or Invalid, found ",
        ::tt::target::EnumNameReduceType(type));
}

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_TTNN_SCATTERS_H
