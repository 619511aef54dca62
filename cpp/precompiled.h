#ifndef TTMLIR_PRECOMPILED_H
#define TTMLIR_PRECOMPILED_H

// What most files of the compiler include, for the compiler to read once
// (TTMLIR_PRECOMPILE_HEADERS). No file includes this one: each has its own
// includes, and compiles without it.

#include "dialects/TT/TT.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTKernel/TTKernel.h"
#include "dialects/TTMetal/TTMetal.h"
#include "dialects/TTNN/TTNN.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#endif // TTMLIR_PRECOMPILED_H
