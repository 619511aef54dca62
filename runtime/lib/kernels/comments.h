// What kernels say in comments to the emulator.
#ifndef TT_RUNTIME_KERNELS_COMMENTS_H
#define TT_RUNTIME_KERNELS_COMMENTS_H

#include "tt/runtime/kernel_compiler.h"

namespace tt::runtime::kernels {

/// What is not to be checked of a kernel. Throws Error(Argument) for a comment
/// that names no check.
CheckKinds readUnchecked(const KernelUnit &unit);

} // namespace tt::runtime::kernels

#endif // TT_RUNTIME_KERNELS_COMMENTS_H
