// TTMetal programs built with the generated flatbuffer builders.
#ifndef TTMLIR_UNITTESTS_RUNTIME_METAL_SUPPORT_H
#define TTMLIR_UNITTESTS_RUNTIME_METAL_SUPPORT_H

#include "assembler.h"
#include "support.h"

#include "ttmlir/Target/TTMetal/binary_generated.h"

namespace tt::runtime::test {

using TensorOffset = flatbuffers::Offset<target::TensorRef>;
using CommandOffset = flatbuffers::Offset<metal::Command>;

class MetalBuilder : public Builder {
public:
  /// A tensor with an id of its own at an address; constants have `data`.
  TensorOffset at(std::uint32_t id, std::uint64_t address, int rows, int cols,
                  target::DataType type, const Place &place,
                  const std::vector<std::uint8_t> &data = {}) {
    return target::CreateTensorRef(fbb, id, address, 0,
                                   desc(rows, cols, type, place, data));
  }

  template <typename Table>
  CommandOffset command(metal::CommandType type, Table table,
                        const char *location = "") {
    return metal::CreateCommandDirect(fbb, type, table.Union(), location);
  }
  CommandOffset create(TensorOffset ref) {
    return command(metal::CommandType::CreateBufferCommand,
                   metal::CreateCreateBufferCommand(fbb, ref));
  }
  CommandOffset deallocate(TensorOffset ref) {
    return command(metal::CommandType::DeallocateBufferCommand,
                   metal::CreateDeallocateBufferCommand(fbb, ref));
  }
  CommandOffset write(TensorOffset from, TensorOffset to) {
    return command(metal::CommandType::EnqueueWriteBufferCommand,
                   metal::CreateEnqueueWriteBufferCommand(fbb, from, to));
  }
  CommandOffset read(TensorOffset from, TensorOffset to) {
    return command(metal::CommandType::EnqueueReadBufferCommand,
                   metal::CreateEnqueueReadBufferCommand(fbb, from, to));
  }
  CommandOffset createEvent(std::uint32_t id) {
    return command(
        metal::CommandType::CreateEventCommand,
        metal::CreateCreateEventCommand(fbb, target::CreateEventRef(fbb, id)));
  }
  CommandOffset record(std::uint32_t id) {
    return command(metal::CommandType::EnqueueRecordEventCommand,
                   metal::CreateEnqueueRecordEventCommand(
                       fbb, target::CreateEventRef(fbb, id)));
  }
  CommandOffset await(std::uint32_t id) {
    return command(metal::CommandType::EnqueueWaitForEventCommand,
                   metal::CreateEnqueueWaitForEventCommand(
                       fbb, target::CreateEventRef(fbb, id)));
  }

  /// The bytes of a file of one program.
  std::string file(const std::vector<TensorOffset> &inputs,
                   const std::vector<TensorOffset> &outputs,
                   const std::vector<std::vector<CommandOffset>> &queues) {
    std::vector<flatbuffers::Offset<metal::CommandQueue>> list;
    for (std::size_t i = 0; i < queues.size(); ++i)
      list.push_back(metal::CreateCommandQueueDirect(
          fbb, ("queue" + std::to_string(i)).c_str(), &queues[i]));
    const std::vector<flatbuffers::Offset<metal::DeviceProgram>> devices = {
        metal::CreateDeviceProgramDirect(fbb, &inputs, &outputs, &list)};
    const std::vector<flatbuffers::Offset<metal::Program>> programs = {
        metal::CreateProgramDirect(fbb, "main", &inputs, &outputs, &devices)};
    const target::Version version(TTMLIR_VERSION_MAJOR, TTMLIR_VERSION_MINOR,
                                  TTMLIR_VERSION_PATCH);
    metal::FinishSizePrefixedTTMetalBinaryBuffer(
        fbb, metal::CreateTTMetalBinaryDirect(fbb, &version, "test", system(),
                                              &programs));
    return {reinterpret_cast<const char *>(fbb.GetBufferPointer()),
            fbb.GetSize()};
  }
  Binary binary(const std::vector<TensorOffset> &inputs,
                const std::vector<TensorOffset> &outputs,
                const std::vector<std::vector<CommandOffset>> &queues) {
    const std::string bytes = file(inputs, outputs, queues);
    return Binary::loadFromMemory(bytes.data(), bytes.size());
  }
};

} // namespace tt::runtime::test

#endif // TTMLIR_UNITTESTS_RUNTIME_METAL_SUPPORT_H
