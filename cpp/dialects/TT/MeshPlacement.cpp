#include "dialects/TT/MeshPlacement.h"

#include "dialects/TT/Mesh.h"

using namespace mlir;
using namespace mlir::tt;

namespace {

/// Chips tried before the search gives up: enough for every system that is
/// built as a mesh or torus, and short for one that is not.
constexpr int64_t kMostTries = 100000;

/// Depth-first search for chips, position by position. A position is tied to
/// the earlier ones that must be linked to it.
class Search {
public:
  Search(SystemDescAttr systemDesc, ArrayRef<int64_t> shape,
         ArrayRef<int64_t> ringAxes);

  /// Whether `chips` ties all positions to linked chips.
  bool fits(ArrayRef<unsigned> chips) const;
  /// Whether there is a placement; leaves the smallest in `chips`.
  bool run(SmallVectorImpl<unsigned> &chips);

private:
  bool fits(int64_t position, unsigned chip, ArrayRef<unsigned> chips) const {
    return llvm::all_of(earlier[position], [&](int64_t other) {
      return llvm::is_contained(neighbours[chips[other]], chip);
    });
  }
  /// The first chip from `next` on for the position behind `chips`; the number
  /// of chips if there is none.
  unsigned findChip(unsigned next, ArrayRef<unsigned> chips,
                    ArrayRef<bool> used) const;

  unsigned numChips;
  /// Of each chip, in ascending order.
  std::vector<SmallVector<unsigned, 4>> neighbours;
  SmallVector<SmallVector<int64_t>> earlier;
};

} // namespace

Search::Search(SystemDescAttr systemDesc, ArrayRef<int64_t> shape,
               ArrayRef<int64_t> ringAxes)
    : numChips(systemDesc.getNumChips()), neighbours(numChips) {
  for (ChipChannelAttr channel : systemDesc.getChipChannels()) {
    unsigned chip0 = channel.getDeviceId0(), chip1 = channel.getDeviceId1();
    neighbours[chip0].push_back(chip1);
    neighbours[chip1].push_back(chip0);
  }
  for (auto &chips : neighbours) {
    llvm::sort(chips);
    chips.erase(llvm::unique(chips), chips.end());
  }
  SmallVector<unsigned> positions =
      llvm::to_vector(llvm::seq<unsigned>(0, volume(shape)));
  Mesh mesh(shape, positions);
  earlier.resize(positions.size());
  for (int64_t position : positions)
    for (int64_t axis = 0; axis < mesh.getRank(); ++axis) {
      if (auto before = mesh.getNeighbour(position, axis, -1))
        earlier[position].push_back(*before);
      if (!llvm::is_contained(ringAxes, axis))
        continue;
      int64_t first = *mesh.getNeighbour(position, axis, 1, /*wrap=*/true);
      if (first < position)
        earlier[position].push_back(first);
    }
}

bool Search::fits(ArrayRef<unsigned> chips) const {
  for (auto [position, chip] : llvm::enumerate(chips))
    if (!fits(position, chip, chips))
      return false;
  return true;
}

unsigned Search::findChip(unsigned next, ArrayRef<unsigned> chips,
                          ArrayRef<bool> used) const {
  ArrayRef<int64_t> tied = earlier[chips.size()];
  if (tied.empty())
    return next;
  for (unsigned chip : neighbours[chips[tied.front()]])
    if (chip >= next && !used[chip] && fits(chips.size(), chip, chips))
      return chip;
  return numChips;
}

bool Search::run(SmallVectorImpl<unsigned> &chips) {
  size_t size = earlier.size();
  chips.clear();
  SmallVector<bool> used(numChips, false);
  unsigned next = 0;
  for (int64_t tries = 0; tries < kMostTries && chips.size() < size; ++tries) {
    next = findChip(next, chips, used);
    if (next < numChips) {
      used[next] = true;
      chips.push_back(next);
      next = 0;
      continue;
    }
    if (chips.empty())
      return false;
    next = chips.pop_back_val();
    used[next++] = false;
  }
  return chips.size() == size;
}

/// Sets of the axes of extent three or more, larger sets first.
static SmallVector<SmallVector<int64_t>>
getRingChoices(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> axes;
  for (auto [axis, extent] : llvm::enumerate(shape))
    if (extent > 2)
      axes.push_back(axis);
  SmallVector<SmallVector<int64_t>> choices;
  for (unsigned bits = 0; bits < 1u << axes.size(); ++bits) {
    SmallVector<int64_t> choice;
    for (auto [i, axis] : llvm::enumerate(axes))
      if (bits >> i & 1)
        choice.push_back(axis);
    choices.push_back(choice);
  }
  llvm::stable_sort(choices, [](const auto &a, const auto &b) {
    return a.size() > b.size();
  });
  return choices;
}

SmallVector<unsigned> mlir::tt::getMeshPlacement(SystemDescAttr systemDesc,
                                                 ArrayRef<int64_t> meshShape) {
  SmallVector<unsigned> first =
      llvm::to_vector(llvm::seq<unsigned>(0, volume(meshShape)));
  // Dimensions of one chip tie nothing together and may be many.
  SmallVector<int64_t> shape = llvm::filter_to_vector(
      meshShape, [](int64_t extent) { return extent > 1; });
  if (Search(systemDesc, shape, {}).fits(first))
    return first;
  SmallVector<unsigned> chips;
  for (const SmallVector<int64_t> &rings : getRingChoices(shape))
    if (Search(systemDesc, shape, rings).run(chips))
      return chips;
  return first;
}
