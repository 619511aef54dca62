#include "dialects/TTIR/Transforms/Recognition/Heads.h"
#include "dialects/TTIR/Transforms/Recognition/Matchers.h"

namespace mlir::tt::ttir::heads {

static Value skipReshapes(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getInput();
  return value;
}

/// A table whose negative numbers are clamped to 0.
static Value getTable(Value indices) {
  auto maximum = indices.getDefiningOp<MaximumOp>();
  if (!maximum)
    return indices;
  for (unsigned i : {0u, 1u})
    if (Matcher::getInteger(maximum->getOperand(i)) == 0 &&
        graph::shapeOf(maximum->getOperand(1 - i)) == graph::shapeOf(indices))
      return maximum->getOperand(1 - i);
  return indices;
}

std::optional<Paged> findPaged(Value keys) {
  ArrayRef<int64_t> all = graph::shapeOf(keys);
  Value value = skipReshapes(keys);
  auto permute = value.getDefiningOp<PermuteOp>();
  if (permute) {
    if (permute.getPermutation() != ArrayRef<int64_t>({0, 2, 1, 3, 4}))
      return std::nullopt;
    value = skipReshapes(permute.getInput());
  }
  auto embedding = value.getDefiningOp<EmbeddingOp>();
  auto rows = embedding ? embedding.getWeight().getDefiningOp<ReshapeOp>()
                        : ReshapeOp();
  if (!rows)
    return std::nullopt;
  Paged found{rows.getInput(), getTable(embedding.getInput())};
  ArrayRef<int64_t> blocks = graph::shapeOf(found.blocks),
                    table = graph::shapeOf(found.table);
  if (blocks.size() != 4 || table.size() != 2 ||
      graph::shapeOf(rows) !=
          ArrayRef<int64_t>({blocks[0], blocks[1] * blocks[2] * blocks[3]}) ||
      all != ArrayRef<int64_t>(
                 {table[0], blocks[1], table[1] * blocks[2], blocks[3]}) ||
      graph::elementOf(found.blocks) != graph::elementOf(keys))
    return std::nullopt;
  // If there are several heads and blocks, the heads come before the blocks.
  int64_t split[] = {table[0], table[1], blocks[1], blocks[2], blocks[3]};
  bool isInOrder =
      permute ? graph::shapeOf(permute.getInput()) == ArrayRef<int64_t>(split)
              : table[1] == 1 || blocks[1] == 1;
  return isInOrder ? std::optional(found) : std::nullopt;
}

} // namespace mlir::tt::ttir::heads
