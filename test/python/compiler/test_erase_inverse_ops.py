"""``ttir-erase-inverse-ops`` and ``ttir-fusing`` do not change what programs compute."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ttmlir

Array = np.ndarray[Any, Any]

NCHW, NHWC = (0, 3, 1, 2), (0, 2, 3, 1)
#: Of rank 4, so that random programs meet inverses.
ORDERS = (NCHW, NHWC, (0, 2, 1, 3), (3, 2, 1, 0), (1, 0, 3, 2), (2, 3, 0, 1))


class Programs:
    """A random program of permutations and of ops that may have any order of dimensions."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.builder = ttmlir.Builder()
        shape = tuple(int(n) for n in self.rng.integers(1, 7, 4))
        self.arrays: dict[str, Array] = {}
        self.values = [self.input(shape)]
        for _ in range(int(self.rng.integers(8, 24))):
            self.values.append(self.step())
        made = self.values[1:]
        outputs = {id(v): v for v in [made[-1], self.pick(made), self.pick(made)]}
        self.builder.output(*outputs.values())

    def pick(self, options: Any) -> Any:
        return options[int(self.rng.integers(len(options)))]

    def input(self, shape: tuple[int, ...]) -> Any:
        name = f"x{len(self.arrays)}"
        self.arrays[name] = self.rng.uniform(-1, 1, shape).astype(np.float32)
        kind = self.pick(["input", "parameter"]) if self.arrays else "input"
        return self.builder.input(name, shape, "f32", argument_type=kind)

    def like(self, x: Any) -> Any:
        """An operand that broadcasts with ``x``."""
        same = [v for v in self.values if v.shape == x.shape]
        if same and self.rng.random() < 0.6:
            return self.pick(same)
        shape = tuple(1 if self.rng.random() < 0.5 else n for n in x.shape)
        shape = shape[int(self.rng.integers(0, 4)) :] if self.rng.random() < 0.3 else shape
        if self.rng.random() < 0.4:
            number = float(self.rng.integers(1, 4))
            return self.builder.constant(np.float32(number), shape=shape or (1,), dtype="f32")
        return self.input(shape or (1,))

    def step(self) -> Any:
        b, x = self.builder, self.pick(self.values[-6:])
        if len(x.shape) != 4:
            x = self.values[0]
        dim = int(self.rng.integers(4))
        what = self.rng.random()
        if what < 0.4:
            return b.permute(x, self.pick(ORDERS))
        if what < 0.5:
            return self.pick([b.relu, b.abs, b.neg])(x)
        if what < 0.7:
            y = self.like(x)
            return self.pick([b.add, b.multiply, b.maximum])(*self.pick([(x, y), (y, x)]))
        if what < 0.75:
            return b.concat([x, self.pick([v for v in self.values if v.shape == x.shape])], dim)
        if what < 0.8:
            return b.pad(x, [(0, 1) if i == dim else (0, 0) for i in range(4)], 0.5)
        if what < 0.85:
            first = int(self.rng.integers(x.shape[dim]))
            begins = [first if i == dim else 0 for i in range(4)]
            return b.slice(x, begins, list(x.shape))
        if what < 0.88:
            return b.softmax(x, dim)
        if what < 0.92:
            factors = [self.pick([1, 2]) if i == dim else 1 for i in range(4)]
            sizes = [n * factor for n, factor in zip(x.shape, factors, strict=True)]
            return b.resize(x, sizes, self.pick(["nearest", "linear"]))
        keep = bool(self.rng.random() < 0.6)
        return self.pick([b.sum, b.max, b.mean])(x, dim=[dim, (dim + 1) % 4], keep_dim=keep)

    def run(self, **options: Any) -> list[Array]:
        exe = ttmlir.compile(self.builder, **options)
        found = exe(*self.arrays.values())
        return list(found) if isinstance(found, tuple | list) else [found]


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
@pytest.mark.parametrize("seed", range(40))
def test_random_programs(backend: str, seed: int) -> None:
    program = Programs(seed)
    expected = program.run(backend="ttnn", enable_erase_inverse_ops=False)
    found = program.run(backend=backend)
    for want, got in zip(expected, found, strict=True):
        np.testing.assert_allclose(got, want, rtol=2e-3, atol=2e-3)


def count(exe: ttmlir.Executable, op: str) -> int:
    return sum(row.name == op for row in exe.report().ops)


NUMPY = {"f32": np.dtype(np.float32), "bf16": np.dtype(ml_dtypes.bfloat16)}


def images(dtype: str, groups: int) -> tuple[ttmlir.Builder, dict[str, Array]]:
    """Two convolutions with norms of batches and a sum, with channels in front."""
    rng = np.random.default_rng(7)
    arrays: dict[str, Array] = {}
    b = ttmlir.Builder()

    def parameter(name: str, shape: tuple[int, ...], low: float = -1, high: float = 1) -> Any:
        arrays[name] = rng.uniform(low, high, shape).astype(NUMPY[dtype])
        return b.input(name, shape, dtype, argument_type="parameter")

    arrays["x"] = rng.uniform(-1, 1, (2, 24, 9, 11)).astype(NUMPY[dtype])
    x = b.input("x", (2, 24, 9, 11), dtype)

    def block(x: Any, name: str) -> Any:
        weight = parameter(f"{name}.weight", (24, 24 // groups, 3, 3), -0.2, 0.2)
        y = b.permute(b.conv2d(b.permute(x, NHWC), weight, padding=(1, 1), groups=groups), NCHW)
        statistics = [
            parameter(f"{name}.scale", (24,), 0.5, 2),
            parameter(f"{name}.offset", (24,)),
            parameter(f"{name}.mean", (24,)),
            parameter(f"{name}.variance", (24,), 0.5, 2),
        ]
        return b.batch_norm_inference(y, *statistics, epsilon=1e-5, dimension=1)

    y = b.relu(block(x, "first"))
    b.output(b.relu(b.add(block(y, "second"), x)))
    return b, arrays


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
@pytest.mark.parametrize(("dtype", "tolerance"), [("f32", 1e-3), ("bf16", 6e-2)])
@pytest.mark.parametrize("groups", [1, 4, 24])
def test_images(backend: str, dtype: str, tolerance: float, groups: int) -> None:
    b, arrays = images(dtype, groups)

    def run(**options: bool) -> Array:
        exe = ttmlir.compile(b, backend=backend, **options)
        exe.bind({name: value for name, value in arrays.items() if name != "x"})
        return np.asarray(exe(arrays["x"]), np.float32)

    plain = run(enable_erase_inverse_ops=False, enable_fusing=False)
    np.testing.assert_allclose(run(), plain, rtol=tolerance, atol=tolerance)


def test_images_have_no_norms() -> None:
    b, arrays = images("bf16", 1)
    exe = ttmlir.compile(b)
    exe.bind({name: value for name, value in arrays.items() if name != "x"})
    assert count(exe, "permute") < 4
    assert count(exe, "eltwise.subtract") == 0
    plain = ttmlir.compile(b, enable_erase_inverse_ops=False, enable_fusing=False)
    assert count(plain, "permute") == 4
    assert exe.report().cycles < plain.report().cycles
