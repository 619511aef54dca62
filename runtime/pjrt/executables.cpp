#include "table.h"
#include "worker.h"

using namespace tt::pjrt;
using namespace tt::pjrt::abi;

namespace tt::pjrt::abi {
/// Bytes that a function returned and the caller gives back.
struct Bytes {
  std::string data;
};
} // namespace tt::pjrt::abi

namespace {

void deleteBytes(Bytes *bytes) { delete bytes; }

bool readInts(PyObject *list, std::vector<std::int64_t> &numbers) {
  return forItems(list, [&](PyObject *item) {
    numbers.push_back(PyLong_AsLongLong(item));
    return !PyErr_Occurred();
  });
}

/// A list of (type, dims).
bool readTypes(PyObject *list, std::vector<TensorType> &types) {
  return forItems(list, [&](PyObject *item) {
    int type = 0;
    PyObject *dims = nullptr;
    if (!PyArg_ParseTuple(item, "iO", &type, &dims))
      return false;
    types.push_back({BufferType(type), {}});
    return readInts(dims, types.back().dims);
  });
}

void fillOutputs(CompiledProgram &program) {
  for (const TensorType &output : program.outputs) {
    program.outputTypes.push_back(output.type);
    program.outputRanks.push_back(output.dims.size());
    program.outputDims.insert(program.outputDims.end(), output.dims.begin(),
                              output.dims.end());
    program.outputMemoryKinds.push_back(memoryKind);
    program.outputMemoryKindSizes.push_back(std::strlen(memoryKind));
  }
}

/// What `Program.described()` of the Python side says; null for a raised
/// exception.
std::shared_ptr<CompiledProgram> readProgram(const Client &client,
                                             Local object) {
  if (!object)
    return nullptr;
  const Local found(PyObject_CallMethod(object.get(), "described", nullptr));
  const char *texts[5] = {};
  Py_ssize_t sizes[5] = {}, replicas = 1, partitions = 1;
  PyObject *inputs = nullptr, *outputs = nullptr, *donated = nullptr,
           *chips = nullptr;
  long long codeBytes = 0;
  if (!found ||
      !PyArg_ParseTuple(found.get(), "s#s#y#y#y#nnOOOOL", &texts[0], &sizes[0],
                        &texts[1], &sizes[1], &texts[2], &sizes[2], &texts[3],
                        &sizes[3], &texts[4], &sizes[4], &replicas, &partitions,
                        &inputs, &outputs, &donated, &chips, &codeBytes))
    return nullptr;
  auto program = std::make_shared<CompiledProgram>();
  std::string *const members[] = {&program->name, &program->fingerprint,
                                  &program->code, &program->compileOptions,
                                  &program->deviceAssignment};
  for (int i = 0; i < 5; ++i)
    members[i]->assign(texts[i], std::size_t(sizes[i]));
  std::vector<std::int64_t> numbers, ids;
  if (!readTypes(inputs, program->inputs) ||
      !readTypes(outputs, program->outputs) || !readInts(donated, numbers) ||
      !readInts(chips, ids))
    return nullptr;
  program->donated.resize(program->inputs.size());
  for (const std::int64_t number : numbers)
    if (number >= 0 && std::size_t(number) < program->donated.size())
      program->donated[std::size_t(number)] = true;
  for (const std::int64_t id : ids) {
    if (id < 0 || std::size_t(id) >= client.devices.size()) {
      PyErr_Format(PyExc_ValueError, "no chip %lld: the system has %zu",
                   static_cast<long long>(id), client.devices.size());
      return nullptr;
    }
    Device *device = client.devicePointers[std::size_t(id)];
    if (device->isAddressable())
      program->devices.push_back(device);
    else
      program->isDivided = true;
  }
  program->backend = client.backend;
  program->replicas = std::size_t(replicas);
  program->partitions = std::size_t(partitions);
  program->codeBytes = codeBytes;
  fillOutputs(*program);
  program->object.set(std::move(object));
  return program;
}

/// The executable of a program that Python made, or the error.
Error *giveLoaded(const Client &client, Local object, LoadedExecutable *&to) {
  std::shared_ptr<CompiledProgram> program =
      readProgram(client, std::move(object));
  if (!program)
    return copyError(takePythonError());
  to = new LoadedExecutable{std::move(program)};
  return nullptr;
}

/// On the thread of the caller: compiling touches no device.
Error *clientCompile(Client_Compile_Args *args) {
  const Gil gil;
  const Program &program = *args->program;
  return giveLoaded(
      *args->client,
      Local(PyObject_CallMethod(
          args->client->backend->get(), "compile", "y#s#y#", program.code,
          Py_ssize_t(program.code_size), program.format,
          Py_ssize_t(program.format_size), args->compile_options,
          Py_ssize_t(args->compile_options_size))),
      args->executable);
}

Error *deserializeAndLoad(Executable_DeserializeAndLoad_Args *args) {
  const char *options = nullptr;
  std::size_t size = 0;
  if (args->head.struct_size >= sizeof(*args) &&
      args->overridden_serialized_compile_options) {
    options = args->overridden_serialized_compile_options;
    size = args->overridden_serialized_compile_options_size;
  }
  const Gil gil;
  return giveLoaded(
      *args->client,
      Local(PyObject_CallMethod(args->client->backend->get(), "load", "y#y#",
                                args->serialized_executable,
                                Py_ssize_t(args->serialized_executable_size),
                                options, Py_ssize_t(size))),
      args->loaded_executable);
}

Error *executableSerialize(Executable_Serialize_Args *args) {
  const Gil gil;
  PyObject *program = args->executable->program->object.get();
  if (!program)
    return makeError(ErrorCode::Cancelled,
                     "the Python interpreter is about to end");
  const Local found(PyObject_CallMethod(program, "serialize", nullptr));
  char *data = nullptr;
  Py_ssize_t size = 0;
  if (!found || PyBytes_AsStringAndSize(found.get(), &data, &size) != 0)
    return copyError(takePythonError());
  auto *bytes = new Bytes{std::string(data, std::size_t(size))};
  giveText(bytes->data, args->serialized_bytes, args->serialized_bytes_size);
  args->serialized_executable = bytes;
  args->serialized_executable_deleter = deleteBytes;
  return nullptr;
}

Error *executableDestroy(Executable_Destroy_Args *args) {
  delete args->executable;
  return nullptr;
}

Error *executableName(Executable_Name_Args *args) {
  giveText(args->executable->program->name, args->executable_name,
           args->executable_name_size);
  return nullptr;
}

Error *executableNumReplicas(Executable_NumReplicas_Args *args) {
  args->num_replicas = args->executable->program->replicas;
  return nullptr;
}

Error *executableNumPartitions(Executable_NumPartitions_Args *args) {
  args->num_partitions = args->executable->program->partitions;
  return nullptr;
}

Error *executableNumOutputs(Executable_NumOutputs_Args *args) {
  args->num_outputs = args->executable->program->outputs.size();
  return nullptr;
}

Error *executableCodeSize(Executable_SizeOfGeneratedCodeInBytes_Args *args) {
  args->size_in_bytes = args->executable->program->codeBytes;
  return nullptr;
}

/// Of executables of both kinds.
template <typename Args> Error *fingerprint(Args *args) {
  giveText(args->executable->program->fingerprint, args->executable_fingerprint,
           args->executable_fingerprint_size);
  return nullptr;
}

Error *executableOutputTypes(Executable_OutputElementTypes_Args *args) {
  std::vector<BufferType> &types = args->executable->program->outputTypes;
  args->output_types = types.data();
  args->num_output_types = types.size();
  return nullptr;
}

Error *executableOutputDimensions(Executable_OutputDimensions_Args *args) {
  const CompiledProgram &program = *args->executable->program;
  args->num_outputs = program.outputs.size();
  args->dims = program.outputDims.data();
  args->dim_sizes = program.outputRanks.data();
  return nullptr;
}

Error *executableOutputMemoryKinds(Executable_OutputMemoryKinds_Args *args) {
  const CompiledProgram &program = *args->executable->program;
  args->num_outputs = program.outputs.size();
  args->memory_kinds = program.outputMemoryKinds.data();
  args->memory_kind_sizes = program.outputMemoryKindSizes.data();
  return nullptr;
}

/// The program as it was given: JAX asks it for shardings.
Error *executableOptimizedProgram(Executable_OptimizedProgram_Args *args) {
  static constexpr char format[] = "mlir";
  const std::string &code = args->executable->program->code;
  args->program->format = format;
  args->program->format_size = std::strlen(format);
  if (!args->program->code) {
    args->program->code_size = code.size();
    return nullptr;
  }
  if (args->program->code_size < code.size())
    return invalid("expected room for " + std::to_string(code.size()) +
                   " bytes of a program, found " +
                   std::to_string(args->program->code_size));
  std::memcpy(args->program->code, code.data(), code.size());
  return nullptr;
}

/// The bytes belong to the program; there is nothing to delete.
Error *executableCompileOptions(Executable_GetCompileOptions_Args *args) {
  giveText(args->executable->program->compileOptions, args->serialized_bytes,
           args->serialized_bytes_size);
  args->serialized_compile_options = nullptr;
  args->serialized_compile_options_deleter = [](Bytes *) {};
  return nullptr;
}

std::int64_t bytesOf(const std::vector<TensorType> &types) {
  std::int64_t total = 0;
  for (const TensorType &type : types)
    total += std::int64_t(tensorBytes(type.type, type.dims));
  return total;
}

/// Of arguments and results. What a program needs in between is in its report.
Error *executableMemoryStats(Executable_GetCompiledMemoryStats_Args *args) {
  const CompiledProgram &program = *args->executable->program;
  // Older callers end before the last members.
  const std::size_t known = std::min(
      args->head.struct_size, sizeof(Executable_GetCompiledMemoryStats_Args));
  constexpr std::size_t first = offsetof(Executable_GetCompiledMemoryStats_Args,
                                         generated_code_size_in_bytes);
  if (known > first)
    std::memset(reinterpret_cast<char *>(args) + first, 0, known - first);
  args->generated_code_size_in_bytes = program.codeBytes;
  args->argument_size_in_bytes = bytesOf(program.inputs);
  args->output_size_in_bytes = bytesOf(program.outputs);
  return nullptr;
}

Error *loadedDestroy(LoadedExecutable_Destroy_Args *args) {
  delete args->executable;
  return nullptr;
}

Error *loadedGetExecutable(LoadedExecutable_GetExecutable_Args *args) {
  args->executable = new Executable{args->loaded_executable->program};
  return nullptr;
}

Error *loadedDevices(LoadedExecutable_AddressableDevices_Args *args) {
  const std::vector<Device *> &devices = args->executable->program->devices;
  args->addressable_devices = devices.data();
  args->num_addressable_devices = devices.size();
  return nullptr;
}

Error *loadedDeviceAssignment(LoadedExecutable_GetDeviceAssignment_Args *args) {
  giveText(args->executable->program->deviceAssignment, args->serialized_bytes,
           args->serialized_bytes_size);
  args->serialized_device_assignment = nullptr;
  args->serialized_device_assignment_deleter = [](Bytes *) {};
  return nullptr;
}

Error *loadedDelete(LoadedExecutable_Delete_Args *args) {
  args->executable->deleted = true;
  return nullptr;
}

Error *loadedIsDeleted(LoadedExecutable_IsDeleted_Args *args) {
  args->is_deleted = args->executable->deleted;
  return nullptr;
}

} // namespace

void tt::pjrt::addExecutables(Table &table) {
  table.add(Function::Client_Compile, clientCompile);
  table.add(Function::Executable_DeserializeAndLoad, deserializeAndLoad);
  table.add(Function::Executable_Serialize, executableSerialize);
  table.add(Function::Executable_Destroy, executableDestroy);
  table.add(Function::Executable_Name, executableName);
  table.add(Function::Executable_NumReplicas, executableNumReplicas);
  table.add(Function::Executable_NumPartitions, executableNumPartitions);
  table.add(Function::Executable_NumOutputs, executableNumOutputs);
  table.add(Function::Executable_SizeOfGeneratedCodeInBytes,
            executableCodeSize);
  table.add(Function::Executable_Fingerprint,
            fingerprint<Executable_Fingerprint_Args>);
  table.add(Function::Executable_OutputElementTypes, executableOutputTypes);
  table.add(Function::Executable_OutputDimensions, executableOutputDimensions);
  table.add(Function::Executable_OutputMemoryKinds,
            executableOutputMemoryKinds);
  table.add(Function::Executable_OptimizedProgram, executableOptimizedProgram);
  table.add(Function::Executable_GetCompileOptions, executableCompileOptions);
  table.add(Function::Executable_GetCompiledMemoryStats, executableMemoryStats);
  table.add(Function::LoadedExecutable_Destroy, loadedDestroy);
  table.add(Function::LoadedExecutable_GetExecutable, loadedGetExecutable);
  table.add(Function::LoadedExecutable_AddressableDevices, loadedDevices);
  table.add(Function::LoadedExecutable_GetDeviceAssignment,
            loadedDeviceAssignment);
  table.add(Function::LoadedExecutable_Delete, loadedDelete);
  table.add(Function::LoadedExecutable_IsDeleted, loadedIsDeleted);
  table.add(Function::LoadedExecutable_Fingerprint,
            fingerprint<LoadedExecutable_Fingerprint_Args>);
}
