#include "common/hosts.h"

#include "common/fields.h"
#include "common/shapes.h"

#include <algorithm>

namespace tt::runtime {

namespace {

using ::tt::target::HostType;

bool isFloat(HostType type) { return type >= HostType::Float16; }

/// Whether a tensor of `stored` can stand for an array of `shape`.
bool standsFor(const std::vector<std::int64_t> &stored,
               const std::vector<std::int64_t> &shape, HostType type) {
  // The lower words of 64-bit integers, and then the upper ones.
  if ((type == HostType::Int64 || type == HostType::UInt64) &&
      stored.size() > 1 && stored.front() == 2 &&
      standsFor({stored.begin() + 1, stored.end()}, shape, HostType::Int32))
    return true;
  if (std::find(shape.begin(), shape.end(), 0) != shape.end())
    return std::all_of(stored.begin(), stored.end(),
                       [](std::int64_t extent) { return extent == 1; });
  return stored == shape ||
         (shape.empty() && stored == std::vector<std::int64_t>{1});
}

} // namespace

std::vector<std::optional<HostDesc>>
decodeHosts(const char *field, const HostDescs *descs,
            const std::vector<const Layout *> &layouts) {
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
    if (std::any_of(host.shape.begin(), host.shape.end(),
                    [](std::int64_t extent) { return extent < 0; }) ||
        !standsFor(layout.shape, host.shape, type))
      malformed("expected a shape that is stored as ",
                shapeString(layout.shape), " in field ", field, ", found ",
                shapeString(host.shape));
    if (isFloat(type) != numerics::isFloat(layout.type))
      malformed("expected ",
                numerics::isFloat(layout.type) ? "a float" : "an integer",
                " for elements of ", numerics::dtypeName(layout.type),
                " in field ", field, ", found ",
                ::tt::target::EnumNameHostType(type));
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
