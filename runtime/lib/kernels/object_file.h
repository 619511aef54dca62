// What the tools of the compiler tell about the object of a kernel.
#ifndef TT_RUNTIME_KERNELS_OBJECT_FILE_H
#define TT_RUNTIME_KERNELS_OBJECT_FILE_H

#include "tt/runtime/kernel_compiler.h"

#include <string>
#include <string_view>
#include <vector>

namespace tt::runtime::kernels {

/// The line table of an object, made from `files`, with the names that the
/// caller has for them. Code of `headers`, which is a part of its callers,
/// belongs to the next line of them.
std::vector<NativeLine> readLines(const std::string &object,
                                  const KernelUnit &unit,
                                  const std::vector<std::string> &files,
                                  const std::string &headers);

/// Whether an ELF object has variables that its code may change. The places in
/// the source that calls pass on, which may be in the same section, have no
/// symbols.
bool hasVariables(std::string_view object);

/// Throws Error(Argument) for a jump to itself. It is all that the compiler
/// makes of a loop without statements that never ends: nothing in it could
/// count it, or end it.
void refuseEmptyLoops(const std::string &object,
                      const std::vector<NativeLine> &lines,
                      const std::string &shown);

} // namespace tt::runtime::kernels

#endif // TT_RUNTIME_KERNELS_OBJECT_FILE_H
