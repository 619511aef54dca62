#include "target/TTMetal/KernelCpp.h"

#include "conversion/TTKernelToEmitC/TTKernelToEmitC.h"
#include "target/TTMetal/KernelRegion.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/IR/Builders.h"
#include "mlir/Target/Cpp/CppEmitter.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tt;

namespace {
/// Ops whose mnemonics have this text in them are declared in this header.
struct HeaderRule {
  StringRef part, header;
};
} // namespace

/// Beyond the headers that every kernel of a kind includes.
static constexpr HeaderRule kHeaders[] = {
    {"copy_tile", "compute_kernel_api/tile_move_copy.h"},
    {"bcast", "compute_kernel_api/bcast.h"},
    {"mm_", "compute_kernel_api/matmul.h"},
    {"matmul_", "compute_kernel_api/matmul.h"},
    {"reduce_", "compute_kernel_api/reduce.h"},
    {"transpose_wh", "compute_kernel_api/transpose_wh.h"},
    {"reconfig", "compute_kernel_api/reconfig_data_format.h"},
    {"binary_tile", "compute_kernel_api/eltwise_binary_sfpu.h"},
    {"_tile_init", "compute_kernel_api/eltwise_unary/eltwise_unary.h"},
    {"init_sfpu", "compute_kernel_api/eltwise_unary/eltwise_unary.h"},
    {"unary_op_init", "compute_kernel_api/eltwise_unary/eltwise_unary.h"},
    {"fabric_", "fabric_api.h"},
    {"device_id", "fabric_api.h"},
    {"dprint", "debug/dprint.h"},
    {"assert", "debug/assert.h"},
};

/// The headers of the ops of a kernel, each once.
static llvm::SetVector<StringRef> getHeaders(func::FuncOp kernel,
                                             ttkernel::ThreadType thread) {
  llvm::SetVector<StringRef> headers;
  if (thread == ttkernel::ThreadType::Noc)
    headers.insert("dataflow_api.h");
  if (thread == ttkernel::ThreadType::Tensix)
    for (StringRef name : {"common", "tilize", "untilize", "eltwise_binary"})
      headers.insert(StringAttr::get(kernel.getContext(),
                                     "compute_kernel_api/" + name + ".h")
                         .getValue());
  kernel.walk([&](Operation *op) {
    if (op->getName().getDialectNamespace() != "ttkernel")
      return;
    for (const HeaderRule &rule : kHeaders)
      if (op->getName().stripDialect().contains(rule.part)) {
        headers.insert(rule.header);
        break;
      }
  });
  return headers;
}

FailureOr<std::string>
ttmetal::emitKernelCpp(Region &region, ttkernel::KernelConfigInterface config) {
  MLIRContext *context = region.getContext();
  context->getOrLoadDialect<emitc::EmitCDialect>();
  FailureOr<OwningOpRef<ModuleOp>> module = cloneKernel(region);
  if (failed(module))
    return failure();
  func::FuncOp kernel = getKernelMain(**module);
  ttkernel::ThreadType thread = config.getThreadType();
  llvm::SetVector<StringRef> headers = getHeaders(kernel, thread);
  // Variables of blocks that are jumped over have to come first.
  bool hasJumps = !kernel.getBody().hasOneBlock();
  if (failed(convertTTKernelToEmitC(kernel)))
    return failure();

  OpBuilder builder(kernel);
  Location loc = kernel.getLoc();
  emitc::IncludeOp::create(builder, loc, "cstdint",
                           /*is_standard_include=*/true);
  for (StringRef header : headers)
    emitc::IncludeOp::create(builder, loc, header,
                             /*is_standard_include=*/false);
  if (thread == ttkernel::ThreadType::Tensix) {
    emitc::VerbatimOp::create(builder, loc, "namespace NAMESPACE {");
    builder.setInsertionPointAfter(kernel);
    emitc::VerbatimOp::create(builder, loc, "void MAIN { kernel_main(); }");
    emitc::VerbatimOp::create(builder, loc, "}");
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  if (failed(emitc::translateToCpp(**module, os, hasJumps)))
    return failure();
  return text;
}
