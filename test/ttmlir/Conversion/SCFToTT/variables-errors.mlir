// RUN: ttmlir-opt --convert-scf-to-tt --split-input-file --verify-diagnostics %s

tosa.variable @state = dense<1.0> : tensor<4xf32>
func.func @name() -> tensor<4xf32> {
  // expected-error @+1 {{'tosa.variable_read' op 'sate' has not been declared by 'tosa.variable'}}
  %0 = tosa.variable_read @sate : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

tosa.variable @state = dense<1.0> : tensor<4xf32>
func.func @type(%a: tensor<5xf32>) {
  // expected-error @+1 {{'tosa.variable_write' op require same shapes for 'input1' ('tensor<5xf32>') and the input tensor ('tensor<4xf32>')}}
  tosa.variable_write @state, %a : tensor<5xf32>
  return
}

// -----

// expected-error @+1 {{'tosa.variable' op expected a variable of static shape, found 'tensor<?xf32>'}}
tosa.variable @state : tensor<?xf32>
func.func @shape(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

tosa.variable @state : tensor<4xf32>
func.func @place(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant 0 : index
  // expected-error @+1 {{'scf.index_switch' op uses a variable: expected functions, conditions and loops to do that}}
  %r = scf.index_switch %c -> tensor<4xf32>
  case 1 {
    %0 = tosa.variable_read @state : tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  default {
    scf.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// expected-error @+1 {{'tt.variable' op expected an initial value of type 'tensor<4xf32>', found 'tensor<5xf32>'}}
tt.variable @state : tensor<4xf32> = dense<1.0> : tensor<5xf32>

// -----

// expected-error @+1 {{attribute 'tt.variable' expects the name of a tt.variable, found "state"}}
func.func @attribute(%a: tensor<4xf32> {tt.variable = "state"}) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

func.func private @device(%a: tensor<4xf32>) -> tensor<4xf32> attributes {tt.part} {
  return %a : tensor<4xf32>
}
func.func @call(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'tt.call' op expected a function with the attributes 'tt.part' and 'tt.host', found @device}}
  %0 = tt.call(@device, [%a]) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func private @host(%a: tensor<5xf32>) -> tensor<4xf32> attributes {tt.host, tt.part}
func.func @types(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'tt.call' op expected the types of @host}}
  %0 = tt.call(@host, [%a]) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
