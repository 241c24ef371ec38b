"""Sheets for the tests of PDQ#: two built with exactly what a new character has, one who is mostly a target."""
from __future__ import annotations

from dataclasses import replace

from rules.sheet import Sheet, Trait, TraitDraft
from rules.systems.pdq_sharp.chart import AVERAGE, EXPERT, GOOD

# Two foibles and an Average forte from one broken good; a mount at the side.
SERAFINE = (
    TraitDraft("foible", "Unspoken love", 0), TraitDraft("foible", "Lives under a borrowed name", 0),
    TraitDraft("motivation", "A life of her own", GOOD), TraitDraft("past", "Daughter of the keep", GOOD),
    TraitDraft("swashbuckling", "Royal rider", EXPERT),
    TraitDraft("forte", "Striking", GOOD), TraitDraft("sidekick", "Ember the mare", GOOD),
    TraitDraft("forte", "Gossip of the salons", AVERAGE),
    TraitDraft("technique", "Exact", 1, within="Royal rider"),
    TraitDraft("technique", "Open country", 2, within="Royal rider"),
    TraitDraft("technique", "On horseback", 2, within="Royal rider"),
    TraitDraft("technique", "Pistol", 5, within="Royal rider"),
    TraitDraft("technique", "Sabre", 5, within="Royal rider"),
    TraitDraft("sidekick_foible", "Stubborn", 0, within="Ember the mare"),
    TraitDraft("sidekick_forte", "Horse", GOOD, within="Ember the mare"),
    TraitDraft("sidekick_forte", "Fast", GOOD, within="Ember the mare"),
    TraitDraft("sidekick_forte", "Knows the way", AVERAGE, within="Ember the mare"),
    TraitDraft("sidekick_technique", "Trained for war", 2, "Horse", within="Ember the mare"),
    TraitDraft("sidekick_technique", "Sprint", 3, "Fast", within="Ember the mare"),
)
# One good broken into two technique points, for one chained to another forte.
JACKDAW = (
    TraitDraft("foible", "Vengeful", 0), TraitDraft("motivation", "Ruin the Margrave", GOOD),
    TraitDraft("past", "Forester", GOOD), TraitDraft("swashbuckling", "Fencing", EXPERT),
    TraitDraft("forte", "Bow", GOOD), TraitDraft("forte", "Two faces", GOOD),
    TraitDraft("technique", "Showy", 1, within="Fencing"),
    TraitDraft("technique", "Behind the mask", 2, within="Fencing"),
    TraitDraft("technique", "Among trees", 2, within="Fencing"),
    TraitDraft("technique", "Tumbling", 1, within="Fencing"),
    TraitDraft("technique", "Sabre", 5, within="Fencing"), TraitDraft("technique", "Trick shot", 3, within="Bow"),
)


def sheet_of(name: str, drafts: tuple[TraitDraft, ...], **pools: int) -> Sheet:
    """A sheet with these lines; a line's id is its name in small letters."""
    traits = tuple(
        Trait(draft.name.casefold(), draft.kind, draft.name, draft.value, note=draft.note,
              parent=draft.within.casefold())
        for draft in drafts)
    return Sheet(name.casefold(), name, traits, tuple(pools.items()))


def hurt(sheet: Sheet, failures: bool = False, **damage: int) -> Sheet:
    """The sheet with damage on some lines, named with underscores for blanks."""
    by = {name.replace("_", " "): amount for name, amount in damage.items()}
    return replace(sheet, traits=tuple(
        replace(trait, damage=by.get(trait.id, trait.damage),
                failures=by.get(trait.id, 0) if failures else trait.failures)
        for trait in sheet.traits))
