"""How many places a window has: torch with ceil_mode, JAX with padding of two kinds, the builder,
the compiler and the emulator all say the same."""

from __future__ import annotations

import itertools

import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import ttmlir

torch = pytest.importorskip("torch")


def torch_extent(extent: int, kernel: int, stride: int, dilation: int, padding: int) -> int:
    """0 where torch has no result."""
    try:
        return torch.nn.functional.max_pool1d(
            torch.zeros(1, 1, extent), kernel, stride, padding, dilation, ceil_mode=True
        ).shape[-1]
    except RuntimeError:
        return 0


def test_ceil_mode_is_torchs() -> None:
    b, checked = ttmlir.Builder(), 0
    for extent, kernel, stride, dilation in itertools.product(
        (1, 2, 3, 4, 5, 7, 8, 13, 112, 224), (1, 2, 3, 5), (1, 2, 3, 4, 7), (1, 2)
    ):
        for padding in range(kernel // 2 + 1):
            expected = torch_extent(extent, kernel, stride, dilation, padding)
            # torch also rounds up to a window that does not fit once; here it is an error.
            if expected and dilation * (kernel - 1) < extent + 2 * padding:
                pooled = b.max_pool2d(
                    b.full((1, extent, 1, 1), 0.0),
                    (kernel, 1),
                    stride=(stride, 1),
                    dilation=(dilation, 1),
                    padding=(padding, 0),
                    ceil_mode=True,
                )
                case = (extent, kernel, stride, dilation, padding)
                assert pooled.shape == (1, expected, 1, 1), case
                checked += 1
    assert checked > 500


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
@pytest.mark.parametrize(
    ("extent", "kernel", "stride", "padding"), [(4, 2, 3, 1), (5, 2, 3, 1), (55, 3, 2, 0)]
)
def test_last_window(backend: str, extent: int, kernel: int, stride: int, padding: int) -> None:
    b = ttmlir.Builder()
    x = b.input("x", (1, extent, 3, 4))
    options = {"stride": (stride, 1), "padding": (padding, 0), "ceil_mode": True}
    b.output(
        b.max_pool2d(x, (kernel, 1), **options),
        b.avg_pool2d(x, (kernel, 1), **options, count_include_pad=False),
    )
    array = np.random.default_rng(3).standard_normal((1, extent, 3, 4)).astype(np.float32)
    largest, mean = ttmlir.compile(b, backend=backend)(array)
    image = torch.from_numpy(array).permute(0, 3, 1, 2)
    window = ((kernel, 1), (stride, 1), (padding, 0))
    pooled = torch.nn.functional.max_pool2d(image, *window, ceil_mode=True)
    np.testing.assert_array_equal(largest, pooled.permute(0, 2, 3, 1).numpy())
    pooled = torch.nn.functional.avg_pool2d(image, *window, True, False)
    np.testing.assert_allclose(mean, pooled.permute(0, 2, 3, 1).numpy(), rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
@pytest.mark.parametrize(
    ("extent", "kernel", "stride", "low", "high"),
    [(6, 7, 1, 0, 1), (6, 7, 1, 1, 0), (3, 5, 2, 1, 3)],
)
def test_kernel_longer_than_the_input(
    backend: str, extent: int, kernel: int, stride: int, low: int, high: int
) -> None:
    b = ttmlir.Builder()
    x = b.input("x", (1, extent, 2, 3))
    b.output(b.max_pool2d(x, (kernel, 1), stride=(stride, 1), padding=(low, 0, high, 0)))
    array = np.random.default_rng(5).standard_normal((1, extent, 2, 3)).astype(np.float32)
    expected = lax.reduce_window(
        jnp.asarray(array),
        -np.inf,
        lax.max,
        (1, kernel, 1, 1),
        (1, stride, 1, 1),
        ((0, 0), (low, high), (0, 0), (0, 0)),
    )
    np.testing.assert_array_equal(ttmlir.compile(b, backend=backend)(array), expected)


def test_window_that_does_not_fit() -> None:
    b = ttmlir.Builder()
    x = b.input("x", (1, 6, 4, 1))
    with pytest.raises(
        ValueError, match="Kernel height 8 is greater than input height 6 with padding 0"
    ):
        b.max_pool2d(x, (8, 1), padding=(0, 0, 1, 0))
