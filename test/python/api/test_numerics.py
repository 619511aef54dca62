"""``numerics=``: of executables, calls, traces and comparisons, and of results that are kept."""

from __future__ import annotations

import json
import pickle
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ttmlir
from ttmlir import runtime

Array = np.ndarray[Any, Any]
RNG = np.random.default_rng(0)
X = RNG.standard_normal((64, 64)).astype("bfloat16")
W = (RNG.standard_normal((64, 64)) / 4).astype("bfloat16")
BACKENDS = pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])


def layer(weights: str = "input") -> ttmlir.Builder:
    """A product by exp(w @ w), where w is an input, a parameter or a constant."""
    b = ttmlir.Builder("layer")
    x = b.input("x", X.shape, "bf16")
    if weights == "constant":
        w = b.constant(W, dtype="bf16")
    else:
        w = b.input("w", W.shape, "bf16", argument_type=weights)
    grown = b.exp(b.matmul(w, w, name="square"), name="grown")
    b.output(b.matmul(x, grown, name="product"))
    return b


def by_option(exe: ttmlir.Executable, numerics: runtime.Numerics, *arrays: Array) -> Array:
    """The result of a call, with the arithmetic set as an option of the device."""
    before = runtime.get_device_options(exe.device)
    options = runtime.get_device_options(exe.device)
    options.numerics = numerics
    runtime.set_device_options(exe.device, options)
    try:
        return np.asarray(exe(*arrays))
    finally:
        runtime.set_device_options(exe.device, before)


def same(a: Any, b: Any) -> bool:
    return np.asarray(a).tobytes() == np.asarray(b).tobytes()


@pytest.fixture(scope="module", params=["ttnn", "ttmetal"])
def expected(request: Any) -> tuple[str, Array, Array]:
    """The backend, and the results of both modes by the option of the device."""
    exe = ttmlir.compile(layer(), backend=request.param)
    fast, exact = (by_option(exe, option, X, W) for option in list(runtime.Numerics))
    assert not same(fast, exact)
    return request.param, fast, exact


def test_of_an_executable_and_of_a_call(expected: tuple[Any, Array, Array]) -> None:
    backend, fast, exact = expected
    default = ttmlir.compile(layer(), backend=backend)
    chosen = ttmlir.compile(layer(), backend=backend, numerics="exact")
    assert (default.numerics, chosen.numerics) == (None, "exact")
    for _ in range(2):
        assert same(chosen(X, W), exact)
        assert same(default(X, W), fast)
        assert same(default(X, W, numerics="exact"), exact)
        assert same(chosen(X, W, numerics="fast"), fast)
    # Without a choice, the option of the device counts.
    assert same(by_option(default, runtime.Numerics.Exact, X, W), exact)
    forced = ttmlir.compile(layer(), backend=backend, numerics="fast")
    assert same(by_option(forced, runtime.Numerics.Exact, X, W), fast)
    placed = [default.place(i, array) for i, array in enumerate((X, W))]
    for numerics, wanted in (("exact", exact), ("fast", fast)):
        (result,) = default.run_placed(placed, numerics=numerics)
        assert same(result, wanted)


@BACKENDS
def test_neither_program_nor_time_depend_on_it(backend: Any) -> None:
    fast, exact = (
        ttmlir.compile(layer(), backend=backend, numerics=numerics)
        for numerics in ("fast", "exact")
    )
    assert fast.binary.to_bytes() == exact.binary.to_bytes()
    assert fast.report(X, W).cycles == exact.report(X, W).cycles
    assert fast.report(X, W).cycles == fast.report(X, W, numerics="exact").cycles


@BACKENDS
def test_other_options_stay_and_errors_restore_it(backend: Any) -> None:
    b = ttmlir.Builder("endless")
    x = b.input("x", (1, 1))
    b.output(*b.while_loop(lambda y: b.gt(y, x - 1.0), lambda y: y * 1.0, [x]))
    exe = ttmlir.compile(b, backend=backend, numerics="exact")
    before = runtime.get_device_options(exe.device)
    limited = runtime.get_device_options(exe.device)
    limited.step_limit, limited.checks = 1000, False
    runtime.set_device_options(exe.device, limited)
    try:
        for run in (exe, exe.report):
            with pytest.raises(ttmlir.errors.StepLimitFault):
                run(np.ones((1, 1), np.float32))
            options = runtime.get_device_options(exe.device)
            assert options.numerics == before.numerics == runtime.Numerics.Fast
            assert (options.step_limit, options.checks) == (1000, False)
    finally:
        runtime.set_device_options(exe.device, before)


@pytest.mark.parametrize("wrong", ["slow", "Exact", "", 1, ["fast"], runtime.Numerics.Exact])
def test_wrong_names(tmp_path: Path, wrong: Any) -> None:
    exe = ttmlir.compile(layer())
    exe.save(tmp_path / "layer.ttnn")
    placed = [exe.place(i, array) for i, array in enumerate((X, W))]
    for use in (
        lambda: ttmlir.compile(layer(), numerics=wrong),
        lambda: ttmlir.load(tmp_path / "layer.ttnn", numerics=wrong),
        lambda: exe(X, W, numerics=wrong),
        lambda: exe.run_placed(placed, numerics=wrong),
        lambda: exe.report(numerics=wrong),
        lambda: exe.trace(numerics=wrong),
        lambda: exe.compare("fast", X, W, numerics=wrong),
    ):
        with pytest.raises(ttmlir.InputError, match="numerics: expected one of fast, exact, found"):
            use()


def test_files_and_copies(tmp_path: Path, expected: tuple[Any, Array, Array]) -> None:
    backend, fast, exact = expected
    exe = ttmlir.compile(layer(), backend=backend, numerics="exact")
    assert same(pickle.loads(pickle.dumps(exe))(X, W), exact)
    path = tmp_path / {"ttnn": "layer.ttnn", "ttmetal": "layer.ttm"}[backend]
    exe.save(path)
    assert same(ttmlir.load(path)(X, W), fast)
    assert same(ttmlir.load(path, numerics="exact")(X, W), exact)


@BACKENDS
@pytest.mark.parametrize("weights", ["parameter", "constant"])
def test_kept_results_have_the_arithmetic_of_the_run(backend: Any, weights: str) -> None:
    """Weights are computed once, but again with another arithmetic: also those that another
    executable on the device has computed."""

    def made(numerics: Any = None) -> ttmlir.Executable:
        exe = ttmlir.compile(layer(weights), backend=backend, numerics=numerics)
        if weights == "parameter":
            exe.bind(w=tensor)
        return exe

    whole = ttmlir.compile(layer(), backend=backend)
    # Executables share the results for one tensor, which stays where it is.
    tensor: Any = None
    if weights == "parameter":
        tensor = ttmlir.compile(layer(weights), backend=backend).place(1, W)
        tensor.freeze()
    wanted = {name: whole(X, W, numerics=name) for name in ("fast", "exact")}
    one, other, exact = made(), made(), made("exact")
    assert one.binary.get_program_kept(0)
    for _ in range(2):
        assert same(one(X), wanted["fast"])
        assert same(exact(X), wanted["exact"])
        assert same(other(X), wanted["fast"])
        assert same(one(X, numerics="exact"), wanted["exact"])
        assert same(by_option(other, runtime.Numerics.Exact, X), wanted["exact"])
        assert one.compare("fast", X, numerics="exact").ops
        assert same(one(X), wanted["fast"])
    # A trace has its own, which the runs between its replays leave alone.
    with exact.trace(X) as trace:
        assert same(other(X), wanted["fast"])
        assert same(trace(X), wanted["exact"])


def test_replays_have_the_arithmetic_of_the_capture(expected: tuple[Any, Array, Array]) -> None:
    backend, fast, exact = expected
    exe = ttmlir.compile(layer(), backend=backend)
    with exe.trace(X, W, numerics="exact") as exactly, exe.trace(X, W) as fastly:
        for _ in range(2):
            assert same(exactly(X, W), exact)
            assert same(fastly(X, W), fast)
            assert same(exe(X, W), fast)
        assert all(same(found, exact) for found in exactly.stream([(X, W)] * 3))
    with ttmlir.compile(layer(), backend=backend, numerics="exact").trace(X, W) as trace:
        assert same(trace(X, W), exact)


def test_threads_restore_the_option(expected: tuple[Any, Array, Array]) -> None:
    backend, fast, exact = expected
    exes = [
        ttmlir.compile(layer(), backend=backend, numerics=numerics)
        for numerics in ("fast", "exact")
    ]
    wrong: list[int] = []

    def work(number: int) -> None:
        for _ in range(20):
            if not same(exes[number](X, W), (fast, exact)[number]):
                wrong.append(number)

    before = runtime.get_device_options(exes[0].device).numerics
    threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert runtime.get_device_options(exes[0].device).numerics == before


def test_comparisons(expected: tuple[Any, Array, Array]) -> None:
    """The same program in the other arithmetic, op by op."""
    backend, _, exact = expected
    exe = ttmlir.compile(layer(), backend=backend)
    equal = exe.compare("fast", X, W)
    assert equal.numerics == "fast"
    assert str(equal).startswith(f"layer on {backend} beside fast numerics\n")
    assert {row.max_error for row in (*equal.ops, *equal.outputs)} == {0}
    found = exe.compare("fast", X, W, numerics="exact")
    assert found.numerics == json.loads(found.to_json())["numerics"] == "exact"
    assert str(found).startswith(f"layer on {backend}, exact numerics, beside fast numerics\n")
    assert {"square", "grown", "product"} <= {row.name for row in found.ops}
    assert found.not_compared == ()
    assert all(row.is_compared for row in found.ops)
    output = found.outputs[0]
    expected_error = np.abs(exact.astype(np.float64) - np.asarray(exe(X, W)).astype(np.float64))
    assert output.max_error == pytest.approx(expected_error.max())
    # The other way around, with the executable's own arithmetic.
    own = ttmlir.compile(layer(), backend=backend, numerics="exact").compare("fast", X, W)
    assert own.numerics == "exact"
    assert own.outputs[0].max_error == output.max_error


def test_comparisons_show_the_cost_of_fidelity() -> None:
    """Only `exact` numerics have the phases of the multiplier."""
    errors: dict[tuple[str, str], float] = {}
    for fidelity in ("lofi", "hifi2", "hifi4"):
        exe = ttmlir.compile(layer(), math_fidelity=fidelity)
        for numerics in ("fast", "exact"):
            found = exe.compare(layer(), X, W, numerics=numerics)
            assert found.numerics == numerics
            row = found.outputs[0]
            assert row.relative_error is not None
            errors[fidelity, numerics] = row.relative_error
    assert errors["lofi", "fast"] == errors["hifi2", "fast"] == errors["hifi4", "fast"]
    # Rounding to bf16 hides the difference of the other two.
    assert errors["lofi", "exact"] > 2 * errors["hifi2", "exact"]
    assert errors["hifi2", "exact"] != errors["hifi4", "exact"]
    # The program in f32 is the same reference whatever the option of the device.
    options = runtime.get_device_options(exe.device)
    changed = runtime.get_device_options(exe.device)
    changed.numerics = runtime.Numerics.Exact
    runtime.set_device_options(exe.device, changed)
    try:
        found = exe.compare(layer(), X, W)
    finally:
        runtime.set_device_options(exe.device, options)
    assert found.numerics == "exact"
    assert found.outputs[0].relative_error == errors["hifi4", "exact"]


@BACKENDS
def test_comparisons_start_variables_again(backend: Any) -> None:
    """Both runs of a comparison begin with the initial values."""
    exe = ttmlir.compile(
        """tosa.variable @sum = dense<1.0> : tensor<32x32xf32>
        func.func @add(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
          %0 = tosa.variable_read @sum : tensor<32x32xf32>
          %1 = tosa.add %0, %a : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
          tosa.variable_write @sum, %1 : tensor<32x32xf32>
          return %1 : tensor<32x32xf32>
        }""",
        backend=backend,
    )
    ones = np.ones((32, 32), np.float32)
    assert exe.compare("fast", ones, numerics="exact").outputs[0].max_error == 0
    assert exe(ones)[0, 0] == 2


def test_extents_that_vary() -> None:
    pytest.importorskip("jax")
    import jax.export
    import jax.numpy as jnp

    (rows,) = jax.export.symbolic_shape("rows")
    shapes = [jax.ShapeDtypeStruct((rows, 64), np.float32), jax.ShapeDtypeStruct((64, 64), "f4")]

    def function(x: Any, w: Any) -> Any:
        return jnp.exp(x @ w)

    arrays = [RNG.standard_normal((40, 64), np.float32) / 8, W.astype(np.float32)]
    fixed = ttmlir.compile(function, *arrays)
    fast, exact = (fixed(*arrays, numerics=numerics) for numerics in ("fast", "exact"))
    assert not same(fast, exact)
    for buckets in (None, {"rows": [64]}):
        varying = ttmlir.compile(function, *shapes, numerics="exact", buckets=buckets)
        assert varying.numerics == "exact"
        assert same(varying(*arrays), exact)
        assert same(varying(*arrays, numerics="fast"), fast)
        assert varying.compare("f64", *arrays).numerics == "exact"
        with pytest.raises(ttmlir.InputError, match="numerics: expected one of"):
            varying(*arrays, numerics="slow")  # type: ignore[arg-type]
        report = varying.report(*arrays, numerics="fast")
        assert report.cycles == varying.report(*arrays).cycles
    jitted = ttmlir.jit(function, numerics="exact")
    assert same(jitted(*arrays), exact)


def test_programs_of_advice_have_it(expected: tuple[Any, Array, Array]) -> None:
    backend, _, exact = expected
    exe = ttmlir.compile(layer(), backend=backend, numerics="exact")
    assert exe._recompile is not None
    assert same(exe._recompile({})(X, W), exact)
