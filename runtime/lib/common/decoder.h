// State of decoding one program: which tensors and devices exist so far.
#ifndef TT_RUNTIME_COMMON_DECODER_H
#define TT_RUNTIME_COMMON_DECODER_H

#include "common/program.h"
#include "common/shapes.h"

#include <unordered_map>

namespace tt::runtime {

/// A vector of the file; empty if it is absent. Throws Error(Format) when it is
/// not aligned: the verifier aligns a vector by its length of four bytes alone.
template <typename T>
std::vector<std::int64_t> readVector(::flatbuffers::Vector<T> const *vector,
                                     const char *field) {
  if (!vector)
    return {};
  if (vector->size() &&
      reinterpret_cast<std::uintptr_t>(vector->Data()) % alignof(T))
    malformed("the elements of field ", field, " are not aligned");
  return {vector->begin(), vector->end()};
}

/// Throws Error(Format) unless `value` is an enumerator.
template <typename E> void checkEnumerator(const char *what, E value) {
  if (value > E::MAX)
    malformed("expected ", what, " up to ", unsigned(E::MAX), ", found ",
              unsigned(value));
}

class Decoder {
public:
  using TensorRef = ::tt::target::TensorRef;
  using DeviceRef = ::tt::target::DeviceRef;
  using TensorRefs =
      ::flatbuffers::Vector<::flatbuffers::Offset<::tt::target::TensorRef>>;

  /// `numChips` are those of the system, all of this geometry.
  Decoder(const ChipGeometry &chip, std::size_t numChips, Program &program)
      : chip_(chip), numChips_(numChips), program_(program) {}

  std::string name; // of the operation being decoded

  void defineInputs(TensorRefs const *refs);
  void useOutputs(TensorRefs const *refs);

  /// An operand: its id is known and alive.
  ValueIndex use(TensorRef const *ref, const char *field);
  /// The same for an operand that may be absent.
  OptionalValue useOptional(TensorRef const *ref, const char *field);
  /// A new tensor, written by the operation: its id is not known.
  ValueIndex define(TensorRef const *ref, const char *field);
  /// A new tensor whose contents are undefined.
  ValueIndex defineEmpty(TensorRef const *ref, const char *field);
  /// The result of an operation that may write over an existing tensor.
  ValueIndex result(TensorRef const *ref, const char *field = "out");
  /// An operand that is freed.
  ValueIndex kill(TensorRef const *ref);

  /// A device of checked ids; it is the one in use from now on.
  DeviceIndex defineDevice(MeshDevice device, DeviceRef const *out);
  /// The device; kAnyDevice when the table names none.
  DeviceIndex device(DeviceRef const *ref);
  /// The mesh of the device in use: 1x1 before there is one.
  const std::vector<std::uint32_t> &meshShape() const;

  /// A copy between layouts.
  MoveStep move(ValueIndex in, DeviceRef const *device, TensorRef const *out);
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
};

} // namespace tt::runtime

#endif // TT_RUNTIME_COMMON_DECODER_H
