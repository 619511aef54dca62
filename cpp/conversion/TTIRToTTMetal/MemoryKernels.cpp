//===- MemoryKernels.cpp - kernels that change memory of their core -------===//

#include "conversion/TTIRToTTMetal/MemoryKernels.h"

using namespace mlir;
using namespace mlir::tt;

static NamedAttribute countOf(KernelBuilder &kernel, int64_t bytes) {
  OpBuilder &builder = kernel.getBuilder();
  return builder.getNamedAttr("bytes", builder.getI32IntegerAttr(bytes));
}

I32 tt::loadFromL1(KernelBuilder &kernel, I32 address, int64_t bytes) {
  return kernel.callI32("load_from_l1", {address}, countOf(kernel, bytes));
}

void tt::storeToL1(KernelBuilder &kernel, I32 value, I32 address,
                   int64_t bytes) {
  kernel.call("store_to_l1", {value, address}, countOf(kernel, bytes));
}

LogicalResult tt::buildInMemory(DispatchBuilder &dispatch, int64_t bytes,
                                int64_t units,
                                function_ref<void(KernelBuilder &, I32)> body) {
  Buffer memory = dispatch.addScalars(
      ttkernel::CBPort::Out0, IntegerType::get(dispatch.getContext(), 32),
      {1, bytes / kWord}, bytes, /*numBuffers=*/1);
  dispatch.setCores(dispatch.coresFor(units));
  dispatch.reader([&](KernelBuilder &kernel) {
    // The page is the kernel's until it is pushed.
    kernel.reserve(memory);
    body(kernel, kernel.writePointer(memory));
    kernel.push(memory);
    kernel.wait(memory);
    kernel.pop(memory);
  });
  return dispatch.build();
}
