"""One line makes one thing of the library: what was understood of it, part by part, and what was not.

    said = read("Gate guard, Watchful good, Lazy somehow, #guard", rules, "npc")
    said.name, said.tags, [part.words for part in said.parts if part.unread]
    # ('Gate guard', ('guard',), ['Lazy somehow'])
"""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rules import npc_lines
from rules.fields import read_all
from rules.prep import NPC, PrepItemKind
from rules.sheet import TraitDraft
from rules.values import BadMove

if TYPE_CHECKING:
    from rules.system import System

MOST_LINE, MOST_TAGS, MOST_TAG = 1000, 8, 30
TAG = re.compile(r"(?<!\S)#([\w’'-]+)")
OPENED = re.compile(r"(?P<name>[^:]+?): +(?P<part>.+)")
OF_NPC = re.compile(r"(?P<name>[^:+−\d]+?)(?:: +| +(?=[+−-]\d))(?P<part>.+)")
MOST_HARD = 3  # words that say how hard something is
SHOWN = 3  # things that one part made, told by name


@dataclass(frozen=True, slots=True)
class QuickPart:
    """A part of a line: its words, what they were understood as, and why not where they were not.

    `was` is what the line itself says, where a person has written it anew.
    """

    words: str
    reads: str = ""
    unread: str = ""
    was: str = ""


@dataclass(frozen=True, slots=True)
class QuickLine:
    """What a line says. `line` is what makes an NPC of it; `spec` and `text` are of anything else."""

    kind: str
    label: str
    name: str = ""
    parts: tuple[QuickPart, ...] = ()
    tags: tuple[str, ...] = ()
    count: int = 1
    line: str = ""
    spec: tuple[tuple[str, Any], ...] = ()
    text: str = ""
    refused: str = ""  # why nothing can be made of it, where no single part is at fault

    @property
    def ready(self) -> bool:
        """Whether it can be added: all of it was understood."""
        return bool(self.name) and not self.refused and not any(part.unread for part in self.parts)


def read(
    line: str, rules: System, kind: str, *, text: str = "", without: Collection[str] = (),
    instead: Mapping[str, str] = MappingProxyType({}),
) -> QuickLine:
    """The line as one of this kind, or of the kind that it begins with (`Place: The mill`). Never raises.

    `without` are parts that a person has taken out again, `instead` what they have written in the place of others.
    """
    kind, line = _kind_of(line[:MOST_LINE], rules, kind)
    known = next((item for item in rules.library if item.name == kind), None)
    tags = tuple(dict.fromkeys(tag.casefold()[:MOST_TAG] for tag in TAG.findall(line)))[:MOST_TAGS]
    pieces = _pieces(TAG.sub("", line), known, without)
    kept = [(part, instead.get(part, part)) for part in pieces[1:] if part and part not in without]
    name, parts = pieces[0], [now for _, now in kept if now]
    said = QuickLine(kind, known.label if known else "NPC", name, tags=tags, text=text)
    if not name:
        return replace(said, refused="Begin with a name.")
    head, squads = (name, ()) if known else _squads(name, without, instead)
    said = replace(said, name=head)
    understood = _thing(said, known, parts) if known else _npc(said, rules, parts)
    first = {now: was for was, now in kept}
    parts_of = (*squads, *(replace(part, was=first.get(part.words, "")) for part in understood.parts))
    return replace(understood, parts=parts_of)


def _pieces(line: str, known: PrepItemKind | None, without: Collection[str]) -> list[str]:
    """A line taken apart: its name, then each part. How hard a thing is may end its name (`The tide race 14M`); what an
    NPC can do may follow a colon or begin with a sign (`Hanneke: knots 19`, `Ilse +6 fencing`)."""
    name, *parts = [" ".join(part.split()) for part in re.split(r"[,;\n]", line)]
    parts = list(filter(None, parts))
    if known is None or not known.fields:
        said = (OF_NPC if known is None else OPENED).fullmatch(name)
        apart = said is not None and said["part"] not in without
        return [said["name"].strip(), said["part"].strip(), *parts] if said and apart else [name, *parts]
    words = name.split()
    for length in range(min(MOST_HARD, len(words) - 1), 0, -1):
        end = " ".join(words[-length:])
        hard = end == end.lower() or any(letter.isdigit() for letter in end)
        if hard and ":" not in end and end not in without and _says_how_hard(known, end, parts):
            return [" ".join(words[:-length]).rstrip(" :=-"), end, *parts]
    return [name, *parts]


def _says_how_hard(kind: PrepItemKind, end: str, parts: list[str]) -> bool:
    """Whether the end of a name is how hard it is, and no other part says that."""
    spec = kind.read_part(end, {})
    if spec is None or not kind.fields or kind.fields[0].name not in spec:
        return False
    later = (kind.read_part(part, {}) for part in parts)
    return not any(said is not None and kind.fields[0].name in said for said in later)


def tags_of(text: str) -> tuple[str, ...]:
    """Tags as they are typed on a page, with blanks or commas between them.

    >>> tags_of("#Court, harbour  court")
    ('court', 'harbour')
    """
    words = (part.strip("#").casefold()[:MOST_TAG] for part in re.split(r"[\s,;]+", text))
    return tuple(dict.fromkeys(filter(None, words)))[:MOST_TAGS]


def _kind_of(line: str, rules: System, kind: str) -> tuple[str, str]:
    opened, colon, rest = line.partition(":")
    names = {"npc": NPC, **{kind.label.casefold(): kind.name for kind in rules.library}}
    trait_kind = names.get(opened.strip().casefold()) if colon else None
    return (trait_kind, rest.strip()) if trait_kind else (kind, line.strip())


def _squads(
    name: str, without: Collection[str], instead: Mapping[str, str]
) -> tuple[str, tuple[QuickPart, ...]]:
    """The head of an NPC's line with what was changed of its squads, and what it says of them, part by part.

    >>> _squads("2 squads of 5 guards", (), {"of 5": "squad of 7"})
    ('2 squads of 7 guards', (QuickPart(words='2 ×', reads='', unread='', was='2 squads'), \
QuickPart(words='squad of 7', reads='', unread='', was='of 5')))
    """
    said = npc_lines.SQUADS.fullmatch(name)
    if said is None or npc_lines.number(said["size"]) is None:
        return name, ()
    many, size = name[:said.start("size") - len(" of ")], f"of {said['size']}"
    parts, numbers = [], []
    for was, first, words in ((many, said["squads"] or "1", "{} ×"), (size, said["size"], "squad of {}")):
        typed = instead.get(was, first)
        number = 1 if was in without else next(
            (number for number in map(npc_lines.number, typed.split()) if number is not None), None)
        numbers.append(number or 1)
        if was not in without and (number != 1 or was in instead):
            parts.append(QuickPart(typed, unread="Write how many, as a number.", was=was) if number is None else
                         QuickPart(words.format(number), was=was))
    return f"{numbers[0]} squads of {numbers[1]} {said['name']}", tuple(parts)


def _npc(said: QuickLine, rules: System, parts: list[str]) -> QuickLine:
    """Each part is read with those before it that were understood: a technique is chained to a forte."""
    line, name, refused = said.name, said.name, ""
    before: tuple[TraitDraft, ...] = ()
    try:
        head = npc_lines.read(", ".join((line, *parts[:1])), line)
    except BadMove as bad:
        return replace(said, refused=bad.sentence)
    read_parts: list[QuickPart] = []
    try:
        name, before = rules.sheet.from_line(line)
    except BadMove as bad:
        refused = bad.sentence
    for part in parts:
        try:
            name, after = rules.sheet.from_line(f"{line}, {part}")
        except BadMove as bad:
            read_parts.append(QuickPart(part, unread=bad.sentence))
            continue
        read_parts.append(QuickPart(part, _new(rules, before, after)))
        line, before, refused = f"{line}, {part}", after, ""
    return replace(said, name=name, parts=tuple(read_parts), count=head.squads, line=line, refused=refused)


def _new(rules: System, before: tuple[TraitDraft, ...], after: tuple[TraitDraft, ...]) -> str:
    new = list((Counter(after) - Counter(before)).elements())
    shown = [" ".join((draft.name, rules.sheet.notation(draft.kind, draft.value))).strip() for draft in new[:SHOWN]]
    return " · ".join(shown) + (f" and {len(new) - SHOWN} more" if len(new) > SHOWN else "")


def _thing(said: QuickLine, kind: PrepItemKind, parts: list[str]) -> QuickLine:
    """Without fields the rest of the line is its words; with them each part says something for one."""
    if not kind.fields:
        words = ", ".join(parts)
        return replace(said, text=words or said.text, parts=(QuickPart(words, words),) if words else ())
    spec: Mapping[str, Any] = {}
    read_parts = []
    for part in parts:
        after = kind.read_part(part, spec)
        if after is None:
            read_parts.append(QuickPart(part, unread=_expected(kind)))
            continue
        read_parts.append(QuickPart(part, _said(kind, spec, after)))
        spec = after
    try:
        read_all(kind.fields, spec)
    except BadMove as bad:
        unread = any(part.unread for part in read_parts)
        return replace(said, parts=tuple(read_parts), refused="" if unread else bad.sentence)
    return replace(said, parts=tuple(read_parts), spec=tuple(spec.items()))


def _expected(kind: PrepItemKind) -> str:
    """What a part of a line of this kind can be, in a sentence."""
    first = kind.fields[0]
    words = [shown.split(",")[-1 if word.isdecimal() else 0].split(":")[0].strip() for word, shown in getattr(
        first, "options", ())]
    return f"{first.label} is one of: {', '.join(words)}." if words else first.help or f"Write {first.label}: and more."


def _said(kind: PrepItemKind, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """The field that a part went into, with its value in words: only what is new of it."""
    for field in kind.fields:
        value = after.get(field.name)
        if value != before.get(field.name):
            words = dict(getattr(field, "options", ())).get(str(value), str(value))
            return f"{field.label}: {words.removeprefix(str(before.get(field.name, ''))).strip(', ' + chr(10))}"
    return ""
