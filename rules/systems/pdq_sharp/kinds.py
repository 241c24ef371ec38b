"""The kinds of line that a PDQ# sheet has (PS-02 to PS-07, PS-30 to PS-35, PS-44). Their names are stored for ever."""
from __future__ import annotations

from rules.system import TraitKind
from rules.systems.pdq_sharp.chart import AVERAGE, GOOD, MASTER, notation_of

FOIBLE, MOTIVATION, PAST, SWASHBUCKLING = "foible", "motivation", "past", "swashbuckling"
# A motivation or a past that is the swashbuckling forte as well: one line, of a kind of its own.
SWASHBUCKLING_MOTIVATION, SWASHBUCKLING_PAST = "swashbuckling_motivation", "swashbuckling_past"
FORTE, MINIONS, SIDEKICK, WEALTHY = "forte", "minions", "sidekick", "wealthy"
TECHNIQUE = "technique"  # its value is what kind of technique it is; what it is chained to is the line it stands in
SIDEKICK_FOIBLE, SIDEKICK_FORTE, SIDEKICK_TECHNIQUE = "sidekick_foible", "sidekick_forte", "sidekick_technique"
SQUAD, THREAT = "squad", "threat"
TEMPORARY, HOOK, BURNED, FALLEN, POISONED = "temporary", "hook", "burned", "fallen", "poisoned"

SWASHBUCKLING_KINDS = (SWASHBUCKLING, SWASHBUCKLING_MOTIVATION, SWASHBUCKLING_PAST)
MOTIVATIONS, PASTS = (MOTIVATION, SWASHBUCKLING_MOTIVATION), (PAST, SWASHBUCKLING_PAST)
FORTES = (SWASHBUCKLING, SWASHBUCKLING_MOTIVATION, SWASHBUCKLING_PAST, MOTIVATION, PAST, FORTE, MINIONS, SIDEKICK,
          WEALTHY)

IDIOM = 1
TECHNIQUES = ((IDIOM, "Idiom"), (2, "Location or situation"), (3, "Maneuver"), (4, "Foe"), (5, "Tool or weapon"))
OPEN, USED = 0, 1  # a story hook
THIS_SCENE, TO_REPLACE = 1, 2  # a burned motivation
# How somebody fell: by the kind of conflict (PS-31).
MOSTLY_DEAD, INSANE, PARIAH, BANKRUPT = 1, 2, 3, 4
FALLS = ((MOSTLY_DEAD, "mostly dead"), (INSANE, "driven insane"), (PARIAH, "a social pariah"), (BANKRUPT, "bankrupted"))
ONE_SHOT, ENDURING = 1, 2  # a poison
THREAT_SIDEKICK, LIEUTENANT, VILLAIN, ARCHVILLAIN = 1, 2, 3, 4
THREATS = ((THREAT_SIDEKICK, "sidekick"), (LIEUTENANT, "lieutenant"), (VILLAIN, "villain"),
           (ARCHVILLAIN, "archvillain"))
MOST_MINIONS = 500

RANKS = tuple((rank, notation_of(rank)) for rank in range(AVERAGE, MASTER + 1))
MINION_RANKS = tuple((rank, f"{words}, {7 + 2 * rank} of them") for rank, words in RANKS)


def _forte(name: str, label: str, plural: str, help: str, *, lines: int | None = 1) -> TraitKind:
    return TraitKind(name, label, plural, help, RANKS, GOOD, lines=lines)


def _played(
    name: str, label: str, plural: str, help: str, values: tuple[tuple[int, str], ...], note: str = "Covers",
    listed: bool = False,
) -> TraitKind:
    return TraitKind(
        name, label, plural, help, values, values[0][0], condition=True, played=True, note_label=note, listed=listed)


CORE = (
    TraitKind(FOIBLE, "Foible", "Foibles", "A weak point that makes trouble, and pays style dice when it does.",
              ((0, "foible"),), 0, lines=1, note_label="Meaning", trouble=True),
    _forte(MOTIVATION, "Motivation", "Motivation", "Their drive in life. It adds where it matters; burned, it counts "
           "double for a scene and is then replaced."),
    _forte(PAST, "Past", "Past", "What they were, or went through, before play."),
    _forte(SWASHBUCKLING, "Swashbuckling forte", "Swashbuckling forte",
           "What they astound with. Techniques chained to it are cheapest."),
    _forte(SWASHBUCKLING_MOTIVATION, "Motivation and swashbuckling forte", "Motivation and swashbuckling forte",
           "A motivation that is the swashbuckling forte as well: one additional forte more.", lines=0),
    _forte(SWASHBUCKLING_PAST, "Past and swashbuckling forte", "Past and swashbuckling forte",
           "A past that is the swashbuckling forte as well: one additional forte more.", lines=0),
)
ADDITIONAL = (
    _forte(FORTE, "Forte", "Fortes", "A talent, skill, tie or resource. It helps with anything it applies to.",
           lines=4),
    TraitKind(MINIONS, "Minions", "Minions", "Followers who carry out orders, each with one good forte.",
              MINION_RANKS, GOOD, lines=0, note_label="Description, and their one good forte"),
    _forte(SIDEKICK, "Sidekick", "Sidekick", "Someone with a name at their side: a bondsman, a friend, a pet or a "
           "mount, with a build of their own.", lines=0),
    _forte(WEALTHY, "Wealthy", "Wealthy", "Rich enough at this rank. Beyond one’s means once, or twice at their edge, "
           "lowers it for good.", lines=0),
    TraitKind(TECHNIQUE, "Technique", "Techniques", "A bonus in certain situations: one more die, or +1. Chained to a "
              "forte it costs less; leave that blank for one that goes with any forte.", TECHNIQUES, IDIOM, lines=3,
              within=FORTES, within_label="Chained to", values_are="Kind", note_label="Description"),
    TraitKind(SIDEKICK_FOIBLE, "Foible of a sidekick", "Foibles of a sidekick", "One, as with anyone.",
              ((0, "foible"),), 0, lines=0, within=(SIDEKICK,), within_label="Sidekick"),
    TraitKind(SIDEKICK_FORTE, "Forte of a sidekick", "Fortes of a sidekick", "As many ranks as the sidekick was taken "
              "at, one more at Good, one at Average. A pet’s Good one is the animal that it is.", RANKS, GOOD, lines=0,
              within=(SIDEKICK,), within_label="Sidekick"),
    TraitKind(SIDEKICK_TECHNIQUE, "Technique of a sidekick", "Techniques of a sidekick", "Two, each chained to one of "
              "the sidekick’s fortes.", TECHNIQUES, IDIOM, lines=0, within=(SIDEKICK,), within_label="Sidekick",
              values_are="Kind", note_label="Chained to"),
    TraitKind(SQUAD, "Minion squad", "Minion squad", "How many minions act as one. Each hit takes one of them out.",
              tuple((number, "a minion" if number == 1 else f"{number} minions")
                    for number in range(1, MOST_MINIONS + 1)), 1, lines=0, values_are="How many"),
    TraitKind(THREAT, "Threat", "Threat", "How much of a foe an NPC is. It says what the builder counts.", THREATS,
              LIEUTENANT, lines=0, values_are="Level"),
)
IN_PLAY = (
    _played(TEMPORARY, "Temporary forte", "Temporary fortes", "Fame, gear, help or money for this session. It takes no "
            "damage, and can be stolen or squandered.", RANKS),
    _played(HOOK, "Story hook", "Story hooks", "What the GM makes something of, in the next scene or session.",
            ((OPEN, "open"), (USED, "used")), note="Where it came from", listed=True),
    _played(BURNED, "Burned motivation", "Burned motivation", "It counts double for this scene; then there is another.",
            ((THIS_SCENE, "counts double in this scene"), (TO_REPLACE, "to be replaced"))),
    _played(FALLEN, "Mostly dead", "Mostly dead", "At the mercy of their foe. Style dice, anyone’s, bring them back.",
            FALLS),
    _played(POISONED, "Poison", "Poison", "Its effect lasts until the antidote is found.",
            ((ONE_SHOT, "one dose"), (ENDURING, "lasting"))),
)
KINDS = (*CORE, *ADDITIONAL, *IN_PLAY)
