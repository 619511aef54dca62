// What the source of a program says of its inputs and outputs.
#ifndef TT_RUNTIME_COMMON_HOSTS_H
#define TT_RUNTIME_COMMON_HOSTS_H

#include "common/layout.h"
#include "common/sharding.h"
#include "tt/runtime/types.h"

#include "ttmlir/Target/Common/types_generated.h"

#include <optional>
#include <vector>

namespace tt::runtime {

using HostDescs =
    flatbuffers::Vector<flatbuffers::Offset<::tt::target::HostDesc>>;

/// The shardings of tensors that stay on the chips of a mesh; nullopt for one
/// that is not sharded. Empty if no tensor is sharded.
using Shardings = std::vector<std::optional<Sharding>>;

/// Reads the shardings of the tensors of `layouts`. Throws Error(Format) for
/// one that does not fit the mesh or the tensor.
Shardings decodeShardings(const char *field, const HostDescs *descs,
                          const std::vector<const Layout *> &layouts,
                          const std::vector<std::uint32_t> &meshShape);

/// The shape of the whole tensor `index` whose shards have the layout.
std::vector<std::int64_t> wholeShape(const Shardings &shardings,
                                     std::size_t index, const Layout &layout);

/// One for each of `layouts`; nullopt if the file has none, or if the type and
/// whole shape are those of the program. Throws Error(Format) for a type or
/// shape that does not fit the tensor.
std::vector<std::optional<HostDesc>>
decodeHosts(const char *field, const HostDescs *descs,
            const std::vector<const Layout *> &layouts,
            const Shardings &shardings = {});

using ArgumentDescs =
    flatbuffers::Vector<flatbuffers::Offset<::tt::target::ArgumentDesc>>;

/// One for each of `count` arguments. Throws Error(Format) for another number
/// and for what is no type.
std::vector<ArgumentDesc> decodeArguments(const ArgumentDescs *descs,
                                          std::size_t count);

} // namespace tt::runtime

#endif // TT_RUNTIME_COMMON_HOSTS_H
