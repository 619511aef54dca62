#include "emitc/call.h"

#include "ttnn/decoder.h"
#include "ttnn/executor.h"

namespace ttnn::library {

namespace fb = fbs::ttnn;

Call::Call()
    : opened(openDevice()), lock(opened.mutex), target(&currentDevice()) {}

Offset<fbs::TensorRef> Call::ref(const Tensor &tensor) {
  const std::shared_ptr<Tensor::Impl> &impl = tensor.impl();
  auto [entry, isNew] = known.try_emplace(impl.get(), refs.size());
  if (isNew) {
    auto desc = makeDesc(builder, impl->spec);
    tensors.push_back(impl);
    refs.push_back(fbs::CreateTensorRef(builder, std::uint32_t(refs.size() + 1),
                                        0, 0, desc));
  }
  return refs[entry->second];
}

Offset<fbs::TensorRef> Call::use(const Tensor &tensor) {
  elementsOf(tensor);
  return ref(tensor);
}

Offset<fbs::TensorRef> Call::write(const Tensor &tensor) {
  dataOf(tensor);
  results.push_back(tensor.impl());
  return ref(tensor);
}

Offset<fbs::TensorRef> Call::make(const TensorSpec &spec) {
  auto desc = makeDesc(builder, spec);
  results.push_back(
      std::make_shared<Tensor::Impl>(Tensor::Impl{spec, nullptr}));
  // Above the ids of all operands.
  return made = fbs::CreateTensorRef(builder, ~std::uint32_t(0), 0, 0, desc);
}

Offset<fbs::DeviceRef> Call::device(const Device *device) {
  if (!device)
    return 0;
  target = device;
  return fbs::CreateDeviceRef(builder, device->chips.front());
}

static Offset<fb::DeviceComputeKernelConfig>
toTable(flatbuffers::FlatBufferBuilder &builder,
        const std::optional<DeviceComputeKernelConfig> &config) {
  if (!config)
    return 0;
  const auto flag = [](std::optional<bool> value) {
    return value ? flatbuffers::Optional<bool>(*value) : flatbuffers::nullopt;
  };
  flatbuffers::Optional<fbs::MathFidelity> fidelity = flatbuffers::nullopt;
  if (config->math_fidelity)
    fidelity = fbs::MathFidelity(*config->math_fidelity);
  return fb::CreateDeviceComputeKernelConfig(
      builder, fidelity, flag(config->math_approx_mode),
      flag(config->fp32_dest_acc_en), flag(config->packer_l1_acc));
}

/// A program that gets the device and calls the operation; the tensors that
/// exist are its inputs.
const fb::Program *
Call::finish(fb::OpType type, Offset<void> table,
             const std::optional<DeviceComputeKernelConfig> &config) {
  auto chipIds = builder.CreateVector(target->chips);
  auto device = fbs::CreateDeviceRef(builder, target->chips.front());
  auto mesh = builder.CreateVector(target->meshShape);
  auto getDevice =
      fb::CreateGetDeviceOp(builder, nullptr, chipIds, device, mesh);
  const Offset<fb::Operation> operations[] = {
      fb::CreateOperation(builder, fb::OpType::GetDeviceOp, getDevice.Union()),
      fb::CreateOperation(builder, type, table, 0, toTable(builder, config))};
  auto inputs = builder.CreateVector(refs);
  builder.Finish(fb::CreateProgram(builder, 0, inputs, 0,
                                   builder.CreateVector(operations, 2)));
  return flatbuffers::GetRoot<fb::Program>(builder.GetBufferPointer());
}

Tensor Call::run(fb::OpType type, Offset<void> table,
                 const std::optional<DeviceComputeKernelConfig> &config) {
  const fb::Program *tables = finish(type, table, config);
  runtime::ttnn::Program program;
  runtime::ttnn::Decoder decoder(opened.chip(target->chips.front())->geometry(),
                                 std::size_t(opened.system->numChips()),
                                 program);
  decoder.defineInputs(tables->inputs());
  for (fb::Operation const *operation : *tables->operations())
    program.operations.push_back(
        runtime::ttnn::decodeOperation(decoder, program, operation));

  // The executor holds the tensors alone meanwhile, so that it can write over
  // the destination.
  std::vector<emulator::TensorPtr> values(program.values.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    emulator::TensorPtr &data = tensors[i]->data;
    // What lies on one chip, other chips of the device get too.
    if (data->onDevice() && !data->onMesh() && target->chips.size() > 1)
      data = placeTensor(*target, data->layout, "operand", data);
    values[i] = std::move(data);
  }
  const auto giveBack = [&] {
    for (std::size_t i = 0; i < tensors.size(); ++i)
      tensors[i]->data = std::move(values[i]);
  };
  try {
    runtime::ttnn::Executor(opened, program).call(values);
  } catch (...) {
    giveBack();
    throw;
  }
  if (!made.IsNull())
    results.front()->data = std::move(values.back());
  giveBack();
  for (const std::shared_ptr<Tensor::Impl> &result : results)
    result->written = type != fb::OpType::EmptyOp;
  return results.empty() ? Tensor() : result(0);
}

} // namespace ttnn::library
