//===- All instructions of kernels ---------------------------------------===//
//
// Grouped by what they work on; InstructionBase.td says what each has. An opcode
// is the number in files: a new one is the next.

#ifndef TTMLIR_TTKERNEL_INSTRUCTIONS_TD
#define TTMLIR_TTKERNEL_INSTRUCTIONS_TD

include "dialects/TTKernel/ControlInstructions.td"
include "dialects/TTKernel/DataInstructions.td"
include "dialects/TTKernel/DestinationInstructions.td"
include "dialects/TTKernel/RegisterInstructions.td"
include "dialects/TTKernel/TileInstructions.td"
include "dialects/TTKernel/VectorInstructions.td"

#endif
