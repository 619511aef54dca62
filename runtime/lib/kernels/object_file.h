// Properties of a kernel's object file, from the tools of the compiler.
#ifndef TT_RUNTIME_KERNELS_OBJECT_FILE_H
#define TT_RUNTIME_KERNELS_OBJECT_FILE_H

#include "tt/runtime/kernel_compiler.h"

#include <string>
#include <string_view>
#include <vector>

namespace tt::runtime::kernels {

/// The code and the line table of an object as objdump prints them, which is
/// part of the compiler's tools; empty if it is missing.
std::string dumpObject(const std::string &object);

/// The line table in the dump of an object compiled from `files`, with the
/// caller's names for them. Code from `headers` is inlined, and belongs to the
/// next line of its caller.
std::vector<NativeLine> readLines(const std::string &dump,
                                  const KernelUnit &unit,
                                  const std::vector<std::string> &files,
                                  const std::string &headers);

/// Whether an ELF object has variables that its code may change. The source
/// locations that calls pass, which may be in the same section, have no
/// symbols.
bool hasVariables(std::string_view object);

/// Throws Error(Argument) for a jump to itself. The compiler emits it for an
/// endless loop without statements, which the emulator could neither count nor
/// end.
void refuseEmptyLoops(const std::string &dump,
                      const std::vector<NativeLine> &lines,
                      const std::string &shown);

} // namespace tt::runtime::kernels

#endif // TT_RUNTIME_KERNELS_OBJECT_FILE_H
