"""The table of architectures: by its name, what makes a module and its arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import transformers as tr
from torch import nn

Case = tuple[nn.Module, dict[str, Any]]

_SMALL: dict[str, Any] = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
}
_WORDS: dict[str, Any] = {**_SMALL, "vocab_size": 100}
_CAUSAL: dict[str, Any] = {
    **_WORDS,
    "num_key_value_heads": 2,
    "use_cache": False,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
_IMAGES: dict[str, Any] = {**_SMALL, "image_size": 32, "patch_size": 8}
#: Deviation of the weights of detectors: with the default, the boxes of so small ones differ by
#: less than bf16 tells apart, and their correlation says nothing.
_SPREAD = 0.3


def _tokens(count: int = 12) -> dict[str, Any]:
    ids = torch.randint(3, 100, (2, count))
    return {"input_ids": ids, "attention_mask": torch.ones(2, count, dtype=torch.long)}


def _pair() -> dict[str, Any]:
    return {**_tokens(), "decoder_input_ids": torch.randint(3, 100, (2, 6))}


def _image(size: int = 32) -> dict[str, Any]:
    return {"pixel_values": torch.randn(1, 3, size, size)}


ARCHITECTURES: dict[str, Callable[[], Case]] = {
    "bert": lambda: (tr.BertModel(tr.BertConfig(**_WORDS)), _tokens()),
    "roberta": lambda: (tr.RobertaModel(tr.RobertaConfig(**_WORDS, pad_token_id=1)), _tokens()),
    "distilbert": lambda: (
        tr.DistilBertModel(
            tr.DistilBertConfig(vocab_size=100, dim=32, n_layers=2, n_heads=4, hidden_dim=64)
        ),
        _tokens(),
    ),
    "albert": lambda: (tr.AlbertModel(tr.AlbertConfig(**_WORDS, embedding_size=16)), _tokens()),
    "electra": lambda: (tr.ElectraModel(tr.ElectraConfig(**_WORDS, embedding_size=16)), _tokens()),
    "deberta_v2": lambda: (
        tr.DebertaV2Model(
            tr.DebertaV2Config(
                **_WORDS, relative_attention=True, pos_att_type=["p2c", "c2p"], position_buckets=8
            )
        ),
        _tokens(),
    ),
    "mpnet": lambda: (tr.MPNetModel(tr.MPNetConfig(**_WORDS)), _tokens()),
    "gpt2": lambda: (
        tr.GPT2LMHeadModel(
            tr.GPT2Config(vocab_size=100, n_embd=32, n_layer=2, n_head=4, use_cache=False)
        ),
        _tokens(),
    ),
    "gpt_neox": lambda: (
        tr.GPTNeoXForCausalLM(tr.GPTNeoXConfig(**_WORDS, use_cache=False)),
        _tokens(),
    ),
    "opt": lambda: (
        tr.OPTForCausalLM(
            tr.OPTConfig(
                vocab_size=100,
                hidden_size=32,
                num_hidden_layers=2,
                num_attention_heads=4,
                ffn_dim=64,
                use_cache=False,
                word_embed_proj_dim=32,
            )
        ),
        _tokens(),
    ),
    "llama": lambda: (tr.LlamaForCausalLM(tr.LlamaConfig(**_CAUSAL)), _tokens()),
    "mistral": lambda: (
        tr.MistralForCausalLM(tr.MistralConfig(**_CAUSAL, sliding_window=8)),
        _tokens(),
    ),
    "qwen2": lambda: (tr.Qwen2ForCausalLM(tr.Qwen2Config(**_CAUSAL)), _tokens()),
    "qwen3": lambda: (tr.Qwen3ForCausalLM(tr.Qwen3Config(**_CAUSAL, head_dim=8)), _tokens()),
    "gemma": lambda: (tr.GemmaForCausalLM(tr.GemmaConfig(**_CAUSAL, head_dim=8)), _tokens()),
    "gemma2": lambda: (
        tr.Gemma2ForCausalLM(tr.Gemma2Config(**_CAUSAL, head_dim=8, sliding_window=8)),
        _tokens(),
    ),
    "phi": lambda: (tr.PhiForCausalLM(tr.PhiConfig(**_WORDS, use_cache=False)), _tokens()),
    "mixtral": lambda: (
        tr.MixtralForCausalLM(tr.MixtralConfig(**_CAUSAL, num_local_experts=4)),
        _tokens(),
    ),
    "mamba": lambda: (
        tr.MambaForCausalLM(
            tr.MambaConfig(
                vocab_size=100, hidden_size=32, num_hidden_layers=2, state_size=4, use_cache=False
            )
        ),
        {"input_ids": torch.randint(0, 100, (2, 12))},
    ),
    "t5": lambda: (
        tr.T5ForConditionalGeneration(
            tr.T5Config(
                vocab_size=100,
                d_model=32,
                d_kv=8,
                d_ff=64,
                num_layers=2,
                num_heads=4,
                use_cache=False,
            )
        ),
        _pair(),
    ),
    "bart": lambda: (
        tr.BartModel(
            tr.BartConfig(
                vocab_size=100,
                d_model=32,
                encoder_layers=2,
                decoder_layers=2,
                encoder_attention_heads=4,
                decoder_attention_heads=4,
                encoder_ffn_dim=64,
                decoder_ffn_dim=64,
                use_cache=False,
            )
        ),
        _pair(),
    ),
    "whisper": lambda: (
        tr.WhisperModel(
            tr.WhisperConfig(
                vocab_size=100,
                d_model=32,
                encoder_layers=2,
                decoder_layers=2,
                encoder_attention_heads=4,
                decoder_attention_heads=4,
                encoder_ffn_dim=64,
                decoder_ffn_dim=64,
                num_mel_bins=16,
                max_source_positions=32,
                use_cache=False,
                pad_token_id=0,
                bos_token_id=1,
                eos_token_id=2,
                decoder_start_token_id=1,
            )
        ),
        {
            "input_features": torch.randn(1, 16, 64),
            "decoder_input_ids": torch.randint(0, 100, (1, 6)),
        },
    ),
    "wav2vec2": lambda: (
        tr.Wav2Vec2Model(
            tr.Wav2Vec2Config(
                **_SMALL,
                conv_dim=(16, 16),
                conv_stride=(5, 2),
                conv_kernel=(10, 3),
                num_feat_extract_layers=2,
                num_conv_pos_embeddings=16,
                num_conv_pos_embedding_groups=4,
            )
        ),
        {"input_values": torch.randn(1, 400)},
    ),
    "vit": lambda: (tr.ViTModel(tr.ViTConfig(**_IMAGES)), _image()),
    "deit": lambda: (tr.DeiTModel(tr.DeiTConfig(**_IMAGES)), _image()),
    "dinov2": lambda: (
        tr.Dinov2Model(
            tr.Dinov2Config(
                hidden_size=32,
                num_hidden_layers=2,
                num_attention_heads=4,
                mlp_ratio=2,
                image_size=32,
                patch_size=8,
            )
        ),
        _image(),
    ),
    "swin": lambda: (
        tr.SwinModel(
            tr.SwinConfig(
                image_size=32,
                patch_size=2,
                embed_dim=16,
                depths=[2, 2],
                num_heads=[2, 4],
                window_size=4,
            )
        ),
        _image(),
    ),
    "convnext": lambda: (
        tr.ConvNextModel(tr.ConvNextConfig(hidden_sizes=[16, 32], depths=[1, 1], num_stages=2)),
        _image(),
    ),
    "resnet": lambda: (
        tr.ResNetModel(
            tr.ResNetConfig(
                embedding_size=16, hidden_sizes=[16, 32], depths=[1, 1], layer_type="basic"
            )
        ),
        _image(),
    ),
    "mobilenet_v2": lambda: (
        tr.MobileNetV2Model(tr.MobileNetV2Config(depth_multiplier=0.35)),
        _image(64),
    ),
    "segformer": lambda: (
        tr.SegformerForSemanticSegmentation(
            tr.SegformerConfig(
                num_encoder_blocks=2,
                depths=[1, 1],
                sr_ratios=[2, 1],
                hidden_sizes=[16, 32],
                patch_sizes=[3, 3],
                strides=[2, 2],
                num_attention_heads=[1, 2],
                mlp_ratios=[2, 2],
                decoder_hidden_size=32,
            )
        ),
        _image(),
    ),
    "clip": lambda: (
        tr.CLIPModel(
            tr.CLIPConfig(
                text_config=dict(
                    **_WORDS,
                    max_position_embeddings=32,
                    pad_token_id=0,
                    bos_token_id=1,
                    eos_token_id=2,
                ),
                vision_config=dict(**_IMAGES),
                projection_dim=16,
            )
        ),
        dict(_tokens(), **_image()),
    ),
    "detr": lambda: (
        tr.DetrForObjectDetection(
            tr.DetrConfig(
                use_timm_backbone=False,
                use_pretrained_backbone=False,
                backbone_config=tr.ResNetConfig(
                    embedding_size=16,
                    hidden_sizes=[16, 32],
                    depths=[1, 1],
                    layer_type="basic",
                    out_features=["stage2"],
                ),
                d_model=32,
                encoder_layers=1,
                decoder_layers=1,
                encoder_attention_heads=4,
                decoder_attention_heads=4,
                encoder_ffn_dim=64,
                decoder_ffn_dim=64,
                num_queries=5,
                init_std=_SPREAD,
            )
        ),
        _image(64),
    ),
    "yolos": lambda: (
        tr.YolosForObjectDetection(
            tr.YolosConfig(
                **{**_IMAGES, "image_size": [32, 32]},
                num_detection_tokens=5,
                initializer_range=_SPREAD,
            )
        ),
        _image(),
    ),
}
