#include "common/decoder.h"

#include <limits>

namespace tt::runtime {

namespace target = ::tt::target;

void Decoder::defineInputs(TensorRefs const *refs) {
  for (std::size_t i = 0; refs && i < refs->size(); ++i)
    program_.inputs.push_back(define(refs->Get(i), "inputs"));
}

void Decoder::useOutputs(TensorRefs const *refs) {
  for (std::size_t i = 0; refs && i < refs->size(); ++i)
    program_.outputs.push_back(use(refs->Get(i), "outputs"));
}

Decoder::Known *Decoder::find(TensorRef const *ref, const char *field) {
  if (!ref)
    malformed("expected a tensor in field ", field, ", found none");
  auto it = known_.find(ref->global_id());
  if (it == known_.end())
    return nullptr;
  // The same id in another table must say the same.
  if (it->second.ref != ref &&
      !readLayout(ref->desc(), chip_).samePages(layout(it->second.value)))
    malformed("tensor ", ref->global_id(), " in field ", field,
              " has two different descriptions");
  return &it->second;
}

ValueIndex Decoder::use(TensorRef const *ref, const char *field) {
  Known *known = find(ref, field);
  if (!known)
    malformed("tensor ", ref->global_id(), " in field ", field,
              " is used before anything defines it");
  if (!known->alive)
    malformed("tensor ", ref->global_id(), " in field ", field,
              " is used after it was deallocated");
  program_.values[known->value].readUnwritten |= !known->written;
  return known->value;
}

ValueIndex Decoder::define(TensorRef const *ref, const char *field) {
  if (find(ref, field))
    malformed("tensor ", ref->global_id(), " in field ", field,
              " is defined twice");
  if (ref->global_id() == 0)
    malformed("expected a tensor id > 0 in field ", field);
  const ValueIndex index = ValueIndex(program_.values.size());
  program_.values.push_back({ref->global_id(), readLayout(ref->desc(), chip_)});
  known_[ref->global_id()] = {index, ref};
  return index;
}

ValueIndex Decoder::defineEmpty(TensorRef const *ref, const char *field) {
  const ValueIndex index = define(ref, field);
  known_[ref->global_id()].written = false;
  return index;
}

ValueIndex Decoder::result(TensorRef const *ref) {
  Known *known = find(ref, "out");
  if (!known)
    return define(ref, "out");
  known->written = true;
  return use(ref, "out");
}

ValueIndex Decoder::kill(TensorRef const *ref) {
  Known *known = find(ref, "in");
  if (!known || !known->alive)
    return use(ref, "in");
  known->alive = false;
  return known->value;
}

void Decoder::defineDevice(std::uint32_t chip, DeviceRef const *out) {
  if (!out)
    malformed("expected a device in field out, found none");
  devices_[out->global_id()] = chip;
}

std::uint32_t Decoder::device(DeviceRef const *ref) {
  if (!ref)
    return kAnyDevice;
  auto it = devices_.find(ref->global_id());
  if (it == devices_.end())
    malformed("device ", ref->global_id(),
              " is used before get_device defines it");
  return it->second;
}

MoveStep Decoder::move(ValueIndex in, DeviceRef const *deviceRef,
                       TensorRef const *out) {
  const std::uint32_t chip = device(deviceRef);
  const ValueIndex result = define(out, "out");
  expectShape("out", shape(in), shape(result));
  return {in, result, chip};
}

void Decoder::checkMemoryConfig(target::MemoryConfigDesc const *config) {
  if (!config)
    return;
  if (config->tensor_memory_layout() > target::TensorMemoryLayout::MAX)
    malformed("expected a memory layout up to ",
              unsigned(target::TensorMemoryLayout::MAX), ", found ",
              unsigned(config->tensor_memory_layout()));
  if (config->buffer_type() > target::BufferType::MAX)
    malformed("expected a buffer type up to ",
              unsigned(target::BufferType::MAX), ", found ",
              unsigned(config->buffer_type()));
}

void Decoder::expectShape(const char *field,
                          const std::vector<std::int64_t> &expected,
                          const std::vector<std::int64_t> &found) const {
  if (expected != found)
    malformed("expected shape ", shapeString(expected), " in field ", field,
              ", found ", shapeString(found));
}

kernels::Window2d readWindow(const std::vector<std::uint32_t> &extents,
                             bool ceilMode) {
  constexpr std::uint32_t limit = 1u << 20;
  for (std::size_t i = 0; i < extents.size(); ++i)
    if (extents[i] > limit || (extents[i] == 0 && i < 6))
      malformed("expected window extents from ", i < 6 ? 1 : 0, " to ", limit,
                ", found ", extents[i]);
  kernels::Window2d window;
  window.kernelH = extents[0];
  window.kernelW = extents[1];
  window.strideH = extents[2];
  window.strideW = extents[3];
  window.dilationH = extents[4];
  window.dilationW = extents[5];
  window.padTop = window.padBottom = extents[6];
  window.padLeft = window.padRight = extents[7];
  window.ceilMode = ceilMode;
  return window;
}

namespace {

/// Product of extents from the file, which a tensor's volume must equal; never
/// overflows.
std::int64_t boundedProduct(const std::vector<std::int64_t> &factors) {
  std::int64_t product = 1;
  for (std::int64_t factor : factors) {
    if (factor < 1 ||
        factor > std::numeric_limits<std::int64_t>::max() / product)
      malformed("expected positive extents, found ", shapeString(factors));
    product *= factor;
  }
  return product;
}

void expectImage(const Decoder &decoder, const char *field, ValueIndex value,
                 const std::vector<std::int64_t> &nhwc) {
  const Layout &layout = decoder.layout(value);
  if (layout.volume() != boundedProduct(nhwc) || layout.cols != nhwc.back())
    malformed("expected ", shapeString(nhwc), " (N, H, W, C) in field ", field,
              ", found ", shapeString(layout.shape));
}

std::vector<std::int64_t> outputImage(std::int64_t batch, std::int64_t height,
                                      std::int64_t width, std::int64_t channels,
                                      const kernels::Window2d &w) {
  const std::int64_t outH =
      kernels::windowExtent(height, w.kernelH, w.strideH, w.dilationH, w.padTop,
                            w.padBottom, w.ceilMode);
  const std::int64_t outW =
      kernels::windowExtent(width, w.kernelW, w.strideW, w.dilationW, w.padLeft,
                            w.padRight, w.ceilMode);
  if (outH < 1 || outW < 1)
    malformed("the window ", w.kernelH, "x", w.kernelW, " does not fit into ",
              height, "x", width);
  return {batch, outH, outW, channels};
}

} // namespace

void checkConv2d(const Decoder &d, const Conv2dStep &s) {
  expectImage(d, "input", s.in, {s.batch, s.inHeight, s.inWidth, s.inChannels});
  expectImage(
      d, "out", s.out,
      outputImage(s.batch, s.inHeight, s.inWidth, s.outChannels, s.window));
  if (s.groups < 1 || s.inChannels % s.groups || s.outChannels % s.groups)
    malformed("expected groups that divide ", s.inChannels, " and ",
              s.outChannels, " channels, found ", s.groups);
  d.expectShape("weight",
                {s.outChannels, s.inChannels / s.groups, s.window.kernelH,
                 s.window.kernelW},
                d.shape(s.weight));
  if (s.bias >= 0 && (d.layout(ValueIndex(s.bias)).volume() != s.outChannels ||
                      d.layout(ValueIndex(s.bias)).cols != s.outChannels))
    malformed("expected a bias of ", s.outChannels, " channels, found ",
              shapeString(d.shape(ValueIndex(s.bias))));
  for (ValueIndex value : {s.in, s.weight, s.out})
    if (kernels::isInteger(d.layout(value).type))
      raise(ErrorCategory::Unsupported,
            "expected floating-point tensors, found ",
            kernels::dtypeName(d.layout(value).type));
}

void checkMaxPool2d(const Decoder &d, const MaxPool2dStep &s) {
  expectImage(d, "in", s.in, {s.batch, s.height, s.width, s.channels});
  expectImage(d, "out", s.out,
              outputImage(s.batch, s.height, s.width, s.channels, s.window));
}

} // namespace tt::runtime
