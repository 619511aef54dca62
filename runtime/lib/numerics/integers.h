// The C++ type of the elements of an integer format.
#ifndef TT_RUNTIME_NUMERICS_INTEGERS_H
#define TT_RUNTIME_NUMERICS_INTEGERS_H

#include "numerics/formats.h"

#include <cstring>

namespace tt::runtime::numerics {

/// body(element), with a zero of the type of an integer format.
template <typename Body> auto withInteger(DType type, Body &&body) {
  // The names of those with a sign begin with an i.
  const bool hasSign = dtypeName(type)[0] == 'i';
  switch (elementSize(type)) {
  case 1:
    return hasSign ? body(int8_t()) : body(uint8_t());
  case 2:
    return hasSign ? body(int16_t()) : body(uint16_t());
  default:
    return hasSign ? body(int32_t()) : body(uint32_t());
  }
}

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_INTEGERS_H
