"""Where things lie, for tests that read files of the project."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DEMO = ROOT / "demo"
DOCS = ROOT / "docs"
SAMPLES = ROOT / "tests" / "data"
