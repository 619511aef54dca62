#ifndef CONVERSION_TTNNTOEMITC_CPPTEXT_H
#define CONVERSION_TTNNTOEMITC_CPPTEXT_H

#include "dialects/TT/TT.h"
#include "dialects/TTNN/TTNN.h"

#include <optional>
#include <string>

namespace mlir::tt::emission {

/// Where a tensor is stored, in the form of `ttnn::MemoryConfig`.
struct MemoryConfig {
  ttnn::TensorMemoryLayout layout = ttnn::TensorMemoryLayout::Interleaved;
  ttnn::BufferType buffer = ttnn::BufferType::SystemMemory;
  /// The `ttnn::ShardSpec`; empty where the cores do not matter.
  std::string shards;

  bool operator==(const MemoryConfig &other) const {
    return layout == other.layout && buffer == other.buffer &&
           shards == other.shards;
  }
};

/// The layout of a tensor in the form of `ttnn::TensorSpec`.
struct TensorSpec {
  SmallVector<int64_t> shape;
  DataType dtype = DataType::Float32;
  ttnn::Layout order = ttnn::Layout::RowMajor;
  MemoryConfig memory;
  /// The `ttnn::PhysicalLayout`; empty where rows follow one another and the
  /// padding does not matter.
  std::string physical;

  bool operator==(const TensorSpec &other) const {
    return shape == other.shape && dtype == other.dtype &&
           order == other.order && memory == other.memory &&
           physical == other.physical;
  }
};

/// The description of a tensor type with a layout; nothing and an error for any
/// other type. `device` is the module's, which may be null where no tensor is
/// sharded.
std::optional<TensorSpec>
getTensorSpec(function_ref<InFlightDiagnostic()> emitError, Type type,
              DeviceAttr device);

// C++ text.
std::string toCpp(DataType dtype);
std::string toCpp(ttnn::Layout order);
std::string toCpp(ttnn::TensorMemoryLayout layout);
std::string toCpp(ttnn::BufferType buffer);
std::string toCpp(const MemoryConfig &config);
std::string toCpp(const TensorSpec &spec);
/// "{64, 128}".
std::string braced(ArrayRef<int64_t> values);

/// An attribute as an argument of the C++ type `type`: exact numbers,
/// `std::nullopt` or `false` for an absent attribute. Nothing for an attribute
/// that has no C++ form.
std::optional<std::string> toCpp(StringRef type, Attribute attr);

/// `name` as an identifier of C++: other characters become `_`, and a reserved
/// word gets a `_` at its end.
std::string toIdentifier(StringRef name);

} // namespace mlir::tt::emission

#endif
