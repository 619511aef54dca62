#include "dialects/TT/KnownTimes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

namespace mlir::tt {

KnownTimes::Digest KnownTimes::digest(StringRef text) {
  llvm::XXH128_hash_t hash =
      llvm::xxh3_128bits(llvm::arrayRefFromStringRef(text));
  return {hash.low64, hash.high64};
}

std::optional<double> KnownTimes::find(Digest key) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = times.find(key);
  if (found == times.end())
    return std::nullopt;
  return found->second;
}

void KnownTimes::insert(Digest key, double cycles) {
  std::lock_guard<std::mutex> lock(mutex);
  if (times.size() >= kMost)
    times.clear();
  times[key] = cycles;
}

} // namespace mlir::tt
