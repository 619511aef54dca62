//===- Passes of the 'ttir' dialect ----------------------------------------===//

#ifndef TTMLIR_TTIR_TRANSFORMS_PASSES_TD
#define TTMLIR_TTIR_TRANSFORMS_PASSES_TD

include "dialects/TTIR/Transforms/TypePasses.td"
include "dialects/TTIR/Transforms/SimplificationPasses.td"
include "dialects/TTIR/Transforms/MeshPasses.td"
include "dialects/TTIR/Transforms/LayoutPasses.td"
include "dialects/TTIR/Transforms/KernelPasses.td"
include "dialects/TTIR/Transforms/PlacementPasses.td"

#endif
