"""Build the site: `make docs`. CONTRIBUTING.md says why with Sphinx."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import pytest_webtask
from pytest_webtask import plugin

project = "pytest-webtask"
release = version = pytest_webtask.__version__
copyright = "pytest-webtask contributors"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
# Editors get the schemas from the top of the site, where their addresses stay.
html_extra_path = ["schemas"]

html_theme = "furo"
html_title = "pytest-webtask"
html_show_sphinx = False

myst_heading_anchors = 4
# Blocks of sentences, which no lexer knows.
suppress_warnings = ["misc.highlighting_failure"]

# Docstrings are plain sentences with `code` in single backticks.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_default_options = {"show-inheritance": False}
python_maximum_signature_line_length = 80


class Fixtures(SphinxDirective):
    """The fixtures of the plugin with their docstrings."""

    def run(self) -> list[nodes.Node]:
        """Return a definition for each fixture."""
        listed = nodes.definition_list()
        for name, fixture in vars(plugin).items():
            if type(fixture).__name__ == "FixtureFunctionDefinition" and not name.startswith("_"):
                term = nodes.term("", "", nodes.literal("", name))
                body = nodes.definition()
                doc = fixture._get_wrapped_function().__doc__ or ""
                body += self.parse_text_to_nodes(doc.replace("\n    ", "\n"))
                listed += nodes.definition_list_item("", term, body)
        return [listed]


def setup(app: Sphinx) -> None:
    """Register the directives of this site."""
    app.add_directive("plugin-fixtures", Fixtures)
