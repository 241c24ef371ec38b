"""What a player may do in a check now, and what it asks for. Nothing else is accepted."""
from __future__ import annotations

from rules.engine import Sheets
from rules.fields import REQUIRED, Allocation, Field, Listing, Text, Whole
from rules.procedure import Offer, Options
from rules.sheet import Sheet
from rules.systems.danger_world.pool import Pool
from rules.systems.danger_world.reading import (
    BONUS,
    POINTS,
    SETBACK,
    STAT,
    branches,
    dice,
    growable,
    level_of,
    of_kind,
    rank_at,
)
from rules.systems.danger_world.table.pooling import pool_from, reasons
from rules.systems.danger_world.table.resolution import healable, set_words
from rules.systems.danger_world.table.rulings import benefits, cancel, costs, rulings
from rules.systems.danger_world.table.state import Phase, State
from rules.systems.danger_world.track import INJURED
from rules.values import BadMove, Value

ID = Text(name="id", label="Which")
MOST_POINTS = 12


def offers(state: State, sheets: Sheets) -> tuple[Offer, ...]:
    """Every legal act now: the player's, then the GM's."""
    if state.who not in sheets:
        return ()
    sheet = sheets[state.who]
    match state.phase:
        case Phase.POOL:
            roll = (_roll(state, sheet),) if state.ready else ()
            return (*roll, pool_offer(state, sheet), *rulings(state, sheet), cancel())
        case Phase.REROLL:
            return (_reroll(state), Offer("stand", sheet.id, _kept(state)), cancel())
        case Phase.CHOOSE:
            return (_use(state), cancel())
        case Phase.HEAL:
            return (_heal(state, sheet, sheets.get(state.beside, sheet)), cancel())
        case Phase.BENEFIT:
            return (*benefits(state, sheets.get(state.beside, sheet)), cancel())
        case Phase.COSTS:
            return costs(state)
        case Phase.BLANK | Phase.OVER:
            return ()


def _roll(state: State, sheet: Sheet) -> Offer:
    title = "Roll"
    if state.proposal:
        try:
            number = pool_from(reasons(state, sheet, state.proposal)).all
            title = f"Roll {dice(number)} against {state.rated.difficulty}"
        except BadMove:
            pass  # the page says what the pool lacks
    return Offer("roll", sheet.id, title, rolls=True)


def pool_offer(state: State, sheet: Sheet) -> Offer:
    """What a pool is made of: stats, bonus dice, story points, danger (DW-02)."""
    fields: list[Field] = [Listing(name="stats", label="Two stats", of=ID, most=2, missing="Choose two stats.",
                                   help="Agree on them with your GM. Each adds its dice.")]
    options: dict[str, Options] = {
        "stats": tuple((each.id, f"{each.name} · {each.now}") for each in of_kind(sheet, STAT)),
    }
    if held := of_kind(sheet, BONUS):
        fields.append(Listing(name="bonus", label="Bonus dice that you hold", of=ID, default=(),
                              help="Used up with this check."))
        options["bonus"] = tuple((each.id, f"{each.name} · {each.value}") for each in held)
    points = ""
    if sheet.pool(POINTS):
        aspects, more = _aspects(sheet)
        fields += aspects
        options |= more
        points = f"Story points left: {sheet.pool(POINTS)}. Each one spent on an aspect adds a die."
    rank = rank_at(level_of(sheet))
    fields.append(Whole(name="danger", label="Danger dice", default=0, most=rank,
                        help=f"Up to {rank} in this zone. Each one in your set raises the danger."))
    if setbacks := of_kind(sheet, SETBACK):
        fields.append(Text(name="undoes", label="This undoes a setback"))
        options["undoes"] = tuple((each.id, f"{each.name} · height {each.value}") for each in setbacks)
    return Offer("propose", sheet.id, "Change the pool" if state.proposal else "Put the pool together", points,
                 tuple(fields), options, rolls=True, now=_as_proposed(state, options))


def _aspects(sheet: Sheet) -> tuple[list[Field], dict[str, Options]]:
    """Story points on aspects that are known, and on one that is declared now."""
    fields: list[Field] = [Allocation(name="points", label="Story points", default={}, most=MOST_POINTS)]
    options: dict[str, Options] = {"points": tuple(
        (branch.trait.id, f"Story points on {branch.trait.name}{f', {branch.depth} more' if branch.depth else ''}")
        for branch in branches(sheet)
    )}
    if places := growable(sheet):
        fields += [
            Text(name="name", label="A new aspect", most=120, help="Declared at the moment in which you need it."),
            Text(name="under", label="Where it belongs"),
            Whole(name="new_points", label="Story points on it", default=0, most=MOST_POINTS),
        ]
        options["under"] = places
    return fields, options


def _as_proposed(state: State, options: dict[str, Options]) -> dict[str, Value]:
    """The pool as it was put together, so that its form opens with it."""
    was = state.proposal
    if was is None:
        return {}
    now: dict[str, Value] = {"stats": list(was.stats), "danger": was.danger}
    if "bonus" in options:
        now["bonus"] = list(was.bonus)
    if "undoes" in options:
        now["undoes"] = was.undoes
    places = [id_ for id_, _ in options.get("points", ())]
    for each in was.invoked:
        if each.aspect in places:
            now[f"points_{places.index(each.aspect)}"] = each.points
        elif not each.aspect and "under" in options:
            now |= {"name": each.name, "under": each.under, "new_points": each.points}
    return now


def _kept(state: State) -> str:
    """What keeping all dice leads to: `Keep all dice, height 4: accomplished; no botches`."""
    words = set_words(state, max(state.sets, default=0))
    return f"Keep all dice, {words[:1].lower()}{words[1:]}"


def _reroll(state: State) -> Offer:
    pool = state.pool or Pool(0)
    options = tuple(
        (str(index), f"{state.faces[index]}{', a danger die' if pool.kind(index) == 'danger' else ''}")
        for index in range(pool.own)
    )
    again = "for the first time" if state.rounds == 0 else "for the last time"
    field = Listing(name="dice", label="Dice to roll again", of=ID,
                    missing="Choose the dice to roll again, or keep all dice.")
    return Offer("reroll", state.who, "Roll these again", f"You may roll some again {again}.", (field,),
                 {"dice": options}, rolls=True)


def _use(state: State) -> Offer:
    options = (*((str(height), set_words(state, height)) for height in sorted(state.sets, reverse=True)),
               ("0", set_words(state, 0)))
    field = Text(name="height", label="Which set", default=REQUIRED, missing="Choose a set, or none.")
    return Offer("use", state.who, "Use this set", "", (field,), {"height": options}, now={"height": options[0][0]})


def _heal(state: State, sheet: Sheet, patient: Sheet) -> Offer:
    options: list[tuple[str, str]] = []
    for zone in healable(state, patient, state.healed_row or state.base):
        if zone is INJURED and (low := [each for each in of_kind(patient, STAT) if each.damage]):
            options += [(f"{zone.rank}:{stat.id}", f"An injury: {stat.name} rises again") for stat in low]
        else:
            options.append((f"{zone.rank}:", f"A box of {zone.name}"))
    field = Text(name="box", label="Which box opens", default=REQUIRED, missing="Choose a box.")
    return Offer("heal", sheet.id, f"Heal {patient.name}", "", (field,), {"box": tuple(options)})
