// Comments in kernels that control the emulator.
#ifndef TT_RUNTIME_KERNELS_COMMENTS_H
#define TT_RUNTIME_KERNELS_COMMENTS_H

#include "tt/runtime/kernel_compiler.h"

namespace tt::runtime::kernels {

/// The checks that a kernel disables. Throws Error(Argument) for a comment with
/// an unknown check.
CheckKinds readUnchecked(const KernelUnit &unit);

} // namespace tt::runtime::kernels

#endif // TT_RUNTIME_KERNELS_COMMENTS_H
