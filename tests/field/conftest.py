"""What all tests of others' inputs have in common."""

import sys
from pathlib import Path

# Whole runs: tests/workflow/workspace.py.
sys.path.insert(0, str(Path(__file__).parents[1] / "workflow"))
