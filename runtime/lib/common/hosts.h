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

/// How the chips of a mesh keep each of some tensors as shards; nothing for one
/// that is not sharded, and none at all if no tensor is.
using Shardings = std::vector<std::optional<Sharding>>;

/// Those of the tensors of `layouts`. Throws Error(Format) for one that does
/// not fit the mesh or the tensor.
Shardings decodeShardings(const char *field, const HostDescs *descs,
                          const std::vector<const Layout *> &layouts,
                          const std::vector<std::uint32_t> &meshShape);

/// The shape of the whole tensor `index` whose shards have the layout.
std::vector<std::int64_t> wholeShape(const Shardings &shardings,
                                     std::size_t index, const Layout &layout);

/// One for each of `layouts`; nothing where the file has none, or where the
/// program has this type and, as a whole, this shape. Throws Error(Format) for
/// what is no type or shape of that tensor.
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
