#include "conversion/TodayToTTIR/Problems.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::tt::today;

/// Places that an error lists; it counts the others.
static constexpr size_t kMaxPlaces = 200;

bool mlir::tt::today::isKnownAttribute(StringRef name) {
  static const llvm::StringSet<> known = {"arg_attrs",
                                          "callee",
                                          "function_type",
                                          "mhlo.num_partitions",
                                          "mhlo.num_replicas",
                                          "no_inline",
                                          "operandSegmentSizes",
                                          "operand_constraints",
                                          "resultSegmentSizes",
                                          "res_attrs",
                                          "sym_name",
                                          "sym_visibility",
                                          "tt.aliased_output",
                                          "tt.function_type",
                                          "tt.shard_dims",
                                          "ttcore.argument_type",
                                          "ttcore.device",
                                          "ttcore.local_shape",
                                          "ttcore.meshes",
                                          "ttcore.shard_status",
                                          "ttcore.system_desc",
                                          "ttir.cpu_hoisted_call",
                                          "ttir.name",
                                          "ttir.should_hoist"};
  return known.contains(name);
}

void Problems::drop(StringRef attribute, Location place) {
  if (!isKnownAttribute(attribute) && dropped.insert(attribute) &&
      !firstDropped)
    firstDropped = import.location(place);
}

void Problems::drop(DictionaryAttr attributes, Location place) {
  if (attributes)
    for (NamedAttribute attribute : attributes)
      drop(attribute.getName().getValue(), place);
}

void Problems::remarkDropped() const {
  if (!firstDropped)
    return;
  std::string names;
  for (StringRef name : dropped)
    names += (names.empty() ? "'" : ", '") + name.str() + "'";
  emitRemark(*firstDropped)
      << "attributes that nothing depends on are dropped: " << names;
}

void Problems::report() const {
  std::string names;
  llvm::StringSet<> seen;
  for (const Problem &problem : problems)
    if (seen.insert(problem.what).second)
      names += (names.empty() ? "'" : ", '") + problem.what + "'";
  InFlightDiagnostic error = emitError(problems.front().place);
  if (problems.size() == 1)
    error << "'" << problems.front().what
          << "' cannot be expressed: " << problems.front().reason;
  else
    error << "expected ops that can be expressed, found "
          << static_cast<uint64_t>(problems.size())
          << " that cannot: " << names;
  size_t shown = std::min(problems.size(), kMaxPlaces);
  if (problems.size() > 1)
    for (const Problem &problem : ArrayRef(problems).take_front(shown))
      error.attachNote(problem.place)
          << "'" << problem.what << "': " << problem.reason;
  if (shown < problems.size())
    error.attachNote() << static_cast<uint64_t>(problems.size() - shown)
                       << " more";
  error.attachNote()
      << "the page \"TTIR of today\" of the manual lists what is "
         "supported";
}
