// The headers that C++ of programs includes name every number format of the
// table, with its number in files.
#include "ttkernel-declarations.h"
#include "ttmlir/Target/Common/formats.h"

#include "testing/testing.h"

namespace {

#define COUNT(Enumerator, NAME, LIBRARY, Kernel) +1
#define NUMBER(Enumerator, NAME, LIBRARY, Kernel) unsigned(DataFormat::Kernel),
TEST(FormatNames, DataFormatsOfKernels) {
  const unsigned numbers[] = {TTMLIR_FORMATS(NUMBER)};
  static_assert(ttmlir::formats::kNumFormats == 0 TTMLIR_FORMATS(COUNT));
  for (unsigned i = 0; i < ttmlir::formats::kNumFormats; ++i)
    EXPECT_EQ(numbers[i], i) << ttmlir::formats::kFormats[i].name;
}

} // namespace
