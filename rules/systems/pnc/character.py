"""A PnC sheet: features in prose, each with a word of the ladder, and wounds with their degree (PN-05, PN-10)."""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from rules import npc_lines
from rules.npc_lines import NpcLine
from rules.sheet import Budget, Sheet, Trait, TraitDraft
from rules.system import TraitKind
from rules.systems.pnc.dice import degree_text
from rules.systems.pnc.ladder import Rung, word_of
from rules.values import BadMove

FEATURE, WOUND = "feature", "wound"
LONGEST = 100
EXAMPLE = "guard, good with a halberd, thinking hard"

# The degrees from which a wound is called so, the worst last.
CALLED = {1: "a graze", 2: "a wound", 5: "a bad wound", 8: "crippling", 11: "all but the end"}
# A new wound of each size that a hit has a word for; every other degree is written as it fell.
SIZES = tuple((degree, f"+{degree}, {words}") for degree, words in CALLED.items())

KINDS = (
    TraitKind(
        FEATURE, "Feature", "Features",
        "A trait of the character in your own words, with how easy or hard it makes things.",
        tuple((int(rung), rung.word) for rung in Rung), int(Rung.EASY), values_are="It makes things",
    ),
    TraitKind(
        WOUND, "Wound", "Wounds", "What was done to the character. It stays until the story heals it.",
        SIZES, 2, values_are="Degree", condition=True,
    ),
)

# What people say of a character, beside the ladder's own words. The longer ones are looked for first.
SPOKEN = {
    "very good": Rung.VERY_EASY, "good": Rung.EASY, "fair": Rung.AVERAGE, "bad": Rung.HARD, "poor": Rung.HARD,
    "very bad": Rung.VERY_HARD, "very poor": Rung.VERY_HARD, **{rung.word: rung for rung in Rung},
}

DOES = re.compile(rf"(?<=\w) (?:{'|'.join(sorted(SPOKEN, key=len, reverse=True))}) (?:with|at|in|on) ", re.IGNORECASE)


def notation(kind: str, value: int) -> str:
    """`easy` for a feature, `+4, a wound` for a wound: its degree, and the size that it is at least."""
    if kind != WOUND:
        return word_of(value)
    called = next((words for degree, words in reversed(CALLED.items()) if abs(value) >= degree), CALLED[1])
    return f"{degree_text(value)}, {called}"


def rung_of(trait: Trait) -> Rung:
    """How a line of a sheet counts as a factor.

    *Ruling*: a wound of a great success (or a great failure of one's own) makes things very hard, a lesser one hard,
    a graze nothing. The GM can weigh it otherwise.
    """
    if trait.kind != WOUND:
        return Rung(max(Rung.VERY_HARD, min(Rung.VERY_EASY, trait.now)))
    size = abs(trait.value)
    return Rung.VERY_HARD if size >= 5 else Rung.HARD if size >= 2 else Rung.AVERAGE


def budget(traits: Sequence[TraitDraft]) -> Budget:
    """Nothing is counted: a character is prose. Only what can't be meant is remarked on."""
    names = Counter(" ".join(trait.name.split()).casefold() for trait in traits if trait.name.strip())
    twice = [trait.name.strip() for trait in traits if names.pop(" ".join(trait.name.split()).casefold(), 0) > 1]
    return Budget((), tuple(f"{name} is there more than once." for name in twice))


def quick(line: str) -> tuple[str, tuple[TraitDraft, ...]]:
    """A character from one line: a name, then features with a word of the ladder before or after them.

    Of a squad one sheet is made; a word of the ladder alone is what the squad is, as one. Raises `BadMove` with what to
    change.

    >>> [(line.name, line.value) for line in quick("guard, good with a halberd, thinking hard")[1]]
    [('good with a halberd', 1), ('thinking', -1)]
    >>> [(line.name, line.value, line.note) for line in quick("2 squads of 5 guards, good")[1]]
    [('Guards', 1, 'A squad of 5')]
    """
    said = npc_lines.read(line, EXAMPLE)
    _check_name(said)
    drafts = [_squad(said, part) if said.size > 1 and part.casefold() in SPOKEN else _draft(part)
              for part in said.parts]
    if said.size > 1 and not any(draft.note for draft in drafts):
        drafts.append(TraitDraft(FEATURE, f"A squad of {said.size}", int(Rung.AVERAGE)))
    for text in (said.name, *(draft.name for draft in drafts)):
        if len(text) > LONGEST:
            raise BadMove(f"Keep names to {LONGEST} characters.", "line")
    if remarks := budget(drafts).remarks:
        raise BadMove(f"{remarks[0]} Keep one of them.", "line")
    return said.name, tuple(drafts)


def _check_name(said: NpcLine) -> None:
    """Asks where what should be a name ends with a word of the ladder: a comma may be missing. Robin Good is a name."""
    if not said.parts and (inside := DOES.search(said.name)):
        first = said.name[:inside.start()].strip()
        raise BadMove(f"Put a comma after the name: {first}, {said.name[inside.start():].strip()}.", "line")
    opening, _, rest = said.name.partition(" ")
    if rest and not said.parts and said.size == 1 and opening.casefold() in SPOKEN:
        wanted = f"guard, {rest} {opening.lower()}"
        raise BadMove(f"“{said.name}” reads like a feature. Begin with a name: {wanted}.", "line")
    word = _last_word(said.name)
    first = said.name[: -len(word)].rstrip(" :=-") if word else ""
    if not first or (said.parts and said.name[-len(word) :][:1].isupper()):
        return
    if said.parts or said.size > 1:
        raise BadMove(f"Put a comma after the name: {first}, {EXAMPLE.partition(', ')[2]}.", "line")
    raise BadMove(f"“{said.name}” reads like a feature. Begin with a name: {EXAMPLE}.", "line")


def _squad(said: NpcLine, part: str) -> TraitDraft:
    return TraitDraft(FEATURE, said.name, int(SPOKEN[part.casefold()]), note=f"A squad of {said.size}")


def _last_word(part: str) -> str:
    """The word of the ladder that a part ends with, the longest there is; "" where it ends with none."""
    plain = part.casefold()
    return next((word for word in sorted(SPOKEN, key=len, reverse=True) if plain.endswith(f" {word}")), "")


def _draft(part: str) -> TraitDraft:
    """A feature with its word of the ladder; raises `BadMove` where either is missing."""
    plain = part.casefold()
    if plain in SPOKEN:
        raise BadMove(f"Say what is {plain} for them: jumping {plain}.", "line")
    draft = _feature(part, plain)
    if draft and draft.name:
        return draft
    raise BadMove(f"Say how easy “{part}” is for them: {', '.join(WORDS_OF_THE_LADDER)}.", "line")


def _feature(part: str, plain: str) -> TraitDraft | None:
    if word := _last_word(part):
        return TraitDraft(FEATURE, part[: -len(word)].rstrip(" :=-"), int(SPOKEN[word]))
    for word in sorted(SPOKEN, key=len, reverse=True):
        if plain.startswith((f"{word} ", f"{word}: ")):
            # `good with a halberd` says it all; `easy: jumping` is a word and a feature.
            own = word not in WORDS_OF_THE_LADDER
            return TraitDraft(FEATURE, part if own else part[len(word) :].lstrip(" :=-"), int(SPOKEN[word]))
    return None


WORDS_OF_THE_LADDER = tuple(rung.word for rung in Rung)


def options(sheet: Sheet, without: Sequence[str] = ()) -> tuple[tuple[str, str], ...]:
    """The lines of a sheet that can be named as factors, as a person reads them."""
    return tuple(
        (trait.id, f"{trait.name} · {_counts(trait)}") for trait in sheet.traits if trait.id not in without
    )


def _counts(trait: Trait) -> str:
    return f"wound, {rung_of(trait).word}" if trait.kind == WOUND else rung_of(trait).word
