"""Ops of StableHLO that JAX does not make, or makes in one form only: bodies of ``main``."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Text:
    """A program: types of arguments and results, and the ops between them.

    ``arguments`` are called ``%0``, ``%1`` and so on; ops have names of letters.
    """

    arguments: str
    results: str
    body: str
    functions: str = ""

    def module(self) -> str:
        inputs = ", ".join(f"%{i}: {t}" for i, t in enumerate(self.arguments.split(" ; ")))
        return (
            f"module @program {{\n{self.functions}\n"
            f"func.func @main({inputs}) -> ({self.results.replace(' ; ', ', ')}) {{\n"
            f"{self.body}\n}}\n}}"
        )


F = "tensor<4x6xf32>"
I = "tensor<4x6xi32>"  # noqa: E741
IMAGE = "tensor<2x5x6x3xf32>"
FEATURES = "tensor<3xf32>"


def returned(names: str, types: str) -> str:
    return f"return {names} : {types}"


def reducer(name: str, kind: str) -> str:
    return (
        f"({{ ^bb0(%p: tensor<{kind}>, %q: tensor<{kind}>):\n"
        f"%r = stablehlo.{name} %p, %q : tensor<{kind}>\n"
        f"stablehlo.return %r : tensor<{kind}> }})"
    )


TEXTS: dict[str, Text] = {
    "batch_norm_inference": Text(
        f"{IMAGE} ; {FEATURES} ; {FEATURES} ; {FEATURES} ; {FEATURES}",
        IMAGE,
        f"""%v = stablehlo.abs %4 : {FEATURES}
        %a = "stablehlo.batch_norm_inference"(%0, %1, %2, %3, %v)
          <{{epsilon = 0.001 : f32, feature_index = 3 : i64}}>
          : ({IMAGE}, {FEATURES}, {FEATURES}, {FEATURES}, {FEATURES}) -> {IMAGE}
        return %a : {IMAGE}""",
    ),
    "batch_norm_training": Text(
        f"{IMAGE} ; {FEATURES} ; {FEATURES}",
        f"{IMAGE} ; {FEATURES} ; {FEATURES}",
        f"""%a, %b, %c = "stablehlo.batch_norm_training"(%0, %1, %2)
          <{{epsilon = 0.001 : f32, feature_index = 3 : i64}}>
          : ({IMAGE}, {FEATURES}, {FEATURES}) -> ({IMAGE}, {FEATURES}, {FEATURES})
        return %a, %b, %c : {IMAGE}, {FEATURES}, {FEATURES}""",
    ),
    "batch_norm_grad": Text(
        f"{IMAGE} ; {FEATURES} ; {FEATURES} ; {FEATURES} ; {IMAGE}",
        f"{IMAGE} ; {FEATURES} ; {FEATURES}",
        f"""%v = stablehlo.abs %3 : {FEATURES}
        %a, %b, %c = "stablehlo.batch_norm_grad"(%0, %1, %2, %v, %4)
          <{{epsilon = 0.001 : f32, feature_index = 3 : i64}}>
          : ({IMAGE}, {FEATURES}, {FEATURES}, {FEATURES}, {IMAGE})
          -> ({IMAGE}, {FEATURES}, {FEATURES})
        return %a, %b, %c : {IMAGE}, {FEATURES}, {FEATURES}""",
    ),
    "map": Text(
        f"{F} ; {F}",
        F,
        f"""%a = "stablehlo.map"(%0, %1) <{{dimensions = array<i64: 0, 1>}}> ({{
          ^bb0(%p: tensor<f32>, %q: tensor<f32>):
            %c = stablehlo.constant dense<2.0> : tensor<f32>
            %r = stablehlo.multiply %p, %c : tensor<f32>
            %s = stablehlo.subtract %r, %q : tensor<f32>
            stablehlo.return %s : tensor<f32>
          }}) : ({F}, {F}) -> {F}
        return %a : {F}""",
    ),
    "tuples": Text(
        f"{F} ; {I}",
        f"{I} ; {F}",
        f"""%a = stablehlo.tuple %0, %1 : tuple<{F}, {I}>
        %b = stablehlo.get_tuple_element %a[1] : (tuple<{F}, {I}>) -> {I}
        %c = stablehlo.get_tuple_element %a[0] : (tuple<{F}, {I}>) -> {F}
        return %b, %c : {I}, {F}""",
    ),
    "if": Text(
        f"tensor<i1> ; {F}",
        F,
        f"""%a = "stablehlo.if"(%0) ({{
            %b = stablehlo.sine %1 : {F}
            stablehlo.return %b : {F}
          }}, {{ stablehlo.return %1 : {F} }}) : (tensor<i1>) -> {F}
        return %a : {F}""",
    ),
    "case out of range": Text(
        F,
        F,
        f"""%c = stablehlo.constant dense<-3> : tensor<i32>
        %i = stablehlo.iota dim = 0 : tensor<2xi32>
        %m = stablehlo.constant dense<0> : tensor<i32>
        %s = stablehlo.reduce(%i init: %m) applies stablehlo.add across dimensions = [0]
          : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
        %n = stablehlo.add %c, %s : tensor<i32>
        %a = "stablehlo.case"(%n) ({{
            %b = stablehlo.sine %0 : {F}
            stablehlo.return %b : {F}
          }}, {{
            %b = stablehlo.cosine %0 : {F}
            stablehlo.return %b : {F}
          }}, {{ stablehlo.return %0 : {F} }}) : (tensor<i32>) -> {F}
        return %a : {F}""",
    ),
    "reduce to nothing": Text(
        f"{F} ; tensor<f32>",
        F,
        f"""%a = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = []
          : ({F}, tensor<f32>) -> {F}
        return %a : {F}""",
    ),
    "bits": Text(
        f"{I} ; {I}",
        f"{I} ; tensor<4xi32> ; tensor<6xi32> ; tensor<i32>",
        f"""%m = stablehlo.constant dense<-1> : tensor<i32>
        %z = stablehlo.constant dense<0> : tensor<i32>
        %a = stablehlo.xor %0, %1 : {I}
        %b = stablehlo.reduce(%0 init: %z) applies stablehlo.or across dimensions = [1]
          : ({I}, tensor<i32>) -> tensor<4xi32>
        %c = stablehlo.reduce(%0 init: %m) applies stablehlo.and across dimensions = [0]
          : ({I}, tensor<i32>) -> tensor<6xi32>
        %d = stablehlo.reduce(%0 init: %z) applies stablehlo.xor across dimensions = [0, 1]
          : ({I}, tensor<i32>) -> tensor<i32>
        return %a, %b, %c, %d : {I}, tensor<4xi32>, tensor<6xi32>, tensor<i32>""",
    ),
    "padding by a tensor": Text(
        f"{F} ; tensor<f32>",
        "tensor<9x10xf32>",
        f"""%a = stablehlo.pad %0, %1, low = [3, -1], high = [-1, 0], interior = [1, 1]
          : ({F}, tensor<f32>) -> tensor<9x10xf32>
        return %a : tensor<9x10xf32>""",
    ),
    "padding by a great integer": Text(
        I,
        "tensor<6x7xi32>",
        f"""%c = stablehlo.constant dense<16777217> : tensor<i32>
        %a = stablehlo.pad %0, %c, low = [1, 0], high = [1, 1], interior = [0, 0]
          : ({I}, tensor<i32>) -> tensor<6x7xi32>
        return %a : tensor<6x7xi32>""",
    ),
    "clamp of a tensor": Text(
        f"{F} ; {F} ; {F}",
        F,
        f"""%a = stablehlo.clamp %0, %1, %2 : {F}
        return %a : {F}""",
    ),
    "power of integers": Text(
        f"{I} ; {I}",
        I,
        f"""%a = stablehlo.power %0, %1 : {I}
        return %a : {I}""",
    ),
    "division by zero": Text(
        f"{I} ; {I}",
        f"{I} ; {I}",
        f"""%c = stablehlo.constant dense<3> : {I}
        %d = stablehlo.and %1, %c : {I}
        %a = stablehlo.divide %0, %d : {I}
        %b = stablehlo.remainder %0, %d : {I}
        return %a, %b : {I}, {I}""",
    ),
    "transposed broadcast": Text(
        "tensor<6x4xf32>",
        "tensor<4x2x6xf32>",
        """%a = stablehlo.broadcast_in_dim %0, dims = [2, 0]
          : (tensor<6x4xf32>) -> tensor<4x2x6xf32>
        return %a : tensor<4x2x6xf32>""",
    ),
    "total order": Text(
        f"{F} ; {F}",
        "tensor<4x6xi1>",
        f"""%a = stablehlo.compare LT, %0, %1, TOTALORDER : ({F}, {F}) -> tensor<4x6xi1>
        return %a : tensor<4x6xi1>""",
    ),
    "order by magnitude": Text(
        f"{F} ; {I}",
        f"{F} ; {I}",
        f"""%a, %b = "stablehlo.sort"(%0, %1) <{{dimension = 1 : i64, is_stable = true}}> ({{
          ^bb0(%p: tensor<f32>, %q: tensor<f32>, %r: tensor<i32>, %s: tensor<i32>):
            %x = stablehlo.abs %p : tensor<f32>
            %y = stablehlo.abs %q : tensor<f32>
            %z = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
            stablehlo.return %z : tensor<i1>
          }}) : ({F}, {I}) -> ({F}, {I})
        return %a, %b : {F}, {I}""",
    ),
    "order by two keys": Text(
        f"{I} ; {F}",
        f"{I} ; {F}",
        f"""%c = stablehlo.constant dense<1> : {I}
        %k = stablehlo.and %0, %c : {I}
        %a, %b = "stablehlo.sort"(%k, %1) <{{dimension = 0 : i64, is_stable = true}}> ({{
          ^bb0(%p: tensor<i32>, %q: tensor<i32>, %r: tensor<f32>, %s: tensor<f32>):
            %x = stablehlo.compare LT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
            %y = stablehlo.compare EQ, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
            %z = stablehlo.compare GT, %r, %s : (tensor<f32>, tensor<f32>) -> tensor<i1>
            %u = stablehlo.select %y, %z, %x : tensor<i1>, tensor<i1>
            stablehlo.return %u : tensor<i1>
          }}) : ({I}, {F}) -> ({I}, {F})
        return %a, %b : {I}, {F}""",
    ),
    "windows of any body": Text(
        F,
        "tensor<3x5xf32>",
        f"""%c = stablehlo.constant dense<0.0> : tensor<f32>
        %a = "stablehlo.reduce_window"(%0, %c) <{{window_dimensions = array<i64: 2, 2>}}> ({{
          ^bb0(%p: tensor<f32>, %q: tensor<f32>):
            %x = stablehlo.abs %p : tensor<f32>
            %y = stablehlo.abs %q : tensor<f32>
            %z = stablehlo.maximum %x, %y : tensor<f32>
            stablehlo.return %z : tensor<f32>
          }}) : ({F}, tensor<f32>) -> tensor<3x5xf32>
        return %a : tensor<3x5xf32>""",
    ),
    "scatter by any body": Text(
        f"{F} ; tensor<2x6xf32>",
        F,
        f"""%i = stablehlo.constant dense<[[3], [1]]> : tensor<2x1xi32>
        %a = "stablehlo.scatter"(%0, %i, %1) <{{
            scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
              inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
              index_vector_dim = 1>, unique_indices = true}}> ({{
          ^bb0(%p: tensor<f32>, %q: tensor<f32>):
            %x = stablehlo.sine %p : tensor<f32>
            %y = stablehlo.subtract %x, %q : tensor<f32>
            stablehlo.return %y : tensor<f32>
          }}) : ({F}, tensor<2x1xi32>, tensor<2x6xf32>) -> {F}
        return %a : {F}""",
    ),
    "dynamic ops of constants": Text(
        F,
        "tensor<6x4xf32> ; tensor<2x3xf32> ; tensor<6x8xf32>",
        f"""%s = stablehlo.constant dense<[6, 4]> : tensor<2xi32>
        %a = stablehlo.dynamic_reshape %0, %s : ({F}, tensor<2xi32>) -> tensor<6x4xf32>
        %b = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
        %e = stablehlo.constant dense<[3, 6]> : tensor<2xi32>
        %t = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
        %c = stablehlo.real_dynamic_slice %0, %b, %e, %t
          : ({F}, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xf32>
        %v = stablehlo.constant dense<1.5> : tensor<f32>
        %o = stablehlo.constant dense<1> : tensor<2xi32>
        %z = stablehlo.constant dense<0> : tensor<2xi32>
        %d = stablehlo.dynamic_pad %0, %v, %o, %o, %z
          : ({F}, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<6x8xf32>
        return %a, %c, %d : tensor<6x4xf32>, tensor<2x3xf32>, tensor<6x8xf32>""",
    ),
    "known slices beyond the ends": Text(
        F,
        "tensor<2x3xf32> ; tensor<2x3xf32>",
        f"""%m = stablehlo.constant dense<-2> : tensor<i32>
        %p = stablehlo.constant dense<9> : tensor<i32>
        %a = stablehlo.dynamic_slice %0, %m, %p, sizes = [2, 3]
          : ({F}, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
        %b = stablehlo.dynamic_slice %0, %p, %m, sizes = [2, 3]
          : ({F}, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
        return %a, %b : tensor<2x3xf32>, tensor<2x3xf32>""",
    ),
    "old products": Text(
        "tensor<4x6xf32> ; tensor<6x5xf32>",
        "tensor<4x5xf32>",
        """%a = stablehlo.dot %0, %1 : (tensor<4x6xf32>, tensor<6x5xf32>) -> tensor<4x5xf32>
        return %a : tensor<4x5xf32>""",
    ),
    "alone on a mesh": Text(
        F,
        f"{F} ; tensor<ui32>",
        f"""%a = "stablehlo.all_reduce"(%0) <{{replica_groups = dense<0> : tensor<1x1xi64>}}>
          {reducer("add", "f32")} : ({F}) -> {F}
        %b = stablehlo.partition_id : tensor<ui32>
        return %a, %b : {F}, tensor<ui32>""",
    ),
    "loop that counts to a tensor": Text(
        f"tensor<i32> ; {F}",
        f"tensor<i32> ; {F}",
        f"""%c = stablehlo.constant dense<2> : tensor<i32>
        %k = stablehlo.constant dense<7> : tensor<i32>
        %n = stablehlo.and %0, %k : tensor<i32>
        %i, %x = stablehlo.while(%p = %c, %q = %1) : tensor<i32>, {F}
        cond {{
          %r = stablehlo.compare LT, %p, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %r : tensor<i1>
        }} do {{
          %o = stablehlo.constant dense<1> : tensor<i32>
          %r = stablehlo.add %p, %o : tensor<i32>
          %s = stablehlo.tanh %q : {F}
          stablehlo.return %r, %s : tensor<i32>, {F}
        }}
        return %i, %x : tensor<i32>, {F}""",
    ),
    "loop of known turns": Text(
        F,
        f"tensor<i32> ; {F}",
        f"""%c = stablehlo.constant dense<2> : tensor<i32>
        %i, %x = stablehlo.while(%p = %c, %q = %0) : tensor<i32>, {F}
        cond {{
          %n = stablehlo.constant dense<6> : tensor<i32>
          %r = stablehlo.compare LT, %p, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %r : tensor<i1>
        }} do {{
          %o = stablehlo.constant dense<1> : tensor<i32>
          %r = stablehlo.add %p, %o : tensor<i32>
          %t = stablehlo.convert %p : (tensor<i32>) -> tensor<f32>
          %u = stablehlo.broadcast_in_dim %t, dims = [] : (tensor<f32>) -> {F}
          %s = stablehlo.add %q, %u : {F}
          stablehlo.return %r, %s : tensor<i32>, {F}
        }}
        return %i, %x : tensor<i32>, {F}""",
    ),
    "no elements": Text(
        "tensor<0x6xf32> ; tensor<f32>",
        "tensor<0x6xf32> ; tensor<6xf32> ; tensor<6x6xf32>",
        """%a = stablehlo.sine %0 : tensor<0x6xf32>
        %b = stablehlo.reduce(%0 init: %1) applies stablehlo.maximum across dimensions = [0]
          : (tensor<0x6xf32>, tensor<f32>) -> tensor<6xf32>
        %c = stablehlo.dot_general %0, %0, contracting_dims = [0] x [0]
          : (tensor<0x6xf32>, tensor<0x6xf32>) -> tensor<6x6xf32>
        return %a, %b, %c : tensor<0x6xf32>, tensor<6xf32>, tensor<6x6xf32>""",
    ),
    "one value twice": Text(F, f"{F} ; {F}", f"return %0, %0 : {F}, {F}"),
    "cholesky of the upper triangle": Text(
        "tensor<4x4xf32>",
        "tensor<4x4xf32>",
        """%i = stablehlo.iota dim = 0 : tensor<4x4xi32>
        %j = stablehlo.iota dim = 1 : tensor<4x4xi32>
        %e = stablehlo.compare EQ, %i, %j : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
        %f = stablehlo.convert %e : (tensor<4x4xi1>) -> tensor<4x4xf32>
        %m = stablehlo.dot_general %0, %0, contracting_dims = [1] x [1]
          : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
        %s = stablehlo.add %m, %f : tensor<4x4xf32>
        %c = "stablehlo.cholesky"(%s) <{lower = false}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
        %l = stablehlo.compare LE, %i, %j : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
        %z = stablehlo.constant dense<0.0> : tensor<4x4xf32>
        %r = stablehlo.select %l, %c, %z : tensor<4x4xi1>, tensor<4x4xf32>
        return %r : tensor<4x4xf32>""",
    ),
}
