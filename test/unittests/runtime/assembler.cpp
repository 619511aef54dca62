#include "assembler.h"

#include "ttmlir/Target/TTMetal/kernel_generated.h"

#include <set>

namespace tt::runtime::test {

namespace target = ::tt::target;

void Assembler::append(Opcode opcode, const std::vector<Operand> &operands,
                       bool result, Reg out) {
  const std::string_view form = emulator::signatureOf(opcode).operands;
  Line line{opcode, {}, {}, {}, result, out};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const bool takesReg = i >= form.size() || form[i] == 'r' || form[i] == '*';
    Reg reg = operands[i].reg;
    const bool isReg = operands[i].isReg || takesReg;
    if (takesReg && !operands[i].isReg)
      reg = constant(operands[i].value);
    line.operands.push_back(isReg ? reg.index : operands[i].value);
    line.constant.push_back(reg.constant);
    line.isReg.push_back(isReg);
  }
  lines_.push_back(std::move(line));
}

flatbuffers::Offset<metal::KernelProgram>
Assembler::serialize(flatbuffers::FlatBufferBuilder &fbb) {
  op(Opcode::ret);
  std::vector<std::uint32_t> operands;
  std::vector<metal::Instruction> instructions;
  std::vector<std::string> strings = strings_;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const Line &line = lines_[i];
    const auto first = std::uint32_t(operands.size());
    for (std::size_t k = 0; k < line.operands.size(); ++k)
      operands.push_back(line.isReg[k]
                             ? number(line.operands[k], line.constant[k])
                             : line.operands[k]);
    strings.push_back("k:" + std::to_string(i));
    instructions.emplace_back(line.opcode, std::uint16_t(line.operands.size()),
                              line.result
                                  ? number(line.out.index, line.out.constant)
                                  : emulator::kNoResult,
                              first, std::uint32_t(strings.size() - 1));
  }
  std::vector<flatbuffers::Offset<metal::AccessorDesc>> accessors;
  for (const emulator::Accessor &a : accessors_) {
    const target::Dim2d pages(int(a.rows), int(a.cols));
    const target::Dim2d shard(int(a.shardRows), int(a.shardCols));
    std::vector<target::Dim2dRange> cores;
    for (const emulator::Range2d &r : a.cores)
      cores.emplace_back(target::Dim2d(r.y, r.x),
                         target::Dim2d(r.height, r.width));
    accessors.push_back(metal::CreateAccessorDescDirect(
        fbb,
        a.dram ? target::MemorySpace::DeviceDRAM
               : target::MemorySpace::DeviceL1,
        a.sharded ? target::TensorMemoryLayout::BlockSharded
                  : target::TensorMemoryLayout::Interleaved,
        a.pageSize, a.alignedPageSize, &pages, &shard, &cores));
  }
  std::vector<flatbuffers::Offset<flatbuffers::String>> texts;
  for (const std::string &text : strings)
    texts.push_back(fbb.CreateString(text));
  lines_.pop_back();
  return metal::CreateKernelProgramDirect(
      fbb, std::uint32_t(constants_.size()) + registers_, &constants_,
      &instructions, &operands, &accessors, &texts);
}

std::vector<std::uint8_t> Assembler::serialize() {
  flatbuffers::FlatBufferBuilder fbb;
  fbb.Finish(serialize(fbb));
  return {fbb.GetBufferPointer(), fbb.GetBufferPointer() + fbb.GetSize()};
}

std::shared_ptr<const emulator::KernelProgram> Assembler::finish() {
  const std::vector<std::uint8_t> bytes = serialize();
  return emulator::decodeKernel(
      flatbuffers::GetRoot<metal::KernelProgram>(bytes.data()), "kernel");
}

Assembler adder(int count, int left, int right) {
  using enum Opcode;
  Assembler a;
  a.op(binary_op_init_common, {left, right, 16});
  a.op(add_tiles_init, {left, right});
  a.loop(count, [&](Reg) {
    const std::set<int> ports = {left, right};
    for (int port : ports)
      a.op(cb_wait_front, {port, 1});
    a.op(cb_reserve_back, {16, 1});
    a.op(tile_regs_acquire);
    a.op(add_tiles, {left, right, 0, 0, 0});
    a.op(tile_regs_commit);
    a.op(tile_regs_wait);
    a.op(pack_tile, {0, 16, 0, 0});
    a.op(tile_regs_release);
    a.op(cb_push_back, {16, 1});
    for (int port : ports)
      a.op(cb_pop_front, {port, 1});
  });
  return a;
}

ChipGeometry smallChip() {
  ChipGeometry g;
  g.gridY = g.gridX = 4;
  g.l1Size = 256 * 1024;
  g.l1Base = kL1Base;
  g.channels = 4;
  g.channelSize = g.dramEnd = 1024 * 1024;
  g.dramBase = kDramBase;
  return g;
}

emulator::LiveBuffer wholeDram() {
  const ChipGeometry g = smallChip();
  emulator::LiveBuffer all;
  all.name = "all";
  all.address = std::uint64_t(g.dramBase);
  all.bytes = std::uint64_t(g.dramEnd - g.dramBase);
  return all;
}

emulator::Accessor tiles(std::uint32_t count, std::uint32_t bytes) {
  emulator::Accessor a;
  a.pageSize = a.alignedPageSize = bytes;
  a.rows = 1;
  a.cols = count;
  return a;
}

} // namespace tt::runtime::test
