"""The option classes of ttmlir.passes against the pipelines that the compiler registers."""

from __future__ import annotations

import inspect
import re
import subprocess
from dataclasses import fields
from pathlib import Path

import pytest

import ttmlir
from ttmlir import ir, passes
from ttmlir._tools import PROGRAM

CLASSES = {cls.pipeline: cls for cls in passes.PipelineOptions.__subclasses__()}


def registered() -> dict[str, set[str]]:
    """Options by the pipelines that `ttmlir-opt --help` lists."""
    done = subprocess.run(
        [PROGRAM, "ttmlir-opt", "--help"], capture_output=True, text=True, check=True
    )
    found: dict[str, set[str]] = {}
    for line in done.stdout.partition("Pass Pipelines:\n")[2].splitlines():
        if match := re.match(r"      --([\w-]+) +- ", line):
            options = found.setdefault(match[1], set())
        elif match := re.match(r"        --([\w-]+)", line):
            options.add(match[1])
        elif not line.startswith("    ="):  # A value of an option.
            break
    # Those that are called after a dialect of ours; the others are upstream's.
    return {name: options for name, options in found.items() if "tt" in name.split("-to-")[-1]}


def test_every_pipeline_has_a_class_and_a_function() -> None:
    pipelines = registered()
    assert "ttir-to-ttnn-backend-pipeline" in pipelines
    aliases = {alias for cls in CLASSES.values() for alias in cls.aliases}
    assert {*CLASSES, *aliases} == set(pipelines)
    for name in CLASSES:
        function = getattr(passes, name.replace("-", "_"))
        assert function.__doc__
        assert list(inspect.signature(function).parameters) == ["module", "options"]
        assert getattr(passes.passes, name.replace("-", "_")) is function


@pytest.mark.parametrize("pipeline", CLASSES)
def test_fields_are_the_options(pipeline: str) -> None:
    names = {f.name.replace("_", "-") for f in fields(CLASSES[pipeline])}
    assert names == registered()[pipeline]


def test_defaults_are_the_pipelines() -> None:
    for cls in CLASSES.values():
        assert str(cls()) == ""


def relu() -> ir.Module:
    b = ttmlir.Builder()
    b.output(b.relu(b.input("x", (64, 64)), name="activation"))
    return b.module


def grids(options: str | passes.TTIRToTTNNBackendPipelineOptions) -> list[str]:
    module = relu()
    passes.ttir_to_ttnn_backend_pipeline(module, options)
    return [
        re.findall(r"<(\d+x\d+)>, memref", str(op.results[0].type))[0]
        for op in (o.operation for o in module.body.operations[0].body.blocks[0].operations)
        if op.name == "ttnn.relu"
    ]


def test_objects_are_as_good_as_texts(tmp_path: Path) -> None:
    options = passes.TTIRToTTNNBackendPipelineOptions
    assert grids("enable-optimizer=false") == grids(options(enable_optimizer=False)) == ["1x1"]
    assert grids("override-grid-sizes=activation=2x2") == ["2x2"]
    assert grids(options(override_grid_sizes={"activation": (2, 2)})) == ["2x2"]
    assert grids(options()) == grids("") == ["8x8"]
    desc = tmp_path / "a folder" / "p150.ttsys"
    desc.parent.mkdir()
    ttmlir.runtime.get_default_system_desc("p150").store(str(desc))
    module = relu()
    passes.ttir_to_ttnn_backend_pipeline(module, options(system_desc_path=desc))
    assert "arch = <blackhole>" in str(module)


def test_front_ends() -> None:
    text = """func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %0 = tosa.abs %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
      return %0 : tensor<4x4xf32>
    }"""
    module = ir.Module.parse(text, ir.Context())
    passes.tosa_to_ttir_pipeline(
        module, passes.TosaToTTIRPipelineOptions(enable_remove_dead_values=True)
    )
    assert '"ttir.abs"' in str(module)
    module = ir.Module.parse(text, ir.Context())
    passes.run_pipeline(module, "tosa-to-ttir", passes.TosaToTTIRPipelineOptions())
    assert '"ttir.abs"' in str(module)
    text = text.replace(
        "tosa.abs %a : (tensor<4x4xf32>)",
        "linalg.abs ins(%a : tensor<4x4xf32>) outs(%a : tensor<4x4xf32>)",
    )
    module = ir.Module.parse(text, ir.Context())
    passes.linalg_to_ttir_pipeline(module)
    assert '"ttir.abs"' in str(module)


def test_text_of_layouts() -> None:
    options = passes.TTIRToTTNNBackendPipelineOptions(
        override_output_layout={"activation": "2x2:l1:block_sharded", "sum": "dram"},
        enable_deallocate=True,
    )
    assert str(options) == (
        "override-output-layout=activation=2x2:l1:block_sharded,sum=dram enable-deallocate=true"
    )
    assert grids(options) == ["2x2"]


def test_wrong_values() -> None:
    options = passes.TTIRToTTNNBackendPipelineOptions
    with pytest.raises(ValueError, match=r"expected \(rows, columns\) for 'a', found \(1, 2, 3\)"):
        str(options(override_grid_sizes={"a": (1, 2, 3)}))  # type: ignore[dict-item]
    with pytest.raises(ValueError, match=r"expected parts joined by colons.*for 'a', found 'l1,x'"):
        str(options(override_output_layout={"a": "l1,x"}))
    with pytest.raises(TypeError, match="unexpected keyword argument 'enable_optimiser'"):
        options(enable_optimiser=True)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="expected options of ttir-layout, found"):
        passes.run_pipeline(relu(), "ttir-layout", options())


def test_any_pass_by_name() -> None:
    module = relu()
    passes.run_pipeline(module, "ttir-load-system-desc")
    assert "tt.system_desc" in module.operation.attributes
    with pytest.raises(passes.PassError, match="no-such-pass"):
        passes.run_pipeline(module, "no-such-pass")


def test_compile_has_the_options_too() -> None:
    parameters = inspect.signature(ttmlir.compile).parameters
    for field in fields(passes.TTIRToTTNNBackendPipelineOptions):
        # The system is chosen by `target` or `system_desc`.
        assert field.name in parameters or field.name == "system_desc_path"
