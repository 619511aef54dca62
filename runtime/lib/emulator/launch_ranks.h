// Launches on a mesh that several ranks emulate: each of them runs the kernels
// of its own chips.
#ifndef TT_RUNTIME_EMULATOR_LAUNCH_RANKS_H
#define TT_RUNTIME_EMULATOR_LAUNCH_RANKS_H

#include "emulator/checks.h"
#include "emulator/engine.h"

namespace tt::runtime::emulator {

/// exchangeFabric() of a mesh whose ranks run round by round: what kernels send
/// to chips of other ranks arrives there, in the order of positions, cores and
/// instructions. `mesh.round` becomes that of all ranks.
bool exchangeFabricOfRanks(Mesh &mesh);

/// Makes the result of this rank that of all ranks; a mesh that is not divided
/// has it already.
void joinResults(Mesh &mesh, std::vector<Leftover> leftovers);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_LAUNCH_RANKS_H
