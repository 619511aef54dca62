// What operations of TTNN cost: the clock's replay of their streams.
#ifndef TT_RUNTIME_TTNN_COST_H
#define TT_RUNTIME_TTNN_COST_H

#include "clock/replay.h"
#include "clock/trace.h"
#include "collectives/linear_time.h"
#include "tt/runtime/report.h"
#include "ttnn/program.h"

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace tt::runtime::ttnn {

/// The costs of a program's operations, each found once: another run of the
/// program, and operations with the same stream, take what is known. Any
/// thread.
class Costs {
public:
  explicit Costs(const ChipGeometry &chip) : chip_(chip) {}

  const ChipGeometry &chip() const { return chip_; }

  /// Cost of an operation of the program on a chip: bytes of operands and
  /// results, each once, and the time of its stream. High-water marks are left
  /// 0. With a trace, which gets slices of each chip from cycle `start` on, the
  /// stream is replayed again.
  /// `positions` (B, S) are those of an attention's queries (see
  /// positionsFor()); without them, it reads all keys.
  OpCost of(const Program &program, const Operation &operation,
            Trace *trace = nullptr, double start = 0, std::size_t chips = 1,
            std::span<const std::int64_t> positions = {});

private:
  OpCost make(const Program &program, const Operation &operation, Trace *trace,
              double start, std::size_t chips,
              std::span<const std::int64_t> positions);

  const ChipGeometry chip_;
  std::mutex mutex_;
  std::unordered_map<const Operation *, OpCost> known_;
  std::unordered_map<std::uint64_t, clock::ReplayResult> streams_;
};

/// When the operand of a collective is complete, in cycles from the beginning
/// of the product that it overlaps.
collectives::OperandTime operandTime(const Program &program,
                                     const CollectiveStep &step);

/// The positions (B, S) of an attention with positions, if its last query is at
/// `last`; none for other operations.
std::vector<std::int64_t> positionsFor(const Program &program,
                                       const Operation &operation,
                                       std::int64_t last);

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_TTNN_COST_H
