#ifndef DIALECTS_TT_TTOPS_H
#define DIALECTS_TT_TTOPS_H

#include "dialects/TT/TT.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "dialects/TT/TTOps.h.inc"

#endif
