// How the engines of a core compute an operation: numbers and time depend on
// it.
#ifndef TT_RUNTIME_COMMON_COMPUTE_CONFIG_H
#define TT_RUNTIME_COMMON_COMPUTE_CONFIG_H

#include "ttmlir/Target/Common/types_generated.h"

#include <algorithm>

namespace tt::runtime {

struct ComputeConfig {
  ::tt::target::MathFidelity fidelity = ::tt::target::MathFidelity::HiFi4;
  bool approx = false;      // functions of the vector engine
  bool fp32DestAcc = false; // destination registers of 32 bits
  bool packerL1Acc = false; // the packer adds blocks along K in L1

  /// Of the multiplier, 1 to 4.
  int phases() const { return std::max(1, int(fidelity)); }
};

} // namespace tt::runtime

#endif // TT_RUNTIME_COMMON_COMPUTE_CONFIG_H
