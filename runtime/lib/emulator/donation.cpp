#include "emulator/donation.h"

namespace tt::runtime::emulator {

namespace {

bool shareMemory(const TensorPtr &a, const TensorPtr &b) {
  if (a == b)
    return true;
  if (a->onMesh() || b->onMesh())
    return a->onMesh() && b->onMesh() && a->shards == b->shards;
  return a->buffer == b->buffer;
}

} // namespace

void takeDonated(const std::vector<std::int32_t> &aliased,
                 std::vector<Tensor> const &inputs,
                 const std::string &program) {
  std::vector<TensorHandle *> handles;
  for (Tensor input : inputs)
    handles.push_back(&handleOf(input));
  for (std::size_t i = 0; i < aliased.size(); ++i) {
    if (aliased[i] < 0)
      continue;
    const TensorPtr &tensor = handles[i]->tensor;
    if (tensor->frozen)
      raise(ErrorCategory::Argument, "program '", program, "', input ", i,
            ": expected a tensor that may be given up, found one that is "
            "bound");
    for (std::size_t other = 0; other < handles.size(); ++other)
      if (other != i && shareMemory(handles[other]->tensor, tensor))
        raise(ErrorCategory::Argument, "program '", program, "', input ", i,
              ": expected a tensor that may be given up, found that of input ",
              other);
  }
  for (std::size_t i = 0; i < aliased.size(); ++i)
    if (aliased[i] >= 0 && handles[i]->tensor->onDevice())
      handles[i]->givenUpTo = program;
}

} // namespace tt::runtime::emulator
