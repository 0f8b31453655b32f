"""Where the lessons lie."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LESSON_ONE = ROOT / "lessons" / "the-gradient-that-lies"
