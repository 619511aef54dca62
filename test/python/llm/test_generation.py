"""Texts of whole decoders, in both backends, against transformers."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch
from small_decoders import CHUNK, CONTEXT, PROMPTS, continued, decoder

import ttmlir
import ttmlir.torch
from ttmlir import llm

pytestmark = pytest.mark.torch
COUNT = 8
BACKENDS = ("ttnn", "ttmetal")


@cache
def source() -> Any:
    return decoder()


@cache
def expected(count: int = COUNT) -> list[list[int]]:
    return continued(source(), PROMPTS, count)


@cache
def loaded(backend: str = "ttnn") -> Any:
    return load(source(), backend=backend)


def load(model: Any, **keywords: Any) -> Any:
    chosen = {"users": 4, "context": CONTEXT, "prefill_chunk": CHUNK, "precision": "accuracy"}
    return llm.load(model, **(chosen | keywords))


@pytest.mark.parametrize("backend", BACKENDS)
def test_texts_are_those_of_transformers(backend: str) -> None:
    model = loaded(backend)
    found = model.generate(PROMPTS, max_new_tokens=COUNT, eos=None)
    assert found.tokens == expected()
    assert found.texts is None


@pytest.mark.parametrize("kind", ["Llama", "Qwen3", "Phi"])
def test_heads_are_rotated_by_one_call(kind: str) -> None:
    """Queries and keys of each layer, whole heads or a part of each."""
    narrow = {"partial_rotary_factor": 0.5} if kind == "Phi" else {"head_dim": 64}
    wide = {"hidden_size": 256, "num_attention_heads": 2} if kind == "Phi" else {}
    model = decoder(kind, **narrow, **wide)
    programs = load(model)
    found = programs.generate(PROMPTS, max_new_tokens=COUNT, eos=None)
    assert found.tokens == continued(model, PROMPTS, COUNT)
    for tokens in (1, CHUNK):
        ops = programs.programs().step(tokens).executable.estimate().ops
        names = [op.name for op in ops if op.phase == "run"]
        assert names.count("rotary_embedding") == 4
        assert "neg" not in names


@pytest.mark.sampled(3)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("target", "parallel"),
    [("n300", "tensor"), ("n300", "data"), ("t3000", {"data": 2, "tensor": 2})],
)
def test_divided_texts_are_those_of_transformers(target: str, parallel: Any, backend: str) -> None:
    model = load(source(), backend=backend, target=target, parallel=parallel)
    found = model.generate(PROMPTS, max_new_tokens=COUNT, eos=None)
    assert found.tokens == expected()
    # Logits stay on the chips: a step transfers tokens only.
    step = model.programs().step(1).executable
    chooser = model.programs().sampler(is_greedy=True).executable
    assert chooser.inputs[0].shard_dims == step.outputs[-1].shard_dims
    assert found.speed.bytes_to_host < 2**16


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("target", "parallel"), [("n300", "expert"), ("t3000", {"data": 2, "expert": 4})]
)
def test_experts_on_different_chips(target: str, parallel: Any, backend: str) -> None:
    mixture = decoder("Mixtral", num_local_experts=4, num_experts_per_tok=2, num_hidden_layers=1)
    model = load(mixture, backend=backend, target=target, parallel=parallel)
    found = model.generate(PROMPTS, max_new_tokens=COUNT, eos=None)
    assert found.tokens == continued(mixture, PROMPTS, COUNT)
    step = model.programs().step(1).executable
    experts = [info for info in step.inputs if "experts" in info.name]
    assert len(experts) == 2
    if backend == "ttnn":
        sent = [op.name for op in step.estimate().ops if op.ethernet_bytes]
        # Products up and down: a sum over the chips for each.
        assert sent.count("all_reduce") == 2


@pytest.mark.parametrize("backend", BACKENDS)
def test_more_chips_than_heads_of_keys(backend: str) -> None:
    model = decoder(num_attention_heads=8, num_key_value_heads=2, num_hidden_layers=1)
    divided = load(model, backend=backend, target="t3000", parallel="tensor")
    found = divided.generate(PROMPTS, max_new_tokens=COUNT, eos=None)
    assert found.tokens == continued(model, PROMPTS, COUNT)
    # Two heads, each on four chips, which have a head of queries each.
    step = divided.programs().step(1).executable
    assert step.programs[0].mesh_shape == (2, 4)
    caches = [info for info in step.inputs if info.aliased_output is not None][:2]
    assert [cache.shard_dims for cache in caches] == [(1, None)] * 2


@pytest.mark.parametrize("backend", BACKENDS)
def test_caches_have_heads_once_that_a_model_repeats(backend: str) -> None:
    """Falcon 40B repeats each head of keys for its queries before it writes them."""
    model = decoder("Falcon", new_decoder_architecture=True, num_kv_heads=2, num_hidden_layers=1)
    divided = load(model, backend=backend, target="n300", parallel="tensor")
    found = divided.generate(PROMPTS, max_new_tokens=COUNT, eos=None)
    assert found.tokens == continued(model, PROMPTS, COUNT)
    step = divided.programs().step(1).executable
    caches = [info for info in step.inputs if info.aliased_output is not None][:2]
    assert [(cache.shape, cache.shard_dims) for cache in caches] == [
        ((4, 2, CONTEXT, 16), (None, 1))
    ] * 2
    if backend == "ttnn":
        # Each chip writes and reads its own heads: products of rows alone are summed.
        sent = [op.name for op in step.estimate().ops if op.ethernet_bytes]
        assert sent == ["all_reduce"] * 2


@pytest.mark.parametrize("backend", BACKENDS)
def test_parameters_stay_on_the_device(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = loaded(backend)
    model.generate(PROMPTS, max_new_tokens=2)
    compilations = model.compilations
    assert compilations >= 3
    steps = model.programs()._steps
    for runner in steps.values():
        monkeypatch.setattr(runner, "cost", None)  # Measure again.
    bound = [runner.executable.count_bindings() for runner in steps.values()]
    found = model.generate(PROMPTS, max_new_tokens=3, eos=None)
    assert found.tokens == expected(3)
    assert model.compilations == compilations
    assert [runner.executable.count_bindings() for runner in steps.values()] == bound
    users = 4
    assert (found.speed.bytes_to_device, found.speed.bytes_to_host) == (4 * users, 4 * users)
    # A chunk of each prompt is all that goes to the device before.
    assert steps[CHUNK].cost.to_device == 4 * users * CHUNK
    assert steps[CHUNK].cost.to_host == 0


def test_sampled_steps_transfer_a_number_of_each_user_more() -> None:
    found = loaded().generate(PROMPTS, max_new_tokens=3, temperature=1.0, top_k=9, top_p=0.9)
    assert (found.speed.bytes_to_device, found.speed.bytes_to_host) == (2 * 4 * 4, 4 * 4)


def test_rows_are_written_in_place() -> None:
    model = loaded()
    model.compile()
    for runner in model.programs()._steps.values():
        lines = [x for x in runner.executable.mlir.splitlines() if '"ttnn.update_slice"' in x]
        assert len(lines) == 4  # Keys and values of two layers, for all users at once.
        for line in lines:
            operands = line.split("(", 1)[1].split(")", 1)[0].split(", ")
            assert operands[0] == operands[-1]


def test_caches_are_block_floats_with_performance() -> None:
    model = load(source(), precision="performance")
    found = model.generate(PROMPTS, max_new_tokens=4)
    assert [len(text) for text in found.tokens] == [4, 4, 4]
    for runner in model.programs()._steps.values():
        caches = [i for i in runner.executable.inputs if len(i.shape) == 4]
        assert [i.data_type for i in caches] == ["BFP_BFloat8"] * 4
        # Weights come from the host: as arguments in four bits they would be there twice.
        assert all("host" in i.layout for i in runner.executable.inputs if i.is_parameter)


@pytest.mark.parametrize("backend", BACKENDS)
def test_capped_scores_share_keys(backend: str) -> None:
    """Attention with capped scores is no single op, but its products read the keys of the cache
    once for all heads that share them."""
    model = decoder("Gemma2", head_dim=32, attn_logit_softcapping=5.0, sliding_window=8)
    programs = load(model, backend=backend)
    found = programs.generate(PROMPTS, max_new_tokens=COUNT, eos=None)
    assert found.tokens == continued(model, PROMPTS, COUNT)
    if backend == "ttnn":
        fast = load(model, precision="performance")
        found = fast.generate(PROMPTS, max_new_tokens=4, eos=None)
        assert [len(text) for text in found.tokens] == [4, 4, 4]
        for steps in programs, fast:
            executable = steps.programs().step(1).executable
            names = [op.name for op in executable.estimate().ops if op.phase == "run"]
            assert "repeat" not in names
            assert "scaled_dot_product_attention" not in names
        caches = [i for i in executable.inputs if len(i.shape) == 4]
        assert [i.data_type for i in caches] == ["BFP_BFloat8"] * 4


@pytest.mark.parametrize("chunk", [1, 64])
def test_chunks_of_any_size(chunk: int) -> None:
    model = load(source(), prefill_chunk=chunk)
    assert model.generate(PROMPTS, max_new_tokens=COUNT, eos=None).tokens == expected()
    assert model.compilations == (2 if chunk == 1 else 3)


def test_the_whole_context_is_of_use() -> None:
    prompts = [PROMPTS[1], PROMPTS[0]]
    count = CONTEXT - len(prompts[0])
    wanted = continued(source(), prompts, count)
    assert loaded().generate(prompts, max_new_tokens=count, eos=None).tokens == wanted


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("Qwen2", {}),
        ("Qwen3", {"head_dim": 32}),
        ("Mistral", {"sliding_window": 8}),
        ("Gemma3Text", {"sliding_window": 8, "head_dim": 16}),
        ("Llama", {"tie_word_embeddings": True}),
        ("Falcon", {"multi_query": True}),
        ("Falcon", {"multi_query": False, "new_decoder_architecture": True, "num_kv_heads": 2}),
        ("Falcon", {"multi_query": False}),
    ],
)
def test_other_models(kind: str, values: dict[str, Any]) -> None:
    model = decoder(kind, **values)
    found = load(model).generate(PROMPTS, max_new_tokens=COUNT, eos=None)
    assert found.tokens == continued(model, PROMPTS, COUNT)


def test_generation_of_transformers_itself() -> None:
    """``torch.compile`` of the module, whose caches are static."""
    model = decoder()
    model.forward = torch.compile(model.forward, backend=ttmlir.torch.backend)
    prompt = PROMPTS[0]
    found = model.generate(
        torch.tensor([prompt]),
        max_new_tokens=COUNT,
        do_sample=False,
        eos_token_id=None,
        cache_implementation="static",
    )
    assert found[0, len(prompt) :].tolist() == expected()[0]


# Ends and pieces ---------------------------------------------------------------------------------


def test_resume() -> None:
    model = loaded()
    model.generate(PROMPTS, max_new_tokens=3, eos=None)
    assert model.resume(max_new_tokens=2).tokens == expected(5)
    assert model.resume(max_new_tokens=3).tokens == expected()
    with pytest.raises(ttmlir.InputError, match="max_new_tokens can be 21"):
        model.resume(max_new_tokens=22)
    assert model.resume(max_new_tokens=1).tokens == expected(9)


def test_a_stream_that_stops_can_go_on() -> None:
    model = loaded()
    users = len(PROMPTS)
    first = list(itertools.islice(model.stream(PROMPTS, max_new_tokens=9, eos=None), 2 * users))
    assert [token.user for token in first] == [0, 1, 2, 0, 1, 2]
    assert [token.id for token in first if token.user == 1] == expected()[1][:2]
    assert model.resume(max_new_tokens=COUNT - 2).tokens == expected()


def test_a_stream_is_that_of_its_prompts() -> None:
    model = loaded()
    early, late = (model.stream(p, max_new_tokens=3, eos=None) for p in ([PROMPTS[0]], PROMPTS))
    assert [token.id for token in early] == expected(3)[0]
    assert [token.id for token in late if token.user == 1] == expected(3)[1]
    begun = model.stream([PROMPTS[0]], max_new_tokens=3, eos=None)
    next(begun)
    model.generate(PROMPTS, max_new_tokens=1)
    with pytest.raises(ttmlir.Error, match="another generation has begun"):
        next(begun)


def test_runs_of_one_generation_share_its_room() -> None:
    model = loaded()
    prompt = [1] * (CONTEXT - 6)
    stream = model.stream([prompt], max_new_tokens=6, eos=None)
    next(stream)
    assert len(model.resume(max_new_tokens=4).tokens[0]) == 5
    with pytest.raises(ttmlir.InputError, match="max_new_tokens can be 1"):
        next(stream)


def test_a_callback_gets_tokens_in_order() -> None:
    got: list[Any] = []

    def stop(token: Any) -> None:
        got.append(token)
        if len(got) == 4:
            raise KeyboardInterrupt

    model = loaded()
    with pytest.raises(KeyboardInterrupt):
        model.generate(PROMPTS, max_new_tokens=4, eos=None, stream=stop)
    found = model.resume(max_new_tokens=2)
    assert [token.id for token in got] == [text[0] for text in expected()] + [expected()[0][1]]
    assert found.tokens == expected(4)


def test_texts_end_at_the_end_token() -> None:
    ends = expected()[1][2]
    found = loaded().generate(PROMPTS, max_new_tokens=COUNT, eos=ends)
    for text, whole in zip(found.tokens, expected(), strict=True):
        assert text == whole[: whole.index(ends) + 1] if ends in whole else whole
    # The rest goes on without it.
    both = [text for text in expected() if ends not in text]
    assert len(both) < len(PROMPTS)


def test_a_failed_call_loses_the_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    model = load(source(), users=1)
    model.generate([PROMPTS[0]], max_new_tokens=2)
    runner = model.programs()._steps[1]

    def fail(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt("stopped")

    with monkeypatch.context() as patch:
        patch.setattr(type(runner), "__call__", fail)
        with pytest.raises(KeyboardInterrupt):
            model.resume(max_new_tokens=2)
    with pytest.raises(ttmlir.Error, match=r"caches were lost .*\(stopped\): start a new one"):
        model.resume(max_new_tokens=2)
    found = model.generate([PROMPTS[0]], max_new_tokens=COUNT, eos=None)
    assert found.tokens == expected()[:1]


def test_nan_is_an_error_and_no_token() -> None:
    broken = decoder()
    with torch.no_grad():
        # Of one token only: the text begins with numbers.
        broken.model.embed_tokens.weight[expected()[0][1]] = float("nan")
    model = load(broken)
    with pytest.raises(ttmlir.Error, match="the logits of token 2 are NaN for user 0"):
        model.generate(PROMPTS, max_new_tokens=COUNT, eos=None)
    with pytest.raises(ttmlir.Error, match="start a new one"):
        model.resume(max_new_tokens=1)
    other = [text for text in PROMPTS[1:] if expected()[0][1] not in text]
    found = model.generate(other, max_new_tokens=1)
    assert len(found.tokens) == len(other)


def test_speed() -> None:
    found = loaded().generate(PROMPTS, max_new_tokens=4, eos=None).speed
    assert found.users == 3
    assert found.first_token > found.step > 0
    assert found.host_first_token > 0
    assert found.host_step > 0
    assert "t/s/u" in str(found)


# Choices -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", BACKENDS)
def test_choices_have_the_probabilities_of_the_logits(backend: str) -> None:
    users = 64
    programs = loaded(backend).programs()
    settings = programs.settings
    logits = np.array([[2.0, 1.0, 0.5, -1.0, 0.0, 1.5, -3.0, 0.2]], np.float32)
    likely = np.exp(logits[0] / 0.7)
    order = np.argsort(-likely)
    for top_k, top_p in ((8, 2.0), (3, 2.0), (8, 0.6)):
        kept = likely.copy()
        kept[order[top_k:]] = 0
        before = np.cumsum(likely[order]) - likely[order]
        kept[order[before / likely.sum() >= top_p]] = 0
        info = ttmlir.TensorInfo((users, 8), "float32", "Float32")
        exe = settings.sampler(info, is_greedy=False)
        values = (np.repeat(logits, users, 0), *(_one(x) for x in (0.7, top_k, top_p)))
        placed = [exe.place(i, value) for i, value in enumerate(values)]
        random = np.random.default_rng(0)
        chosen = [exe(*placed, random.random(users, np.float32)) for _ in range(20)]
        counts = np.bincount(np.concatenate(chosen), minlength=8)
        assert not counts[kept == 0].any()
        wanted = kept / kept.sum() * counts.sum()
        # Pearson's statistic, of at most seven degrees of freedom: 24.3 once in a thousand.
        used = kept > 0
        assert (((counts - wanted) ** 2)[used] / wanted[used]).sum() < 24.3


def _one(value: float) -> np.ndarray[Any, Any]:
    return np.full((1, 1), value, np.float32)


def test_the_last_candidate_is_taken_at_the_end() -> None:
    info = ttmlir.TensorInfo((2, 4), "float32", "Float32")
    exe = loaded().settings.sampler(info, is_greedy=False)
    logits = np.array([[0, 1, 2, 3], [3, 2, np.nan, 0]], np.float32)
    end = np.nextafter(np.float32(1), np.float32(0))
    found = exe(logits, _one(1.0), _one(2), _one(2.0), np.array([end, 0], np.float32))
    assert found.tolist() == [2, -1]


def test_seeds() -> None:
    model = loaded()

    def texts(seed: int) -> Any:
        keywords = {"max_new_tokens": 6, "temperature": 1.5, "eos": None, "seed": seed}
        return model.generate(PROMPTS, **keywords).tokens

    assert texts(1) == texts(1) != texts(2)


def test_one_candidate_is_the_most_likely() -> None:
    keywords = {"max_new_tokens": COUNT, "temperature": 2.0, "eos": None}
    assert loaded().generate(PROMPTS, top_k=1, **keywords).tokens == expected()
    assert loaded().generate(PROMPTS, top_p=1e-6, **keywords).tokens == expected()


# Wrong arguments ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prompts", "keywords", "message"),
    [
        ([], {}, "prompts: expected 1 to 4 prompts, as many as users, found 0"),
        ([[1]] * 5, {}, "prompts: expected 1 to 4 prompts, as many as users, found 5"),
        ([[1], []], {}, "prompt 1: expected at least one token, found none"),
        ([1, 2], {}, "prompts: expected a list for each user, found tokens of one"),
        ([[1, 256]], {}, "prompt 0: expected tokens from 0 to 255, found 256"),
        ([[1, -1]], {}, "prompt 0: expected tokens from 0 to 255, found -1"),
        ([[1, "a"]], {}, "prompt 0: expected tokens from 0 to 255, found 'a'"),
        (["text"], {}, "prompt 0: expected tokens, since the model has no tokenizer"),
        ([[1] * 65], {}, "prompt 0: expected at most 64 tokens, the context of the model"),
        ([[1] * 60], {"max_new_tokens": 5}, "max_new_tokens can be 4"),
        ([[1]], {"max_new_tokens": 0}, "max_new_tokens: expected an integer from 1, found 0"),
        ([[1]], {"temperature": -1.0}, "temperature: expected 0 or more, found -1.0"),
        ([[1]], {"temperature": float("nan")}, "temperature: expected 0 or more, found nan"),
        ([[1]], {"top_p": 0.0}, "top_p: expected more than 0 and at most 1, found 0.0"),
        ([[1]], {"top_p": 1.5}, "top_p: expected more than 0 and at most 1, found 1.5"),
        ([[1]], {"top_k": 0}, "top_k: expected an integer from 1, found 0"),
        ([[1]], {"seed": -1}, "seed: expected an integer from 0, found -1"),
        ([[1]], {"eos": 300}, "eos: expected tokens from 0 to 255, found 300"),
    ],
)
def test_wrong_requests(prompts: Any, keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(ttmlir.InputError) as error:
        loaded().generate(prompts, **({"max_new_tokens": 1} | keywords))
    assert message in str(error.value)
    assert len(str(error.value).splitlines()) == 1


def test_wrong_requests_leave_the_last_generation() -> None:
    model = loaded()
    model.generate(PROMPTS, max_new_tokens=3, eos=None)
    with pytest.raises(ttmlir.InputError):
        model.generate([[]], max_new_tokens=1)
    assert model.resume(max_new_tokens=1).tokens == expected(4)


def test_nothing_to_resume() -> None:
    with pytest.raises(ttmlir.Error, match="there was none: call generate"):
        load(source()).resume(max_new_tokens=1)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"users": 0}, "users: expected an integer from 1, found 0"),
        ({"context": 1.5}, "context: expected an integer from 1, found 1.5"),
        ({"prefill_chunk": 48}, "prefill_chunk: expected a divisor of context, 64, found 48"),
        ({"target": "n1"}, "no target 'n1'"),
        ({"precision": "best"}, "precision: expected one of accuracy"),
    ],
)
def test_wrong_settings(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(ttmlir.Error, match=message):
        load(source(), **keywords)


def test_unsupported_layers() -> None:
    with pytest.raises(ttmlir.Error, match="layers of full_attention or sliding_attention"):
        load(decoder("Qwen3Next", num_hidden_layers=4).config)
