#ifndef TT_RUNTIME_TTNN_COMPUTE_CONFIG_H
#define TT_RUNTIME_TTNN_COMPUTE_CONFIG_H

#include "ttnn/program.h"

namespace tt::runtime::ttnn {

/// How the library computes a step that does not say it.
ComputeConfig defaultConfig(const Program &program, const Step &step,
                            ::tt::target::Arch arch);

/// What the table of an operation says, with these defaults; a null table says
/// nothing. Throws Error(Format).
ComputeConfig
readConfig(::tt::target::ttnn::DeviceComputeKernelConfig const *table,
           const ComputeConfig &defaults);

/// Whether the library computes an elementwise function on the matrix engine:
/// sums, differences and products of floats, unless both are f32, of which that
/// engine would see tf32. All else is for the vector engine.
bool isForMatrixEngine(numerics::BinaryOp op, numerics::DType a,
                       numerics::DType b);

/// Tiles along K of the blocks that the library multiplies one after the other
/// where L1 has the room: as many as divide `k`, at most 8.
std::int64_t innerTiles(std::int64_t k);

/// Whether the packer adds up those blocks of `k` tiles in L1: the library lets
/// it from three on.
bool addsInL1(const ComputeConfig &config, std::int64_t k);

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_TTNN_COMPUTE_CONFIG_H
