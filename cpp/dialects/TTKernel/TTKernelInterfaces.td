//===- Interfaces of 'ttkernel' attributes --------------------------------===//

#ifndef TTMLIR_TTKERNEL_INTERFACES_TD
#define TTMLIR_TTKERNEL_INTERFACES_TD

include "mlir/IR/OpBase.td"

def TTKernel_KernelConfigInterface : AttrInterface<"KernelConfigInterface"> {
  let cppNamespace = "::mlir::tt::ttkernel";
  let description = [{
    The build configuration of a kernel, for the kind of thread that runs it.
  }];
  let methods = [
    InterfaceMethod<
      /*desc=*/[{The kind of thread that runs the kernel.}],
      /*retTy=*/"::mlir::tt::ttkernel::ThreadType",
      /*methodName=*/"getThreadType">,
    InterfaceMethod<
      /*desc=*/[{Whether threads of this kind run the kernel.}],
      /*retTy=*/"bool", /*methodName=*/"isThreadType",
      /*args=*/(ins "::mlir::tt::ttkernel::ThreadType":$threadType),
      /*methodBody=*/[{ return $_attr.getThreadType() == threadType; }]>
  ];
}

#endif
