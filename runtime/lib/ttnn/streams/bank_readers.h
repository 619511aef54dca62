// Cores that read DRAM banks at full speed.
#ifndef TT_RUNTIME_TTNN_STREAMS_BANK_READERS_H
#define TT_RUNTIME_TTNN_STREAMS_BANK_READERS_H

#include "common/layout.h"

#include <cstdint>
#include <vector>

namespace tt::runtime::ttnn::streams {

/// Chooses `count` cores for each bank, bank by bank: near it along NoC 0 and,
/// if possible, on routes that share no link with those of other banks.
std::vector<std::int32_t> bankReaders(const ChipGeometry &chip,
                                      const std::vector<std::int32_t> &banks,
                                      std::int64_t count);

} // namespace tt::runtime::ttnn::streams

#endif // TT_RUNTIME_TTNN_STREAMS_BANK_READERS_H
