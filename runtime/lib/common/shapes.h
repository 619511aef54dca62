// Shape rules of the operations; all throw Error(Format).
#ifndef TT_RUNTIME_COMMON_SHAPES_H
#define TT_RUNTIME_COMMON_SHAPES_H

#include "tt/runtime/error.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tt::runtime {

/// Throws Error(Format).
template <typename... Parts>
[[noreturn]] void malformed(const Parts &...parts) {
  raise(ErrorCategory::Format, parts...);
}

/// Throws unless `found` is `expected`.
void expectShape(const char *field, const std::vector<std::int64_t> &expected,
                 const std::vector<std::int64_t> &found);

/// NumPy broadcasting of two shapes.
std::vector<std::int64_t> broadcastShapes(const std::vector<std::int64_t> &a,
                                          const std::vector<std::int64_t> &b);

/// (.., M, K) x (.., K, N), leading dimensions broadcast; a vector on either
/// side is a row or a column that the result drops, as numpy.matmul.
std::vector<std::int64_t> matmulShape(const std::vector<std::int64_t> &a,
                                      const std::vector<std::int64_t> &b);

/// `shape` with the two innermost extents swapped, as of a transposed operand;
/// throws below rank 2.
std::vector<std::int64_t>
transposedShape(const char *field, const std::vector<std::int64_t> &shape);

/// `shape` without its leading ones, but at least one dimension long where it
/// was.
std::vector<std::int64_t>
withoutLeadingOnes(const std::vector<std::int64_t> &shape);

/// `dims` empty means all.
std::vector<std::int64_t> reducedShape(const std::vector<std::int64_t> &shape,
                                       const std::vector<std::int64_t> &dims,
                                       bool keepDim);

/// Negative dimensions count from the end.
std::int64_t normalizeDim(std::int64_t dim, std::size_t rank,
                          const char *field);

} // namespace tt::runtime

#endif // TT_RUNTIME_COMMON_SHAPES_H
