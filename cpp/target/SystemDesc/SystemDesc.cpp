#include "target/SystemDesc/SystemDesc.h"

#include "ttmlir/Target/Common/formats.h"
#include "ttmlir/Version.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace fb = ::tt::target;

namespace mlir::tt {

using EmitError = function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// Enumerations: equal values on both sides
//===----------------------------------------------------------------------===//

static_assert(static_cast<int>(Arch::Blackhole) ==
              static_cast<int>(fb::Arch::Blackhole));
static_assert(static_cast<int>(Arch::Blackhole) ==
              static_cast<int>(fb::Arch::MAX));
#define TTMLIR_SAME(Enumerator, NAME, LIBRARY, Kernel)                         \
  static_assert(static_cast<int>(DataType::Enumerator) ==                      \
                static_cast<int>(fb::DataType::Enumerator));
TTMLIR_FORMATS(TTMLIR_SAME)
static_assert(static_cast<int>(OOBVal::NegInf) ==
              static_cast<int>(fb::OOBVal::NegInf));
static_assert(static_cast<int>(MemorySpace::DeviceL1) ==
              static_cast<int>(fb::MemorySpace::DeviceL1));
static_assert(static_cast<int>(TensorMemoryLayout::BlockSharded) ==
              static_cast<int>(fb::TensorMemoryLayout::BlockSharded));
static_assert(static_cast<int>(ChipCapability::PCIE) ==
              static_cast<int>(fb::ChipCapability::PCIE));
static_assert(static_cast<int>(ChipCapability::HostMMIO) ==
              static_cast<int>(fb::ChipCapability::HostMMIO));

fb::Arch toFlatbuffer(Arch arch) { return static_cast<fb::Arch>(arch); }
fb::DataType toFlatbuffer(DataType dataType) {
  return static_cast<fb::DataType>(dataType);
}
fb::OOBVal toFlatbuffer(OOBVal oobVal) {
  return static_cast<fb::OOBVal>(oobVal);
}
fb::MemorySpace toFlatbuffer(MemorySpace memorySpace) {
  return static_cast<fb::MemorySpace>(memorySpace);
}
fb::TensorMemoryLayout toFlatbuffer(TensorMemoryLayout memLayout) {
  return static_cast<fb::TensorMemoryLayout>(memLayout);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

template <typename AttrT>
static std::vector<fb::Dim2d> toDims(ArrayRef<AttrT> coords) {
  std::vector<fb::Dim2d> dims;
  dims.reserve(coords.size());
  for (AttrT coord : coords)
    dims.emplace_back(static_cast<int32_t>(coord.getY()),
                      static_cast<int32_t>(coord.getX()));
  return dims;
}

static flatbuffers::Offset<fb::ChipDesc>
toFlatbuffer(flatbuffers::FlatBufferBuilder &builder, ChipDescAttr chip) {
  ChipPhysicalCoresAttr cores = chip.getChipPhysicalCores();
  std::vector<fb::Dim2d> worker = toDims(cores.getWorker());
  std::vector<fb::Dim2d> dram = toDims(cores.getDram());
  std::vector<fb::Dim2d> eth = toDims(cores.getEth());
  std::vector<fb::Dim2d> ethInactive = toDims(cores.getEthInactive());
  auto physicalCores = fb::CreateChipPhysicalCoresDirect(
      builder, &worker, &dram, &eth, &ethInactive);
  std::vector<fb::DataType> dataTypes;
  for (DataTypeAttr dataType : chip.getSupportedDataTypes())
    dataTypes.push_back(toFlatbuffer(dataType.getValue()));
  std::vector<fb::Dim2d> tileSizes = toDims(chip.getSupportedTileSizes());
  fb::Dim2d grid(chip.getGrid()[0], chip.getGrid()[1]);
  return fb::CreateChipDescDirect(
      builder, toFlatbuffer(chip.getArch().getValue()), &grid, chip.getL1Size(),
      chip.getNumDramChannels(), chip.getDramChannelSize(),
      chip.getNocL1AddressAlignBytes(), chip.getPcieAddressAlignBytes(),
      chip.getNocDRAMAddressAlignBytes(), chip.getL1UnreservedBase(),
      chip.getEriscL1UnreservedBase(), chip.getDramUnreservedBase(),
      chip.getDramUnreservedEnd(), physicalCores, &dataTypes, &tileSizes);
}

static fb::Dim2d toDim(ArrayRef<int64_t> coord) {
  return fb::Dim2d(static_cast<int32_t>(coord[0]),
                   static_cast<int32_t>(coord[1]));
}

flatbuffers::Offset<fb::SystemDesc>
toFlatbuffer(flatbuffers::FlatBufferBuilder &builder,
             SystemDescAttr systemDesc) {
  std::vector<flatbuffers::Offset<fb::ChipDesc>> chips;
  for (ChipDescAttr chip : systemDesc.getChipDescs())
    chips.push_back(toFlatbuffer(builder, chip));
  std::vector<uint32_t> indices(systemDesc.getChipDescIndices());
  std::vector<fb::ChipCapability> capabilities;
  for (ChipCapabilityAttr capability : systemDesc.getChipCapabilities())
    capabilities.push_back(
        static_cast<fb::ChipCapability>(capability.getValue()));
  std::vector<fb::ChipCoord> coords;
  for (ChipCoordAttr coord : systemDesc.getChipCoords())
    coords.emplace_back(coord.getRack(), coord.getShelf(), coord.getY(),
                        coord.getX());
  std::vector<fb::ChipChannel> channels;
  for (ChipChannelAttr channel : systemDesc.getChipChannels())
    channels.emplace_back(
        channel.getDeviceId0(), toDim(channel.getEthernetCoreCoord0()),
        channel.getDeviceId1(), toDim(channel.getEthernetCoreCoord1()));
  return fb::CreateSystemDescDirect(builder, &chips, &indices, &capabilities,
                                    &coords, &channels);
}

void writeSystemDesc(SystemDescAttr systemDesc, StringRef productIdentifier,
                     raw_ostream &os) {
  flatbuffers::FlatBufferBuilder builder;
  auto table = toFlatbuffer(builder, systemDesc);
  fb::Version version(TTMLIR_VERSION_MAJOR, TTMLIR_VERSION_MINOR,
                      TTMLIR_VERSION_PATCH);
  auto root =
      fb::CreateSystemDescRootDirect(builder, &version, TTMLIR_GIT_HASH,
                                     productIdentifier.str().c_str(), table);
  fb::FinishSizePrefixedSystemDescRootBuffer(builder, root);
  os.write(reinterpret_cast<const char *>(builder.GetBufferPointer()),
           builder.GetSize());
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

template <typename EnumT, typename FlatbufferT>
static FailureOr<EnumT> fromEnum(EmitError emitError, FlatbufferT value,
                                 StringRef name) {
  uint64_t number = static_cast<uint64_t>(value);
  if (number <= static_cast<uint64_t>(FlatbufferT::MAX))
    return static_cast<EnumT>(number);
  return emitError() << "expected " << name << " in [0, "
                     << static_cast<uint64_t>(FlatbufferT::MAX) << "], found "
                     << number;
}

static FailureOr<unsigned> fromUint64(EmitError emitError, uint64_t value,
                                      StringRef name) {
  if (value <= std::numeric_limits<unsigned>::max())
    return static_cast<unsigned>(value);
  return emitError() << "expected " << name << " below 2^32, found " << value;
}

static LogicalResult requireFields(
    EmitError emitError,
    std::initializer_list<std::pair<const void *, const char *>> fields) {
  for (auto [field, name] : fields)
    if (!field)
      return emitError() << "expected the field " << name << ", found none";
  return success();
}

using DimVector = flatbuffers::Vector<const fb::Dim2d *>;

static LogicalResult fromCores(EmitError emitError, MLIRContext *context,
                               const DimVector &dims, StringRef name,
                               SmallVector<CoreCoordAttr> &cores) {
  for (const fb::Dim2d *dim : dims) {
    if (dim->y() < 0 || dim->x() < 0)
      return emitError() << "expected cores of physical_cores." << name
                         << " at non-negative coordinates, found " << dim->y()
                         << "x" << dim->x();
    cores.push_back(CoreCoordAttr::get(context, dim->y(), dim->x()));
  }
  return success();
}

static FailureOr<ChipPhysicalCoresAttr>
fromFlatbuffer(EmitError emitError, MLIRContext *context,
               const fb::ChipPhysicalCores &cores) {
  if (failed(requireFields(
          emitError, {{cores.worker(), "physical_cores.worker"},
                      {cores.dram(), "physical_cores.dram"},
                      {cores.eth(), "physical_cores.eth"},
                      {cores.eth_inactive(), "physical_cores.eth_inactive"}})))
    return failure();
  SmallVector<CoreCoordAttr> worker, dram, eth, ethInactive;
  if (failed(
          fromCores(emitError, context, *cores.worker(), "worker", worker)) ||
      failed(fromCores(emitError, context, *cores.dram(), "dram", dram)) ||
      failed(fromCores(emitError, context, *cores.eth(), "eth", eth)) ||
      failed(fromCores(emitError, context, *cores.eth_inactive(),
                       "eth_inactive", ethInactive)))
    return failure();
  // Channels may share the cores of DRAM.
  llvm::DenseSet<CoreCoordAttr> taken(dram.begin(), dram.end());
  for (CoreCoordAttr core : worker)
    if (!taken.insert(core).second)
      return emitError() << "expected each core of physical_cores.worker at a "
                            "place of its own, found "
                         << core.getY() << "x" << core.getX()
                         << ", where another worker or DRAM core is";
  return ChipPhysicalCoresAttr::get(context, worker, dram, eth, ethInactive);
}

static FailureOr<ChipDescAttr> fromFlatbuffer(EmitError emitError,
                                              MLIRContext *context,
                                              const fb::ChipDesc &chip) {
  if (failed(requireFields(
          emitError, {{chip.grid_size(), "grid_size"},
                      {chip.physical_cores(), "physical_cores"},
                      {chip.supported_data_types(), "supported_data_types"},
                      {chip.supported_tile_sizes(), "supported_tile_sizes"}})))
    return failure();
  auto arch = fromEnum<Arch>(emitError, chip.arch(), "arch");
  auto l1Size = fromUint64(emitError, chip.l1_size(), "l1_size");
  auto channelSize =
      fromUint64(emitError, chip.dram_channel_size(), "dram_channel_size");
  auto cores = fromFlatbuffer(emitError, context, *chip.physical_cores());
  if (failed(arch) || failed(l1Size) || failed(channelSize) || failed(cores))
    return failure();
  SmallVector<DataTypeAttr> dataTypes;
  for (fb::DataType value : *chip.supported_data_types()) {
    auto dataType =
        fromEnum<DataType>(emitError, value, "supported_data_types");
    if (failed(dataType))
      return failure();
    dataTypes.push_back(DataTypeAttr::get(context, *dataType));
  }
  SmallVector<TileSizeAttr> tileSizes;
  for (const fb::Dim2d *size : *chip.supported_tile_sizes()) {
    auto tileSize = TileSizeAttr::getChecked(
        emitError, context, int64_t(size->y()), int64_t(size->x()));
    if (!tileSize)
      return failure();
    tileSizes.push_back(tileSize);
  }
  std::array<int64_t, 2> grid{chip.grid_size()->y(), chip.grid_size()->x()};
  auto result = ChipDescAttr::getChecked(
      emitError, context, ArchAttr::get(context, *arch),
      ArrayRef<int64_t>(grid), *l1Size, chip.num_dram_channels(), *channelSize,
      chip.noc_l1_address_align_bytes(), chip.pcie_address_align_bytes(),
      chip.noc_dram_address_align_bytes(), chip.l1_unreserved_base(),
      chip.erisc_l1_unreserved_base(), chip.dram_unreserved_base(),
      chip.dram_unreserved_end(), *cores, ArrayRef<DataTypeAttr>(dataTypes),
      ArrayRef<TileSizeAttr>(tileSizes));
  if (!result)
    return failure();
  return result;
}

static SmallVector<int64_t> fromDim(const fb::Dim2d &dim) {
  return {dim.y(), dim.x()};
}

FailureOr<SystemDescAttr> fromFlatbuffer(EmitError emitError,
                                         MLIRContext *context,
                                         const fb::SystemDesc *systemDesc) {
  if (failed(requireFields(
          emitError,
          {{systemDesc, "system_desc"},
           {systemDesc ? systemDesc->chip_descs() : nullptr, "chip_descs"},
           {systemDesc ? systemDesc->chip_desc_indices() : nullptr,
            "chip_desc_indices"},
           {systemDesc ? systemDesc->chip_capabilities() : nullptr,
            "chip_capabilities"},
           {systemDesc ? systemDesc->chip_coords() : nullptr, "chip_coords"},
           {systemDesc ? systemDesc->chip_channels() : nullptr,
            "chip_channels"}})))
    return failure();
  SmallVector<ChipDescAttr> chips;
  for (const fb::ChipDesc *chip : *systemDesc->chip_descs()) {
    auto attr = fromFlatbuffer(emitError, context, *chip);
    if (failed(attr))
      return failure();
    chips.push_back(*attr);
  }
  SmallVector<ChipCapabilityAttr> capabilities;
  for (fb::ChipCapability value : *systemDesc->chip_capabilities()) {
    auto capability = symbolizeChipCapability(static_cast<uint32_t>(value));
    if (!capability)
      return emitError() << "expected chip_capabilities of the bits 1 (PCIE) "
                            "and 2 (HostMMIO), found "
                         << static_cast<uint32_t>(value);
    capabilities.push_back(ChipCapabilityAttr::get(context, *capability));
  }
  SmallVector<ChipCoordAttr> coords;
  for (const fb::ChipCoord *coord : *systemDesc->chip_coords())
    coords.push_back(ChipCoordAttr::get(context, coord->rack(), coord->shelf(),
                                        coord->y(), coord->x()));
  SmallVector<ChipChannelAttr> channels;
  for (const fb::ChipChannel *channel : *systemDesc->chip_channels())
    channels.push_back(ChipChannelAttr::get(
        context, channel->device_id0(),
        fromDim(channel->ethernet_core_coord0()), channel->device_id1(),
        fromDim(channel->ethernet_core_coord1())));
  SmallVector<unsigned> indices(systemDesc->chip_desc_indices()->begin(),
                                systemDesc->chip_desc_indices()->end());
  auto result = SystemDescAttr::getChecked(
      emitError, context, ArrayRef<ChipDescAttr>(chips),
      ArrayRef<unsigned>(indices), ArrayRef<ChipCapabilityAttr>(capabilities),
      ArrayRef<ChipCoordAttr>(coords), ArrayRef<ChipChannelAttr>(channels));
  if (!result)
    return failure();
  return result;
}

/// Size prefix, file identifier, then the verifier over the whole buffer.
static LogicalResult verifyBuffer(EmitError emitError, StringRef buffer) {
  constexpr size_t header = sizeof(uint32_t) + sizeof(uint32_t) + 4;
  if (buffer.size() < header)
    return emitError() << "expected a system description of at least " << header
                       << " bytes, found " << buffer.size();
  StringRef identifier = buffer.substr(8, 4);
  if (identifier != fb::SystemDescRootIdentifier()) {
    std::string printable;
    for (char c : identifier)
      printable += llvm::isPrint(c) ? c : '?';
    return emitError() << "expected the file identifier '"
                       << fb::SystemDescRootIdentifier() << "', found '"
                       << printable << "'";
  }
  const auto *data = reinterpret_cast<const uint8_t *>(buffer.data());
  uint64_t expected =
      uint64_t(flatbuffers::GetPrefixedSize(data)) + sizeof(uint32_t);
  if (buffer.size() != expected)
    return emitError() << "expected " << expected
                       << " bytes, as the size prefix says, found "
                       << buffer.size();
  flatbuffers::Verifier verifier(data, buffer.size());
  if (!fb::VerifySizePrefixedSystemDescRootBuffer(verifier))
    return emitError() << "expected a well-formed flatbuffer, found broken "
                          "offsets or tables";
  return success();
}

static LogicalResult verifyVersion(EmitError emitError,
                                   const fb::Version *version) {
  if (!version)
    return emitError() << "expected the field version, found none";
  if (version->major() == TTMLIR_VERSION_MAJOR &&
      version->minor() == TTMLIR_VERSION_MINOR)
    return success();
  return emitError() << "expected version " << TTMLIR_VERSION_MAJOR << "."
                     << TTMLIR_VERSION_MINOR << ".x, found " << version->major()
                     << "." << version->minor() << "." << version->patch();
}

FailureOr<SystemDescAttr> parseSystemDesc(EmitError emitError,
                                          MLIRContext *context,
                                          StringRef buffer, StringRef source) {
  auto located = [&] {
    return std::move(emitError() << "system description '" << source << "': ");
  };
  if (failed(verifyBuffer(located, buffer)))
    return failure();
  const auto *root = fb::GetSizePrefixedSystemDescRoot(buffer.data());
  if (failed(verifyVersion(located, root->version())))
    return failure();
  return fromFlatbuffer(located, context, root->system_desc());
}

FailureOr<SystemDescAttr> loadSystemDesc(EmitError emitError,
                                         MLIRContext *context, StringRef path) {
  // Pipes block, and devices have no end.
  if (llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path))
    return emitError() << "system description '" << path
                       << "': expected a regular file";
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file)
    return emitError() << "system description '" << path
                       << "': expected a readable file, found: "
                       << file.getError().message();
  return parseSystemDesc(emitError, context, (*file)->getBuffer(), path);
}

} // namespace mlir::tt
