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
  unsigned nocL1Align, pcieAlign, nocDramAlign;
  unsigned l1Base, eriscL1Base, dramBase, dramEnd;
  /// DRAM cores stand in this many rows below the workers, column by column.
  int64_t dramRows;
};

struct Link {
  unsigned chip0;
  int64_t channel0;
  unsigned chip1;
  int64_t channel1;
};

struct ChipPlace {
  unsigned rack, shelf, y, x;
  /// Whether the host reaches the chip over PCIe.
  bool onHost;
};

struct SystemFacts {
  StringRef name;
  const ChipFacts *chip;
  ArrayRef<ChipPlace> places;
  ArrayRef<Link> links;
};

constexpr ChipFacts kWormhole{
    Arch::WormholeB0, 8, 8, 1499136, 12, 1u << 30, 16, 32, 32, 1024, 1024, 1024,
    1u << 30,         3};
constexpr ChipFacts kBlackhole{Arch::Blackhole, 10, 13,          1572864, 8,
                               4278190080u,     16, 64,          64,      98304,
                               100032,          64, 4276383744u, 2};
constexpr ChipFacts kGrayskull{
    Arch::Grayskull, 9, 12, 1048576, 8, 1u << 30, 16, 32, 32, 1024, 1024, 1024,
    1u << 30,        2};

constexpr ChipPlace kOneChip[] = {{0, 0, 0, 0, true}};

constexpr ChipPlace kN300Chips[] = {{0, 0, 0, 0, true}, {0, 0, 0, 1, false}};
constexpr Link kN300Links[] = {{0, 8, 1, 0}, {0, 9, 1, 1}};

// Four n300 boards as a mesh of 2 rows and 4 columns. Chips 0 to 3 are those on
// the host's PCIe, chips 4 to 7 their partners on the same board; two links
// join every pair of neighbours.
constexpr ChipPlace kT3000Chips[] = {{0, 0, 0, 1, true},  {0, 0, 1, 1, true},
                                     {0, 0, 1, 2, true},  {0, 0, 0, 2, true},
                                     {0, 0, 0, 0, false}, {0, 0, 1, 0, false},
                                     {0, 0, 1, 3, false}, {0, 0, 0, 3, false}};
constexpr Link kT3000Links[] = {
    {0, 8, 4, 0}, {0, 9, 4, 1}, {1, 8, 5, 0}, {1, 9, 5, 1}, {2, 8, 6, 0},
    {2, 9, 6, 1}, {3, 8, 7, 0}, {3, 9, 7, 1}, {0, 0, 1, 0}, {0, 1, 1, 1},
    {2, 0, 3, 0}, {2, 1, 3, 1}, {0, 6, 3, 6}, {0, 7, 3, 7}, {1, 6, 2, 6},
    {1, 7, 2, 7}, {4, 6, 5, 6}, {4, 7, 5, 7}, {6, 6, 7, 6}, {6, 7, 7, 7}};

const SystemFacts kSystems[] = {
    {"n150", &kWormhole, kOneChip, {}},
    {"n300", &kWormhole, kN300Chips, kN300Links},
    {"t3000", &kWormhole, kT3000Chips, kT3000Links},
    {"p150", &kBlackhole, kOneChip, {}},
    {"e150", &kGrayskull, kOneChip, {}},
};

constexpr StringRef kNames[] = {"n150", "n300", "t3000", "p150", "e150"};

ChipPhysicalCoresAttr buildCores(MLIRContext *context, const ChipFacts &chip) {
  SmallVector<CoreCoordAttr> workers, dram;
  for (int64_t y = 0; y < chip.rows; ++y)
    for (int64_t x = 0; x < chip.columns; ++x)
      workers.push_back(CoreCoordAttr::get(context, y, x));
  for (int64_t i = 0; i < chip.numDramChannels; ++i)
    dram.push_back(CoreCoordAttr::get(context, chip.rows + i % chip.dramRows,
                                      i / chip.dramRows));
  return ChipPhysicalCoresAttr::get(context, workers, dram, {}, {});
}

ChipDescAttr buildChip(MLIRContext *context, const ChipFacts &chip) {
  SmallVector<DataTypeAttr> dataTypes;
  // The data types of descriptors from the time before Int32, so that those
  // stay equal.
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
      context, ArchAttr::get(context, chip.arch), {chip.rows, chip.columns},
      chip.l1Size, chip.numDramChannels, chip.dramChannelSize, chip.nocL1Align,
      chip.pcieAlign, chip.nocDramAlign, chip.l1Base, chip.eriscL1Base,
      chip.dramBase, chip.dramEnd, buildCores(context, chip), dataTypes,
      tileSizes);
}

SystemDescAttr buildSystem(MLIRContext *context, const SystemFacts &system) {
  SmallVector<ChipCapabilityAttr> capabilities;
  SmallVector<ChipCoordAttr> coords;
  for (const ChipPlace &place : system.places) {
    ChipCapability capability =
        place.onHost ? ChipCapability::PCIE | ChipCapability::HostMMIO
                     : static_cast<ChipCapability>(0);
    capabilities.push_back(ChipCapabilityAttr::get(context, capability));
    coords.push_back(
        ChipCoordAttr::get(context, place.rack, place.shelf, place.y, place.x));
  }
  SmallVector<ChipChannelAttr> channels;
  for (const Link &link : system.links)
    channels.push_back(ChipChannelAttr::get(context, link.chip0,
                                            {link.channel0, 0}, link.chip1,
                                            {link.channel1, 0}));
  SmallVector<unsigned> indices(system.places.size(), 0);
  return SystemDescAttr::get(context, {buildChip(context, *system.chip)},
                             indices, capabilities, coords, channels);
}

} // namespace

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
