"""``torch.compile`` with the backend ``tt``: inference, training, shapes, options."""

from __future__ import annotations

import codecs
import contextlib
import copy
import functools
import io
import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from judge import difference
from torch import nn
from torch_modules import MODULES, Attention, Decoder

from ttmlir.torch import backend

with contextlib.redirect_stdout(io.StringIO()):
    import this  # It prints itself.

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture(autouse=True)
def _nothing_compiled() -> None:
    torch._dynamo.reset()
    torch.manual_seed(0)


@pytest.mark.parametrize("name", ["residual_network", "encoder", "detection"])
def test_inference(name: str) -> None:
    module, args = MODULES[name]()
    with torch.no_grad():
        found = torch.compile(module, backend=backend)(*args)
        assert difference(found, module(*args), scale=4) == ""


def _train(module: nn.Module, run: Any, steps: int, make: Any, loss: Any) -> list[float]:
    optimizer = make(module.parameters())
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        value = loss(run)
        value.backward()
        optimizer.step()
        losses.append(value.item())
    return losses


class Images(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm = nn.Conv2d(3, 8, 3, 2, 1, groups=1), nn.BatchNorm2d(8)
        self.depth = nn.Conv2d(8, 8, 3, padding=1, groups=4)
        self.up = nn.ConvTranspose2d(8, 4, 2, 2)
        self.group, self.head = nn.GroupNorm(2, 4), nn.Linear(4 * 9, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = F.max_pool2d(F.relu(self.norm(self.conv(x))), 2)
        y = self.group(self.up(F.silu(self.depth(y))))
        y = F.interpolate(F.avg_pool2d(y, 2), scale_factor=2, mode="bilinear")
        return self.head(F.adaptive_avg_pool2d(y, 3).flatten(1))


def test_training_of_images() -> None:
    module = Images()
    other = copy.deepcopy(module)
    x, labels = torch.randn(4, 3, 16, 16), torch.randint(0, 10, (4,))

    def make(parameters: Any) -> Any:
        return torch.optim.SGD(parameters, 0.1, momentum=0.9)

    def loss(run: Any) -> Any:
        return F.cross_entropy(run(x), labels)

    found = _train(module, torch.compile(module, backend=backend), 5, make, loss)
    expected = _train(other, other, 5, make, loss)
    assert found == pytest.approx(expected, rel=1e-4)
    assert difference(module.state_dict(), other.state_dict(), scale=10) == ""


def test_training_of_a_decoder() -> None:
    module = Decoder()
    other = copy.deepcopy(module)
    tokens = torch.randint(0, 64, (2, 9))

    def make(parameters: Any) -> Any:
        return torch.optim.AdamW(parameters, 1e-2)

    def loss(run: Any) -> Any:
        return F.cross_entropy(run(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())

    found = _train(module, torch.compile(module, backend=backend), 5, make, loss)
    expected = _train(other, other, 5, make, loss)
    assert found == pytest.approx(expected, rel=1e-3)


class Language(nn.Module):
    """A small GPT, and what it loses in foretelling a text."""

    def __init__(self, words: int, width: int, heads: int, layers: int, places: int) -> None:
        super().__init__()
        self.tokens, self.places = nn.Embedding(words, width), nn.Embedding(places, width)
        self.layers = nn.ModuleList([Causal(width, heads) for _ in range(layers)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words, bias=False)
        self.head.weight = self.tokens.weight

    def forward(self, text: torch.Tensor) -> torch.Tensor:
        x = self.tokens(text[:, :-1]) + self.places(torch.arange(text.shape[1] - 1))
        for layer in self.layers:
            x = layer(x)
        return F.cross_entropy(self.head(self.norm(x)).flatten(0, 1), text[:, 1:].flatten())


class Causal(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention(width, heads, heads)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attention(self.first(x))
        return x + self.down(F.gelu(self.up(self.second(x))))


def test_training_of_a_language_model() -> None:
    text = torch.tensor(list(codecs.decode(this.s, "rot13").encode()))
    batches = [text[i : i + 17 * 4].view(4, 17) for i in range(0, 680, 68)]
    module = Language(128, 32, 4, 2, 16)
    other = copy.deepcopy(module)

    def losses(trained: nn.Module, run: Any) -> list[float]:
        rest = iter(batches)
        make = functools.partial(torch.optim.AdamW, lr=1e-2)
        return _train(trained, run, len(batches), make, lambda run: run(next(rest)))

    found = losses(module, torch.compile(module, backend=backend))
    expected = losses(other, other)
    assert expected[-1] < 0.85 * expected[0]
    assert found == pytest.approx(expected, rel=1e-3)


def test_changes_of_parameters_are_seen() -> None:
    module, x = nn.Linear(4, 4), torch.randn(2, 4)
    run = torch.compile(module, backend=backend)
    changes: list[Any] = [
        lambda: module.weight.mul_(2),
        lambda: module.weight.data.mul_(3),
        lambda: module.weight.numpy().__setitem__((0, 0), -1),
        lambda: setattr(module.weight, "data", torch.randn(4, 4)),
        lambda: setattr(module, "weight", nn.Parameter(torch.randn(4, 4))),
        lambda: module.load_state_dict(nn.Linear(4, 4).state_dict()),
        lambda: module.weight.data.fill_(float("nan")),
    ]
    with torch.no_grad():
        for change in changes:
            for _ in range(2):
                assert difference(run(x), module(x)) == ""
            change()
        assert difference(run(x), module(x)) == ""


def test_shapes() -> None:
    graphs: list[Any] = []

    def counted(graph: Any, inputs: Any, **named: Any) -> Any:
        graphs.append(graph)
        return backend(graph, inputs, **named)

    @torch.compile(backend=counted)
    def attend(x: torch.Tensor) -> torch.Tensor:
        return torch.softmax(x @ x.T, -1).sum(0) * x.shape[0]

    for rows in (3, 5, 7, 5, 9):
        x = torch.randn(rows, 4)
        expected = torch.softmax(x @ x.T, -1).sum(0) * rows
        assert difference(attend(x), expected) == ""
    # The second shape makes the graph dynamic.
    assert len(graphs) == 2


def test_changes_in_place() -> None:
    @torch.compile(backend=backend)
    def step(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        x.mul_(2)
        x[0] += y
        return x.sum()

    x = torch.ones(2, 3)
    assert step(x, torch.ones(3)).item() == 15
    assert x.tolist() == [[3, 3, 3], [2, 2, 2]]


def test_random_numbers() -> None:
    @torch.compile(backend=backend)
    def draw(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return torch.rand_like(x), torch.randn_like(x), F.dropout(x, 0.25)

    x = torch.ones(64, 256)
    torch.manual_seed(1)
    first = draw(x)
    second = draw(x)
    torch.manual_seed(1)
    assert difference(draw(x), first) == ""
    assert not torch.equal(first[0], second[0])
    uniform, normal, dropped = first
    assert uniform.min() >= 0
    assert uniform.max() < 1
    assert uniform.mean().item() == pytest.approx(0.5, abs=0.01)
    assert uniform.var().item() == pytest.approx(1 / 12, abs=0.002)
    assert normal.mean().item() == pytest.approx(0, abs=0.03)
    assert normal.std().item() == pytest.approx(1, abs=0.03)
    assert (dropped == 0).float().mean().item() == pytest.approx(0.25, abs=0.02)
    assert dropped.unique().tolist() == pytest.approx([0, 4 / 3])


def test_dropout_has_its_gradient() -> None:
    function = torch.compile(lambda x: F.dropout(x, 0.5), backend=backend)
    x = torch.ones(32, 32, requires_grad=True)
    y = function(x)
    y.sum().backward()
    assert torch.equal(x.grad, y.detach())


def _odd(x: torch.Tensor) -> torch.Tensor:
    return torch.special.bessel_j0(x) + 1


def test_what_cannot_be_expressed_is_an_error() -> None:
    with pytest.raises(Exception, match=r"special_bessel_j0"):
        torch.compile(_odd, backend=backend)(torch.ones(3))


def test_fallback_is_loud() -> None:
    function = torch.compile(_odd, backend=backend, options={"fallback": True})
    with pytest.warns(UserWarning, match=r"eager PyTorch.*\n?.*special_bessel_j0"):
        found = function(torch.ones(3))
    assert difference(found, _odd(torch.ones(3))) == ""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        torch.compile(torch.exp, backend=backend, options={"fallback": True})(torch.ones(3))


def test_options_are_those_of_compile() -> None:
    x = torch.randn(8, 8)
    for options in ({"backend": "ttmetal", "target": "p150"}, {"dtype": "bf16"}):
        function = torch.compile(torch.tanh, backend=backend, options=options)
        torch._dynamo.reset()
        assert torch.allclose(function(x), torch.tanh(x), atol=1e-2)
    with pytest.raises(Exception, match="targett"):
        torch.compile(torch.tanh, backend=backend, options={"targett": "p150"})(x)


def test_numerics() -> None:
    x, w = torch.randn(64, 64), torch.randn(64, 64)
    results = {}
    for numerics in ("fast", "exact"):
        torch._dynamo.reset()
        function = torch.compile(torch.matmul, backend=backend, options={"numerics": numerics})
        results[numerics] = function(x, w)
    # The engine has the 11 bits of tf32.
    assert torch.allclose(results["fast"], x @ w, atol=1e-4)
    assert not torch.allclose(results["exact"], x @ w, atol=1e-4)
    assert torch.allclose(results["exact"], x @ w, atol=0.1)


def test_the_name_of_the_backend(tmp_path: Path) -> None:
    """The entry point of the package, as an installation has it."""
    text = (ROOT / "pyproject.toml").read_text()
    group = re.search(r"\[project\.entry-points\.(torch_dynamo_backends)\]\n(.*)\n", text)
    assert group is not None
    info = tmp_path / "example-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: example\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text(f"[{group[1]}]\n{group[2]}\n".replace('"', ""))
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import torch;"
        "f = torch.compile(torch.exp, backend='tt');"
        "assert abs(f(torch.ones(3)) - torch.e).max() < 1e-5"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
