// Names of enumerators and the handles' checks.
#include "tt/runtime/types.h"
#include "tt/runtime/utils.h"

#include "numerics/formats.h"

namespace tt::runtime {

const char *categoryName(ErrorCategory category) {
  switch (category) {
  case ErrorCategory::File:
    return "file";
  case ErrorCategory::Format:
    return "format";
  case ErrorCategory::Version:
    return "version";
  case ErrorCategory::SystemMismatch:
    return "system mismatch";
  case ErrorCategory::Argument:
    return "argument";
  case ErrorCategory::OutOfMemory:
    return "out of memory";
  case ErrorCategory::Unsupported:
    return "unsupported";
  case ErrorCategory::Kernel:
    return "kernel";
  case ErrorCategory::Cancelled:
    return "cancelled";
  case ErrorCategory::Internal:
    break;
  }
  return "internal";
}

const char *deviceRuntimeName(DeviceRuntime runtime) {
  switch (runtime) {
  case DeviceRuntime::TTNN:
    return "TTNN";
  case DeviceRuntime::TTMetal:
    return "TTMetal";
  case DeviceRuntime::Disabled:
    break;
  }
  return "Disabled";
}

void detail::RuntimeCheckedObjectImpl::check(
    DeviceRuntime expectedRuntime) const {
  if (associatedRuntime != expectedRuntime)
    raise(ErrorCategory::Argument, "expected an object of the ",
          deviceRuntimeName(expectedRuntime), " runtime, found one of the ",
          deviceRuntimeName(associatedRuntime), " runtime");
  if (!handle)
    raise(ErrorCategory::Argument, "expected an object, found an empty handle");
}

namespace utils {

std::uint32_t dataTypeElementSize(::tt::target::DataType dataType) {
  const std::int64_t size =
      dataType > ::tt::target::DataType::MAX
          ? 0
          : numerics::elementSize(static_cast<numerics::DType>(dataType));
  if (size == 0)
    raise(ErrorCategory::Unsupported, "data type ", dataTypeName(dataType),
          " has no size per element");
  return std::uint32_t(size);
}

std::string dataTypeName(::tt::target::DataType dataType) {
  if (dataType > ::tt::target::DataType::MAX)
    return "DataType(" + std::to_string(unsigned(dataType)) + ")";
  return ::tt::target::EnumNameDataType(dataType);
}

} // namespace utils
} // namespace tt::runtime
