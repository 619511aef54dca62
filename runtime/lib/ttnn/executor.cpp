#include "ttnn/executor.h"

#include "common/decoder.h"
#include "emulator/recorder.h"
#include "ttnn/cost.h"

#include <stdexcept>

namespace tt::runtime::ttnn {

using emulator::View;
using kernels::DType;

DType commonType(std::initializer_list<DType> operands, DType result) {
  const DType first = emulator::plainType(result);
  bool same = true, integers = kernels::isInteger(first), isSigned = false;
  for (DType type : operands) {
    same &= emulator::plainType(type) == first;
    integers &= kernels::isInteger(type);
    isSigned |= type == DType::I32;
  }
  return same        ? first
         : !integers ? DType::F32
         : isSigned  ? DType::I32
                     : DType::U32;
}

DType commonType(std::initializer_list<DType> operands) {
  return commonType(operands, *operands.begin());
}

std::shared_ptr<void> scratch(DType type, std::int64_t count) {
  return emulator::allocateHost(count * kernels::elementSize(type));
}

Executor::Executor(OpenDevice &device, const Program &program)
    : device_(device), program_(program), currentDevice_(kAnyDevice),
      tensors_(program.values.size()) {}

void Executor::fail(const Operation &operation, ErrorCategory category,
                    const char *message) const {
  raise(category, "program '", program_.name, "', operation ",
        &operation - program_.operations.data(), " (", operation.name,
        "): ", message);
}

std::vector<TensorPtr> Executor::run(const std::vector<TensorPtr> &inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i)
    bind(program_.inputs[i], inputs[i]);
  emulator::CostRecorder cost(device_, program_.name);
  for (const Operation &operation : program_.operations) {
    try {
      std::visit([&](auto const &step) { execute(step); }, operation.step);
    } catch (const Error &error) {
      fail(operation, error.category(), error.what());
    } catch (const std::out_of_range &error) {
      // An index that a tensor holds.
      fail(operation, ErrorCategory::Argument, error.what());
    }
    if (device_.reporting)
      cost.add(
          modelCost(program_, operation, device_.chips.front()->geometry()));
  }
  std::vector<TensorPtr> outputs;
  for (ValueIndex value : program_.outputs)
    outputs.push_back(tensors_[value]);
  if (device_.reporting)
    device_.report = cost.finish();
  return outputs;
}

void Executor::call(std::vector<TensorPtr> &tensors) {
  tensors_.swap(tensors);
  try {
    for (const Operation &operation : program_.operations)
      std::visit([&](auto const &step) { execute(step); }, operation.step);
  } catch (...) {
    tensors_.swap(tensors);
    throw;
  }
  tensors_.swap(tensors);
}

TensorPtr Executor::allocate(ValueIndex value, std::uint32_t device) {
  const Value &info = program_.values[value];
  return emulator::allocateTensor(
      info.layout, device_.chip(device == kAnyDevice ? currentDevice_ : device),
      info.layout.onDevice() ? "tensor " + std::to_string(info.id) + " (" +
                                   info.layout.describe() + ")"
                             : std::string());
}

TensorPtr Executor::result(ValueIndex value,
                           std::initializer_list<ValueIndex> sources) {
  TensorPtr &tensor = tensors_[value];
  bool usable =
      tensor && tensor.use_count() == 1 && tensor->buffer.use_count() == 1;
  for (ValueIndex source : sources)
    usable &= source != value;
  return usable ? tensor : allocate(value, kAnyDevice);
}

RowMajor Executor::read(ValueIndex value, DType type) const {
  const TensorPtr &tensor = operand(value);
  const Layout &layout = tensor->layout;
  const View view = tensor->view();
  std::int64_t stride;
  if (layout.type == type && layout.dense && view.strided(&stride) &&
      (stride == layout.cols || layout.rows == 1))
    return {view.element(0, 0), type, nullptr};
  const Layout host = hostLayout(layout.shape, type);
  RowMajor result{nullptr, type, emulator::allocateHost(host.bankBytes)};
  result.data = result.memory.get();
  emulator::copyTensor(
      view, {&host, static_cast<std::byte *>(result.memory.get()), 0},
      kernels::Rounding::Host);
  return result;
}

void Executor::write(ValueIndex value,
                     std::initializer_list<ValueIndex> sources, DType type,
                     const std::shared_ptr<void> &data) {
  store(value, result(value, sources), type, data);
}

void Executor::store(ValueIndex value, TensorPtr target, DType type,
                     const std::shared_ptr<void> &data) {
  const Layout host = hostLayout(target->layout.shape, type);
  emulator::copyTensor({&host, static_cast<std::byte *>(data.get()), 0},
                       target->view(), kernels::Rounding::Fast);
  bind(value, std::move(target));
}

} // namespace tt::runtime::ttnn
