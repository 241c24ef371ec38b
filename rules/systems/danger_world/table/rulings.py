"""What the GM may do in a check now, and what it asks for."""
from __future__ import annotations

from rules.fields import REQUIRED, Field, Listing, Text, Whole
from rules.procedure import Offer, Options
from rules.sheet import Sheet
from rules.systems.danger_world.challenge import COSTS
from rules.systems.danger_world.reading import THREAT, botches, branches, dice, of_kind, rank_word
from rules.systems.danger_world.table.on_challenge import challenges, waiting
from rules.systems.danger_world.table.resolution import further_rows, heals_nothing, row_words
from rules.systems.danger_world.table.state import State
from rules.wording import join

# What the GM may buy: word, botches, label.
BUYS = (
    ("danger", 1, "The danger rises by one level"), ("threat", 1, "A threat die on a challenge"),
    ("reduced", 2, "A reduced hit"), ("full", 4, "A full hit"), ("overload", 6, "An overload hit"),
    *((f"story_{cost}", cost, COSTS[cost].story) for cost in COSTS),
)
COSTS_OF = {word: cost for word, cost, _ in BUYS}
HITS = ("reduced", "full", "overload")


def rulings(state: State, sheet: Sheet) -> tuple[Offer, ...]:
    """The GM's acts before the dice fall."""
    agree = (Offer("agree", "", "Agree to the pool"),) if state.agree and state.proposal and not state.agreed else ()
    return (*agree, _rate(state), *_threats(state, sheet), *_dark_side(state, sheet))


def _threats(state: State, sheet: Sheet) -> tuple[Offer, ...]:
    """Threat dice added to the challenge, counted from the sheet, or taken off."""
    found = [Offer("complicate", "", "Add threat dice", "They stay on the challenge until it is overcome.", (
        Whole(name="dice", label="Threat dice", least=1, most=9, default=1),
        Text(name="why", label="Why", default=REQUIRED, most=120, missing="Say why."),
    ))]
    counted = {each.trait for each in state.complications}
    if on_sheet := tuple((each.id, f"{each.name} · {each.value}") for each in of_kind(sheet, THREAT)
                         if each.id not in counted):
        which = Text(name="threat", label="Which", default=REQUIRED, missing="Choose a threat.")
        found.append(Offer("threaten", "", "Count a threat that waits", "", (which,), {"threat": on_sheet}))
    if there := sum(each.dice for each in waiting(state)):
        number = Whole(name="number", label="How many", least=1, most=there, default=there)
        found.append(Offer("clear_threats", "", "Remove threat dice",
                           f"Earlier checks left {dice(there, 'threat')} on this challenge.", (number,)))
    return tuple(found)


def _rate(state: State) -> Offer:
    fields: list[Field] = [Whole(name="difficulty", label="Difficulty", least=1, most=9)]
    if not state.keywords:
        return Offer("rate", "", "Set the difficulty", "", tuple(fields), now={"difficulty": state.base})
    of = Text(name="id", label="Which")
    fields += [
        Listing(name="helps", label="What helps", of=of, default=(), help="One lower each."),
        Listing(name="hinders", label="What hinders", of=of, default=(), help="One higher each."),
    ]
    keywords = tuple((each, each) for each in state.keywords)
    return Offer("rate", "", "Set the difficulty", "", tuple(fields), {"helps": keywords, "hinders": keywords},
                 now={"difficulty": state.base, "helps": list(state.helps), "hinders": list(state.hinders)})


def _dark_side(state: State, sheet: Sheet) -> tuple[Offer, ...]:
    """An aspect that stands in the way, as far as the general pool goes (DW-10)."""
    aspects = tuple((branch.trait.id, branch.trait.name) for branch in branches(sheet))
    if not aspects or not state.general:
        return ()
    return (Offer(
        "dark_side", "", "Pay for an aspect’s dark side",
        f"The points come from the general pool ({state.general} left) and go to the player. Each adds a threat die.",
        (Text(name="aspect", label="Aspect", default=REQUIRED, missing="Choose an aspect."),
         Whole(name="number", label="Story points", least=1, most=state.general, default=1)),
        {"aspect": aspects},
    ),)


def cancel() -> Offer:
    """The check is dropped, whatever it waits for."""
    return Offer("end", "", "Cancel this check", "Nothing more comes of it.", (Text(name="words", label="Why"),))


def benefits(state: State, patient: Sheet) -> tuple[Offer, ...]:
    """What the GM may let the excess be good for (DW-05, DW-16)."""
    height = state.height or 0
    rows = tuple((str(row), f"{row} {rank_word(row)}: {row_words(state, row)}") for row in further_rows(state, height)
                 if not heals_nothing(state, patient, row))
    fields: list[Field] = [Text(name="words", label="The benefit, in words", most=300)]
    options: dict[str, Options] = {}
    if rows:
        fields.insert(0, Text(name="row", label="A further row",
                              help="It is really done, as if it had been tried for."))
        options["row"] = rows
    return (
        Offer("benefit", "", "Give the benefit", f"Height {height} is {height - state.difficulty} over the difficulty. "
              "Agree with the player what that is good for, besides the bonus dice.", tuple(fields), options),
        Offer("no_benefit", "", "No further benefit", "The bonus dice are all."),
    )


def costs(state: State) -> tuple[Offer, ...]:
    """What the GM may do with botches, and with those that were kept from earlier checks (DW-06)."""
    left = botches(state.botches)
    draw = (Offer("draw", "", "Use kept botches", f"{botches(state.kept)} kept from earlier checks.", (
        Whole(name="number", label="How many", least=1, most=state.kept, default=1),)),) if state.kept else ()
    if not state.botches:
        return (*draw, Offer("let_go", "", "Finish", "There are no botches, and none of those kept are used."))
    options = tuple((word, f"{label}, {botches(cost)}") for word, cost, label in BUYS if cost <= state.botches)
    here = join([each.name for each in challenges(state.context).values() if not each.overcome], empty="")
    return (
        Offer("pay", "", "Spend botches", f"{left} left.", (
            Text(name="cost", label="On what", default=REQUIRED, missing="Choose what they are spent on."),
            Text(name="words", label="What happens", most=200,
                 help="For a setback: its name, as it stands on the sheet."),
            Text(name="on", label="Threat die on", most=120, help="The challenge that it waits on, for whoever tries "
                 f"that next.{f' In this scene: {here}.' if here else ''}"),
        ), {"cost": options}, rolls=True, now={"on": "" if state.accomplished else state.title}),
        Offer("let_go", "", f"Let {left} go", "They are spent on nothing."),
        Offer("keep", "", f"Keep {left} for later", "They wait on the table until you use them."),
        *draw,
    )
