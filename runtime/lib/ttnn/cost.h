// The analytic cost model of TTNN operations.
#ifndef TT_RUNTIME_TTNN_COST_H
#define TT_RUNTIME_TTNN_COST_H

#include "common/arch.h"
#include "tt/runtime/report.h"
#include "ttnn/program.h"

namespace tt::runtime::ttnn {

/// Cost of one operation on a chip: bytes from the layouts of its operands,
/// cycles from the constants of the architecture. High-water marks are left 0.
OpCost modelCost(const Program &program, const Operation &operation,
                 const ChipGeometry &chip);

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_TTNN_COST_H
