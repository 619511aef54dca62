"""The option classes of ttmlir.passes against the pipelines that the compiler registers."""

from __future__ import annotations

import inspect
import re
import subprocess
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ttmlir
from ttmlir import ir, passes
from ttmlir._pipelines import BACKENDS, Keywords
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


def test_text_of_compute_configs() -> None:
    options = passes.TTIRToTTNNBackendPipelineOptions(
        math_fidelity="hifi3",
        fp32_dest_acc_en=False,
        override_compute_config={"activation": "lofi:packer_l1_acc=false", "sum": "hifi4"},
    )
    assert str(options) == (
        "math-fidelity=hifi3 fp32-dest-acc-en=false "
        "override-compute-config=activation=lofi:packer_l1_acc=false,sum=hifi4"
    )
    module = relu()
    passes.ttir_to_ttnn_backend_pipeline(module, options)
    said = "<math_fidelity = lofi, fp32_dest_acc_en = false, packer_l1_acc = false>"
    assert f"#ttnn.device_compute_kernel_config{said}" in str(module)


def test_wrong_values() -> None:
    options = passes.TTIRToTTNNBackendPipelineOptions
    with pytest.raises(ValueError, match=r"expected \(rows, columns\) for 'a', found \(1, 2, 3\)"):
        options(override_grid_sizes={"a": (1, 2, 3)})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="override_grid_sizes: expected a dict by the names"):
        options(override_grid_sizes=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"expected parts joined by colons.*for 'a', found 'l1,x'"):
        options(override_output_layout={"a": "l1,x"})
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


@pytest.mark.parametrize("backend", BACKENDS)
def test_compile_has_the_options_too(backend: str) -> None:
    parameters = inspect.signature(ttmlir.compile).parameters
    for field in fields(BACKENDS[backend]):
        # It optimizes unless told otherwise; pipelines print what they always printed.
        default = 1 if field.name == "optimization_level" else field.default
        assert parameters[field.name].default == default
        assert field.name in Keywords.__annotations__


def test_compile_takes_an_object_or_keywords() -> None:
    options = passes.TTIRToTTMetalBackendPipelineOptions(override_device_shape=(1, 2))
    objects = ttmlir.compile(relu(), backend="ttmetal", options=options)
    keywords = ttmlir.compile(relu(), backend="ttmetal", override_device_shape=(1, 2))
    short = ttmlir.compile(relu(), backend="ttmetal", grid=(1, 2))
    assert objects.mlir == keywords.mlir == short.mlir
    assert objects.mlir != ttmlir.compile(relu(), backend="ttmetal").mlir


def test_a_file_of_a_system_is_an_option_too(tmp_path: Path) -> None:
    path = tmp_path / "p150.ttsys"
    ttmlir.runtime.get_default_system_desc("p150").store(str(path))
    exe = ttmlir.compile(relu(), system_desc_path=path)
    assert exe.mlir == ttmlir.compile(relu(), target="p150").mlir


def test_wrong_keywords_of_compile() -> None:
    compile: Any = ttmlir.compile
    options = passes.TTIRToTTNNBackendPipelineOptions()
    with pytest.raises(TypeError, match="argument 'enable_optimiser'; did you mean 'enable_opt"):
        compile(relu(), enable_optimiser=True)
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'xyzzy'$"):
        compile(relu(), xyzzy=True)
    with pytest.raises(ttmlir.Error, match="all_gather_swizzle: not an option of"):
        compile(relu(), all_gather_swizzle=1)
    with pytest.raises(ttmlir.CompileError, match="enable_optimizer: expected True or False"):
        compile(relu(), enable_optimizer="yes")
    with pytest.raises(ttmlir.Error, match="expected TTIRToTTMetalBackendPipelineOptions with"):
        compile(relu(), backend="ttmetal", options=options)
    with pytest.raises(ttmlir.Error, match="expected options or keywords, found both, chip_ids"):
        compile(relu(), options=options, chip_ids=(0,))


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
@pytest.mark.parametrize(
    ("mesh", "asked", "chips"),
    [
        ((1, 2), (), (0, 1)),
        ([2, 2], (0, 4, 1, 5), (0, 4, 1, 5)),
        ((2, 2), [4, 5, 6, 7], (4, 5, 6, 7)),
        ((8,), (), (0, 1, 2, 3, 7, 6, 5, 4)),
        ((2, 1, 2), (), (0, 1, 4, 5)),
        ((2, 2, 2), (), tuple(range(8))),
    ],
)
def test_meshes(
    backend: str, mesh: Sequence[int], asked: Sequence[int], chips: tuple[int, ...]
) -> None:
    """A program of a front end, on all chips of a mesh."""
    text = """func.func @f(%a: tensor<40x4xf32>) -> tensor<40x4xf32> {
      %0 = tosa.abs %a : (tensor<40x4xf32>) -> tensor<40x4xf32>
      return %0 : tensor<40x4xf32>
    }"""
    exe = ttmlir.compile(text, backend=backend, target="t3000", mesh_shape=mesh, chip_ids=asked)
    assert (exe.programs[0].mesh_shape, exe.programs[0].chip_ids) == (tuple(mesh), chips)
    x = np.random.default_rng(0).standard_normal((40, 4)).astype(np.float32)
    assert (exe(x) == np.abs(x)).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mesh_shape": (0, 2)}, r"mesh_shape: expected positive extents, .*, found \(0, 2\)"),
        ({"mesh_shape": (1.5,)}, r"mesh_shape: expected positive extents, .*, found \(1.5,\)"),
        ({"mesh_shape": 3}, r"mesh_shape: expected positive extents, such as \(2, 4\), found 3"),
        ({"mesh_shape": "12"}, "mesh_shape: expected positive extents, .*, found '12'"),
        ({"chip_ids": (0, -1)}, r"chip_ids: expected chips of the system, .*, found \(0, -1\)"),
        ({"chip_ids": ("a",)}, r"chip_ids: expected chips of the system, .*, found \('a',\)"),
        ({"system_desc_path": 3}, "system_desc_path: expected a path, found 3"),
    ],
)
def test_wrong_meshes(options: Any, message: str) -> None:
    for kind in BACKENDS.values():
        with pytest.raises(ValueError, match=message):
            kind(**options)


@pytest.mark.parametrize(
    ("mesh", "chips", "message"),
    [
        ((3, 3), (), "at most 8 chips, the chips of the system, found 3x3"),
        ((2**40, 2**40), (), "at most 8 chips, the chips of the system, found 1099511627776x109"),
        ((1, 2), (5, 5), "every chip once in mesh 1x2, found chip 5 twice"),
        ((1, 2), (0, 8), "chip ids below 8, the chips of the system, for mesh 1x2, found 8"),
        ((1, 2), (0,), "2 chip ids, one for every point of mesh 1x2, found 1"),
    ],
)
@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_meshes_that_the_system_does_not_have(
    backend: str, mesh: tuple[int, ...], chips: tuple[int, ...], message: str
) -> None:
    with pytest.raises(ttmlir.CompileError, match=message):
        ttmlir.compile(relu(), backend=backend, target="t3000", mesh_shape=mesh, chip_ids=chips)
