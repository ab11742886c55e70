"""The page of commands: every command with every option, from the program itself."""

import re

from oncoproof.app.command import app


def commands_page() -> str:
    """Every command with every option."""
    text = app.generate_docs(output_format="markdown", heading_level=1)
    text = re.sub(r"## Table of Contents\n.*?(?=\n\*\*Commands\*\*)", "", text, count=1, flags=re.DOTALL)
    return text.strip().replace("# oncoproof\n", "# Commands\n", 1)
