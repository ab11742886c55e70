"""How the documentation is built: `./run sphinx-build -W docs docs/_build`."""

import re

from sphinx.application import Sphinx

from oncoproof import __version__

project = "OncoProof"
author = "The OncoProof authors"
project_copyright = author
release = __version__
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_design",
]
myst_enable_extensions = ["attrs_block", "colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 4
exclude_patterns = ["_build", "news"]
nitpicky = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
add_module_names = False
suppress_warnings = ["ref.python"]  # names that several packages share, such as `Source`
html_theme = "furo"
html_title = "OncoProof"
templates_path: list[str] = []

_CODE = re.compile(r"(?<![`:])`([^`]+)`(?!`)")


def _tell_code_as_code(
    _app: Sphinx, what: str, _name: str, _thing: object, _options: object, lines: list[str]
) -> None:
    """Docstrings write code between single marks, which Sphinx would take for a title.

    A comment before the words of a field keeps napoleon from reading `kind: key` as a type.
    """
    lines[:] = _CODE.sub(r"``\1``", "\n".join(lines)).split("\n")
    if what in {"attribute", "data", "property"}:
        lines[:0] = ["..", ""]


def setup(app: Sphinx) -> None:
    """Called by Sphinx; before napoleon, which listens at 500."""
    app.connect("autodoc-process-docstring", _tell_code_as_code, priority=400)
