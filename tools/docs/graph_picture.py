"""Draws a directed graph in layers without Graphviz, with dependencies below their users."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from html import escape

from svg import svg

HEIGHT, GAP, LAYER, CHARACTER, MOST = 20, 14, 74, 6.0, 9


def _reduced(graph: Mapping[str, set[str]], group: Mapping[str, int]) -> list[tuple[str, str]]:
    """Returns the edges without transitive ones."""
    reach: dict[int, set[int]] = defaultdict(set)
    direct: dict[int, set[int]] = defaultdict(set)
    for node, others in graph.items():
        direct[group[node]] |= {group[o] for o in others} - {group[node]}
    # Components are numbered in topological order: a component only needs smaller numbers.
    for number in sorted(set(group.values())):
        for other in direct[number]:
            reach[number] |= {other} | reach[other]
    kept = []
    for node, others in graph.items():
        ahead = direct[group[node]]
        for other in sorted(others):
            inside = group[node] == group[other]
            if inside or not any(group[other] in reach[number] for number in ahead):
                kept.append((node, other))
    return kept


def _layers(graph: Mapping[str, set[str]], components: list[list[str]]) -> list[list[str]]:
    """Returns the nodes of each row, the lowest first; no row has more than ``MOST``."""
    level: dict[str, int] = {}
    for members in components:
        below = {o for m in members for o in graph[m]} - set(members)
        level.update(dict.fromkeys(members, max((level[o] for o in below), default=-1) + 1))
    rows: list[list[str]] = []
    for number in range(max(level.values(), default=-1) + 1):
        row = sorted(node for node in level if level[node] == number)
        parts = -(-len(row) // MOST)
        size = -(-len(row) // parts)
        rows += [row[at : at + size] for at in range(0, len(row), size)]
    return rows


def layered(graph: Mapping[str, set[str]], components: list[list[str]]) -> str:
    """Draws the graph as SVG. ``components`` are the strongly connected ones in topological order;
    edges inside a component are red. Transitive edges are omitted."""
    group = {node: number for number, members in enumerate(components) for node in members}
    edges = _reduced(graph, group)
    rows = _layers(graph, components)
    width = {node: len(node) * CHARACTER + 12 for node in graph}
    near: dict[str, set[str]] = defaultdict(set)
    for node, other in edges:
        near[node].add(other)
        near[other].add(node)
    centre: dict[str, float] = {}
    widest = max(sum(width[n] + GAP for n in row) for row in rows)
    for sweep in range(6):
        # Alternately from below and from above, each node moves to the middle of its neighbours.
        for row in rows if sweep % 2 == 0 else reversed(rows):
            if centre:
                middle = {
                    n: sum(centre[o] for o in sorted(near[n]) if o in centre)
                    / max(1, sum(o in centre for o in near[n]))
                    for n in row
                }
                row.sort(key=middle.__getitem__)
            x = GAP + (widest - sum(width[n] + GAP for n in row)) / 2
            for node in row:
                centre[node] = x + width[node] / 2
                x += width[node] + GAP
    top = {node: GAP + (len(rows) - 1 - i) * LAYER for i, row in enumerate(rows) for node in row}
    parts = []
    for node, other in edges:
        x0, x1 = centre[node], centre[other]
        if top[node] == top[other]:  # An arch above the row.
            y0 = y1 = top[node]
            bend = y0 - LAYER // 2
        else:
            down = top[node] < top[other]
            y0, y1 = top[node] + HEIGHT * down, top[other] + HEIGHT * (not down)
            bend = (y0 + y1) // 2
        colour, stroke = ("#cb181d", 1.2) if group[node] == group[other] else ("#777", 0.6)
        parts.append(
            f'<path d="M{x0:.0f} {y0}C{x0:.0f} {bend} {x1:.0f} {bend} {x1:.0f} {y1}" '
            f'fill="none" stroke="{colour}" stroke-width="{stroke}"/>'
        )
    cyclic = {node for members in components if len(members) > 1 for node in members}
    for node in graph:
        left = centre[node] - width[node] / 2
        parts.append(
            f'<rect x="{left:.0f}" y="{top[node]}" width="{width[node]:.0f}" height="{HEIGHT}" '
            f'rx="3" fill="{"#fcbba1" if node in cyclic else "#deebf7"}" stroke="#777"/>'
        )
        parts.append(
            f'<text x="{centre[node]:.0f}" y="{top[node] + 14}" text-anchor="middle">'
            f"{escape(node)}</text>"
        )
    return svg(round(widest + 2 * GAP), len(rows) * LAYER + GAP, parts)
