// What operations and commands cost, for a report: the parts that both runtimes
// have in common.
#ifndef TT_RUNTIME_CLOCK_OP_COST_H
#define TT_RUNTIME_CLOCK_OP_COST_H

#include "clock/replay.h"
#include "common/arch.h"

namespace tt::runtime::clock {

/// Adds the gap before an operation.
void addDispatch(OpCost &cost, const ArchData &arch);
/// Adds the time of a replay and the uses of cores, links and channels, but no
/// bytes.
void addReplay(OpCost &cost, ReplayResult result);
/// Adds the uses of the other chips of a mesh, which do what the first one
/// does.
void repeatUses(OpCost &cost, std::size_t chips);
/// Adds a transfer over PCIe of a tensor on the device, page by page.
void addHost(OpCost &cost, const Layout &device, const ArchData &arch);
void addHost(OpCost &cost, std::uint64_t bytes, std::int64_t pages,
             const ArchData &arch);
/// Adds the time of Ethernet links.
void addLinks(OpCost &cost, double cycles, std::vector<EthernetUse> use);
/// The least time that the chip needs for `flops`, in products with so many
/// phases of the multiplier or, with 0, one by one; and for the DRAM's bytes.
/// `flops` and bytes are of `chips` together.
void addIdeal(OpCost &cost, double flops, int phases, const ChipGeometry &chip,
              std::size_t chips = 1);

/// The cost of a copy between the host and a device tensor. Chips transfer in
/// parallel: bytes are those of all chips, the time is that of one.
OpCost transferCost(const Layout &device, bool toDevice,
                    const ChipGeometry &chip, std::size_t chips = 1);
/// The cost of the same transfer between the tensor and a DRAM buffer instead
/// of the host: bytes in DRAM are transferred at the bandwidth of all channels.
OpCost copyCost(OpCost transfer, const ChipGeometry &chip);

/// "lofi" to "hifi4"; empty for 0.
const char *fidelityName(int phases);

} // namespace tt::runtime::clock

#endif // TT_RUNTIME_CLOCK_OP_COST_H
