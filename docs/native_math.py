"""A Sphinx extension: formulas as MathML, which browsers set themselves: pages need no script from elsewhere."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from xml.etree import ElementTree

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

logger = logging.getLogger(__name__)

MATHML = "http://www.w3.org/1998/Math/MathML"
ElementTree.register_namespace("", MATHML)

SPELLINGS = (
    (r"\\(big|Big)(?![a-zA-Z])", r"\\\1l"),
    (r"\\dots(?![a-zA-Z])", r"\\ldots"),
    (r"\\mathrel\{(.)\}", r"\1"),
    (r"\\textstyle(?![a-zA-Z])", ""),
    (r"\\([td]?frac)(\d)(\d)", r"\\\1{\2}{\3}"),
)
"""What docutils does not read, and what it reads in its place."""

ACCENTS = frozenset("ˉ¯˙¨ˆ^~˜")


def convert(node: nodes.Element, as_block: bool) -> str:
    """The formula of a node; a warning, and its source as it is, where it cannot be read."""
    source = node.astext().strip()
    for spelling, other in SPELLINGS:
        source = re.sub(spelling, other, source)
    try:
        root = ElementTree.fromstring(without_names(tex2mathml(source, as_block=as_block)))
    except (MathError, SyntaxError) as error:
        logger.warning("formula %r: %s", node.astext(), error, location=node)
        return f"<code>{node.astext()}</code>"
    for element in root.iter():
        put_index_beside(element)
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=False)


def without_names(markup: str) -> str:
    """Named characters as what they are, but for those that XML knows."""
    return re.sub(r"&(?!(?:lt|gt|amp);)\w+;", lambda named: unescape(named.group()), markup)


def put_index_beside(element: ElementTree.Element) -> None:
    """An index of a letter with an accent stands beside both; docutils puts it below, as that of a sum."""
    parts = list(element)
    if element.tag == f"{{{MATHML}}}munderover" and parts[2].text in ACCENTS:
        accented = ElementTree.Element(f"{{{MATHML}}}mover", accent="true")
        accented.extend((parts[0], parts[2]))
        parts = [accented, parts[1]]
    elif element.tag != f"{{{MATHML}}}munder" or parts[0].tag != f"{{{MATHML}}}mover":
        return
    element.tag = f"{{{MATHML}}}msub"
    element[:] = parts


def visit_inline(self: HTML5Translator, node: nodes.math) -> None:
    self.body.append(convert(node, as_block=False))
    raise nodes.SkipNode


def visit_display(self: HTML5Translator, node: nodes.math_block) -> None:
    self.body.append(self.starttag(node, "div", CLASS="formula"))
    if node["number"]:
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})</span>')
    self.body.append(convert(node, as_block=True))
    self.body.append("</div>")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_html_math_renderer("native", (visit_inline, None), (visit_display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
