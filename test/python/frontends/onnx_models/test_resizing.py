"""Images at other extents and at places between their elements."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from nodes import check, node_model, random, reference, run

from ttmlir.errors import CompileError

LIST = np.array([], np.float32)


def resize(x: Any, *, scales: Any = None, sizes: Any = None, roi: Any = None, **named: Any) -> None:
    known: dict[str, Any] = {}
    if roi is not None:
        known["roi"] = np.array(roi, np.float32)
    if scales is not None:
        known["scales"] = np.array(scales, np.float32)
    if sizes is not None:
        known["sizes"] = np.array(sizes, np.int64)
    order = ["x", *(n if n in known else "" for n in ("roi", "scales", "sizes"))]
    check("Resize", {"x": x}, known=known, order=order, rtol=1e-4, **named)


COORDINATES = [
    "half_pixel",
    "half_pixel_symmetric",
    "pytorch_half_pixel",
    "align_corners",
    "asymmetric",
]


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
def test_modes(mode: str, coordinates: str) -> None:
    x = random(1, 2, 4, 5)
    named = {"mode": mode, "coordinate_transformation_mode": coordinates}
    resize(x, scales=[1, 1, 1.7, 0.6], **named)
    resize(x, sizes=[1, 2, 3, 9], **named)


@pytest.mark.parametrize("nearest", ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"])
def test_nearest(nearest: str) -> None:
    resize(random(1, 1, 4, 4), scales=[1, 1, 2, 0.5], mode="nearest", nearest_mode=nearest)


@pytest.mark.parametrize("mode", ["linear", "cubic"])
def test_smaller_with_antialias(mode: str) -> None:
    resize(random(1, 1, 8, 9), sizes=[1, 1, 3, 4], mode=mode, antialias=1)


def test_cubic_options() -> None:
    named = {"mode": "cubic", "cubic_coeff_a": -0.5, "exclude_outside": 1}
    resize(random(1, 1, 5, 5), scales=[1, 1, 0.8, 1.6], **named)


@pytest.mark.parametrize("policy", ["not_larger", "not_smaller"])
@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_aspect_ratio(policy: str, mode: str) -> None:
    resize(random(2, 4), sizes=[7, 8], mode=mode, keep_aspect_ratio_policy=policy)


def test_some_axes() -> None:
    resize(random(2, 3, 4, 5), scales=[2.0, 3.0], axes=[3, 2], mode="linear")
    resize(random(1, 1, 3, 4), sizes=[8, 7], axes=[2, 3], mode="nearest")


def test_region() -> None:
    named = {
        "coordinate_transformation_mode": "tf_crop_and_resize",
        "mode": "linear",
        "extrapolation_value": 10.0,
    }
    region = [0, 0, 0.4, 0.6, 1, 1, 1.2, 1.7]
    resize(random(1, 1, 4, 4), sizes=[1, 1, 3, 3], roi=region, **named)


def test_integers() -> None:
    resize(random(1, 1, 4, 4, dtype=np.int8), scales=[1, 1, 2, 2], mode="nearest")


def test_old_opsets() -> None:
    x = random(1, 1, 2, 3)
    expected = x.repeat(2, 2).repeat(3, 3)
    named = {"mode": "nearest", "expected": [expected]}
    check("Upsample", {"x": x}, opset=7, scales=[1.0, 1.0, 2.0, 3.0], **named)
    known = {"s": np.array([1, 1, 2, 3], np.float32)}
    check("Upsample", {"x": x}, known=known, opset=9, **named)
    check("Resize", {"x": x}, known=known, opset=10, **named)


# Places between elements -------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("align", [0, 1])
def test_grid_sample(mode: str, padding: str, align: int) -> None:
    grid = 1.5 * random(2, 3, 4, 2, seed=1)
    inputs = {"x": random(2, 3, 5, 6), "g": grid}
    named = {"mode": mode, "padding_mode": padding, "align_corners": align}
    if (mode, padding) != ("cubic", "border"):
        check("GridSample", inputs, rtol=1e-3, atol=1e-4, **named)
        return
    # onnx's reference moves places to the border first. PyTorch and ONNX Runtime go on behind it:
    # so does an image with a wide border of its own.
    wide, scale = 40, np.array([6, 5], np.float32) - align
    image = np.pad(inputs["x"], [(0, 0), (0, 0), (wide, wide), (wide, wide)], "edge")
    around = {"x": image, "g": (grid * scale / (scale + 2 * wide)).astype(np.float32)}
    more = {"mode": "cubic", "align_corners": align}
    expected = reference(node_model("GridSample", around, **more), around)
    check("GridSample", inputs, expected=expected, rtol=1e-3, atol=1e-3, **named)


@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_grid_sample_of_volumes(mode: str) -> None:
    inputs = {"x": random(1, 2, 3, 4, 5), "g": random(1, 2, 3, 2, 3, seed=1)}
    check("GridSample", inputs, mode=mode, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("align", [0, 1])
def test_affine_grid(align: int) -> None:
    known = {"size": np.array([2, 3, 4, 5], np.int64)}
    check("AffineGrid", {"t": random(2, 2, 3)}, known=known, align_corners=align)


REGIONS = np.array([[1, 1, 8, 7], [0, 2, 3, 9], [-2, 4, 14, 5]], np.float32)


@pytest.mark.parametrize("mode", ["avg", "max"])
@pytest.mark.parametrize("coordinates", ["half_pixel", "output_half_pixel"])
def test_roi_align(mode: str, coordinates: str) -> None:
    inputs = {"x": random(2, 3, 10, 12), "r": REGIONS, "i": np.array([0, 1, 1], np.int64)}
    check(
        "RoiAlign",
        inputs,
        mode=mode,
        coordinate_transformation_mode=coordinates,
        output_height=3,
        output_width=4,
        sampling_ratio=2,
        spatial_scale=0.75,
        rtol=1e-3,
        atol=1e-4,
    )


def test_roi_align_with_samples_by_values() -> None:
    inputs = {"x": random(1, 1, 8, 8), "r": REGIONS[:1], "i": np.array([0], np.int64)}
    model = node_model("RoiAlign", inputs)
    with pytest.raises(CompileError, match="set sampling_ratio"):
        run(model, inputs)


# Windows that are put back -----------------------------------------------------------------------


def test_col2im() -> None:
    known = {"image": np.array([5, 6], np.int64), "block": np.array([2, 3], np.int64)}
    named = {"pads": [1, 0, 1, 1], "strides": [2, 1], "dilations": [1, 2]}
    check("Col2Im", {"x": random(2, 12, 9)}, known=known, **named)


def test_max_unpool() -> None:
    x = random(1, 1, 2, 2)
    places = np.array([[[[0, 3], [9, 10]]]], np.int64)
    named = {"kernel_shape": [2, 2], "strides": [2, 2]}
    check("MaxUnpool", {"x": x, "i": places}, **named)
    check("MaxUnpool", {"x": x, "i": places}, known={"s": np.array([1, 1, 5, 6])}, **named)


def test_places_are_computed_in_f32() -> None:
    x = random(1, 2, 40, 40)
    inputs = {"x": x, "r": 4 * REGIONS[:1], "i": np.array([0], np.int64)}
    model = node_model("RoiAlign", inputs, output_height=5, output_width=5, sampling_ratio=2)
    (exact,), (found,) = run(model, inputs), run(model, inputs, dtype="bf16")
    np.testing.assert_allclose(found.astype(np.float32), exact, rtol=0.02, atol=0.02)
