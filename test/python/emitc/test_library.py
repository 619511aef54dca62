"""The C++ library itself: programs written by hand, bad input, and the command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ttmlir
from ttmlir import emitc

# Each function is called by one test. Every name that the compiler's C++ uses is used in some way
# that it does not use it.
PROGRAM = """
#include "ttnn-precompiled.hpp"
using ttnn::BufferType, ttnn::DataType, ttnn::Layout, ttnn::MemoryConfig, ttnn::OOBVal;
using ttnn::PhysicalLayout, ttnn::Tensor, ttnn::TensorMemoryLayout, ttnn::TensorSpec;

static const MemoryConfig kDram(TensorMemoryLayout::INTERLEAVED, BufferType::DRAM);

static Tensor make(const ttnn::Shape &shape, DataType dtype = DataType::FLOAT32) {
  return ttnn::empty(shape, dtype, Layout::TILE, *ttnn::DeviceGetter::getInstance(), kDram);
}
ttnn::Tensor unwritten(ttnn::Tensor a) {
  return ttnn::add(a, make(a.shape()), make(a.shape()));
}
ttnn::Tensor over_an_operand(ttnn::Tensor a) {
  Tensor b = ttnn::add(a, a, make(a.shape()));
  ttnn::multiply(b, b, std::nullopt, std::nullopt, b);
  return b;
}
ttnn::Tensor over_an_argument(ttnn::Tensor a) {
  ttnn::input(a, TensorSpec(a.shape(), DataType::FLOAT32, Layout::ROW_MAJOR));
  return ttnn::exp(a, a);
}
std::tuple<ttnn::Tensor, ttnn::Tensor> caller_keeps(ttnn::Tensor a) {
  Tensor result = over_an_argument(a);
  return std::make_tuple(a, result);
}
std::tuple<ttnn::Tensor, ttnn::Tensor> shared(ttnn::Tensor a) {
  // The same pages: no copy is made, until one of them is written.
  Tensor b = ttnn::to_device(a, ttnn::DeviceGetter::getInstance(), kDram);
  Tensor c = ttnn::to_device(b, ttnn::DeviceGetter::getInstance(), kDram);
  ttnn::neg(c, c);
  return std::make_tuple(b, c);
}
ttnn::Tensor narrow(ttnn::Tensor a) {
  ttnn::input(a, TensorSpec(a.shape(), DataType::BFLOAT8_B, Layout::TILE, kDram));
  return a;
}
ttnn::Tensor device_input(ttnn::Tensor a) {
  ttnn::input(a, TensorSpec(a.shape(), DataType::BFLOAT16, Layout::TILE, kDram,
                            PhysicalLayout({}, OOBVal::NegInf)));
  if (a.describe() != "40x70 bf16, dram interleaved tile")
    throw std::runtime_error(a.describe());
  return a;
}
ttnn::Tensor vectors(ttnn::Tensor) {
  Tensor a = ttnn::from_vector<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  std::vector<float> elements = ttnn::to_vector<float>(ttnn::neg(a, make({2, 3})));
  for (float &element : elements)
    element *= 2;
  return ttnn::from_vector(elements, {2, 3});
}
ttnn::Tensor freed(ttnn::Tensor a) {
  Tensor b = make(a.shape());
  ttnn::dealloc(b);
  return ttnn::exp(b, a);
}
ttnn::Tensor freed_alias(ttnn::Tensor a) {
  Tensor b = make(a.shape());
  Tensor c = ttnn::exp(a, b);
  ttnn::dealloc(c);
  return ttnn::exp(b, a);
}
ttnn::Tensor failed_call(ttnn::Tensor a) {
  Tensor b = ttnn::exp(a, make(a.shape()));
  try {
    ttnn::add(a, a, make({1}));
  } catch (const ttnn::Error &) {
  }
  return b;
}
ttnn::Tensor empty_handle(ttnn::Tensor a) { return ttnn::exp(Tensor(), a); }
ttnn::Tensor wrong_shape(ttnn::Tensor a) { return ttnn::exp(a, make({3, 3})); }
ttnn::Tensor wrong_input(ttnn::Tensor a) {
  ttnn::input(a, TensorSpec({3, 3}, DataType::FLOAT32, Layout::ROW_MAJOR));
  return a;
}
ttnn::Tensor wrong_type(ttnn::Tensor a) {
  ttnn::input(a, TensorSpec(a.shape(), DataType::UINT16, Layout::ROW_MAJOR));
  return a;
}
ttnn::Tensor wrong_chip(ttnn::Tensor a) {
  ttnn::DeviceGetter::getInstance(7);
  return a;
}
ttnn::Tensor wrong_count(ttnn::Tensor a) {
  ttnn::from_vector<float>({1, 2, 3}, {2, 3});
  return a;
}
ttnn::Tensor wrong_dim(ttnn::Tensor a) { return ttnn::softmax(a, make(a.shape()), 2); }
ttnn::Tensor wrong_index(ttnn::Tensor a) {
  Tensor index = ttnn::from_vector<uint32_t>({99}, {1});
  return ttnn::embedding(index, a, make({1, a.shape()[1]}));
}
ttnn::Tensor wrong_layout(ttnn::Tensor a) {
  return ttnn::empty(a.shape(), DataType::BFLOAT8_B, Layout::ROW_MAJOR);
}
ttnn::Tensor invalid_layout(ttnn::Tensor a) {
  return ttnn::empty(a.shape(), DataType::FLOAT32, Layout::INVALID);
}
ttnn::Tensor too_much(ttnn::Tensor) {
  const MemoryConfig l1(TensorMemoryLayout::INTERLEAVED, BufferType::L1);
  return ttnn::empty({65536, 65536}, DataType::FLOAT32, Layout::TILE,
                     *ttnn::DeviceGetter::getInstance(), l1);
}
ttnn::Tensor outside(ttnn::Tensor a) {
  const MemoryConfig l1(TensorMemoryLayout::BLOCK_SHARDED, BufferType::L1,
                        ttnn::ShardSpec({{{0, 0}, {90, 8}}}, {32, 32}));
  return ttnn::to_device(a, ttnn::DeviceGetter::getInstance(), l1);
}
"""

X = np.random.default_rng(3).standard_normal((40, 70), np.float32)


@pytest.fixture(scope="module")
def library() -> emitc.Library:
    return emitc.load(PROGRAM, options=["-Wall", "-Wextra", "-Werror"])


def test_unwritten_tensors_read_as_zeros(library: emitc.Library) -> None:
    assert np.array_equal(library.unwritten(X), X)


def test_a_result_may_lie_over_an_operand(library: emitc.Library) -> None:
    assert np.array_equal(library.over_an_operand(X), (X + X) * (X + X))


def test_arguments_are_not_written_over(library: emitc.Library) -> None:
    kept, result = library.caller_keeps(X)
    assert np.array_equal(kept, X)
    assert np.allclose(result, np.exp(X), rtol=1e-6)


def test_shared_memory_is_not_written_over(library: emitc.Library) -> None:
    one, other = library.shared(X)
    assert np.array_equal(one, X)
    assert np.array_equal(other, -X)


def test_block_floats_come_back_as_floats(library: emitc.Library) -> None:
    found = library.narrow(X)
    assert found.dtype == np.float32
    assert np.abs(found - X).max() <= np.abs(X).max() * 2.0**-6


def test_inputs_are_placed_and_converted(library: emitc.Library) -> None:
    import ml_dtypes

    assert np.array_equal(library.device_input(X), X.astype(ml_dtypes.bfloat16))


def test_vectors(library: emitc.Library) -> None:
    assert library.vectors(X).tolist() == [[-2, -4, -6], [-8, -10, -12]]


def test_a_failed_call_changes_nothing(library: emitc.Library) -> None:
    assert np.allclose(library.failed_call(X), np.exp(X), rtol=1e-6)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("freed", "ttnn::exp: expected a tensor with elements, found one that was deallocated"),
        ("freed_alias", "ttnn::exp: expected a tensor with elements, found one that was dealloc"),
        ("empty_handle", "ttnn::exp: expected a tensor, found an empty handle"),
        ("wrong_shape", "ttnn::exp: expected shape 40x70 in field out, found 3x3"),
        ("wrong_input", "ttnn::input: argument: expected shape 3x3, found 40x70"),
        ("wrong_type", "ttnn::input: argument: expected data type UInt16, found Float32"),
        ("wrong_chip", "ttnn::DeviceGetter::getInstance: expected"),
        ("wrong_count", "ttnn::from_vector: expected 6 elements, found 3"),
        ("wrong_dim", "ttnn::softmax: expected dimension"),
        ("wrong_index", "ttnn::embedding: "),
        ("wrong_layout", "ttnn::empty: block float bfp8_b exists only in tiles"),
        ("invalid_layout", "found layout INVALID"),
        ("too_much", "ttnn::empty: "),
        ("outside", "ttnn::to_device: expected core ranges within the 8x8 grid, found 90x8 cores"),
        ("missing", "the program has no function 'missing'"),
    ],
)
def test_bad_input_is_one_clear_error(library: emitc.Library, name: str, message: str) -> None:
    with pytest.raises((ttmlir.Error, AttributeError)) as caught:
        getattr(library, name)(X)
    print(caught.value)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_counts_of_inputs(library: emitc.Library) -> None:
    with pytest.raises(ttmlir.Error, match="unwritten: expected 1 inputs, found 2"):
        library.unwritten(X, X)


def test_dtypes_of_inputs(library: emitc.Library) -> None:
    with pytest.raises(ttmlir.InputError, match="input 0: dtype complex64 has no counterpart"):
        library.unwritten(X.astype(np.complex64))


def test_refused_text() -> None:
    header = '#include "ttnn-precompiled.hpp"'
    with pytest.raises(ttmlir.Error, match=r"(?s)failed with status 1:.*nothing"):
        emitc.load(f"{header}\nttnn::Tensor f(ttnn::Tensor a) {{\n  return nothing;\n}}\n")
    with pytest.raises(ttmlir.Error, match="expected the C\\+\\+ of a program, found no function"):
        emitc.load("")
    with pytest.raises(ttmlir.Error, match="'no-such-compiler' cannot be run"):
        emitc.load(PROGRAM, compiler="no-such-compiler")
    with pytest.raises(ttmlir.Error, match="cannot be opened"):
        emitc.load_library("no-such-library.so")


MAIN = """
#include "program.cpp"
#include <cstdio>
int main(int argc, char **argv) {
  try {
    if (argc > 1)
      ttnn::use_system(argv[1]);
    ttnn::Tensor x = ttnn::from_vector<float>({1, 2, 3, 4}, {2, 2});
    ttnn::Tensor y = twice(x);
    for (float element : ttnn::to_vector<float>(y))
      std::printf("%g ", element);
  } catch (const ttnn::Error &error) {
    std::printf("error: %s", error.what());
    return 1;
  }
}
"""


def flags(*options: str) -> list[str]:
    command = [sys.executable, "-m", "ttmlir.emitc", *options]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def test_a_program_of_its_own(tmp_path: Path) -> None:
    """The documented command: one compiler call with the flags of the package."""
    b = ttmlir.Builder("twice")
    x = b.input("x", (2, 2))
    b.output(b.add(x, x))
    (tmp_path / "program.cpp").write_text(ttmlir.compile(b).cpp)
    (tmp_path / "main.cpp").write_text(MAIN)
    program = tmp_path / "main"
    command = ["c++", str(tmp_path / "main.cpp"), *flags("--cxxflags", "--ldflags")]
    subprocess.run([*command, "-o", str(program)], check=True)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(program), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    assert run().stdout == "2 4 6 8 "
    assert run("p150").stdout == "2 4 6 8 "
    refused = run("p1500")
    assert refused.returncode == 1
    assert "ttnn::use_system: failed to open file: p1500" in refused.stdout


def test_flags() -> None:
    assert flags("--includedir") == [str(emitc.include_dir())]
    assert flags("--libdir") == [str(emitc.library_dir())]
    done = subprocess.run(
        [sys.executable, "-m", "ttmlir.emitc"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "expected --cxxflags, --ldflags, --includedir or --libdir" in done.stderr
