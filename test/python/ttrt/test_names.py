"""The names, members and defaults that scripts written for the reference's ttrt use."""

from __future__ import annotations

import argparse
import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ttmlir
from ttrt import binary, runtime
from ttrt.common import arguments, util
from ttrt.common.api import API
from ttrt.common.errors import TTRTError

Call = Any

# Option: default and commands.
OPTIONS: dict[str, tuple[Any, str]] = {
    "clean-artifacts": (False, "query read run perf debug check explore accuracy plan"),
    "save-artifacts": (False, "query read run perf debug check explore accuracy plan"),
    "log-file": ("", "query read run perf debug check explore accuracy plan"),
    "artifact-dir": ("", "query read run perf debug check explore accuracy plan"),
    "binary": ("", "read run perf debug check"),
    "section": ("all", "read"),
    "program-index": ("all", "run perf debug"),
    "loops": (1, "run perf"),
    "init": ("randn", "run perf debug accuracy"),
    "load-inputs": ("", "run perf debug"),
    "shapes": ("", "run perf debug plan"),
    "identity": (False, "run perf debug"),
    "non-zero": (False, "run perf debug"),
    "rtol": (1e-05, "run perf debug"),
    "atol": (1e-08, "run perf debug"),
    "seed": (0, "run perf debug explore accuracy"),
    "load-kernels-from-disk": (False, "run perf debug"),
    "disable-async-ttnn": (False, "run perf debug"),
    "allow-cpp": (False, "run perf debug"),
    "check": (False, "run perf debug"),
    "no-check": (False, "run perf debug"),
    "numerics": ("fast", "run perf debug accuracy"),
    "step-limit": (0, "run perf debug"),
    "command": ((), "debug"),
    "script": ("", "debug"),
    "sort": ("start", "perf"),
    "top": (0, "perf plan"),
    "ops": (False, "perf"),
    "kernels": (False, "perf"),
    "replays": (0, "perf"),
    "host-only": (False, "perf"),
    "html": ("", "perf"),
    "trace-format": ("json", "perf"),
    "trace-tracks": ("", "perf"),
    "trace-ops": ("", "perf"),
    "trace-devices": ("", "perf"),
    "trace-cores": ("", "perf"),
    "trace-window": ("", "perf"),
    "trace-limit": (1_000_000, "perf"),
    "system-desc": ("", "check"),
    "target": ("", "query run perf debug explore accuracy"),
    "backend": ("ttnn", "explore accuracy"),
    "dtype": ("", "accuracy"),
    "min-pcc": (0.0, "accuracy"),
    "max-relative": (0.0, "accuracy"),
    "parts": (False, "accuracy"),
    "json": ("", "accuracy plan"),
    "page": ("", "accuracy plan"),
    "targets": ("n150,n300,t3000,p150", "plan"),
    "precisions": ("balanced,performance", "plan"),
    "parameters": ("", "plan"),
    "port": (0, "explore"),
    "time-limit": (300.0, "explore"),
    "open": (False, "explore"),
    "model": ("", "explore accuracy plan"),
}
HELP = {
    "query": "query information about the current system",
    "read": "read information from flatbuffer binary",
    "run": "run a flatbuffer binary",
    "perf": "run performance trace and collect performance data",
    "debug": "debug the kernels of a flatbuffer binary",
    "check": "check a flatbuffer binary against a system desc file",
    "explore": "serve a page to change layouts, recompile and compare",
    "accuracy": "compare the results of every op with those of the source",
}


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    API.initialize_apis()


@pytest.mark.parametrize("command", HELP)
def test_options(command: str) -> None:
    expected = {name: d for name, (d, commands) in OPTIONS.items() if command in commands.split()}
    assert dict(API.registered_args[command]) == expected
    assert dict(API.registered_apis[command].registered_args) == expected


def test_choices(files: Path, ttrt: Call) -> None:
    help_text = " ".join(ttrt("read", "--help").stdout.split())
    assert "[all|cpp|inputs|mlir|outputs|remarks|system_desc|version]" in help_text
    help_text = " ".join(ttrt("run", "--help").stdout.split())
    assert "the program inside the fbb to run, by index [default: all]" in help_text
    assert "[arange|randn|zeros]" in help_text


def test_help(ttrt: Call) -> None:
    text = " ".join(ttrt("--help").stdout.split())
    assert "ttrt: a runtime tool for parsing and executing flatbuffer binaries" in text
    for command, meaning in HELP.items():
        assert f"{command} {meaning}" in text


def test_classes() -> None:
    for command, name in {c: c.capitalize() for c in HELP}.items():
        cls = getattr(API, name)
        assert API.registered_apis[command] is cls
        assert list(inspect.signature(cls).parameters)[:3] == ["args", "logging", "artifacts"]
        for method in ("preprocess", "check_constraints", "execute", "postprocess", "__call__"):
            assert callable(getattr(cls, method))
    instance = API.Run()
    assert "run" in str(instance)
    instance["loops"] = 3
    assert instance["--loops"] == instance["loops"] == 3


def test_upstream() -> None:
    assert API.Perf.get_upstream_apis() == ["run"]
    assert API.Query.get_upstream_apis() == []


def test_subparsers_of_another_tool(files: Path) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--own")
    subparsers = parser.add_subparsers()
    for command in API.registered_apis.values():
        command.generate_subparser(subparsers)
    args = parser.parse_args(["--own", "x", "run", str(files / "out.ttnn"), "--loops", "2"])
    instance = args.api(args)
    assert isinstance(instance, API.Run)
    assert instance["loops"] == 2
    assert instance.args.given("rtol") is None
    (result,) = instance()
    assert result["result"] == "pass"


def test_own_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arguments, "ARGUMENTS", list(arguments.ARGUMENTS))
    API.Run.register_arg("--colour", str, "red", ["red", "green"], "a colour", api_only=False)
    API.Run.register_arg("--shade", int, 1, None, "a shade")
    assert API.Perf(args={"colour": "green"})["colour"] == "green"
    assert API.Run()["shade"] == 1
    with pytest.raises(TTRTError, match="'perf' has no argument 'shade'"):
        API.Perf(args={"shade": 2})
    with pytest.raises(TTRTError, match="expected one of red, green, found 'blue'"):
        API.Run(args={"colour": "blue"})
    with pytest.raises(TTRTError, match="'run' already has an argument 'loops'"):
        API.Run.register_arg("--loops", int, 1, None, "again")


def test_a_command_needs_its_methods() -> None:
    class Half:
        name = "half"

        def preprocess(self) -> None: ...

    with pytest.raises(TypeError, match="API 'Half' has no method check_constraints"):
        API.register_api(Half)  # type: ignore[arg-type]


def test_helpers(files: Path, tmp_path: Path) -> None:
    logger = util.Logger("")
    manager = util.FileManager(logger)
    artifacts = util.Artifacts(logger, manager, "folder")
    assert artifacts.artifacts_folder_path == "folder"
    assert util.Globals(logger).get_ttnn_file_extension() == ".ttnn"
    file = util.Binary(logger, manager, files / "two.ttnn")
    assert (file.name, file.extension) == ("two.ttnn", ".ttnn")
    assert file.version == ttmlir.__version__
    assert file.fbb_dict == binary.as_dict(file.fbb)
    file.check_version()
    query = API.Query(logging=util.Logger("query.log"))
    query()
    file.check_system_desc(query)
    assert [(p.index, p.program["name"]) for p in file.programs] == [(0, "first"), (1, "second")]
    assert (file.programs[0].input_tensors, file.programs[0].output_tensors) == ([], [])
    saved = file.save(artifacts, query)
    assert {p.name for p in Path(saved).iterdir()} == {"two.ttnn", "system_desc.ttsys"}


def test_binary_from_a_capsule(files: Path) -> None:
    from ttmlir import passes

    b = ttmlir.Builder("add")
    x = b.input("x", (32, 32))
    b.output(b.add(x, x))
    passes.ttir_to_ttnn_backend_pipeline(b.module)
    capsule = passes.ttnn_to_flatbuffer_binary(b.module)
    logger = util.Logger("")
    file = util.Binary(logger, util.FileManager(logger), "", capsule)
    assert file.programs[0].name == "add"
    assert binary.load_binary_from_capsule(capsule).as_json() == file.fbb.as_json()


def test_binary_module(files: Path) -> None:
    for load, cls, name, identifier in (
        (binary.load_from_path, binary.Flatbuffer, "out.ttnn", "TTNN"),
        (binary.load_binary_from_path, binary.Binary, "out.ttnn", "TTNN"),
        (binary.load_system_desc_from_path, binary.SystemDesc, "system_desc.ttsys", "TTSY"),
    ):
        loaded = load(str(files / name))
        assert isinstance(loaded, cls)
        assert loaded.file_identifier == identifier
        assert loaded.version == ttmlir.__version__
        assert loaded.ttmlir_git_hash == ttmlir.__git_hash__
        assert isinstance(binary.as_dict(loaded), dict)
        loaded.store("copy")
        assert Path("copy").read_bytes() == (files / name).read_bytes()


def test_runtime_module(files: Path) -> None:
    assert [kind.name for kind in runtime.DeviceRuntime] == ["Disabled", "TTNN", "TTMetal"]
    names = [data_type.name for data_type in runtime.DataType]
    assert names[:12] == [
        *("Float32", "Float16", "BFloat16", "BFP_Float8", "BFP_BFloat8", "BFP_Float4"),
        *("BFP_BFloat4", "BFP_Float2", "BFP_BFloat2", "UInt32", "UInt16", "UInt8"),
    ]
    fbb = binary.load_binary_from_path(str(files / "out.ttnn"))
    runtime.set_compatible_runtime(fbb)
    assert runtime.get_current_runtime() == runtime.DeviceRuntime.TTNN
    system_desc, device_ids = runtime.get_current_system_desc()
    assert device_ids == [0]
    assert system_desc.file_identifier == "TTSY"
    env = runtime.DebugEnv.get(False, False)
    assert str(env) == "Env{\n\tloadKernelsFromDisk: 0,\n\tdisableAsyncTTNN: 0\n}"

    device = runtime.open_device()
    x = np.arange(64 * 128, dtype=np.float32).reshape(64, 128)
    out = np.zeros_like(x)
    tensors = [
        runtime.create_tensor(a.ctypes.data, [64, 128], [128, 1], 4, runtime.DataType.Float32)
        for a in (x, x, out)
    ]
    event = runtime.submit(device, fbb, 0, tensors[:2], tensors[2:])
    assert isinstance(event, runtime.Event)
    runtime.wait(event)
    device.deallocate_buffers()
    runtime.close_device(device)
    np.testing.assert_array_equal(out, x * x)


def test_extension_modules() -> None:
    from ttrt.binary import _C as binary_extension
    from ttrt.runtime import _C as runtime_extension

    assert runtime.DeviceRuntime.TTNN in runtime_extension.get_available_runtimes()
    for module, extension in ((binary, binary_extension), (runtime, runtime_extension)):
        assert set(module.__all__) <= set(extension.__all__)
        for name in module.__all__:
            assert getattr(extension, name) is getattr(module, name)


def test_without_a_runtime() -> None:
    code = (
        "import sys, importlib.util as u; real = u.find_spec\n"
        "u.find_spec = lambda n, *a: None if n == 'ttmlir._runtime' else real(n, *a)\n"
        "import ttrt.runtime"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == (
        "ImportError: Error: Project was not built with runtime enabled, "
        "rebuild with: -DTTMLIR_ENABLE_RUNTIME=ON"
    )


def test_a_wrong_file_in_an_api(tmp_path: Path) -> None:
    (tmp_path / "x.ttnn").write_bytes(b"nothing")
    with pytest.raises(TTRTError, match=r"x\.ttnn"):
        util.Binary(util.Logger(""), util.FileManager(), "x.ttnn")
