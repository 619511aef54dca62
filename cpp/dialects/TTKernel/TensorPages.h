#ifndef DIALECTS_TTKERNEL_TENSORPAGES_H
#define DIALECTS_TTKERNEL_TENSORPAGES_H

#include "dialects/TTKernel/TTKernel.h"

namespace mlir::tt::ttkernel {

/// Bytes of a page of a tensor that has a layout: a tile, or a row of the last
/// physical dimension, of which a shard has a part.
uint64_t getPageBytes(RankedTensorType type);

int64_t getNumPages(RankedTensorType type);

/// How the pages of a tensor lie: over the banks of DRAM or L1, in the first of
/// them, or in shards in L1 on the tensor's grid. Null for all other layouts,
/// where pages do not exist.
TensorAccessorArgsAttr getAccessorArgs(RankedTensorType type,
                                       SystemDescAttr systemDesc);

/// Bytes that these pages take in the fullest bank of DRAM, or in the L1 of a
/// core that has a shard, on a chip of the system.
uint64_t getBytesPerBank(TensorAccessorArgsAttr args,
                         SystemDescAttr systemDesc);

} // namespace mlir::tt::ttkernel

#endif
