#include "emulator/machine.h"

namespace tt::runtime::emulator {

Chip::Chip(std::uint32_t id, const ChipGeometry &g)
    : id_(id),
      geometry_(g), l1_{Arena(g.cores(), g.l1Size),
                        Allocator("L1", g.l1Base, g.l1Size, g.l1Align)},
      dram_{Arena(g.channels, g.channelSize),
            Allocator("DRAM", g.dramBase, g.dramEnd, g.dramAlign)} {}

void Chip::deallocateAll() {
  std::lock_guard lock(mutex_);
  for (Memory *memory : {&l1_, &dram_}) {
    memory->allocator.reset();
    ++memory->generation;
  }
}

System::System(SystemDesc desc) : desc_(std::move(desc)) {}

std::int64_t System::numChips() const {
  return desc_->chip_desc_indices()->size();
}

std::shared_ptr<Chip> System::openChip(int id) {
  if (id < 0 || id >= numChips())
    raise(ErrorCategory::Argument, "expected a device id from 0 to ",
          numChips() - 1, ", found ", id);
  auto const *index = desc_->chip_desc_indices();
  auto const *chip = desc_->chip_descs()->Get(index->Get(unsigned(id)));
  return std::make_shared<Chip>(std::uint32_t(id), chipGeometry(chip));
}

} // namespace tt::runtime::emulator
