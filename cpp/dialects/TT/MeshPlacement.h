#ifndef DIALECTS_TT_MESHPLACEMENT_H
#define DIALECTS_TT_MESHPLACEMENT_H

#include "dialects/TT/TT.h"

namespace mlir::tt {

/// Chips of the system for a mesh of `meshShape`, row-major; the system has at
/// least as many chips as the mesh has points.
///
/// The first chips in their order, if links join all neighbours in the mesh.
/// Otherwise the lexicographically smallest choice whose neighbours are all
/// linked, preferring those that also have the links around of as many
/// dimensions of three or more as possible. The first chips again if there is
/// none, or if the search takes too long.
///
/// On 2x4 chips, numbered row by row: 2x2 is [0, 1, 4, 5], 1x8 the ring
/// [0, 1, 2, 3, 7, 6, 5, 4].
SmallVector<unsigned> getMeshPlacement(SystemDescAttr systemDesc,
                                       ArrayRef<int64_t> meshShape);

} // namespace mlir::tt

#endif
