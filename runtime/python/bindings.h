// The parts of the Python module; each binds one group of the public API.
#ifndef TT_RUNTIME_PYTHON_BINDINGS_H
#define TT_RUNTIME_PYTHON_BINDINGS_H

#include <nanobind/nanobind.h>

namespace tt::runtime::python {

void bindErrors(nanobind::module_ &m);
void bindFiles(nanobind::module_ &m);
void bindTensors(nanobind::module_ &m);
void bindDevices(nanobind::module_ &m);

} // namespace tt::runtime::python

#endif // TT_RUNTIME_PYTHON_BINDINGS_H
