// ttnn-mutate <file.ttnn or file.ttm> [count] [seed]
//
// Flips random bits of a valid program, loads every mutation and runs what
// loads. Each one must end in an error or in a run; a crash ends the tool.
// Prints how many ended how; exit status 1 if the file itself is not valid.
#include "tt/runtime/runtime.h"
#include "tt/runtime/utils.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <random>

namespace rt = tt::runtime;

namespace {

/// A run of a mutation may ask for more than the valid program, but not for
/// more than this.
constexpr std::int64_t kLimit = std::int64_t(1) << 28;
constexpr std::uint64_t kSteps = 100000;

rt::Tensor makeInput(const rt::TensorDesc &desc) {
  const bool plain = desc.itemsize != 0;
  return rt::createEmptyTensor(
      desc.shape, plain ? desc.dataType : ::tt::target::DataType::Float32);
}

void runAll(const rt::Binary &binary, rt::Device device) {
  for (std::uint32_t i = 0; i < binary.getNumPrograms(); ++i) {
    std::vector<rt::Tensor> inputs;
    for (const rt::TensorDesc &desc : binary.getProgramInputs(i)) {
      inputs.push_back(makeInput(desc));
      std::size_t bytes = rt::getTensorDesc(inputs.back()).itemsize;
      for (std::uint32_t extent : desc.shape)
        bytes *= extent;
      std::memset(inputs.back().data.get(), 0, bytes);
    }
    for (rt::Tensor output : rt::submit(device, binary, i, inputs))
      rt::toHost(output);
  }
}

/// All chips of the default system that the file is for.
rt::Device openFor(const rt::Binary &binary) {
  auto const *expected = binary.getSystemDesc();
  for (const std::string &target : rt::system_desc::getDefaultTargets()) {
    const rt::SystemDesc desc = rt::system_desc::getDefaultSystemDesc(target);
    const int chips = int(desc->chip_desc_indices()->size());
    if (chips != int(expected->chip_desc_indices()->size()) ||
        desc->chip_descs()->Get(0)->arch() !=
            expected->chip_descs()->Get(0)->arch())
      continue;
    std::vector<int> ids(chips);
    std::iota(ids.begin(), ids.end(), 0);
    return rt::openDevice(desc, ids);
  }
  rt::raise(rt::ErrorCategory::SystemMismatch,
            "expected a file for one of the default systems");
}

std::string readAll(const char *path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2 || argc > 4) {
    std::fprintf(stderr, "usage: %s <file.ttnn or file.ttm> [count] [seed]\n",
                 argv[0]);
    return 1;
  }
  const long count = argc > 2 ? std::atol(argv[2]) : 10000;
  const unsigned seed = argc > 3 ? unsigned(std::atol(argv[3])) : 0;
  const std::string valid = readAll(argv[1]);
  rt::setHostMemoryLimit(kLimit);
  std::map<std::string, long> ends;
  try {
    const auto binary = rt::Binary::loadFromPath(argv[1]);
    rt::Device device = openFor(binary);
    runAll(binary, device);
    rt::DeviceOptions options;
    options.checks = true;
    options.stepLimit = kSteps;
    rt::setDeviceOptions(device, options);

    std::mt19937 random(seed);
    for (long i = 0; i < count; ++i) {
      std::string bytes = valid;
      const unsigned flips = 1 + random() % 4;
      for (unsigned f = 0; f < flips; ++f)
        bytes[random() % bytes.size()] ^= char(1u << (random() % 8));
      try {
        const auto mutated =
            rt::Binary::loadFromMemory(bytes.data(), bytes.size());
        mutated.asJson();
        runAll(mutated, device);
        ++ends["correct run"];
      } catch (const rt::Error &error) {
        ++ends[std::string("error: ") + rt::categoryName(error.category())];
      }
    }
  } catch (const rt::Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  std::printf("%ld mutations, seed %u\n", count, seed);
  for (const auto &[end, times] : ends)
    std::printf("%8ld  %s\n", times, end.c_str());
  return 0;
}
