#include "ttmlir-c/Tools.h"
#include "ttmlir/Version.h"

#ifdef TTMLIR_HAS_CLOCK
#include "tt/runtime/clock.h"

static constexpr TTMLIRBinaryClock runtimeClock = tt::runtime::modelledCycles;
#else
static constexpr TTMLIRBinaryClock runtimeClock = nullptr;
#endif

int main(int argc, char **argv) {
  return ttmlirRunTool(argc, argv,
                       "ttmlir " TTMLIR_VERSION " (" TTMLIR_GIT_HASH ")",
                       runtimeClock);
}
