#include "ttmlir-c/Clock.h"

#include "target/Clock/Clock.h"

#include "mlir/CAPI/IR.h"

void ttmlirContextAttachClock(MlirContext context, TTMLIRBinaryClock clock) {
  mlir::tt::attachClock(*unwrap(context), clock);
}
