// Places of elements in tensors by rows.
#ifndef TT_TEST_UNITTESTS_NUMERICS_INDICES_H
#define TT_TEST_UNITTESTS_NUMERICS_INDICES_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tt::runtime::numerics::test {

using Shape = std::vector<int64_t>;

inline int64_t volumeOf(const Shape &shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

inline Shape indexOf(const Shape &shape, int64_t at) {
  Shape index(shape.size());
  for (size_t d = shape.size(); d-- > 0; at /= shape[d])
    index[d] = at % shape[d];
  return index;
}

inline int64_t offsetOf(const Shape &shape, const Shape &index) {
  int64_t offset = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    offset = offset * shape[d] + index[d];
  return offset;
}

} // namespace tt::runtime::numerics::test

#endif // TT_TEST_UNITTESTS_NUMERICS_INDICES_H
