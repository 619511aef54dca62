#ifndef TARGET_TTMETAL_KERNELCPP_H
#define TARGET_TTMETAL_KERNELCPP_H

#include "dialects/TTKernel/TTKernel.h"

#include <string>

namespace mlir::tt::ttmetal {

/// The C++ source file of a kernel, a region of `ttmetal.dispatch` that is
/// built as `config` says. On failure there is an error at the op that has no
/// C++ form.
FailureOr<std::string> emitKernelCpp(Region &kernel,
                                     ttkernel::KernelConfigInterface config);

} // namespace mlir::tt::ttmetal

#endif
