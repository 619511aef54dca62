#include "TestSupport.h"

#include "target/SystemDesc/SystemDesc.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::test;

namespace {

struct SystemDescTest : public TTTest {
  std::string serialize(SystemDescAttr systemDesc) {
    std::string buffer;
    llvm::raw_string_ostream os(buffer);
    writeSystemDesc(systemDesc, "test", os);
    return buffer;
  }
  FailureOr<SystemDescAttr> parse(StringRef buffer) {
    error.clear();
    return parseSystemDesc(emitError(), &context, buffer, "test.ttsys");
  }
};

TEST_F(SystemDescTest, NamedSystemsSurviveTheFile) {
  for (StringRef name : SystemDescAttr::getNames()) {
    SystemDescAttr systemDesc = SystemDescAttr::getNamed(&context, name);
    ASSERT_TRUE(systemDesc) << name.str();
    FailureOr<SystemDescAttr> read = parse(serialize(systemDesc));
    ASSERT_TRUE(succeeded(read)) << error;
    EXPECT_EQ(*read, systemDesc);
  }
  EXPECT_FALSE(SystemDescAttr::getNamed(&context, "n9"));
  EXPECT_EQ(SystemDescAttr::getDefault(&context),
            SystemDescAttr::getNamed(&context, "n150"));
}

TEST_F(SystemDescTest, AlignmentAndUsableBytes) {
  SystemDescAttr systemDesc = SystemDescAttr::getDefault(&context);
  EXPECT_EQ(systemDesc.getAddressAlignBytes(), 32u);
  EXPECT_EQ(systemDesc.getAddressAlignBytes(MemorySpace::DeviceL1), 16u);
  EXPECT_EQ(systemDesc.getAddressAlignBytes(MemorySpace::DeviceDRAM), 32u);
  EXPECT_EQ(systemDesc.getAddressAlignBytes(MemorySpace::SystemMMIO), 32u);
  EXPECT_EQ(systemDesc.getAddressAlignBytes(MemorySpace::System), 1u);
  EXPECT_EQ(systemDesc.getChipDesc().getUsableL1Size(), 1498112u);
  EXPECT_EQ(systemDesc.getChipDesc().getUsableDramChannelSize(), 1073740800u);
}

TEST_F(SystemDescTest, EveryTruncationIsAnError) {
  std::string buffer = serialize(SystemDescAttr::getDefault(&context));
  for (size_t size = 0; size < buffer.size(); ++size) {
    EXPECT_TRUE(failed(parse(StringRef(buffer).take_front(size))));
    EXPECT_NE(error.find("system description 'test.ttsys': expected"),
              std::string::npos);
  }
}

/// A changed file is refused with a message or read; it never ends the process.
TEST_F(SystemDescTest, MutationsAreReadOrRefused) {
  std::string original = serialize(SystemDescAttr::getNamed(&context, "n300"));
  for (int round = 0; round < 10000; ++round) {
    std::string buffer = original;
    for (int64_t flips = uniform(1, 4); flips > 0; --flips)
      buffer[uniform(0, buffer.size() - 1)] ^= char(1 << uniform(0, 7));
    FailureOr<SystemDescAttr> read = parse(buffer);
    EXPECT_EQ(failed(read), !error.empty());
  }
}

} // namespace
