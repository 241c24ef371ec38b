"""NPCs from one line, and the stock of each threat level (PS-07)."""
from __future__ import annotations

import re
from collections.abc import Sequence

from rules import npc_lines
from rules.npc_lines import NpcLine
from rules.sheet import TraitDraft
from rules.systems.pdq_sharp.chart import AVERAGE, EXPERT, GOOD, MASTER, MODIFIERS, POOR
from rules.systems.pdq_sharp.kinds import (
    ARCHVILLAIN,
    FOIBLE,
    FORTE,
    FORTES,
    IDIOM,
    LIEUTENANT,
    MOTIVATION,
    PAST,
    SQUAD,
    SWASHBUCKLING,
    SWASHBUCKLING_KINDS,
    TECHNIQUE,
    THREAT,
    THREAT_SIDEKICK,
    THREATS,
    VILLAIN,
)
from rules.values import BadMove

EXAMPLE = "guard, Halberd good"
LONGEST = 120
LEVELS = {words: level for level, words in THREATS}
RANKS = {word: step for step, word in enumerate(MODIFIERS, POOR)}
SIGNED = {value: step for step, value in enumerate(MODIFIERS.values(), POOR)}
SAID = {"foible": FOIBLE, "motivation": MOTIVATION, "past": PAST, "swashbuckling": SWASHBUCKLING}
TECHNIQUE_WORDS = {
    "idiom": IDIOM, "location": 2, "situation": 2, "maneuver": 3, "manoeuvre": 3, "foe": 4, "vs": 4, "tool": 5,
    "weapon": 5,
}
OPENING = re.compile(r"(?P<word>[A-Za-z]+)\s*[:.]\s*(?P<rest>.+)")
CHAIN = re.compile(r"(?P<name>.+?)\s*\((?P<forte>[^()]+)\)")
COUNTED = re.compile(r"\s*(?P<size>\d{1,3}) (?!\s*(?:squad|group|band)s? of )(?P<rest>.+)", re.IGNORECASE | re.DOTALL)
UNCHAINED = "unchained"

# What stands on the sheet of one who is named with a threat level alone: exactly what the level has to spend.
_CORE = (
    TraitDraft(FOIBLE, "Proud", 0), TraitDraft(MOTIVATION, "Advancement", GOOD), TraitDraft(PAST, "Old soldier", GOOD),
)
_BLADE = (
    TraitDraft(TECHNIQUE, "Relentless", IDIOM, within="Fencing"), TraitDraft(TECHNIQUE, "Rapier", 5, within="Fencing"),
    TraitDraft(TECHNIQUE, "On stairs", 2, within="Fencing"),
    TraitDraft(TECHNIQUE, "Beat and lunge", 3, within="Fencing"),
    TraitDraft(TECHNIQUE, "Guards of the crown", 4, within="Fencing"),
)
STOCK: dict[int, tuple[TraitDraft, ...]] = {
    THREAT_SIDEKICK: (
        TraitDraft(FOIBLE, "Talks too much", 0),
        TraitDraft(FORTE, "Loyal hand", GOOD), TraitDraft(FORTE, "Brawling", GOOD),
        TraitDraft(FORTE, "Knows the servants", AVERAGE), TraitDraft(TECHNIQUE, "Back to back", 2, within="Brawling"),
        TraitDraft(TECHNIQUE, "Found objects", 5, within="Brawling"),
    ),
    LIEUTENANT: (
        *_CORE, TraitDraft(SWASHBUCKLING, "Fencing", EXPERT), TraitDraft(FORTE, "Command", GOOD),
        TraitDraft(FORTE, "Riding", GOOD), TraitDraft(FORTE, "Intimidation", GOOD), *_BLADE,
    ),
    VILLAIN: (
        *_CORE, TraitDraft(SWASHBUCKLING, "Fencing", EXPERT), TraitDraft(FORTE, "Schemes", EXPERT),
        TraitDraft(FORTE, "Repartee", GOOD), *_BLADE,
    ),
    ARCHVILLAIN: (
        *_CORE, TraitDraft(SWASHBUCKLING, "Fencing", MASTER), TraitDraft(FORTE, "Schemes", MASTER),
        TraitDraft(FORTE, "Repartee", EXPERT), TraitDraft(FORTE, "Wide influence", GOOD), *_BLADE,
    ),
}


def quick(line: str) -> tuple[str, tuple[TraitDraft, ...]]:
    """An NPC from one line; raises `BadMove` with what to change.

    The name comes first; then a level (minion, sidekick, lieutenant, villain, archvillain), fortes with their ranks,
    `Foible: Vain`, `Past: Corsair good`, and techniques (`Idiom: Fierce`, chained to the first forte, or to the one in
    brackets). A level alone takes from the stock; a rank alone is what a squad is.

    >>> [(line.kind, line.name, line.value) for line in quick("Marek, lieutenant, Highwayman expert, Idiom: Fierce")[1]]
    [('threat', 'Lieutenant', 2), ('swashbuckling', 'Highwayman', 2), ('technique', 'Fierce', 1)]
    >>> [(line.kind, line.name, line.value) for line in quick("2 squads of 5 guards, good")[1]]
    [('squad', 'Guards', 5), ('forte', 'Guards', 1)]
    >>> quick("6 guards, good") == quick("squad of 6 guards, good")
    True
    """
    if counted := COUNTED.fullmatch(line):
        line = f"squad of {counted['size']} {counted['rest']}"
    said = npc_lines.read(line, EXAMPLE)
    _check_name(said)
    levels = [word for word in (part.casefold() for part in said.parts) if word in LEVELS or word == "minion"]
    if len(levels) > 1:
        raise BadMove(f"Choose one of these: {', '.join(levels)}.", "line")
    parts = [part for part in said.parts if part.casefold() not in levels]
    drafts = [_draft(said, part) for part in parts]
    for text in (said.name, *(draft.name for draft in drafts)):
        if len(text) > LONGEST:
            raise BadMove(f"Keep names to {LONGEST} characters.", "line")
    if said.size > 1 or levels == ["minion"]:
        return said.name, (TraitDraft(SQUAD, said.name, said.size), *_chained(drafts))
    if not levels:
        return said.name, _chained(drafts)
    level = LEVELS[levels[0]]
    head = TraitDraft(THREAT, levels[0].capitalize(), level)
    if not any(draft.kind in FORTES for draft in drafts):
        kinds = {draft.kind for draft in drafts}
        drafts += [draft for draft in STOCK[level] if draft.kind == TECHNIQUE or draft.kind not in kinds]
    return said.name, (head, *_chained(_with_best(drafts, level)))


def _check_name(said: NpcLine) -> None:
    """Asks where what should be a name begins or ends with a rank; Robin Good and Good Robin keep their names where
    something is said of them."""
    first, _, last = said.name.rpartition(" ")
    opening, _, rest = said.name.partition(" ")
    if said.size > 1 or not first:
        return
    if rank_of(opening) is not None and not said.parts:
        raise BadMove(f"“{said.name}” reads like a forte. Begin with a name: Guard, {rest} {opening.lower()}.", "line")
    if rank_of(last) is not None and not (said.parts and last[:1].isupper()):
        raise BadMove(f"Put a comma after the name, and say what is {last}: {first}, Halberd {last}.", "line")


def _with_best(drafts: Sequence[TraitDraft], level: int) -> list[TraitDraft]:
    """The first forte of somebody of importance is their swashbuckling forte, where none was said to be."""
    if level == THREAT_SIDEKICK or any(draft.kind in SWASHBUCKLING_KINDS for draft in drafts):
        return list(drafts)
    first = next((draft for draft in drafts if draft.kind == FORTE), None)
    return [TraitDraft(SWASHBUCKLING, draft.name, draft.value) if draft is first else draft for draft in drafts]


def _chained(drafts: Sequence[TraitDraft]) -> tuple[TraitDraft, ...]:
    """Techniques find the forte that they are chained to: the one that was said, else the best; raises `BadMove`."""
    fortes = {draft.name.casefold(): draft.name for draft in drafts if draft.kind in FORTES}
    best = next((draft.name for draft in drafts if draft.kind in SWASHBUCKLING_KINDS), next(iter(fortes.values()), ""))
    chained = []
    for draft in drafts:
        if draft.kind == TECHNIQUE:
            wanted = draft.within.casefold()
            if wanted and wanted != UNCHAINED and wanted not in fortes:
                raise BadMove(f"There is no forte {draft.within} in this line.", "line")
            host = "" if wanted == UNCHAINED else fortes.get(wanted, best)
            draft = TraitDraft(TECHNIQUE, draft.name, draft.value, within=host)
        chained.append(draft)
    return tuple(chained)


def technique_of(text: str) -> tuple[str, int]:
    """The name of a technique and what kind it is: a maneuver where nothing is said.

    >>> technique_of("Idiom: Fierce"), technique_of("Riposte")
    (('Fierce', 1), ('Riposte', 3))
    """
    opened = OPENING.fullmatch(text)
    if opened and opened["word"].casefold() in TECHNIQUE_WORDS:
        return opened["rest"], TECHNIQUE_WORDS[opened["word"].casefold()]
    return text, TECHNIQUE_WORDS["maneuver"]


def _draft(said: NpcLine, part: str) -> TraitDraft:
    """One part of the line: a foible, a technique, or a forte with its rank; raises `BadMove`."""
    opened = OPENING.fullmatch(part)
    word, rest = (opened["word"].casefold(), opened["rest"]) if opened else ("", part)
    if word in TECHNIQUE_WORDS:
        chain = CHAIN.fullmatch(rest)
        return TraitDraft(TECHNIQUE, chain["name"] if chain else rest, TECHNIQUE_WORDS[word],
                          within=chain["forte"] if chain else "")
    if word == "foible":
        return TraitDraft(FOIBLE, rest, 0)
    kind = SAID.get(word, FORTE)
    if word not in SAID:
        rest = part
    if said.size > 1 and (rank := rank_of(rest)) is not None:
        return TraitDraft(FORTE, said.name, _known(rank, rest))
    name, rank = _ranked(rest)
    if rank is None and kind != FORTE:
        rank = GOOD
    if rank is None:
        if rank_of(part) is not None:
            raise BadMove(f"Say what is “{part}”: Fencing {part}.", "line")
        raise BadMove(f"End “{part}” with a rank: average, good, expert, master. Or begin it with Foible: or Idiom:.",
                      "line")
    return TraitDraft(kind, name, _known(rank, part))


def _known(rank: int, part: str) -> int:
    if rank < AVERAGE:
        raise BadMove(f"A forte is no worse than average: make “{part}” a foible.", "line")
    return rank


def _ranked(part: str) -> tuple[str, int | None]:
    """A name and its rank, which stands at the end or at the beginning; `Fencing good [+2]` says it twice."""
    words, number = part.split(" "), None
    while len(words) > 1 and (rank := rank_of(words[-1])) is not None:
        number, words = rank, words[:-1]
    if number is None and len(words) > 1 and (rank := rank_of(words[0])) is not None:
        number, words = rank, words[1:]
    return " ".join(words).rstrip(" :=-"), number


def rank_of(word: str) -> int | None:
    """The rank that a word or a modifier says, None for neither.

    >>> rank_of("expert"), rank_of("[+4]"), rank_of("Rook")
    (2, 2, None)
    """
    plain = word.strip("[]().:").casefold()
    if plain in RANKS:
        return RANKS[plain]
    if re.fullmatch(r"[+−-]?\d", plain):
        return SIGNED.get(int(plain.replace("−", "-"))) if plain[0] in "+−-" or plain == "0" else None
    return None
