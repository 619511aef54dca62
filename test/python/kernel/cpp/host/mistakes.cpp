// Host programs with a mistake: `mistakes <name>`.
#include "common.h"

#include <cstdlib>
#include <string>

namespace {

const char *kKernels[][2] = {
    {"fault", "void kernel_main() {\n"
              "  cb_reserve_back(0, 1);\n"
              "  cb_push_back(0, 2); // more than was reserved\n"
              "}\n"},
    {"assertion", "#include \"api/debug/assert.h\"\n"
                  "void kernel_main() {\n"
                  "  ASSERT(get_arg_val<uint32_t>(0) == 8);\n"
                  "}\n"},
    {"division", "void kernel_main() {\n"
                 "  volatile uint32_t zero = get_arg_val<uint32_t>(0) - 7;\n"
                 "  volatile uint32_t result = 8 / zero;\n"
                 "}\n"},
    {"endless", "void kernel_main() {\n"
                "  volatile uint32_t i = 0;\n"
                "  while (true)\n"
                "    i = i + 1;\n"
                "}\n"},
    {"text", "void kernel_main() {\n"
             "  cb_reserve_front(0, 1);\n"
             "}\n"},
    {"core", "void kernel_main() {}\n"},
    {"waits", "void kernel_main() {\n"
              "  cb_wait_front(0, 1);\n"
              "}\n"},
};

} // namespace

int main(int argc, char **argv) {
  TT_FATAL(argc == 2, "expected the name of a mistake, found {} arguments",
           argc - 1);
  const std::string name = argv[1];
  constexpr CoreCoord core = {0, 0};
  Device *device = CreateDevice(0);
  ttmlir::set_options(*device, {.step_limit = 10000});
  Program program = CreateProgram();
  if (name == "device")
    CreateDevice(7);
  if (name == "path")
    CreateKernel(program, "no/such.cpp", core, DataMovementConfig{});
  if (name == "memory")
    CreateBuffer(InterleavedBufferConfig{
        .device = device, .size = 1ull << 36, .page_size = 2048});
  if (name == "size") {
    const auto buffer = CreateBuffer(InterleavedBufferConfig{
        .device = device, .size = 4096, .page_size = 2048});
    detail::WriteToBuffer(buffer, std::vector<std::uint32_t>(1025));
  }
  if (name == "page")
    CircularBufferConfig(250, {{CBIndex::c_1, DataFormat::Float16_b}})
        .set_page_size(CBIndex::c_1, 100);
  if (name == "thrown")
    throw 3;
  if (name == "crash")
    *reinterpret_cast<volatile int *>(std::strlen(argv[1])) = 1;
  circular(program, core, CBIndex::c_0, 2);
  for (const auto &[mistake, text] : kKernels)
    if (name == mistake) {
      const KernelHandle kernel = CreateKernelFromString(
          program, std::string("#include \"dataflow_api.h\"\n") + text, core,
          DataMovementConfig{});
      if (name == "core")
        SetRuntimeArgs(program, kernel, CoreCoord(1, 0), {7});
      SetRuntimeArgs(program, kernel, core, {7});
    }
  EnqueueProgram(device->command_queue(), program, true);
  return 0;
}
