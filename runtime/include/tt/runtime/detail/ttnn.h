// Runs of TTNN programs: the functions of runtime.h that depend on the kind of
// program.
#ifndef TT_RUNTIME_DETAIL_TTNN_H
#define TT_RUNTIME_DETAIL_TTNN_H

#include "tt/runtime/runtime.h"

namespace tt::runtime::ttnn {

Event submit(Device device, Binary executable, std::uint32_t programIndex,
             std::vector<Tensor> const &inputs,
             std::vector<Tensor> const &outputs);
std::vector<Tensor> submit(Device device, Binary executable,
                           std::uint32_t programIndex,
                           std::vector<Tensor> const &inputs);

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_DETAIL_TTNN_H
