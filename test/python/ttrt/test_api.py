"""ttrt as a Python package, as the documents show it."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ttrt.common.api import API
from ttrt.common.errors import TTRTError
from ttrt.common.util import Artifacts, Binary, FileManager, Logger, SystemDesc


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    API.initialize_apis()


def test_the_example_of_the_documents(files: Path, tmp_path: Path) -> None:
    custom_args = API.Run.registered_args
    custom_args["clean-artifacts"] = True
    custom_args["save-artifacts"] = True
    custom_args["loops"] = 10
    custom_args["init"] = "randn"
    custom_args["binary"] = str(files / "out.ttnn")

    log_file_name = "some_file_name.log"
    custom_logger = Logger(log_file_name)
    artifacts_folder_path = str(tmp_path / "folder")
    custom_artifacts = Artifacts(logging=custom_logger, artifacts_folder_path=artifacts_folder_path)
    run_instance = API.Run(args=custom_args, logging=custom_logger, artifacts=custom_artifacts)
    (result,) = run_instance()
    assert result["result"] == "pass"
    assert result["log_file"] == log_file_name
    assert result["artifacts"] == artifacts_folder_path
    assert (tmp_path / "folder" / "out.ttnn" / "run" / "program_0").is_dir()
    assert "10x" in Path(log_file_name).read_text()


@pytest.mark.parametrize("key", ["clean-artifacts", "clean_artifacts", "--clean-artifacts"])
def test_key_spellings(key: str) -> None:
    query = API.Query(args={key: True})
    assert query["clean-artifacts"] is True
    assert query["clean_artifacts"] is True


def test_namespace_and_defaults(files: Path) -> None:
    read = API.Read(args=argparse.Namespace(binary=str(files / "out.ttnn"), section="version"))
    assert read["log-file"] == ""
    read()


def test_registered_args_are_fresh() -> None:
    changed = API.Run.registered_args
    changed["loops"] = 99
    assert API.Run.registered_args["loops"] == 1
    commands = {"query", "read", "run", "perf", "debug", "check", "explore", "accuracy", "plan"}
    assert set(API.registered_args) == commands


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({"loop": 2}, "'run' has no argument 'loop'; did you mean 'loops'"),
        ({"loops": "x"}, "expected a value of type int, found 'x'"),
        ({"loops": 0}, "expected at least 1, found 0"),
        ({"identity": 1}, "expected True or False, found 1"),
        ({"init": "ones"}, "expected one of arange, randn, zeros, found 'ones'"),
    ],
)
def test_wrong_args(args: dict[str, Any], message: str) -> None:
    with pytest.raises(TTRTError, match=message):
        API.Run(args=args)


def test_query_gives_the_description() -> None:
    query = API.Query(logging=Logger("query.log"))
    query()
    assert query.device_ids == [0]
    assert query.get_system_desc_as_dict()["system_desc"]["chip_descs"]


def test_errors_are_exceptions(files: Path) -> None:
    run = API.Run(args={"binary": str(files / "truncated.ttnn")}, logging=Logger("run.log"))
    with pytest.raises(TTRTError, match=r"truncated\.ttnn") as caught:
        run()
    assert [r["result"] for r in caught.value.results] == ["error"]
    assert json.loads(Path("run_results.json").read_text()) == caught.value.results


def test_an_instance_can_be_called_again(files: Path) -> None:
    run = API.Run(args={"binary": str(files / "out.ttnn")}, logging=Logger("run.log"))
    assert run() == run()


def test_files_as_objects(files: Path) -> None:
    logger = Logger("x.log")
    manager = FileManager(logger)
    binary = Binary(logger, manager, files / "two.ttnn")
    assert binary.get_num_programs() == 2
    assert binary.check_program_index_exists(1)
    assert not binary.check_program_index_exists(2)
    assert [p.name for p in binary.programs] == ["first", "second"]
    desc = SystemDesc(logger, manager, files / "system_desc.ttsys")
    assert desc.get_system_desc_as_dict() == binary.get_system_desc_as_dict()


def test_binary_module(files: Path, tmp_path: Path) -> None:
    from ttrt import binary

    loaded = binary.load_from_path(str(files / "out.ttnn"))
    assert loaded.file_identifier == "TTNN"
    assert binary.as_dict(loaded)["programs"][0]["name"] == "multiply"
    loaded.store(str(tmp_path / "copy.ttnn"))
    assert (tmp_path / "copy.ttnn").read_bytes() == (files / "out.ttnn").read_bytes()


def test_runtime_module(files: Path) -> None:
    """submit writes into the memory that was given, as the original's API does."""
    from ttrt import binary, runtime

    fbb = binary.load_binary_from_path(str(files / "out.ttnn"))
    x = np.full((64, 128), 3, np.float32)
    out = np.zeros_like(x)

    def tensor(a: Any) -> Any:
        return runtime.create_tensor(
            a.ctypes.data, a.shape, [128, 1], a.itemsize, runtime.DataType.Float32
        )

    runtime.set_compatible_runtime(fbb)
    device = runtime.open_device([0])
    try:
        event = runtime.submit(device, fbb, 0, [tensor(x), tensor(x)], [tensor(out)])
        runtime.wait(event)
    finally:
        runtime.close_device(device)
    assert (out == 9).all()
