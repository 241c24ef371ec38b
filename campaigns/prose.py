"""What people write, as a page shows it: CommonMark, with nothing in it that could do anything."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

TAGS = {
    "p", "br", "em", "strong", "ul", "ol", "li", "blockquote", "code", "pre", "hr", "a", "h1", "h2", "h3", "h4", "h5",
    "h6",
}
_markdown = MarkdownIt("commonmark", {"html": False, "breaks": True}).disable("image")


# `[[name]]` or `[[name|words]]`.
LINK = re.compile(r"\[\[([^\[\]|\n]{1,120})(?:\|([^\[\]\n]{1,200}))?\]\]")


def prose(text: str, lead: Callable[[str], str] | None = None) -> SafeString:
    """The text as HTML. Headings go below the page's own; links say that we do not vouch for them.

    With `lead`, which answers the address for a name ("" for none), `[[names]]` become links.
    """
    # A heading inside a page's prose is never as large as the page's.
    lower = {f"h{level}": f"h{min(level + 2, 6)}" for level in range(1, 7)}
    tokens = _markdown.parse(text)
    for token in tokens:
        token.tag = lower.get(token.tag, token.tag)
        if lead and token.children:
            token.children = [part for child in token.children for part in _linked(child, lead)]
    html = _markdown.renderer.render(tokens, _markdown.options, {})
    return mark_safe(nh3.clean(html, tags=TAGS, attributes={"a": {"href", "title"}}, link_rel="nofollow noopener"))  # noqa: S308 - cleaned just here


def _linked(token: Token, lead: Callable[[str], str]) -> Iterator[Token]:
    """A piece of text, cut where it names something."""
    last = 0
    for match in LINK.finditer(token.content) if token.type == "text" else ():
        name = match[1].strip()
        words, url = (match[2] or name).strip(), lead(name)
        yield Token("text", "", 0, content=token.content[last : match.start()])
        if url:
            yield Token("link_open", "a", 1, attrs={"href": url})
        yield Token("text", "", 0, content=words)
        if url:
            yield Token("link_close", "a", -1)
        last = match.end()
    yield token.copy(content=token.content[last:]) if last else token
