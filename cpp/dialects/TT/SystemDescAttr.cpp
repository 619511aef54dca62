//===- SystemDescAttr.cpp - named systems and queries of the machine ------===//

#include "dialects/TT/TT.h"

using namespace mlir;
using namespace mlir::tt;

namespace {

/// What the chips of a named system have in common. Sizes, bases and alignments
/// are in bytes.
struct ChipFacts {
  Arch arch;
  int64_t rows, columns;
  unsigned l1Size;
  unsigned numDramChannels, dramChannelSize;
  unsigned nocL1AddressAlignBytes, pcieAddressAlignBytes,
      nocDramAddressAlignBytes;
  unsigned l1Base, eriscL1Base, dramBase, dramEnd;
  /// DRAM cores are in this many rows below the workers, column by column.
  int64_t dramRows;
};

/// Equal chips in a mesh, numbered row by row; the first `hostChips` are on the
/// host's PCIe, and `linksPerEdge` links join every pair of neighbours; in a
/// torus, the first and the last chip of a row or column are neighbours, too.
struct SystemFacts {
  StringRef name;
  const ChipFacts *chip;
  unsigned rows, columns;
  unsigned hostChips;
  unsigned linksPerEdge;
  bool isTorus = false;
};

constexpr ChipFacts kWormhole{
    Arch::WormholeB0, 8, 8, 1499136, 12, 1u << 30, 16, 32, 32, 1024, 1024, 1024,
    1u << 30,         3};
constexpr ChipFacts kBlackhole{Arch::Blackhole, 10, 13,          1572864, 8,
                               4278190080u,     16, 64,          64,      98304,
                               100032,          64, 4276383744u, 1};
constexpr ChipFacts kGrayskull{
    Arch::Grayskull, 9, 12, 1048576, 8, 1u << 30, 16, 32, 32, 1024, 1024, 1024,
    1u << 30,        1};

// The runtime's targets, which a test compares with these.
constexpr SystemFacts kSystems[] = {
    {"n150", &kWormhole, 1, 1, 1, 0},
    {"n300", &kWormhole, 1, 2, 1, 2},
    {"t3000", &kWormhole, 2, 4, 4, 2},
    {"galaxy", &kWormhole, 8, 4, 32, 4, true},
    {"bh_galaxy", &kBlackhole, 8, 4, 32, 2, true},
    {"p150", &kBlackhole, 1, 1, 1, 0},
    {"p150x4", &kBlackhole, 2, 2, 4, 2},
    {"p150x8", &kBlackhole, 2, 4, 8, 2},
    {"e150", &kGrayskull, 1, 1, 1, 0},
};

constexpr StringRef kNames[] = {"n150",   "n300",      "t3000",
                                "galaxy", "bh_galaxy", "p150",
                                "p150x4", "p150x8",    "e150"};

ChipPhysicalCoresAttr buildCores(MLIRContext *context, const ChipFacts &chip,
                                 ArrayRef<int64_t> grid) {
  SmallVector<CoreCoordAttr> workers, dram;
  for (int64_t y = 0; y < grid[0]; ++y)
    for (int64_t x = 0; x < grid[1]; ++x)
      workers.push_back(CoreCoordAttr::get(context, y, x));
  for (int64_t i = 0; i < chip.numDramChannels; ++i)
    dram.push_back(CoreCoordAttr::get(context, chip.rows + i % chip.dramRows,
                                      i / chip.dramRows));
  return ChipPhysicalCoresAttr::get(context, workers, dram, {}, {});
}

/// A chip of which `grid` cores work.
ChipDescAttr buildChip(MLIRContext *context, const ChipFacts &chip,
                       ArrayRef<int64_t> grid) {
  SmallVector<DataTypeAttr> dataTypes;
  // The data types of descriptors without Int32, so that these compare equal.
  constexpr auto last = static_cast<uint32_t>(DataType::UInt8);
  for (uint32_t value = 0; value <= last; ++value)
    dataTypes.push_back(
        DataTypeAttr::get(context, static_cast<DataType>(value)));
  SmallVector<TileSizeAttr> tileSizes;
  for (auto [y, x] : {std::pair<int64_t, int64_t>{4, 16},
                      {16, 16},
                      {32, 16},
                      {4, 32},
                      {16, 32},
                      {32, 32}})
    tileSizes.push_back(TileSizeAttr::get(context, y, x));
  return ChipDescAttr::get(
      context, ArchAttr::get(context, chip.arch), grid, chip.l1Size,
      chip.numDramChannels, chip.dramChannelSize, chip.nocL1AddressAlignBytes,
      chip.pcieAddressAlignBytes, chip.nocDramAddressAlignBytes, chip.l1Base,
      chip.eriscL1Base, chip.dramBase, chip.dramEnd,
      buildCores(context, chip, grid), dataTypes, tileSizes);
}

/// Ethernet cores of a chip are numbered in the order in which the links, by
/// chip, to the right and then down, use them.
SmallVector<ChipChannelAttr> buildLinks(MLIRContext *context,
                                        const SystemFacts &system) {
  SmallVector<ChipChannelAttr> links;
  SmallVector<int64_t> used(system.rows * system.columns, 0);
  auto join = [&](unsigned chip0, unsigned chip1) {
    for (unsigned i = 0; i < system.linksPerEdge; ++i)
      links.push_back(ChipChannelAttr::get(context, chip0, {0, used[chip0]++},
                                           chip1, {0, used[chip1]++}));
  };
  for (unsigned y = 0; y < system.rows; ++y)
    for (unsigned x = 0; x < system.columns; ++x) {
      unsigned chip = y * system.columns + x;
      if (x + 1 < system.columns)
        join(chip, chip + 1);
      else if (system.isTorus)
        join(chip, y * system.columns);
      if (y + 1 < system.rows)
        join(chip, chip + system.columns);
      else if (system.isTorus)
        join(chip, x);
    }
  return links;
}

SystemDescAttr buildSystem(MLIRContext *context, const SystemFacts &system) {
  SmallVector<ChipCapabilityAttr> capabilities;
  SmallVector<ChipCoordAttr> coords;
  unsigned numChips = system.rows * system.columns;
  for (unsigned chip = 0; chip < numChips; ++chip) {
    ChipCapability capability =
        chip < system.hostChips
            ? ChipCapability::PCIE | ChipCapability::HostMMIO
            : static_cast<ChipCapability>(0);
    capabilities.push_back(ChipCapabilityAttr::get(context, capability));
    coords.push_back(ChipCoordAttr::get(context, 0, 0, chip / system.columns,
                                        chip % system.columns));
  }
  SmallVector<unsigned> indices(numChips, 0);
  ChipDescAttr chip = buildChip(context, *system.chip,
                                {system.chip->rows, system.chip->columns});
  return SystemDescAttr::get(context, {chip}, indices, capabilities, coords,
                             buildLinks(context, system));
}

} // namespace

ChipDescAttr
ChipDescAttr::getOfArch(llvm::function_ref<InFlightDiagnostic()> emitError,
                        ArchAttr arch, GridAttr grid) {
  const ChipFacts *chip =
      llvm::find_if(kSystems, [&](const SystemFacts &system) {
        return system.chip->arch == arch.getValue();
      })->chip;
  ArrayRef<int64_t> shape = grid.getShape();
  if (shape.size() == 2 && shape[0] <= chip->rows &&
      shape[1] <= chip->columns && grid.getMapping().getNumResults() == 0)
    return buildChip(arch.getContext(), *chip, shape);
  emitError() << "expected a grid of at most " << chip->rows << "x"
              << chip->columns << ", the cores of " << arch << ", found "
              << grid;
  return {};
}

ArrayRef<StringRef> SystemDescAttr::getNames() { return kNames; }

SystemDescAttr SystemDescAttr::getNamed(MLIRContext *context, StringRef name) {
  context->getOrLoadDialect<TTDialect>();
  for (const SystemFacts &system : kSystems)
    if (system.name == name)
      return buildSystem(context, system);
  return {};
}

SystemDescAttr SystemDescAttr::getDefault(MLIRContext *context) {
  return getNamed(context, "n150");
}

unsigned SystemDescAttr::getAddressAlignBytes() const {
  ChipDescAttr chip = getChipDesc(0);
  return std::max({chip.getNocL1AddressAlignBytes(),
                   chip.getNocDRAMAddressAlignBytes(),
                   chip.getPcieAddressAlignBytes()});
}

unsigned SystemDescAttr::getAddressAlignBytes(MemorySpace memorySpace) const {
  ChipDescAttr chip = getChipDesc(0);
  switch (memorySpace) {
  case MemorySpace::DeviceL1:
    return chip.getNocL1AddressAlignBytes();
  case MemorySpace::DeviceDRAM:
    return chip.getNocDRAMAddressAlignBytes();
  case MemorySpace::SystemMMIO:
    return chip.getPcieAddressAlignBytes();
  case MemorySpace::System:
    return 1;
  }
  llvm_unreachable("all memory spaces are handled");
}
