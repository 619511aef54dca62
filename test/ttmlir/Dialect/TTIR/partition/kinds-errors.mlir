// RUN: not ttmlir-opt --ttir-partition="mesh-shape=1,3 parallelism=none,data" %s 2>&1 | FileCheck %s --check-prefix=BATCH
// RUN: not ttmlir-opt --ttir-partition="mesh-shape=1,2 parallelism=none,sequence" %s 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not ttmlir-opt --ttir-partition="mesh-shape=1,2 parallelism=none,none,data" %s 2>&1 | FileCheck %s --check-prefix=AXES
// RUN: not ttmlir-opt --ttir-partition="mesh-shape=1,2 parallelism=layers" %s 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not ttmlir-opt --ttir-partition="parallelism=data" %s 2>&1 | FileCheck %s --check-prefix=MESH

// BATCH: error: parallelism 'data': 3 chips do not divide dimension 0 of the input 'tensor<8xf32>'
// INPUT: error: parallelism 'sequence': expected an input with 2 dimensions that is not a parameter, found none
// AXES: error: ttir-partition: expected a kind of parallelism for each axis of the mesh 1x2, found 3
// KIND: error: ttir-partition: parallelism: expected none, data, sequence, tensor or expert, found 'layers'
// MESH: error: ttir-partition: expected a mesh to partition the program over, found none; set mesh-shape
func.func @vector(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
