#include "ttnn/decoder.h"

#include <algorithm>

namespace tt::runtime::ttnn {

namespace target = ::tt::target;

void Decoder::defineInputs(TensorRefs const *refs) {
  for (std::size_t i = 0; refs && i < refs->size(); ++i)
    program_.inputs.push_back(define(refs->Get(i), "inputs"));
}

std::vector<ValueIndex> Decoder::defineEach(TensorRefs const *refs,
                                            const char *field) {
  std::vector<ValueIndex> values;
  for (std::size_t i = 0; refs && i < refs->size(); ++i)
    values.push_back(define(refs->Get(i), field));
  return values;
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

OptionalValue Decoder::useOptional(TensorRef const *ref, const char *field) {
  return ref ? OptionalValue(use(ref, field)) : std::nullopt;
}

std::vector<ValueIndex> Decoder::useAll(TensorRefs const *refs,
                                        const char *field) {
  if (!refs || refs->size() == 0)
    malformed("expected at least one tensor in field ", field, ", found none");
  return useEach(refs, field);
}

std::vector<ValueIndex> Decoder::useEach(TensorRefs const *refs,
                                         const char *field) {
  std::vector<ValueIndex> values;
  for (std::size_t i = 0; refs && i < refs->size(); ++i)
    values.push_back(use(refs->Get(i), field));
  return values;
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

ValueIndex Decoder::result(TensorRef const *ref, const char *field) {
  Known *known = find(ref, field);
  if (!known)
    return define(ref, field);
  known->written = true;
  return use(ref, field);
}

ValueIndex Decoder::kill(TensorRef const *ref) {
  Known *known = find(ref, "in");
  if (!known || !known->alive)
    return use(ref, "in");
  known->alive = false;
  return known->value;
}

DeviceIndex Decoder::defineDevice(MeshDevice device, DeviceRef const *out) {
  const auto &ids = device.chipIds;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] >= numChips_)
      malformed("expected chip ids below ", numChips_,
                " in field chip_ids, found ", ids[i]);
    if (std::count(ids.begin(), ids.end(), ids[i]) != 1)
      malformed("expected each chip once in field chip_ids, found ", ids[i],
                " more than once");
  }
  auto &devices = program_.devices;
  if (!devices.empty() && devices.front().chipIds.size() != ids.size())
    raise(ErrorCategory::Unsupported,
          "expected devices of equally many chips "
          "in a program, found mesh ",
          meshString(devices.front().meshShape), " and mesh ",
          meshString(device.meshShape));
  if (!out)
    malformed("expected a device in field out, found none");
  current_ = DeviceIndex(devices.size());
  devices_[out->global_id()] = current_;
  devices.push_back(std::move(device));
  return current_;
}

const std::vector<std::uint32_t> &Decoder::meshShape() const {
  return current_ == kAnyDevice ? outer_.meshShape
                                : program_.devices[current_].meshShape;
}

DeviceIndex Decoder::device(DeviceRef const *ref) {
  if (!ref)
    return kAnyDevice;
  auto it = devices_.find(ref->global_id());
  if (it == devices_.end())
    malformed("device ", ref->global_id(),
              " is used before get_device defines it");
  return it->second;
}

void Decoder::checkMemoryConfig(target::MemoryConfigDesc const *config) {
  if (!config)
    return;
  checkEnumerator("a memory layout", config->tensor_memory_layout());
  checkEnumerator("a buffer type", config->buffer_type());
}

} // namespace tt::runtime::ttnn
