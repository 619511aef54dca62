#include "target/TTNN/Support.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttnn;

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

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
  // A device of several chips is referred to by its first chip.
  Offset<fbs::DeviceRef> ref =
      fbs::CreateDeviceRef(*cache.fbb, type.getDesc().getChipIds().front());
  cache.deviceRefs[value] = ref;
  return ref;
}

Offset<fbs::ttnn::GetDeviceOp> ttnn::createOp(FlatbufferObjectCache &cache,
                                              GetDeviceOp op) {
  auto type = cast<DeviceType>(op->getResult(0).getType());
  DeviceAttr device = type.getDesc();
  if (failed(device.verifyInSystem([&] { return cache.emitError(); },
                                   getScopeSystemDesc(op))))
    return 0;
  Offset<fbs::DeviceRef> ref = deviceRef(cache, op->getResult(0));
  if (ref.IsNull())
    return 0;
  ArrayRef<int64_t> extents = device.getMeshShape();
  int64_t columns = extents.empty() ? 1 : extents.back();
  int64_t chips = mlir::tt::volume(extents);
  fbs::Dim2d mesh(static_cast<int32_t>(chips / columns),
                  static_cast<int32_t>(columns));
  ArrayRef<unsigned> ids = device.getChipIds();
  SmallVector<uint32_t> chipIds(ids.begin(), ids.end());
  auto chipIdsOffset = cache.fbb->CreateVector(chipIds.data(), chipIds.size());
  SmallVector<uint32_t> meshShape(extents.begin(), extents.end());
  auto meshShapeOffset =
      cache.fbb->CreateVector(meshShape.data(), meshShape.size());
  return fbs::ttnn::CreateGetDeviceOp(*cache.fbb, &mesh, chipIdsOffset, ref,
                                      meshShapeOffset);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

namespace mlir::tt::ttnn {
#include "target/TTNN/TTNNToFlatbuffer.inc"
} // namespace mlir::tt::ttnn
