"""Networks written in TOSA and in linalg, compiled, run, and compared with JAX."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import programs
import pytest
from models import linalg, networks, reference, tosa
from programs import Array, wide

import ttmlir
from ttmlir import runtime

WRITERS = pytest.mark.parametrize("writer", [tosa, linalg], ids=["tosa", "linalg"])
BACKENDS = pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])

#: Error relative to the standard deviation of the result, over all its elements: rounding to f32
#: and bf16, a few dozen operations deep.
RMS = {"f32": 2e-6, "bf16": 2.0**-7}
#: The same for the worst element.
WORST = {"f32": 2e-5, "bf16": 2.0**-4}


def run_as_kernels(
    text: str, grid: tuple[int, int] | None, kernels: set[str], *inputs: Array
) -> Array:
    """The result of the program as kernels, with every check, which does not depend on the number
    of host threads."""
    exe = ttmlir.compile(text, backend="ttmetal", grid=grid)
    kernels.update(source for _, source in exe.binary.get_program_kernels(0))
    device = runtime.open_system(exe.system_desc)
    runtime.set_device_options(device, runtime.DeviceOptions(checks=True))
    threads, results = runtime.get_num_threads(), []
    try:
        for count in (1, 2):
            runtime.set_num_threads(count)
            results.append(exe(*inputs, device=device))
    finally:
        runtime.set_num_threads(threads)
        runtime.close_device(device)
    assert results[0].tobytes() == results[1].tobytes()
    return results[0]


def run(text: str, backend: str, kernels: set[str], *inputs: Array) -> Array:
    if backend == "ttmetal":
        return run_as_kernels(text, None, kernels, *inputs)
    result: Array = ttmlir.compile(text)(*inputs)
    return result


def compare(got: Array, want: Any, element: str) -> None:
    expected = np.asarray(want)
    assert got.dtype == programs.ELEMENTS[element]
    assert got.shape == expected.shape
    error = np.abs(wide(got) - expected) / expected.std()
    assert np.sqrt((error**2).mean()) <= RMS[element]
    assert error.max() <= WORST[element]


@pytest.mark.sampled(6)
@BACKENDS
@WRITERS
@pytest.mark.parametrize("element", ["f32", "bf16"])
@pytest.mark.parametrize("name", ["resnet_block", "encoder_block"])
def test_blocks(
    name: str, element: str, writer: ModuleType, backend: str, kernels: set[str]
) -> None:
    shapes = networks.RESNET_SHAPES if name == "resnet_block" else networks.ENCODER_SHAPES
    arrays = networks.random_inputs(shapes, seed=0)
    inputs = {k: v.astype(programs.ELEMENTS[element]) for k, v in arrays.items()}
    text = getattr(networks, name)(writer.Writer(element)).text()
    got = run(text, backend, kernels, *inputs.values())
    want = getattr(reference, name)({k: wide(v) for k, v in inputs.items()})
    compare(got, want, element)


@pytest.mark.parametrize("grid", [(1, 1), (2, 3)])
@pytest.mark.parametrize("name", ["resnet_block", "encoder_block"])
def test_blocks_on_few_cores(name: str, grid: tuple[int, int], kernels: set[str]) -> None:
    shapes = networks.RESNET_SHAPES if name == "resnet_block" else networks.ENCODER_SHAPES
    arrays = networks.random_inputs(shapes, seed=0)
    text = getattr(networks, name)(tosa.Writer("f32")).text()
    got = run_as_kernels(text, grid, kernels, *arrays.values())
    want = getattr(reference, name)({k: wide(v) for k, v in arrays.items()})
    compare(got, want, "f32")


@pytest.fixture(scope="module")
def trained() -> tuple[dict[str, Array], Array, Array]:
    """Weights of a LeNet trained on the digits, and images and labels to test it with."""
    pytest.importorskip("sklearn")
    images, labels, test_images, test_labels = reference.digits()
    return reference.train_lenet(images, labels), test_images, test_labels


@pytest.mark.sampled(3)
@BACKENDS
@WRITERS
@pytest.mark.parametrize("element", ["f32", "bf16"])
def test_lenet(
    trained: Any, element: str, writer: ModuleType, backend: str, kernels: set[str]
) -> None:
    weights, images, labels = trained
    dtype = programs.ELEMENTS[element]
    rounded = {name: wide(array.astype(dtype)) for name, array in weights.items()}
    text = networks.lenet(writer.Writer(element), weights, len(images)).text()
    got = run(text, backend, kernels, images.astype(dtype))
    want = np.asarray(reference.lenet(rounded, wide(images.astype(dtype))))
    compare(got, want, element)
    accuracy = (wide(got).argmax(1) == labels).mean()
    assert accuracy >= 0.93
    assert (wide(got).argmax(1) == want.argmax(1)).mean() >= (1.0 if element == "f32" else 0.99)
