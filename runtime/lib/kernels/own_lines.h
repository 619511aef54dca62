// Lines of kernels for debuggers.
#ifndef TT_RUNTIME_KERNELS_OWN_LINES_H
#define TT_RUNTIME_KERNELS_OWN_LINES_H

#include <string>

namespace tt::runtime::kernels {

/// Removes lines of the kernel library in `headers`, whose functions are
/// inlined, from the assembly of a kernel: their code then is of the kernel's
/// line that calls them, at which a debugger can stop. Inlined functions become
/// blocks of their caller, so that a debugger shows the caller's variables.
std::string keepOwnLines(const std::string &assembly,
                         const std::string &headers);

} // namespace tt::runtime::kernels

#endif // TT_RUNTIME_KERNELS_OWN_LINES_H
