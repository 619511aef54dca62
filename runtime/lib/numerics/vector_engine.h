// The vector engine of a chip in exact numerics: its arithmetic and its
// programs, bit for bit. The programs are in isa/vector_programs.h and
// isa/vector_functions.h.
//
// A program reads destination registers and writes results that are not yet in
// the width of the destination: the store truncates them (see
// tensix::finish). Programs for destinations of 16 bits round to bf16 first,
// except for the approximate ones, and those of one instruction.
//
// Functions without a published program are those of eltwise.h, rounded to bf16
// for destinations of bf16 unless they are exact.
#ifndef TT_RUNTIME_NUMERICS_VECTOR_ENGINE_H
#define TT_RUNTIME_NUMERICS_VECTOR_ENGINE_H

#include "numerics/eltwise.h"

#include <cstdint>

namespace tt::runtime::numerics {

struct VectorMode {
  bool wormhole = true; // else Blackhole
  bool wide = false;    // destination registers of 32 bits
  bool approx = false;  // the approximate program, where there is one
  bool half = false;    // destination registers of f16
};

/// Whether the chip has a published program for it.
bool hasProgram(UnaryOp op);
bool hasProgram(BinaryOp op);

/// out[i] = op(in[i]); `out` may be `in`. `count` is a multiple of 128.
void vectorUnary(VectorMode mode, UnaryOp op, const float *in, float *out,
                 int64_t count, UnaryParams params = {});

/// out[i] = op(a[i], b[i]); `out` may be `a` or `b`. `count` is a multiple of
/// 128.
void vectorBinary(VectorMode mode, BinaryOp op, const float *a, const float *b,
                  float *out, int64_t count);

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_VECTOR_ENGINE_H
