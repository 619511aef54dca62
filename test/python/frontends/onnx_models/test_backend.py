"""A sample of ONNX's own tests through ``ttmlir.onnx.backend``; ``backend_tests.py`` runs all."""

from __future__ import annotations

import unittest
import warnings

import numpy as np
import onnx
import pytest
from backend_tests import Case, cases, group_of, run
from onnx_models import F32, I64, model, perceptron

import ttmlir
from ttmlir.errors import Error, InputError
from ttmlir.onnx import backend

#: One or a few of each group of ops.
NODE = (
    "test_add_bcast",
    "test_averagepool_2d_ceil",
    "test_basic_conv_with_padding",
    "test_batchnorm_example",
    "test_batchnorm_example_training_mode",
    "test_bitshift_left_uint8",
    "test_cast_FLOAT_to_FLOAT16",
    "test_clip_default_min",
    "test_concat_3d_axis_negative_1",
    "test_convtranspose_autopad_same",
    "test_convtranspose_output_shape",
    "test_cumsum_1d_reverse_exclusive",
    "test_depthtospace_example",
    "test_edge_pad",
    "test_elu",
    "test_expand_dim_changed",
    "test_flatten_negative_axis1",
    "test_gelu_tanh_1",
    "test_gemm_all_attributes",
    "test_hardmax_one_hot",
    "test_instancenorm_epsilon",
    "test_isinf_negative",
    "test_layer_normalization_4d_axis1",
    "test_logsoftmax_axis_1",
    "test_lrn",
    "test_matmul_4d",
    "test_maxpool_2d_dilations",
    "test_maxpool_with_argmax_2d_precomputed_pads",
    "test_mod_int64_fmod",
    "test_onehot_negative_indices",
    "test_pow_bcast_scalar",
    "test_prelu_broadcast",
    "test_reduce_log_sum_exp_keepdims_random",
    "test_reduce_max_bool_inputs",
    "test_reduce_sum_empty_set",
    "test_reflect_pad",
    "test_reshape_allowzero_reordered",
    "test_reversesequence_batch",
    "test_slice_neg_steps",
    "test_softmax_large_number",
    "test_split_variable_parts_2d_opset18",
    "test_squeeze_negative_axes",
    "test_tile",
    "test_transpose_all_permutations_3",
    "test_tril_one_row_neg",
    "test_unsqueeze_unsorted_axes",
    "test_where_long_example",
    "test_xor_bcast4v2d",
)
OTHERS = {
    "simple": ("test_expand_shape_model1", "test_single_relu_model"),
    "pytorch-operator": ("test_operator_conv", "test_operator_max", "test_operator_permute2"),
    "pytorch-converted": ("test_Conv2d_depthwise_padded", "test_GLU", "test_PReLU_2d_multiparam"),
    "light": ("light_squeezenet",),
}


def _sample() -> dict[str, Case]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {}
        for kind, names in {"node": NODE, **OTHERS}.items():
            found |= {case.name: case for case in cases(kind, names) if case.name in names}
    return found


_CASES = _sample()


def test_sample_is_whole() -> None:
    names = {*NODE, *(name for own in OTHERS.values() for name in own)}
    assert names == set(_CASES)


@pytest.mark.parametrize("name", _CASES)
def test_sample(name: str) -> None:
    outcome = run(_CASES[name])
    assert outcome.result == "passed", outcome.reason


def test_groups() -> None:
    assert group_of(perceptron()) == "floats"
    nodes = [onnx.helper.make_node("Add", ["x", "x"], ["y"])]
    kind = onnx.TensorProto.COMPLEX64
    assert group_of(model(nodes, {"x": (kind, [2])}, ["y"], kinds=[kind])) == "others: complex64"


def test_runner_of_onnx() -> None:
    """``BackendTest`` takes the module as it is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tests = onnx.backend.test.BackendTest(backend, __name__)
        tests.include(r"^test_(relu|transpose_default|abs)_cpu$")
        case = tests.test_cases["OnnxBackendNodeModelTest"]
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    result = unittest.TestResult()
    suite.run(result)
    assert result.wasSuccessful(), result.failures + result.errors
    ran = result.testsRun - len(result.skipped)
    assert ran >= 3


def test_programs_by_shape_and_value() -> None:
    nodes = [onnx.helper.make_node("Reshape", ["x", "shape"], ["y"])]
    source = model(nodes, {"x": (F32, ["n", 6]), "shape": (I64, [2])}, ["y"])
    prepared = backend.prepare(source)
    x = np.arange(12, dtype=np.float32).reshape(2, 6)
    for shape in ((3, 4), (4, 3), (3, 4)):
        assert np.array_equal(prepared.run([x, np.array(shape)]).y, x.reshape(shape))
    assert prepared.run({"x": x[:1], "shape": np.array([6, 1])})[0].shape == (6, 1)
    values = {"x": x, "shape": np.array([3, 4])}
    assert prepared.executable(values) is prepared.executable(values)


def test_nodes() -> None:
    node = onnx.helper.make_node("Add", ["x", "y"], ["z"])
    x = np.float32([1, 2])
    assert backend.run_node(node, [x, x]).z.tolist() == [2, 4]
    assert backend.run_node(node, {"x": x, "y": x}, device="p150").z.tolist() == [2, 4]


def test_models_that_are_compatible() -> None:
    assert backend.is_compatible(perceptron())
    nodes = [onnx.helper.make_node("Bessel", ["x"], ["y"], domain="my.ops")]
    assert not backend.is_compatible(model(nodes, {"x": (F32, [2])}, ["y"]))
    nodes = [onnx.helper.make_node("Identity", ["x"], ["y"])]
    kind = onnx.TensorProto.COMPLEX64
    assert not backend.is_compatible(model(nodes, {"x": (kind, [2])}, ["y"], kinds=[kind]))


def test_devices() -> None:
    assert backend.supports_device("CPU")
    assert all(map(backend.supports_device, ttmlir.targets()))
    assert not backend.supports_device("CUDA")
    with pytest.raises(Error, match="device: expected CPU or one of"):
        backend.prepare(perceptron(), "CUDA")


def test_inputs() -> None:
    prepared = backend.prepare(perceptron())
    with pytest.raises(InputError, match="expected 1 inputs, 'x' is missing"):
        prepared.run([])
    with pytest.raises(InputError, match="no input 'z'"):
        prepared.run({"z": np.zeros((1, 64), np.float32)})
    with pytest.raises(InputError, match="found an array of float64"):
        prepared.run([np.zeros((1, 64))])
