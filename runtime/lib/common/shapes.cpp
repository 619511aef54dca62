#include "common/shapes.h"

#include "common/layout.h"

#include <algorithm>

namespace tt::runtime {

namespace {
using Shape = std::vector<std::int64_t>;

template <typename... Parts> [[noreturn]] void mismatch(const Parts &...parts) {
  raise(ErrorCategory::Format, parts...);
}
} // namespace

Shape broadcastShapes(const Shape &a, const Shape &b) {
  Shape result(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
    const std::int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1)
      mismatch("expected shapes that broadcast, found ", shapeString(a),
               " and ", shapeString(b));
    result[result.size() - 1 - i] = x == 1 ? y : x;
  }
  return result;
}

Shape matmulShape(const Shape &a, const Shape &b) {
  if (a.empty() || b.empty())
    mismatch("expected operands of rank >= 1, found ", shapeString(a), " and ",
             shapeString(b));
  const std::int64_t inner = b.size() == 1 ? b[0] : b[b.size() - 2];
  if (a.back() != inner)
    mismatch("expected equal inner dimensions, found ", shapeString(a), " and ",
             shapeString(b));
  const auto batch = [](const Shape &shape) {
    return Shape(shape.begin(),
                 shape.size() < 2 ? shape.begin() : shape.end() - 2);
  };
  Shape result = broadcastShapes(batch(a), batch(b));
  if (a.size() > 1)
    result.push_back(a[a.size() - 2]);
  if (b.size() > 1)
    result.push_back(b.back());
  return result;
}

Shape reducedShape(const Shape &shape, const Shape &dims, bool keepDim) {
  Shape result;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool reduced =
        dims.empty() ||
        std::find(dims.begin(), dims.end(), std::int64_t(i)) != dims.end();
    if (!reduced)
      result.push_back(shape[i]);
    else if (keepDim)
      result.push_back(1);
  }
  return result;
}

std::int64_t normalizeDim(std::int64_t dim, std::size_t rank,
                          const char *field) {
  const std::int64_t signedRank = std::int64_t(rank);
  if (dim < -signedRank || dim >= signedRank)
    mismatch("expected ", field, " from ", -signedRank, " to ", signedRank - 1,
             ", found ", dim);
  return dim < 0 ? dim + signedRank : dim;
}

} // namespace tt::runtime
