#ifndef DIALECTS_TTIR_TRANSFORMS_OPTIMIZER_OVERRIDES_H
#define DIALECTS_TTIR_TRANSFORMS_OPTIMIZER_OVERRIDES_H

#include "dialects/TT/TTTypes.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CommandLine.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mlir::tt::ttir {

/// Grids (rows, columns) that the user demands, by the name of an op's
/// NameLoc.
struct GridOverrides {
  llvm::StringMap<llvm::SmallVector<int64_t, 2>> entries;
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

/// What is wrong with a text such as `4x4:l1:block_sharded`, which demands a
/// layout of the op of that name; empty if nothing.
std::string checkLayoutOverride(llvm::StringRef name, llvm::StringRef text);

/// Demanded layouts by the name of an op's NameLoc.
struct LayoutOverrides {
  llvm::StringMap<LayoutOverride> entries;
};

} // namespace mlir::tt::ttir

namespace llvm::cl {

/// Reads `name=RxC,name=RxC...`.
template <>
class parser<mlir::tt::ttir::GridOverrides>
    : public basic_parser<mlir::tt::ttir::GridOverrides> {
public:
  using basic_parser::basic_parser;

  /// True, with an error on the option, if `text` is ill-formed.
  bool parse(Option &option, StringRef argumentName, StringRef text,
             mlir::tt::ttir::GridOverrides &overrides);

  /// The form that parse() reads, in the order of the names.
  static void print(raw_ostream &os,
                    const mlir::tt::ttir::GridOverrides &overrides);

  void printOptionDiff(const Option &option,
                       const mlir::tt::ttir::GridOverrides &overrides,
                       const OptionValue<mlir::tt::ttir::GridOverrides> &,
                       size_t width) const;

  StringRef getValueName() const override { return "name=RxC,..."; }
};

/// Reads `name=part:part...,name=part...`, where a part is a grid `RxC`, a
/// memory space, a memory layout, `tile` or `row_major`, or a data type.
template <>
class parser<mlir::tt::ttir::LayoutOverrides>
    : public basic_parser<mlir::tt::ttir::LayoutOverrides> {
public:
  using basic_parser::basic_parser;

  /// True, with an error on the option, if `text` is ill-formed.
  bool parse(Option &option, StringRef argumentName, StringRef text,
             mlir::tt::ttir::LayoutOverrides &overrides);

  /// The form that parse() reads, in the order of the names.
  static void print(raw_ostream &os,
                    const mlir::tt::ttir::LayoutOverrides &overrides);

  void printOptionDiff(const Option &option,
                       const mlir::tt::ttir::LayoutOverrides &overrides,
                       const OptionValue<mlir::tt::ttir::LayoutOverrides> &,
                       size_t width) const;

  StringRef getValueName() const override { return "name=part:...,..."; }
};

} // namespace llvm::cl

#endif
