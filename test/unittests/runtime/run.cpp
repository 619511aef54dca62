// Programs through the public API: stitching, errors, mutations.
#include "support.h"

#include "tt/runtime/utils.h"

#include "testing/testing.h"

#include <cstring>
#include <random>

using namespace tt::runtime;
using namespace tt::runtime::test;
using target::DataType;

namespace {

const Place kSharded = {target::MemorySpace::DeviceL1,
                        target::TensorMemoryLayout::BlockSharded, true, 2, 2};

} // namespace

TEST(Run, TwoProgramsAreStitchedOnTheDevice) {
  Builder first, second;
  const Binary neg = first.unaryProgram(fb::EltwiseOpType::Neg, 64, 64,
                                        DataType::Float32, kSharded);
  const Binary abs = second.unaryProgram(fb::EltwiseOpType::Abs, 64, 64,
                                         DataType::Float32, kSharded);
  Device device = openDevice({0});
  std::vector<float> input(64 * 64);
  for (std::size_t i = 0; i < input.size(); ++i)
    input[i] = float(i) - 1000;
  Tensor placed = toLayout(hostTensor(input, 64, 64), device,
                           neg.getProgramInputLayouts(0)[0]);
  ASSERT_TRUE(isOnDevice(placed));
  Tensor middle = submit(device, neg, 0, {placed})[0];
  // It is where the second program wants it: no copy is made.
  Tensor same = toLayout(middle, device, abs.getProgramInputLayouts(0)[0]);
  EXPECT_EQ(same.handle, middle.handle);
  enableReport(device, true);
  Tensor result = submit(device, abs, 0, {middle})[0];
  std::uint64_t hostBytes = 0;
  for (const OpCost &op : getReport(device).ops)
    hostBytes += op.hostBytes;
  EXPECT_EQ(hostBytes, 0u);
  const auto found = values(result, input.size());
  for (std::size_t i = 0; i < input.size(); ++i)
    ASSERT_EQ(found[i], std::abs(input[i]));
  closeDevice(device);
}

TEST(Run, BorrowedMemoryStaysTheCallers) {
  Builder builder;
  const Binary neg = builder.unaryProgram(fb::EltwiseOpType::Neg, 4, 4,
                                          DataType::Float32, kHost);
  std::vector<float> input(16, 2.0f), output(16, 0.0f);
  const TensorDesc desc = {{4, 4}, {4, 1}, 4, DataType::Float32};
  Device device = openDevice({0});
  wait(
      submit(device, neg, 0,
             {createTensor(utils::unsafe_borrow_shared(input.data()), desc)},
             {createTensor(utils::unsafe_borrow_shared(output.data()), desc)}));
  EXPECT_EQ(input, std::vector<float>(16, 2.0f));
  EXPECT_EQ(output, std::vector<float>(16, -2.0f));
  closeDevice(device);
}

TEST(Run, MessagesSayExpectedAndFound) {
  Builder builder;
  const Binary neg = builder.unaryProgram(fb::EltwiseOpType::Neg, 4, 4,
                                          DataType::Float32, kHost);
  Device device = openDevice({0});
  const auto message = [&](const std::vector<Tensor> &inputs) -> std::string {
    try {
      submit(device, neg, 0, inputs);
    } catch (const Error &error) {
      EXPECT_EQ(error.category(), ErrorCategory::Argument);
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message({}), "program 'main': expected 1 inputs, found 0");
  EXPECT_EQ(message({createEmptyTensor({4, 5}, DataType::Float32)}),
            "input 0: expected shape 4x4, found 4x5");
  EXPECT_EQ(message({createEmptyTensor({4, 4}, DataType::UInt32)}),
            "input 0: expected data type Float32, found UInt32");
  closeDevice(device);
  EXPECT_EQ(message({createEmptyTensor({4, 4}, DataType::Float32)}),
            "expected an open device, found one that was closed");
}

TEST(Run, ATensorKeepsItsDeviceOpen) {
  Builder builder;
  const Binary neg = builder.unaryProgram(fb::EltwiseOpType::Neg, 32, 32,
                                          DataType::Float32, Place{});
  const auto run = [&] {
    Device device = openDevice({0});
    std::vector<Tensor> results = submit(
        device, neg, 0, {createEmptyTensor({32, 32}, DataType::Float32)});
    return std::pair(WeakDevice(device), results);
  };
  auto [device, results] = run();
  ASSERT_TRUE(isOnDevice(results.front()));
  ASSERT_TRUE(device.lock());
  EXPECT_EQ(getDeviceIds(*device.lock()), DeviceIds{0});
  results.clear();
  EXPECT_FALSE(device.lock());
}

TEST(Run, EveryTargetOpens) {
  for (const std::string &target : system_desc::getDefaultTargets()) {
    const SystemDesc desc = system_desc::getDefaultSystemDesc(target);
    std::vector<int> ids;
    for (unsigned i = 0; i < desc->chip_desc_indices()->size(); ++i)
      ids.push_back(int(i));
    Device device = openDevice(desc, ids);
    EXPECT_EQ(getDeviceIds(device), ids);
    closeDevice(device);
  }
  EXPECT_THROW(system_desc::getDefaultSystemDesc("x1"), Error);
}

TEST(Run, MutationsEndInAnErrorOrARun) {
  Builder builder;
  const Binary valid = builder.unaryProgram(fb::EltwiseOpType::Exp, 40, 70,
                                            DataType::BFloat16, Place{});
  const std::string bytes(static_cast<const char *>(valid.data()),
                          valid.size());
  Device device = openDevice({0});
  std::mt19937 random(1);
  setHostMemoryLimit(1 << 28);
  for (int i = 0; i < 10000; ++i) {
    std::string mutated = bytes;
    mutated[random() % mutated.size()] ^= char(1u << random() % 8);
    try {
      const Binary binary =
          Binary::loadFromMemory(mutated.data(), mutated.size());
      std::vector<Tensor> inputs;
      for (const TensorDesc &desc : binary.getProgramInputs(0)) {
        inputs.push_back(createEmptyTensor(desc.shape, DataType::BFloat16));
        std::memset(inputs.back().data.get(), 0,
                    2 * std::size_t(desc.shape[0]) *
                        (desc.shape.size() > 1 ? desc.shape[1] : 1));
      }
      submit(device, binary, 0, inputs);
    } catch (const Error &) {
    }
  }
  setHostMemoryLimit(0);
  closeDevice(device);
}
