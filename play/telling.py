"""What happened, in sentences: a contest in one, however many entries it took, and a roll with what came of it.

Made of entries that the viewer may read, so that nothing sealed is in it; of a contest, what the Chronicle says of it.
"""
from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.urls import reverse

from campaigns.access import Viewer
from campaigns.models import Entry
from campaigns.now import now_of_all
from campaigns.telling import Happened, Sentence, tell
from campaigns.trail.visible import payload_of
from play.models import Contest
from play.stories import Story, told
from rules.came import Came, Tells
from rules.wording import within
from schedule.services.proposing import PROPOSED

MOST = 4  # sentences of a campaign
OF_CONTESTS = "contest."
Read = tuple[Entry, dict[str, Any]]  # an entry with what it says
# What only prepares something else, or follows from it: where more happened, it is left out.
BESIDE = ("scene.presence", "boon.", "obstacle.", "due.", "asked.", "request.", "bank.", "plan.", "matrix.")


def tell_all(viewers: Sequence[Viewer], happened: Happened) -> dict[uuid.UUID, list[Sentence]]:
    """The newest few sentences of each campaign, the newest first; three queries for all, beside what is asked.

    That dates were proposed is left to the dates themselves, which stand on the same page with their answers.
    """
    read = {pk: [(entry, payload_of(entry) or {}) for entry in entries if entry.kind != PROPOSED]
            for pk, entries in happened.items()}
    contests = _contests(viewers, (entry for entries in read.values() for entry in entries))
    asked = dict(zip((viewer.campaign.pk for viewer in viewers), now_of_all(viewers), strict=True))
    sentences = {}
    for viewer in viewers:
        pk = viewer.campaign.pk
        mine = {ask.of for ask in asked[pk].asks}
        sentences[pk] = _chosen(list(_sentences(viewer, read.get(pk, ()), contests, mine)))
    return sentences


tell(tell_all)


def told_of(viewer: Viewer, entries: Sequence[Entry], most: int) -> list[Sentence]:
    """What these entries come to, the newest first as they come; what is beside the story only where there is room."""
    read = [(entry, payload_of(entry) or {}) for entry in entries]
    return _chosen(list(_sentences(viewer, read, _contests([viewer], read), set())), most)


def _chosen(sentences: list[tuple[str, Sentence]], most: int = MOST) -> list[Sentence]:
    """The newest; those of what is beside the story only where there is room."""
    first = [sentence for kind, sentence in sentences if not kind.startswith(BESIDE)][:most]
    rest = [sentence for kind, sentence in sentences if kind.startswith(BESIDE)][: most - len(first)]
    return [sentence for _, sentence in sentences if sentence in first or sentence in rest]


def _contests(viewers: Sequence[Viewer], read: Iterable[Read]) -> dict[str, Story]:
    """The contests that these entries are of, each with what came of it."""
    wanted = {pk for entry, payload in read if entry.kind.startswith(OF_CONTESTS) for pk in payload.get("about", ())}
    kinds = {(viewer.campaign.pk, kind.name): kind for viewer in viewers for kind in viewer.campaign.rules.procedures}
    stories = told(Contest.objects.filter(pk__in=wanted), kinds) if wanted else []
    return {str(story.contest.pk): story for story in stories}


def _sentences(
    viewer: Viewer, read: Sequence[Read], contests: dict[str, Story], mine: set[str],
) -> Iterator[tuple[str, Sentence]]:
    """What each entry comes to, with its kind; of a contest only its newest, with what all of them say."""
    slug, seen = viewer.campaign.slug, set[str]()
    said: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for entry, payload in read:
        if of := _contest_of(entry, payload, contests):
            said[of].append(payload)
    for entry, payload in read:
        if of := _contest_of(entry, payload, contests):
            if of not in seen and (text := _of_contest(viewer, contests[of], said[of], of in mine)):
                one = contests[of].one
                yield entry.kind, Sentence(entry.at, _closed(text), reverse("contest", args=[slug, of]),
                                           one[1].verdict if one else "")
            seen.add(of)
        elif text := _text(viewer, entry, payload):
            came = _came(viewer, entry, payload)
            yield entry.kind, Sentence(entry.at, _closed(text), reverse("entry", args=[slug, entry.seq]),
                                       came.verdict if came else "")


def _contest_of(entry: Entry, payload: dict[str, Any], contests: dict[str, Story]) -> str:
    """The contest that an entry is of; "" for none."""
    about = payload.get("about", ()) if entry.kind.startswith(OF_CONTESTS) else ()
    return next((pk for pk in about if pk in contests), "")


def _of_contest(viewer: Viewer, story: Story, said: Sequence[dict[str, Any]], mine: bool) -> str:
    """What a contest has come to; `said` are its entries, the newest first. What always goes on is no news."""
    contest, moves = story.contest, [payload.get("move") or {} for payload in said]
    kind = next((procedure for procedure in viewer.campaign.rules.procedures if procedure.name == contest.kind), None)
    if not contest.over:
        always = kind is not None and kind.placement.always
        return "" if always and not mine else f"{contest.title} goes on{': your turn' if mine else ''}"
    met = next((move["met"] for move in moves if "met" in move), "")
    if story.one:
        who, verdict = story.one
        return verdict.told(who, contest.title, met)
    came = story.lines[0] if story.lines else said[0]["title"]
    if contest.title in came:
        return came
    title = contest.title if not met or met in came or met == contest.title else f"{contest.title} ({within(met)})"
    alone = next((move["who"] for move in moves if move.get("by")), "") if kind and kind.casting.who == "one" else ""
    return f"{alone}: {title}. {came}" if alone and alone not in came else f"{title}: {came}"


def _text(viewer: Viewer, entry: Entry, payload: dict[str, Any]) -> str:
    """An entry's title, or of a roll what it came to."""
    title: str = payload.get("title", "")
    if entry.kind == "session.recap" and entry.actor:
        return f"{entry.actor} wrote {title.partition(': ')[0]}’s recap"
    move = payload.get("move") or {}
    came = _came(viewer, entry, payload)
    return came.told(move["who"], move.get("what", ""), move.get("met", "")) if came else title


def _came(viewer: Viewer, entry: Entry, payload: dict[str, Any]) -> Came | None:
    """What came of a roll; None for all else, and where its title says all."""
    rules = viewer.campaign.rules.rolls
    if not (payload.get("dice") and isinstance(rules, Tells) and "who" in (payload.get("move") or {})):
        return None
    return rules.came(entry.kind, (payload.get("outcome") or {}).get("result") or {})


def _closed(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…", "”")) else f"{text}."
