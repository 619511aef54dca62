// Default system descriptions of named targets.
#include "common/arch.h"

#include "common/file.h"
#include "tt/runtime/machine.h"
#include "tt/runtime/runtime.h"
#include "ttmlir/Version.h"

#include <iterator>

namespace tt::runtime {

namespace target = ::tt::target;

namespace {

/// A board: `chips` chips in a mesh, the first `mmioChips` with PCIe.
struct TargetData {
  const char *name;
  int arch;
  int chips, mmioChips;
  int meshY, meshX;
  int linksPerEdge;
  bool torus;
};

#include "arch_data.inc"

static_assert(std::size(kArchs) == unsigned(target::Arch::MAX) + 1);

flatbuffers::Offset<target::ChipDesc>
buildChip(flatbuffers::FlatBufferBuilder &builder, const TargetData &data) {
  const ArchChip &chip = kArchs[data.arch].chip;
  std::vector<target::Dim2d> workers, dram;
  for (std::int32_t y = 0; y < chip.gridY; ++y)
    for (std::int32_t x = 0; x < chip.gridX; ++x)
      workers.emplace_back(y, x);
  for (std::int64_t i = 0; i < chip.numDramChannels; ++i)
    dram.emplace_back(std::int32_t(chip.gridY + i % chip.dramRows),
                      std::int32_t(i / chip.dramRows));
  // The data types of descriptors from the time before Int32, so that those
  // stay equal.
  std::vector<target::DataType> types;
  for (target::DataType type : target::EnumValuesDataType())
    if (type <= target::DataType::UInt8)
      types.push_back(type);
  const std::vector<target::Dim2d> tiles = {{4, 16}, {16, 16}, {32, 16},
                                            {4, 32}, {16, 32}, {32, 32}};
  const std::vector<target::Dim2d> none;
  const target::Dim2d grid(std::int32_t(chip.gridY), std::int32_t(chip.gridX));
  auto cores = target::CreateChipPhysicalCoresDirect(builder, &workers, &dram,
                                                     &none, &none);
  return target::CreateChipDescDirect(
      builder, target::Arch(data.arch), &grid, std::uint64_t(chip.l1Size),
      std::uint32_t(chip.numDramChannels), std::uint64_t(chip.dramChannelSize),
      std::uint32_t(chip.nocL1AddressAlignBytes),
      std::uint32_t(chip.pcieAddressAlignBytes),
      std::uint32_t(chip.nocDramAddressAlignBytes),
      std::uint32_t(chip.l1UnreservedBase),
      std::uint32_t(chip.eriscL1UnreservedBase),
      std::uint32_t(chip.dramUnreservedBase),
      std::uint32_t(chip.dramUnreservedEnd), cores, &types, &tiles);
}

/// Links between mesh neighbours, and around a torus. Ethernet cores are
/// numbered as they are used, chip by chip; chips are numbered row by row.
std::vector<target::ChipChannel> buildLinks(const TargetData &data) {
  std::vector<target::ChipChannel> links;
  std::vector<int> used(std::size_t(data.chips), 0);
  auto join = [&](int a, int b) {
    for (int i = 0; i < data.linksPerEdge; ++i) {
      const target::Dim2d from(0, used[std::size_t(a)]++);
      const target::Dim2d to(0, used[std::size_t(b)]++);
      links.emplace_back(std::uint32_t(a), from, std::uint32_t(b), to);
    }
  };
  for (int y = 0; y < data.meshY; ++y)
    for (int x = 0; x < data.meshX; ++x) {
      const int chip = y * data.meshX + x;
      if (x + 1 < data.meshX)
        join(chip, chip + 1);
      else if (data.torus)
        join(chip, y * data.meshX);
      if (y + 1 < data.meshY)
        join(chip, chip + data.meshX);
      else if (data.torus)
        join(chip, x);
    }
  return links;
}

SystemDesc buildSystem(const TargetData &data) {
  flatbuffers::FlatBufferBuilder builder;
  const std::vector<flatbuffers::Offset<target::ChipDesc>> chips = {
      buildChip(builder, data)};
  const std::vector<std::uint32_t> indices(std::size_t(data.chips), 0);
  std::vector<target::ChipCapability> capabilities;
  std::vector<target::ChipCoord> coords;
  for (int i = 0; i < data.chips; ++i) {
    capabilities.push_back(i < data.mmioChips
                               ? target::ChipCapability::PCIE |
                                     target::ChipCapability::HostMMIO
                               : target::ChipCapability::NONE);
    coords.emplace_back(0, 0, std::uint32_t(i / data.meshX),
                        std::uint32_t(i % data.meshX));
  }
  const std::vector<target::ChipChannel> links = buildLinks(data);
  auto system = target::CreateSystemDescDirect(builder, &chips, &indices,
                                               &capabilities, &coords, &links);
  const target::Version version(TTMLIR_VERSION_MAJOR, TTMLIR_VERSION_MINOR,
                                TTMLIR_VERSION_PATCH);
  auto root = target::CreateSystemDescRootDirect(
      builder, &version, TTMLIR_GIT_HASH, data.name, system);
  target::FinishSizePrefixedSystemDescRootBuffer(builder, root);
  return SystemDesc::loadFromMemory(builder.GetBufferPointer(),
                                    builder.GetSize());
}

} // namespace

const ArchData &archData(target::Arch arch) { return kArchs[unsigned(arch)]; }

Machine getMachine(const std::string &arch) {
  for (const ArchData &data : kArchs) {
    if (data.name != arch)
      continue;
    const ArchTiming &timing = data.timing;
    Machine machine{.gridY = int(data.chip.gridY),
                    .gridX = int(data.chip.gridX),
                    .nocWidth = timing.nocWidth,
                    .nocHeight = timing.nocHeight,
                    .l1Size = data.chip.l1Size,
                    .dramChannelSize = data.chip.dramChannelSize,
                    .dramBytesPerSecond = data.cost.dramBytesPerSecond,
                    .nocBytesPerSecond =
                        2.0 * double(data.chip.gridY * data.chip.gridX) *
                        timing.nocLinkBytesPerCycle * data.cost.clockHz};
    const std::int16_t *columns = timing.workerColumns.at;
    const std::int16_t *rows = timing.workerRows.at;
    machine.columns.assign(columns, columns + timing.workerColumns.count);
    machine.rows.assign(rows, rows + timing.workerRows.count);
    for (int i = 0; i < timing.dramColumns.count; ++i)
      machine.channels.emplace_back(timing.dramColumns.at[i],
                                    timing.dramRows.at[i]);
    // A product of two tiles, in phases that take equally long.
    const double tile = 2.0 * 32 * 32 * 32 * data.cost.clockHz /
                        data.cost.mvmulCyclesPerTilePhase;
    for (std::size_t i = 0; i < machine.flopsPerSecond.size(); ++i)
      machine.flopsPerSecond[i] =
          tile * double(machine.gridY * machine.gridX) / double(i + 1);
    return machine;
  }
  std::string known;
  for (const ArchData &data : kArchs)
    known += std::string(known.empty() ? "" : ", ") + data.name;
  raise(ErrorCategory::Argument, "unknown architecture '", arch,
        "', expected one of ", known);
}

double vectorCycles(const ArchData &arch, const numerics::VectorWork &work,
                    const ComputeConfig &compute) {
  const ArchTiming &timing = arch.timing;
  const double gelu = compute.approx ? timing.geluCyclesPerTile
                                     : timing.geluAccurateCyclesPerTile;
  const double reciprocal =
      compute.fp32DestAcc ? arch.cost.reciprocalCyclesPerTile
      : compute.approx    ? timing.reciprocal16ApproxCyclesPerTile
                          : timing.reciprocal16CyclesPerTile;
  return work.passes * arch.cost.sfpuDefaultCyclesPerTile +
         work.exps * arch.cost.expCyclesPerTile +
         work.sigmoids * arch.cost.sigmoidCyclesPerTile +
         work.reciprocals * reciprocal + work.tanhs * timing.tanhCyclesPerTile +
         work.gelus * gelu;
}

namespace system_desc {

SystemDesc getDefaultSystemDesc(std::string const &target) {
  std::string known;
  for (const TargetData &data : kTargets) {
    if (target == data.name)
      return buildSystem(data);
    known += known.empty() ? "" : ", ";
    known += data.name;
  }
  raise(ErrorCategory::Argument, "expected a target among ", known, ", found '",
        target, "'");
}

std::vector<std::string> getDefaultTargets() {
  std::vector<std::string> names;
  for (const TargetData &data : kTargets)
    names.push_back(data.name);
  return names;
}

} // namespace system_desc
} // namespace tt::runtime
