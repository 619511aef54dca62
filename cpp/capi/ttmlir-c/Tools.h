#ifndef TTMLIR_C_TOOLS_H
#define TTMLIR_C_TOOLS_H

#include "ttmlir-c/Clock.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Runs ttmlir-opt, ttmlir-translate or ttmlir-lsp-server, and returns its exit
/// status. `argv[0]` names the tool; if it is none of them, `argv[1]` does.
/// `version` is the first part of what `--version` prints. `clock` may be null.
MLIR_CAPI_EXPORTED int ttmlirRunTool(int argc, char **argv, const char *version,
                                     TTMLIRBinaryClock clock);

#ifdef __cplusplus
}
#endif

#endif
