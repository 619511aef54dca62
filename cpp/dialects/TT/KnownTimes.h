#ifndef DIALECTS_TT_KNOWNTIMES_H
#define DIALECTS_TT_KNOWNTIMES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

namespace mlir::tt {

/// Times that a clock has measured, for all contexts and threads of a process.
/// A program that is compiled again, and a layer that two programs share, are
/// timed once. Attributes belong to a context, so keys are digests of texts.
class KnownTimes {
public:
  /// 128 bits: two texts of a process do not have the same one.
  using Digest = std::pair<uint64_t, uint64_t>;

  static Digest digest(StringRef text);

  std::optional<double> find(Digest key);
  void insert(Digest key, double cycles);

private:
  /// Some 30 MB. A compilation measures clock-search-limit times at most.
  static constexpr unsigned kMost = 1 << 20;

  std::mutex mutex;
  llvm::DenseMap<Digest, double> times;
};

} // namespace mlir::tt

#endif
