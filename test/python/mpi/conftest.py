"""The programs and the ranks of these tests are in files beside them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
