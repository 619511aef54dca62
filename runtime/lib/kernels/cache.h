// The cache of compiled kernels: a folder of the user with an object and a
// description for each.
#ifndef TT_RUNTIME_KERNELS_CACHE_H
#define TT_RUNTIME_KERNELS_CACHE_H

#include "tt/runtime/kernel_compiler.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tt::runtime::kernels {

/// The folder of this version.
std::filesystem::path cacheFolder();

/// The digest of a file, empty if it cannot be read. A file that has not
/// changed is read once.
std::string fileDigest(const std::string &path);

/// The object of a key, unless a file that it was made from has changed.
std::optional<KernelObject> findCached(const std::filesystem::path &folder,
                                       const std::string &key);

/// Moves an object, made from `files` in the same file system, to the cache.
KernelObject addToCache(const std::filesystem::path &folder,
                        const std::string &key,
                        const std::filesystem::path &object,
                        const std::vector<std::string> &files,
                        KernelObject description);

} // namespace tt::runtime::kernels

#endif // TT_RUNTIME_KERNELS_CACHE_H
