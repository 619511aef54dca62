// Which chips of a system form a mesh when nobody says so.
#ifndef TT_RUNTIME_EMULATOR_PLACEMENT_H
#define TT_RUNTIME_EMULATOR_PLACEMENT_H

#include "tt/runtime/types.h"

namespace tt::runtime::emulator {

/// Ids of chips, row-major over the mesh, as the compiler chooses them: 0, 1,
/// .. if these have links to their neighbours. Otherwise the first choice in
/// lexicographic order whose neighbours are linked, those with the links around
/// as many axes of three chips or more as possible before others; and again
/// 0, 1, .. if there is none. The system has at least as many chips as the
/// mesh.
std::vector<std::uint32_t>
placeMesh(const SystemDesc &desc, const std::vector<std::uint32_t> &meshShape);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_PLACEMENT_H
