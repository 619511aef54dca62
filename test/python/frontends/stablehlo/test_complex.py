"""Complex numbers of JAX and StableHLO: values against NumPy, and how they go in and out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from complex_functions import BACKENDS, Backend, Case, cases, run
from ttrt_process import ttrt_in
from ways import IMPORTER, PLUGIN, Way, through

import ttmlir

Z = (np.arange(12).reshape(3, 4) - 3 + 2j * np.arange(12).reshape(3, 4) ** 0.5).astype(np.complex64)


@pytest.mark.sampled(40)
@pytest.mark.parametrize("case", [pytest.param(c, id=c.id) for c in cases()])
def test_function(case: Case) -> None:
    assert run(case) == ""


# Special values ----------------------------------------------------------------------------------

GREAT = np.float32(3e38)
SPECIAL = np.array(
    [0, 1, -1, 1j, -1j, GREAT, -GREAT * 1j, GREAT * 0.6 * (1 + 1j), 1e-30 + 1e-30j, 1e20 + 1e-20j],
    np.complex64,
)
NOT_FINITE = np.array([np.inf, -np.inf, complex(np.inf, 3), complex(2, -np.inf)], np.complex64)


def both_of(z: Any) -> tuple[Any, ...]:
    return tuple(np.ascontiguousarray(part) for part in (z.real, z.imag))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["abs", "sqrt", "log", "sign", "reciprocal", "tanh"])
def test_range(name: str, backend: Backend) -> None:
    """Where the result is in range, nothing on the way leaves it."""
    z = SPECIAL[1:] if name in ("log", "reciprocal") else SPECIAL
    z = z[np.abs(z.astype(np.complex128)) < 1e38] if name == "reciprocal" else z
    with np.errstate(all="ignore"):
        want = getattr(np, name)(z.astype(np.complex128)).astype(np.complex64)
    found = ttmlir.compile(getattr(jnp, name), z, backend=backend)(z)
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-38)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["abs", "sqrt", "conj", "isfinite", "real"])
def test_infinity(name: str, backend: Backend) -> None:
    found = np.asarray(ttmlir.compile(getattr(jnp, name), NOT_FINITE, backend=backend)(NOT_FINITE))
    want = getattr(np, name)(NOT_FINITE)
    for ours, theirs in zip(both_of(found), both_of(want), strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("backend", BACKENDS)
def test_division(backend: Backend) -> None:
    x = np.array([GREAT, 1e-30, 1 + 1j, 2, 3j, 1, 1j], np.complex64)
    y = np.array(
        [GREAT * (0.5 + 0.5j), 1e-30j, 0, np.inf, -np.inf, complex(0, np.inf), 0], np.complex64
    )
    found = np.asarray(ttmlir.compile(jnp.divide, x, y, backend=backend)(x, y))
    np.testing.assert_allclose(found[:2], [1 - 1j, -1j], rtol=1e-6)
    assert np.isinf(found[2])
    assert np.isinf(found[6].imag)
    np.testing.assert_array_equal(np.abs(found[3:6]), 0)


_CUTS = "sqrt log arccos arcsin arctan arccosh arcsinh arctanh"


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", _CUTS.split())
def test_branch_cuts(name: str, backend: Backend) -> None:
    """The sign of a zero part tells the side."""
    sides, places = (0.0, -0.0), (2.0, -2.0)
    along = [complex(place, side) for place in places for side in sides]
    z = np.array([*along, *(complex(w.imag, w.real) for w in along)], np.complex64)
    want = getattr(np, name)(z)
    found = ttmlir.compile(getattr(jnp, name), z, backend=backend)(z)
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-6)


# Gradients ---------------------------------------------------------------------------------------


def _of_transform(x: Any) -> Any:
    return jnp.sum(jnp.abs(jnp.fft.rfft(x)) ** 3)


def _of_angles(x: Any) -> Any:
    return jnp.sum(jnp.real(jnp.exp(1j * x) * jnp.log(2 + 1j * x)))


def _of_complex(z: Any) -> Any:
    return jnp.sum(jnp.abs(jnp.tanh(z) @ z.T) ** 2)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("function", [_of_transform, _of_angles, _of_complex])
def test_gradient(function: Any, backend: Backend) -> None:
    x = Z * 0.1 if function is _of_complex else np.ascontiguousarray(Z.real)
    with jax.default_matmul_precision("highest"):
        want = np.asarray(jax.grad(function)(x))
        found = np.asarray(ttmlir.compile(jax.grad(function), x, backend=backend)(x))
    assert found.dtype == want.dtype
    np.testing.assert_allclose(found, want, atol=1e-5 * np.abs(want).max())


def test_holomorphic_gradient() -> None:
    slope = jax.grad(lambda z: jnp.sum(z**3), holomorphic=True)
    np.testing.assert_allclose(ttmlir.compile(slope, Z)(Z), 3 * Z**2, rtol=1e-6)


# Arguments and results ---------------------------------------------------------------------------


def test_inputs_are_complex() -> None:
    exe = ttmlir.compile(lambda z, s: (z * s, jnp.abs(z)), Z, np.complex64(2j))
    assert "(3x4 complex64, scalar complex64) -> 3x4 complex64, 3x4 float32" in repr(exe)
    first, second = exe.inputs
    assert (first.shape, first.dtype, first.device_shape) == ((3, 4), "complex64", (2, 3, 4))
    assert (second.shape, second.dtype, second.device_shape) == ((), "complex64", (2,))
    assert [info.dtype for info in exe.outputs] == ["complex64", "float32"]
    found, size = exe(Z, 2j)
    np.testing.assert_array_equal(found, Z * np.complex64(2j))
    np.testing.assert_allclose(size, np.abs(Z), rtol=1e-6)
    # As in JAX, a real array becomes a complex one.
    np.testing.assert_array_equal(exe(Z.real.copy(), 2j)[0], Z.real * np.complex64(2j))
    with pytest.raises(ttmlir.InputError, match="expected"):
        exe(Z.T, 2j)
    real = ttmlir.compile(jnp.sin, np.ones(3, np.float32))
    with pytest.raises(ttmlir.InputError, match="expected an array of float32, found complex64"):
        real(np.ones(3, np.complex64))


def test_saved(tmp_path: Path) -> None:
    exe = ttmlir.compile(lambda z: jnp.fft.fft(z), Z)
    path = tmp_path / "transform.ttnn"
    exe.save(path)
    loaded = ttmlir.load(path)
    assert (loaded.inputs[0].dtype, loaded.outputs[0].dtype) == ("complex64", "complex64")
    np.testing.assert_array_equal(loaded(Z), exe(Z))
    done = ttrt_in(tmp_path)("run", path, "--non-zero", "--save-artifacts")
    assert done.returncode == 0, done.stdout + done.stderr
    tensors = list(tmp_path.rglob("program_0_output_0.*"))
    assert len(tensors) == 1


def test_donated() -> None:
    step = jax.jit(lambda z, w: (z * w, jnp.real(w)), donate_argnums=0)
    exe = ttmlir.compile(step, Z, Z)
    assert exe.inputs[0].aliased_output == 0
    np.testing.assert_allclose(exe(Z.copy(), Z)[0], Z * Z, rtol=1e-6)


def test_text() -> None:
    text = """
    func.func @main(%z: tensor<2xcomplex<f32>>) -> (tensor<2xcomplex<f32>>, tensor<2xf32>) {
      %c = stablehlo.constant dense<[(1.0,2.0), (0.0,-1.0)]> : tensor<2xcomplex<f32>>
      %0 = stablehlo.multiply %z, %c : tensor<2xcomplex<f32>>
      %1 = stablehlo.imag %c : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
      return %0, %1 : tensor<2xcomplex<f32>>, tensor<2xf32>
    }"""
    z = np.array([1j, 2], np.complex64)
    product, imag = ttmlir.compile(text)(z)
    np.testing.assert_array_equal(product, z * np.array([1 + 2j, -1j], np.complex64))
    np.testing.assert_array_equal(imag, [2, -1])


@pytest.mark.parametrize(
    "way", [p.values[0] for n in (IMPORTER, PLUGIN) for p in through(n, [pytest.param(id="")])]
)
def test_ways(way: Way) -> None:
    """Through the importer, and as a program of the device."""
    found = way.run(lambda z: (jnp.fft.fft2(z) * 2j, jnp.abs(z)), (Z,))
    np.testing.assert_allclose(found[0], np.fft.fft2(Z) * 2j, rtol=1e-5, atol=1e-4)
    np.testing.assert_allclose(found[1], np.abs(Z), rtol=1e-6)


def test_compared() -> None:
    """The accuracy of a program, in float64 and with JAX's own values."""
    exe = ttmlir.compile(lambda z: jnp.exp(z * 0.1) @ z.T, Z)
    comparison = exe.compare("f64", Z)
    assert [row.is_off for row in comparison.outputs] == [False]
    assert comparison.outputs[0].pcc > 0.99999
    # Real parts are not compared with complex numbers.
    assert not any(row.is_off for row in comparison.compared)


REFUSED = {
    lambda z: z.at[jnp.array([1, 1])].multiply(2j): "only updates by set, add, subtract, multiply",
    lambda z: jnp.linalg.eig(z[:3, :3]): "'eig': JAX has it for some platforms only",
}


@pytest.mark.parametrize("function", REFUSED)
def test_refused(function: Any) -> None:
    with pytest.raises(ttmlir.CompileError, match=REFUSED[function]):
        ttmlir.compile(function, Z)
