// RUN: ttmlir-opt --convert-scf-to-tt --split-input-file --verify-diagnostics %s

// expected-error @+1 {{has an argument or a result of type 'i1': expected tensors; a number is a tensor of one element, such as 'tensor<1xi1>'}}
func.func @number(%c: i1, %a: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.if %c -> tensor<4xf32> {
    scf.yield %a : tensor<4xf32>
  } else {
    scf.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @parallel(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.forall' op cannot be expressed: expected scf.if, scf.for, scf.while or scf.index_switch}}
  %r = scf.forall (%i) in (4) shared_outs(%o = %a) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
    }
  }
  return %r : tensor<4xf32>
}

// -----

// expected-error @+2 {{expected a function with the attribute 'tt.part', found @missing}}
func.func @missing_part(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = tt.for(@missing, 3, [%a], []) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func private @part(%a: tensor<4xf32>) -> tensor<8xf32> attributes {tt.part}
func.func @types(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected @part to be '(tensor<4xf32>) -> tensor<4xf32>', found '(tensor<4xf32>) -> tensor<8xf32>'}}
  %r = tt.for(@part, 3, [%a], []) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func private @part(%a: tensor<4xf32>) -> tensor<4xf32> attributes {tt.part}
func.func @condition(%c: tensor<2xi1>, %a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected a condition of one element, found 'tensor<2xi1>'}}
  %r = tt.if(@part, @part, %c, [%a]) : (tensor<2xi1>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
