#ifndef DIALECTS_TTIR_TRANSFORMS_MEMORY_L1BUDGET_H
#define DIALECTS_TTIR_TRANSFORMS_MEMORY_L1BUDGET_H

#include <cstdint>

namespace mlir::tt::ttir {

/// The bytes of a core's L1 for two consecutive results: a share of the L1 that
/// the system leaves to tensors.
class L1Budget {
public:
  explicit L1Budget(uint64_t usableBytes) : bytes(0.8 * usableBytes) {}

  bool fits(uint64_t producerBytes, uint64_t consumerBytes) const {
    return static_cast<double>(producerBytes + consumerBytes) < bytes;
  }

private:
  double bytes;
};

} // namespace mlir::tt::ttir

#endif
