"""The plugin in a process: which devices, beside what else, what stays behind."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import ttmlir
from ttmlir import runtime

Python = Callable[..., str]


def test_cpu_stays_the_default(python: Python) -> None:
    program = """
        import jax, jax.numpy as jnp
        print(jax.devices(), jax.default_backend(), jnp.ones(2).devices())
        print(jax.devices("tt"), jax.devices("ttmlir"))
    """
    assert python(program, JAX_PLATFORMS="").splitlines() == [
        "[CpuDevice(id=0)] cpu {CpuDevice(id=0)}",
        "[TTDevice(id=0)] [TTDevice(id=0)]",
    ]


@pytest.mark.parametrize("name", ["tt", "ttmlir"])
def test_default_by_jax_platforms(python: Python, name: str) -> None:
    program = """
        import jax, jax.numpy as jnp
        x = jnp.arange(4.0) + 1
        print(jax.devices(), jax.default_backend(), x.devices(), x)
    """
    found = python(program, JAX_PLATFORMS=f"{name},cpu")
    assert found == "[TTDevice(id=0)] tt {TTDevice(id=0)} [1. 2. 3. 4.]\n"


@pytest.mark.parametrize(("target", "count"), [("n150", 1), ("n300", 2), ("t3000", 8), ("p150", 1)])
def test_targets(python: Python, target: str, count: int) -> None:
    """Each chip computes; arrays go from one to the next."""
    program = """
        import jax, numpy as np
        devices = jax.devices("tt")
        assert [d.id for d in devices] == [*range(len(devices))]
        print(len(devices), devices[0].device_kind)
        x = jax.device_put(np.arange(6, dtype=np.float32), devices[0])
        f = jax.jit(lambda x: x + 1)
        for device in devices:
            x = f(jax.device_put(x, device))
            assert x.devices() == {device}
        print(np.asarray(x)[0])
        print(all(d.memory_stats()["num_allocs"] >= 2 for d in devices))
    """
    arch = "blackhole" if target == "p150" else "wormhole_b0"
    expected = [f"{count} {arch} (emulated)", f"{count}.0", "True"]
    assert python(program, TTMLIR_TARGET=target).splitlines() == expected


def test_target_of_a_file(python: Python, tmp_path: Path) -> None:
    path = tmp_path / "own.ttsys"
    runtime.get_default_system_desc("n300").store(str(path))
    assert python("import jax; print(len(jax.devices('tt')))", TTMLIR_TARGET=str(path)) == "2\n"


def test_wrong_target(python: Python, tmp_path: Path) -> None:
    """JAX works on; asking for the devices says what is wrong."""
    program = """
        import jax
        print(jax.devices())
        try:
            jax.devices("tt")
        except RuntimeError as error:
            print(error)
    """
    found = python(program, TTMLIR_TARGET="n151", JAX_PLATFORMS="")
    assert found.startswith("[CpuDevice(id=0)]\n")
    assert f"TTMLIR_TARGET: expected one of {', '.join(ttmlir.targets())}" in found
    assert "found 'n151'" in found
    missing = str(tmp_path / "missing.ttsys")
    assert "missing.ttsys" in python(program, TTMLIR_TARGET=missing, JAX_PLATFORMS="")
    (tmp_path / "damaged.ttsys").write_bytes(b"nothing")
    damaged = str(tmp_path / "damaged.ttsys")
    assert "damaged.ttsys" in python(program, TTMLIR_TARGET=damaged, JAX_PLATFORMS="")
    assert "n151" in python(
        "import jax; jax.devices()", fails=True, TTMLIR_TARGET="n151", JAX_PLATFORMS="tt"
    )


@pytest.mark.parametrize("first", [True, False])
def test_another_plugin_of_the_name(python: Python, first: bool) -> None:
    """It keeps the name, whoever comes first; ours has a second one."""
    program = f"""
        from jax._src import xla_bridge
        from jax_plugins import ttmlir

        def other():
            xla_bridge.register_backend_factory(
                "tt", lambda: xla_bridge.make_cpu_client(), priority=-500, fail_quietly=True)

        first, second = (other, ttmlir.initialize) if {first} else (ttmlir.initialize, other)
        first(), second()
        import jax
        print(jax.devices("tt"), jax.devices("ttmlir"))
    """
    assert python(program) == "[CpuDevice(id=0)] [TTDevice(id=0)]\n"


#: The beginning of a program, indented as its rest is, that caches what JAX compiles in
#: JAX_COMPILATION_CACHE_DIR and counts what the plugin compiles.
CACHED = """
        import jax, jax.numpy as jnp, numpy as np
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
        from jax_plugins.ttmlir import _backend, _execution
        compiled = []
        original = _execution.compile_program
        _execution.compile_program = lambda *args: compiled.append(1) or original(*args)
"""


def test_cache_of_compiled_programs(python: Python, tmp_path: Path) -> None:
    program = f"""{CACHED}
        x = jax.device_put(np.ones((4, 4), np.float32), jax.devices("tt")[0])
        f = jax.jit(lambda x, y: (jnp.tanh(x) + y, x.sum()), donate_argnums=1)
        y = x + 0
        a, b = f(x, y)
        print(len(compiled), np.asarray(a)[0, 0], b, y.is_deleted())
    """
    variables = {"JAX_COMPILATION_CACHE_DIR": str(tmp_path)}
    first, second = python(program, **variables), python(program, **variables)
    assert first.split()[0] == "2"
    assert second.split()[0] == "0"
    assert first.split()[1:] == second.split()[1:]
    # Of another system: compiled anew.
    assert python(program, TTMLIR_TARGET="p150", **variables).split()[0] == "2"


def test_cache_of_programs_of_meshes(python: Python, tmp_path: Path) -> None:
    """Mesh, chips and shardings are those of the first process."""
    program = f"""{CACHED}
        from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
        f = jax.jit(lambda x: (x @ x.T, x.sum()), donate_argnums=0)
        for ids in ((0, 1, 2, 3, 4, 5, 6, 7), (0, 1, 5, 4, 6, 7, 3, 2), (3, 2)):
            mesh = Mesh(np.array([jax.devices("tt")[i] for i in ids]).reshape(2, -1), ("a", "b"))
            host = np.arange(32, dtype=np.float32).reshape(8, 4)
            x = jax.device_put(host, NamedSharding(mesh, P("a", "b")))
            product, total = f(x)
            np.testing.assert_array_equal(product, host @ host.T)
            print(product.sharding.spec, float(total), x.is_deleted())
        print(len(compiled))
    """
    variables = {"TTMLIR_TARGET": "t3000", "JAX_COMPILATION_CACHE_DIR": str(tmp_path)}
    first, second = python(program, **variables), python(program, **variables)
    assert first.splitlines()[-1] == "3"
    assert second.splitlines()[-1] == "0"
    assert first.splitlines()[:-1] == second.splitlines()[:-1]


def test_serialized_programs_of_meshes(python: Python) -> None:
    program = """
        import jax, numpy as np
        from jax.experimental import serialize_executable as own
        from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
        mesh = Mesh(np.array(jax.devices("tt")), ("x",))
        x = jax.device_put(np.ones((8, 8), np.float32), NamedSharding(mesh, P("x")))
        compiled = jax.jit(lambda x: x @ x + 1).lower(x).compile()
        loaded = own.deserialize_and_load(*own.serialize(compiled), backend="tt")
        print(np.asarray(loaded(x))[0, 0], loaded(x).sharding.spec == P("x"))
        print(compiled.memory_analysis().argument_size_in_bytes)
        print("num_partitions=8" in compiled.as_text())
    """
    assert python(program, TTMLIR_TARGET="t3000").splitlines() == [
        "9.0 True",
        "32",
        "True",
    ]


def test_serialized_programs(python: Python) -> None:
    program = """
        import jax, numpy as np
        from jax.experimental import serialize_executable as own
        x = jax.device_put(np.ones((4, 4), np.float32), jax.devices("tt")[0])
        compiled = jax.jit(lambda x: x @ x + 1).lower(x).compile()
        parts = own.serialize(compiled)
        loaded = own.deserialize_and_load(*parts, backend="tt")
        print(np.asarray(loaded(x))[0, 0])
    """
    assert python(program) == "5.0\n"


def test_damaged_programs(python: Python) -> None:
    program = """
        import random
        import jax, numpy as np
        from jax_plugins.ttmlir import _backend, _execution
        from jax_plugins.ttmlir._errors import describe
        x = jax.device_put(np.ones((4, 4), np.float32), jax.devices("tt")[0])
        loaded = jax.jit(lambda x: x @ x + 1).lower(x).compile().runtime_executable()
        data = _execution.find_program(loaded.fingerprint.decode()).serialize()
        backend = _backend.Backend()
        assert backend.load(data, None).name
        codes = set()
        tries = [data[:n] for n in (0, 3, 20, 100, len(data) - 1)] + [b"X" + data]
        rng = random.Random(0)
        for _ in range(100):
            bad = bytearray(data)
            bad[rng.randrange(200 if rng.random() < 0.5 else len(bad))] ^= 1 << rng.randrange(8)
            tries.append(bytes(bad))
        for bad in tries:
            try:
                backend.load(bad, None)
            except Exception as error:
                codes.add(describe(error)[0])
        print(sorted(codes))
    """
    found = python(program)
    assert {3, 9} <= set(json.loads(found)) <= {3, 9, 12, 13}


def test_exit_with_work_in_flight(python: Python) -> None:
    """The process ends, with nothing to say."""
    program = """
        import jax, jax.numpy as jnp, numpy as np
        x = jax.device_put(np.ones((256, 256), np.float32), jax.devices("tt")[0])
        f = jax.jit(lambda x: jax.lax.fori_loop(0, 3, lambda _, y: jnp.tanh(y @ x), x))
        results = [f(x) for _ in range(50)]
        print("dispatched")
    """
    assert python(program) == "dispatched\n"
    assert python(program + "    raise SystemExit(3)\n", fails=True) == ""


def test_arrays_in_a_finalizer(python: Python) -> None:
    """Code that runs while a program is run, as that of a finalizer may, reads arrays that are
    there, and has an error for those to come."""
    program = """
        import gc, threading
        import jax, numpy as np
        from jax_plugins.ttmlir import _backend, _execution
        chip = jax.devices("tt")[0]
        f = jax.jit(lambda x: x + 1)
        ready = f(jax.device_put(np.ones(4, np.float32), chip)).block_until_ready()
        original, dispatched = _execution.Runner.execute, threading.Event()
        calls, said, coming = [], [], []

        def execute(self, *args):
            calls.append(1)
            if len(calls) == 1:
                dispatched.wait()
                said.append(float(np.asarray(ready).sum()))
                try:
                    np.asarray(coming[0])
                except Exception as error:
                    said.append(str(error).partition(":")[0])
                said.append(chip.memory_stats()["num_allocs"] > 0)
            return original(self, *args)

        _execution.Runner.execute = execute
        with jax.default_device(chip):
            (backend,) = (o for o in gc.get_objects() if isinstance(o, _backend.Backend))
            vars(backend).pop("execute")  # It keeps the methods of the runner.
            first, second = f(ready), f(ready)
            coming.append(second)
            dispatched.set()
            print(first.block_until_ready().sum(), f(second).sum(), said)
    """
    assert python(program) == "12.0 16.0 [8.0, 'FAILED_PRECONDITION', True]\n"


def test_backends_can_be_cleared(python: Python) -> None:
    program = """
        import os
        import jax, numpy as np
        print(len(jax.devices("tt")))
        np.asarray(jax.jit(lambda x: x + 1)(jax.device_put(np.ones(4), jax.devices("tt")[0])))
        jax.clear_caches()
        from jax.extend.backend import clear_backends
        clear_backends()
        os.environ["TTMLIR_TARGET"] = "n300"
        devices = jax.devices("tt")
        print(len(devices), np.asarray(jax.device_put(np.ones(2), devices[1]) + 1))
    """
    assert python(program) == "1\n2 [2. 2.]\n"


def test_forked_process(python: Python) -> None:
    """The chips stay with the parent; the child has an error and does not hang."""
    program = """
        import os, warnings
        warnings.simplefilter("ignore")
        import jax, numpy as np
        x = jax.device_put(np.ones(4, np.float32), jax.devices("tt")[0])
        f = jax.jit(lambda x: x + 1)
        f(x).block_until_ready()
        read, write = os.pipe()
        if os.fork() == 0:
            try:
                f(x)
                os.write(write, b"no error")
            except Exception as error:
                os.write(write, str(error).encode())
            os._exit(0)
        print(os.read(read, 1000).decode().splitlines()[0])
        print(np.asarray(f(x)))
    """
    first, second = python(program).splitlines()
    assert re.match("FAILED_PRECONDITION.*forked.*spawn", first)
    assert second == "[2. 2. 2. 2.]"


def test_functions_that_are_not_there(python: Python) -> None:
    """They say which."""
    program = """
        import jax, numpy as np
        x = jax.device_put(np.ones(4, np.float32), jax.devices("tt")[0])
        try:
            x.unsafe_buffer_pointer()
        except jax.errors.JaxRuntimeError as error:
            print(error)
    """
    assert "UNIMPLEMENTED: PJRT_Buffer_UnsafePointer is not implemented" in python(program)
