// Lines of the kernel library are removed from the assembly of kernels.
#include "kernels/own_lines.h"

#include "testing/testing.h"

namespace tt::runtime::kernels {
namespace {

constexpr const char *kHeaders = "/usr/lib/ttmlir/include/kernel_api";

TEST(OwnLines, CodeOfInlinedFunctionsIsOfTheCall) {
  const std::string text = "\t.file 1 \"/work\" \"kernel.cpp\"\n"
                           "\t.file 2 \"/moved/kernel_api/ttk/core.h\"\n"
                           "\t.file 12 \"/usr/include/c++/12/array\"\n"
                           "\t.cfi_startproc\n"
                           "\t.loc 1 3 1 is_stmt 1\n"
                           "\tnop\n"
                           "\t.loc 2 40 1\n"
                           "\tcall *%rax\n"
                           "\t.loc 12 7 1\n"
                           "\t.loc 1 4 1\n"
                           "\tret\n";
  const std::string expected = "\t.file 1 \"/work\" \"kernel.cpp\"\n"
                               "\t.file 2 \"/moved/kernel_api/ttk/core.h\"\n"
                               "\t.file 12 \"/usr/include/c++/12/array\"\n"
                               "\t.cfi_startproc\n"
                               "\t.loc 1 3 1 is_stmt 1\n"
                               "\tnop\n"
                               "\tcall *%rax\n"
                               "\t.loc 1 4 1\n"
                               "\tret\n";
  EXPECT_EQ(keepOwnLines(text, kHeaders), expected);
}

TEST(OwnLines, FunctionsOfTheLibraryKeepTheirLines) {
  const std::string text = "\t.file 1 \"kernel.cpp\"\n"
                           "\t.file 2 \"/moved/kernel_api/ttk/core.h\"\n"
                           "\t.cfi_startproc\n"
                           "\t.loc 1 3 1\n"
                           "\tret\n"
                           "\t.cfi_startproc\n"
                           "\t.loc 2 40 1\n"
                           "\tret";
  EXPECT_EQ(keepOwnLines(text, kHeaders), text);
}

TEST(OwnLines, InlinedFunctionsBecomeBlocks) {
  const std::string text = "\t.section\t.debug_info\n"
                           "\t.uleb128 0x1d\n"
                           "\t.byte\t0x1\n"
                           "\t.section\t.debug_abbrev\n"
                           "\t.uleb128 0x1d\n"
                           "\t.byte\t0x1\n"
                           "\t.uleb128 0x1d\n"
                           "\t.uleb128 0x13\n";
  const std::string expected = "\t.section\t.debug_info\n"
                               "\t.uleb128 0x1d\n"
                               "\t.byte\t0x1\n"
                               "\t.section\t.debug_abbrev\n"
                               "\t.uleb128 0xb\n"
                               "\t.byte\t0x1\n"
                               "\t.uleb128 0x1d\n"
                               "\t.uleb128 0x13\n";
  EXPECT_EQ(keepOwnLines(text, kHeaders), expected);
}

} // namespace
} // namespace tt::runtime::kernels
