"""Writes the generated pages of the reference (`./run python docs/write_reference.py`).

A test compares what this would write with what is committed, so the pages cannot drift from the code.
"""

from pathlib import Path

from reference_pages import pages

REFERENCE = Path(__file__).parent / "reference"


def main() -> None:
    """Write every page."""
    for name, text in pages().items():
        (REFERENCE / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
