#include "table.h"
#include "worker.h"

#include <algorithm>

using namespace tt::pjrt;
using namespace tt::pjrt::abi;

namespace {

/// A call on its way to the worker.
struct Call {
  std::shared_ptr<CompiledProgram> program;
  int chip = 0;
  std::vector<std::shared_ptr<Content>> inputs;
  std::vector<bool> givenUp; // by input
  std::vector<std::shared_ptr<Content>> outputs;
};

std::string argument(const CompiledProgram &program, std::size_t index) {
  return program.name + ": argument " + std::to_string(index);
}

/// Which inputs the caller gives up: those that were donated when the program
/// was compiled, but for the ones of this call that are not to be.
std::vector<bool> givenUp(const CompiledProgram &program,
                          const ExecuteOptions *options) {
  std::vector<bool> given = program.donated;
  if (!options)
    return given;
  for (std::size_t i = 0; i < options->num_non_donatable_input_indices; ++i) {
    const std::int64_t index = options->non_donatable_input_indices[i];
    if (index >= 0 && std::size_t(index) < given.size())
      given[std::size_t(index)] = false;
  }
  return given;
}

/// Takes the contents of the arguments, which all have to be there.
Error *readArguments(Call &call, Buffer *const *buffers, const Device *device) {
  const CompiledProgram &program = *call.program;
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    const Buffer &buffer = *buffers[i];
    if (buffer.device->backend != device->backend)
      return invalid(argument(program, i) + " " + buffer.describe() +
                     " is on a device of another client");
    if (buffer.device != device)
      return invalid(argument(program, i) + " " + buffer.describe() +
                     " is on " + buffer.device->description.text +
                     ", but the program runs on " + device->description.text);
    std::shared_ptr<Content> content = buffer.content();
    if (!content)
      return invalid(argument(program, i) + " " + buffer.describe() +
                     " was deleted or donated, and cannot be used again");
    call.inputs.push_back(std::move(content));
  }
  for (std::size_t i = 0; i < call.inputs.size(); ++i)
    if (call.givenUp[i] &&
        std::count(call.inputs.begin(), call.inputs.end(), call.inputs[i]) > 1)
      return invalid(argument(program, i) + " " + buffers[i]->describe() +
                     " is donated, and is another argument, too");
  return nullptr;
}

/// Memory for the outputs; what the inputs give up is free for them.
Failure reserveOutputs(const Call &call) {
  for (std::size_t i = 0; i < call.inputs.size(); ++i)
    if (call.givenUp[i])
      call.inputs[i]->release();
  for (const auto &output : call.outputs)
    if (Failure none = output->reserve())
      return none;
  return nullptr;
}

/// Calls the Python side and gives its results to the outputs.
Failure callBackend(const Call &call) {
  const CompiledProgram &program = *call.program;
  const auto count = Py_ssize_t(call.inputs.size());
  const Local values(PyList_New(count)), given(PyList_New(count));
  if (!values || !given)
    return takePythonError();
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject *value = call.inputs[std::size_t(i)]->value.get();
    PyList_SET_ITEM(values.get(), i, Local::share(value).release());
    PyList_SET_ITEM(given.get(), i,
                    PyBool_FromLong(call.givenUp[std::size_t(i)]));
  }
  const Local results(PyObject_CallMethod(
      program.backend->get(), "execute", "OOOi", program.object.get(),
      values.get(), given.get(), call.chip));
  const Local list(results ? PySequence_Fast(results.get(), "results")
                           : nullptr);
  if (!list)
    return takePythonError();
  const Py_ssize_t found = PySequence_Fast_GET_SIZE(list.get());
  if (found != Py_ssize_t(call.outputs.size()))
    return makeFailure(
        ErrorCode::Internal,
        program.name + ": expected " + std::to_string(call.outputs.size()) +
            " results of the program, found " + std::to_string(found));
  for (std::size_t i = 0; i < call.outputs.size(); ++i)
    call.outputs[i]->value.set(
        Local::share(PySequence_Fast_GET_ITEM(list.get(), Py_ssize_t(i))));
  return nullptr;
}

/// In a job: runs the program. If it fails, so do its outputs.
Failure run(const Call &call) {
  Failure failure;
  for (const auto &input : call.inputs) {
    PyObject *value = nullptr;
    if (!failure)
      failure = input->get(value);
  }
  if (!failure)
    failure = reserveOutputs(call);
  if (!failure)
    failure = callBackend(call);
  for (const auto &output : call.outputs) {
    output->failure = failure;
    if (failure)
      output->release();
  }
  return failure;
}

/// The device of the call. A program of several devices has no place here yet:
/// it would have lists of arguments and results for each of them.
Error *chooseDevice(const LoadedExecutable_Execute_Args &args,
                    Device *&device) {
  const CompiledProgram &program = *args.executable->program;
  if (args.executable->deleted)
    return invalid(program.name + ": the executable was deleted");
  if (args.num_devices != 1 || program.devices.size() > 1)
    return unimplemented(program.name +
                         ": programs of several devices are not implemented "
                         "by the plugin of ttmlir");
  device = args.execute_device;
  if (!device && !program.devices.empty())
    device = program.devices.front();
  if (!device)
    return invalid(program.name + ": expected a device to run on, found none");
  if (!program.devices.empty() && device != program.devices.front())
    return invalid(program.name + ": the program was compiled for " +
                   program.devices.front()->description.text +
                   ", and cannot run on " + device->description.text);
  if (args.num_args != program.inputs.size())
    return invalid(program.name + ": expected " +
                   std::to_string(program.inputs.size()) +
                   " arguments, found " + std::to_string(args.num_args));
  if (args.options &&
      (args.options->num_send_ops || args.options->num_recv_ops))
    return unimplemented(program.name + ": send and recv are not implemented "
                                        "by the plugin of ttmlir");
  return nullptr;
}

/// Returns at once; the worker runs the program behind what was dispatched
/// before. All outputs are ready, or failed, at the same time.
Error *execute(LoadedExecutable_Execute_Args *args) {
  Device *device = nullptr;
  if (Error *error = chooseDevice(*args, device))
    return error;
  auto call = std::make_shared<Call>();
  call->program = args->executable->program;
  call->chip = device->description.id;
  call->givenUp = givenUp(*call->program, args->options);
  Buffer *const *buffers = args->num_args ? args->argument_lists[0] : nullptr;
  if (Error *error = readArguments(*call, buffers, device))
    return error;

  auto done = std::make_shared<Completion>();
  std::vector<std::unique_ptr<Buffer>> outputs;
  for (const TensorType &type : call->program->outputs) {
    auto content = makeContent(*device, type.type, type.dims, done);
    call->outputs.push_back(content);
    outputs.push_back(std::make_unique<Buffer>(device, type.type, type.dims,
                                               std::move(content)));
  }
  const std::vector<bool> given = call->givenUp;
  if (Failure failure = Worker::get().post([call] { return run(*call); }, done))
    return copyError(failure);
  for (std::size_t i = 0; i < given.size(); ++i)
    if (given[i])
      buffers[i]->take();
  for (std::size_t i = 0; i < outputs.size(); ++i)
    args->output_lists[0][i] = outputs[i].release();
  if (args->device_complete_events)
    args->device_complete_events[0] = new Event{std::move(done)};
  return nullptr;
}

} // namespace

void tt::pjrt::addExecution(Table &table) {
  table.add(Function::LoadedExecutable_Execute, execute);
}
