#include "dialects/TTIR/Transforms/Optimizer/Overrides.h"

#include "dialects/TT/Formats.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mlir::tt;
using namespace mlir::tt::ttir;

/// What is wrong with a text; empty if nothing.
using Problem = std::string;

/// Calls `read` for each entry `name=value` of a list; true, with an error on
/// the option, if one is ill-formed.
static bool
parseEntries(cl::Option &option, StringRef text, StringRef what, StringRef form,
             function_ref<Problem(StringRef name, StringRef value)> read) {
  SmallVector<StringRef> entries;
  text.split(entries, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef entry : entries) {
    SmallVector<StringRef, 2> parts;
    entry.split(parts, '=');
    if (parts.size() != 2 || parts[0].empty() || parts[1].empty())
      return option.error("Invalid format for override " + what + ": " + entry +
                          " (expected " + form + ")");
    if (Problem problem = read(parts[0], parts[1]); !problem.empty())
      return option.error(problem);
  }
  return false;
}

static Problem parseGrid(StringRef text, SmallVectorImpl<int64_t> &grid) {
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

template <typename MapT> static SmallVector<StringRef> sortedKeys(MapT &map) {
  SmallVector<StringRef> names(map.keys());
  llvm::sort(names);
  return names;
}

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

bool cl::parser<GridOverrides>::parse(Option &option, StringRef, StringRef text,
                                      GridOverrides &overrides) {
  auto read = [&](StringRef name, StringRef value) {
    SmallVector<int64_t, 2> grid;
    Problem problem = parseGrid(value, grid);
    if (problem.empty())
      overrides.entries[name] = grid;
    return problem;
  };
  return parseEntries(option, text, "grid sizes", "name=RxC", read);
}

void cl::parser<GridOverrides>::print(raw_ostream &os,
                                      const GridOverrides &overrides) {
  llvm::interleave(
      sortedKeys(overrides.entries), os,
      [&](StringRef name) {
        const auto &grid = overrides.entries.find(name)->second;
        os << name << '=' << grid[0] << 'x' << grid[1];
      },
      ",");
}

void cl::parser<GridOverrides>::printOptionDiff(
    const Option &option, const GridOverrides &overrides,
    const OptionValue<GridOverrides> &, size_t width) const {
  printOptionName(option, width);
  outs() << "= ";
  print(outs(), overrides);
  outs() << '\n';
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// Sets `field` once; false if it has a value already.
template <typename T> static bool setOnce(std::optional<T> &field, T value) {
  if (field)
    return false;
  field = value;
  return true;
}

static std::string dataTypeNames() {
  auto names =
      llvm::map_range(::ttmlir::formats::kFormats, [](const auto &format) {
        return StringRef(format.name);
      });
  return llvm::join(names, ", ");
}

/// Reads one part of a layout. The problem, if any: the part is unknown, or of
/// the same kind as an earlier one.
static Problem parsePart(StringRef name, StringRef part,
                         LayoutOverride &layout) {
  bool isFirst;
  if (!part.empty() && isDigit(part.front())) {
    isFirst = layout.grid.empty();
    if (isFirst)
      return parseGrid(part, layout.grid);
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

static Problem parseLayout(StringRef name, StringRef text,
                           LayoutOverride &layout) {
  SmallVector<StringRef, 5> parts;
  text.split(parts, ':');
  for (StringRef part : parts)
    if (Problem problem = parsePart(name, part, layout); !problem.empty())
      return problem;
  return "";
}

std::string mlir::tt::ttir::checkLayoutOverride(StringRef name,
                                                StringRef text) {
  LayoutOverride layout;
  return parseLayout(name, text, layout);
}

bool cl::parser<LayoutOverrides>::parse(Option &option, StringRef,
                                        StringRef text,
                                        LayoutOverrides &overrides) {
  auto read = [&](StringRef name, StringRef value) {
    LayoutOverride layout;
    Problem problem = parseLayout(name, value, layout);
    if (problem.empty())
      overrides.entries[name] = layout;
    return problem;
  };
  return parseEntries(option, text, "output layout", "name=part:part...", read);
}

void cl::parser<LayoutOverrides>::print(raw_ostream &os,
                                        const LayoutOverrides &overrides) {
  auto printEntry = [&](StringRef name) {
    const LayoutOverride &layout = overrides.entries.find(name)->second;
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
    os << name << '=' << llvm::join(parts, ":");
  };
  llvm::interleave(sortedKeys(overrides.entries), os, printEntry, ",");
}

void cl::parser<LayoutOverrides>::printOptionDiff(
    const Option &option, const LayoutOverrides &overrides,
    const OptionValue<LayoutOverrides> &, size_t width) const {
  printOptionName(option, width);
  outs() << "= ";
  print(outs(), overrides);
  outs() << '\n';
}
