// Runs of TTMetal programs: the functions of runtime.h that depend on the kind
// of program.
#ifndef TT_RUNTIME_DETAIL_TTMETAL_H
#define TT_RUNTIME_DETAIL_TTMETAL_H

#include "tt/runtime/runtime.h"

namespace tt::runtime::ttmetal {

Event submit(Device device, Binary executable, std::uint32_t programIndex,
             std::vector<Tensor> const &inputs,
             std::vector<Tensor> const &outputs);
std::vector<Tensor> submit(Device device, Binary executable,
                           std::uint32_t programIndex,
                           std::vector<Tensor> const &inputs);

} // namespace tt::runtime::ttmetal

#endif // TT_RUNTIME_DETAIL_TTMETAL_H
