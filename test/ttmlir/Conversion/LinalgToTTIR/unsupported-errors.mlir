// RUN: ttmlir-opt --convert-linalg-to-ttir --split-input-file --verify-diagnostics %s
// What TTIR cannot express is one error at the op.

func.func @no_initial_value(%a: tensor<4x8xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @+1 {{'linalg.reduce' op cannot be expressed in TTIR: expected an initial value, found tensor.empty}}
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<4x8xf32>) outs(%e : tensor<4xf32>) dimensions = [1]
  return %0 : tensor<4xf32>
}

// -----

func.func @other_reduction(%a: tensor<4x8xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'linalg.reduce' op cannot be expressed in TTIR: expected a reduction by a sum, product, maximum or minimum with one result}}
  %0 = linalg.reduce { arith.subf } ins(%a : tensor<4x8xf32>) outs(%c : tensor<4xf32>) dimensions = [1]
  return %0 : tensor<4xf32>
}

// -----

func.func @body_op(%a: tensor<8xi32>) -> tensor<8xi32> {
  %e = tensor.empty() : tensor<8xi32>
  %0 = linalg.map { math.cttz } ins(%a : tensor<8xi32>) outs(%e : tensor<8xi32>)
  // expected-error-re @-1 {{'math.cttz' op cannot be expressed in TTIR: expected one of math.absf, {{.*}}, math.trunc}}
  return %0 : tensor<8xi32>
}

// -----

func.func @on_tensors(%a: tensor<8xi32>) -> tensor<8xi32> {
  // expected-error-re @+1 {{'math.cttz' op cannot be expressed in TTIR: expected one of math's ops absf, {{.*}}, trunc}}
  %0 = math.cttz %a : tensor<8xi32>
  return %0 : tensor<8xi32>
}

// -----

func.func @body_type(%a: tensor<8xi32>) -> tensor<8xi32> {
  %e = tensor.empty() : tensor<8xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%x: i32, %o: i32):
    // expected-error @+1 {{'arith.extsi' op cannot be expressed in TTIR: expected elements f32, f16, bf16, i32 or i1, found 'i128'}}
    %w = arith.extsi %x : i32 to i128
    %r = arith.trunci %w : i128 to i32
    linalg.yield %r : i32
  } -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

// -----

func.func @diagonal(%a: tensor<8x8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @+1 {{'linalg.generic' op cannot be expressed in TTIR: expected operands indexed by different loops, found affine_map<(d0) -> (d0, d0)>}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<8x8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @unsigned_comparison(%a: tensor<8xi32>) -> tensor<8xi1> {
  // expected-error @+1 {{'arith.cmpi' op cannot be expressed in TTIR: comparison 'ult': expected a signed comparison of integers or an unsigned one of i1}}
  %0 = arith.cmpi ult, %a, %a : tensor<8xi32>
  return %0 : tensor<8xi1>
}

// -----

func.func @element(%a: tensor<2xf32>) -> tensor<8xf32> {
  %i = arith.constant 0 : index
  // expected-error @+1 {{'tensor.extract' op cannot be expressed in TTIR: expected a tensor of one element, found 'tensor<2xf32>'}}
  %s = tensor.extract %a[%i] : tensor<2xf32>
  %0 = tensor.splat %s : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @shift(%a: tensor<8xi1>, %n: tensor<8xi1>) -> tensor<8xi1> {
  // expected-error @+1 {{'arith.shrsi' op cannot be expressed in TTIR: expected a shift of integers of more than one bit}}
  %0 = arith.shrsi %a, %n : tensor<8xi1>
  return %0 : tensor<8xi1>
}

// -----

// expected-error @+1 {{'func.func' op expected tensors of static, non-empty shape with elements f64, f32, f16, bf16, i1, or integers of 8, 16, 32 or 64 bits, found 'memref<8xf32>'}}
func.func @memrefs(%a: memref<8xf32>, %b: memref<8xf32>) {
  linalg.copy ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  return
}

// -----

func.func @no_result() {
  // expected-error @+1 {{'linalg.generic' op cannot be expressed in TTIR: expected a result, found none}}
  "linalg.generic"() <{indexing_maps = [], iterator_types = [], operandSegmentSizes = array<i32: 0, 0>}> ({
    linalg.yield
  }) : () -> ()
  return
}

// -----

func.func @border(%a: tensor<4xi32>) -> tensor<5xi32> {
  %c = arith.constant 16777217 : i32
  // expected-error @+1 {{'tensor.pad' op cannot be expressed in TTIR: expected a border that an f32 holds, found 16777217}}
  %0 = tensor.pad %a low[0] high[1] {
  ^bb0(%i: index):
    tensor.yield %c : i32
  } : tensor<4xi32> to tensor<5xi32>
  return %0 : tensor<5xi32>
}

// -----

func.func @strided_insert(%a: tensor<2xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'tensor.insert_slice' op cannot be expressed in TTIR: expected strides of 1}}
  %0 = tensor.insert_slice %a into %b[0] [2] [2] : tensor<2xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @pool_of_logic(%x: tensor<1x8x8x16xi1>) -> tensor<1x4x4x16xi1> {
  %w = tensor.empty() : tensor<2x2xi1>
  %c = arith.constant dense<false> : tensor<1x4x4x16xi1>
  // expected-error @+1 {{'linalg.generic' op cannot be expressed in TTIR: expected a convolution, or the sum, product, maximum or minimum in a window, of numbers}}
  %0 = linalg.generic {indexing_maps = [affine_map<(n, h, w, c, i, j) -> (n, 2 * h + i, 2 * w + j, c)>, affine_map<(n, h, w, c, i, j) -> (i, j)>, affine_map<(n, h, w, c, i, j) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<1x8x8x16xi1>, tensor<2x2xi1>) outs(%c : tensor<1x4x4x16xi1>) {
  ^bb0(%a: i1, %b: i1, %o: i1):
    %r = arith.ori %o, %a : i1
    linalg.yield %r : i1
  } -> tensor<1x4x4x16xi1>
  return %0 : tensor<1x4x4x16xi1>
}

// -----

func.func @tosa(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'tosa.abs' op cannot be expressed in TTIR: expected ops of the dialects func, arith, linalg, math, tensor, ttir}}
  %0 = tosa.abs %a : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// The number that stands for an operand, and no operand.
func.func @pad_sentinel(%a: tensor<97x8xf32>) -> tensor<5x11xf32> {
  %c = arith.constant 2.0 : f32
  // expected-error @+1 {{'tensor.pad' op cannot be expressed in TTIR: expected a constant value and constant paddings of at least 0}}
  %0 = tensor.pad %a low[-9223372036854775808, 2] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<97x8xf32> to tensor<5x11xf32>
  return %0 : tensor<5x11xf32>
}

// -----

func.func @stride(%a: tensor<4x8xf32>) -> tensor<3xf32> {
  // expected-error @below {{'tensor.extract_slice' op cannot be expressed in TTIR: expected strides of at least 1}}
  %0 = tensor.extract_slice %a[0, 0] [1, 3] [1, 0] : tensor<4x8xf32> to tensor<3xf32>
  return %0 : tensor<3xf32>
}
