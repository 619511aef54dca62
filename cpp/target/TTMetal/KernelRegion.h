#ifndef TARGET_TTMETAL_KERNELREGION_H
#define TARGET_TTMETAL_KERNELREGION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::tt::ttmetal {

/// A copy of a kernel as the function `kernel_main` of a module
/// `module_wrapper`; the circular buffers are its arguments. Constants of the
/// program around the kernel are copied into it; other values of the program
/// are an error.
FailureOr<OwningOpRef<ModuleOp>> cloneKernel(Region &kernel);

/// The function of such a module.
func::FuncOp getKernelMain(ModuleOp module);

/// Moves what does not change out of loops, and computes equal values once.
void simplify(func::FuncOp kernel);

/// Lowers loops and conditions to branches, and removes ops without uses.
LogicalResult lowerToBranches(func::FuncOp kernel);

} // namespace mlir::tt::ttmetal

#endif
