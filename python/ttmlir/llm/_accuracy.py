"""Token accuracy of a model in low precision, compared with f32."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
import torch

from ttmlir import runtime
from ttmlir._precision import Precision
from ttmlir.llm import _requests
from ttmlir.llm._model import Model, load
from ttmlir.llm._programs import Programs
from ttmlir.llm._session import Session
from ttmlir.llm._source import Source, source_of
from ttmlir.llm._step import cache_keyword

_BEST = 5


@dataclass(frozen=True)
class TokenAccuracy:
    """Token accuracy of a precision, over all positions of some texts.

    Args:
        precision: of the model on the chip.
        tokens: the number of compared tokens.
        top1: the share of positions where the chip's most likely token is that of PyTorch in f32.
        top5: the share where it is among PyTorch's five most likely tokens.
    """

    precision: str
    tokens: int
    top1: float
    top5: float

    def __str__(self) -> str:
        return (
            f"{self.precision}: top-1 {self.top1:.1%}, top-5 {self.top5:.1%} "
            f"of {self.tokens:,} tokens"
        )


def accuracy(
    source: Any,
    *,
    precisions: Sequence[Precision] = get_args(Precision),
    prompts: Any = None,
    tokens: int = 64,
    users: int = 1,
    seed: int = 0,
    **keywords: Any,
) -> list[TokenAccuracy]:
    """Measures token accuracy of models on emulated chips, compared with PyTorch in f32.

    The f32 model continues the prompts at temperature 1. Each model on the chip gets these texts
    token by token, regardless of its own predictions.

    Args:
        source: a model with weights, as in ``load``.
        precisions: of the models on the chip.
        prompts: as in ``Model.generate``; by default one token for each user.
        tokens: new tokens for each user.
        users: number of texts.
        seed: for the sampling of tokens.
        keywords: further keywords of ``load``.

    Raises:
        InputError: a wrong argument, or the model has only shapes.
    """
    found = source_of(source)
    new = _requests.count_of(tokens)
    # Created first, to check all arguments.
    models = [load(source, precision=p, users=users, **keywords) for p in precisions]
    for model in models:
        model.programs()
    reference = _in_f32(found)
    texts = _texts(models[0], found, reference, prompts, new, seed)
    best = [_best(reference, text) for text in texts]
    return [_compared(m, p, texts, best) for m, p in zip(models, precisions, strict=True)]


def _in_f32(source: Source) -> Any:
    from transformers import AutoModelForCausalLM

    config = copy.deepcopy(source.config)
    model = AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()
    assert source.weights is not None
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            value = runtime.to_host_array(source.weights[name]).astype(np.float32)
            parameter.copy_(torch.from_numpy(value))
        for name, buffer in source.buffers.items():
            model.get_buffer(name).copy_(buffer)
    return model


def _texts(
    model: Model, source: Source, reference: Any, prompts: Any, new: int, seed: int
) -> list[list[int]]:
    shape = model.settings.shape
    if prompts is None:
        first = getattr(source.config, "bos_token_id", None)
        # Small configurations may have token numbers from a larger vocabulary.
        first = first if isinstance(first, int) and 0 <= first < model.vocabulary else 0
        prompts = [[(first + user) % model.vocabulary] for user in range(shape.users)]
    given = _requests.tokens_of(prompts, model.tokenizer, model.vocabulary, shape, new)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        return [_continued(reference, text, new, generator) for text in given]


def _continued(reference: Any, text: list[int], new: int, generator: Any) -> list[int]:
    keyword = cache_keyword(reference)
    cache, ids = None, torch.tensor([text])
    found = list(text)
    for _ in range(new):
        out = reference(input_ids=ids, use_cache=True, **{keyword: cache})
        cache = getattr(out, keyword)
        likely = out.logits[0, -1].softmax(-1)
        ids = torch.multinomial(likely, 1, generator=generator)[None]
        found.append(int(ids))
    return found


def _best(reference: Any, text: list[int]) -> Any:
    """Returns the most likely tokens at each position, in descending order: (tokens, 5)."""
    with torch.no_grad():
        logits = reference(input_ids=torch.tensor([text]), use_cache=False).logits[0]
    return logits.topk(min(_BEST, logits.shape[-1]), -1).indices.numpy()


def _compared(
    model: Model, precision: str, texts: list[list[int]], best: list[Any]
) -> TokenAccuracy:
    chosen = _read(model.programs(), texts)
    first = five = count = 0
    for user, text in enumerate(texts):
        own = chosen[: len(text), user]
        first += int((own == best[user][:, 0]).sum())
        five += int((own[:, None] == best[user]).any(1).sum())
        count += len(text)
    return TokenAccuracy(precision, count, first / count, five / count)


def _read(programs: Programs, texts: list[list[int]]) -> Any:
    """Returns the most likely token after each token: (tokens, users)."""
    users = programs.settings.shape.users
    ids = np.zeros((users, max(map(len, texts))), np.int32)
    for user, text in enumerate(texts):
        ids[user, : len(text)] = text
    return Session(programs, [[0]] * users, _requests.Sampling(), frozenset()).read(ids)
