#ifndef DIALECTS_TTIR_TRANSFORMS_GRIDOVERRIDES_H
#define DIALECTS_TTIR_TRANSFORMS_GRIDOVERRIDES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CommandLine.h"

#include <cstdint>

namespace mlir::tt::ttir {

/// Grids (rows, columns) that the user demands, by the name of an op's
/// NameLoc.
struct GridOverrides {
  llvm::StringMap<llvm::SmallVector<int64_t, 2>> grids;

  bool empty() const { return grids.empty(); }
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

} // namespace llvm::cl

#endif
