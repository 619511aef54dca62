// Variables: tensors that the programs of a binary keep from run to run, on
// each device on its own.
#ifndef TT_RUNTIME_VARIABLES_H
#define TT_RUNTIME_VARIABLES_H

#include "tt/runtime/types.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tt::runtime {

/// The names of those that a program reads or writes.
std::vector<std::string> getProgramVariables(Binary const &binary,
                                             std::uint32_t programIndex);

/// All variables of the binary hold again what they held before the first run.
void resetVariables(Binary const &binary);

} // namespace tt::runtime

#endif // TT_RUNTIME_VARIABLES_H
