"""Complex numbers of programs of the builder: pairs of parts that callers see as one array."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest

import ttmlir

Z = np.array([[1 + 2j, -3j], [0.5, 4 - 1j], [2j, 7]], np.complex64)


def product(dtype: Any = "f32") -> ttmlir.Builder:
    """Multiplies by i, and returns the real parts, too."""
    b = ttmlir.Builder("turned")
    z = b.input("z", (2, *Z.shape), dtype, is_complex=True)
    real, imag = (b.slice(z, [i, 0, 0], [i + 1, *Z.shape]) for i in range(2))
    b.output(b.concat([b.neg(imag), real], 0), real, complex_results=[0])
    return b


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
@pytest.mark.parametrize(("dtype", "name"), [("f32", "complex64"), ("f64", "complex128")])
def test_arrays(backend: Literal["ttnn", "ttmetal"], dtype: str, name: str) -> None:
    exe = ttmlir.compile(product(dtype), backend=backend)
    turned, real = exe(Z.astype(name))
    assert turned.dtype == name
    np.testing.assert_array_equal(turned, Z * 1j)
    np.testing.assert_array_equal(real[0], Z.real)
    # A real array, numbers, and tensors of the program's own type.
    np.testing.assert_array_equal(exe(np.ascontiguousarray(Z.real))[0], Z.real * 1j)
    np.testing.assert_array_equal(exe(Z.tolist())[0], Z * 1j)
    np.testing.assert_array_equal(exe(exe.place(0, Z.astype(name)))[0], Z * 1j)


def test_bound() -> None:
    b = ttmlir.Builder("scaled")
    x = b.input("x", (2, 3))
    w = b.input("w", (2, 3), argument_type="parameter", is_complex=True)
    b.output(b.multiply(x, w))
    exe = ttmlir.compile(b)
    exe.bind(w=Z[:, 0].copy())
    np.testing.assert_array_equal(exe(np.ones((2, 3), np.float32)), [Z[:, 0].real, Z[:, 0].imag])


@pytest.mark.parametrize(
    ("shape", "dtype"), [((3, 2), "f32"), ((), "f32"), ((2, 3), "bf16"), ((2, 3), "i32")]
)
def test_other_inputs(shape: tuple[int, ...], dtype: str) -> None:
    with pytest.raises(ValueError, match="input 'z': expected real and imaginary parts"):
        ttmlir.Builder("f").input("z", shape, dtype, is_complex=True)


def test_other_outputs() -> None:
    b = ttmlir.Builder("f")
    x = b.input("x", (3, 2))
    with pytest.raises(ValueError, match="output 0: expected real and imaginary parts"):
        b.output(x, complex_results=[0])


def test_other_arguments() -> None:
    exe = ttmlir.compile(product())
    for wrong in (Z.T, Z.astype(np.complex128), np.stack([Z.real, Z.imag])):
        with pytest.raises(ttmlir.InputError, match="expected 3x2 complex64"):
            exe(wrong)
