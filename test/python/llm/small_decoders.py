"""Decoders with random weights, and texts that PyTorch generates with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers

VOCABULARY, CONTEXT, CHUNK = 256, 64, 16
#: Of three users: more and less than a chunk.
PROMPTS = [[7, 200, 31, 5, 90], list(range(20, 55)), list(range(100, 117))]


def decoder(kind: str = "Llama", **values: Any) -> Any:
    """A model whose logits differ enough for one token to be the most likely in any precision."""
    chosen = {
        "hidden_size": 64,
        "intermediate_size": 96,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "vocab_size": VOCABULARY,
        "max_position_embeddings": 512,
        "bos_token_id": 1,
        "eos_token_id": 2,
        "pad_token_id": 0,
    }
    config = getattr(transformers, f"{kind}Config")(**(chosen | values))
    torch.manual_seed(0)
    model = transformers.AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() == 2:
                parameter.mul_(3)
    return model


def continued(model: Any, prompts: list[list[int]], count: int) -> list[list[int]]:
    """The most likely tokens behind each prompt, by transformers."""
    found = []
    for prompt in prompts:
        ids = torch.tensor([prompt])
        text = model.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            max_new_tokens=count,
            do_sample=False,
            eos_token_id=None,
        )
        found.append(text[0, len(prompt) :].tolist())
    return found


def save(model: Any, folder: Path, **keywords: Any) -> Path:
    """Writes a checkpoint as transformers does."""
    model.save_pretrained(folder, safe_serialization=True, **keywords)
    return folder


def save_tokenizer(folder: Path) -> None:
    """Writes a tokenizer of words, ``w0`` to ``w255``, between spaces."""
    words = {f"w{i}": i for i in range(VOCABULARY)}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="w0"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "unk_token": "w0"}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
