#include "dialects/TTIR/Transforms/Memory/L1Pressure.h"

#include <algorithm>

namespace mlir::tt::ttir {

L1Pressure::L1Pressure(unsigned numSteps) {
  while (this->numSteps < numSteps)
    this->numSteps *= 2;
  nodes.resize(2 * this->numSteps);
}

void L1Pressure::add(unsigned first, unsigned last, int64_t bytes) {
  if (first <= last)
    add(1, 0, numSteps, first, last + 1, bytes);
}

int64_t L1Pressure::getMax(unsigned first, unsigned last) const {
  return first <= last ? getMax(1, 0, numSteps, first, last + 1) : 0;
}

void L1Pressure::add(unsigned node, unsigned begin, unsigned end,
                     unsigned first, unsigned last, int64_t bytes) {
  if (last <= begin || end <= first)
    return;
  Node &here = nodes[node];
  if (first <= begin && end <= last) {
    here.everywhere += bytes;
    here.max += bytes;
    return;
  }
  unsigned middle = (begin + end) / 2;
  add(2 * node, begin, middle, first, last, bytes);
  add(2 * node + 1, middle, end, first, last, bytes);
  here.max =
      here.everywhere + std::max(nodes[2 * node].max, nodes[2 * node + 1].max);
}

int64_t L1Pressure::getMax(unsigned node, unsigned begin, unsigned end,
                           unsigned first, unsigned last) const {
  const Node &here = nodes[node];
  if (first <= begin && end <= last)
    return here.max;
  unsigned middle = (begin + end) / 2;
  if (last <= middle)
    return here.everywhere + getMax(2 * node, begin, middle, first, last);
  if (middle <= first)
    return here.everywhere + getMax(2 * node + 1, middle, end, first, last);
  return here.everywhere +
         std::max(getMax(2 * node, begin, middle, first, last),
                  getMax(2 * node + 1, middle, end, first, last));
}

} // namespace mlir::tt::ttir
