// ttmlir._pjrt: the plugin for JAX. Python gives it the functions that compile
// and run, and gets the function table for JAX.
#include "module.h"

#include "table.h"
#include "worker.h"

using namespace tt::pjrt;

namespace {

// Guarded by the interpreter's lock; never freed, as the table is not.
PyObject *factory = nullptr;
std::int64_t stablehloVersions[2][3] = {};
std::vector<abi::NamedValue> attributes;
abi::Api api;

abi::NamedValue versionAttribute(const char *name, std::int64_t (&version)[3]) {
  abi::NamedValue value = {};
  value.head.struct_size = sizeof(abi::NamedValue);
  value.name = name;
  value.name_size = std::strlen(name);
  value.type = abi::NamedValueType::Int64List;
  value.int64_array_value = version;
  value.value_size = 3;
  return value;
}

void fillTable() {
  Table table(api);
  addEvents(table);
  addClient(table);
  addDevices(table);
  addBuffers(table);
  addTransfers(table);
  addExecutables(table);
  addExecution(table);
}

PyObject *makeApi(PyObject *, PyObject *args) {
  PyObject *backend = nullptr, *start = nullptr, *describe = nullptr;
  auto &[current, minimum] = stablehloVersions;
  if (!PyArg_ParseTuple(args, "OOO(LLL)(LLL)", &backend, &start, &describe,
                        &current[0], &current[1], &current[2], &minimum[0],
                        &minimum[1], &minimum[2]))
    return nullptr;
  Py_INCREF(backend);
  Py_XSETREF(factory, backend);
  Worker::get().setFunctions(Local::share(start), Local::share(describe));
  attributes = {versionAttribute("stablehlo_current_version", current),
                versionAttribute("stablehlo_minimum_version", minimum)};
  fillTable();
  return PyCapsule_New(&api, "pjrt_c_api", nullptr);
}

PyObject *work(PyObject *, PyObject *) {
  Worker::get().run();
  Py_RETURN_NONE;
}

PyObject *stop(PyObject *, PyObject *) {
  Worker::get().stop();
  Py_RETURN_NONE;
}

PyObject *dropAll(PyObject *, PyObject *) {
  Held::dropAll();
  Worker::get().setFunctions(Local(), Local());
  Py_CLEAR(factory);
  Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"api", makeApi, METH_VARARGS,
     "api(backend, start, describe, current, minimum)\n--\n\n"
     "The function table as a capsule, for JAX. `backend` makes a Backend for "
     "a client, `start` starts a thread that calls work(), and `describe` "
     "makes a code and a message of an exception; `current` and `minimum` are "
     "versions of StableHLO."},
    {"work", work, METH_NOARGS,
     "work()\n--\n\nRuns jobs on this thread until stop()."},
    {"stop", stop, METH_NOARGS,
     "stop()\n--\n\nEnds work() behind the job that runs; other jobs fail."},
    {"drop_all", dropAll, METH_NOARGS,
     "drop_all()\n--\n\nDrops all objects of Python that JAX still has, behind "
     "stop() and the end of work()."},
    {nullptr, nullptr, 0, nullptr}};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    "_pjrt",
    "The plugin of ttmlir for JAX: see jax_plugins.ttmlir.",
    -1,
    methods,
    nullptr,
    nullptr,
    nullptr,
    nullptr};

} // namespace

PyObject *tt::pjrt::backendFactory() { return factory; }

const std::vector<abi::NamedValue> &tt::pjrt::pluginAttributeList() {
  return attributes;
}

PyMODINIT_FUNC PyInit__pjrt() { return PyModule_Create(&definition); }
