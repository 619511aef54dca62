#include "target/TTNN/Support.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttnn;

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// The one chip of a device; emits an error if there are several.
static std::optional<unsigned> getOnlyChip(FlatbufferObjectCache &cache,
                                           DeviceAttr device) {
  ArrayRef<unsigned> chipIds = device.getChipIds();
  if (chipIds.size() == 1)
    return chipIds.front();
  cache.emitError() << "uses a device of " << chipIds.size()
                    << " chips; expected exactly one";
  return std::nullopt;
}

Offset<fbs::DeviceRef> ttnn::deviceRef(FlatbufferObjectCache &cache,
                                       Value value) {
  if (!value)
    return 0;
  auto known = cache.deviceRefs.find(value);
  if (known != cache.deviceRefs.end())
    return known->second;

  auto type = dyn_cast<DeviceType>(value.getType());
  if (!type) {
    cache.emitError() << "expected a device, found a value of type "
                      << value.getType();
    return 0;
  }
  std::optional<unsigned> chip = getOnlyChip(cache, type.getDesc());
  if (!chip)
    return 0;
  Offset<fbs::DeviceRef> ref = fbs::CreateDeviceRef(*cache.fbb, *chip);
  cache.deviceRefs[value] = ref;
  return ref;
}

Offset<fbs::ttnn::GetDeviceOp> ttnn::createOp(FlatbufferObjectCache &cache,
                                              GetDeviceOp op) {
  auto type = cast<DeviceType>(op->getResult(0).getType());
  DeviceAttr device = type.getDesc();
  Offset<fbs::DeviceRef> ref = deviceRef(cache, op->getResult(0));
  if (ref.IsNull())
    return 0;
  fbs::Dim2d mesh(
      1, static_cast<int32_t>(mlir::tt::volume(device.getMeshShape())));
  ArrayRef<unsigned> ids = device.getChipIds();
  SmallVector<uint32_t> chipIds(ids.begin(), ids.end());
  auto chipIdsOffset = cache.fbb->CreateVector(chipIds.data(), chipIds.size());
  return fbs::ttnn::CreateGetDeviceOp(*cache.fbb, &mesh, chipIdsOffset, ref);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

namespace mlir::tt::ttnn {
#include "target/TTNN/TTNNToFlatbuffer.inc"
} // namespace mlir::tt::ttnn
