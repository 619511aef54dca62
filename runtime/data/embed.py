"""Turns the data files of this folder into one C++ include file.

Usage: embed.py <data folder> <output file>. Every number of an architecture file
stands beside its source; the sources stay in the JSON.
"""

import json
import pathlib
import sys

ARCHS = ("grayskull", "wormhole_b0", "blackhole")
CHIP = (
    "l1_size",
    "num_dram_channels",
    "dram_channel_size",
    "noc_l1_address_align_bytes",
    "pcie_address_align_bytes",
    "noc_dram_address_align_bytes",
    "l1_unreserved_base",
    "erisc_l1_unreserved_base",
    "dram_unreserved_base",
    "dram_unreserved_end",
    "dram_rows",
)
COST = (
    "clock_hz",
    "mvmul_cycles_per_tile_phase",
    "matmul_fixed_cycles_per_tile",
    "matmul_cycles_per_block",
    "eltwise_cycles_per_tile",
    "sfpu_default_cycles_per_tile",
    "exp_cycles_per_tile",
    "sigmoid_cycles_per_tile",
    "reciprocal_cycles_per_tile",
    "reduce_cycles_per_tile",
    "unpack_bytes_per_cycle",
    "pack_bytes_per_cycle",
    "noc_bytes_per_cycle",
    "dram_bytes_per_second",
    "pcie_bytes_per_second",
    "dispatch_seconds",
)


def values(path: pathlib.Path, section: dict, names: tuple) -> list[str]:
    result = []
    for name in names:
        entry = section.get(name)
        if entry is None or "value" not in entry or not entry.get("source"):
            sys.exit(f"{path}: expected a value and a source for {name}")
        result.append(repr(entry["value"]))
    return result


def main() -> None:
    folder, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    lines = ["// Generated from the data files of the runtime.\n"]
    lines.append("constexpr ArchData kArchs[] = {\n")
    for arch in ARCHS:
        path = folder / f"{arch}.json"
        data = json.loads(path.read_text(encoding="utf-8"))
        grid = data["chip"]["grid"]["value"]
        chip = [str(grid[0]), str(grid[1]), *values(path, data["chip"], CHIP)]
        cost = values(path, data["cost"], COST)
        lines.append(
            f'    {{"{arch}",\n     {{{", ".join(chip)}}},\n     {{{", ".join(cost)}}}}},\n'
        )
    lines.append("};\n\nconstexpr TargetData kTargets[] = {\n")
    targets = json.loads((folder / "targets.json").read_text(encoding="utf-8"))
    for name, target in targets.items():
        fields = [
            f'"{name}"',
            str(ARCHS.index(target["arch"])),
            str(target["chips"]),
            str(target["mmio_chips"]),
            str(target["mesh"][0]),
            str(target["mesh"][1]),
            str(target["links_per_edge"]),
        ]
        lines.append(f"    {{{', '.join(fields)}}},\n")
    lines.append("};\n")
    output.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
