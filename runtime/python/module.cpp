#include "bindings.h"

NB_MODULE(_runtime, m) {
  m.doc() = "Runtime of compiled programs, with the emulated chips.";
  tt::runtime::python::bindErrors(m);
  tt::runtime::python::bindFiles(m);
  tt::runtime::python::bindTensors(m);
  tt::runtime::python::bindDevices(m);
}
