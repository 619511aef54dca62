// RUN: ttmlir-opt --split-input-file --verify-diagnostics --allow-unregistered-dialect %s
// Ops that break one rule each.
#l1_ = #tt.memory_space<l1>
"test.region"() ({
^bb0(%cb_in0: !ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %cb_in1: !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %cb_out0: !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %sc_in: !ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, %sc_out: !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>, %i: i32):
  // expected-error@+1 {{CBWaitFrontOp must be inside of a DispatchOp region: expected 'ttmetal.dispatch' or a 'func.func' of a module around it, found 'test.region'}}
  "ttkernel.cb_wait_front"(%cb_in0, %i) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
}) : () -> ()
// -----
#l1_ = #tt.memory_space<l1>
"test.region"() ({
^bb0(%cb_in0: !ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %cb_in1: !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %cb_out0: !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %sc_in: !ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, %sc_out: !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>, %i: i32):
  // expected-error@+1 {{CBPopFrontOp must be inside of a DispatchOp region: expected 'ttmetal.dispatch' or a 'func.func' of a module around it, found 'test.region'}}
  "ttkernel.cb_pop_front"(%cb_in0, %i) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
}) : () -> ()
// -----
#l1_ = #tt.memory_space<l1>
"test.region"() ({
^bb0(%cb_in0: !ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %cb_in1: !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %cb_out0: !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %sc_in: !ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, %sc_out: !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>, %i: i32):
  // expected-error@+1 {{CBReserveBackOp must be inside of a DispatchOp region: expected 'ttmetal.dispatch' or a 'func.func' of a module around it, found 'test.region'}}
  "ttkernel.cb_reserve_back"(%cb_out0, %i) : (!ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
}) : () -> ()
// -----
#l1_ = #tt.memory_space<l1>
"test.region"() ({
^bb0(%cb_in0: !ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %cb_in1: !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %cb_out0: !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %sc_in: !ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, %sc_out: !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>, %i: i32):
  // expected-error@+1 {{CBPushBackOp must be inside of a DispatchOp region: expected 'ttmetal.dispatch' or a 'func.func' of a module around it, found 'test.region'}}
  "ttkernel.cb_push_back"(%cb_out0, %i) : (!ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
}) : () -> ()
// -----
#l1_ = #tt.memory_space<l1>
"test.region"() ({
^bb0(%cb_in0: !ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %cb_in1: !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %cb_out0: !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %sc_in: !ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, %sc_out: !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>, %i: i32):
  // expected-error@+1 {{TilizeInitOp must be inside of a DispatchOp region: expected 'ttmetal.dispatch' or a 'func.func' of a module around it, found 'test.region'}}
  "ttkernel.tilize_init"(%sc_in, %i, %cb_out0) : (!ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, i32, !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
}) : () -> ()
// -----
#l1_ = #tt.memory_space<l1>
"test.region"() ({
^bb0(%cb_in0: !ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %cb_in1: !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %cb_out0: !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %sc_in: !ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, %sc_out: !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>, %i: i32):
  // expected-error@+1 {{UntilizeInitOp must be inside of a DispatchOp region: expected 'ttmetal.dispatch' or a 'func.func' of a module around it, found 'test.region'}}
  "ttkernel.untilize_init"(%cb_in0, %sc_out) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>) -> ()
}) : () -> ()
// -----
#l1_ = #tt.memory_space<l1>
"test.region"() ({
^bb0(%cb_in0: !ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %cb_in1: !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %cb_out0: !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %sc_in: !ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, %sc_out: !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>, %i: i32):
  // expected-error@+1 {{TilizeBlockOp must be inside of a DispatchOp region: expected 'ttmetal.dispatch' or a 'func.func' of a module around it, found 'test.region'}}
  "ttkernel.tilize_block"(%sc_in, %i, %cb_out0) : (!ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, i32, !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
}) : () -> ()
// -----
#l1_ = #tt.memory_space<l1>
"test.region"() ({
^bb0(%cb_in0: !ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %cb_in1: !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %cb_out0: !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %sc_in: !ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, %sc_out: !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>, %i: i32):
  // expected-error@+1 {{UntilizeBlockOp must be inside of a DispatchOp region: expected 'ttmetal.dispatch' or a 'func.func' of a module around it, found 'test.region'}}
  "ttkernel.untilize_block"(%cb_in0, %i, %sc_out) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32, !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>) -> ()
}) : () -> ()
// -----
#l1_ = #tt.memory_space<l1>
"test.region"() ({
^bb0(%cb_in0: !ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %cb_in1: !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %cb_out0: !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %sc_in: !ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, %sc_out: !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>, %i: i32):
  // expected-error@+1 {{KernelOp must be inside of a DispatchOp region: expected 'ttmetal.dispatch' or a 'func.func' of a module around it, found 'test.region'}}
  "ttkernel.builtin"() <{kind = @eltwise, op = @multiply}> : () -> ()
}) : () -> ()
// -----
#l1_ = #tt.memory_space<l1>
"test.region"() ({
^bb0(%cb_in0: !ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %cb_in1: !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %cb_out0: !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %sc_in: !ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, %sc_out: !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>, %i: i32):
  // expected-error@+1 {{ReturnOp must be inside of a DispatchOp region: expected 'ttmetal.dispatch' or a 'func.func' of a module around it, found 'test.region'}}
  "ttkernel.return"() : () -> ()
}) : () -> ()
// -----
#l1_ = #tt.memory_space<l1>
func.func @tilize_init(%in: !ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, %out: !ttkernel.cb<cb_in0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %i: i32) {
  // expected-error@+1 {{Input circular buffer port and output circular buffer port must be different: found cb_in0 for both}}
  "ttkernel.tilize_init"(%in, %i, %out) : (!ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, i32, !ttkernel.cb<cb_in0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
  "ttkernel.return"() : () -> ()
}
// -----
#l1_ = #tt.memory_space<l1>
func.func @tilize_init(%in: !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %out: !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %i: i32) {
  // expected-error@+1 {{circular buffer cb_in1 of TilizeInitOp must have scalar element type: found '!tt.tile<32x32, f32>'}}
  "ttkernel.tilize_init"(%in, %i, %out) : (!ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32, !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
  "ttkernel.return"() : () -> ()
}
// -----
#l1_ = #tt.memory_space<l1>
func.func @tilize_init(%in: !ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, %out: !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>, %i: i32) {
  // expected-error@+1 {{circular buffer cb_out0 of TilizeInitOp must have tile element type: found 'f32'}}
  "ttkernel.tilize_init"(%in, %i, %out) : (!ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, i32, !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>) -> ()
  "ttkernel.return"() : () -> ()
}
// -----
#l1_ = #tt.memory_space<l1>
func.func @untilize_init(%in: !ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %out: !ttkernel.cb<cb_in0, 66560, memref<64x128xf32, #l1_>, 512, 1>, %i: i32) {
  // expected-error@+1 {{Input circular buffer port and output circular buffer port must be different: found cb_in0 for both}}
  "ttkernel.untilize_init"(%in, %out) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, !ttkernel.cb<cb_in0, 66560, memref<64x128xf32, #l1_>, 512, 1>) -> ()
  "ttkernel.return"() : () -> ()
}
// -----
#l1_ = #tt.memory_space<l1>
func.func @untilize_init(%in: !ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, %out: !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>, %i: i32) {
  // expected-error@+1 {{circular buffer cb_in0 of UntilizeInitOp must have tile element type: found 'f32'}}
  "ttkernel.untilize_init"(%in, %out) : (!ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>) -> ()
  "ttkernel.return"() : () -> ()
}
// -----
#l1_ = #tt.memory_space<l1>
func.func @untilize_init(%in: !ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %out: !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %i: i32) {
  // expected-error@+1 {{circular buffer cb_out0 of UntilizeInitOp must have scalar element type: found '!tt.tile<32x32, f32>'}}
  "ttkernel.untilize_init"(%in, %out) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
  "ttkernel.return"() : () -> ()
}
// -----
#l1_ = #tt.memory_space<l1>
func.func @tilize_block(%in: !ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, %out: !ttkernel.cb<cb_in0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %i: i32) {
  // expected-error@+1 {{Input circular buffer port and output circular buffer port must be different: found cb_in0 for both}}
  "ttkernel.tilize_block"(%in, %i, %out) : (!ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, i32, !ttkernel.cb<cb_in0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
  "ttkernel.return"() : () -> ()
}
// -----
#l1_ = #tt.memory_space<l1>
func.func @tilize_block(%in: !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %out: !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %i: i32) {
  // expected-error@+1 {{circular buffer cb_in1 of TilizeBlockOp must have scalar element type: found '!tt.tile<32x32, f32>'}}
  "ttkernel.tilize_block"(%in, %i, %out) : (!ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32, !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
  "ttkernel.return"() : () -> ()
}
// -----
#l1_ = #tt.memory_space<l1>
func.func @tilize_block(%in: !ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, %out: !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>, %i: i32) {
  // expected-error@+1 {{circular buffer cb_out0 of TilizeBlockOp must have tile element type: found 'f32'}}
  "ttkernel.tilize_block"(%in, %i, %out) : (!ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, i32, !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>) -> ()
  "ttkernel.return"() : () -> ()
}
// -----
#l1_ = #tt.memory_space<l1>
func.func @untilize_block(%in: !ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %out: !ttkernel.cb<cb_in0, 66560, memref<64x128xf32, #l1_>, 512, 1>, %i: i32) {
  // expected-error@+1 {{Input circular buffer port and output circular buffer port must be different: found cb_in0 for both}}
  "ttkernel.untilize_block"(%in, %i, %out) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32, !ttkernel.cb<cb_in0, 66560, memref<64x128xf32, #l1_>, 512, 1>) -> ()
  "ttkernel.return"() : () -> ()
}
// -----
#l1_ = #tt.memory_space<l1>
func.func @untilize_block(%in: !ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, %out: !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>, %i: i32) {
  // expected-error@+1 {{circular buffer cb_in0 of UntilizeBlockOp must have tile element type: found 'f32'}}
  "ttkernel.untilize_block"(%in, %i, %out) : (!ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, i32, !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>) -> ()
  "ttkernel.return"() : () -> ()
}
// -----
#l1_ = #tt.memory_space<l1>
func.func @untilize_block(%in: !ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %out: !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %i: i32) {
  // expected-error@+1 {{circular buffer cb_out0 of UntilizeBlockOp must have scalar element type: found '!tt.tile<32x32, f32>'}}
  "ttkernel.untilize_block"(%in, %i, %out) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32, !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
  "ttkernel.return"() : () -> ()
}

// -----

func.func @bytes(%i: i32) {
  // expected-error@+1 {{expected numbers of 1, 2 or 4 bytes, found 3}}
  %0 = "ttkernel.load_from_l1"(%i) <{bytes = 3 : i32}> : (i32) -> i32
  return
}

// -----

func.func @format(%i: i32) {
  // expected-error@+1 {{expected a {} in the text for each of the 1 values, found 2}}
  "ttkernel.dprint"(%i) <{fmt = "{} of {}"}> : (i32) -> ()
  return
}

// -----

func.func @compile_time_arg() {
  // expected-error@+1 {{expected an arg_index that is not negative, found -1}}
  %0 = "ttkernel.get_compile_time_arg_val"() <{arg_index = -1 : i32}> : () -> i32
  return
}
