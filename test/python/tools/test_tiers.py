"""CI runs what the README says, and the planted faults fit the sources."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_ci_runs_the_command_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text()
    commands = re.findall(r"^(make \w+) +#", readme, re.MULTILINE)
    assert commands == ["make demo", "make test"]
    script = (ROOT / ".ci" / "run").read_text().splitlines()
    assert commands[1] in script


def test_planted_faults_are_where_the_table_says() -> None:
    command = [sys.executable, str(ROOT / "test" / "faults" / "run.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
