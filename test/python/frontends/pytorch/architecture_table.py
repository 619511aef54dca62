"""The table of architectures: by its name, what makes a module and its arguments."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import torch
import transformers as tr
from torch import nn

Arguments = dict[str, Any]
Case = tuple[nn.Module, Arguments]

_LAYERS: dict[str, Any] = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
_SMALL: dict[str, Any] = {**_LAYERS, "intermediate_size": 64}
_WORDS: dict[str, Any] = {**_SMALL, "vocab_size": 100}
_DECODES: dict[str, Any] = {"vocab_size": 100, "use_cache": False}
_SPECIAL: dict[str, Any] = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
_CAUSAL: dict[str, Any] = {**_SMALL, **_DECODES, **_SPECIAL, "num_key_value_heads": 2}
_SIZE: dict[str, Any] = {"image_size": 32, "patch_size": 8}
_IMAGES: dict[str, Any] = {**_SMALL, **_SIZE}
_STAGES: dict[str, Any] = {"hidden_sizes": [16, 32], "depths": [1, 1]}
_RESIDUAL: dict[str, Any] = {**_STAGES, "embedding_size": 16, "layer_type": "basic"}
#: Deviation of the weights of detectors: with the default, the boxes of so small ones differ by
#: less than bf16 tells apart, and their correlation says nothing.
_SPREAD = 0.3


def _two_stacks(layers: int = 2) -> dict[str, Any]:
    """The options of an encoder and a decoder."""
    each = {"layers": layers, "attention_heads": 4, "ffn_dim": 64}
    sides = ("encoder", "decoder")
    return {"d_model": 32, **{f"{side}_{key}": n for side in sides for key, n in each.items()}}


def _ids(rows: int = 2, count: int = 12, first: int = 0) -> torch.Tensor:
    return torch.randint(first, 100, (rows, count))


def _tokens() -> Arguments:
    ids = _ids(first=3)
    return {"input_ids": ids, "attention_mask": torch.ones(2, 12, dtype=torch.long)}


def _pair() -> Arguments:
    return {**_tokens(), "decoder_input_ids": _ids(count=6, first=3)}


def _speech() -> Arguments:
    return {"input_features": torch.randn(1, 16, 64), "decoder_input_ids": _ids(rows=1, count=6)}


def _image(size: int = 32) -> Arguments:
    return {"pixel_values": torch.randn(1, 3, size, size)}


def _case(
    name: str, arguments: Callable[[], Arguments] = _tokens, **options: Any
) -> Callable[[], Case]:
    """A class of transformers, with the options of its configuration."""

    def make() -> Case:
        cls = getattr(tr, name)
        # A configuration may change what it is given.
        return cls(cls.config_class(**copy.deepcopy(options))), arguments()

    return make


ARCHITECTURES: dict[str, Callable[[], Case]] = {
    "bert": _case("BertModel", **_WORDS),
    "roberta": _case("RobertaModel", **_WORDS, pad_token_id=1),
    "distilbert": _case(
        "DistilBertModel", vocab_size=100, dim=32, n_layers=2, n_heads=4, hidden_dim=64
    ),
    "albert": _case("AlbertModel", **_WORDS, embedding_size=16),
    "electra": _case("ElectraModel", **_WORDS, embedding_size=16),
    "deberta_v2": _case(
        "DebertaV2Model",
        **_WORDS,
        relative_attention=True,
        pos_att_type=["p2c", "c2p"],
        position_buckets=8,
    ),
    "mpnet": _case("MPNetModel", **_WORDS),
    "gpt2": _case("GPT2LMHeadModel", **_DECODES, n_embd=32, n_layer=2, n_head=4),
    "gpt_neox": _case("GPTNeoXForCausalLM", **_SMALL, **_DECODES),
    "opt": _case("OPTForCausalLM", **_LAYERS, **_DECODES, ffn_dim=64, word_embed_proj_dim=32),
    "llama": _case("LlamaForCausalLM", **_CAUSAL),
    "mistral": _case("MistralForCausalLM", **_CAUSAL, sliding_window=8),
    "qwen2": _case("Qwen2ForCausalLM", **_CAUSAL),
    "qwen3": _case("Qwen3ForCausalLM", **_CAUSAL, head_dim=8),
    "gemma": _case("GemmaForCausalLM", **_CAUSAL, head_dim=8),
    "gemma2": _case("Gemma2ForCausalLM", **_CAUSAL, head_dim=8, sliding_window=8),
    "phi": _case("PhiForCausalLM", **_SMALL, **_DECODES),
    "mixtral": _case("MixtralForCausalLM", **_CAUSAL, num_local_experts=4),
    "mamba": _case(
        "MambaForCausalLM",
        lambda: {"input_ids": _ids()},
        **_DECODES,
        hidden_size=32,
        num_hidden_layers=2,
        state_size=4,
    ),
    "t5": _case(
        "T5ForConditionalGeneration",
        _pair,
        **_DECODES,
        d_model=32,
        d_kv=8,
        d_ff=64,
        num_layers=2,
        num_heads=4,
    ),
    "bart": _case("BartModel", _pair, **_two_stacks(), **_DECODES),
    "whisper": _case(
        "WhisperModel",
        _speech,
        **_two_stacks(),
        **_SPECIAL,
        **_DECODES,
        decoder_start_token_id=1,
        num_mel_bins=16,
        max_source_positions=32,
    ),
    "wav2vec2": _case(
        "Wav2Vec2Model",
        lambda: {"input_values": torch.randn(1, 400)},
        **_SMALL,
        conv_dim=(16, 16),
        conv_stride=(5, 2),
        conv_kernel=(10, 3),
        num_feat_extract_layers=2,
        num_conv_pos_embeddings=16,
        num_conv_pos_embedding_groups=4,
    ),
    "vit": _case("ViTModel", _image, **_IMAGES),
    "deit": _case("DeiTModel", _image, **_IMAGES),
    "dinov2": _case("Dinov2Model", _image, **_LAYERS, **_SIZE, mlp_ratio=2),
    "swin": _case(
        "SwinModel",
        _image,
        image_size=32,
        patch_size=2,
        embed_dim=16,
        depths=[2, 2],
        num_heads=[2, 4],
        window_size=4,
    ),
    "convnext": _case("ConvNextModel", _image, **_STAGES, num_stages=2),
    "resnet": _case("ResNetModel", _image, **_RESIDUAL),
    "mobilenet_v2": _case("MobileNetV2Model", lambda: _image(64), depth_multiplier=0.35),
    "segformer": _case(
        "SegformerForSemanticSegmentation",
        _image,
        num_encoder_blocks=2,
        **_STAGES,
        sr_ratios=[2, 1],
        patch_sizes=[3, 3],
        strides=[2, 2],
        num_attention_heads=[1, 2],
        mlp_ratios=[2, 2],
        decoder_hidden_size=32,
    ),
    "clip": _case(
        "CLIPModel",
        lambda: {**_tokens(), **_image()},
        text_config={**_WORDS, **_SPECIAL, "max_position_embeddings": 32},
        vision_config=_IMAGES,
        projection_dim=16,
    ),
    "detr": _case(
        "DetrForObjectDetection",
        lambda: _image(64),
        **_two_stacks(layers=1),
        use_timm_backbone=False,
        use_pretrained_backbone=False,
        backbone_config=tr.ResNetConfig(**_RESIDUAL, out_features=["stage2"]),
        num_queries=5,
        init_std=_SPREAD,
    ),
    "yolos": _case(
        "YolosForObjectDetection",
        _image,
        **{**_IMAGES, "image_size": [32, 32]},
        num_detection_tokens=5,
        initializer_range=_SPREAD,
    ),
}
