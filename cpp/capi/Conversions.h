#ifndef TTMLIR_CAPI_CONVERSIONS_H
#define TTMLIR_CAPI_CONVERSIONS_H

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"

namespace mlir::tt::capi {

/// Emits errors of `getChecked` functions at an unknown location.
inline auto errorEmitter(MlirContext context) {
  return [ctx = unwrap(context)] { return emitError(UnknownLoc::get(ctx)); };
}

/// The wrapped attribute as AttrT; the caller knows its kind.
template <typename AttrT> AttrT as(MlirAttribute attr) {
  return cast<AttrT>(unwrap(attr));
}

/// A C array of attributes as attributes of one class.
template <typename AttrT>
SmallVector<AttrT> asArray(const MlirAttribute *data, size_t size) {
  SmallVector<AttrT> result;
  result.reserve(size);
  for (size_t i = 0; i < size; ++i)
    result.push_back(as<AttrT>(data[i]));
  return result;
}

/// Shows an array inside an attribute to C. An attribute and its C handle are
/// both one pointer to the same storage.
template <typename AttrT>
size_t show(ArrayRef<AttrT> array, const MlirAttribute **data) {
  static_assert(sizeof(AttrT) == sizeof(MlirAttribute));
  *data = reinterpret_cast<const MlirAttribute *>(array.data());
  return array.size();
}
template <typename NumberT>
size_t show(ArrayRef<NumberT> array, const NumberT **data) {
  *data = array.data();
  return array.size();
}

/// Pairs of begin and end in the form of the layout arithmetic.
inline SmallVector<std::pair<int64_t, int64_t>>
asIntervals(const int64_t *intervals, size_t numIntervals) {
  SmallVector<std::pair<int64_t, int64_t>> result;
  for (size_t i = 0; i < numIntervals; ++i)
    result.emplace_back(intervals[2 * i], intervals[2 * i + 1]);
  return result;
}

/// A value outside the enumeration is an error, not an attribute.
template <typename EnumT, typename AttrT>
MlirAttribute getEnumAttr(MlirContext context, uint32_t value,
                          std::optional<EnumT> (*symbolize)(uint32_t),
                          StringRef name) {
  if (std::optional<EnumT> symbol = symbolize(value))
    return wrap(AttrT::get(unwrap(context), *symbol));
  errorEmitter(context)() << "unknown " << name << ' ' << value;
  return MlirAttribute{nullptr};
}

} // namespace mlir::tt::capi

/// Defines the test and the type id that every attribute has: of the class
/// mlir::tt::<Name>Attr for the prefix TT, of mlir::tt::ttnn for TTNN.
#define TTMLIR_DEFINE_ATTR_OF(Prefix, Class, Name)                             \
  bool ttmlirAttributeIsA##Prefix##Name(MlirAttribute attr) {                  \
    return mlir::isa<Class>(unwrap(attr));                                     \
  }                                                                            \
  MlirTypeID ttmlir##Prefix##Name##AttrGetTypeID() {                           \
    return wrap(Class::getTypeID());                                           \
  }

#endif
