//===- The C++ builder of elementwise ops ---------------------------------===//

#ifndef TTMLIR_ELTWISE_BUILDER_TD
#define TTMLIR_ELTWISE_BUILDER_TD

include "mlir/IR/OpBase.td"

/// Builds an op from its result types, inputs and outputs. Elementwise ops without
/// parameters have only this builder: most ops are built by name, and the nine
/// default builders of ODS took a fifth of the time to compile TTIR's ops.
class EltwiseBuilder<dag attributes = (ins), string setAttributes = "">
    : OpBuilder<!con((ins "::mlir::TypeRange":$results,
                          "::mlir::ValueRange":$inputs,
                          "::mlir::ValueRange":$outputs),
                     attributes), [{
        $_state.addTypes(results);
        $_state.addOperands(inputs);
        $_state.addOperands(outputs);
        auto &properties = $_state.getOrAddProperties<Properties>();
        properties.operandSegmentSizes = {static_cast<int32_t>(inputs.size()),
                                          static_cast<int32_t>(outputs.size())};
      }] # setAttributes>;

#endif
