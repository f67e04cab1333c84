"""Sphinx settings: furo, MyST markdown, and citations labelled as in the comments of the sources, [Brüdigam 2023]."""

import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import version as installed_version
from pathlib import Path

from pybtex.database import Entry
from pybtex.plugin import register_plugin
from pybtex.style.formatting.plain import Style as PlainStyle
from pybtex.style.labels import BaseLabelStyle

sys.path.insert(0, str(Path(__file__).parent))

project = "dalembert"
author = "the dalembert authors"
copyright = f"2026, {author}"
version = release = installed_version("dalembert")

extensions = ["myst_parser", "native_math", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinxcontrib.bibtex"]
myst_enable_extensions = ["dollarmath", "amsmath", "deflist", "colon_fence", "attrs_inline"]
myst_heading_anchors = 3
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
nitpicky = False

autodoc_typehints = "none"
autodoc_member_order = "bysource"

html_math_renderer = "native"
html_static_path = ["_static"]
html_css_files = ["formula.css"]
html_theme = "furo"
html_title = "dalembert"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0072B2", "color-brand-content": "#0072B2"},
    "dark_css_variables": {"color-brand-primary": "#56B4E9", "color-brand-content": "#56B4E9"},
}

bibtex_bibfiles = ["references.bib"]
bibtex_default_style = "name_and_year"


class NameAndYear(BaseLabelStyle):
    """The first author's family name and the year; a letter where that is not enough."""

    def format_labels(self, sorted_entries: Iterable[Entry]) -> Iterator[str]:
        seen: dict[str, int] = {}
        for entry in sorted_entries:
            name = " ".join(entry.persons["author"][0].last_names)
            label = f"{name} {entry.fields['year']}"
            seen[label] = seen.get(label, 0) + 1
            yield label if seen[label] == 1 else f"{label}{chr(ord('a') + seen[label] - 1)}"


class Style(PlainStyle):
    default_label_style = NameAndYear


register_plugin("pybtex.style.formatting", "name_and_year", Style)
