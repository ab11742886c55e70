"""How the documentation is built: `./run sphinx-build -W docs docs/_build`."""

from oncoproof import __version__

project = "OncoProof"
author = "The OncoProof authors"
release = __version__
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_design",
]
myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3
exclude_patterns = ["_build", "news"]
nitpicky = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
add_module_names = False
suppress_warnings = ["ref.python"]  # names that several packages share, such as `Source`
html_theme = "furo"
html_title = "OncoProof"
html_static_path = ["_static"]
templates_path: list[str] = []
