#include "common/hosts.h"

#include "common/fields.h"
#include "common/shapes.h"

#include <algorithm>

namespace tt::runtime {

namespace {

using ::tt::target::HostType;

bool isFloat(HostType type) {
  return type >= HostType::Float16 && type < HostType::Int4;
}

bool isComplex(HostType type) {
  return type == HostType::Complex64 || type == HostType::Complex128;
}

bool isLong(HostType type) {
  return type == HostType::Int64 || type == HostType::UInt64;
}

/// Whether a tensor of `stored` can stand for an array of `shape`.
bool standsFor(const std::vector<std::int64_t> &stored,
               const std::vector<std::int64_t> &shape, HostType type) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end())
    return std::all_of(stored.begin(), stored.end(),
                       [](std::int64_t extent) { return extent == 1; });
  if (isComplex(type))
    // All real parts, and then all imaginary ones.
    return !stored.empty() && stored.front() == 2 &&
           std::vector(stored.begin() + 1, stored.end()) == shape;
  // The lower halves of 64-bit integers, and then the upper ones.
  if (isLong(type) && stored.size() > 1 && stored.front() == 2 &&
      standsFor({stored.begin() + 1, stored.end()}, shape, HostType::Int32))
    return true;
  return stored == shape ||
         (shape.empty() && stored == std::vector<std::int64_t>{1});
}

} // namespace

Shardings decodeShardings(const char *field, const HostDescs *descs,
                          const std::vector<const Layout *> &layouts,
                          const std::vector<std::uint32_t> &meshShape) {
  Shardings shardings(layouts.size());
  bool any = false;
  for (std::size_t i = 0; descs && i < layouts.size(); ++i) {
    auto const *dims =
        i < descs->size() ? descs->Get(unsigned(i))->shard_dims() : nullptr;
    if (!dims)
      continue;
    any = true;
    Sharding &sharding = shardings[i].emplace();
    sharding.dims.assign(dims->begin(), dims->end());
    const std::size_t rank = layouts[i]->shape.size();
    sharding.shape.assign(rank, 1);
    for (std::size_t axis = 0; axis < sharding.dims.size(); ++axis)
      if (const std::int64_t dim = sharding.dims[axis];
          axis < meshShape.size() && dim >= 0 && dim < std::int64_t(rank))
        sharding.shape[std::size_t(dim)] *= meshShape[axis];
    try {
      fullShape(sharding, layouts[i]->shape, meshShape);
    } catch (const Error &error) {
      malformed("field ", field, ", tensor ", i, ": ", error.what());
    }
  }
  return any ? shardings : Shardings();
}

std::vector<std::int64_t> wholeShape(const Shardings &shardings,
                                     std::size_t index, const Layout &layout) {
  std::vector<std::int64_t> shape = layout.shape;
  if (index < shardings.size() && shardings[index])
    for (std::size_t d = 0; d < shape.size(); ++d)
      shape[d] *= shardings[index]->shape[d];
  return shape;
}

std::vector<std::optional<HostDesc>>
decodeHosts(const char *field, const HostDescs *descs,
            const std::vector<const Layout *> &layouts,
            const Shardings &shardings) {
  std::vector<std::optional<HostDesc>> result(layouts.size());
  if (!descs)
    return result;
  if (descs->size() != layouts.size())
    malformed("expected ", layouts.size(), " elements in field ", field,
              ", found ", descs->size());
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    const ::tt::target::HostDesc *desc = descs->Get(unsigned(i));
    if (!desc->shape())
      continue;
    const HostType type = desc->type();
    if (type > HostType::MAX)
      malformed("expected a type of the host in field ", field, ", found ",
                unsigned(type));
    HostDesc &host = result[i].emplace();
    host.type = type;
    host.shape.assign(desc->shape()->begin(), desc->shape()->end());
    const Layout &layout = *layouts[i];
    const auto stored = wholeShape(shardings, i, layout);
    if (std::any_of(host.shape.begin(), host.shape.end(),
                    [](std::int64_t extent) { return extent < 0; }) ||
        !standsFor(stored, host.shape, type))
      malformed("expected a shape that is stored as ", shapeString(stored),
                " in field ", field, ", found ", shapeString(host.shape));
    if (isFloat(type) != numerics::isFloat(layout.type))
      malformed("expected ",
                numerics::isFloat(layout.type) ? "a float" : "an integer",
                " for elements of ", numerics::dtypeName(layout.type),
                " in field ", field, ", found ",
                ::tt::target::EnumNameHostType(type));
    // Some descriptions exist only for the sharding.
    const bool isSharded = i < shardings.size() && shardings[i];
    if (isSharded && stored == host.shape &&
        std::string_view(::tt::target::EnumNameDataType(::tt::target::DataType(
            layout.type))) == ::tt::target::EnumNameHostType(type))
      result[i].reset();
  }
  return result;
}

std::vector<ArgumentDesc> decodeArguments(const ArgumentDescs *descs,
                                          std::size_t count) {
  std::vector<ArgumentDesc> result(count);
  if (!descs)
    return result;
  if (descs->size() != count)
    malformed("expected ", count, " elements in field arguments, found ",
              descs->size());
  for (std::size_t i = 0; i < count; ++i) {
    const ::tt::target::ArgumentDesc *desc = descs->Get(unsigned(i));
    checkEnumerator("a type of argument", desc->type());
    result[i].type = desc->type();
    result[i].aliasedOutput = desc->aliased_output();
    if (desc->name())
      result[i].name = desc->name()->str();
  }
  return result;
}

} // namespace tt::runtime
