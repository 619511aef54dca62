// ttnn-mutate [--count N] [--seed S] [--current FILE] FILE...
//
// Damages valid programs and system descriptions, loads every mutation, reads
// it as JSON and runs what loads. Each one must end in an error or in a run; a
// crash ends the tool. With --current, a mutation is in FILE while it is tried.
// Prints how many ended how; exit status 1 if a file itself is not valid, or a
// mutation ends in an error that blames the runtime.
#include "mutation.h"
#include "tt/runtime/runtime.h"
#include "tt/runtime/utils.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>

namespace rt = tt::runtime;
using rt::tools::Original;

namespace {

/// A run of a mutation may ask for more than the valid program, but not for
/// more than this.
constexpr std::int64_t kLimit = std::int64_t(1) << 28;
constexpr std::uint64_t kSteps = 100000;

struct Options {
  long count = 10000;
  unsigned long seed = 0;
  const char *current = nullptr;
  std::vector<const char *> files;
};

std::optional<Options> parse(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name.rfind("--", 0) != 0) {
      options.files.push_back(argv[i]);
      continue;
    }
    if (++i == argc)
      return std::nullopt;
    if (name == "--count")
      options.count = std::atol(argv[i]);
    else if (name == "--seed")
      options.seed = std::strtoul(argv[i], nullptr, 10);
    else if (name == "--current")
      options.current = argv[i];
    else
      return std::nullopt;
  }
  return options.files.empty() ? std::nullopt : std::optional(options);
}

rt::Tensor makeInput(const rt::TensorDesc &desc) {
  const bool plain = desc.itemsize != 0;
  rt::Tensor tensor = rt::createEmptyTensor(
      desc.shape, plain ? desc.dataType : ::tt::target::DataType::Float32);
  std::size_t bytes = rt::getTensorDesc(tensor).itemsize;
  for (std::uint32_t extent : desc.shape)
    bytes *= extent;
  std::memset(tensor.data.get(), 0, bytes);
  return tensor;
}

void runAll(const rt::Binary &binary, rt::Device device) {
  for (std::uint32_t i = 0; i < binary.getNumPrograms(); ++i) {
    std::vector<rt::Tensor> inputs;
    for (const rt::TensorDesc &desc : binary.getProgramInputs(i))
      inputs.push_back(makeInput(desc));
    for (rt::Tensor output : rt::submit(device, binary, i, inputs))
      rt::toHost(output);
  }
}

rt::Device openAll(const rt::SystemDesc &desc) {
  std::vector<int> ids(desc->chip_desc_indices()->size());
  std::iota(ids.begin(), ids.end(), 0);
  return rt::openDevice(desc, ids);
}

/// Devices of the default systems, opened when a file is for them.
class Devices {
public:
  rt::Device of(const rt::Binary &binary) {
    auto const *expected = binary.getSystemDesc();
    for (const std::string &target : rt::system_desc::getDefaultTargets()) {
      const rt::SystemDesc desc = rt::system_desc::getDefaultSystemDesc(target);
      if (desc->chip_desc_indices()->size() !=
              expected->chip_desc_indices()->size() ||
          desc->chip_descs()->Get(0)->arch() !=
              expected->chip_descs()->Get(0)->arch())
        continue;
      auto place = opened_.find(target);
      if (place == opened_.end())
        place = opened_.emplace(target, open(desc)).first;
      return place->second;
    }
    rt::raise(rt::ErrorCategory::SystemMismatch,
              "expected a file for one of the default systems");
  }

private:
  static rt::Device open(const rt::SystemDesc &desc) {
    rt::Device device = openAll(desc);
    rt::DeviceOptions options;
    options.checks = true;
    options.stepLimit = kSteps;
    rt::setDeviceOptions(device, options);
    return device;
  }

  std::map<std::string, rt::Device> opened_;
};

bool isSystemDesc(const std::string &bytes) {
  return bytes.substr(8, 4) == "TTSY";
}

void tryFile(const std::string &bytes, bool isDesc, Devices &devices) {
  if (isDesc) {
    const auto desc =
        rt::SystemDesc::loadFromMemory(bytes.data(), bytes.size());
    desc.asJson();
    rt::closeDevice(openAll(desc));
    return;
  }
  const auto binary = rt::Binary::loadFromMemory(bytes.data(), bytes.size());
  binary.asJson();
  runAll(binary, devices.of(binary));
}

std::string readAll(const char *path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void writeAll(const char *path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// Tries mutations of the originals; returns how many blame the runtime.
long tryMutations(const Options &options,
                  const std::vector<Original> &originals, Devices &devices) {
  std::map<std::string, long> ends;
  long blamed = 0;
  std::mt19937_64 random(options.seed);
  for (long i = 0; i < options.count; ++i) {
    const Original &original = originals[random() % originals.size()];
    const std::string bytes = mutate(original, random);
    if (options.current)
      writeAll(options.current, bytes);
    try {
      tryFile(bytes, isSystemDesc(original.bytes), devices);
      ++ends["correct run"];
    } catch (const rt::Error &error) {
      ++ends[std::string("error: ") + rt::categoryName(error.category())];
      if (error.category() != rt::ErrorCategory::Internal)
        continue;
      std::fprintf(stderr, "mutation %ld of seed %lu: %s\n", i, options.seed,
                   error.what());
      if (options.current)
        return 1;
      ++blamed;
    }
  }
  std::printf("%ld mutations, seed %lu\n", options.count, options.seed);
  for (const auto &[end, times] : ends)
    std::printf("%8ld  %s\n", times, end.c_str());
  return blamed;
}

} // namespace

int main(int argc, char **argv) {
  const std::optional<Options> options = parse(argc, argv);
  if (!options) {
    std::fprintf(stderr,
                 "usage: %s [--count N] [--seed S] [--current FILE] FILE...\n",
                 argv[0]);
    return 1;
  }
  rt::setHostMemoryLimit(kLimit);
  try {
    Devices devices;
    std::vector<Original> originals;
    for (const char *file : options->files) {
      const std::string bytes = readAll(file);
      if (bytes.empty()) {
        std::fprintf(stderr, "error: '%s' cannot be read, or is empty\n", file);
        return 1;
      }
      tryFile(bytes, isSystemDesc(bytes), devices);
      originals.emplace_back(bytes);
    }
    return tryMutations(*options, originals, devices) ? 1 : 0;
  } catch (const rt::Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
