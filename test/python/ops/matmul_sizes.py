"""Products at the sizes of real models, as (rows, depth, columns)."""

from __future__ import annotations

Product = tuple[int, int, int]

#: Their tiles do not divide over the cores of the grid; a second or two each.
FAST: tuple[Product, ...] = (
    (128, 512, 5632),
    (128, 512, 5888),
    (5888, 512, 128),
    (128, 2304, 2304),
    (197, 768, 768),
)
#: Projections of Llama 7B, Falcon and BERT, and what fills the grid many times: for long runs.
SLOW: tuple[Product, ...] = (
    (128, 2304, 9216),
    (128, 4096, 11008),
    (128, 11008, 4096),
    (128, 4096, 32000),
    (384, 1024, 30522),
    (1500, 1280, 5120),
    (2048, 4096, 4096),
    (5888, 512, 5888),
)
