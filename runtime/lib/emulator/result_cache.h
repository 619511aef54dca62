// Results that programs keep from run to run.
#ifndef TT_RUNTIME_EMULATOR_RESULT_CACHE_H
#define TT_RUNTIME_EMULATOR_RESULT_CACHE_H

#include "common/layout.h"
#include "common/shapes.h"
#include "emulator/device.h"
#include "emulator/mesh.h"
#include "emulator/tensor.h"

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace tt::runtime::emulator {

/// What one function has made of arguments that do not change, on each group of
/// chips that it ran on. Thread-safe.
class ResultCache {
public:
  using Tensors = std::vector<TensorPtr>;

  /// What results depend on.
  struct Key {
    Tensors arguments;
    Numerics numerics = Numerics::Fast;
  };

  /// The results for this key on these chips; empty if there are none.
  Tensors find(const Chips &chips, const Key &key);
  /// Keeps results; nothing where an argument may change.
  void keep(const Chips &chips, const Key &key, const Tensors &results);
  /// Frees what is kept for these chips.
  void drop(const Chips &chips);
  /// Frees what is kept for any chips.
  void clear() {
    std::lock_guard lock(mutex_);
    entries_.clear();
  }

private:
  struct Entry {
    std::vector<std::weak_ptr<Chip>> chips;
    std::vector<std::weak_ptr<TensorData>> arguments;
    Numerics numerics;
    Tensors results;
  };
  Entry *of(const Chips &chips);

  std::mutex mutex_;
  std::vector<Entry> entries_;
};

/// The highest address in DRAM from which `bytes` of each bank are free on all
/// chips; negative if there is none.
std::int64_t findAddress(const Chips &chips, std::int64_t bytes);

/// A copy of a tensor of the device in the DRAM of the same chips, from its end
/// on, at one address in all of them; a tensor of the host itself. `owner`
/// names it in messages. Throws Error(OutOfMemory).
TensorPtr keepOnChips(const TensorPtr &tensor, const Chips &chips,
                      const std::string &owner);

/// A copy of a tensor in another layout in `bytes` of each bank of the DRAM of
/// these chips, from its end on, or on the host. `owner` names it in messages.
/// Throws Error(OutOfMemory).
TensorPtr placeHighOnChips(const TensorPtr &source, const Layout &layout,
                           const Chips &chips,
                           const std::vector<std::uint32_t> &meshShape,
                           std::int64_t bytes, const std::string &owner);

/// A tensor of another rank like `own`, on `chip` if that one is on a chip: in
/// DRAM from its end on. Throws Error(OutOfMemory).
TensorPtr remoteLike(const TensorPtr &own, const std::shared_ptr<Chip> &chip,
                     Remote remote, const std::string &owner);

/// The results of another function with the same fingerprint for this key on
/// these chips; empty if there are none.
ResultCache::Tensors findShared(OpenDevice &device, std::uint64_t fingerprint,
                                const Chips &chips,
                                const ResultCache::Key &key);

/// Shares the results with other functions that have the same fingerprint.
void share(OpenDevice &device, std::uint64_t fingerprint,
           const std::shared_ptr<ResultCache> &kept);

/// A function whose results a program uses, among its values of type
/// `ValueIndex`.
template <typename Program, typename ValueIndex> struct CachedResults {
  std::shared_ptr<const Program> program;
  std::vector<std::uint32_t> inputs; // of the arguments
  std::vector<ValueIndex> outputs;
  /// Functions with the same nonzero fingerprint compute the same.
  std::uint64_t fingerprint = 0;
  std::shared_ptr<ResultCache> kept = std::make_shared<ResultCache>();
};

/// Throws Error(Format) unless function and values fit together; `program` is
/// the one that uses the results.
template <typename Program, typename ValueIndex>
void checkCached(const Program &program,
                 const CachedResults<Program, ValueIndex> &cached) {
  const Program &callee = *cached.program;
  const auto expectCount = [&](const char *what, std::size_t expected,
                               std::size_t found) {
    if (expected != found)
      malformed("expected ", expected, " ", what, " of '", callee.name,
                "', found ", found);
  };
  const auto expectLayout = [&](const char *what, std::size_t index,
                                const Layout &expected, const Layout &found) {
    if (!expected.samePages(found))
      malformed("expected ", what, " ", index, " of '", callee.name, "' as ",
                expected.describe(), ", found ", found.describe());
  };
  expectCount("inputs", callee.inputs.size(), cached.inputs.size());
  expectCount("outputs", callee.outputs.size(), cached.outputs.size());
  for (std::size_t i = 0; i < cached.inputs.size(); ++i) {
    if (cached.inputs[i] >= program.inputs.size())
      malformed("expected an argument below ", program.inputs.size(),
                " as input ", i, " of '", callee.name, "', found ",
                cached.inputs[i]);
    expectLayout("input", i, callee.values[callee.inputs[i]].layout,
                 program.values[program.inputs[cached.inputs[i]]].layout);
  }
  for (std::size_t i = 0; i < cached.outputs.size(); ++i)
    expectLayout("output", i, callee.values[callee.outputs[i]].layout,
                 program.values[cached.outputs[i]].layout);
}

/// Whether the results have the layouts that the function returns. This may be
/// false because fingerprints come from files.
template <typename Program>
bool areResultsOf(const Program &callee,
                  const std::vector<TensorPtr> &results) {
  if (results.size() != callee.outputs.size())
    return false;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (!shardOf(results[i], 0)
             ->layout.samePages(callee.values[callee.outputs[i]].layout))
      return false;
  return true;
}

/// The cached results that a program uses, by function and output: those that
/// it or another program keeps for `given`, or else the results of
/// `run(program, inputs)`. `inputs` are `given` in the layouts of the program.
/// The cost of computing them does not count as that of the run.
template <typename Program, typename Run>
std::vector<TensorPtr>
loadCached(OpenDevice &device, const Chips &chips, const Program &program,
           const std::vector<TensorPtr> &inputs,
           const std::vector<TensorPtr> &given, const Run &run) {
  struct Unreported {
    bool &reporting;
    bool before = std::exchange(reporting, false);
    ~Unreported() { reporting = before; }
  } unreported{device.reporting};
  std::vector<TensorPtr> all;
  for (auto const &cached : program.cached) {
    std::vector<TensorPtr> own;
    ResultCache::Key key;
    key.numerics = device.options.numerics;
    for (std::uint32_t input : cached.inputs) {
      own.push_back(inputs[input]);
      key.arguments.push_back(given[input]);
    }
    std::vector<TensorPtr> results = cached.kept->find(chips, key);
    if (results.empty()) {
      cached.kept->drop(chips);
      results = findShared(device, cached.fingerprint, chips, key);
      if (!areResultsOf(*cached.program, results)) {
        results = run(*cached.program, own);
        for (const TensorPtr &argument : key.arguments)
          giveBackPages(*argument);
      }
      cached.kept->keep(chips, key, results);
      share(device, cached.fingerprint, cached.kept);
    }
    all.insert(all.end(), results.begin(), results.end());
  }
  return all;
}

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_RESULT_CACHE_H
