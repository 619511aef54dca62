// Decodes the programs of a TTNN file; decode_steps.cpp has the operations.
#include "emulator/donation.h"
#include "emulator/mesh.h"
#include "ttnn/compute_config.h"
#include "ttnn/cost.h"
#include "ttnn/decoder.h"
#include "ttnn/verifier/verifier.h"

namespace tt::runtime::ttnn {

namespace {

namespace fb = ::tt::target::ttnn;

/// A bound for files that nobody has compiled.
constexpr unsigned kMaxPartDepth = 64;

/// Throws the error of a callee again with the place in front.
template <typename... Parts>
[[noreturn]] void rethrowAt(const Error &error, const Parts &...place) {
  raise(error.category(), place..., ": ", error.what());
}

/// `outer` is where the caller of a part runs, `depth` how many it has.
Program decodeProgram(fb::Program const *program, std::size_t index,
                      const ChipGeometry &chip, std::size_t numChips,
                      const MeshDevice &outer = {}, unsigned depth = 0);

/// The functions whose results a program uses; these use none themselves.
void decodeCached(Decoder &decoder, fb::Program const *program,
                  std::size_t index, const ChipGeometry &chip,
                  std::size_t numChips, Program &result) {
  auto const *all = program->cached();
  for (std::size_t i = 0; all && i < all->size(); ++i) {
    fb::CachedResults const *table = all->Get(unsigned(i));
    if (!table || !table->program() ||
        (table->program()->cached() && table->program()->cached()->size()))
      malformed("expected a program without cached results");
    CachedResults cached;
    cached.fingerprint = table->fingerprint();
    cached.program = std::make_shared<const Program>(
        decodeProgram(table->program(), index, chip, numChips));
    if (auto const *inputs = table->inputs())
      cached.inputs.assign(inputs->begin(), inputs->end());
    cached.outputs = decoder.defineEach(table->outputs(), "cached");
    emulator::checkCached(result, cached);
    result.cached.push_back(std::move(cached));
  }
}

/// What the control flow of a program runs, behind its operations, which say
/// where it runs.
void decodeParts(fb::Program const *program, std::size_t index,
                 const ChipGeometry &chip, std::size_t numChips,
                 const MeshDevice &outer, unsigned depth, Program &result) {
  auto const *parts = program->parts();
  if (parts && parts->size() && depth == kMaxPartDepth)
    malformed("expected parts at most ", kMaxPartDepth, " deep");
  for (std::size_t i = 0; parts && i < parts->size(); ++i) {
    fb::Program const *part = parts->Get(unsigned(i));
    if (part && part->cached() && part->cached()->size())
      malformed("expected parts without cached results");
    result.parts.push_back(std::make_shared<const Program>(decodeProgram(
        part, index, chip, numChips,
        result.devices.empty() ? outer : result.mesh(), depth + 1)));
    auto const &devices = result.parts.back()->devices;
    auto const &chips = result.devices.empty() ? outer : result.mesh();
    // Where the program has no device, the part's is the one.
    if (!devices.empty() && !chips.chipIds.empty() &&
        devices.front().chipIds != chips.chipIds)
      malformed("expected part '", result.parts.back()->name,
                "' on the chips of its program");
  }
  for (const Operation &operation : result.operations)
    if (auto const *step = std::get_if<ControlFlowStep>(&operation.step))
      emulator::checkControlFlow(result, *step);
}

/// Whether an operation multiplies many rows by one matrix, and makes `value`.
bool isProductOf(const Program &program, const Operation &operation,
                 ValueIndex value) {
  const auto hasOneMatrix = [&](const auto &step) {
    const Layout &b = program.values[step.in1].layout;
    return step.out == value && b.logicalRows() == b.shape[b.shape.size() - 2];
  };
  if (auto const *step = std::get_if<MatmulStep>(&operation.step))
    return program.values[step->in1].layout.rank() >= 2 && hasOneMatrix(*step);
  if (auto const *step = std::get_if<LinearStep>(&operation.step))
    return program.values[step->in1].layout.rank() >= 2 && hasOneMatrix(*step);
  return false;
}

/// Joins a collective to the product that it overlaps, the operation before it.
void joinProduct(Program &program) {
  auto *collective =
      std::get_if<CollectiveStep>(&program.operations.back().step);
  if (!collective || collective->collective.overlapSlices == 0)
    return;
  std::size_t before = program.operations.size() - 1;
  while (before > 0 && std::holds_alternative<DeallocStep>(
                           program.operations[before - 1].step))
    --before;
  if (before == 0 ||
      !isProductOf(program, program.operations[before - 1], collective->in))
    malformed("expected a product by one matrix right before, which makes the "
              "operand, with field overlap_slices");
  collective->product = before - 1;
  program.operations[before - 1].slices = collective->collective.overlapSlices;
}

Program decodeProgram(fb::Program const *program, std::size_t index,
                      const ChipGeometry &chip, std::size_t numChips,
                      const MeshDevice &outer, unsigned depth) {
  Program result;
  result.name = program && program->name() ? program->name()->str() : "";
  result.costs = std::make_shared<Costs>(chip);
  Decoder decoder(chip, numChips, result);
  try {
    if (!program)
      malformed("expected a program table");
    decoder.begin(outer);
    decoder.setNumParts(program->parts() ? program->parts()->size() : 0);
    decoder.defineInputs(program->inputs());
  } catch (const Error &error) {
    rethrowAt(error, "program ", index, " '", result.name, "', inputs");
  }
  try {
    decodeCached(decoder, program, index, chip, numChips, result);
  } catch (const Error &error) {
    rethrowAt(error, "program ", index, " '", result.name, "', cached results");
  }
  const std::size_t count =
      program->operations() ? program->operations()->size() : 0;
  result.operations.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    try {
      result.operations.push_back(
          decodeOperation(decoder, result, program->operations()->Get(i)));
      joinProduct(result);
    } catch (const Error &error) {
      rethrowAt(error, "program ", index, " '", result.name, "', operation ", i,
                " (", decoder.name, ")");
    }
  }
  try {
    decodeParts(program, index, chip, numChips, outer, depth, result);
  } catch (const Error &error) {
    rethrowAt(error, "program ", index, " '", result.name, "', parts");
  }
  for (const Operation &operation : result.operations)
    for (ValueIndex out : resultsOf(operation.step))
      if (std::string_view &location = result.values[out].location;
          location.empty() ||
          !std::holds_alternative<EmptyStep>(operation.step))
        location = operation.location;
  try {
    decoder.useOutputs(program->outputs());
    result.aliasedOutputs = emulator::readAliasedOutputs(result, program);
    emulator::readShardings(result, program, result.mesh().meshShape);
  } catch (const Error &error) {
    rethrowAt(error, "program ", index, " '", result.name, "', outputs");
  }
  return result;
}

} // namespace

Operands operandsOf(const Step &step) {
  return std::visit([](auto const &s) { return s.operands(); }, step);
}

OptionalValue resultOf(const Step &step) {
  return std::visit([](auto const &s) { return s.result(); }, step);
}

std::vector<ValueIndex> resultsOf(const Step &step) {
  return std::visit(
      [](auto const &s) {
        std::vector<ValueIndex> all;
        if constexpr (requires { s.results(); })
          all = s.results();
        else if (const OptionalValue out = s.result())
          all = {*out};
        return all;
      },
      step);
}

Operation decodeOperation(Decoder &decoder, const Program &program,
                          fb::Operation const *operation) {
  decoder.name = "operation";
  if (!operation || (!operation->type() == !operation->control_flow()))
    malformed("expected an operation table");
  Step step = decodeStep(decoder, operation);
  verify(program, step);
  const ComputeConfig config =
      readConfig(operation->compute_config(),
                 defaultConfig(program, step, decoder.arch()));
  const OptionalValue result = resultOf(step);
  return {std::move(step), decoder.name,
          operation->debug_info() ? operation->debug_info()->string_view()
                                  : std::string_view(),
          config, decodeActivation(operation, program, result)};
}

std::shared_ptr<const Program> decodeHostFunction(fb::Program const *program,
                                                  const ChipGeometry &chip,
                                                  std::size_t numChips,
                                                  const MeshDevice &mesh) {
  if (program && program->cached() && program->cached()->size())
    malformed("expected functions of the host without cached results");
  return std::make_shared<const Program>(
      decodeProgram(program, 0, chip, numChips, mesh, /*depth=*/1));
}

std::vector<std::shared_ptr<const Program>>
decodePrograms(fb::TTNNBinary const *binary) {
  if (!binary->system_desc() || !binary->system_desc()->chip_descs() ||
      binary->system_desc()->chip_descs()->size() == 0)
    malformed("expected a system description with at least one chip");
  const ChipGeometry chip =
      chipGeometry(binary->system_desc()->chip_descs()->Get(0));
  const std::size_t numChips =
      binary->system_desc()->chip_desc_indices()->size();
  const emulator::Variables variables =
      emulator::decodeVariables(binary->variables(), chip);
  return decodeOnce<Program>(
      binary->programs(), [&](fb::Program const *program, std::size_t index) {
        Program result = decodeProgram(program, index, chip, numChips);
        try {
          emulator::decodeVariableRefs(program->variables(), variables, result);
        } catch (const Error &error) {
          rethrowAt(error, "program ", index, " '", result.name, "'");
        }
        return result;
      });
}

} // namespace tt::runtime::ttnn
