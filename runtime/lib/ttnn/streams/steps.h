// The stream of each kind of step: what a well-tuned library kernel of it does
// on the grid, in the memory and with the shards that the compiler chose.
#ifndef TT_RUNTIME_TTNN_STREAMS_STEPS_H
#define TT_RUNTIME_TTNN_STREAMS_STEPS_H

#include "ttnn/program.h"
#include "ttnn/streams/pipeline.h"
#include "ttnn/streams/product.h"

#include <span>

namespace tt::runtime::ttnn::streams {

/// What a step does beside its stream.
struct Work {
  bool dispatched = true; // anything at all
  bool joins = false;     // the kernels of the operation before start it
  const char *phase = "run";
  const Layout *host = nullptr; // goes over PCIe
  double flops = 0;
  int phases = 0; // of the multiplier; 0: it multiplies nothing
};

/// The number of pages that updates of parts of a tensor read and write, if
/// each part begins at a page.
std::int64_t pagesOfUpdate(const Layout &whole, const Layout &update,
                           std::int64_t updates);

/// `positions` (B, S) are those of the queries of an attention, if known.
void streamOf(const Program &program, const Operation &operation,
              std::span<const std::int64_t> positions, Builder &builder,
              Work &work);

/// The fraction of the keys and values of its batches that an attention reads.
double shareOfKeys(const Program &program,
                   const ScaledDotProductAttentionStep &step,
                   std::span<const std::int64_t> positions);

} // namespace tt::runtime::ttnn::streams

#endif // TT_RUNTIME_TTNN_STREAMS_STEPS_H
