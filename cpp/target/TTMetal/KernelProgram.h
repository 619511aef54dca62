#ifndef TARGET_TTMETAL_KERNELPROGRAM_H
#define TARGET_TTMETAL_KERNELPROGRAM_H

#include "dialects/TTKernel/TTKernel.h"

#include "ttmlir/Target/TTMetal/kernel_generated.h"

#include <string>
#include <vector>

namespace mlir::tt::ttmetal {

namespace fbs = ::tt::target;

/// A kernel as schema/TTMetal/kernel.fbs describes it.
struct KernelProgram {
  uint32_t registers = 0;
  std::vector<uint32_t> constants;
  std::vector<fbs::metal::Instruction> instructions;
  std::vector<uint32_t> operands;
  std::vector<ttkernel::TensorAccessorArgsAttr> accessors;
  std::vector<std::string> strings;
};

/// Compiles a kernel, a region of `ttmetal.dispatch`. On failure there is an
/// error at the op that no instruction exists for. Linear in the number of ops.
FailureOr<KernelProgram> compileKernel(Region &kernel);

::flatbuffers::Offset<fbs::metal::KernelProgram>
toFlatbuffer(::flatbuffers::FlatBufferBuilder &fbb,
             const KernelProgram &program);

} // namespace mlir::tt::ttmetal

#endif
