// RUN: ttmlir-translate --today-to-ttir --split-input-file --verify-diagnostics %s -o /dev/null

func.func @one(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+2 {{'ttir.adt' cannot be expressed: it is no op of today's TTIR, did you mean 'add'?}}
  // expected-note @+1 {{the page "TTIR of today" of the manual lists what is supported}}
  %0 = "ttir.adt"(%a, %a) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @all(%a: tensor<4x8xf32>, %b: tensor<2x4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+3 {{expected ops that can be expressed, found 7 that cannot: 'ttir.sdpa_bw', 'stablehlo.add', 'ttir.add', 'ttir.softmax', 'ttir.reshape', 'ttir.relu'}}
  // expected-note @+2 {{the page "TTIR of today" of the manual lists what is supported}}
  // expected-note @+1 {{'ttir.sdpa_bw': it is made for one library's kernels}}
  %0 = "ttir.sdpa_bw"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-note @+1 {{'stablehlo.add': expected ops of ttir, func.call and ttcore.load_cached}}
  %1 = "stablehlo.add"(%a, %a) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  // What needs one that cannot be expressed is no error of its own.
  %2 = "ttir.add"(%0, %1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-note @+1 {{'ttir.add': expected 2 operands, found 1}}
  %3 = "ttir.add"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-note @+1 {{'ttir.softmax': it has no attribute 'dimensions', did you mean 'dimension'?}}
  %4 = "ttir.softmax"(%a) <{dimension = 1 : si32, dimensions = 1 : si32}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-note @+1 {{'ttir.softmax': expected an attribute 'dimension' of si32}}
  %5 = "ttir.softmax"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-note @+1 {{'ttir.reshape': 'ttir.reshape' op}}
  %6 = "ttir.reshape"(%a) <{shape = [3 : i32, 8 : i32]}> : (tensor<4x8xf32>) -> tensor<3x8xf32>
  // expected-note @+1 {{'ttir.relu': the type of a result is not supported: tensor<?x8xf32>}}
  %7 = "ttir.relu"(%a) : (tensor<4x8xf32>) -> tensor<?x8xf32>
  return %3 : tensor<4x8xf32>
}

// -----

// expected-error @+2 {{'an argument' cannot be expressed: expected a tensor of floats or integers of 1 to 64 bits, found tensor<4xcomplex<f32>>}}
// expected-note @+1 {{the page}}
func.func @type(%a: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
  %0 = "ttir.abs"(%a) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A function that calls itself, and one whose body is not there.
func.func private @again(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{'func.call': function 'again' calls itself}}
  %0 = call @again(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @outside(tensor<4xf32>) -> tensor<4xf32>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+3 {{expected ops that can be expressed, found 2 that cannot: 'func.call'}}
  // expected-note @+2 {{'func.call': the body of 'outside' is not in the program}}
  // expected-note @+1 {{the page}}
  %0 = call @outside(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @again(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @custom(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected 'ttir.add' in the generic form, "ttir.add"(...)}}
  %0 = ttir.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-remark @+1 {{attributes that nothing depends on are dropped: 'my.attribute', 'my.other'}}
func.func @dropped(%a: tensor<4xf32> {my.other = 3 : i32}) -> tensor<4xf32> attributes {my.attribute} {
  %0 = "ttir.abs"(%a) {my.other = "x"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+2 {{expected a public function with a body, found none}}
// expected-note @+1 {{the page}}
module {
  func.func private @f(tensor<4xf32>) -> tensor<4xf32>
}

// -----

func.func @paddings(%x: tensor<1x1x32x4xf32>, %w: tensor<4x8x1x1xf32>) -> tensor<1x1x32x8xf32> {
  // expected-error @+2 {{'ttir.conv_transpose2d' cannot be expressed: its paddings leave nothing of its result}}
  // expected-note @+1 {{the page}}
  %0 = "ttir.conv_transpose2d"(%x, %w) <{stride = array<i32: 1, 1>, padding = array<i32: 9, 9>, output_padding = array<i32: 0, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32, flattened_compat_info = #ttir<flattened_compat batch_size = 2, input_height = 4, input_width = 4>}> : (tensor<1x1x32x4xf32>, tensor<4x8x1x1xf32>) -> tensor<1x1x32x8xf32>
  return %0 : tensor<1x1x32x8xf32>
}
