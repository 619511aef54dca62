"""The SVG frame of the book's pictures."""

from __future__ import annotations


def svg(width: int, height: int, parts: list[str]) -> str:
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" font-family="sans-serif" font-size="10">',
            f'<rect width="{width}" height="{height}" fill="white"/>',
            *parts,
            "</svg>\n",
        ]
    )
