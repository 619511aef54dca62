#include "emulator/variables.h"

#include "emulator/tensor_copy.h"

namespace tt::runtime::emulator {

namespace target = ::tt::target;

TensorPtr Variable::makeInitial() const {
  auto tensor = std::make_shared<TensorData>();
  tensor->layout = layout_;
  const std::shared_ptr<void> memory = allocateHost(layout_.bankBytes);
  tensor->buffer = std::make_shared<Buffer>(memory);
  auto *bytes = static_cast<std::uint8_t *>(memory.get());
  const std::size_t size = std::size_t(layout_.bankBytes);
  if (initial_.empty())
    std::fill_n(bytes, size, std::uint8_t(0));
  for (std::size_t i = 0; !initial_.empty() && i < size; i += initial_.size())
    std::copy(initial_.begin(), initial_.end(), bytes + i);
  return tensor;
}

TensorPtr Variable::load(const Chips &chips,
                         const std::vector<std::uint32_t> &meshShape,
                         const Layout &layout, std::int64_t bytes) {
  const ResultCache::Tensors kept = kept_.find(chips, {});
  const TensorPtr tensor = kept.empty() ? makeInitial() : kept.front();
  if (tensor->layout.samePages(layout))
    return tensor;
  return placeHighOnChips(tensor, layout, chips, meshShape, bytes,
                          "variable '" + name_ + "'");
}

void Variable::store(const Chips &chips, const TensorPtr &tensor) {
  kept_.drop(chips);
  kept_.keep(chips, {}, {tensor});
}

Variables decodeVariables(
    const flatbuffers::Vector<flatbuffers::Offset<target::Variable>> *tables,
    const ChipGeometry &chip) {
  Variables variables;
  for (std::size_t i = 0; tables && i < tables->size(); ++i) {
    target::Variable const *table = tables->Get(unsigned(i));
    if (!table || !table->name() || !table->desc())
      malformed("expected variable ", i, " with a name and a description");
    const std::string name = table->name()->str();
    const Layout layout = readLayout(table->desc(), chip);
    if (layout.onDevice())
      malformed("expected variable '", name,
                "' as a tensor of the host, found ", layout.describe());
    std::span<const std::uint8_t> initial;
    if (auto const *data = table->desc()->constant_data()) {
      initial = {data->data(), data->size()};
      const std::int64_t element = layout.elementSize();
      if (std::int64_t(initial.size()) != element &&
          std::int64_t(initial.size()) != layout.volume() * element)
        malformed("expected one element or all of variable '", name,
                  "' in field constant_data, found ", initial.size(), " bytes");
    }
    variables.push_back(std::make_shared<Variable>(name, layout, initial));
  }
  return variables;
}

} // namespace tt::runtime::emulator
