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
    "eltwise_cycles_per_tile",
    "sfpu_default_cycles_per_tile",
    "exp_cycles_per_tile",
    "sigmoid_cycles_per_tile",
    "reciprocal_cycles_per_tile",
    "reduce_cycles_per_tile",
    "unpack_bytes_per_cycle",
    "pack_bytes_per_cycle",
    "dram_bytes_per_second",
    "pcie_bytes_per_second",
    "host_page_seconds",
    "dispatch_seconds",
    "host_op_seconds",
    "host_program_seconds",
)

# Numbers of the replay; places are lists of coordinates on the NoC.
TIMING = (
    "noc_width",
    "noc_height",
    "worker_columns",
    "worker_rows",
    "dram_columns",
    "dram_rows",
    "noc_hop_cycles",
    "noc_round_trip_cycles",
    "noc_read_issue_cycles",
    "noc_write_issue_cycles",
    "noc_stateful_read_issue_cycles",
    "noc_page_address_cycles",
    "noc_packet_bytes",
    "noc_packet_cycles",
    "noc_link_bytes_per_cycle",
    "l1_read_bytes_per_cycle",
    "l1_write_bytes_per_cycle",
    "l1_request_cycles",
    "dram_read_latency_cycles",
    "dram_read_bytes_per_cycle",
    "dram_write_bytes_per_cycle",
    "dram_burst_bytes",
    "dram_partial_write_cycles",
    "risc_cycles_per_call",
    "risc_move_bytes_per_cycle",
    "cb_cycles",
    "unpackers_share",
    "unpack_instruction_cycles",
    "pack_fixed_cycles_per_tile",
    "phase_cycles_per_tile",
    "reduce_row_sum_cycles_per_tile",
    "reduce_row_max_cycles_per_tile",
    "reduce_scalar_fixed_cycles_per_tile",
    "tanh_cycles_per_tile",
    "gelu_cycles_per_tile",
    "gelu_accurate_cycles_per_tile",
    "reciprocal16_cycles_per_tile",
    "reciprocal16_approx_cycles_per_tile",
    "tilize_unpack_cycles_per_tile",
    "tilize_pack_cycles_per_tile",
    "untilize_unpack_cycles_per_tile",
    "untilize_pack_cycles_per_tile",
    "pack_untilize_unpack_cycles_per_tile",
    "pack_untilize_pack_cycles_per_tile",
)
# Numbers of the links; then those of each collective with a measured time.
ETHERNET = (
    "link_bytes_per_second",
    "packet_bytes",
    "packet_header_bytes",
    "frame_bytes",
    "frame_overhead_bytes",
    "hop_seconds",
    "sram_bytes",
)
COLLECTIVES = ("all_gather", "reduce_scatter", "all_reduce", "all_to_all")
COLLECTIVE = (
    "start_seconds",
    "line_step_seconds",
    "ring_step_seconds",
    "line_bytes_per_second",
    "ring_bytes_per_second",
)
MOST_PLACES = 32  # as in arch.h


def field(name: str) -> str:
    """Of the structures in arch.h."""
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def values(path: pathlib.Path, section: dict, names: tuple, prefix: str = "") -> list[str]:
    """Initializers of the fields: one without a number, or at another place, does not compile."""
    result = []
    for name in names:
        entry = section.get(prefix + name)
        if entry is None or "value" not in entry or not entry.get("source"):
            sys.exit(f"{path}: expected a value and a source for {prefix}{name}")
        value = entry["value"]
        if isinstance(value, list):
            if len(value) > MOST_PLACES:
                sys.exit(f"{path}: expected at most {MOST_PLACES} numbers in {name}")
            number = f"{{{len(value)}, {{{', '.join(map(repr, value))}}}}}"
        else:
            number = repr(value)
        result.append(f".{field(name)} = {number}")
    return result


def main() -> None:
    folder, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    lines = ["// Generated from the data files of the runtime.\n"]
    lines.append("constexpr ArchData kArchs[] = {\n")
    for arch in ARCHS:
        path = folder / f"{arch}.json"
        data = json.loads(path.read_text(encoding="utf-8"))
        grid = data["chip"]["grid"]["value"]
        chip = [f".gridY = {grid[0]}", f".gridX = {grid[1]}"]
        chip += values(path, data["chip"], CHIP)
        cost = values(path, data["cost"], COST)
        timing = values(path, data["timing"], TIMING)
        ethernet = values(path, data["ethernet"], ETHERNET)
        for name, table in ("chip", ("grid", *CHIP)), ("cost", COST), ("timing", TIMING):
            for unknown in sorted(set(data[name]) - set(table)):
                sys.exit(f"{path}: expected no {unknown} in {name}, which nothing reads")
        for op in COLLECTIVES:
            numbers = values(path, data["ethernet"], COLLECTIVE, f"{op}_")
            ethernet.append(f".{field(op)} = {{{', '.join(numbers)}}}")
        parts = ",\n     ".join(f"{{{', '.join(part)}}}" for part in (chip, cost, timing, ethernet))
        lines.append(f'    {{"{arch}",\n     {parts}}},\n')
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
            str(target["torus"]).lower(),
        ]
        lines.append(f"    {{{', '.join(fields)}}},\n")
    lines.append("};\n")
    output.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
