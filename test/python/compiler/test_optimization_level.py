"""optimization_level: faster on the clock, the same bits, and L1 is used."""

from __future__ import annotations

from collections.abc import Callable

import ml_dtypes  # noqa: F401  (bfloat16)
import numpy as np
import pytest

import ttmlir


def _drawn(exe: ttmlir.Executable) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.standard_normal(t.shape).astype("bfloat16") for t in exe.inputs]


def _run(exe: ttmlir.Executable, arrays: list[np.ndarray]) -> list[np.ndarray]:
    results = exe(*arrays)
    return [
        np.asarray(result, "float32")
        for result in (results if isinstance(results, tuple) else (results,))
    ]


def residual_block() -> ttmlir.Builder:
    """Convolutions of all kinds with extents that no grid divides, and a pool."""
    b = ttmlir.Builder("residual_block")
    x = b.input("x", (2, 27, 29, 48), "bf16")
    first = b.input("first", (40, 48, 1, 1), "bf16")
    second = b.input("second", (40, 40, 3, 3), "bf16")
    third = b.input("third", (48, 40, 1, 1), "bf16")
    y = b.relu(b.conv2d(x, first))
    y = b.relu(b.conv2d(y, second, padding=(1, 1)))
    y = b.relu(b.add(b.conv2d(y, third), x))
    b.output(b.max_pool2d(y, kernel=(3, 3), stride=(2, 2), padding=(1, 1)))
    return b


def feed_forward() -> ttmlir.Builder:
    b = ttmlir.Builder("feed_forward")
    x = b.input("x", (3, 130, 96), "bf16")
    up, bias = b.input("up", (1, 96, 416), "bf16"), b.input("bias", (416,), "bf16")
    down = b.input("down", (1, 416, 96), "bf16")
    scale, shift = b.input("scale", (96,), "bf16"), b.input("shift", (96,), "bf16")
    y = b.layer_norm(x, scale, shift)
    b.output(b.add(b.matmul(b.gelu(b.linear(y, up, bias)), down), x))
    return b


def attention(**options: object) -> ttmlir.Builder:
    b = ttmlir.Builder("attention")
    q = b.input("q", (2, 6, 70, 64), "bf16")
    k, v = b.input("k", (2, 2, 70, 64), "bf16"), b.input("v", (2, 2, 70, 32), "bf16")
    b.output(b.scaled_dot_product_attention(q, k, v, **options))
    return b


def masked_attention() -> ttmlir.Builder:
    b = ttmlir.Builder("masked_attention")
    q = b.input("q", (2, 4, 33, 32), "bf16")
    k, v = b.input("k", (2, 4, 95, 32), "bf16"), b.input("v", (2, 4, 95, 32), "bf16")
    mask = b.input("mask", (2, 1, 1, 95), "bf16")
    b.output(
        b.scaled_dot_product_attention(q, k, v, attention_mask=mask, is_causal=False, scale=0.3)
    )
    return b


def encoder(heads: int = 4, kv_heads: int = 4, transposed: bool = False) -> ttmlir.Builder:
    """The projections of an attention as front ends write them; keys have no bias, and the last
    tiles of positions have padding."""
    b = ttmlir.Builder("encoder")
    width, places = 64, 70
    x = b.input("x", (2, places, 96), "bf16")

    def project(name: str, count: int, order: tuple[int, ...] = (0, 2, 1, 3)) -> ttmlir.Tensor:
        w = b.parameter(f"w{name}", (1, 96, count * width), "bf16")
        if name == "k":
            y = b.matmul(x, w)
        else:
            y = b.linear(x, w, b.parameter(f"b{name}", (count * width,), "bf16"))
        return b.permute(b.reshape(y, (2, places, count, width)), order)

    q = project("q", heads)
    k = project("k", kv_heads, (0, 2, 3, 1) if transposed else (0, 2, 1, 3))
    v = project("v", kv_heads)
    if transposed:
        y = b.matmul(b.gelu(b.matmul(q, k)), v)
    else:
        y = b.scaled_dot_product_attention(q, k, v, is_causal=False)
    y = b.reshape(b.permute(y, (0, 2, 1, 3)), (2, places, heads * width))
    b.output(b.matmul(y, b.parameter("wo", (1, heads * width, 96), "bf16")))
    return b


def cross_attention() -> ttmlir.Builder:
    """Keys and values of another input, and queries that are scaled."""
    b = ttmlir.Builder("cross_attention")
    x, y = b.input("x", (2, 33, 96), "bf16"), b.input("y", (2, 70, 96), "bf16")

    def project(name: str, source: ttmlir.Tensor, places: int) -> ttmlir.Tensor:
        z = b.matmul(source, b.parameter(f"w{name}", (1, 96, 128), "bf16"))
        if name == "q":
            z = b.multiply(z, b.full((1, 1, 1), 0.5, "bf16"))
        return b.permute(b.reshape(z, (2, places, 4, 32)), (0, 2, 1, 3))

    q, k, v = project("q", x, 33), project("k", y, 70), project("v", y, 70)
    z = b.scaled_dot_product_attention(q, k, v, is_causal=False)
    b.output(b.reshape(b.permute(z, (0, 2, 1, 3)), (66, 128)))
    return b


def normed_heads(users: int, places: int) -> ttmlir.Builder:
    """Projections with norms of queries and keys; reshapes alone make heads of one place."""
    b = ttmlir.Builder("normed_heads")
    x = b.input("x", (users, places, 96), "bf16")

    def project(name: str, count: int) -> ttmlir.Tensor:
        y = b.matmul(x, b.parameter(f"w{name}", (1, 96, count * 32), "bf16"))
        y = b.add(y, b.parameter(f"b{name}", (1, 1, count * 32), "bf16"))
        y = b.reshape(y, (users, places, count, 32))
        if name == "v" and places == 1:
            return b.reshape(y, (users, count, 1, 32))
        if name != "v":
            y = b.rms_norm(y, b.parameter(f"s{name}", (32,), "bf16"), normalized_shape=(32,))
        return b.permute(y, (0, 2, 1, 3))

    b.output(*(b.exp(project(name, count)) for name, count in (("q", 6), ("k", 2), ("v", 2))))
    return b


def sliced_heads() -> ttmlir.Builder:
    """One product, of which queries, keys and values are slices."""
    b = ttmlir.Builder("sliced_heads")
    x = b.input("x", (2, 70, 96), "bf16")
    y = b.matmul(x, b.parameter("w", (1, 96, 256), "bf16"))

    def part(first: int, count: int) -> ttmlir.Tensor:
        z = b.slice(y, (0, 0, first), (2, 70, first + count * 32))
        return b.permute(b.reshape(z, (2, 70, count, 32)), (0, 2, 1, 3))

    b.output(b.exp(part(128, 2)), b.exp(part(0, 4)), b.exp(part(192, 2)))
    return b


def inverted_residual() -> ttmlir.Builder:
    """A depthwise convolution between two others, with squeeze and excitation."""
    b = ttmlir.Builder("inverted_residual")
    x = b.input("x", (2, 27, 29, 48), "bf16")
    y = b.relu6(b.conv2d(x, b.input("up", (96, 48, 1, 1), "bf16")))
    y = b.conv2d(y, b.input("depth", (96, 1, 3, 3), "bf16"), padding=(1, 1), groups=96)
    y = b.relu6(y)
    z = b.mean(y, (1, 2), keep_dim=True)
    z = b.silu(b.conv2d(z, b.input("squeeze", (16, 96, 1, 1), "bf16")))
    z = b.sigmoid(b.conv2d(z, b.input("excite", (96, 16, 1, 1), "bf16")))
    y = b.conv2d(b.multiply(y, z), b.input("down", (48, 96, 1, 1), "bf16"))
    b.output(b.add(y, x))
    return b


def neck() -> ttmlir.Builder:
    """A small image grows, joins a large one, and a convolution with groups follows."""
    b = ttmlir.Builder("neck")
    x, y = b.input("x", (1, 9, 11, 64), "bf16"), b.input("y", (1, 18, 22, 32), "bf16")
    x = b.upsample(b.relu(x), 2)
    z = b.concat((x, b.relu(y)), 3)
    z = b.conv2d(z, b.input("w", (96, 24, 3, 3), "bf16"), padding=(1, 1), groups=4)
    b.output(b.upsample(b.silu(z), 2, "bilinear"))
    return b


def padded_images() -> ttmlir.Builder:
    """Convolutions that can pad their images themselves, one with more padding of its own, then
    three that cannot: padding is not zero, it is of channels, or another op reads it."""
    b = ttmlir.Builder("padded_images")
    x = b.input("x", (2, 24, 26, 32), "bf16")
    taps, deep = b.input("taps", (32, 1, 3, 3), "bf16"), b.input("deep", (32, 40, 1, 1), "bf16")

    def depthwise(x: ttmlir.Tensor, **options: object) -> ttmlir.Tensor:
        return b.relu(b.conv2d(x, taps, groups=32, **options))

    y = depthwise(b.pad(x, ((0, 0), (0, 1), (0, 1), (0, 0))), stride=(2, 2))
    y = depthwise(b.pad(y, ((0, 0), (2, 0), (1, 1), (0, 0))), padding=(1, 0, 0, 1))
    y = depthwise(b.pad(y, ((0, 0), (1, 1), (1, 1), (0, 0))))
    y = depthwise(b.pad(y, ((0, 0), (1, 1), (1, 1), (0, 0)), 0.5))
    y = b.relu(b.conv2d(b.pad(y, ((0, 0), (0, 0), (0, 0), (0, 8))), deep))
    y = b.pad(y, ((0, 0), (1, 1), (1, 1), (0, 0)))
    b.output(depthwise(y), b.exp(y))
    return b


PROGRAMS: dict[str, Callable[[], ttmlir.Builder]] = {
    "residual_block": residual_block,
    "feed_forward": feed_forward,
    "inverted_residual": inverted_residual,
    "neck": neck,
    "padded_images": padded_images,
    "attention": lambda: attention(is_causal=False),
    "causal_attention": attention,
    "window_attention": lambda: attention(sliding_window_size=17),
    "masked_attention": masked_attention,
    "encoder": encoder,
    "grouped_encoder": lambda: encoder(6, 2),
    "transposed_encoder": lambda: encoder(transposed=True),
    "cross_attention": cross_attention,
    "normed_heads": lambda: normed_heads(2, 70),
    "normed_heads_of_one_place": lambda: normed_heads(33, 1),
    "sliced_heads": sliced_heads,
}

#: Of the programs with heads.
JOINED = (
    "encoder",
    "grouped_encoder",
    "transposed_encoder",
    "cross_attention",
    "normed_heads",
    "normed_heads_of_one_place",
    "sliced_heads",
)


@pytest.mark.parametrize("target", ["n150", "p150"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_faster_and_equal(name: str, target: str) -> None:
    plain, fast = (
        ttmlir.compile(PROGRAMS[name](), target=target, optimization_level=level)
        for level in (0, 1)
    )
    arrays = _drawn(plain)
    for found, expected in zip(_run(fast, arrays), _run(plain, arrays), strict=True):
        np.testing.assert_array_equal(found, expected, strict=True)
    before, after = plain.report(), fast.report()
    assert after.cycles < before.cycles
    used = [max(op.l1_high_water for op in report.ops) for report in (before, after)]
    if "attention" not in name:  # one op: there is nothing between ops
        assert used[0] == 0 < used[1]


def test_convolutions_pad() -> None:
    report = ttmlir.compile(padded_images(), optimization_level=1).report()
    names = [op.name for op in report.ops if op.phase == "run" and op.kernels]
    assert (names.count("conv2d"), names.count("pad")) == (6, 3)


@pytest.mark.parametrize("name", JOINED)
def test_heads_are_split_by_one_op(name: str) -> None:
    report = ttmlir.compile(PROGRAMS[name](), optimization_level=1).report()
    names = [op.name for op in report.ops if op.phase == "run" and op.kernels]
    assert names.count("split_query_key_value_and_split_heads") == 1
    assert "permute" not in names
    products = {"sliced_heads": 1, "transposed_encoder": 4}.get(name, 1 if "normed" in name else 2)
    assert sum(name in ("linear", "matmul") for name in names) == products


@pytest.mark.parametrize("dtype", ["f32", "bf16", "bfp8", "i32"])
@pytest.mark.parametrize("width", [32, 24])
@pytest.mark.parametrize("transpose_key", [False, True])
def test_split_and_concatenation_move_elements(dtype: str, width: int, transpose_key: bool) -> None:
    """Whatever the elements are, and where heads do not begin with a tile, too."""

    def program() -> ttmlir.Builder:
        b = ttmlir.Builder()
        x, y = b.input("x", (2, 37, 4 * width), dtype), b.input("y", (2, 45, 4 * width), dtype)
        q, k, v = b.split_query_key_value_and_split_heads(
            x, kv_input_tensor=y, num_heads=4, num_kv_heads=2, transpose_key=transpose_key
        )
        b.output(q, k, v, b.concatenate_heads(q))
        return b

    plain, fast = (ttmlir.compile(program(), optimization_level=level) for level in (0, 1))
    rng = np.random.default_rng(0)
    arrays = [rng.integers(-99, 99, t.shape).astype(t.dtype) for t in plain.inputs]
    expected, found = plain(*arrays), fast(*arrays)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(np.asarray(a, "float32"), np.asarray(b, "float32"))
    names = [op.name for op in fast.report().ops if op.phase == "run" and op.kernels]
    assert names == ["split_query_key_value_and_split_heads", "concatenate_heads"]


def test_names_are_those_of_the_values() -> None:
    """A fused op has the value, and so the name, of the activation."""
    b = ttmlir.Builder()
    x, w = b.input("x", (64, 64), "bf16"), b.input("w", (64, 64), "bf16")
    b.output(b.exp(b.relu(b.matmul(x, w, name="product"), name="act")))
    report = ttmlir.compile(b, optimization_level=1).report()
    names = {op.label: op.name for op in report.ops if op.kernels and op.label}
    assert names["act"] == "matmul"
    assert "product" not in names


def test_what_does_not_fit_stays_in_dram() -> None:
    b = ttmlir.Builder()
    x = b.input("x", (1, 8192, 8192), "bf16")
    b.output(b.exp(b.relu(b.exp(x))))
    exe = ttmlir.compile(b, optimization_level=1, remarks="ttnn-optimizer")
    assert max(op.l1_high_water for op in exe.report().ops) == 0
    reasons = {remark.reason for remark in exe.remarks if remark.decision == "NotPlaced"}
    assert any("does not fit while it is needed" in reason for reason in reasons)


def test_a_halo_longer_than_the_image() -> None:
    b = ttmlir.Builder()
    x, w = b.input("x", (1, 7, 9, 8), "bf16"), b.input("w", (8, 8, 511, 3), "bf16")
    y = b.conv2d(b.relu(x), w, padding=(255, 1))
    b.output(b.exp(b.relu(b.conv2d(y, b.input("v", (8, 8, 1, 1), "bf16")))))
    exes = [ttmlir.compile(b, optimization_level=level) for level in (0, 1)]
    first, second = (np.asarray(exe(*_drawn(exes[0])), np.float32) for exe in exes)
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("target", ["n150", "p150"])
def test_norms_of_few_rows_use_a_row_of_cores(target: str) -> None:
    """A norm of 32 rows between products, as in a step of a decoder. One row of cores is an eighth
    of the n150's and less of the p150's; the norm takes four times as long elsewhere."""
    b = ttmlir.Builder("norm")
    x, up = b.input("x", (32, 4096), "bf16"), b.input("up", (4096, 4096), "bf16")
    weight, down = b.input("weight", (4096,), "bf16"), b.input("down", (4096, 4096), "bf16")
    h = b.matmul(x, up)
    b.output(b.add(b.matmul(b.rms_norm(h, weight), down), h))
    report = ttmlir.compile(b, target=target).estimate()
    (norm,) = (op for op in report.ops if "rms_norm" in op.name)
    (first, *_) = (op for op in report.ops if "matmul" in op.name)
    assert norm.cycles < 20_000 < first.cycles
