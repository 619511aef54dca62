// State of decoding one program: which tensors and devices exist so far.
#ifndef TT_RUNTIME_TTNN_DECODER_H
#define TT_RUNTIME_TTNN_DECODER_H

#include "common/fields.h"
#include "ttnn/program.h"

#include <unordered_map>

namespace tt::runtime::ttnn {

class Decoder {
public:
  using TensorRef = ::tt::target::TensorRef;
  using DeviceRef = ::tt::target::DeviceRef;
  using TensorRefs =
      ::flatbuffers::Vector<::flatbuffers::Offset<::tt::target::TensorRef>>;

  /// `numChips` are those of the system, all of this geometry.
  Decoder(const ChipGeometry &chip, std::size_t numChips, Program &program)
      : chip_(chip), numChips_(numChips), program_(program) {}

  ::tt::target::Arch arch() const { return chip_.arch; }

  std::string name; // of the operation being decoded

  /// The device that is in use where a part of a program begins.
  void begin(const MeshDevice &device) { outer_ = device; }
  void setNumParts(std::size_t count) { numParts_ = count; }
  std::size_t numParts() const { return numParts_; }

  void defineInputs(TensorRefs const *refs);
  void useOutputs(TensorRefs const *refs);
  /// Results of other programs, or of parts.
  std::vector<ValueIndex> defineEach(TensorRefs const *refs, const char *field);

  /// An operand: its id is known and alive.
  ValueIndex use(TensorRef const *ref, const char *field);
  /// The same for an operand that may be absent.
  OptionalValue useOptional(TensorRef const *ref, const char *field);
  /// Operands, at least one.
  std::vector<ValueIndex> useAll(TensorRefs const *refs, const char *field);
  /// The same, of which there may be none.
  std::vector<ValueIndex> useEach(TensorRefs const *refs, const char *field);
  /// A new tensor, written by the operation: its id is not known.
  ValueIndex define(TensorRef const *ref, const char *field);
  /// A new tensor whose contents are undefined.
  ValueIndex defineEmpty(TensorRef const *ref, const char *field);
  /// The result of an operation that may write over an existing tensor.
  ValueIndex result(TensorRef const *ref, const char *field);
  /// An operand that is freed.
  ValueIndex kill(TensorRef const *ref);

  /// A device of checked ids; it is the one in use from now on.
  DeviceIndex defineDevice(MeshDevice device, DeviceRef const *out);
  /// The device; kAnyDevice when the table names none.
  DeviceIndex device(DeviceRef const *ref);
  /// The mesh of the device in use: that of the caller,
  /// or 1x1, before there is one.
  const std::vector<std::uint32_t> &meshShape() const;

  void checkMemoryConfig(::tt::target::MemoryConfigDesc const *config);

  const Layout &layout(ValueIndex value) const {
    return program_.values[value].layout;
  }
  const std::vector<std::int64_t> &shape(ValueIndex value) const {
    return layout(value).shape;
  }

private:
  struct Known {
    ValueIndex value;
    TensorRef const *ref;
    bool alive = true;
    bool written = true;
  };
  Known *find(TensorRef const *ref, const char *field);

  ChipGeometry chip_;
  std::size_t numChips_;
  Program &program_;
  std::unordered_map<std::uint32_t, Known> known_;
  std::unordered_map<std::uint32_t, DeviceIndex> devices_; // by ref id
  DeviceIndex current_ = kAnyDevice;
  MeshDevice outer_;
  std::size_t numParts_ = 0;
};

/// The function that an operation applies to its result; an error if it cannot.
std::optional<numerics::UnaryOp>
decodeActivation(::tt::target::ttnn::Operation const *operation,
                 const Program &program, OptionalValue result);

/// The step that a table of the union OpType says; gives the decoder its name.
Step decodeStep(Decoder &decoder,
                ::tt::target::ttnn::Operation const *operation);

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_TTNN_DECODER_H
