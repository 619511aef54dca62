// Arguments that callers give up: an output of the program has their memory.
#ifndef TT_RUNTIME_EMULATOR_DONATION_H
#define TT_RUNTIME_EMULATOR_DONATION_H

#include "common/fields.h"
#include "common/hosts.h"
#include "emulator/handles.h"
#include "ttmlir/Target/Common/types_generated.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tt::runtime::emulator {

/// For each input of a decoded program the output that has its memory, or -1;
/// empty if there is none. Throws Error(Format) unless both are one tensor in
/// DRAM or L1, and each output has one input.
template <typename Program, typename Table>
std::vector<std::int32_t> readAliasedOutputs(const Program &program,
                                             Table const *table) {
  std::vector<std::int32_t> all;
  for (const ArgumentDesc &argument :
       decodeArguments(table->arguments(), program.inputs.size()))
    all.push_back(argument.aliasedOutput);
  if (std::all_of(all.begin(), all.end(), [](auto o) { return o < 0; }))
    return {};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] < 0)
      continue;
    if (std::size_t(all[i]) >= program.outputs.size() ||
        std::count(all.begin(), all.end(), all[i]) != 1)
      malformed("expected an output of its own below ", program.outputs.size(),
                " for argument ", i, ", found ", all[i]);
    const Layout &input = program.values[program.inputs[i]].layout;
    const Layout &output =
        program.values[program.outputs[std::size_t(all[i])]].layout;
    if (!input.onDevice() || !input.samePages(output))
      malformed("expected output ", all[i], " on the device as argument ", i,
                ", ", input.describe(), ", found ", output.describe());
  }
  return all;
}

/// Takes the tensors that the caller gives up from their handles, which cannot
/// be used again. `aliased` is of readAliasedOutputs(). Throws Error(Argument)
/// for a tensor that does not change, or that is another argument, too; nothing
/// is taken then.
void takeDonated(const std::vector<std::int32_t> &aliased,
                 std::vector<Tensor> const &inputs, const std::string &program);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_DONATION_H
