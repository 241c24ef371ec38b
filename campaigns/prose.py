"""What people write, as a page shows it: CommonMark, with nothing in it that could do anything."""
from __future__ import annotations

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

TAGS = {
    "p", "br", "em", "strong", "ul", "ol", "li", "blockquote", "code", "pre", "hr", "a", "h1", "h2", "h3", "h4", "h5",
    "h6",
}
_markdown = MarkdownIt("commonmark", {"html": False, "breaks": True}).disable("image")


def prose(text: str) -> SafeString:
    """The text as HTML. Headings go below the page's own; links say that we do not vouch for them."""
    # A heading inside a page's prose is never as large as the page's.
    lower = {f"h{level}": f"h{min(level + 2, 6)}" for level in range(1, 7)}
    tokens = _markdown.parse(text)
    for token in tokens:
        token.tag = lower.get(token.tag, token.tag)
    html = _markdown.renderer.render(tokens, _markdown.options, {})
    return mark_safe(nh3.clean(html, tags=TAGS, attributes={"a": {"href", "title"}}, link_rel="nofollow noopener"))  # noqa: S308 - cleaned just here
