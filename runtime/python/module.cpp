#include "bindings.h"

#include "tt/runtime/clock.h"
#include "ttmlir/Version.h"

NB_MODULE(_runtime, m) {
  m.doc() = "Runtime of compiled programs, with the emulated chips.";
  m.attr("__version__") = TTMLIR_VERSION;
  m.attr("clock") =
      nanobind::capsule(reinterpret_cast<void *>(&tt::runtime::modelledCycles),
                        "tt::runtime::modelledCycles");
  tt::runtime::python::bindNativeCalls(m);
  tt::runtime::python::bindErrors();
  tt::runtime::python::bindFiles(m);
  tt::runtime::python::bindKernels(m);
  tt::runtime::python::bindTensors(m);
  tt::runtime::python::bindDevices(m);
  tt::runtime::python::bindTransports(m);
  tt::runtime::python::bindCaptures(m);
  tt::runtime::python::bindDebugger(m);
  tt::runtime::python::bindPipelines(m);
}
