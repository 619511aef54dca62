"""Paged caches: texts of users that have blocks as they need them."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from small_decoders import CONTEXT, PROMPTS, continued, decoder

import ttmlir
from ttmlir import llm

pytestmark = pytest.mark.torch
COUNT = 8


@cache
def source() -> Any:
    return decoder()


@cache
def expected(count: int = COUNT) -> list[list[int]]:
    return continued(source(), PROMPTS, count)


def load(**keywords: Any) -> Any:
    chosen = {"users": 4, "context": CONTEXT, "prefill_chunk": 16, "page_size": 32}
    return llm.load(source(), **(chosen | {"precision": "accuracy"} | keywords))


@cache
def small(backend: str = "ttnn") -> Any:
    """Six blocks of 32 tokens, of which the prompts take four."""
    return load(pages=6, backend=backend)


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_texts_are_those_of_transformers(backend: str) -> None:
    model = small(backend)
    assert model.generate(PROMPTS, max_new_tokens=COUNT, eos=None).tokens == expected()
    # Further blocks, behind those of others.
    assert model.resume(max_new_tokens=9).tokens == expected(COUNT + 9)


@pytest.mark.parametrize(("size", "chunk"), [(8, 16), (16, 16), (64, 16), (8, 1)])
def test_sizes_of_blocks(size: int, chunk: int) -> None:
    model = load(page_size=size, prefill_chunk=chunk)
    assert model.generate(PROMPTS, max_new_tokens=COUNT, eos=None).tokens == expected()


def test_attention_reads_blocks_where_they_are() -> None:
    model = small()
    model.compile()
    for tokens in (1, 16):
        text = model.programs().step(tokens).executable.mlir
        attentions = [x for x in text.splitlines() if "scaled_dot_product_attention" in x]
        assert len(attentions) == 2
        for line in attentions:
            # Positions, a page table and the result behind queries, keys and values.
            assert "operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 1>" in line
        updates = [x for x in text.splitlines() if '"ttnn.update_slice"' in x]
        assert len(updates) == 4
        for line in updates:
            operands = line.split("(", 1)[1].split(")", 1)[0].split(", ")
            assert operands[0] == operands[-1]


def test_four_bytes_of_a_user() -> None:
    found = small().generate(PROMPTS, max_new_tokens=3, eos=None).speed
    assert (found.bytes_to_device, found.bytes_to_host) == (4 * 4, 4 * 4)


def test_block_floats() -> None:
    model = load(precision="performance", pages=6)
    found = model.generate(PROMPTS, max_new_tokens=4, eos=None)
    assert [len(text) for text in found.tokens] == [4, 4, 4]
    caches = [i for i in model.programs().step(1).executable.inputs if len(i.shape) == 4]
    assert [(i.data_type, i.shape[0]) for i in caches] == [("BFP_BFloat8", 6)] * 4


def test_too_few_blocks() -> None:
    model = small()
    message = "the texts need 7 pages of 32 tokens, but the caches have 6"
    with pytest.raises(ttmlir.InputError, match=message):
        model.generate([*PROMPTS, PROMPTS[1]], max_new_tokens=17, eos=None)
    model.generate(PROMPTS, max_new_tokens=COUNT, eos=None)
    with pytest.raises(ttmlir.InputError, match="the texts need 8 pages"):
        model.generate([*PROMPTS, PROMPTS[0]], max_new_tokens=29, eos=None)


def test_blocks_of_texts_that_have_ended_are_free() -> None:
    ends = expected()[1][2]
    model = load(pages=5)
    model.generate(PROMPTS, max_new_tokens=COUNT, eos=ends)
    # The second prompt had two blocks; the others need more now.
    found = model.resume(max_new_tokens=28)
    for text, whole in zip(found.tokens, expected(COUNT + 28), strict=True):
        assert text == (whole[: whole.index(ends) + 1] if ends in whole else whole)


def test_memory_is_that_of_the_blocks() -> None:
    whole, half = (load(pages=n).estimate() for n in (None, 4))
    assert half.cache_bytes * 2 == whole.cache_bytes
    assert whole.step > 0


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"page_size": 24}, "page_size: expected a divisor of context, 64, found 24"),
        ({"page_size": 0}, "page_size: expected an integer from 1, found 0"),
        ({"pages": 0}, "pages: expected an integer from 1, found 0"),
        ({"page_size": None, "pages": 3}, "pages: expected page_size as well, found none"),
        (
            {"context": 96, "page_size": 32, "prefill_chunk": 48},
            "page_size: expected a divisor or a multiple of prefill_chunk, 48, found 32",
        ),
    ],
)
def test_wrong_arguments(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(ttmlir.InputError, match=message):
        load(**keywords)
