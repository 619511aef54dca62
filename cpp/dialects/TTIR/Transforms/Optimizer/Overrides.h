#ifndef DIALECTS_TTIR_TRANSFORMS_OPTIMIZER_OVERRIDES_H
#define DIALECTS_TTIR_TRANSFORMS_OPTIMIZER_OVERRIDES_H

#include "dialects/TT/OverridesParser.h"
#include "dialects/TT/TTTypes.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace mlir::tt::ttir {

/// Grids, rows and columns, as `RxC`.
struct GridOverrides
    : public Overrides<GridOverrides, llvm::SmallVector<int64_t, 2>> {
  static constexpr const char *kWhat = "grid sizes";
  static constexpr const char *kForm = "RxC";
  static constexpr const char *kValueName = "name=RxC,...";
  static Problem read(llvm::StringRef name, llvm::StringRef text, Entry &grid);
  static void print(llvm::raw_ostream &os, const Entry &grid);
};

/// What the user demands of the layout of a result; the rest is the
/// optimizer's choice.
struct LayoutOverride {
  /// Rows and columns; empty if not demanded.
  llvm::SmallVector<int64_t, 2> grid;
  std::optional<MemorySpace> memorySpace;
  std::optional<TensorMemoryLayout> memLayout;
  /// Tiles or rows of scalars.
  std::optional<bool> tiled;
  std::optional<DataType> dataType;
};

/// Layouts as `part:part...`, where a part is a grid `RxC`, a memory space, a
/// memory layout, `tile` or `row_major`, or a data type.
struct LayoutOverrides : public Overrides<LayoutOverrides, LayoutOverride> {
  static constexpr const char *kWhat = "output layout";
  static constexpr const char *kForm = "part:part...";
  static constexpr const char *kValueName = "name=part:...,...";
  static Problem read(llvm::StringRef name, llvm::StringRef text,
                      LayoutOverride &layout);
  static void print(llvm::raw_ostream &os, const LayoutOverride &layout);
};

} // namespace mlir::tt::ttir

namespace llvm::cl {

template <>
class parser<mlir::tt::ttir::GridOverrides>
    : public OverridesParser<mlir::tt::ttir::GridOverrides> {
public:
  using OverridesParser::OverridesParser;
};

template <>
class parser<mlir::tt::ttir::LayoutOverrides>
    : public OverridesParser<mlir::tt::ttir::LayoutOverrides> {
public:
  using OverridesParser::OverridesParser;
};

} // namespace llvm::cl

#endif
