"""Lets commands and tests of this folder import what all whole runs share, from wherever they are started."""

import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
sys.path[:0] = [str(TESTS / "support"), str(ROOT / "workflow" / "scripts")]
