// The system description that the process uses, and comparison: what a program
// was compiled for against what is open.
#include "common/file.h"

#include "tt/runtime/runtime.h"

#include <mutex>

namespace tt::runtime {

namespace target = ::tt::target;

namespace {

template <typename T>
void expectEqual(const std::string &field, const T &expected, const T &found) {
  if (expected != found)
    raise(ErrorCategory::SystemMismatch,
          "the program was compiled for another system: expected ", field, " ",
          expected, ", found ", found);
}

std::string text(target::Dim2d const *dim) {
  return dim ? std::to_string(dim->y()) + "x" + std::to_string(dim->x())
             : std::string("none");
}

/// "chip 0 core 0x1 to chip 1 core 0x0".
std::string text(target::ChipChannel const *link) {
  return "chip " + std::to_string(link->device_id0()) + " core " +
         text(&link->ethernet_core_coord0()) + " to chip " +
         std::to_string(link->device_id1()) + " core " +
         text(&link->ethernet_core_coord1());
}

template <typename Vector> std::size_t sizeOf(const Vector *vector) {
  return vector ? vector->size() : 0;
}

void compareCores(const std::string &where,
                  flatbuffers::Vector<target::Dim2d const *> const *expected,
                  flatbuffers::Vector<target::Dim2d const *> const *found) {
  expectEqual(where + " count", sizeOf(expected), sizeOf(found));
  for (std::size_t i = 0; i < sizeOf(expected); ++i)
    expectEqual(where + "[" + std::to_string(i) + "]", text(expected->Get(i)),
                text(found->Get(i)));
}

void compareChip(const std::string &where, target::ChipDesc const *expected,
                 target::ChipDesc const *found) {
  if (!expected || !found)
    raise(ErrorCategory::SystemMismatch, "expected ", where,
          " in both system descriptions");
#define TTMLIR_COMPARE(field)                                                  \
  expectEqual(where + " " #field, std::uint64_t(expected->field()),            \
              std::uint64_t(found->field()))
  TTMLIR_COMPARE(arch);
  expectEqual(where + " grid_size", text(expected->grid_size()),
              text(found->grid_size()));
  TTMLIR_COMPARE(l1_size);
  TTMLIR_COMPARE(num_dram_channels);
  TTMLIR_COMPARE(dram_channel_size);
  TTMLIR_COMPARE(noc_l1_address_align_bytes);
  TTMLIR_COMPARE(pcie_address_align_bytes);
  TTMLIR_COMPARE(noc_dram_address_align_bytes);
  TTMLIR_COMPARE(l1_unreserved_base);
  TTMLIR_COMPARE(erisc_l1_unreserved_base);
  TTMLIR_COMPARE(dram_unreserved_base);
  TTMLIR_COMPARE(dram_unreserved_end);
#undef TTMLIR_COMPARE
  auto const *a = expected->physical_cores();
  auto const *b = found->physical_cores();
  if (a && b) {
    compareCores(where + " worker cores", a->worker(), b->worker());
    compareCores(where + " dram cores", a->dram(), b->dram());
  }
}

} // namespace

void checkSameSystem(target::SystemDesc const *expected,
                     target::SystemDesc const *found) {
  if (expected == found)
    return;
  auto const *a = expected->chip_desc_indices();
  auto const *b = found->chip_desc_indices();
  expectEqual(std::string("number of chips"), sizeOf(a), sizeOf(b));
  for (std::size_t i = 0; i < sizeOf(a); ++i)
    compareChip("chip " + std::to_string(i),
                expected->chip_descs()->Get(a->Get(i)),
                found->chip_descs()->Get(b->Get(i)));
  auto const *links = expected->chip_channels();
  auto const *others = found->chip_channels();
  expectEqual(std::string("number of Ethernet links"), sizeOf(links),
              sizeOf(others));
  for (unsigned i = 0; i < sizeOf(links); ++i)
    expectEqual("Ethernet link " + std::to_string(i), text(links->Get(i)),
                text(others->Get(i)));
}

namespace {

struct CurrentSystem {
  std::mutex mutex;
  SystemDesc desc;
};

CurrentSystem &currentSystem() {
  static CurrentSystem system;
  return system;
}

} // namespace

namespace system_desc {

std::pair<SystemDesc, DeviceIds> getCurrentSystemDesc() {
  CurrentSystem &system = currentSystem();
  std::lock_guard lock(system.mutex);
  if (!system.desc.handle)
    system.desc = getDefaultSystemDesc("n150");
  DeviceIds ids;
  for (std::uint32_t i = 0; i < system.desc->chip_desc_indices()->size(); ++i)
    ids.push_back(int(i));
  return {system.desc, ids};
}

void setCurrentSystemDesc(SystemDesc systemDesc) {
  systemDesc.get(); // refuses another version
  CurrentSystem &system = currentSystem();
  std::lock_guard lock(system.mutex);
  system.desc = std::move(systemDesc);
}

} // namespace system_desc

std::pair<SystemDesc, DeviceIds> getCurrentSystemDesc() {
  return system_desc::getCurrentSystemDesc();
}

} // namespace tt::runtime
