// Operations that place and create tensors.
#include "numerics/eltwise.h"
#include "numerics/parallel.h"
#include "numerics/tiles.h"
#include "ttnn/executor.h"

#include <algorithm>
#include <cstring>

namespace tt::runtime::ttnn {

using emulator::TensorData;
using numerics::kTileDim;
using numerics::Rounding;

void Executor::execute(const GetDeviceStep &step) {
  const MeshDevice &device = program_.devices[step.device];
  devices_[step.device] = chips_ = device_.select(device);
  meshShape_ = device.meshShape;
  position_ = chips_.ownership.first();
  fabric_.reset();
}

void Executor::move(ValueIndex in, ValueIndex out, DeviceIndex device) {
  const TensorPtr &source = operand(in);
  const Layout &layout = layoutOf(out);
  auto const &chip = chipOf(device);
  // A tensor that is already so is shared, not copied; result() makes a copy if
  // somebody writes to it.
  if (source->layout.samePages(layout) &&
      (!layout.onDevice() || source->buffer->chip() == chip)) {
    bind(out, std::make_shared<TensorData>(*source));
    return;
  }
  TensorPtr target = allocate(out, device);
  // What the host converts it rounds to nearest even, the device like a packer.
  const bool onHost = !source->onDevice() || !target->onDevice();
  emulator::copyOwn(source, target, onHost ? Rounding::Host : Rounding::Fast);
  bind(out, std::move(target));
}

void Executor::execute(const ToMemoryConfigStep &step) {
  move(step.in0, step.out, step.device);
}

void Executor::execute(const ToLayoutStep &step) {
  move(step.in, step.out, step.device);
}

void Executor::execute(const ToDeviceStep &step) {
  move(step.in, step.out, step.device);
}

void Executor::execute(const FromDeviceStep &step) {
  move(step.in, step.out, kAnyDevice);
}

void Executor::execute(const EmptyStep &step) {
  TensorPtr tensor = allocate(step.out, step.device);
  if (program_.values[step.out].readUnwritten)
    emulator::fillZero(tensor->view());
  bind(step.out, std::move(tensor));
}

void Executor::execute(const FullStep &step) {
  TensorPtr tensor = allocate(step.out, step.device);
  const Layout &layout = tensor->layout;
  const numerics::DType type = emulator::plainType(layout.type);
  // One block of rows serves all, holes between rows included.
  const std::int64_t height = std::min(kTileDim, layout.rows);
  auto block = scratch(type, height * layout.cols);
  numerics::fill(type, step.fillValue, block.get(), height * layout.cols);
  const emulator::View to = tensor->view();
  numerics::parallelFor(
      0, numerics::tilesFor(layout.rows), 1,
      [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t row = first * kTileDim;
             row < std::min(last * kTileDim, layout.rows); row += kTileDim)
          emulator::writeBlock(to, row, std::min(kTileDim, layout.rows - row),
                               0, layout.cols, type, block.get(), layout.cols,
                               Rounding::Host);
      });
  bind(step.out, std::move(tensor));
}

void Executor::execute(const ConstantStep &step) {
  TensorPtr tensor = allocate(step.out, step.device);
  const auto type = numerics::DType(step.dtype);
  const std::int64_t size = numerics::elementSize(type);
  // The bytes of a file may stand at any address.
  const void *data = step.data.data();
  std::shared_ptr<void> aligned;
  if (reinterpret_cast<std::uintptr_t>(data) % std::uintptr_t(size)) {
    aligned = scratch(type, std::int64_t(step.data.size()) / size);
    std::memcpy(aligned.get(), data, step.data.size());
    data = aligned.get();
  }
  const Layout host = hostLayout(tensor->layout.shape, type);
  auto *bytes = const_cast<std::byte *>(static_cast<const std::byte *>(data));
  emulator::copyTensor({&host, bytes, 0}, tensor->view(), Rounding::Host);
  bind(step.out, std::move(tensor));
}

void Executor::execute(const ArangeStep &step) {
  const Layout &layout = layoutOf(step.out);
  const numerics::DType type = emulator::plainType(layout.type);
  auto data = scratch(type, layout.volume());
  numerics::arange(type, double(step.start), double(step.step), data.get(),
                   layout.volume());
  store(step.out, allocate(step.out, step.device), type, data);
}

void Executor::execute(const DeallocStep &step) {
  // Another handle of the same memory keeps it.
  tensors_[step.in].reset();
}

} // namespace tt::runtime::ttnn
