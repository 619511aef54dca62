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

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_TTNN_COMPUTE_CONFIG_H
