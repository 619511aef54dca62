// RUN: ttmlir-opt --convert-ttkernel-to-emitc --split-input-file --verify-diagnostics %s
// Functions that are no kernels, and ops that have no C++ form.
// expected-error@+1 {{is no kernel: expected arguments of type !ttkernel.cb, found 'i32'}}
func.func @argument(%i: i32) {
  return
}

// -----

// expected-error@+1 {{is no kernel: expected no results, found 'i32'}}
func.func @result() -> i32 {
  %i = arith.constant 0 : i32
  return %i : i32
}

// -----

func.func @op() {
  // expected-error@+1 {{'tensor.empty' op has no C++ of a kernel: expected ttkernel ops, ops of arith, local arrays of memref, and scf or cf}}
  %0 = tensor.empty() : tensor<4xf32>
  return
}

// -----

func.func @unsigned_loop() {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  // expected-error@+1 {{'scf.for' op has no C++ of a kernel: expected a signed comparison, found 'unsigned'}}
  scf.for unsigned %i = %c0 to %c8 step %c1 : i32 {
  }
  return
}
