"""What a roll tray showed when its button was pressed, held against what it would be rolled with now.

    token = now.signed(viewer)                        # goes along with the form, made for this viewer alone
    before = Shown.read(viewer, token)                # None where it is missing, forged, or from elsewhere
    moved = moves(before, now, obstacle, people)      # None where the roll may be made

It is made of what this viewer reads, and of nothing else: what is sealed is not in it, so that nobody learns of a
sealed number from what goes along, or from a tray that comes back.
"""
from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import astuple, dataclass
from typing import Any

from django.core import signing
from django.utils.crypto import salted_hmac

from campaigns.access import Viewer
from characters.models import Character
from play.models import PendingModifier
from play.services.obstacles import GONE, InTheWay
from play.services.tray import how_hard
from rules.codec import canonical
from rules.procedure import Offer
from rules.system import System
from rules.wording import join

UNKNOWN = "This roll was out of date. These are the numbers now."


@dataclass(frozen=True)
class Target:
    """Something to roll against: `words` say how hard it is, "" where the viewer doesn't know; `asked` by the GM."""

    pk: str
    name: str
    words: str
    asked: bool

    def __str__(self) -> str:
        return f"{self.name}, {self.words}" if self.words else self.name


@dataclass(frozen=True)
class Line:
    """A line of the sheet of whoever rolls, as the tray has it."""

    pk: str
    label: str


@dataclass(frozen=True)
class Person:
    """Somebody else whose lines the tray offers; `lines` is a keyed digest of them."""

    pk: str
    name: str
    lines: str


@dataclass(frozen=True)
class Shown:
    """What counts in a tray for one viewer: who rolls, against what, with which lines and modifiers; `note` is what the
    rules say there of what can be spent, `settings` a keyed digest; so are `rollable`, of all who could
    roll, and `offered`, of what the rules ask for."""

    roller: str = ""
    name: str = ""
    targets: tuple[Target, ...] = ()
    lines: tuple[Line, ...] = ()
    others: tuple[Person, ...] = ()
    modifiers: tuple[str, ...] = ()
    note: str = ""
    settings: str = ""
    rollable: str = ""
    offered: str = ""

    @property
    def opens_with(self) -> str:
        """The id of what a tray is rolled against where nothing else was chosen."""
        return self.targets[-1].pk if self.targets else ""

    def signed(self, viewer: Viewer) -> str:
        """As it goes along with the form."""
        return _signer(viewer).sign_object(astuple(self), compress=True)

    @classmethod
    def read(cls, viewer: Viewer, token: str) -> Shown | None:
        """What this viewer was shown; None for anything that was not signed for them."""
        try:
            roller, name, targets, lines, others, modifiers, *rest = _signer(viewer).unsign_object(token)
        except signing.BadSignature:
            return None
        return cls(roller, name, tuple(Target(*target) for target in targets), tuple(Line(*line) for line in lines),
                   tuple(Person(*other) for other in others), tuple(modifiers), *rest)


def _signer(viewer: Viewer) -> signing.Signer:
    return signing.Signer(salt=_salt(viewer))


def _salt(viewer: Viewer) -> str:
    return f"tray 2:{viewer.campaign.pk}:{viewer.member.pk}"


def shown_now(
    viewer: Viewer, roller: Character | None, targets: Iterable[InTheWay], *, rollable: Iterable[Character] = (),
    present: Iterable[Character] = (), pending_modifiers: Iterable[PendingModifier] = (), offer: Offer | None = None,
) -> Shown:
    """What a tray shows now. `present` are those whose lines can help or oppose, the modifiers the roller's."""
    who = _digest(viewer, [[str(character.pk), character.name] for character in rollable])
    if roller is None:
        return Shown(rollable=who)
    system, campaign = viewer.campaign.rules, viewer.campaign
    kinds = {modifier.name: modifier.label for modifier in system.modifiers}
    return Shown(
        str(roller.pk), roller.name,
        tuple(Target(str(target.pk), target.name, "" if target.secret else how_hard(campaign, target),
                     bool(target.asked))
              for target in targets),
        tuple(Line(pk, label) for pk, label in _lines(system, roller)),
        tuple(Person(str(character.pk), character.name, _digest(viewer, _lines(system, character)))
              for character in present if character != roller),
        tuple(f"{f'{pending.amount} × ' if pending.amount > 1 else ''}{kinds.get(pending.kind, pending.kind)} "
              f"({pending.reason})" for pending in pending_modifiers),
        offer.help if offer else "", _digest(viewer, campaign.settings), who,
        _digest(viewer, repr((offer.fields, offer.options, offer.now, offer.fits, offer.binds)) if offer else ""),
    )


def _lines(system: System, whose: Character) -> list[list[str]]:
    return [[str(trait.pk), f"{trait.name} {system.sheet.notation(trait.kind, trait.value - trait.damage)}"]
            for trait in whose.traits.all()]


def _digest(viewer: Viewer, value: Any) -> str:
    return salted_hmac(_salt(viewer), canonical(value), algorithm="sha1").hexdigest()[:16]


@dataclass(frozen=True)
class Moved:
    """What is not as it was shown, in sentences; `against` is the id of what it is rolled against now, `anew` whether
    that is another thing than was chosen."""

    said: tuple[str, ...]
    against: str
    anew: bool


def moves(before: Shown | None, now: Shown, chosen: str, people: Collection[str]) -> Moved | None:
    """What counts in this roll and is not as it was shown; None where the roll may be made.

    `chosen` is the id of what it was to be rolled against, `people` are those of others whose lines were chosen, "" for
    a line that is nobody's any more.
    """
    against = _against(before, now, chosen)
    was, there = _by_id(before or Shown()), _by_id(now)
    anew = bool(against) and (against != chosen or there[against] != was.get(against))
    if before is None:
        return Moved((UNKNOWN,), against, anew)
    said = (*_of_targets(before, now, chosen, against if anew else ""), *_of_lines(before, now),
            *_of_others(before, now, people), *_of_modifiers(before, now), *_of_the_rest(before, now))
    return Moved(said, against, anew) if said else None


def _by_id(shown: Shown) -> dict[str, Target]:
    return {target.pk: target for target in shown.targets}


def _against(before: Shown | None, now: Shown, chosen: str) -> str:
    """What was left as the tray opened opens anew with what has come; what was chosen stays, as long as it is there."""
    left = chosen == before.opens_with and now.opens_with not in _by_id(before) if before else not chosen
    return now.opens_with if left or (chosen and chosen not in _by_id(now)) else chosen


def _of_targets(before: Shown, now: Shown, chosen: str, anew: str) -> list[str]:
    """Of what was there, the one that was chosen counts; what has come counts always, for a tray opens with it."""
    was, there, said = _by_id(before), _by_id(now), []
    if chosen and chosen not in there:
        gone = was.get(chosen)
        said.append(GONE if gone is None else f"The GM no longer asks for {gone.name}." if gone.asked
                    else f"{gone.name} is no longer an obstacle.")
    if anew:
        said.append(f"{'The GM now asks for' if there[anew].asked else 'The obstacle is now'} {there[anew]}.")
    if more := [str(name_there) for pk, name_there in there.items() if pk not in was and pk != anew]:
        said.append(f"New obstacle: {join(more)}.")
    return said


def _of_lines(before: Shown, now: Shown) -> list[str]:
    was = {line.pk: line.label for line in before.lines}
    there = {line.pk: line.label for line in now.lines}
    said = []
    if new := [label for pk, label in there.items() if was.get(pk) != label]:
        said.append(f"On {now.name}’s sheet there is now {join(new)}.")
    if gone := [label for pk, label in was.items() if pk not in there]:
        said.append(f"No longer on {now.name}’s sheet: {join(gone)}.")
    return said


def _of_others(before: Shown, now: Shown, chosen: Collection[str]) -> list[str]:
    was, there = {other.pk: other for other in before.others}, {other.pk: other for other in now.others}
    other = [name_there for pk, name_there in there.items() if pk in chosen and name_there != was.get(pk)]
    said = [f"{person.name}’s sheet has changed." for person in other]
    if "" in chosen:
        left = [name_then.name for pk, name_then in was.items() if pk not in there]
        said.append(f"No longer here: {join(left)}." if left else "A trait you chose no longer exists.")
    return said


def _of_modifiers(before: Shown, now: Shown) -> list[str]:
    return [*_listed("Now also counts on this roll", now.modifiers, before.modifiers),
            *_listed("No longer counts on this roll", before.modifiers, now.modifiers)]


def _listed(words: str, these: Sequence[str], without: Sequence[str]) -> list[str]:
    left = [name_there for name_there in these if name_there not in without]
    return [f"{words}: {join(left)}."] if left else []


def _of_the_rest(before: Shown, now: Shown) -> list[str]:
    said = [now.note or "There is nothing left to spend on this roll."] if before.note != now.note else []
    return [*said, *(["The campaign’s settings have changed."] if before.settings != now.settings else [])]
