"""Matrix products, normalisations, embeddings and sliding windows."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ttmlir._mlir_literals import array, boolean, f32, integer
from ttmlir.builder._dtypes import is_float
from ttmlir.builder._functions import Functions
from ttmlir.builder._tensor import Tensor

Pair = tuple[int, int]
#: Padding of a window: (height, width) for both sides, or top, left, bottom and right.
Padding = tuple[int, int] | tuple[int, int, int, int]


def _sides(op: str, padding: Padding) -> tuple[int, int, int, int]:
    """Top, left, bottom and right."""
    if len(padding) == 2:
        return (padding[0], padding[1], padding[0], padding[1])
    if len(padding) == 4:
        return padding
    raise ValueError(f"{op}: expected a padding of 2 or 4 numbers, found {tuple(padding)}")


def _check_pairs(values: dict[str, Pair]) -> None:
    for key, value in values.items():
        if not isinstance(value, Sequence) or len(value) != 2:
            raise ValueError(f"{key}: expected (height, width), found {value!r}")


def _pairs(values: dict[str, Pair]) -> dict[str, str]:
    """Splits pairs into attributes, such as ``stride`` into ``stride_height`` and
    ``stride_width``."""
    _check_pairs(values)
    return {
        f"{key}_{side}": integer("si32", value[i])
        for key, value in values.items()
        for i, side in enumerate(("height", "width"))
    }


def _paddings(sides: tuple[int, int, int, int]) -> dict[str, str]:
    names = ("top", "left", "bottom", "right")
    return {f"padding_{n}": integer("si32", p) for n, p in zip(names, sides, strict=True)}


def _order_hint(x: Tensor, channels: int) -> str:
    """Returns a hint for an input that seems to be in PyTorch's channels-first order."""
    if x.rank != 4 or x.shape[3] == channels or x.shape[1] != channels:
        return ""
    return (
        f" (the input is read as N, H, W, C; {'x'.join(map(str, x.shape))} looks like N, C, H, W: "
        "use permute(x, (0, 2, 3, 1)))"
    )


class NNOps(Functions):
    """Ops of neural networks."""

    def matmul(
        self,
        a: Tensor,
        b: Tensor,
        *,
        transpose_a: bool = False,
        transpose_b: bool = False,
        name: str | None = None,
    ) -> Tensor:
        """Matrix product: (.., M, K) by (.., K, N) is (.., M, N); leading dimensions broadcast."""
        return self._product("matmul", (a, b), transpose_a, transpose_b, name)

    def linear(
        self,
        a: Tensor,
        b: Tensor,
        bias: Tensor | None = None,
        *,
        transpose_a: bool = False,
        transpose_b: bool = False,
        name: str | None = None,
    ) -> Tensor:
        """The matrix product of ``a`` and ``b`` plus ``bias``, which broadcasts."""
        inputs = (a, b) if bias is None else (a, b, bias)
        return self._product("linear", inputs, transpose_a, transpose_b, name)

    def _product(
        self,
        op: str,
        inputs: Sequence[Tensor],
        transpose_a: bool,
        transpose_b: bool,
        name: str | None,
    ) -> Tensor:
        self._check_inputs(op, inputs)
        self._same_dtype(op, inputs)
        swaps = {"transpose_a": transpose_a, "transpose_b": transpose_b}
        attributes = {key: "true" for key, value in swaps.items() if value}
        return self._build(op, inputs, attributes, name=name)

    def softmax(self, x: Tensor, dim: int = -1, *, name: str | None = None) -> Tensor:
        """Normalised exponentials along ``dim``."""
        return self._build("softmax", (x,), {"dimension": integer("si32", dim)}, name=name)

    def layer_norm(
        self,
        x: Tensor,
        weight: Tensor | None = None,
        bias: Tensor | None = None,
        *,
        normalized_shape: Sequence[int] | None = None,
        epsilon: float = 1e-5,
        name: str | None = None,
    ) -> Tensor:
        """Normalizes ``x`` over the last dimensions, those of ``normalized_shape`` (the last one if
        None): subtracts the mean, divides by the standard deviation, times ``weight`` plus
        ``bias``."""
        return self._norm("layer_norm", x, weight, bias, normalized_shape, epsilon, name)

    def rms_norm(
        self,
        x: Tensor,
        weight: Tensor | None = None,
        bias: Tensor | None = None,
        *,
        normalized_shape: Sequence[int] | None = None,
        epsilon: float = 1e-5,
        name: str | None = None,
    ) -> Tensor:
        """Divides ``x`` by its root mean square over the last dimensions, those of
        ``normalized_shape`` (the last one if None), times ``weight`` plus ``bias``."""
        return self._norm("rms_norm", x, weight, bias, normalized_shape, epsilon, name)

    def _norm(
        self,
        op: str,
        x: Tensor,
        weight: Tensor | None,
        bias: Tensor | None,
        normalized_shape: Sequence[int] | None,
        epsilon: float,
        name: str | None,
    ) -> Tensor:
        extents = normalized_shape or x.shape[-1:]
        inputs = [t for t in (x, weight, bias) if t is not None]
        self._same_dtype(op, inputs)
        attributes = {"normalized_shape": array("i64", extents), "epsilon": f32(epsilon)}
        segments = (1, int(weight is not None), int(bias is not None))
        return self._build(op, inputs, attributes, name=name, segments=segments)

    def embedding(self, indices: Tensor, table: Tensor, *, name: str | None = None) -> Tensor:
        """Looks up rows of ``table`` (rows, width) by ``indices``: (..) gives (.., width)."""
        self._check_indices("embedding", indices)
        return self._build("embedding", (indices, table), name=name, dtype=table.dtype)

    @staticmethod
    def _check_indices(op: str, indices: Tensor) -> None:
        if is_float(indices.dtype):
            raise ValueError(
                f"{op}: expected indices of an integer dtype such as u32, found {indices.dtype}"
            )

    def embedding_backward(
        self, indices: Tensor, table: Tensor, gradient: Tensor, *, name: str | None = None
    ) -> Tensor:
        """Gradient of ``table``, given that of ``embedding(indices, table)``."""
        self._check_indices("embedding_backward", indices)
        inputs = (indices, table, gradient)
        return self._build("embedding_backward", inputs, name=name, dtype=table.dtype)

    # Sliding windows -----------------------------------------------------------------------------

    def conv2d(
        self,
        x: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        *,
        stride: Pair = (1, 1),
        dilation: Pair = (1, 1),
        padding: Padding = (0, 0),
        groups: int = 1,
        name: str | None = None,
    ) -> Tensor:
        """Convolves ``x`` (N, H, W, C) with ``weight`` (O, C / groups, KH, KW) to (N, H', W', O).

        ``bias`` is (1, 1, 1, O); ``padding`` is (height, width) for both sides, or (top, left,
        bottom, right).
        """
        inputs = (x, weight) if bias is None else (x, weight, bias)
        self._same_dtype("conv2d", inputs)
        sides = _sides("conv2d", padding)
        attributes = _pairs({"stride": stride, "dilation": dilation}) | _paddings(sides)
        attributes["groups"] = integer("si32", groups)
        try:
            return self._build("conv2d", inputs, attributes, name=name)
        except ValueError as error:
            channels = weight.shape[1] * groups if weight.rank > 1 else 0
            raise ValueError(f"{error}{_order_hint(x, channels)}") from None

    def conv_transpose2d(
        self,
        x: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        *,
        stride: Pair = (1, 1),
        padding: Padding = (0, 0),
        output_padding: Pair = (0, 0),
        dilation: Pair = (1, 1),
        groups: int = 1,
        name: str | None = None,
    ) -> Tensor:
        """Transposed convolution of ``x`` (N, H, W, C) with ``weight`` (C, O / groups, KH, KW) and
        ``bias`` (1, 1, 1, O)."""
        inputs = (x, weight) if bias is None else (x, weight, bias)
        self._same_dtype("conv_transpose2d", inputs)
        attributes = {
            "stride": array("i32", stride),
            "padding": array("i32", _sides("conv_transpose2d", padding)),
            "output_padding": array("i32", output_padding),
            "dilation": array("i32", dilation),
            "groups": integer("i32", groups),
        }
        return self._build("conv_transpose2d", inputs, attributes, name=name)

    def prepare_conv2d_weights(self, weight: Tensor, *, name: str | None = None) -> Tensor:
        """Rearranges ``weight`` (O, C, KH, KW) into the matrix that the convolution multiplies by,
        (1, 1, KH * KW * C, O)."""
        return self._build("prepare_conv2d_weights", (weight,), {}, name=name)

    def unfold(
        self,
        x: Tensor,
        kernel: Pair,
        *,
        channels: int,
        stride: Pair = (1, 1),
        dilation: Pair = (1, 1),
        name: str | None = None,
    ) -> Tensor:
        """Extracts sliding windows of ``x`` (N, H, W * channels) as the rows of a matrix
        (N * H' * W', KH * KW * channels)."""
        window = {"kernel": kernel, "stride": stride, "dilation": dilation}
        _check_pairs(window)
        attributes = {key: array("i32", value) for key, value in window.items()}
        attributes["channels"] = integer("i64", channels)
        return self._build("unfold", (x,), attributes, name=name)

    def max_pool2d(
        self,
        x: Tensor,
        kernel: Pair,
        *,
        stride: Pair | None = None,
        dilation: Pair = (1, 1),
        padding: Padding = (0, 0),
        ceil_mode: bool = False,
        name: str | None = None,
    ) -> Tensor:
        """Maximum over a window sliding over ``x`` (N, H, W, C); the stride defaults to
        ``kernel``."""
        return self._pool("max_pool2d", x, kernel, stride, dilation, padding, ceil_mode, {}, name)

    def avg_pool2d(
        self,
        x: Tensor,
        kernel: Pair,
        *,
        stride: Pair | None = None,
        dilation: Pair = (1, 1),
        padding: Padding = (0, 0),
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        name: str | None = None,
    ) -> Tensor:
        """Mean over a window sliding over ``x`` (N, H, W, C); the stride defaults to ``kernel``."""
        own = {"count_include_pad": boolean(count_include_pad)}
        return self._pool("avg_pool2d", x, kernel, stride, dilation, padding, ceil_mode, own, name)

    def max_pool2d_with_indices(
        self,
        x: Tensor,
        kernel: Pair,
        *,
        stride: Pair | None = None,
        dilation: Pair = (1, 1),
        padding: Padding = (0, 0),
        ceil_mode: bool = False,
        name: str | None = None,
    ) -> tuple[Tensor, ...]:
        """Maximum over a window sliding over ``x`` (N, H, W, C), and its index within H x W in
        i32."""
        op = "max_pool2d_with_indices"
        pairs = {"kernel": kernel, "stride": stride or kernel, "dilation": dilation}
        _check_pairs(pairs)
        window = pairs | {"padding": _sides(op, padding)}
        attributes = {key: array("i32", value) for key, value in window.items()}
        attributes["ceil_mode"] = boolean(ceil_mode)
        return self._build_all(op, (x,), attributes, [x.dtype, "i32"], name)

    def resize(
        self,
        x: Tensor,
        sizes: Sequence[int],
        mode: str = "nearest",
        *,
        coordinates: str = "half_pixel",
        nearest: str = "round_prefer_floor",
        cubic_coefficient: float = -0.75,
        exclude_outside: bool = False,
        antialias: bool = False,
        scales: Sequence[float] | None = None,
        region: Sequence[float] | None = None,
        extrapolation: float = 0.0,
        name: str | None = None,
    ) -> Tensor:
        """Resizes ``x`` to the extents ``sizes`` with the interpolation of ONNX's Resize."""
        attributes = {
            "sizes": array("i64", sizes),
            "mode": json.dumps(str(mode)),
            "coordinates": json.dumps(str(coordinates)),
            "nearest": json.dumps(str(nearest)),
            "cubic_coefficient": f32(cubic_coefficient),
            "exclude_outside": boolean(exclude_outside),
            "antialias": boolean(antialias),
            "extrapolation": f32(extrapolation),
        }
        for key, values in {"scales": scales, "region": region}.items():
            if values is not None:
                numbers = ", ".join(f32(value).partition(" ")[0] for value in values)
                attributes[key] = f"array<f32: {numbers}>"
        return self._build("resize", (x,), attributes, name=name)

    def _pool(
        self,
        op: str,
        x: Tensor,
        kernel: Pair,
        stride: Pair | None,
        dilation: Pair,
        padding: Padding,
        ceil_mode: bool,
        own: dict[str, str],
        name: str | None,
    ) -> Tensor:
        attributes = _pairs({"kernel": kernel, "stride": stride or kernel, "dilation": dilation})
        attributes |= _paddings(_sides(op, padding)) | {"ceil_mode": boolean(ceil_mode)} | own
        return self._build(op, (x,), attributes, name=name)

    def upsample(
        self,
        x: Tensor,
        scale_factor: int | Pair,
        mode: str = "nearest",
        *,
        name: str | None = None,
    ) -> Tensor:
        """Upsamples ``x`` (N, H, W, C); ``mode`` is ``nearest`` or ``bilinear``."""
        factors = (scale_factor,) * 2 if isinstance(scale_factor, int) else scale_factor
        attributes = {"scale_factor": array("i32", factors), "mode": json.dumps(str(mode))}
        return self._build("upsample", (x,), attributes, name=name)
