// The cache of compiled kernels: a folder of the user with an object and a
// description per kernel.
#ifndef TT_RUNTIME_KERNELS_CACHE_H
#define TT_RUNTIME_KERNELS_CACHE_H

#include "tt/runtime/kernel_compiler.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tt::runtime::kernels {

/// The cache folder for this version.
std::filesystem::path cacheFolder();

/// The digest of a file; empty if it cannot be read. A file is read again only
/// if it changes.
std::string fileDigest(const std::string &path);

/// The cached object of a key, unless one of its source files has changed.
std::optional<KernelObject> findCached(const std::filesystem::path &folder,
                                       const std::string &key);

/// Moves an object compiled from `files`, on the same file system, to the
/// cache.
KernelObject addToCache(const std::filesystem::path &folder,
                        const std::string &key,
                        const std::filesystem::path &object,
                        const std::vector<std::string> &files,
                        KernelObject description);

} // namespace tt::runtime::kernels

#endif // TT_RUNTIME_KERNELS_CACHE_H
