// The parts of the Python module; each binds one group of the public API.
#ifndef TT_RUNTIME_PYTHON_BINDINGS_H
#define TT_RUNTIME_PYTHON_BINDINGS_H

#include <nanobind/nanobind.h>

#include <cstdint>
#include <vector>

namespace tt::runtime::python {

/// Extents or an offset of a mesh, as numbers of Python; throws where they are
/// negative or too large.
std::vector<std::uint32_t> toExtents(const char *name,
                                     const std::vector<std::int64_t> &numbers);

void bindNativeCalls(nanobind::module_ &m);
void bindErrors();
void bindFiles(nanobind::module_ &m);
void bindTensors(nanobind::module_ &m);
void bindDevices(nanobind::module_ &m);

} // namespace tt::runtime::python

#endif // TT_RUNTIME_PYTHON_BINDINGS_H
