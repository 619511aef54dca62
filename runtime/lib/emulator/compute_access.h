// The circular buffers of a core as its compute engines use them.
#ifndef TT_RUNTIME_EMULATOR_COMPUTE_ACCESS_H
#define TT_RUNTIME_EMULATOR_COMPUTE_ACCESS_H

#include "emulator/engine.h"

namespace tt::runtime::emulator {

class CoreTiles final : public tensix::TileAccess {
public:
  Thread *thread = nullptr;

  const std::byte *front(std::uint32_t port, std::uint64_t offset,
                         std::uint64_t bytes) override;
  std::byte *back(std::uint32_t port, std::uint64_t offset, std::uint64_t bytes,
                  bool adds) override;
  std::byte *nextBack(std::uint32_t port, std::uint64_t tiles,
                      bool adds) override;
  [[noreturn]] void fault(tensix::ComputeFault kind,
                          const std::string &message) override;
};

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_COMPUTE_ACCESS_H
