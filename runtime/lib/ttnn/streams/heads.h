// Heads that lie beside each other come behind each other, or the other way.
#ifndef TT_RUNTIME_TTNN_STREAMS_HEADS_H
#define TT_RUNTIME_TTNN_STREAMS_HEADS_H

#include "ttnn/streams/builder.h"

namespace tt::runtime::ttnn::streams {

/// Some heads on their way.
struct Heads {
  /// (B, S, N * D) and (B, H, S, D), in either order: (B, H, D, S) if they are
  /// transposed.
  const Layout *in, *out;
  /// Of these heads in the tensor of rank 3, from the front.
  std::int64_t first = 0;
  /// The input has them behind each other.
  bool joins = false;
  bool transposed = false;
};

/// One kernel for all: the pages of each result are dealt to the cores of its
/// layout. Tiles stay whole where D is a multiple of their width; otherwise
/// they are put together from rows.
void stream(Builder &builder, const std::vector<Heads> &moves);

} // namespace tt::runtime::ttnn::streams

#endif // TT_RUNTIME_TTNN_STREAMS_HEADS_H
