"""Executable.compare beside PyTorch: networks, formats, fused ops, one op that is wrong."""

from __future__ import annotations

import copy
from typing import Any

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402

import ttmlir  # noqa: E402

pytestmark = pytest.mark.torch
BACKENDS = ("ttnn", "ttmetal")
DTYPES = ("f32", "bf16", "bfp8_b")


class Block(nn.Module):
    """A block of a ResNet."""

    def __init__(self, inside: int, outside: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(inside, outside, 3, stride=2, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(outside)
        self.second = nn.Conv2d(outside, outside, 3, padding=1)
        self.short = nn.Conv2d(inside, outside, 1, stride=2)

    def forward(self, x: Any) -> Any:
        y = torch.relu(self.norm(self.first(x)))
        return torch.relu(self.second(y) + self.short(x))


class Layer(nn.Module):
    """A layer of a Transformer."""

    def __init__(self, size: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.before, self.after = nn.LayerNorm(size), nn.LayerNorm(size)
        self.qkv, self.out = nn.Linear(size, 3 * size), nn.Linear(size, size)
        self.up, self.down = nn.Linear(size, 4 * size), nn.Linear(4 * size, size)

    def forward(self, x: Any) -> Any:
        b, t, c = x.shape
        q, k, v = (
            y.reshape(b, t, self.heads, -1).transpose(1, 2)
            for y in self.qkv(self.before(x)).chunk(3, -1)
        )
        y = nn.functional.scaled_dot_product_attention(q, k, v)
        x = x + self.out(y.transpose(1, 2).reshape(b, t, c))
        return x + self.down(nn.functional.gelu(self.up(self.after(x))))


def resnet() -> tuple[nn.Module, Any]:
    torch.manual_seed(0)
    net = nn.Sequential(Block(3, 16), Block(16, 32), nn.AdaptiveAvgPool2d(1), nn.Flatten())
    net.append(nn.Linear(32, 10))
    x = torch.randn(2, 3, 32, 32)
    # Statistics of batches that are not 0 and 1.
    net.train()(x)
    return net.eval(), x


def transformer() -> tuple[nn.Module, Any]:
    torch.manual_seed(0)
    return nn.Sequential(Layer(64, 4), Layer(64, 4), nn.LayerNorm(64)).eval(), torch.randn(
        2, 24, 64
    )


NETWORKS = {"resnet": resnet, "transformer": transformer}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("network", list(NETWORKS))
def test_networks_in_each_format(network: str, backend: Any, dtype: str) -> None:
    net, x = NETWORKS[network]()
    exe = ttmlir.compile(net, x, backend=backend, dtype=dtype)
    found = exe.compare("f64", x)
    assert found.first_off is None, str(found)
    wanted = {
        "resnet": {"0/relu", "0/relu_1", "1/relu_1", "4/linear"},
        "transformer": {"0.qkv/linear", "1/scaled_dot_product_attention", "2/layer_norm"},
    }[network]
    assert wanted <= {op.name for op in found.compared}, str(found)
    assert found.outputs[0].is_compared
    assert found.min_pcc is not None
    assert found.min_pcc >= {"f32": 0.999999, "bf16": 0.99, "bfp8_b": 0.99}[dtype]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("network", list(NETWORKS))
def test_a_wrong_weight_is_found(network: str, backend: Any) -> None:
    net, x = NETWORKS[network]()
    exe = ttmlir.compile(net, x, backend=backend)
    wrong = copy.deepcopy(net)
    name = {"resnet": "1.second", "transformer": "1.out"}[network]
    with torch.no_grad():
        weight = wrong.get_submodule(name).weight
        weight += 0.3 * weight.std() * torch.randn_like(weight)
    found = exe.compare(wrong, x)
    assert found.first_off is not None
    # What is fused with it is off, nothing before.
    names = [op.name for op in found.compared]
    first = names.index(found.first_off.name)
    kind = {
        "resnet": ("1.second/conv2d", "1/relu_1"),
        "transformer": ("1.out/linear", "1/add"),
    }
    assert found.first_off.name in kind[network]
    assert not any(op.is_off for op in found.compared[:first])
    assert found.outputs[0].is_off


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("tail", [nn.Identity(), nn.ReLU(), nn.Flatten(2)], ids=str)
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_norm_that_is_folded_into_a_convolution(
    backend: Any, tail: nn.Module, bias: bool
) -> None:
    torch.manual_seed(0)
    net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1, bias=bias), nn.BatchNorm2d(8), tail).eval()
    x = torch.randn(1, 3, 8, 8)
    with torch.no_grad():
        for tensor in (net[1].weight, net[1].running_var):
            tensor.uniform_(0.5, 3)
        for tensor in (net[1].bias, net[1].running_mean):
            tensor.normal_()
    exe = ttmlir.compile(net, x, backend=backend)
    for reference in ("f64", net):
        found = exe.compare(reference, x)
        assert found.first_off is None, str(found)
        assert "0/conv2d" not in {op.name for op in found.compared}, str(found)
    wrong = copy.deepcopy(net)
    with torch.no_grad():
        wrong[1].bias.add_(1)
    off = exe.compare(wrong, x).first_off
    assert off is not None
    assert off.name != "0/conv2d"


def test_one_layer_in_a_coarse_format_is_found() -> None:
    net, x = transformer()
    exe = ttmlir.compile(net, x, dtype={"*": "f32", "1.up": "bf16"})
    found = exe.compare("f64", x, max_relative=1e-4)
    assert found.first_off is not None
    assert found.first_off.name == "1.up/linear"


def test_names_are_those_of_one_op_each() -> None:
    class Twice(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.shared = nn.Linear(16, 16)

        def forward(self, x: Any) -> Any:
            x = self.shared(x) + 1
            return torch.tanh(self.shared(x)) + torch.tanh(x) + 2

    torch.manual_seed(0)
    net, x = Twice().eval(), torch.randn(4, 16)
    found = ttmlir.compile(net, x, optimization_level=0).compare("f64", x)
    names = [op.name for op in found.compared]
    assert len(names) == len(set(names))
    assert {"shared/linear", "shared/linear_1", "tanh", "tanh_1", "add_2"} <= set(names)
    assert found.first_off is None, str(found)


def test_several_results_of_an_op() -> None:
    class Best(nn.Module):
        def forward(self, x: Any) -> Any:
            values, places = torch.topk(x, 4)
            a, b = x.split(8, 1)
            return values, places, a * b

    torch.manual_seed(0)
    x = torch.randn(6, 16)
    found = ttmlir.compile(Best(), x).compare("f64", x)
    assert found.first_off is None, str(found)
    assert [op.shape for op in found.compared if op.name == "topk"] == [(6, 4), (6, 4)]
    assert [output.is_compared for output in found.outputs] == [True] * 3


def test_state_is_that_of_the_executable_and_stays() -> None:
    class Sum(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("total", torch.zeros(32, 32))

        def forward(self, x: Any) -> Any:
            self.total += x
            return self.total.sin()

    x = torch.randn(32, 32)
    exe = ttmlir.compile(Sum(), x)
    exe(x)
    found = exe.compare("f64", x)
    assert found.first_off is None, str(found)
    torch.testing.assert_close(exe.buffers()["total"], x)


def test_random_numbers_are_not_compared() -> None:
    torch.manual_seed(0)
    net, x = (
        nn.Sequential(nn.Linear(16, 32), nn.Dropout(0.5), nn.ReLU()).train(),
        torch.randn(4, 16),
    )
    found = ttmlir.compile(net, x).compare("f64", x)
    assert found.first_off is None, str(found)
    assert "0/linear" in {op.name for op in found.compared}
    assert "2/relu" not in {op.name for op in found.compared}
    assert found.not_compared == found.outputs
    assert found.verdict().startswith(
        "1 of 1 outputs not compared (output 0: depends on random numbers, which differ on the "
        "device); 1 ops and 0 outputs compared: none of these is off"
    )
    found = ttmlir.compile(nn.Dropout(0.5).train(), x).compare("f64", x)
    assert found.verdict().endswith("; 0 ops and 0 outputs compared")


def test_conditions_and_loops_have_their_results() -> None:
    class Root(nn.Module):
        def forward(self, x: Any) -> Any:
            y = torch.cond(x.sum() > 0, lambda x: x.exp(), lambda x: x.cos(), (x,))
            _, y = torch.while_loop(
                lambda i, y: i < 3, lambda i, y: (i + 1, y * 0.5 + 1), (torch.tensor(0), y)
            )
            return y.tanh()

    torch.manual_seed(0)
    x = torch.randn(32, 32)
    found = ttmlir.compile(Root(), x).compare("f64", x)
    assert found.first_off is None, str(found)
    assert {"tanh", "while_loop"} <= {op.name for op in found.compared}


def test_a_module_in_bf16_beside_itself() -> None:
    net, x = transformer()
    net, x = net.bfloat16(), x.bfloat16()
    found = ttmlir.compile(net, x).compare(net, x)
    assert found.first_off is None, str(found)
    assert found.reference == "Sequential in PyTorch"


def test_an_exported_program_and_keywords() -> None:
    class Scaled(nn.Module):
        def forward(self, x: Any, *, factor: Any) -> Any:
            return (x * factor).sigmoid()

    x, factor = torch.randn(4, 8), torch.randn(8)
    exe = ttmlir.compile(Scaled(), example_inputs=(x,), example_kwargs={"factor": factor})
    exported = torch.export.export(Scaled(), (x,), {"factor": factor})
    for reference in ("f64", exported, Scaled()):
        assert exe.compare(reference, x, factor=factor).first_off is None
    with pytest.raises(ttmlir.InputError, match="expected arguments of the structure"):
        exe.compare("f64", x)


def test_keywords_in_another_order() -> None:
    class Scaled(nn.Module):
        def forward(self, x: Any, *, factor: Any, offset: Any) -> Any:
            return x * factor - offset

    x, factor, offset = torch.randn(3, 4, 8)
    exported = torch.export.export(Scaled(), (x,), {"factor": factor, "offset": offset})
    exe = ttmlir.compile(exported)
    for reference in ("f64", exported, Scaled()):
        found = exe.compare(reference, x, offset=offset, factor=factor)
        assert found.first_off is None, str(found)


@pytest.mark.parametrize(
    "layer",
    [
        nn.Dropout(0.1),
        nn.Dropout(0.0),
        nn.AlphaDropout(0.1),
        nn.FeatureAlphaDropout(0.1),
        nn.RReLU(),
    ],
    ids=lambda layer: str(layer).replace(" ", ""),
)
def test_what_does_not_train_is_not_random(layer: nn.Module) -> None:
    """So that what is behind it is compared."""
    torch.manual_seed(0)
    module, x = nn.Sequential(layer, nn.Linear(8, 8), nn.Linear(8, 4)).eval(), torch.randn(2, 8)
    wrong = copy.deepcopy(module)
    with torch.no_grad():
        wrong[2].weight.mul_(3)
    executable = ttmlir.compile(module, x)
    assert all(output.pcc is not None for output in executable.compare("f64", x).outputs)
    first = executable.compare(wrong, x).first_off
    assert first is not None
    assert first.name.startswith("2/linear")


@pytest.mark.parametrize("backend", BACKENDS)
def test_integers_of_64_bits_have_no_false_alarms(backend: str) -> None:
    """Of what is computed in two words the outputs are compared."""

    class Counts(nn.Module):
        def forward(self, x: Any) -> Any:
            square = x * x
            total = square.cumsum(0)
            return total, (total // 7) > 5, square.float().mean(), square.max()

    x, module = torch.arange(6) * 10**6, Counts()
    found = ttmlir.compile(module, x, backend=backend).compare(module, x)
    assert found.first_off is None
    assert len(found.outputs) == 4
    assert all(row.is_compared for row in found.outputs)
