#include "table.h"

#include <array>
#include <utility>

namespace tt::pjrt {
namespace {

constexpr const char *names[] = {
#define TT_NAME(Name) "PJRT_" #Name,
    TT_PJRT_FUNCTIONS(TT_NAME)
#undef TT_NAME
};

template <std::size_t index> Error *missing(void *) {
  return unimplemented(std::string(names[index]) +
                       " is not implemented by the plugin of ttmlir");
}

template <std::size_t... indices>
void fillMissing(abi::Api &api, std::index_sequence<indices...>) {
  ((api.functions[indices] = reinterpret_cast<void (*)()>(&missing<indices>)),
   ...);
}

} // namespace

Table::Table(abi::Api &api) : api_(api) {
  api_ = {};
  api_.head.struct_size = sizeof(abi::Api);
  api_.pjrt_api_version.head.struct_size = sizeof(abi::Api_Version);
  api_.pjrt_api_version.major_version = abi::majorVersion;
  api_.pjrt_api_version.minor_version = abi::minorVersion;
  fillMissing(api_, std::make_index_sequence<std::size(names)>());
}

void Table::set(abi::Function function, void (*implementation)()) {
  api_.functions[std::size_t(function)] = implementation;
}

} // namespace tt::pjrt
