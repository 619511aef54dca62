//===- EltwiseWriter.cpp - elementwise programs as instructions ----------===//

#include "conversion/TTIRToTTMetal/EltwiseProgram.h"

using namespace mlir;
using namespace mlir::tt;

using Step = EltwiseProgram::Step;
using Phase = EltwiseProgram::Phase;

EltwiseWriter::EltwiseWriter(KernelBuilder &kernel,
                             const EltwiseProgram &program,
                             ArrayRef<Buffer> inputs,
                             ArrayRef<Buffer> intermediates,
                             const Buffer &output)
    : kernel(kernel), program(program), inputs(inputs),
      intermediates(intermediates), output(output) {
  auto elementOf = [](const Buffer &buffer) {
    return buffer.type.getMemref().getElementType();
  };
  hasMixedInputs = !intermediates.empty();
  for (const Buffer &input : inputs)
    hasMixedInputs |= elementOf(input) != elementOf(inputs.front());
  isLone = program.phases.size() == 1 &&
           program.phases.front().steps.size() == 1 && !hasMixedInputs;
}

void EltwiseWriter::start() {
  if (auto pair = program.getMatrixInputs())
    kernel.call("binary_op_init_common",
                {inputs[pair->first], inputs[pair->second], output});
  else
    kernel.call("init_sfpu", {inputs.front(), output});
  if (isLone)
    initialize(program.phases.front().steps.front());
}

void EltwiseWriter::initialize(const Step &step) {
  auto reconfigure = [&](const Buffer &buffer) {
    if (hasMixedInputs)
      kernel.call("reconfig_data_format_srca", {buffer});
  };
  switch (step.kind) {
  case Step::Kind::Load:
    reconfigure(inputs[step.from[0]]);
    kernel.call("copy_tile_init", {inputs[step.from[0]]});
    break;
  case Step::Kind::Reload:
    reconfigure(intermediates[step.from[0]]);
    kernel.call("copy_tile_init", {intermediates[step.from[0]]});
    break;
  case Step::Kind::Broadcast:
    reconfigure(inputs[step.from[0]]);
    kernel.call("unary_bcast_init", {inputs[step.from[0]], output},
                step.attributes);
    break;
  case Step::Kind::Matrix:
    if (hasMixedInputs)
      kernel.call("reconfig_data_format",
                  {inputs[step.from[0]], inputs[step.from[1]]});
    kernel.call((step.mnemonic + "_init").str(),
                {inputs[step.from[0]], inputs[step.from[1]]});
    break;
  case Step::Kind::Fill:
    kernel.call("fill_tile_init");
    break;
  case Step::Kind::Vector:
    kernel.call((step.mnemonic + "_init").str());
    break;
  }
}

void EltwiseWriter::writeStep(const Step &step, unsigned registers,
                              unsigned count,
                              function_ref<I32(unsigned, unsigned)> tiles) {
  if (!isLone)
    initialize(step);
  for (unsigned i = 0; i < count; ++i) {
    auto slot = [&](unsigned number) -> Operand {
      return int64_t(i * registers + number);
    };
    auto from = [&](unsigned operand) { return step.from[operand]; };
    switch (step.kind) {
    case Step::Kind::Load:
    case Step::Kind::Broadcast:
      kernel.call(step.mnemonic,
                  {inputs[from(0)], tiles(from(0), i), slot(step.to)},
                  step.attributes);
      break;
    case Step::Kind::Reload:
      kernel.call(step.mnemonic, {intermediates[from(0)], 0, slot(step.to)});
      break;
    case Step::Kind::Matrix:
      kernel.call(step.mnemonic,
                  {inputs[from(0)], inputs[from(1)], tiles(from(0), i),
                   tiles(from(1), i), slot(step.to)});
      break;
    case Step::Kind::Fill:
    case Step::Kind::Vector: {
      SmallVector<Operand> operands;
      for (unsigned number : step.from)
        operands.push_back(slot(number));
      // What works on one register does so in place.
      if (step.from.size() != 1)
        operands.push_back(slot(step.to));
      for (int64_t number : step.numbers)
        operands.push_back(number);
      kernel.call(step.mnemonic, operands, step.attributes);
      break;
    }
    }
  }
}

void EltwiseWriter::write(unsigned count,
                          function_ref<I32(unsigned, unsigned)> tiles,
                          I32 first) {
  for (const Phase &phase : program.phases) {
    kernel.acquire();
    for (const Step &step : phase.steps)
      writeStep(step, phase.registers, count, tiles);
    kernel.commit();
    const Buffer &target =
        phase.intermediate ? intermediates[*phase.intermediate] : output;
    if (!intermediates.empty())
      kernel.call("pack_reconfig_data_format", {target});
    if (phase.intermediate)
      kernel.reserve(target);
    for (unsigned i = 0; i < count; ++i)
      kernel.pack(i * phase.registers + phase.result, target,
                  phase.intermediate ? I32(0) : first + i);
    kernel.release();
    if (phase.intermediate) {
      kernel.push(target);
      kernel.wait(target);
    }
  }
  for (const Buffer &buffer : intermediates)
    kernel.pop(buffer);
}
