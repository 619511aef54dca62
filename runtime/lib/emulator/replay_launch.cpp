#include "emulator/replay_launch.h"

namespace tt::runtime::emulator {

namespace {

clock::Recording recordingOf(const Launch &launch, const LaunchResult &result,
                             const ChipGeometry &chip) {
  clock::Recording recording;
  for (const Kernel &kernel : launch.kernels)
    recording.kernels.push_back(
        {kernel.name,
         kernel.location,
         {kernel.fidelity, kernel.approx, kernel.fp32DestAcc}});
  for (const CircularBufferConfig &buffer : launch.buffers)
    recording.buffers.push_back({buffer.port, buffer.pages, buffer.cores});
  for (std::size_t i = 0; i < launch.semaphores.size(); ++i)
    recording.semaphores[semaphoreAddress(chip, std::uint32_t(i))] =
        launch.semaphores[i];
  recording.threads = result.events;
  return recording;
}

} // namespace

clock::ReplayResult replay(const Launch &launch, const LaunchResult &result,
                           const ChipGeometry &geometry, Trace *trace,
                           double start) {
  const ChipGeometry *const chip = &geometry;
  return clock::replay(recordingOf(launch, result, geometry), {&chip, 1},
                       nullptr, trace, start);
}

clock::ReplayResult replay(const Launch &launch, const LaunchResult &result,
                           Fabric &fabric, Trace *trace, double start) {
  std::vector<const ChipGeometry *> chips;
  for (std::uint32_t i = 0; i < fabric.positions(); ++i)
    chips.push_back(&fabric.chip(i)->geometry());
  return clock::replay(recordingOf(launch, result, *chips.front()), chips,
                       &fabric, trace, start);
}

} // namespace tt::runtime::emulator
