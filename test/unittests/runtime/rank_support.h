// Ranks in threads of this process.
#ifndef TTMLIR_UNITTESTS_RUNTIME_RANK_SUPPORT_H
#define TTMLIR_UNITTESTS_RUNTIME_RANK_SUPPORT_H

#include "emulator/ranks.h"

#include <thread>
#include <vector>

namespace tt::runtime::test {

/// body(ranks) in a thread for each of `size` ranks.
template <typename Body> void onRanks(std::uint32_t size, const Body &body) {
  std::vector<std::thread> threads;
  for (const auto &transport : makeLocalTransports(size))
    threads.emplace_back([&body, transport] {
      body(std::make_shared<emulator::Ranks>(transport));
    });
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace tt::runtime::test

#endif // TTMLIR_UNITTESTS_RUNTIME_RANK_SUPPORT_H
