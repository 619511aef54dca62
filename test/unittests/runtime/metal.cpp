// TTMetal programs through the public API: buffers, queues, events, errors.
#include "metal_support.h"

#include "tt/runtime/fault.h"
#include "tt/runtime/utils.h"

#include "testing/testing.h"

#include <cstring>
#include <random>

using namespace tt::runtime;
using namespace tt::runtime::test;
using target::DataType;

namespace {

const Place kRows = {target::MemorySpace::DeviceDRAM,
                     target::TensorMemoryLayout::Interleaved, false};
const Place kTiles = {};
const Place kShards = {target::MemorySpace::DeviceL1,
                       target::TensorMemoryLayout::None, true, 2, 2};

constexpr std::uint64_t kAddress = 1 << 16;

std::vector<std::uint8_t> bytesOf(const std::vector<float> &values) {
  std::vector<std::uint8_t> bytes(values.size() * 4);
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::vector<float> ramp(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = float(i) - 100;
  return values;
}

/// The message of the error that `body` throws.
template <typename Body> std::string messageOf(const Body &body) {
  try {
    body();
  } catch (const Error &error) {
    return error.what();
  }
  return "no error";
}

class Metal : public ::testing::Test {
protected:
  void TearDown() override { closeDevice(device); }
  Device device = openDevice({0});
  MetalBuilder b;
};

} // namespace

TEST_F(Metal, InputsAreWrittenAndOutputsRead) {
  for (const Place &place : {kRows, kTiles, kShards}) {
    MetalBuilder builder;
    auto tensor = builder.at(1, kAddress, 64, 96, DataType::Float32, place);
    const Binary binary = builder.binary({tensor}, {tensor}, {{}});
    EXPECT_EQ(binary.getFileIdentifier(), "TTM0");
    EXPECT_EQ(binary.getProgramName(0), "main");
    EXPECT_EQ(binary.getProgramInputs(0)[0].shape,
              (std::vector<std::uint32_t>{64, 96}));
    const auto input = ramp(64 * 96);
    EXPECT_EQ(values(submit(device, binary, 0, {hostTensor(input, 64, 96)})[0],
                     input.size()),
              input);
    Tensor output = createEmptyTensor({64, 96}, DataType::Float32);
    wait(submit(device, binary, 0, {hostTensor(input, 64, 96)}, {output}));
    EXPECT_EQ(values(output, input.size()), input);
  }
}

TEST_F(Metal, ConstantsPassThroughTheDevice) {
  const auto constant = ramp(33 * 40);
  auto source = b.at(1, 0, 33, 40, DataType::Float32, kHost, bytesOf(constant));
  auto middle = b.at(2, kAddress, 33, 40, DataType::Float32, kTiles);
  auto result = b.at(3, 0, 33, 40, DataType::Float32, kHost);
  const Binary binary =
      b.binary({}, {result},
               {{b.create(middle), b.write(source, middle),
                 b.read(middle, result), b.deallocate(middle)}});
  for (int run = 0; run < 2; ++run)
    EXPECT_EQ(values(submit(device, binary, 0, {})[0], constant.size()),
              constant);
}

TEST_F(Metal, QueuesMeetAtEvents) {
  const auto constant = ramp(32 * 32);
  auto source = b.at(1, 0, 32, 32, DataType::Float32, kHost, bytesOf(constant));
  auto middle = b.at(2, kAddress, 32, 32, DataType::Float32, kTiles);
  auto result = b.at(3, 0, 32, 32, DataType::Float32, kHost);
  // The first queue reads what the second writes.
  const Binary binary =
      b.binary({}, {result},
               {{b.createEvent(7), b.await(7), b.read(middle, result)},
                {b.create(middle), b.write(source, middle), b.record(7)}});
  EXPECT_EQ(values(submit(device, binary, 0, {})[0], constant.size()),
            constant);
}

TEST_F(Metal, QueuesThatWaitForEachOtherAreReported) {
  const Binary binary =
      b.binary({}, {},
               {{b.createEvent(1), b.createEvent(2), b.await(1), b.record(2)},
                {b.await(2), b.record(1)},
                {b.createEvent(3), b.await(3)}});
  try {
    submit(device, binary, 0, {});
    FAIL() << "expected a deadlock";
  } catch (const DeadlockFault &fault) {
    ASSERT_EQ(fault.waiters().size(), 3u);
    EXPECT_EQ(fault.waiters()[0].place.thread, "queue 'queue0'");
    EXPECT_EQ(fault.waiters()[0].waitsFor, "event 1");
    EXPECT_EQ(fault.waiters()[0].suppliers,
              std::vector<std::string>{"command 1 of queue 'queue1'"});
    EXPECT_TRUE(fault.waiters()[2].suppliers.empty());
    EXPECT_NE(std::string(fault.what())
                  .find("waits for event 3, which no command records"),
              std::string::npos)
        << fault.what();
  }
}

TEST_F(Metal, BuffersDoNotOverlap) {
  auto first = b.at(1, kAddress, 32, 32, DataType::Float32, kTiles);
  auto second = b.at(2, kAddress + 4064, 32, 32, DataType::Float32, kTiles);
  const Binary binary = b.binary({}, {}, {{b.create(first), b.create(second)}});
  EXPECT_EQ(messageOf([&] { submit(device, binary, 0, {}); }),
            "program 'main', queue 'queue0', command 1 (create_buffer): DRAM: "
            "expected free memory for tensor 2 (32x32 f32, dram interleaved "
            "tile) [69600, 73696), found tensor 1 (32x32 f32, dram interleaved "
            "tile) [65536, 69632)");
}

TEST_F(Metal, DeadBuffersAreNotUsed) {
  auto tensor = b.at(1, kAddress, 32, 32, DataType::Float32, kTiles);
  auto result = b.at(2, 0, 32, 32, DataType::Float32, kHost);
  const Binary late = b.binary(
      {}, {result},
      {{b.create(tensor), b.deallocate(tensor), b.read(tensor, result)}});
  EXPECT_EQ(messageOf([&] { submit(device, late, 0, {}); }),
            "program 'main', queue 'queue0', command 2 (enqueue_read_buffer): "
            "tensor 1 (32x32 f32, dram interleaved tile) is used after it was "
            "deallocated");
  MetalBuilder other;
  tensor = other.at(1, kAddress, 32, 32, DataType::Float32, kTiles);
  result = other.at(2, 0, 32, 32, DataType::Float32, kHost);
  const Binary early =
      other.binary({}, {result}, {{other.read(tensor, result)}});
  EXPECT_EQ(messageOf([&] { submit(device, early, 0, {}); }),
            "program 'main', queue 'queue0', command 0 (enqueue_read_buffer): "
            "tensor 1 (32x32 f32, dram interleaved tile) is used before any "
            "command creates it");
}

TEST_F(Metal, HostTensorsThatNothingWroteAreNotReturned) {
  auto result = b.at(1, 0, 64, 128, DataType::Float32, kHost);
  const Binary binary = b.binary({}, {result}, {{b.create(result)}});
  EXPECT_EQ(messageOf([&] { submit(device, binary, 0, {}); }),
            "program 'main', output 0: tensor 1 (64x128 f32, host row_major) "
            "was never written");
  MetalBuilder other;
  auto source = other.at(1, 0, 64, 128, DataType::Float32, kHost);
  auto middle = other.at(2, kAddress, 64, 128, DataType::Float32, kTiles);
  const Binary passed =
      other.binary({}, {source, middle},
                   {{other.create(source), other.create(middle),
                     other.write(source, middle)}});
  EXPECT_EQ(messageOf([&] { submit(device, passed, 0, {}); }),
            "program 'main', queue 'queue0', command 2 (enqueue_write_buffer): "
            "tensor 1 (64x128 f32, host row_major) was never written");
}

TEST_F(Metal, MalformedFilesAreRefused) {
  const auto load = [](const auto &fill) {
    return messageOf([&] {
      MetalBuilder builder;
      fill(builder);
    });
  };
  EXPECT_EQ(load([](MetalBuilder &b) { b.binary({}, {}, {{b.record(4)}}); }),
            "memory: program 0 'main': event 4 is used, and no command creates "
            "it");
  EXPECT_EQ(load([](MetalBuilder &b) {
              b.binary({}, {}, {{b.createEvent(4), b.createEvent(4)}});
            }),
            "memory: program 0 'main': queue 'queue0', command 1 "
            "(create_event): event 4 is created twice");
  EXPECT_EQ(
      load([](MetalBuilder &b) {
        // In DRAM it is where the caller has it.
        auto tensor = b.at(1, 0, 64, 64, DataType::Float32, kShards);
        b.binary({tensor}, {}, {});
      }),
      "memory: program 0 'main': tensor 1 in field inputs: expected an "
      "address from 1 and a size, both to 1099511627776, found address 0, "
      "size 0");
  EXPECT_EQ(load([](MetalBuilder &b) {
              auto tensor = b.at(1, 0, 32, 32, DataType::Float32, kHost, {1});
              auto device = b.at(2, 64, 32, 32, DataType::Float32, kTiles);
              b.binary({}, {}, {{b.write(tensor, device)}});
            }),
            "memory: program 0 'main': queue 'queue0', command 0 "
            "(enqueue_write_buffer): expected constant_data of 4096 bytes for "
            "32x32 f32, host row_major, found 1");
}

TEST_F(Metal, TensorsServeBothRuntimes) {
  Builder ttnn;
  const Binary neg = ttnn.unaryProgram(fb::EltwiseOpType::Neg, 64, 64,
                                       DataType::Float32, kTiles);
  auto tensor = b.at(1, kAddress, 64, 64, DataType::Float32, kShards);
  const Binary identity = b.binary({tensor}, {tensor}, {{}});
  const auto input = ramp(64 * 64);
  const DeviceRuntime before = getCurrentRuntime();
  setCompatibleRuntime(identity);
  EXPECT_EQ(getCurrentRuntime(), DeviceRuntime::TTMetal);
  Tensor first = submit(device, identity, 0, {hostTensor(input, 64, 64)})[0];
  Tensor second = submit(device, neg, 0, {first})[0];
  ASSERT_TRUE(isOnDevice(second));
  Device other = openDevice({0});
  Tensor third = submit(other, identity, 0, {second})[0];
  const auto found = values(third, input.size());
  for (std::size_t i = 0; i < input.size(); ++i)
    ASSERT_EQ(found[i], -input[i]);
  closeDevice(other);
  setCurrentRuntime(before);
}

TEST_F(Metal, ReportsCountBytes) {
  auto input = b.at(1, kAddress, 64, 64, DataType::Float32, kTiles);
  const Binary binary = b.binary({input}, {input}, {{}});
  enableReport(device, true);
  submit(device, binary, 0, {hostTensor(ramp(64 * 64), 64, 64)});
  const Report report = getReport(device);
  ASSERT_EQ(report.ops.size(), 2u);
  EXPECT_EQ(report.ops[0].name, "write_input");
  EXPECT_EQ(report.ops[0].hostBytes, 64u * 64 * 4);
  EXPECT_EQ(report.ops[0].dramWriteBytes, 64u * 64 * 4);
  EXPECT_EQ(report.ops[1].name, "read_output");
  EXPECT_EQ(report.ops[1].dramReadBytes, 64u * 64 * 4);
  EXPECT_EQ(report.dramHighWater, 4096u); // a tile in each of four channels
}

TEST_F(Metal, MutationsEndInAnErrorOrARun) {
  const auto constant = ramp(4 * 7);
  auto source = b.at(1, 0, 4, 7, DataType::Float32, kHost, bytesOf(constant));
  auto middle = b.at(2, kAddress, 4, 7, DataType::Float32, kShards);
  auto result = b.at(3, 0, 4, 7, DataType::Float32, kHost);
  const std::string bytes =
      b.file({}, {result},
             {{b.createEvent(7), b.await(7), b.read(middle, result)},
              {b.create(middle), b.write(source, middle), b.record(7)}});
  std::mt19937 random(1);
  setHostMemoryLimit(1 << 28);
  int runs = 0;
  for (int i = 0; i < 10000; ++i) {
    std::string mutated = bytes;
    mutated[random() % mutated.size()] ^= char(1u << random() % 8);
    try {
      const Binary binary =
          Binary::loadFromMemory(mutated.data(), mutated.size());
      binary.asJson();
      for (Tensor output : submit(device, binary, 0, {}))
        toHost(output);
      ++runs;
    } catch (const Error &) {
    }
  }
  EXPECT_GT(runs, 1000);
  setHostMemoryLimit(0);
}
