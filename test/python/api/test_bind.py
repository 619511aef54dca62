"""Bound parameters: what is computed of them once, and what calls and errors say."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ttmlir
from ttmlir import runtime

BACKENDS = ["ttnn", "ttmetal"]
BF16 = ml_dtypes.bfloat16


def dense(backend: str, **options: Any) -> ttmlir.Executable:
    b = ttmlir.Builder("dense")
    x = b.input("x", (64, 96), "f32")
    w, bias = b.parameter("w", (64, 96), "f32"), b.parameter("bias", (64,), "f32")
    b.output(b.relu(b.matmul(x, b.transpose(w, 0, 1)) + bias))
    return ttmlir.compile(b, backend=backend, **options)


def arrays(seed: int = 0) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    return {
        "x": rng.standard_normal((64, 96)).astype(np.float32),
        "w": rng.standard_normal((64, 96)).astype(np.float32),
        "bias": rng.standard_normal(64).astype(np.float32),
    }


def save(path: Path, tensors: dict[str, np.ndarray]) -> Path:
    """Writes a safetensors file."""
    names = {np.dtype(np.float32): "F32", np.dtype(BF16): "BF16", np.dtype(np.int64): "I64"}
    header, place = {}, 0
    for name, array in tensors.items():
        header[name] = {
            "dtype": names[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [place, place + array.nbytes],
        }
        place += array.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    data = b"".join(array.tobytes() for array in tensors.values())
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)
    return path


@pytest.mark.parametrize("backend", BACKENDS)
def test_results_are_those_of_a_call_with_all_arguments(backend: str) -> None:
    exe, given = dense(backend), arrays()
    expected = exe(given["x"], given["w"], given["bias"])
    exe.bind(w=given["w"], bias=given["bias"])
    for seed in range(3):
        x = arrays(seed)["x"]
        found = exe(x)
        plain = dense(backend, enable_const_eval=False)(x, given["w"], given["bias"])
        np.testing.assert_array_equal(found, plain)
    np.testing.assert_array_equal(exe(given["x"]), expected)


@pytest.mark.parametrize("backend", BACKENDS)
def test_unbound_arguments_may_change(backend: str) -> None:
    exe, one, two = dense(backend), arrays(1), arrays(2)
    for given in (one, two, one):
        found = exe(given["x"], given["w"], given["bias"])
        reference = np.maximum(given["x"] @ given["w"].T + given["bias"], 0)
        np.testing.assert_allclose(found, reference, rtol=1e-2, atol=1e-1)


@pytest.mark.parametrize("backend", BACKENDS)
def test_other_parameters_after_unbind(backend: str) -> None:
    exe, one, two = dense(backend), arrays(1), arrays(2)
    exe.bind(w=one["w"], bias=one["bias"])
    first = exe(one["x"])
    exe.unbind()
    exe.bind(w=two["w"], bias=two["bias"])
    second = exe(one["x"])
    assert (first != second).any()
    np.testing.assert_array_equal(second, exe_of(backend, two)(one["x"]))


def exe_of(backend: str, given: dict[str, np.ndarray]) -> ttmlir.Executable:
    exe = dense(backend)
    exe.bind(w=given["w"], bias=given["bias"])
    return exe


@pytest.mark.parametrize("backend", BACKENDS)
def test_executables_that_keep_results_share_a_device(backend: str) -> None:
    exes = [(exe_of(backend, arrays(seed)), arrays(seed)) for seed in range(4)]
    for _ in range(2):
        for exe, given in exes:
            reference = np.maximum(given["x"] @ given["w"].T + given["bias"], 0)
            np.testing.assert_allclose(exe(given["x"]), reference, rtol=1e-2, atol=1e-1)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_bound_array_may_change_afterwards(backend: str) -> None:
    exe, given = dense(backend), arrays()
    exe.bind(w=given["w"], bias=given["bias"])
    given["w"][:] = 0
    first = exe(given["x"])
    assert (first != exe_of(backend, given)(given["x"])).any()


def bottleneck(backend: str, **options: Any) -> ttmlir.Executable:
    """A block of a ResNet with norms folded into biases, and a projection."""
    b = ttmlir.Builder("bottleneck")
    x = b.input("x", (1, 14, 14, 96), "bf16")

    def conv(x: ttmlir.Tensor, name: str, shape: tuple[int, ...], **window: Any) -> ttmlir.Tensor:
        w, bias = b.parameter(name, shape, "bf16"), b.parameter(f"{name}_bias", (shape[0],), "bf16")
        return b.conv2d(x, w, **window) + bias

    inner = b.relu(conv(x, "reduce", (40, 96, 1, 1)))
    inner = b.relu(conv(inner, "mix", (40, 40, 3, 3), stride=(2, 2), padding=(1, 1)))
    b.output(
        b.relu(
            conv(inner, "expand", (128, 40, 1, 1)) + conv(x, "skip", (128, 96, 1, 1), stride=(2, 2))
        )
    )
    return ttmlir.compile(b, backend=backend, **options)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_table_that_is_read_in_rows_crosses_once(backend: str) -> None:
    """No op rearranges the rows of an embedding: kernels read them where they were bound."""
    b = ttmlir.Builder("table")
    b.output(b.embedding(b.input("ids", (1, 32), "i32"), b.parameter("rows", (512, 96), "bf16")))
    exe = ttmlir.compile(b, backend=backend)
    rows = np.random.default_rng(0).standard_normal((512, 96), np.float32).astype(BF16)
    ids = np.arange(32, dtype=np.int32)[None] * 7
    exe.bind(rows=rows)
    for _ in range(2):
        np.testing.assert_array_equal(exe(ids), rows[ids])
    assert 0 < exe.report().host_to_device_bytes < rows.nbytes // 8


@pytest.mark.parametrize("backend", BACKENDS)
def test_weights_of_convolutions_are_rearranged_once(backend: str) -> None:
    # Biases that are folded would round otherwise.
    exe = bottleneck(backend, enable_fusing=False)
    plain = bottleneck(backend, enable_const_eval=False)
    rng = np.random.default_rng(0)
    given = {i.name: rng.standard_normal(i.shape).astype(BF16) for i in exe.inputs}
    x = given.pop("x")
    exe.bind(given)
    found = exe(x)
    np.testing.assert_array_equal(found, exe(x))
    plain.bind(given)
    np.testing.assert_array_equal(found, plain(x))
    plain.unbind()
    once, every = exe.report(), plain.report()
    assert once.cycles < every.cycles
    # No weight crosses to the device, and none is permuted there.
    weights = sum(array.nbytes for array in given.values())
    assert not [op.name for op in once.ops if "permute" in op.name or "prepare" in op.name]
    assert sum(o.host_bytes for o in every.ops) - sum(o.host_bytes for o in once.ops) >= weights


@pytest.mark.parametrize("backend", BACKENDS)
def test_weights_cost_nothing_in_a_call(backend: str) -> None:
    with_weights = dense(backend, enable_const_eval=False).report()
    without = dense(backend).report()
    assert without.cycles < with_weights.cycles
    assert len(without.ops) < len(with_weights.ops)


def test_from_a_file(tmp_path: Path) -> None:
    exe, given = dense("ttnn"), arrays()
    path = save(tmp_path / "dense.safetensors", {**given, "unused": np.zeros(3, np.int64)})
    exe.bind(w=given["w"])
    exe.bind(save(tmp_path / "bias.safetensors", {"bias": given["bias"]}))
    named = exe(given["x"])
    exe.unbind()
    # The file also has the input.
    exe.bind(path)
    np.testing.assert_array_equal(exe(), named)


def test_from_torch() -> None:
    torch = pytest.importorskip("torch")
    exe, given = dense("ttnn"), arrays()
    exe.bind({name: torch.from_numpy(given[name]) for name in ("w", "bias")})
    np.testing.assert_array_equal(exe(given["x"]), exe_of("ttnn", given)(given["x"]))


def test_programs_share_parameters() -> None:
    b = ttmlir.Builder("double")
    b.output(b.parameter("w", (32, 32)) * 2.0)
    b.function("square")
    w = b.parameter("w", (32, 32))
    b.output(w * w)
    exe = ttmlir.compile(b)
    exe.bind(w=np.full((32, 32), 3, np.float32))
    assert (exe() == 6).all()
    assert (exe(program="square") == 9).all()


@pytest.mark.parametrize("backend", BACKENDS)
def test_on_a_mesh(backend: str) -> None:
    b = ttmlir.Builder("mesh", mesh_shape=(1, 2))
    x, w = b.input("x", (32, 64)), b.parameter("w", (64, 64))
    part = b.matmul(b.mesh_shard(x, (None, None)), b.mesh_shard(w, (None, 1)))
    b.output(b.mesh_gather(part, (None, 1)))
    exe = ttmlir.compile(b, backend=backend, target="n300")
    rng = np.random.default_rng(0)
    a, c = rng.standard_normal((32, 64)), rng.standard_normal((64, 64))
    a, c = a.astype(np.float32), c.astype(np.float32)
    expected = exe(a, c)
    exe.bind(w=c)
    np.testing.assert_array_equal(exe(a), expected)
    np.testing.assert_array_equal(exe(a), expected)


def test_a_closed_device_computes_again() -> None:
    exe, given = exe_of("ttnn", arrays()), arrays()
    for _ in range(2):
        device = runtime.open_system(exe.system_desc)
        found = exe(given["x"], device=device)
        runtime.close_device(device)
        np.testing.assert_array_equal(found, exe(given["x"]))


@pytest.mark.parametrize("backend", BACKENDS)
def test_unbind_frees_the_memory(backend: str) -> None:
    b = ttmlir.Builder()
    b.output(b.exp(b.input("x", (32, 32))))
    other = ttmlir.compile(b, backend=backend)
    before = other.report().dram_high_water
    exe = exe_of(backend, arrays())
    exe(arrays()["x"])
    assert other.report().dram_high_water > before
    exe.unbind()
    assert other.report().dram_high_water == before


def test_wrong_parameters(tmp_path: Path) -> None:
    exe, given = dense("ttnn"), arrays()
    w, bias = given["w"], given["bias"]
    with pytest.raises(ttmlir.InputError, match=r"bind\(\) has not been given w, bias, found 1"):
        exe(given["x"])
    with pytest.raises(
        ttmlir.InputError, match="no argument 'v', expected one of 'bias', 'w', 'x'"
    ):
        exe.bind(v=w, w=w)
    with pytest.raises(ttmlir.InputError, match="'bias': expected 64 float32, found 96 float32"):
        exe.bind(w=w, bias=np.zeros(96, np.float32))
    with pytest.raises(ttmlir.InputError, match="dense: 'w': expected 64x96 float32"):
        exe.bind(w=w.astype(BF16))
    with pytest.raises(ttmlir.InputError, match="expected a tensor 'bias'"):
        exe.bind({"w": w})
    with pytest.raises(ttmlir.InputError, match="has no 'bias'"):
        exe.bind(save(tmp_path / "w.safetensors", {"w": w}))
    # Nothing was bound by those.
    exe.bind(w=w, bias=bias)
    with pytest.raises(ttmlir.InputError, match=r"'w' is bound already: unbind\(\)"):
        exe.bind(w=w)
    with pytest.raises(
        ttmlir.InputError, match=r"expected 1 inputs .* beside what is bound \(w, bias"
    ):
        exe(given["x"], w)
    with pytest.raises(ttmlir.InputError, match="nothing to bind"):
        exe.bind({"w": w})
    np.testing.assert_array_equal(exe(given["x"]), exe_of("ttnn", given)(given["x"]))


def header(text: bytes) -> bytes:
    """A safetensors file with that header and no elements."""
    return len(text).to_bytes(8, "little") + text


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: data[:5], "expected at least 8 bytes, found 5"),
        (lambda data: b"", "expected at least 8 bytes, found 0"),
        (lambda data: data[:-1], "tensor 'bias' has bytes"),
        (lambda data: data + b"\0", "bytes 24832 to 24833 belong to no tensor"),
        (lambda data: (1 << 63).to_bytes(8, "little") + data[8:], "the header has 9223372036854"),
        (lambda data: data.replace(b'"bias"', b'"w"   '), "the header has 'w' more than once"),
        (lambda data: data.replace(b"[24576, 24832]", b"[24320, 24576]"), "share bytes"),
        (lambda data: data.replace(b"[0, 24576]", b"[4, 24580]"), "bytes 0 to 4 belong"),
        (lambda data: data.replace(b"[24576, 24832]", b"[24576, 99999]"), "has bytes 24576 to"),
        (lambda data: data.replace(b"[24576, 24832]", b"[24832, 24576]"), "has bytes 24832 to"),
        (lambda data: data.replace(b"[0, 24576]", b"[-4,24572]"), "has bytes -4 to"),
        (lambda data: data.replace(b"[64, 96]", b"[64.,96]"), "is not JSON"),
        (lambda data: data.replace(b"[64, 96]", b"[6.4e01]"), "expected dtype, shape and"),
        (lambda data: data.replace(b"[64, 96]", b"[-1,-96]"), "are no F32 of shape"),
        (lambda data: data.replace(b'"F32"', b"32   "), "expected dtype, shape and"),
        (lambda data: header(b"[" * 100_000), "the header is not JSON: maximum recursion"),
        (lambda data: header(b"[]"), "the header is not a JSON object"),
        (lambda data: header("{}".encode("utf-16")), "the header is not JSON"),
        (lambda data: header(b'{"w": 1}'), "tensor 'w': expected dtype, shape and"),
        (lambda data: data[:40], "the header has"),
        (lambda data: data[:9] + b"\xff" + data[10:], "the header is not JSON"),
        (lambda data: data.replace(b"[64, 96]", b"[64, 95]"), "are no F32 of shape"),
        (lambda data: data.replace(b'"shape"', b'"SHAPE"'), "expected dtype, shape and"),
        (lambda data: data.replace(b'"F32"', b'"F8_"'), "expected elements of F64, F32"),
    ],
)
def test_a_damaged_file(tmp_path: Path, damage: Any, message: str) -> None:
    given = arrays()
    path = save(tmp_path / "p.safetensors", {"w": given["w"], "bias": given["bias"]})
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ttmlir.Error, match=message):
        dense("ttnn").bind(path)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ttmlir.errors.MissingFileError, match="cannot be read"):
        dense("ttnn").bind(tmp_path / "none.safetensors")


def test_no_regular_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, kind in ((tmp_path, "a folder"), (tmp_path / "pipe", "a pipe")):
        with pytest.raises(ttmlir.errors.FileError, match=f"expected a regular file, found {kind}"):
            dense("ttnn").bind(path)
    for source in (3, b"file", list(arrays().values())):
        with pytest.raises(TypeError, match="expected the path of a safetensors file or a dict"):
            dense("ttnn").bind(source)  # type: ignore[arg-type]


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_file_that_becomes_shorter(backend: str, tmp_path: Path) -> None:
    """Its pages are not read any more, which would end the process."""
    exe, given = dense(backend), arrays()
    path = save(tmp_path / "p.safetensors", {"w": given["w"], "bias": given["bias"]})
    whole = path.read_bytes()
    exe.bind(path)
    os.truncate(path, 4096)
    for _ in range(2):
        with pytest.raises(ttmlir.FileError, match="has become shorter since it was opened"):
            exe(given["x"])
    path.write_bytes(whole)
    np.testing.assert_array_equal(exe(given["x"]), exe_of(backend, given)(given["x"]))


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_was_bound_stays(backend: str, tmp_path: Path) -> None:
    exe, given = exe_of(backend, arrays()), arrays()
    first = exe(given["x"])
    other = arrays(1)
    path = save(tmp_path / "p.safetensors", {"w": other["w"], "bias": other["bias"]})
    for attempt in (
        lambda: exe.bind(w=other["w"]),
        lambda: exe.bind(path),
        lambda: exe.bind({"bias": other["bias"]}),
        lambda: exe.bind(x=other["x"], w=other["w"]),
        lambda: exe.bind(x=np.zeros((2, 2), np.float32)),
        lambda: exe.bind(x=None),
        lambda: exe.bind(x="x"),
        lambda: exe.bind(program="none", x=other["x"]),
    ):
        with pytest.raises(ttmlir.InputError):
            attempt()
        np.testing.assert_array_equal(exe(given["x"]), first)


PLAIN = """
func.func @dense(%x: tensor<64x96xf32>, %w: tensor<64x96xf32>, %b: tensor<64xf32> loc("bias"))
    -> tensor<64x64xf32> {
  %0 = "ttir.transpose"(%w) <{dim0 = 0 : si32, dim1 = 1 : si32}>
      : (tensor<64x96xf32>) -> tensor<96x64xf32>
  %1 = "ttir.matmul"(%x, %0)
      : (tensor<64x96xf32>, tensor<96x64xf32>) -> tensor<64x64xf32>
  %2 = "ttir.add"(%1, %b) : (tensor<64x64xf32>, tensor<64xf32>) -> tensor<64x64xf32>
  %3 = "ttir.relu"(%2) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %3 : tensor<64x64xf32>
}
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_text_without_attributes(backend: str) -> None:
    """Arguments are inputs: bound ones are given, and nothing of them is kept."""
    exe, given = ttmlir.compile(PLAIN, backend=backend), arrays()
    assert [info.name for info in exe.inputs] == ["arg0", "arg1", "bias"]
    assert not any(info.is_parameter for info in exe.inputs)
    expected = exe(given["x"], given["w"], given["bias"])
    exe.bind(arg1=given["w"], bias=given["bias"])
    np.testing.assert_array_equal(exe(given["x"]), expected)
    exe.unbind()
    exe.bind({"arg0": given["x"], "arg1": given["w"], "bias": given["bias"]})
    np.testing.assert_array_equal(exe(), expected)
    with pytest.raises(ttmlir.InputError, match="no argument 'w', expected one of 'arg0', 'arg1'"):
        ttmlir.compile(PLAIN, backend=backend).bind(w=given["w"])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("parameters", [["arg1", "bias"], [1, 2], ["arg1", 2]])
def test_parameters_of_a_text(backend: str, parameters: list[str | int]) -> None:
    exe = ttmlir.compile(PLAIN, backend=backend, parameters=parameters)
    given = arrays()
    assert [info.argument_type for info in exe.inputs] == ["input", "parameter", "parameter"]
    plain = ttmlir.compile(PLAIN, backend=backend)
    expected = plain(given["x"], given["w"], given["bias"])
    exe.bind(arg1=given["w"], bias=given["bias"])
    np.testing.assert_array_equal(exe(given["x"]), expected)
    # What depends on them alone is computed once.
    assert len(exe.report().ops) < len(plain.report().ops)


def test_wrong_parameters_of_a_text() -> None:
    for parameters in (["w"], [3], [-1], ["arg1", "none"]):
        with pytest.raises(ttmlir.CompileError, match="parameters: expected arguments of the pro"):
            ttmlir.compile(PLAIN, parameters=parameters)
    with pytest.raises(TypeError, match="expected a list of names or numbers, found 'arg1'"):
        ttmlir.compile(PLAIN, parameters="arg1")


def test_parameters_of_front_ends() -> None:
    t = "tensor<8x8xf32>"
    tosa = f"""func.func @f(%x: {t}, %w: {t}) -> {t} {{
      %0 = tosa.exp %w : ({t}) -> {t}
      %1 = tosa.add %x, %0 : ({t}, {t}) -> {t}
      return %1 : {t}
    }}"""
    exe = ttmlir.compile(tosa, parameters=["arg1"])
    assert [info.argument_type for info in exe.inputs] == ["input", "parameter"]
    assert "const_eval" in exe.mlir


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_device_of_its_own_has_no_parameters_of_others(backend: str) -> None:
    def peak(device: runtime.Device | None = None) -> int:
        b = ttmlir.Builder("negate")
        b.output(b.neg(b.input("x", (64, 96), "f32")))
        return ttmlir.compile(b, backend=backend).report(device=device).dram_high_water

    alone = peak(runtime.open_device([0]))
    exe, given = dense(backend), arrays()
    exe.bind(w=given["w"], bias=given["bias"])
    exe(given["x"])
    assert peak(runtime.open_device([0])) == alone
    assert peak() > alone


def resident(path: Path) -> int:
    """Bytes of the mapped file that are in the process's memory."""
    found = 0
    of_file = False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        if "-" in line.split(" ")[0]:
            of_file = line.endswith(str(path))
        elif of_file and line.startswith("Rss:"):
            found += int(line.split()[1]) * 1024
    return found


@pytest.mark.parametrize("backend", BACKENDS)
def test_pages_of_the_file_are_given_back(backend: str, tmp_path: Path) -> None:
    b = ttmlir.Builder("sum")
    x = b.input("x", (512, 1024), "f32")
    b.output(x + b.parameter("v", (512, 1024), "f32") * b.parameter("w", (512, 1024), "f32"))
    exe = ttmlir.compile(b, backend=backend)
    rng = np.random.default_rng(0)
    given = {name: rng.standard_normal((512, 1024)).astype(np.float32) for name in "vw"}
    path = save(tmp_path / "w.safetensors", given)
    exe.bind(path)
    ones = np.ones((512, 1024), np.float32)
    first = exe(ones)
    assert resident(path) <= 1024 * 1024
    np.testing.assert_allclose(first, 1 + given["v"] * given["w"], rtol=1e-2, atol=1e-2)
    # They come again from the file.
    exe.binary.release_kept()
    np.testing.assert_array_equal(exe(ones), first)


def test_pages_of_arrays_are_not_given_back(tmp_path: Path) -> None:
    """Those that a private mapping has changed would be lost."""
    given = arrays()
    given["w"].tofile(tmp_path / "w")
    changed = np.memmap(tmp_path / "w", np.float32, "c", shape=(64, 96))
    changed += 1
    view = changed.view()
    view.flags.writeable = False
    exe = dense("ttnn")
    exe.bind(w=view, bias=given["bias"])
    first = exe(given["x"])
    exe.binary.release_kept()
    np.testing.assert_array_equal(exe(given["x"]), first)
    np.testing.assert_array_equal(changed, given["w"] + 1)
