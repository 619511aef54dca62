#ifndef CONVERSION_TODAYTOTTIR_RULES_H
#define CONVERSION_TODAYTOTTIR_RULES_H

#include "conversion/TodayToTTIR/Table.h"

#include "conversion/TodayToTTIR/TodayOps.inc"

/// What the ops of TodayOps.td become, by the names there. `carry` is the op of
/// this project with the operands and attributes as they are.
namespace mlir::tt::today::rules {

#define RULE(name) LogicalResult name(Call &call);
TTMLIR_TODAY_RULES(RULE)
#undef RULE

} // namespace mlir::tt::today::rules

#endif
