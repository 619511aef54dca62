// How a report describes an operand or a result.
#ifndef TT_RUNTIME_COMMON_OPERAND_USE_H
#define TT_RUNTIME_COMMON_OPERAND_USE_H

#include "common/layout.h"
#include "tt/runtime/report.h"

namespace tt::runtime {

OperandUse operandUse(const Layout &layout);

} // namespace tt::runtime

#endif // TT_RUNTIME_COMMON_OPERAND_USE_H
