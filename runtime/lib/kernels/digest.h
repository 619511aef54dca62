// SHA-256, with which the cache of compiled kernels identifies texts and files.
#ifndef TT_RUNTIME_KERNELS_DIGEST_H
#define TT_RUNTIME_KERNELS_DIGEST_H

#include <string>
#include <string_view>

namespace tt::runtime::kernels {

/// 64 hexadecimal digits.
std::string digest(std::string_view bytes);

} // namespace tt::runtime::kernels

#endif // TT_RUNTIME_KERNELS_DIGEST_H
