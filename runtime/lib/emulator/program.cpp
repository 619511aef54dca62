#include "emulator/program.h"

#include "tt/runtime/error.h"

#include <algorithm>
#include <limits>

namespace tt::runtime::emulator {

namespace target = ::tt::target;
namespace metal = ::tt::target::metal;

namespace {

template <typename Vector> std::size_t sizeOf(const Vector *vector) {
  return vector ? vector->size() : 0;
}

class Decoder {
public:
  Decoder(metal::KernelProgram const *from, const std::string &where)
      : from_(from), where_(where) {}

  KernelProgram decode() {
    if (!from_)
      bad("expected a compiled program, found none");
    readTables();
    readAccessors();
    const std::size_t count = sizeOf(from_->instructions());
    if (count == 0)
      bad("expected at least one instruction, found none");
    if (count > kMaxKernelSize)
      bad("expected at most ", kMaxKernelSize, " instructions, found ", count);
    program_.instructions.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
      readInstruction(i, *from_->instructions()->Get(unsigned(i)));
    const Opcode last = program_.instructions.back().opcode;
    if (last != Opcode::br && last != Opcode::cond_br && last != Opcode::ret &&
        last != Opcode::unreachable)
      bad("expected the last instruction to leave or to branch, found ",
          metal::EnumNameOpcode(last));
    return std::move(program_);
  }

private:
  template <typename... Parts>
  [[noreturn]] void bad(const Parts &...parts) const {
    raise(ErrorCategory::Format, where_, ": ", parts...);
  }

  void readTables() {
    program_.registers = from_->registers();
    if (program_.registers > kMaxKernelSize)
      bad("expected at most ", kMaxKernelSize, " registers, found ",
          program_.registers);
    if (auto const *constants = from_->constants())
      program_.constants.assign(constants->begin(), constants->end());
    if (program_.constants.size() > program_.registers)
      bad("expected at most one constant per register (", program_.registers,
          "), found ", program_.constants.size());
    if (auto const *operands = from_->operands())
      program_.operands.assign(operands->begin(), operands->end());
    if (program_.operands.size() > kMaxKernelSize)
      bad("expected at most ", kMaxKernelSize, " operands, found ",
          program_.operands.size());
    for (std::size_t i = 0; i < sizeOf(from_->strings()); ++i) {
      auto const *text = from_->strings()->Get(unsigned(i));
      program_.strings.push_back(text ? text->str() : std::string());
    }
  }

  void readAccessors() {
    for (std::size_t i = 0; i < sizeOf(from_->accessors()); ++i) {
      auto const *desc = from_->accessors()->Get(unsigned(i));
      if (!desc)
        bad("expected a description of accessor ", i, ", found none");
      program_.accessors.push_back(readAccessor(i, *desc));
    }
  }

  Accessor readAccessor(std::size_t index, const metal::AccessorDesc &desc) {
    using Layout = target::TensorMemoryLayout;
    auto wrong = [&](const auto &...parts) {
      bad("accessor ", index, ": ", parts...);
    };
    Accessor a;
    if (desc.memory_space() != target::MemorySpace::DeviceDRAM &&
        desc.memory_space() != target::MemorySpace::DeviceL1)
      wrong("expected a memory space of the device, found ",
            unsigned(desc.memory_space()));
    if (desc.memory_layout() > Layout::MAX)
      wrong("expected a memory layout up to ", unsigned(Layout::MAX),
            ", found ", unsigned(desc.memory_layout()));
    a.dram = desc.memory_space() == target::MemorySpace::DeviceDRAM;
    a.sharded = desc.memory_layout() != Layout::Interleaved &&
                desc.memory_layout() != Layout::SingleBank;
    a.pageSize = desc.page_size();
    a.alignedPageSize = desc.aligned_page_size();
    if (a.pageSize == 0 || a.alignedPageSize < a.pageSize)
      wrong("expected a page of at least one byte and an aligned size not "
            "below it, found ",
            a.pageSize, " and ", a.alignedPageSize);
    readExtent(index, desc.tensor_pages(), "tensor", a.rows, a.cols);
    if (a.sharded) {
      readExtent(index, desc.shard_pages(), "shard", a.shardRows, a.shardCols);
      readCores(index, desc, a);
    }
    return a;
  }

  void readExtent(std::size_t index, target::Dim2d const *extent,
                  const char *what, std::uint32_t &rows, std::uint32_t &cols) {
    if (!extent || extent->y() < 1 || extent->x() < 1 ||
        std::int64_t(extent->y()) * extent->x() >
            std::numeric_limits<std::int32_t>::max())
      bad("accessor ", index, ": expected the pages of a ", what,
          " as rows and columns of at least 1, fewer than 2^31 in all, found ",
          extent ? extent->y() : 0, "x", extent ? extent->x() : 0);
    rows = std::uint32_t(extent->y());
    cols = std::uint32_t(extent->x());
  }

  void readCores(std::size_t index, const metal::AccessorDesc &desc,
                 Accessor &a) {
    std::int64_t cores = 0;
    for (std::size_t i = 0; i < sizeOf(desc.cores()); ++i) {
      auto const *range = desc.cores()->Get(unsigned(i));
      const Range2d r = {range->loc().y(), range->loc().x(), range->size().y(),
                         range->size().x()};
      if (r.y < 0 || r.x < 0 || r.height < 1 || r.width < 1 || r.y > 255 ||
          r.x > 255 || r.height > 256 || r.width > 256)
        bad("accessor ", index, ": expected ranges of cores within 256x256, ",
            "found ", r.height, "x", r.width, " at (", r.y, ", ", r.x, ")");
      cores += std::int64_t(r.height) * r.width;
      a.cores.push_back(r);
    }
    const std::int64_t shards =
        std::int64_t((a.rows + a.shardRows - 1) / a.shardRows) *
        ((a.cols + a.shardCols - 1) / a.shardCols);
    if (shards > cores)
      bad("accessor ", index, ": expected a core for each of ", shards,
          " shards, found ", cores);
  }

  void readInstruction(std::size_t index, const metal::Instruction &from) {
    if (from.opcode() > Opcode::MAX)
      bad("instruction ", index, ": expected an opcode up to ",
          unsigned(Opcode::MAX), ", found ", unsigned(from.opcode()));
    const Signature &signature = signatureOf(from.opcode());
    auto wrong = [&](const auto &...parts) {
      bad("instruction ", index, " (", metal::EnumNameOpcode(from.opcode()),
          "): ", parts...);
    };
    if (from.location() >= program_.strings.size())
      wrong("expected its location among ", program_.strings.size(),
            " strings, found ", from.location());
    if (std::uint64_t(from.first_operand()) + from.count() >
        program_.operands.size())
      wrong("expected operands within ", program_.operands.size(), ", found ",
            from.count(), " from ", from.first_operand(), " on");
    const bool open = signature.operands.ends_with('*');
    const std::size_t fixed = signature.operands.size() - open;
    if (open ? from.count() < fixed : from.count() != fixed)
      wrong("expected ", open ? "at least " : "", fixed, " operands, found ",
            from.count());
    if (signature.result ? from.result() >= program_.registers
                         : from.result() != kNoResult) {
      if (signature.result)
        wrong("expected a result below ", program_.registers,
              " registers, found ", from.result());
      wrong("expected no result, found register ", from.result());
    }
    for (std::size_t i = 0; i < from.count(); ++i) {
      const char kind = i < fixed ? signature.operands[i] : 'r';
      checkOperand(index, from, i, kind);
    }
    program_.instructions.push_back({from.opcode(), from.count(), from.result(),
                                     from.first_operand(), from.location()});
  }

  void checkOperand(std::size_t index, const metal::Instruction &from,
                    std::size_t i, char kind) {
    const std::uint32_t value = program_.operands[from.first_operand() + i];
    auto expect = [&](bool good, const auto &...expected) {
      if (!good)
        bad("instruction ", index, " (", metal::EnumNameOpcode(from.opcode()),
            "): expected operand ", i, " to be ", expected..., ", found ",
            value);
    };
    switch (kind) {
    case 'r':
      expect(value < program_.registers, "a register below ",
             program_.registers);
      break;
    case 'c':
      expect(value < kPorts, "the port of a circular buffer below ", kPorts);
      break;
    case 't':
      expect(value < from_->instructions()->size(), "an instruction below ",
             from_->instructions()->size());
      break;
    case 'x':
      expect(value < program_.accessors.size(), "an accessor below ",
             program_.accessors.size());
      break;
    case 's':
      expect(value < program_.strings.size(), "a string below ",
             program_.strings.size());
      break;
    case 'p':
      expect(value < 10, "a predicate below 10");
      break;
    case 'b':
      expect(value == 1 || value == 2 || value == 4, "1, 2 or 4 bytes");
      break;
    case 'w':
      expect(value >= 1 && value <= 64, "a number of bits from 1 to 64");
      break;
    case 'l': {
      const std::uint32_t size =
          program_.operands[from.first_operand() + i + 1];
      expect(std::uint64_t(value) + size <= program_.registers, "the first of ",
             size, " registers below ", program_.registers);
      break;
    }
    case 'f':
      expect(value <= 1, "0 or 1");
      break;
    case 'd':
      expect(value <= unsigned(target::DataType::MAX), "a data type up to ",
             unsigned(target::DataType::MAX));
      break;
    case 'e':
      expect(value <= unsigned(metal::EltwiseBinaryType::MAX),
             "an EltwiseBinaryType");
      break;
    case 'k':
      expect(value <= unsigned(metal::BroadcastType::MAX), "a BroadcastType");
      break;
    case 'o':
      expect(value <= unsigned(metal::PoolType::MAX), "a PoolType");
      break;
    case 'm':
      expect(value <= unsigned(metal::ReduceDim::MAX), "a ReduceDim");
      break;
    default:
      break;
    }
  }

  metal::KernelProgram const *from_;
  const std::string &where_;
  KernelProgram program_;
};

} // namespace

std::shared_ptr<const KernelProgram>
decodeKernel(metal::KernelProgram const *program, const std::string &where) {
  return std::make_shared<const KernelProgram>(
      Decoder(program, where).decode());
}

} // namespace tt::runtime::emulator
