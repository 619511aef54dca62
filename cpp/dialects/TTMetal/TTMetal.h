#ifndef DIALECTS_TTMETAL_TTMETAL_H
#define DIALECTS_TTMETAL_TTMETAL_H

#include "dialects/TT/TT.h"
#include "dialects/TTKernel/TTKernel.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/TTMetal/TTMetalDialect.h.inc"

#include "dialects/TTMetal/TTMetalEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/TTMetal/TTMetalAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/TTMetal/TTMetalOps.h.inc"

#endif
