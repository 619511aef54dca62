#include "table.h"
#include "worker.h"

#include <algorithm>
#include <chrono>

using namespace tt::pjrt;
using namespace tt::pjrt::abi;

namespace {

/// A call on its way to the worker. Arguments and results are those of the
/// first device, then those of the next one, and so on.
struct Call {
  std::shared_ptr<CompiledProgram> program;
  std::vector<std::shared_ptr<Content>> inputs;
  std::vector<bool> givenUp; // by input, the same on all devices
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

/// Takes the contents of the arguments on a device, which all have to be there.
Error *readArguments(Call &call, Buffer *const *buffers, const Device *device) {
  const CompiledProgram &program = *call.program;
  const std::size_t first = call.inputs.size();
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
      return deleted(argument(program, i) + " ", buffer);
    call.inputs.push_back(std::move(content));
  }
  const auto own = call.inputs.begin() + std::ptrdiff_t(first);
  for (std::size_t i = 0; i < program.inputs.size(); ++i)
    if (call.givenUp[i] &&
        std::count(own, call.inputs.end(), own[std::ptrdiff_t(i)]) > 1)
      return invalid(argument(program, i) + " " + buffers[i]->describe() +
                     " is donated, and is another argument, too");
  return nullptr;
}

/// Memory for the outputs; what the inputs give up is free for them.
Failure reserveOutputs(const Call &call) {
  for (std::size_t i = 0; i < call.inputs.size(); ++i)
    if (call.givenUp[i % call.givenUp.size()])
      call.inputs[i]->release();
  for (const auto &output : call.outputs)
    if (Failure none = output->reserve())
      return none;
  return nullptr;
}

/// Calls the Python side and gives its results to the outputs.
Failure callBackend(const Call &call) {
  const CompiledProgram &program = *call.program;
  const Local values(PyList_New(Py_ssize_t(call.inputs.size())));
  const Local given(PyList_New(Py_ssize_t(call.givenUp.size())));
  if (!values || !given)
    return takePythonError();
  for (std::size_t i = 0; i < call.inputs.size(); ++i)
    PyList_SET_ITEM(values.get(), Py_ssize_t(i),
                    Local::share(call.inputs[i]->value.get()).release());
  for (std::size_t i = 0; i < call.givenUp.size(); ++i)
    PyList_SET_ITEM(given.get(), Py_ssize_t(i),
                    PyBool_FromLong(call.givenUp[i]));
  const Local results(PyObject_CallMethod(program.backend->get(), "execute",
                                          "OOO", program.object.get(),
                                          values.get(), given.get()));
  if (!results)
    return takePythonError();
  std::size_t found = 0;
  if (!forItems(results.get(), [&](PyObject *item) {
        if (found < call.outputs.size())
          call.outputs[found]->value.set(Local::share(item));
        ++found;
        return true;
      }))
    return takePythonError();
  if (found != call.outputs.size())
    return makeFailure(
        ErrorCode::Internal,
        program.name + ": expected " + std::to_string(call.outputs.size()) +
            " results of the program, found " + std::to_string(found));
  return nullptr;
}

/// Tells the other processes of a program, who wait for this one, why it does
/// not run it.
void withdraw(const CompiledProgram &program, const Failure &failure) {
  const Local none(PyObject_CallMethod(program.backend->get(), "withdraw", "s",
                                       failure->message.c_str()));
  if (!none)
    takePythonError(); // They have one, too.
}

/// Counts what the chips store now: of an input that the program brought to its
/// chip, and of the outputs.
Failure countMemory(const Call &call) {
  for (const auto *contents : {&call.inputs, &call.outputs})
    for (const auto &content : *contents)
      if (Failure failure = content->settle())
        return failure;
  return nullptr;
}

/// A program that takes less than this runs where it is called if nothing else
/// does: two changes of threads take about as long.
constexpr std::chrono::microseconds kShort(100);

/// Runs the program. If it fails, so do its outputs on all devices.
Failure run(const Call &call) {
  const auto begin = std::chrono::steady_clock::now();
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
  else if (call.program->isDivided)
    withdraw(*call.program, failure);
  if (!failure)
    failure = countMemory(call);
  for (const auto &output : call.outputs) {
    output->failure = failure;
    if (failure)
      output->release();
  }
  call.program->lastTime = std::chrono::steady_clock::now() - begin;
  return failure;
}

/// Whether the call is one that the program can have.
Error *checkCall(const LoadedExecutable_Execute_Args &args) {
  const CompiledProgram &program = *args.executable->program;
  if (args.executable->deleted)
    return invalid(program.name + ": the executable was deleted");
  if (args.num_devices != program.devices.size())
    return invalid(program.name + ": expected arguments for " +
                   std::to_string(program.devices.size()) +
                   " devices, found those for " +
                   std::to_string(args.num_devices));
  if (args.execute_device && (program.devices.size() != 1 ||
                              program.devices.front() != args.execute_device))
    return invalid(program.name + ": the program was compiled for " +
                   program.devices.front()->description.text +
                   (program.devices.size() > 1 ? " and others" : "") +
                   ", and cannot run on " +
                   args.execute_device->description.text);
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

/// Returns at once, but for short programs; the worker runs the program on all
/// its devices behind what was dispatched before. All outputs are ready, or
/// failed, at the same time. A program of several processes has ended when it
/// returns, also with an error: they exchange messages in the order of their
/// scripts.
Error *execute(LoadedExecutable_Execute_Args *args) {
  if (Error *error = checkCall(*args))
    return error;
  auto call = std::make_shared<Call>();
  call->program = args->executable->program;
  call->givenUp = givenUp(*call->program, args->options);
  const std::vector<Device *> &devices = call->program->devices;
  if (args->num_args)
    for (std::size_t d = 0; d < devices.size(); ++d)
      if (Error *error =
              readArguments(*call, args->argument_lists[d], devices[d]))
        return error;

  auto done = std::make_shared<Completion>();
  std::vector<std::unique_ptr<Buffer>> outputs;
  for (Device *device : devices)
    for (const TensorType &type : call->program->outputs) {
      auto content = makeContent(*device, type.type, type.dims, done);
      call->outputs.push_back(content);
      outputs.push_back(std::make_unique<Buffer>(device, type.type, type.dims,
                                                 std::move(content)));
    }
  const std::vector<bool> given = call->givenUp;
  const auto body = [call] { return run(*call); };
  Worker &worker = Worker::get();
  const bool isHere =
      call->program->isDivided || call->program->lastTime.load() < kShort;
  if (Failure failure =
          isHere ? worker.runOrPost(body, done) : worker.post(body, done))
    return copyError(failure);
  if (call->program->isDivided)
    if (Failure failure = done->wait())
      return copyError(failure);
  auto output = outputs.begin();
  for (std::size_t d = 0; d < devices.size(); ++d) {
    for (std::size_t i = 0; i < given.size(); ++i)
      if (given[i])
        args->argument_lists[d][i]->take();
    for (std::size_t i = 0; i < outputs.size() / devices.size(); ++i)
      args->output_lists[d][i] = (output++)->release();
    if (args->device_complete_events)
      args->device_complete_events[d] = new Event{done};
  }
  return nullptr;
}

} // namespace

void tt::pjrt::addExecution(Table &table) {
  table.add(Function::LoadedExecutable_Execute, execute);
}
