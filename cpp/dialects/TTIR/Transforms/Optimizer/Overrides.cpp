#include "dialects/TTIR/Transforms/Optimizer/Overrides.h"

#include "dialects/TT/Formats.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mlir::tt;
using namespace mlir::tt::ttir;

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

static Problem readGrid(StringRef text, SmallVectorImpl<int64_t> &grid) {
  SmallVector<StringRef, 2> extents;
  text.split(extents, 'x');
  if (extents.size() != 2)
    return ("Invalid grid size: " + text + " (expected two extents, RxC)")
        .str();
  for (StringRef extent : extents)
    if (extent.getAsInteger(10, grid.emplace_back()) || grid.back() < 1)
      return ("Invalid grid size: " + extent + " (expected a positive integer)")
          .str();
  return "";
}

Problem GridOverrides::read(StringRef, StringRef text, Entry &grid) {
  return readGrid(text, grid);
}

void GridOverrides::print(raw_ostream &os, const Entry &grid) {
  os << grid[0] << 'x' << grid[1];
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

static std::string dataTypeNames() {
  auto names =
      llvm::map_range(::ttmlir::formats::kFormats, [](const auto &format) {
        return StringRef(format.name);
      });
  return llvm::join(names, ", ");
}

/// Reads one part of a layout. The problem, if any: the part is unknown, or of
/// the same kind as an earlier one.
static Problem readPart(StringRef name, StringRef part,
                        LayoutOverride &layout) {
  bool isFirst;
  if (!part.empty() && isDigit(part.front())) {
    isFirst = layout.grid.empty();
    if (isFirst)
      return readGrid(part, layout.grid);
  } else if (auto space = symbolizeMemorySpace(part)) {
    isFirst = setOnce(layout.memorySpace, *space);
  } else if (auto memLayout = symbolizeTensorMemoryLayout(part)) {
    isFirst = setOnce(layout.memLayout, *memLayout);
  } else if (auto dataType = parseDataType(part)) {
    isFirst = setOnce(layout.dataType, *dataType);
  } else if (part == "tile" || part == "row_major") {
    isFirst = setOnce(layout.tiled, part == "tile");
  } else {
    return ("Invalid part of an output layout: " + part +
            " (expected a grid RxC, a memory space such as l1, a memory layout "
            "such as block_sharded, tile, row_major, or one of the data "
            "types " +
            dataTypeNames() + ")")
        .str();
  }
  if (!isFirst)
    return ("Output layout of " + name + " has two parts of one kind: " + part +
            " (expected each kind once)")
        .str();
  return "";
}

Problem LayoutOverrides::read(StringRef name, StringRef text,
                              LayoutOverride &layout) {
  for (StringRef part : llvm::split(text, ':'))
    if (Problem problem = readPart(name, part, layout); !problem.empty())
      return problem;
  return "";
}

void LayoutOverrides::print(raw_ostream &os, const LayoutOverride &layout) {
  SmallVector<std::string, 5> parts;
  if (!layout.grid.empty())
    parts.push_back(std::to_string(layout.grid[0]) + "x" +
                    std::to_string(layout.grid[1]));
  if (layout.memorySpace)
    parts.push_back(stringifyEnum(*layout.memorySpace).str());
  if (layout.memLayout)
    parts.push_back(stringifyEnum(*layout.memLayout).str());
  if (layout.tiled)
    parts.push_back(*layout.tiled ? "tile" : "row_major");
  if (layout.dataType)
    parts.push_back(formatOf(*layout.dataType).name);
  os << llvm::join(parts, ":");
}
