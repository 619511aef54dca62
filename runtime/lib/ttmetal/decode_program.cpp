// Decodes an EnqueueProgramCommand to what the emulator launches.
#include "emulator/launch.h"
#include "emulator/program.h"
#include "numerics/tiles.h"
#include "tt/runtime/kernel_compiler.h"
#include "ttmetal/decoder.h"

#include <algorithm>
#include <cctype>

namespace tt::runtime::ttmetal {

namespace target = ::tt::target;
using emulator::CircularBufferConfig;
using emulator::CoreRange;
using emulator::Kernel;
using emulator::KernelKind;
using emulator::Launch;

namespace {

std::vector<CoreRange> readRanges(fb::KernelDesc const *desc,
                                  const ChipGeometry &chip) {
  auto const *ranges = desc->core_range_set();
  if (!ranges || ranges->size() == 0)
    malformed("expected cores in field core_range_set");
  std::vector<CoreRange> result;
  for (target::Dim2dRange const *range : *ranges) {
    const CoreRange cores{range->loc().y(), range->loc().x(), range->size().y(),
                          range->size().x()};
    if (cores.y < 0 || cores.x < 0 || cores.height < 1 || cores.width < 1 ||
        cores.y + cores.height > chip.gridY ||
        cores.x + cores.width > chip.gridX)
      malformed("expected core ranges within the ", chip.gridY, "x", chip.gridX,
                " grid, found ", cores.height, "x", cores.width, " cores at (",
                cores.y, ", ", cores.x, ")");
    for (const CoreRange &other : result)
      if (cores.y < other.y + other.height &&
          other.y < cores.y + cores.height && cores.x < other.x + other.width &&
          other.x < cores.x + cores.width)
        malformed("expected core ranges that share no core, found two with "
                  "core (",
                  std::max(cores.y, other.y), ", ", std::max(cores.x, other.x),
                  ")");
    result.push_back(cores);
  }
  return result;
}

std::size_t countCores(const std::vector<CoreRange> &ranges) {
  std::int64_t count = 0;
  for (const CoreRange &range : ranges)
    count += range.height * range.width;
  return std::size_t(count);
}

void readConfig(fb::KernelSource const *source, Kernel &kernel) {
  if (!source->config())
    malformed("expected a table in field config, found none");
  switch (source->config_type()) {
  case fb::KernelConfig::NocConfig: {
    const auto noc = source->config_as_NocConfig()->noc_index();
    checkEnumerator("a NoC index", noc);
    kernel.kind =
        noc == fb::NocIndex::Noc0 ? KernelKind::Noc0 : KernelKind::Noc1;
    return;
  }
  case fb::KernelConfig::TensixConfig: {
    auto const *config = source->config_as_TensixConfig();
    if (!*target::EnumNameMathFidelity(config->math_fidelity()))
      malformed("expected a math fidelity, found ",
                unsigned(config->math_fidelity()));
    kernel.kind = KernelKind::Tensix;
    kernel.fidelity = config->math_fidelity();
    kernel.fp32DestAcc = config->fp32_dest_acc_en();
    kernel.preserveFp32 = config->preserve_fp32_precision();
    kernel.approx = config->math_approx_mode();
    return;
  }
  case fb::KernelConfig::EthernetConfig:
    raise(ErrorCategory::Unsupported,
          "expected a kernel of a worker core, found one of an Ethernet core");
  case fb::KernelConfig::NONE:
    break;
  }
  malformed("expected a kernel configuration, found type ",
            unsigned(source->config_type()));
}

const char *textOf(flatbuffers::String const *text) {
  return text ? text->c_str() : "";
}

/// The C++ of a kernel, whose configuration and program have been read.
std::shared_ptr<const CppKernel> readCpp(fb::KernelSource const *source,
                                         const Kernel &kernel,
                                         const ChipGeometry &chip) {
  fb::CppKernel const *from = source->cpp();
  auto result = std::make_shared<CppKernel>();
  KernelUnit &unit = result->unit;
  unit.name = textOf(from->path());
  unit.text = textOf(source->source());
  for (std::size_t i = 0; from->defines() && i < from->defines()->size(); ++i) {
    fb::CppMacro const *macro = from->defines()->Get(unsigned(i));
    unit.defines.emplace_back(
        textOf(macro->name()),
        macro->value() ? std::optional(macro->value()->str()) : std::nullopt);
  }
  if (auto const *values = from->compile_args())
    unit.compileArgs.assign(values->begin(), values->end());
  if (auto const *values = from->named_compile_args())
    for (std::size_t i = 0; i < values->size(); ++i)
      unit.namedCompileArgs.emplace_back(
          textOf(values->Get(unsigned(i))->name()),
          values->Get(unsigned(i))->value());
  unit.commonArgs = from->common_args();
  if (kernel.kind != KernelKind::Tensix)
    unit.noc = kernel.kind == KernelKind::Noc1;
  unit.fp32DestAcc = kernel.fp32DestAcc;
  unit.chip = {chip.arch == target::Arch::Blackhole,
               std::uint32_t(chip.l1Align), std::uint32_t(chip.dramAlign),
               std::uint32_t(chip.channels), std::uint32_t(chip.cores())};
  if (auto const *files = from->headers())
    for (std::size_t i = 0; i < files->size(); ++i)
      result->headers.emplace_back(textOf(files->Get(unsigned(i))->name()),
                                   textOf(files->Get(unsigned(i))->text()));
  const auto &accessors = kernel.program->accessors;
  auto const *addresses = from->addresses();
  if ((addresses ? addresses->size() : 0) != accessors.size())
    malformed("expected an address for each of ", accessors.size(),
              " tensors of a kernel in C++, found ",
              addresses ? addresses->size() : 0);
  for (std::size_t i = 0; i < accessors.size(); ++i) {
    const emulator::Accessor &a = accessors[i];
    NativeTensorUse tensor{addresses->Get(unsigned(i)),
                           a.dram,
                           a.pageSize,
                           a.alignedPageSize,
                           a.rows,
                           a.cols,
                           a.shardRows,
                           a.shardCols,
                           {}};
    for (const emulator::Range2d &r : a.cores)
      tensor.cores.push_back({std::uint32_t(r.y), std::uint32_t(r.x),
                              std::uint32_t(r.height), std::uint32_t(r.width)});
    result->tensors.push_back(std::move(tensor));
  }
  return result;
}

/// "%1" of "%1 = ...": what the source calls the command; empty without.
std::string nameInSource(std::string_view location) {
  std::string name(location.substr(0, location.find_first_of(" \n(")));
  for (char &c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '%' && c != '.')
      c = '_';
  return name;
}

const char *kindName(KernelKind kind) {
  return kind == KernelKind::Noc0   ? "noc0"
         : kind == KernelKind::Noc1 ? "noc1"
                                    : "tensix";
}

/// A name as a part of that of a file: other names give other parts.
std::string asFilePart(const std::string &name) {
  std::string part;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || c == '_' || c == '-' || c == '.') {
      part += c;
      continue;
    }
    constexpr char digits[] = "0123456789abcdef";
    part += {'%', digits[byte >> 4], digits[byte & 15]};
  }
  return part;
}

/// "main_%1_noc0_0x0_8x8": queue, op, thread, and the first core and the size
/// of every range.
std::string kernelName(const std::string &queue, const std::string &op,
                       const Kernel &kernel) {
  std::string name = asFilePart(queue) + "_" + op + "_" + kindName(kernel.kind);
  for (const CoreRange &range : kernel.cores)
    name += "_" + std::to_string(range.y) + "x" + std::to_string(range.x) +
            "_" + std::to_string(range.height) + "x" +
            std::to_string(range.width);
  return name;
}

/// Bytes and format of one of the buffers of a description.
struct BufferShape {
  std::uint64_t bytes = 0;
  numerics::DType type = numerics::DType::BF16;
  bool tiled = true;
};

BufferShape readShape(target::MemoryDesc const *memory) {
  if (!memory || !memory->shape() || !memory->tile_shape())
    malformed("expected a memory description with shape and tile shape");
  checkEnumerator("a data type", memory->data_type());
  BufferShape result;
  result.type = static_cast<numerics::DType>(memory->data_type());
  target::Dim2d const *tile = memory->tile_shape();
  result.tiled = tile->y() == 32 && tile->x() == 32;
  if (!result.tiled && !(tile->y() == 1 && tile->x() == 1))
    raise(ErrorCategory::Unsupported,
          "expected tile shape 1x1 or 32x32, found ", tile->y(), "x",
          tile->x());
  if (!result.tiled && numerics::isBlockFloat(result.type))
    malformed("block float ", numerics::dtypeName(result.type),
              " exists only in tiles, found scalars");
  result.bytes =
      std::uint64_t(result.tiled ? numerics::tileBytes(result.type)
                                 : numerics::elementSize(result.type));
  for (std::int32_t extent : *memory->shape()) {
    if (extent < 1 ||
        result.bytes > (std::uint64_t(1) << 40) / unsigned(extent))
      malformed("expected positive extents and at most 2^40 bytes in the shape "
                "of a circular buffer, found ",
                extent);
    result.bytes *= unsigned(extent);
  }
  return result;
}

} // namespace

/// State of decoding one program.
class ProgramDecoder {
public:
  ProgramDecoder(Decoder &decoder, const std::string &queue, std::string op)
      : decoder_(decoder), queue_(queue), op_(std::move(op)) {}

  RunStep decode(fb::EnqueueProgramCommand const *command) {
    fb::ProgramDesc const *program = command->program();
    if (!program || !program->kernels() || program->kernels()->size() == 0)
      malformed("expected a program with at least one kernel");
    step_.operands = decoder_.tensors(command->operands(), "operands");
    if (program->name())
      step_.name = program->name()->str();
    if (auto const *values = program->semaphores())
      launch_->semaphores.assign(values->begin(), values->end());
    if (auto const *values = program->common_args())
      launch_->commonArgs.assign(values->begin(), values->end());
    for (std::size_t i = 0; i < program->kernels()->size(); ++i) {
      try {
        kernel(program->kernels()->Get(unsigned(i)), i);
      } catch (const Error &error) {
        raise(error.category(), "kernel ", i, ": ", error.what());
      }
    }
    if (launch_->semaphores.size() > emulator::kSemaphores)
      malformed("expected at most ", emulator::kSemaphores,
                " semaphores, found ", launch_->semaphores.size());
    step_.launch = std::move(launch_);
    return std::move(step_);
  }

private:
  void kernel(fb::KernelDesc const *desc, std::size_t index) {
    if (!desc)
      malformed("expected a kernel");
    fb::KernelSource const *source = desc->kernel_as_KernelSource();
    if (!source)
      raise(ErrorCategory::Unsupported,
            "expected a kernel source, found kernel type ",
            unsigned(desc->kernel_type()));
    Kernel kernel;
    readConfig(source, kernel);
    kernel.cores = readRanges(desc, decoder_.chip());
    const std::string fileName = kernelName(queue_, op_, kernel);
    kernel.name =
        desc->name() && desc->name()->size() ? desc->name()->str() : fileName;
    if (desc->debug_info())
      kernel.location = desc->debug_info()->str();
    kernel.program = emulator::decodeKernel(source->program(),
                                            "kernel " + std::to_string(index) +
                                                " '" + kernel.name + "'");
    if (source->cpp())
      kernel.cpp = readCpp(source, kernel, decoder_.chip());
    const std::size_t cores = countCores(kernel.cores);
    for (std::size_t i = 0;
         desc->runtime_args() && i < desc->runtime_args()->size(); ++i)
      kernel.runtimeArgs.push_back(runtimeArg(desc, i, cores));
    if (auto const *values = desc->compile_args())
      kernel.compileArgs.assign(values->begin(), values->end());
    for (std::size_t i = 0; desc->cbs() && i < desc->cbs()->size(); ++i)
      buffer(desc->cbs()->Get(unsigned(i)), kernel.cores);
    step_.sources.push_back({"ttmlir_" + fileName + ".cpp",
                             source->source() ? source->source()->string_view()
                                              : std::string_view()});
    launch_->kernels.push_back(std::move(kernel));
  }

  std::vector<std::uint32_t> runtimeArg(fb::KernelDesc const *desc,
                                        std::size_t index, std::size_t cores) {
    auto const *types = desc->runtime_args_type();
    if (!types || index >= types->size())
      malformed("expected one type per runtime argument");
    void const *arg = desc->runtime_args()->Get(unsigned(index));
    switch (types->Get(unsigned(index))) {
    case fb::RuntimeArg::RuntimeArgTensorAddress: {
      const auto operand =
          static_cast<fb::RuntimeArgTensorAddress const *>(arg)->operand_idx();
      if (operand >= step_.operands.size())
        malformed("expected an operand index below ", step_.operands.size(),
                  " in runtime argument ", index, ", found ", operand);
      const ValueIndex value = step_.operands[operand];
      if (decoder_.value(value).placed)
        step_.addresses.push_back({launch_->kernels.size(), index, value});
      return {std::uint32_t(decoder_.value(value).address)};
    }
    case fb::RuntimeArg::RuntimeArgSemaphoreAddress: {
      auto const *semaphore =
          static_cast<fb::RuntimeArgSemaphoreAddress const *>(arg);
      if (semaphore->core_type() != fb::CoreType::WORKER)
        raise(ErrorCategory::Unsupported,
              "expected a semaphore of worker cores "
              "in runtime argument ",
              index);
      if (launch_->semaphores.size() >= emulator::kSemaphores)
        malformed("expected at most ", emulator::kSemaphores,
                  " semaphores, found more in runtime argument ", index);
      launch_->semaphores.push_back(semaphore->initial_value());
      return {emulator::semaphoreAddress(
          decoder_.chip(), std::uint32_t(launch_->semaphores.size() - 1))};
    }
    case fb::RuntimeArg::RuntimeArgScalar: {
      auto const *values =
          static_cast<fb::RuntimeArgScalar const *>(arg)->values();
      const std::size_t count = values ? values->size() : 0;
      if (count != 1 && count != cores)
        malformed("expected 1 or ", cores, " values in runtime argument ",
                  index, ", found ", count);
      return {values->begin(), values->end()};
    }
    default:
      malformed("expected a type of runtime argument from 1 to ",
                unsigned(fb::RuntimeArg::MAX), ", found ",
                unsigned(types->Get(unsigned(index))));
    }
  }

  void buffer(target::CBRef const *ref, const std::vector<CoreRange> &cores) {
    if (!ref || !ref->desc())
      malformed("expected a circular buffer with a description");
    target::CBDesc const *desc = ref->desc();
    const BufferShape shape = readShape(desc->memory_desc());
    const std::uint64_t buffers = desc->num_buffers();
    if (buffers < 1 || buffers > 1024)
      malformed("port ", desc->port(),
                ": expected num_buffers from 1 to 1024, found ", buffers);
    const std::uint64_t bytes = shape.bytes * buffers;
    if (desc->page_size() < 1 || bytes % desc->page_size())
      malformed("port ", desc->port(), ": expected a page size that divides ",
                bytes, " bytes, found ", desc->page_size());
    CircularBufferConfig config;
    config.port = desc->port();
    config.address = ref->address();
    config.pageSize = desc->page_size();
    config.pages = bytes / desc->page_size();
    config.type = shape.type;
    config.tiled = shape.tiled;
    config.cores = cores;
    if (ref->tensor_ref())
      config.aliased = alias(ref, bytes);
    launch_->buffers.push_back(std::move(config));
  }

  /// Whether the buffer is the memory of the shards of its tensor.
  bool alias(target::CBRef const *ref, std::uint64_t bytes) {
    const Value &value =
        decoder_.value(decoder_.tensor(ref->tensor_ref(), "tensor_ref"));
    if (value.layout.space != Space::L1 ||
        ref->address() != std::uint64_t(value.address))
      return false;
    if (bytes > std::uint64_t(value.bankBytes))
      malformed("port ", ref->desc()->port(), ": ", bytes,
                " bytes do not fit into a shard of ", value.description, " of ",
                value.bankBytes, " bytes");
    return true;
  }

  Decoder &decoder_;
  const std::string &queue_;
  std::string op_;
  RunStep step_;
  std::shared_ptr<Launch> launch_ = std::make_shared<Launch>();
};

RunStep Decoder::run(fb::EnqueueProgramCommand const *command,
                     const std::string &queue, std::string_view location) {
  std::string op = nameInSource(location);
  if (op.empty())
    op = "%unknown" + std::to_string(unnamed_++);
  return ProgramDecoder(*this, queue, std::move(op)).decode(command);
}

} // namespace tt::runtime::ttmetal
