// State of decoding one TTMetal program: which tensors and events it names.
#ifndef TT_RUNTIME_TTMETAL_DECODER_H
#define TT_RUNTIME_TTMETAL_DECODER_H

#include "common/fields.h"
#include "ttmetal/program.h"
#include "ttmlir/Target/TTMetal/binary_generated.h"

#include <unordered_map>

namespace tt::runtime::ttmetal {

namespace fb = ::tt::target::metal;

class Decoder {
public:
  using TensorRef = ::tt::target::TensorRef;
  using EventRef = ::tt::target::EventRef;
  using TensorRefs =
      ::flatbuffers::Vector<::flatbuffers::Offset<::tt::target::TensorRef>>;

  Decoder(const ChipGeometry &chip, Program &program)
      : chip_(chip), program_(program) {}

  std::vector<ValueIndex> tensors(TensorRefs const *refs, const char *field,
                                  bool needsAddress = true);
  /// The inputs of the program; those that no command uses need no address.
  std::vector<ValueIndex> inputs(TensorRefs const *refs);
  /// The tensors that are asked for from now on are used.
  void startCommands() { inCommands_ = true; }
  /// Throws Error(Format) for a tensor that is used and has no address.
  void checkAddresses() const;
  /// A tensor; all tensors of one id must be the same.
  ValueIndex tensor(TensorRef const *ref, const char *field,
                    bool needsAddress = true);
  /// The results of another program or of parts: of the host, or in DRAM at
  /// addresses of the runtime.
  std::vector<ValueIndex> placedTensors(TensorRefs const *refs,
                                        const char *field);
  /// One on the device, or one on the host.
  ValueIndex deviceTensor(TensorRef const *ref, const char *field);
  ValueIndex hostTensor(TensorRef const *ref, const char *field);
  EventIndex event(EventRef const *ref);
  void createEvent(EventRef const *ref);
  /// The chips of the mesh, of `numChips` of the system.
  void mesh(::tt::target::metal::DeviceProgram const *device,
            std::size_t numChips);
  /// Throws Error(Format) for an event that no command creates.
  void checkEvents() const;

  /// An EnqueueProgramCommand; `queue` and `location` name its kernels.
  RunStep run(fb::EnqueueProgramCommand const *command,
              const std::string &queue, std::string_view location);

  MeshShardStep meshShard(::tt::target::MeshShardOp const *op);
  ControlFlowStep controlFlow(::tt::target::ControlFlowOp const *op);
  CollectiveStep collective(::tt::target::CollectiveOp const *op);

  const Value &value(ValueIndex index) const { return program_.values[index]; }
  const ChipGeometry &chip() const { return chip_; }

private:
  struct Known {
    ValueIndex value;
    TensorRef const *ref;
  };

  ChipGeometry chip_;
  Program &program_;
  std::unordered_map<std::uint32_t, Known> tensors_;
  std::unordered_map<std::uint32_t, EventIndex> events_;
  std::vector<bool> created_; // by event
  bool inCommands_ = false;
  std::uint32_t unnamed_ = 0; // programs without a name in the source so far
};

} // namespace tt::runtime::ttmetal

#endif // TT_RUNTIME_TTMETAL_DECODER_H
