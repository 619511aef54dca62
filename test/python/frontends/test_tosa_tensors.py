"""TOSA's ops on shapes, reductions, products and windows, compiled and run."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import programs
import pytest
from jax import lax
from programs import Array, check, function, random, run, tensor, wide

import ttmlir
from ttmlir.errors import InputError

FLOATS = ("f32", "bf16")


def shape_of(name: str, numbers: Any) -> str:
    size = len(numbers)
    values = ", ".join(map(str, numbers))
    return (
        f"%{name} = tosa.const_shape {{values = dense<[{values}]> : tensor<{size}xindex>}} : "
        f"() -> !tosa.shape<{size}>"
    )


def scalar(name: str, value: float, element: str) -> str:
    t = f"tensor<1x{element}>"
    return f'%{name} = "tosa.const"() <{{values = dense<{value}> : {t}}}> : () -> {t}'


def one(x: Array, element: str, shape: Any, *body: str, result: str = "") -> Any:
    """Runs ``body``, in which {x} and {r} are the types of %a and of %r."""
    types = tensor(x.shape, element), tensor(shape, result or element)
    lines = [line.replace("{x}", types[0]).replace("{r}", types[1]) for line in body]
    return run(function([types[0]], lines, [types[1]]), x)


@pytest.mark.parametrize("element", [*FLOATS, "i32", "i1"])
def test_moves(element: str) -> None:
    x = random(np.random.default_rng(0), (3, 5, 40), element)
    got = one(
        x,
        element,
        (15, 1, 40),
        shape_of("s", (15, 1, 40)),
        "%r = tosa.reshape %a, %s : ({x}, !tosa.shape<3>) -> {r}",
    )
    np.testing.assert_array_equal(wide(got), wide(x).reshape(15, 1, 40))
    for permutation in [(2, 0, 1), (1, 0, 2), (0, 1, 2), (2, 1, 0)]:
        got = one(
            x,
            element,
            [x.shape[i] for i in permutation],
            f"%r = tosa.transpose %a {{perms = array<i32: {str(permutation)[1:-1]}>}} : "
            "({x}) -> {r}",
        )
        np.testing.assert_array_equal(wide(got), wide(x).transpose(permutation))


@pytest.mark.parametrize("element", [*FLOATS, "i32"])
def test_parts(element: str) -> None:
    x = random(np.random.default_rng(1), (3, 5, 40), element)
    got = one(
        x,
        element,
        (2, 5, 33),
        shape_of("s", (1, 0, 3)),
        shape_of("t", (2, 5, 33)),
        "%r = tosa.slice %a, %s, %t : ({x}, !tosa.shape<3>, !tosa.shape<3>) -> {r}",
    )
    np.testing.assert_array_equal(wide(got), wide(x)[1:, :, 3:36])
    got = one(
        x,
        element,
        (6, 5, 40),
        shape_of("s", (2, 1, 1)),
        "%r = tosa.tile %a, %s : ({x}, !tosa.shape<3>) -> {r}",
    )
    np.testing.assert_array_equal(wide(got), np.tile(wide(x), (2, 1, 1)))
    number = 7 if element == "i32" else -2.5
    got = one(
        x,
        element,
        (4, 5, 45),
        shape_of("s", (0, 1, 0, 0, 2, 3)),
        scalar("p", number, element),
        f"%r = tosa.pad %a, %s, %p : ({{x}}, !tosa.shape<6>, tensor<1x{element}>) -> {{r}}",
    )
    want = np.pad(wide(x), ((0, 1), (0, 0), (2, 3)), constant_values=number)
    np.testing.assert_array_equal(wide(got), want)


@pytest.mark.parametrize("element", [*FLOATS, "i32"])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_reverse(axis: int, element: str) -> None:
    x = random(np.random.default_rng(2), (3, 5, 40), element)
    got = one(
        x, element, x.shape, f"%r = tosa.reverse %a {{axis = {axis} : i32}} : ({{x}}) -> {{r}}"
    )
    np.testing.assert_array_equal(wide(got), np.flip(wide(x), axis))


def test_concat() -> None:
    rng = np.random.default_rng(3)
    a, b, c = (random(rng, (3, n, 40), "bf16") for n in (1, 5, 32))
    types = [tensor(x.shape, "bf16") for x in (a, b, c)]
    result = tensor((3, 38, 40), "bf16")
    body = f"%r = tosa.concat %a, %b, %c {{axis = 1 : i32}} : ({', '.join(types)}) -> {result}"
    got = run(function(types, [body], [result]), a, b, c)
    np.testing.assert_array_equal(wide(got), np.concatenate([wide(a), wide(b), wide(c)], 1))


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("name", ["sum", "max", "min", "product"])
def test_reductions(name: str, axis: int, element: str) -> None:
    x = random(np.random.default_rng(4), (3, 5, 40), element)
    if name == "product":
        x = np.clip(wide(x), 0.8, 1.2).astype(x.dtype)
    shape = [1 if i == axis else n for i, n in enumerate(x.shape)]
    got = one(
        x, element, shape, f"%r = tosa.reduce_{name} %a {{axis = {axis} : i32}} : ({{x}}) -> {{r}}"
    )
    reference = {"sum": np.sum, "max": np.max, "min": np.min, "product": np.prod}[name]
    # A sum is off by ulps of its terms, which may be larger than itself.
    scale = np.abs(wide(x)).sum(axis).max() if name == "sum" else 0.0
    want = reference(wide(x).astype(np.float64), axis=axis, keepdims=True)
    check(got, want, element, scale=scale, steps=4 if name == "product" else 1)


@pytest.mark.parametrize("name", ["max", "min"])
def test_integer_reductions(name: str) -> None:
    x = np.random.default_rng(5).integers(-(2**31), 2**31, (5, 40)).astype(np.int32)
    got = one(x, "i32", (5, 1), f"%r = tosa.reduce_{name} %a {{axis = 1 : i32}} : ({{x}}) -> {{r}}")
    check(got, getattr(x, name)(axis=1, keepdims=True), "i32")


@pytest.mark.parametrize("name", ["all", "any"])
def test_logical_reductions(name: str) -> None:
    x = random(np.random.default_rng(6), (64, 4), "i1")
    got = one(x, "i1", (64, 1), f"%r = tosa.reduce_{name} %a {{axis = 1 : i32}} : ({{x}}) -> {{r}}")
    check(got, getattr(x.astype(bool), name)(axis=1, keepdims=True).astype(np.uint8), "i1")


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize("axis", [0, 1])
def test_argmax(axis: int, element: str) -> None:
    x = random(np.random.default_rng(7), (37, 40), element)
    got = one(
        x,
        element,
        [n for i, n in enumerate(x.shape) if i != axis],
        f"%r = tosa.argmax %a {{axis = {axis} : i32}} : ({{x}}) -> {{r}}",
        result="i32",
    )
    check(got, wide(x).argmax(axis).astype(np.int32), "i32")


@pytest.mark.parametrize(("element", "result"), [("f32", "f32"), ("bf16", "bf16"), ("bf16", "f32")])
def test_matmul(element: str, result: str) -> None:
    rng = np.random.default_rng(8)
    a = rng.standard_normal((3, 5, 70)).astype(programs.ELEMENTS[element])
    b = rng.standard_normal((3, 70, 33)).astype(programs.ELEMENTS[element])
    types = [tensor(a.shape, element), tensor(b.shape, element)]
    t, z = tensor((3, 5, 33), result), f"tensor<1x{element}>"
    body = [
        scalar("z", 0.0, element),
        f"%r = tosa.matmul %a, %b, %z, %z : ({', '.join(types)}, {z}, {z}) -> {t}",
    ]
    want = wide(a).astype(np.float64) @ wide(b)
    scale = float((np.abs(wide(a)) @ np.abs(wide(b))).max())
    check(run(function(types, body, [t]), a, b), want, result, scale=scale)


def gather(indices: Array) -> Any:
    values = np.arange(2 * 6 * 33, dtype=np.float32).reshape(2, 6, 33)
    types = [tensor(values.shape, "f32"), tensor(indices.shape, "i32")]
    result = tensor((2, indices.shape[1], 33), "f32")
    body = f"%r = tosa.gather %a, %b : ({', '.join(types)}) -> {result}"
    got = run(function(types, [body], [result]), values, indices)
    np.testing.assert_array_equal(got, np.take_along_axis(values, indices[..., None], 1))


def test_gather() -> None:
    gather(np.array([[0, 5, 5, 2], [1, 1, 0, 4]], np.int32))
    with pytest.raises(ttmlir.Error, match="6"):
        gather(np.array([[0, 5, 6, 2], [1, 1, 0, 4]], np.int32))


CONVOLUTIONS = [
    # Image, kernel, pads (top, bottom, left, right), strides, dilations.
    ((1, 9, 8, 5), (7, 3, 3, 5), (1, 1, 1, 1), (1, 1), (1, 1)),
    ((2, 9, 8, 5), (7, 3, 2, 5), (0, 2, 1, 0), (1, 1), (1, 1)),
    ((1, 9, 9, 4), (33, 3, 3, 4), (0, 0, 1, 1), (2, 2), (1, 1)),
    ((1, 9, 9, 4), (3, 2, 3, 4), (1, 0, 0, 2), (1, 1), (2, 3)),
]


def windows(*pads: Any) -> list[tuple[int, int]]:
    top, bottom, left, right = pads
    return [(top, bottom), (left, right)]


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize(("image", "kernel", "pad", "stride", "dilation"), CONVOLUTIONS)
@pytest.mark.parametrize("name", ["conv2d", "depthwise_conv2d"])
def test_convolutions(
    name: str, image: Any, kernel: Any, pad: Any, stride: Any, dilation: Any, element: str
) -> None:
    rng = np.random.default_rng(9)
    dtype = programs.ELEMENTS[element]
    if name == "depthwise_conv2d":
        kernel = (*kernel[1:], 2)
    channels = kernel[0] if name == "conv2d" else kernel[2] * 2
    x, k, b = (rng.standard_normal(s).astype(dtype) for s in (image, kernel, (channels,)))
    weight = k if name == "conv2d" else k.reshape(*k.shape[:2], 1, -1)
    want = lax.conv_general_dilated(
        wide(x),
        wide(weight),
        stride,
        windows(*pad),
        rhs_dilation=dilation,
        dimension_numbers=("NHWC", "OHWI" if name == "conv2d" else "HWIO", "NHWC"),
        feature_group_count=1 if name == "conv2d" else image[3],
        precision=lax.Precision.HIGHEST,
    ) + wide(b)
    types = [tensor(v.shape, element) for v in (x, k, b)]
    result, z = tensor(want.shape, element), f"tensor<1x{element}>"

    def list_of(numbers: Any) -> str:
        return f"array<i64: {', '.join(map(str, numbers))}>"

    body = [
        scalar("z", 0.0, element),
        f"%r = tosa.{name} %a, %b, %c, %z, %z {{acc_type = f32, pad = {list_of(pad)}, "
        f"stride = {list_of(stride)}, dilation = {list_of(dilation)}}} : "
        f"({', '.join(types)}, {z}, {z}) -> {result}",
    ]
    check(run(function(types, body, [result]), x, k, b), want, element, scale=10)


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize("pad", [(0, 0, 0, 0), (-1, -1, 0, -1), (2, 0, -1, 1)])
@pytest.mark.parametrize("stride", [(1, 1), (2, 3)])
def test_transpose_conv(stride: Any, pad: Any, element: str) -> None:
    rng = np.random.default_rng(10)
    dtype = programs.ELEMENTS[element]
    x, k, b = (rng.standard_normal(s).astype(dtype) for s in ((1, 4, 5, 6), (7, 3, 2, 6), (7,)))
    full = np.zeros((1, 3 * stride[0] + 3, 4 * stride[1] + 2, 7))
    for i in range(4):
        for j in range(5):
            block = np.einsum("c,ohwc->hwo", wide(x)[0, i, j], wide(k))
            full[0, i * stride[0] :, j * stride[1] :][:3, :2] += block
    top, bottom, left, right = pad
    border = [(0, 0), (max(0, top), max(0, bottom)), (max(0, left), max(0, right)), (0, 0)]
    cut = full[:, max(0, -top) :, max(0, -left) :]
    cut = cut[:, : cut.shape[1] - max(0, -bottom), : cut.shape[2] - max(0, -right)]
    want = np.pad(cut, border) + wide(b)
    types = [tensor(v.shape, element) for v in (x, k, b)]
    result, z = tensor(want.shape, element), f"tensor<1x{element}>"
    body = [
        scalar("z", 0.0, element),
        "%r = tosa.transpose_conv2d %a, %b, %c, %z, %z {acc_type = f32, "
        f"out_pad = array<i64: {str(pad)[1:-1]}>, stride = array<i64: {str(stride)[1:-1]}>}} : "
        f"({', '.join(types)}, {z}, {z}) -> {result}",
    ]
    # With a border the bias is added to a sum that is rounded already.
    rounded = np.abs(want).max() * 2.0**-8 / 2e-6 if element == "bf16" else 0.0
    scale = 10 + (rounded if max(pad) > 0 else 0.0)
    check(run(function(types, body, [result]), x, k, b), want, element, scale=scale)


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize("name", ["max_pool2d", "avg_pool2d"])
@pytest.mark.parametrize(
    ("kernel", "stride", "pad"),
    [
        ((2, 2), (2, 2), (0, 0, 0, 0)),
        ((3, 2), (1, 2), (1, 1, 0, 0)),
        ((3, 3), (2, 1), (1, 0, 1, 1)),
    ],
)
def test_pools(name: str, kernel: Any, stride: Any, pad: Any, element: str) -> None:
    x = random(np.random.default_rng(11), (2, 8, 8, 33), element)
    window, strides = (1, *kernel, 1), (1, *stride, 1)
    pads = [(0, 0), *windows(*pad), (0, 0)]
    if name == "max_pool2d":
        want: Any = lax.reduce_window(wide(x), -jnp.inf, lax.max, window, strides, pads)
        zero, types, names = [], ["{x}"], "%a"
        more = ""
    else:
        total = lax.reduce_window(wide(x), 0.0, lax.add, window, strides, pads)
        count = lax.reduce_window(jnp.ones(x.shape), 0.0, lax.add, window, strides, pads)
        want = total / count
        zero, names = [scalar("z", 0.0, element)], "%a, %z, %z"
        types, more = ["{x}", *[f"tensor<1x{element}>"] * 2], "acc_type = f32, "
    got = one(
        x,
        element,
        want.shape,
        *zero,
        f"%r = tosa.{name} {names} {{{more}kernel = array<i64: {str(kernel)[1:-1]}>, "
        f"stride = array<i64: {str(stride)[1:-1]}>, pad = array<i64: {str(pad)[1:-1]}>}} : "
        f"({', '.join(types)}) -> {{r}}",
    )
    check(got, want, element, scale=1000)


def resized(x: Array, size: int, axis: int, n: int, d: int, offset: int, nearest: bool) -> Array:
    """One dimension of a resize as TOSA defines it."""
    place = np.arange(size) * d + offset
    low = np.floor_divide(place, n)
    share = ((place - low * n) / n).reshape([-1 if i == axis else 1 for i in range(4)])
    first, second = (np.clip(index, 0, x.shape[axis] - 1) for index in (low, low + 1))
    if nearest:
        return np.where(share >= 0.5, x.take(second, axis), x.take(first, axis))
    return x.take(first, axis) * (1 - share) + x.take(second, axis) * share


@pytest.mark.parametrize("mode", ["NEAREST_NEIGHBOR", "BILINEAR"])
@pytest.mark.parametrize(
    ("scale", "offset", "border"),
    [
        ((4, 2, 6, 2), (-1, -2), (1, 2)),
        ((1, 1, 1, 1), (0, 0), (0, 0)),
        ((3, 2, 5, 3), (0, -1), (1, 0)),
        ((2, 1, 2, 1), (0, 0), (0, 0)),
        ((2, 4, 2, 8), (0, 1), (-2, 1)),
    ],
)
def test_resize(mode: str, scale: Any, offset: Any, border: Any) -> None:
    x = random(np.random.default_rng(12), (2, 4, 5, 33), "f32")
    want = x.astype(np.float64)
    for i, axis in enumerate((1, 2)):
        n, d = scale[2 * i : 2 * i + 2]
        size = ((x.shape[axis] - 1) * n - offset[i] + border[i]) // d + 1
        want = resized(want, size, axis, n, d, offset[i], mode == "NEAREST_NEIGHBOR")
    got = one(
        x,
        "f32",
        want.shape,
        shape_of("s", scale),
        shape_of("o", offset),
        shape_of("p", border),
        f"%r = tosa.resize %a, %s, %o, %p {{mode = {mode}}} : "
        "({x}, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> {r}",
    )
    check(got, want, "f32", scale=1000)


@pytest.mark.parametrize("element", [*FLOATS, "i32"])
def test_scatter(element: str) -> None:
    rng = np.random.default_rng(13)
    values, rows = random(rng, (2, 6, 33), element), random(rng, (2, 3, 33), element)
    indices = np.array([[5, 0, 2], [1, 3, 4]], np.int32)
    types = [
        tensor(values.shape, element),
        tensor(indices.shape, "i32"),
        tensor(rows.shape, element),
    ]
    body = f"%r = tosa.scatter %a, %b, %c : ({', '.join(types)}) -> {types[0]}"
    got = run(function(types, [body], [types[0]]), values, indices, rows)
    want = values.copy()
    for batch in range(2):
        want[batch, indices[batch]] = rows[batch]
    np.testing.assert_array_equal(wide(got), wide(want))


@pytest.mark.parametrize("is_unsigned", [False, True])
def test_zero_points(is_unsigned: bool) -> None:
    """The number that stands for 0 has the sign that the attributes of the op say."""
    input_unsigned, output_unsigned = str(is_unsigned).lower(), str(not is_unsigned).lower()
    t, byte = "tensor<16x16xi8>", "tensor<1xi8>"
    body = [
        scalar("m", 1 << 30, "i32"),
        scalar("s", 30, "i8"),
        scalar("z", -56, "i8"),  # 200 without a sign
        scalar("o", -100, "i8"),  # 156
        f"%r = tosa.rescale %a, %m, %s, %z, %o {{input_unsigned = {input_unsigned}, "
        f"output_unsigned = {output_unsigned}, per_channel = false, "
        "rounding_mode = SINGLE_ROUND, scale32 = true} : "
        f"({t}, tensor<1xi32>, {byte}, {byte}, {byte}) -> {t}",
    ]
    types = (np.uint8, np.int8) if is_unsigned else (np.int8, np.uint8)
    x = np.arange(256).astype(types[0]).reshape(16, 16)
    zero, offset = (200, -100) if is_unsigned else (-56, 156)
    limits = np.iinfo(types[1])
    want = np.clip(x.astype(np.int64) - zero + offset, limits.min, limits.max)
    found = run(function([t], body, [t]), x.view(np.int8))
    np.testing.assert_array_equal(found.view(types[1]), want)


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_wide(backend: Any) -> None:
    """i48 is int64 on the host, and sums of it are exact."""
    types = ["tensor<2x3x40xi16>", "tensor<2x40x5xi16>", "tensor<2x3x5xi48>"]
    body = [
        '%z = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>',
        f"%r = tosa.matmul %a, %b, %z, %z : ({', '.join(types[:2])}, tensor<1xi16>, tensor<1xi16>)"
        f" -> {types[2]}",
        f"%s = tosa.identity %c : ({types[2]}) -> {types[2]}",
    ]
    program = ttmlir.compile(function(types, body, [types[2]] * 2), backend=backend)
    rng = np.random.default_rng(14)
    a, b = (rng.integers(-(2**15), 2**15, shape, np.int16) for shape in ((2, 3, 40), (2, 40, 5)))
    a[0, 0], b[0, :, 0] = -(2**15), -(2**15)
    c = rng.integers(-(2**47), 2**47, (2, 3, 5))
    products, same = program(a, b, c)
    np.testing.assert_array_equal(products, a.astype(np.int64) @ b.astype(np.int64))
    np.testing.assert_array_equal(same, c)
    c[1, 2, 3] = 2**47
    with pytest.raises(InputError, match=r"element \[1, 2, 3\] is 140737488355328, expected .* 48"):
        program(a, b, c)


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
@pytest.mark.parametrize(
    ("scale", "offset", "size"),
    [((1, 3, 1, 1), (12, 9), (2, 30)), ((2048, 1536, 2000, 1000), (-64, 33), (18, 60))],
)
def test_wide_resize(backend: Any, scale: Any, offset: Any, size: Any) -> None:
    """Sums with weights of more than 32 bits."""
    types = [f"tensor<1x{17 if scale[0] == 1 else 14}x{39 if scale[0] == 1 else 31}x3xi16>"]
    result = f"tensor<1x{size[0]}x{size[1]}x3xi48>"
    body = [
        f"%s = tosa.const_shape {{values = dense<{list(scale)}> : tensor<4xindex>}} : "
        "() -> !tosa.shape<4>",
        f"%o = tosa.const_shape {{values = dense<{list(offset)}> : tensor<2xindex>}} : "
        "() -> !tosa.shape<2>",
        f"%b = tosa.const_shape {{values = dense<{border(types[0], result, scale, offset)}> : "
        "tensor<2xindex>} : () -> !tosa.shape<2>",
        f"%r = tosa.resize %a, %s, %o, %b {{mode = BILINEAR}} : ({types[0]}, !tosa.shape<4>, "
        f"!tosa.shape<2>, !tosa.shape<2>) -> {result}",
    ]
    program = ttmlir.compile(function(types, body, [result]), backend=backend)
    shape = program.inputs[0].shape
    x = np.random.default_rng(3).integers(-(2**15), 2**15, shape, np.int16)
    x[0, :2, :2] = -(2**15)
    want = x.astype(np.int64)
    for d in (0, 1):
        n, step = scale[2 * d : 2 * d + 2]
        want = np.rint(n * resized(want, size[d], d + 1, n, step, offset[d], False))
    np.testing.assert_array_equal(program(x), want)


def border(source: str, result: str, scale: Any, offset: Any) -> list[int]:
    """What makes the size of the result that of the specification."""
    extents = [list(map(int, t[7:-1].split("x")[1:3])) for t in (source, result)]
    return [
        (extents[1][d] - 1) * scale[2 * d + 1] - (extents[0][d] - 1) * scale[2 * d] + offset[d]
        for d in (0, 1)
    ]
