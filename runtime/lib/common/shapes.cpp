#include "common/shapes.h"

#include "common/layout.h"

#include <algorithm>

namespace tt::runtime {

namespace {
using Shape = std::vector<std::int64_t>;
} // namespace

void expectShape(const char *field, const Shape &expected, const Shape &found) {
  if (expected != found)
    malformed("expected shape ", shapeString(expected), " in field ", field,
              ", found ", shapeString(found));
}

Shape transposedShape(const char *field, const Shape &shape) {
  if (shape.size() < 2)
    malformed("expected a tensor of rank >= 2 to transpose in field ", field,
              ", found ", shapeString(shape));
  Shape result = shape;
  std::swap(result[result.size() - 1], result[result.size() - 2]);
  return result;
}

Shape withoutLeadingOnes(const Shape &shape) {
  if (shape.empty())
    return {};
  return Shape(std::find_if(shape.begin(), shape.end() - 1,
                            [](std::int64_t extent) { return extent != 1; }),
               shape.end());
}

Shape broadcastShapes(const Shape &a, const Shape &b) {
  Shape result(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
    const std::int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1)
      malformed("expected shapes that broadcast, found ", shapeString(a),
                " and ", shapeString(b));
    result[result.size() - 1 - i] = x == 1 ? y : x;
  }
  return result;
}

Shape matmulShape(const Shape &a, const Shape &b) {
  if (a.empty() || b.empty())
    malformed("expected operands of rank >= 1, found ", shapeString(a), " and ",
              shapeString(b));
  const std::int64_t inner = b.size() == 1 ? b[0] : b[b.size() - 2];
  if (a.back() != inner)
    malformed("expected equal inner dimensions, found ", shapeString(a),
              " and ", shapeString(b));
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
    malformed("expected ", field, " from ", -signedRank, " to ", signedRank - 1,
              ", found ", dim);
  return dim < 0 ? dim + signedRank : dim;
}

} // namespace tt::runtime
