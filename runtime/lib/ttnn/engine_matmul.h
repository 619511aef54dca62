#ifndef TT_RUNTIME_TTNN_ENGINE_MATMUL_H
#define TT_RUNTIME_TTNN_ENGINE_MATMUL_H

#include "common/compute_config.h"
#include "numerics/matmul.h"

namespace tt::runtime::ttnn {

/// numerics::matmul on the matrix engine: each tile of the result adds up tiles
/// along K in ascending order in the destination, or with packerL1Acc in blocks
/// that the packer adds up in L1. The bias is added to what was packed.
void engineMatmul(const numerics::MatmulArgs &args, const ComputeConfig &config,
                  ::tt::target::Arch arch);

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_TTNN_ENGINE_MATMUL_H
