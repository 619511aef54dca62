// Programs built with the generated flatbuffer builders.
#ifndef TTMLIR_UNITTESTS_RUNTIME_SUPPORT_H
#define TTMLIR_UNITTESTS_RUNTIME_SUPPORT_H

#include "common/layout.h"
#include "tt/runtime/runtime.h"
#include "ttmlir/Target/TTNN/binary_generated.h"
#include "ttmlir/Version.h"

#include <cstring>
#include <string>
#include <vector>

namespace tt::runtime::test {

namespace target = ::tt::target;
namespace fb = ::tt::target::ttnn;

/// Where a tensor of a test lives.
struct Place {
  target::MemorySpace space = target::MemorySpace::DeviceDRAM;
  target::TensorMemoryLayout layout = target::TensorMemoryLayout::Interleaved;
  bool tiled = true;
  int gridY = 1, gridX = 1;
};

inline constexpr Place kHost = {target::MemorySpace::System,
                                target::TensorMemoryLayout::None, false};

class Builder {
public:
  flatbuffers::FlatBufferBuilder fbb;

  flatbuffers::Offset<target::TensorDesc>
  desc(int rows, int cols, target::DataType type, const Place &place,
       const std::vector<std::uint8_t> &data = {}) {
    const auto ceil = [](int a, int b) { return (a + b - 1) / b; };
    std::vector<int> shard = {ceil(rows, place.gridY), ceil(cols, place.gridX)};
    if (place.tiled)
      shard = {ceil(shard[0], 32), ceil(shard[1], 32)};
    const auto kind = static_cast<numerics::DType>(type);
    // Files count block floats without their exponents.
    const std::int64_t unit = !place.tiled
                                  ? numerics::elementSize(kind)
                                  : numerics::tileBytes(kind) -
                                        (numerics::isBlockFloat(kind) ? 64 : 0);
    const target::Dim2d tile(place.tiled ? 32 : 1, place.tiled ? 32 : 1);
    const std::vector<target::Dim2dRange> cores = {target::Dim2dRange(
        target::Dim2d(0, 0), target::Dim2d(place.gridY, place.gridX))};
    const std::vector<int> shape = {rows, cols}, stride = {cols, 1};
    auto memory = target::CreateMemoryDescDirect(
        fbb, &shard, &tile, type, place.space, place.layout,
        std::uint64_t(shard[0]) * shard[1] * unit);
    auto layout = target::CreateLayoutDescDirect(
        fbb, &stride, target::OOBVal::Undef, &cores, memory);
    return target::CreateTensorDescDirect(fbb, &shape, layout,
                                          data.empty() ? nullptr : &data);
  }

  flatbuffers::Offset<target::TensorRef>
  tensor(int rows, int cols, target::DataType type, const Place &place) {
    return target::CreateTensorRef(fbb, next_++, 0, 0,
                                   desc(rows, cols, type, place));
  }

  flatbuffers::Offset<fb::Operation>
  eltwise(fb::EltwiseOpType type,
          const std::vector<flatbuffers::Offset<target::TensorRef>> &ins,
          flatbuffers::Offset<target::TensorRef> out) {
    return fb::CreateOperationDirect(
        fbb, fb::OpType::EltwiseOp,
        fb::CreateEltwiseOpDirect(fbb, type, &ins, out).Union(), "eltwise");
  }

  /// A program of one elementwise operation in one place.
  Binary unaryProgram(fb::EltwiseOpType type, int rows, int cols,
                      target::DataType dataType, const Place &place) {
    auto in = tensor(rows, cols, dataType, place);
    auto out = tensor(rows, cols, dataType, place);
    return finish({in}, {out}, {eltwise(type, {in}, out)});
  }

  Binary
  finish(const std::vector<flatbuffers::Offset<target::TensorRef>> &inputs,
         const std::vector<flatbuffers::Offset<target::TensorRef>> &outputs,
         const std::vector<flatbuffers::Offset<fb::Operation>> &operations) {
    const std::vector<flatbuffers::Offset<fb::Program>> programs = {
        fb::CreateProgramDirect(fbb, "main", &inputs, &outputs, &operations)};
    const target::Version version(TTMLIR_VERSION_MAJOR, TTMLIR_VERSION_MINOR,
                                  TTMLIR_VERSION_PATCH);
    fb::FinishSizePrefixedTTNNBinaryBuffer(
        fbb,
        fb::CreateTTNNBinaryDirect(fbb, &version, "test", system(), &programs));
    return Binary::loadFromMemory(fbb.GetBufferPointer(), fbb.GetSize());
  }

  /// A copy of the default description, field by field.
  flatbuffers::Offset<target::SystemDesc> system();

private:
  std::uint32_t next_ = 1;
};

inline flatbuffers::Offset<target::SystemDesc> Builder::system() {
  const SystemDesc file = system_desc::getDefaultSystemDesc("n150");
  const target::ChipDesc &chip = *file->chip_descs()->Get(0);
  const auto cores = [](auto const *from) {
    std::vector<target::Dim2d> copy;
    for (target::Dim2d const *core : *from)
      copy.push_back(*core);
    return copy;
  };
  const auto worker = cores(chip.physical_cores()->worker());
  const auto dram = cores(chip.physical_cores()->dram());
  auto physical = target::CreateChipPhysicalCoresDirect(fbb, &worker, &dram);
  const std::vector<flatbuffers::Offset<target::ChipDesc>> chips = {
      target::CreateChipDescDirect(
          fbb, chip.arch(), chip.grid_size(), chip.l1_size(),
          chip.num_dram_channels(), chip.dram_channel_size(),
          chip.noc_l1_address_align_bytes(), chip.pcie_address_align_bytes(),
          chip.noc_dram_address_align_bytes(), chip.l1_unreserved_base(),
          chip.erisc_l1_unreserved_base(), chip.dram_unreserved_base(),
          chip.dram_unreserved_end(), physical)};
  const std::vector<std::uint32_t> indices = {0};
  return target::CreateSystemDescDirect(fbb, &chips, &indices);
}

/// A matrix of floats on the host.
inline Tensor hostTensor(const std::vector<float> &values, std::uint32_t rows,
                         std::uint32_t cols) {
  Tensor tensor = createEmptyTensor({rows, cols}, target::DataType::Float32);
  std::memcpy(tensor.data.get(), values.data(), values.size() * 4);
  return tensor;
}

/// The elements of a tensor, row-major.
inline std::vector<float> values(Tensor tensor, std::size_t count) {
  std::vector<float> result(count);
  toHost(tensor, target::DataType::Float32, result.data(), count * 4);
  return result;
}

} // namespace tt::runtime::test

#endif // TTMLIR_UNITTESTS_RUNTIME_SUPPORT_H
