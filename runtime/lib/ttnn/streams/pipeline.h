// Operations that bring pages through a core one after the other: reader,
// compute, writer, with double-buffered circular buffers between them.
#ifndef TT_RUNTIME_TTNN_STREAMS_PIPELINE_H
#define TT_RUNTIME_TTNN_STREAMS_PIPELINE_H

#include "ttnn/streams/builder.h"

namespace tt::runtime::ttnn::streams {

/// What a pipeline reads for each page of the result.
struct Feed {
  const Layout *layout;
  /// Pages for each page of the result; may be a part of one.
  double perPage = 1;
  /// Transfers of each page: rows or pieces of rows that lie apart.
  double parts = 1;
  /// Bytes of a page that are read; 0: all.
  double bytes = 0;
};

struct Pipeline {
  const char *name; // of the compute kernel
  std::vector<Feed> feeds;
  std::vector<Instruction> compute; // for a page of the result
  /// When they are done for a block: those that make its pages, which are
  /// written in the meantime. None: a block is made as a whole.
  std::vector<Instruction> finish;
  const Layout *result;
  /// What is dealt to the cores, in pages of its layout; the result if null.
  const Layout *dealt = nullptr;
  /// Pages that one core takes together: a row of them, as a rule.
  std::int64_t together = 1;
  /// A block is all of them: they are kept until the last has come.
  bool keeps = false;
  /// Pages of the result for each that is dealt, and transfers of each.
  double results = 1;
  double resultParts = 1;
  /// Pieces that the reader gathers in the core's own L1 for each page.
  double pieces = 0, pieceBytes = 0;
  /// The halo: page rows of the first operand that a core needs in addition to
  /// its own before it starts.
  std::int64_t halo = 0;
  /// Pages of the result are made of pages at other places.
  bool rearranges = false;
  /// Bytes that the reader makes itself, for each page and once at the start.
  double fills = 0, begins = 0;
  /// If several cores share a row of shards: how often they combine partial
  /// results for the rows, such as sums.
  std::int64_t exchanges = 0;
  /// For results of which several cores compute partial results and send them
  /// to the core of the page: the number of partial results of a page, the
  /// instructions for each, and those for the page.
  double partials = 0;
  std::vector<Instruction> joins;
  /// Operands that the reader reads once and keeps; of a row along the columns
  /// of shards, only its own part.
  std::vector<const Layout *> once;
};

void stream(Builder &builder, const Pipeline &pipeline);

} // namespace tt::runtime::ttnn::streams

#endif // TT_RUNTIME_TTNN_STREAMS_PIPELINE_H
