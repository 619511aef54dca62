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

/// Stands for "the device in use" where a table names none.
inline constexpr std::uint32_t kAnyDevice = ~std::uint32_t(0);

class Decoder {
public:
  using TensorRef = ::tt::target::TensorRef;
  using DeviceRef = ::tt::target::DeviceRef;
  using TensorRefs =
      ::flatbuffers::Vector<::flatbuffers::Offset<::tt::target::TensorRef>>;

  Decoder(const ChipGeometry &chip, Program &program)
      : chip_(chip), program_(program) {}

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

  void defineDevice(std::uint32_t chip, DeviceRef const *out);
  /// The chip id; kAnyDevice when the table names no device.
  std::uint32_t device(DeviceRef const *ref);

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
  Program &program_;
  std::unordered_map<std::uint32_t, Known> known_;
  std::unordered_map<std::uint32_t, std::uint32_t> devices_; // ref id to chip
};

} // namespace tt::runtime

#endif // TT_RUNTIME_COMMON_DECODER_H
