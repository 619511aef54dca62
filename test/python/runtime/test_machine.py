"""Where the parts of a chip are, as pictures of a run have them."""

from __future__ import annotations

import json

import pytest

import ttmlir
from ttmlir import runtime


@pytest.mark.parametrize("target", ttmlir.targets())
def test_a_machine_has_the_parts_of_its_system(target: str) -> None:
    desc = json.loads(runtime.get_default_system_desc(target).as_json())["system_desc"]
    chip = desc["chip_descs"][0]
    machine = runtime.get_machine(chip["arch"].lower())
    assert (machine.grid_y, machine.grid_x) == (chip["grid_size"]["y"], chip["grid_size"]["x"])
    assert len(machine.channels) == chip["num_dram_channels"]
    cores = {
        (x, y) for x in machine.columns[: machine.grid_x] for y in machine.rows[: machine.grid_y]
    }
    assert len(cores) == machine.grid_x * machine.grid_y
    places = cores | set(machine.channels)
    assert len(places) == len(cores) + len(machine.channels)
    assert all(0 <= x < machine.noc_width and 0 <= y < machine.noc_height for x, y in places)
    assert machine.dram_channel_size == chip["dram_channel_size"]
    lofi, *_, hifi4 = machine.flops_per_second
    assert lofi == pytest.approx(4 * hifi4)


def test_an_unknown_architecture() -> None:
    with pytest.raises(runtime.ArgumentError, match="'of tomorrow', expected one of grayskull"):
        runtime.get_machine("of tomorrow")
