"""The conformance tests of TOSA: made by the generator of the package tosa-tools, run on the emulator.

``tosa-tools`` needs an environment of its own, because its wheel brings a ``flatc`` that would take
the place of the build's::

    python -m venv tosa-env && tosa-env/bin/pip install tosa-tools==2026.8.0
    python test/tosa/conformance.py generate --tools tosa-env --seed 1 tests
    python test/tosa/conformance.py run --tools tosa-env tests

``generate`` makes tests of TOSA 1.0 for the profiles pro-int and pro-fp with the extensions int16 and
bf16, and everything that ``run`` needs beside them: the program as MLIR, and the results and bounds of
the reference model in double precision. ``run`` compiles and runs each program and has ``tosa_verify``
judge the results by the specification's rules. A negative test passes if the program is refused with
a message that names the op. ``sample`` keeps a few hundred small ones as one file, which
``test/python/frontends/test_tosa_conformance.py`` runs without that package.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

PROFILES = ["tosa-pro-int", "tosa-pro-fp"]
EXTENSIONS = ["tosa-ext-int16", "tosa-ext-bf16"]
VERSION = "1.0.2"
MLIR, REASON = "test.mlir", "not-mlir.txt"


class Tools:
    """The programs of an environment that has tosa-tools."""

    def __init__(self, environment: Path) -> None:
        self.bin = environment.resolve() / "bin"
        self.packages = next((environment / "lib").glob("python3*/site-packages")).resolve()
        self.schema = self.packages / "bin" / "tosa.fbs"
        path = f"{self.bin}{os.pathsep}{os.environ['PATH']}"
        self.environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {
            "PATH": path
        }

    def run(self, *command: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(part) for part in command],
            cwd=cwd,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )


# Generation ---------------------------------------------------------------------------------------


def selection(tools: Tools, maximum: int) -> dict[str, Any]:
    """The generator's configuration without what it selects by the names of its own seed's tests."""
    found = json.loads((tools.packages / "conformance" / "cts-config_v1.0.json").read_text())
    for entry in found.values():
        if not isinstance(entry, dict):
            continue
        for criteria in entry.get("selection", {}).values():
            for names in ("errorifs", "missing_errorifs", "specifics"):
                criteria.pop(names, None)
            if int(criteria.get("maximum", maximum + 1)) > maximum:
                criteria["maximum"] = maximum
    return found


def needed(name: str, entry: Any) -> bool:
    """Whether an op of the configuration has tests for the profiles and extensions."""
    if not isinstance(entry, dict):
        return False
    for group in entry["generation"].values():
        every = group.get("supports_all", [])
        some = group.get("supports_any", every)
        ours = {*PROFILES, *EXTENSIONS}
        old = not str(group.get("from_version", "1.0")).startswith("1.1")
        if old and set(every) <= ours and (not some or ours & set(some)):
            return not str(entry.get("from_version", "1.0")).startswith("1.1")
    return False


def generate(tools: Tools, out: Path, seed: int, maximum: int, ops: Sequence[str]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    config = selection(tools, maximum)
    (out / "config.json").write_text(json.dumps(config, indent=1))
    for op in ops or [name for name, entry in config.items() if needed(name, entry)]:
        command: list[str | Path] = [tools.bin / "tosa_verif_conformance_generator"]
        command += ["--op", op, "--profile", *PROFILES, "--extension", *EXTENSIONS]
        command += ["--tosa-version", VERSION, "--output-type", "binary", "--seed", str(seed)]
        command += ["--cts-config", (out / "config.json").resolve(), "-j", "1"]
        done = tools.run(*command, cwd=out)
        count = sum(1 for _ in tests(out, op))
        print(f"{op}: {count} tests" + (f", exit status {done.returncode}" * bool(done.returncode)))
    prepare(tools, out)


def tests(root: Path, prefix: str = "") -> Iterator[Path]:
    """The folders of the tests whose names begin with ``prefix``, in the order of their names."""
    yield from sorted(p.parent for p in root.rglob("desc.json") if p.parent.name.startswith(prefix))


def description(test: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((test / "desc.json").read_text())
    return found


def reference(test: Path, name: str) -> Path:
    return test / f"reference-{name}"


def prepare_one(tools: Tools, test: Path) -> None:
    empty = test / "empty.mlir"
    if not (test / MLIR).exists() and not (test / REASON).exists():
        empty.write_text("")
        # What a program violates is ours to find.
        made = test / "made.mlir"
        read = tools.run(
            *(tools.bin / "tosa-opt", empty, "--tosa-deserialize", "--verify-each=false"),
            *(f"--tosa-deserialize-filename={test / 'test.tosa'}", "--mlir-print-op-generic"),
            *(f"--tosa-deserialize-schema={tools.schema}", "-o", made),
        )
        empty.unlink()
        if read.returncode == 0 and "func.func" in made.read_text():
            made.rename(test / MLIR)
        else:
            (test / REASON).write_text(read.stderr or f"exit status {read.returncode}")
    desc = description(test)
    if desc["expected_failure"]:
        return
    for file in desc["ofm_file"]:
        if not reference(test, file).exists():
            tools.run(
                *(tools.bin / "tosa_reference_model", f"--test_desc={test / 'desc.json'}"),
                *(f"--operator_fbs={tools.schema}", "--precise_mode=1"),
                f"--ofm_file={','.join(f'reference-{name}' for name in desc['ofm_file'])}",
            )


def prepare(tools: Tools, root: Path, prefix: str = "") -> None:
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda test: prepare_one(tools, test), tests(root, prefix)))


# Runs ---------------------------------------------------------------------------------------------


def host(array: Any) -> Any:
    """bf16 is stored as plain bytes of two."""
    import ml_dtypes
    import numpy as np

    return array.view(ml_dtypes.bfloat16) if array.dtype == np.dtype("V2") else array


def run_one(test: Path, backend: str) -> dict[str, str]:
    """What became of a test, before its numbers are judged."""
    import numpy as np

    import ttmlir
    from ttmlir.errors import Error

    desc = description(test)
    if not (test / MLIR).exists():
        return {"status": "not MLIR", "why": (test / REASON).read_text().splitlines()[-1]}
    try:
        program = ttmlir.compile(test / MLIR, backend=backend, remarks=False)  # type: ignore[arg-type]
        if desc["expected_failure"]:
            return {"status": "accepted"}
        inputs = [host(np.load(test / file)) for file in desc["ifm_file"]]
        results = program(*inputs)
    except Error as error:
        return {"status": "refused", "why": str(error)}
    results = results if isinstance(results, list | tuple) else [results]
    for file, result in zip(desc["ofm_file"], results, strict=True):
        np.save(test / f"{backend}-{file}", np.asarray(result))
    return {"status": "ran"}


def worker(backend: str) -> None:
    """Runs the tests whose folders come in by lines; one line of JSON each goes out."""
    for line in sys.stdin:
        try:
            outcome = run_one(Path(line.strip()), backend)
        except Exception as error:
            outcome = {"status": "error", "why": f"{type(error).__name__}: {error}"}
        print(json.dumps(outcome), flush=True)


def outcomes(folders: Sequence[Path], backend: str) -> Iterator[tuple[Path, dict[str, str]]]:
    """Each test in a process that is replaced when one ends it."""
    process: subprocess.Popen[str] | None = None
    for test in folders:
        if process is None or process.poll() is not None:
            process = subprocess.Popen(
                [sys.executable, __file__, "worker", backend],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{test}\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            status = process.wait()
            yield test, {"status": "crash", "why": f"exit status {status}"}
            process = None
            continue
        yield test, json.loads(line)
    if process is not None:
        process.communicate()


def judge(tools: Tools, test: Path, backend: str, outcome: dict[str, str]) -> tuple[bool, str]:
    """Whether a test passed, and otherwise why not."""
    desc = description(test)
    status, why = outcome["status"], outcome.get("why", "")
    if desc["expected_failure"]:
        op = desc["test_details"]["operator"].lower()
        if status == "refused" and op.replace("_", "") in why.lower().replace("_", ""):
            return True, ""
        return False, f"{status}: {why}"
    if status != "ran":
        return False, f"{status}: {why}"
    for name, file in zip(desc["ofm_name"], desc["ofm_file"], strict=True):
        command: list[str | Path] = [tools.bin / "tosa_verify", "--ofm_name", name]
        command += ["--test_desc", test / "desc.json"]
        command += ["--imp_result_file", test / f"{backend}-{file}"]
        command += ["--ref_result_file", reference(test, file)]
        bounds = reference(test, file).with_name(f"bounds_{reference(test, file).name}")
        if desc["test_requirements"].get("bounds_file_required"):
            command += ["--bnd_result_file", bounds]
        done = tools.run(*command)
        if done.returncode:
            text = (done.stdout + done.stderr).strip().splitlines()
            return False, "wrong: " + " | ".join(text[-3:])
    return True, ""


def run(tools: Tools, root: Path, backend: str, prefix: str, report: Path | None) -> int:
    prepare(tools, root, prefix)
    folders = list(tests(root, prefix))
    passed: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    total: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    left_out = 0
    failures: dict[str, list[str]] = defaultdict(list)
    for test, outcome in outcomes(folders, backend):
        desc = description(test)
        negative = bool(desc["expected_failure"])
        if negative and outcome["status"] == "not MLIR":
            left_out += 1  # There is no such program in MLIR.
            continue
        op = desc["test_details"]["operator"].lower()
        total[negative][op] += 1
        good, why = judge(tools, test, backend, outcome)
        passed[negative][op] += good
        if not good:
            failures[op].append(f"{test.name}: {why}")
    lines = [f"{'op':24} positive      negative"]
    for op in sorted({*total[False], *total[True]}):
        cells = [f"{passed[n][op]:5} of {total[n][op]:4}" for n in (False, True)]
        lines.append(f"{op:24} {cells[0]}  {cells[1]}")
    for negative, word in ((False, "positive"), (True, "negative")):
        good, every = sum(passed[negative].values()), sum(total[negative].values())
        lines.append(f"{word}: {good} of {every}, {100 * good / max(every, 1):.1f} %")
    lines.append(f"negative tests that MLIR cannot state: {left_out}")
    print("\n".join(lines))
    if report:
        report.write_text(json.dumps(failures, indent=1))
    return 0 if not failures else 1


def main() -> int:
    if sys.argv[1:2] == ["worker"]:
        worker(sys.argv[2])
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("command", choices=["generate", "prepare", "run"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tools", type=Path, required=True, help="an environment with tosa-tools")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--maximum", type=int, default=4, help="tests of one rank and type")
    parser.add_argument("--ops", nargs="*", default=[])
    parser.add_argument("--backend", default="ttnn", choices=["ttnn", "ttmetal"])
    parser.add_argument("--prefix", default="", help="of the names of the tests to run")
    parser.add_argument("--report", type=Path, help="a JSON file for what failed and why")
    options = parser.parse_args()
    tools = Tools(options.tools)
    if options.command == "generate":
        generate(tools, options.folder, options.seed, options.maximum, options.ops)
        return 0
    if options.command == "prepare":
        prepare(tools, options.folder, options.prefix)
        return 0
    return run(tools, options.folder, options.backend, options.prefix, options.report)


if __name__ == "__main__":
    sys.exit(main())
