"""The generated pages of the reference, each made from the code or the data that it describes.

`pages()` makes all of them; `docs/write_reference.py` writes them, and a test compares what it would write
with what is committed.
"""

from reference_pages.commands import commands_page
from reference_pages.data_files import data_files_page
from reference_pages.disease_files import disease_files_page
from reference_pages.disease_numbers import disease_numbers_page
from reference_pages.doors import door_pages
from reference_pages.error_kinds import errors_page
from reference_pages.features import features_page
from reference_pages.holdings import holdings_page
from reference_pages.journey_parts import journey_parts_page
from reference_pages.losses import losses_page
from reference_pages.safety_rules import safety_rules_page

__all__ = ["pages"]

NOTE = "<!-- Written by `./run python docs/write_reference.py`; do not edit. -->\n\n"


def pages() -> dict[str, str]:
    """Each generated page, by its path below `docs/reference`."""
    made = {
        "commands.md": commands_page(),
        "data-files.md": data_files_page(),
        "disease-files.md": disease_files_page(),
        "disease-numbers.md": disease_numbers_page(),
        "errors.md": errors_page(),
        "features.md": features_page(),
        "holdings.md": holdings_page(),
        "journey-parts.md": journey_parts_page(),
        "losses.md": losses_page(),
        "rules.md": safety_rules_page(),
        **door_pages(),
    }
    return {path: f"{NOTE}{text.strip()}\n" for path, text in made.items()}
