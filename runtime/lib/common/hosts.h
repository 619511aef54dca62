// What the source of a program says of its inputs and outputs.
#ifndef TT_RUNTIME_COMMON_HOSTS_H
#define TT_RUNTIME_COMMON_HOSTS_H

#include "common/layout.h"
#include "tt/runtime/types.h"

#include "ttmlir/Target/Common/types_generated.h"

#include <optional>
#include <vector>

namespace tt::runtime {

using HostDescs =
    flatbuffers::Vector<flatbuffers::Offset<::tt::target::HostDesc>>;

/// One for each of `layouts`; nothing where the file has none. Throws
/// Error(Format) for what is no type or shape of that tensor.
std::vector<std::optional<HostDesc>>
decodeHosts(const char *field, const HostDescs *descs,
            const std::vector<const Layout *> &layouts);

using ArgumentDescs =
    flatbuffers::Vector<flatbuffers::Offset<::tt::target::ArgumentDesc>>;

/// One for each of `count` arguments. Throws Error(Format) for another number
/// and for what is no type.
std::vector<ArgumentDesc> decodeArguments(const ArgumentDescs *descs,
                                          std::size_t count);

} // namespace tt::runtime

#endif // TT_RUNTIME_COMMON_HOSTS_H
