#include "emulator/donation.h"

#include "emulator/mesh.h"

namespace tt::runtime::emulator {

namespace {

bool shareMemory(const TensorPtr &a, const TensorPtr &b) {
  bool found = a == b;
  forShards(a, [&](const TensorPtr &own) {
    forShards(b, [&](const TensorPtr &other) {
      found = found || own->buffer == other->buffer;
    });
  });
  return found;
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
