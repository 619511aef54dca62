#ifndef CONVERSION_TODAYTOTTIR_IMPORT_H
#define CONVERSION_TODAYTOTTIR_IMPORT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Location.h"

namespace mlir::tt::today {

/// Rebuilds what a text was parsed to in another context.
class Import {
public:
  explicit Import(MLIRContext *context) : context(context) {}

  Location location(Location old);
  /// Numbers, strings, and lists of them; null for others.
  Attribute attribute(Attribute old);
  /// A tensor or an element type. Integers without a sign become signed; the
  /// encoding of a tensor, its layout, is dropped. Null if it has no
  /// counterpart.
  Type type(Type old);
  RankedTensorType tensor(Type old) {
    return dyn_cast_or_null<RankedTensorType>(type(old));
  }
  /// Elements for a tensor of that type; null if they do not fit.
  DenseElementsAttr elements(Attribute old, RankedTensorType type);

  MLIRContext *getContext() const { return context; }

private:
  Location rebuild(Location old);

  MLIRContext *context;
  DenseMap<Location, Location> locations;
  unsigned depth = 0;
};

/// The text behind a mnemonic in an attribute of `ttcore` or `ttir`, as
/// `sum` of `#ttcore.reduce_type<sum>`; nothing for another attribute.
std::optional<StringRef> bodyOf(Attribute attribute, StringRef mnemonic);

/// The integers of an attribute, in whatever form of a list.
std::optional<SmallVector<int64_t>> integersOf(Attribute attribute);

} // namespace mlir::tt::today

#endif
