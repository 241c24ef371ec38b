"""What is asked of whoever looks, on every page of a campaign and on Home.

What is asked comes from play, an app above: it says so with `tell`, and the pages here ask `now`.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from campaigns.access import Viewer


@dataclass(frozen=True, slots=True)
class AskRow:
    """Something that the viewer is asked to do: `Your turn`, `react to Dock thug`, and the button that leads there.

    `about` is what it belongs to: a contest's title, or why there is damage to place. Where nothing is left to choose,
    `post_url` is the address to which its button sends the roll at once. `of` is the id of what it belongs to: a
    browser that has asked for that roll remembers it. With `chips`, what each sends there and says, it is answered on
    the spot. Where a browser may do the act by itself, `stands` says what its person must have ticked that for: this
    campaign and this kind of contest. What is no `duty` may wait for as long as one likes.
    """

    lead: str
    text: str
    button: str
    url: str
    about: str = ""
    post_url: str = ""
    of: str = ""
    chips: tuple[tuple[str, str], ...] = ()
    stands: str = ""
    duty: bool = True


@dataclass(frozen=True, slots=True)
class NowContext:
    """What the Now bar says to one viewer: what is asked of them, oldest first, else whom the others wait for.

    `ready` is no duty: a modifier that waits for a roll of theirs, and what they have asked the GM for.
    """

    asks: tuple[AskRow, ...] = ()
    more: int = 0  # how many stand behind those that are shown
    waits: str = ""
    ready: tuple[AskRow, ...] = ()

    def without(self, answered: frozenset[str]) -> NowContext:
        """The same but for what leads to an address at which the page itself has the answers."""
        return replace(self, asks=tuple(ask for ask in self.asks if ask.url not in answered))

    @property
    def count(self) -> int:
        """How many things wait for the viewer."""
        return len(self.asks) + self.more

    @property
    def first(self) -> AskRow:
        """What a phone shows of it, where anything is asked at all."""
        return (*self.asks, *self.ready)[0]

    @property
    def behind(self) -> int:
        """How many things stand behind the first."""
        return max(self.count + len(self.ready) - 1, 0)

    @property
    def requests(self) -> bool:
        """Whether they have asked the GM for something that can be withdrawn: then they wait, too."""
        return any(row.post_url for row in self.ready)


Source = Callable[[Sequence[Viewer]], list[NowContext]]
_SOURCES: list[Source] = []


def tell(source: Source) -> None:
    """Says who knows what is asked: a function from viewers to what each of them is asked."""
    _SOURCES[:] = [source]


def now_of_all(viewers: Sequence[Viewer]) -> list[NowContext]:
    """What each of these viewers is asked, in their order: as many queries for many campaigns as for one."""
    return _SOURCES[0](viewers) if _SOURCES and viewers else [NowContext() for _ in viewers]


def now(viewer: Viewer) -> NowContext:
    """What one viewer is asked."""
    return now_of_all([viewer])[0]
