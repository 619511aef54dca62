// Programs of kernels in TTMetal files, through the public API.
#include "metal_support.h"

#include "tt/runtime/fault.h"

#include "testing/testing.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

using namespace tt::runtime;
using namespace tt::runtime::test;
using target::DataType;

namespace {

using enum Opcode;

constexpr std::uint64_t kA = 1 << 16, kB = 2 << 16, kOut = 3 << 16;
constexpr int kRows = 64, kCols = 96, kTiles = 6;
const target::Dim2dRange kCores(target::Dim2d(1, 1), target::Dim2d(1, 2));

/// Both inputs of tiles [3 * core, 3 * core + 3). The addresses are runtime
/// arguments.
Assembler reader() {
  Assembler a;
  const int accessor = int(a.accessor(test::tiles(kTiles)));
  const Reg x = a.op(tensor_accessor, {a.op(get_arg_val, {0}), accessor});
  const Reg y = a.op(tensor_accessor, {a.op(get_arg_val, {1}), accessor});
  const Reg first = a.op(get_arg_val, {2});
  a.loop(3, [&](Reg i) {
    const Reg tile = a.op(addi, {first, i});
    for (int port : {0, 1}) {
      a.op(cb_reserve_back, {port, 1});
      a.op(noc_async_read_page,
           {tile, port ? y : x, a.op(get_write_ptr, {port})});
      a.op(noc_async_read_barrier);
      a.op(cb_push_back, {port, 1});
    }
  });
  return a;
}

Assembler writer(bool barrier = true) {
  Assembler a;
  const Reg out = a.op(tensor_accessor, {a.op(get_arg_val, {0}),
                                         int(a.accessor(test::tiles(kTiles)))});
  const Reg first = a.op(muli, {a.op(core_index), 3});
  a.loop(3, [&](Reg i) {
    a.op(cb_wait_front, {16, 1});
    a.op(noc_async_write_page,
         {a.op(addi, {first, i}), out, a.op(get_read_ptr, {16})});
    if (barrier)
      a.op(noc_async_write_barrier);
    a.op(cb_pop_front, {16, 1});
  });
  a.op(dprint, {int(a.string("core {} done")), a.op(core_index)});
  return a;
}

class ProgramBuilder : public MetalBuilder {
public:
  TensorOffset tensor(std::uint32_t id, std::uint64_t address) {
    return at(id, address, kRows, kCols, DataType::Float32, Place{});
  }

  flatbuffers::Offset<target::CBRef> buffer(std::uint32_t port,
                                            std::uint64_t address) {
    const std::vector<int> shape = {1, 1};
    const target::Dim2d tile(32, 32);
    auto memory = target::CreateMemoryDescDirect(
        fbb, &shape, &tile, DataType::Float32, target::MemorySpace::DeviceL1,
        target::TensorMemoryLayout::None, 4096);
    return target::CreateCBRef(
        fbb, 100 + port, 0, address,
        target::CreateCBDesc(fbb, port, memory, 4096, 2));
  }

  template <typename Config>
  flatbuffers::Offset<metal::KernelDesc>
  kernel(Assembler program, metal::KernelConfig type, Config config,
         const std::vector<std::uint8_t> &argTypes = {},
         const std::vector<flatbuffers::Offset<void>> &args = {}) {
    auto source =
        metal::CreateKernelSourceDirect(fbb, "void kernel_main() {}", type,
                                        config.Union(), program.serialize(fbb));
    const std::vector<target::Dim2dRange> cores = {kCores};
    const std::vector<flatbuffers::Offset<target::CBRef>> buffers = {
        buffer(0, 8192), buffer(1, 16384), buffer(16, l1Out)};
    std::vector<metal::RuntimeArg> types;
    for (std::uint8_t argType : argTypes)
      types.push_back(metal::RuntimeArg(argType));
    return metal::CreateKernelDescDirect(fbb, metal::Kernel::KernelSource,
                                         source.Union(), &cores, &buffers,
                                         &types, &args);
  }

  flatbuffers::Offset<void> address(std::uint32_t operand) {
    return metal::CreateRuntimeArgTensorAddress(fbb, operand).Union();
  }
  flatbuffers::Offset<void> scalars(const std::vector<std::uint32_t> &values) {
    return metal::CreateRuntimeArgScalarDirect(fbb, &values).Union();
  }

  CommandOffset add(const std::vector<TensorOffset> &operands,
                    bool barrier = true) {
    const auto noc = [&](metal::NocIndex index) {
      return metal::CreateNocConfig(fbb, index);
    };
    const std::uint8_t tensorAddress = 1, scalar = 3;
    const std::vector<flatbuffers::Offset<metal::KernelDesc>> kernels = {
        kernel(reader(), metal::KernelConfig::NocConfig,
               noc(metal::NocIndex::Noc0),
               {tensorAddress, tensorAddress, scalar},
               {address(0), address(1), scalars({0, 3})}),
        kernel(
            adder(3, 0, 1), metal::KernelConfig::TensixConfig,
            metal::CreateTensixConfig(fbb, target::MathFidelity::HiFi4, true)),
        kernel(writer(barrier), metal::KernelConfig::NocConfig,
               noc(metal::NocIndex::Noc1), {tensorAddress}, {address(2)})};
    return command(
        metal::CommandType::EnqueueProgramCommand,
        metal::CreateEnqueueProgramCommandDirect(
            fbb, &operands, metal::CreateProgramDescDirect(fbb, &kernels)),
        "%5 = ttmetal.dispatch");
  }

  /// out = a + b on two cores.
  std::string addFile(bool barrier = true) {
    auto a = tensor(1, kA), b = tensor(2, kB), out = tensor(3, kOut);
    return file({a, b}, {out}, {{create(out), add({a, b, out}, barrier)}});
  }

  std::uint64_t l1Out = 24576;
};

Tensor hostTensor(float scale) {
  Tensor tensor = createEmptyTensor({kRows, kCols}, DataType::Float32);
  auto *values = static_cast<float *>(tensor.data.get());
  for (int i = 0; i < kRows * kCols; ++i)
    values[i] = scale * float(i % 1000);
  return tensor;
}

class MetalPrograms : public ::testing::Test {
protected:
  void SetUp() override {
    DeviceOptions options;
    options.checks = true;
    setDeviceOptions(device, options);
  }
  void TearDown() override { closeDevice(device); }

  Binary load(const std::string &bytes) {
    return Binary::loadFromMemory(bytes.data(), bytes.size());
  }
  std::vector<Tensor> run(const Binary &binary) {
    return submit(device, binary, 0, {hostTensor(1), hostTensor(0.5)});
  }

  Device device = openDevice({0});
  ProgramBuilder b;
};

} // namespace

TEST_F(MetalPrograms, ThreeKernelsAdd) {
  const Binary binary = load(b.addFile());
  for (int threads : {1, 2}) {
    setNumThreads(threads);
    for (int repeat = 0; repeat < 2; ++repeat) {
      Tensor result = run(binary)[0];
      auto const *found = static_cast<const float *>(result.data.get());
      for (int i = 0; i < kRows * kCols; ++i)
        ASSERT_EQ(found[i], 1.5f * float(i % 1000)) << i;
    }
  }
  setNumThreads(0);
  const auto prints = getDebugPrints(device);
  ASSERT_EQ(prints.size(), 2u);
  EXPECT_EQ(prints[1].text, "core 1 done");
  EXPECT_EQ(prints[1].y, 1);
  EXPECT_EQ(prints[1].x, 2);
  EXPECT_EQ(prints[1].thread, "noc1");
}

TEST_F(MetalPrograms, ReportsCountTheBytesOfKernels) {
  enableReport(device, true);
  run(load(b.addFile()));
  const Report report = getReport(device);
  ASSERT_EQ(report.ops.size(), 4u); // two inputs, the program, the output
  const OpCost &cost = report.ops[2];
  EXPECT_EQ(cost.name, "enqueue_program");
  EXPECT_EQ(cost.location, "%5 = ttmetal.dispatch");
  EXPECT_EQ(cost.cores, 2u);
  EXPECT_EQ(cost.dramReadBytes, 2u * kTiles * 4096);
  EXPECT_EQ(cost.dramWriteBytes, std::uint64_t(kTiles) * 4096);
  EXPECT_EQ(cost.nocBytes, 3u * kTiles * 4096);
  EXPECT_GT(cost.cycles, 0);
}

TEST_F(MetalPrograms, FaultsNameTheKernel) {
  const Binary binary = load(b.addFile(/*barrier=*/false));
  try {
    run(binary);
    FAIL() << "expected a fault";
  } catch (const Fault &fault) {
    EXPECT_EQ(fault.place().kernel, "queue0_%5_noc1_1x1_1x2");
    EXPECT_EQ(fault.place().core.x, 1);
  }
  // The device is free for the next run.
  ProgramBuilder right;
  EXPECT_NO_THROW(run(load(right.addFile())));
}

/// The output of a program whose kernels leave it alone; after another program
/// that has left numbers there.
TEST_F(MetalPrograms, OutputsThatNoKernelWrites) {
  run(load(b.addFile()));
  ProgramBuilder idle;
  auto x = idle.tensor(1, kA), y = idle.tensor(2, kB),
       out = idle.tensor(3, kOut);
  const Binary binary = load(idle.file({x, y}, {out}, {{idle.create(out)}}));
  try {
    run(binary);
    FAIL() << "expected a fault";
  } catch (const UninitializedReadFault &fault) {
    EXPECT_STREQ(fault.what(),
                 "program 'main', output 0, tensor 3 (64x96 f32, dram "
                 "interleaved tile): no kernel has written 24576 bytes, in 6 "
                 "of 6 tiles, from tile 0 on");
    EXPECT_EQ(fault.place().bytes, 24576u);
  }
  DeviceOptions options;
  options.checks = false;
  setDeviceOptions(device, options);
  EXPECT_EQ(values(run(binary)[0], kRows * kCols),
            std::vector<float>(kRows * kCols));
}

/// A command that reads from the device reads what was written there.
TEST_F(MetalPrograms, ReadsOfWhatNoKernelWrites) {
  auto x = b.tensor(1, kA), y = b.tensor(2, kB), middle = b.tensor(3, kOut);
  auto result = b.at(4, 0, kRows, kCols, DataType::Float32, kHost);
  const Binary binary = load(
      b.file({x, y}, {result}, {{b.create(middle), b.read(middle, result)}}));
  EXPECT_THROW(run(binary), UninitializedReadFault);
}

TEST_F(MetalPrograms, StepsAreLimited) {
  DeviceOptions options;
  options.stepLimit = 10;
  setDeviceOptions(device, options);
  EXPECT_THROW(run(load(b.addFile())), StepLimitFault);
}

TEST_F(MetalPrograms, BuffersOfKernelsDoNotLieOnTensors) {
  auto x = b.tensor(1, kA), y = b.tensor(2, kB), out = b.tensor(3, kOut);
  const Place l1 = {target::MemorySpace::DeviceL1,
                    target::TensorMemoryLayout::None, true, 2, 2};
  auto other = b.at(4, 28672, 64, 64, DataType::Float32, l1);
  const Binary binary = load(b.file(
      {x, y}, {out}, {{b.create(other), b.create(out), b.add({x, y, out})}}));
  EXPECT_THROW(run(binary), BufferOverlapFault);
}

TEST_F(MetalPrograms, KernelsOnDiskAreThoseOfTheFile) {
  const Binary binary = load(b.addFile());
  const auto kernels = binary.getProgramKernels(0);
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_EQ(kernels[1].fileName, "ttmlir_queue0_%5_tensix_1x1_1x2.cpp");
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "ttmlir-kernels";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  DeviceOptions options;
  options.kernelDirectory = folder.string();
  setDeviceOptions(device, options);
  const auto category = [&] {
    try {
      run(binary);
    } catch (const Error &error) {
      return error.category();
    }
    return ErrorCategory::Internal;
  };
  EXPECT_EQ(category(), ErrorCategory::File);
  for (const KernelText &kernel : kernels)
    std::ofstream(folder / kernel.fileName) << kernel.text;
  EXPECT_NO_THROW(run(binary));
  std::ofstream(folder / kernels[2].fileName) << "void other() {}";
  EXPECT_EQ(category(), ErrorCategory::Unsupported);
  std::filesystem::remove_all(folder);
}

TEST_F(MetalPrograms, MutationsEndInAnErrorOrARun) {
  const std::string bytes = b.addFile();
  DeviceOptions options;
  options.stepLimit = 10000;
  std::mt19937 random(2);
  setHostMemoryLimit(1 << 28);
  int runs = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string mutated = bytes;
    mutated[random() % mutated.size()] ^= char(1u << random() % 8);
    options.checks = i % 2;
    setDeviceOptions(device, options);
    try {
      run(load(mutated));
      ++runs;
    } catch (const Error &) {
    }
  }
  EXPECT_GT(runs, 500);
  setHostMemoryLimit(0);
}
