// What the extension module was given by Python.
#ifndef TT_PJRT_MODULE_H
#define TT_PJRT_MODULE_H

#include "abi.h"
#include "python_object.h"

#include <vector>

namespace tt::pjrt {

/// The function of Python that makes a `Backend`; borrowed. With the
/// interpreter's lock.
PyObject *backendFactory();

/// What the plugin says of itself: the versions of StableHLO that it reads.
const std::vector<abi::NamedValue> &pluginAttributeList();

} // namespace tt::pjrt

#endif // TT_PJRT_MODULE_H
