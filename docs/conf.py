"""How Sphinx builds these pages: `make docs`."""

import fogspiel

project = "Fogspiel"
author = "The Fogspiel authors"
copyright = author
version = release = fogspiel.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.mathjax"]
exclude_patterns = ["_build"]
source_suffix = {".md": "markdown"}
html_theme = "furo"
html_title = f"Fogspiel {version}"

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3

default_role = "literal"  # docstrings have code between single backticks, as Markdown does
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
