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

/// Pairs of begin and end as the layout arithmetic takes them.
inline SmallVector<std::pair<int64_t, int64_t>>
asIntervals(const int64_t *intervals, size_t numIntervals) {
  SmallVector<std::pair<int64_t, int64_t>> result;
  for (size_t i = 0; i < numIntervals; ++i)
    result.emplace_back(intervals[2 * i], intervals[2 * i + 1]);
  return result;
}

} // namespace mlir::tt::capi

/// Defines the test and the type id that every attribute has.
#define TTMLIR_DEFINE_ATTR(Name)                                               \
  bool ttmlirAttributeIsATT##Name(MlirAttribute attr) {                        \
    return mlir::isa<mlir::tt::Name##Attr>(unwrap(attr));                      \
  }                                                                            \
  MlirTypeID ttmlirTT##Name##AttrGetTypeID() {                                 \
    return wrap(mlir::tt::Name##Attr::getTypeID());                            \
  }

#endif
