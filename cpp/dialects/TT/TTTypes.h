#ifndef DIALECTS_TT_TTTYPES_H
#define DIALECTS_TT_TTTYPES_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/TensorEncoding.h"

#include <optional>

#include "dialects/TT/TTEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/TT/TTAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/TT/TTTypes.h.inc"

#endif
