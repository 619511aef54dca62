#include "dialects/TTIR/Transforms/GridOverrides.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using mlir::tt::ttir::GridOverrides;

bool cl::parser<GridOverrides>::parse(Option &option, StringRef, StringRef text,
                                      GridOverrides &overrides) {
  SmallVector<StringRef> entries;
  text.split(entries, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef entry : entries) {
    SmallVector<StringRef, 2> parts;
    entry.split(parts, '=');
    if (parts.size() != 2 || parts[0].empty())
      return option.error("Invalid format for override grid sizes: " + entry +
                          " (expected name=RxC)");

    SmallVector<StringRef, 2> extents;
    parts[1].split(extents, 'x');
    if (extents.size() != 2)
      return option.error("Invalid grid size: " + parts[1] +
                          " (expected two extents, RxC)");
    SmallVector<int64_t, 2> grid;
    for (StringRef extent : extents)
      if (extent.getAsInteger(10, grid.emplace_back()) || grid.back() < 1)
        return option.error("Invalid grid size: " + extent +
                            " (expected a positive integer)");
    overrides.grids[parts[0]] = grid;
  }
  return false;
}

void cl::parser<GridOverrides>::print(raw_ostream &os,
                                      const GridOverrides &overrides) {
  SmallVector<StringRef> names(overrides.grids.keys());
  llvm::sort(names);
  llvm::interleave(
      names, os,
      [&](StringRef name) {
        const auto &grid = overrides.grids.find(name)->second;
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
