"""What is open in a check now, to whom, and what it asks for."""
from __future__ import annotations

from rules.contests import Offer
from rules.fields import Field, Listing, Shares, Text, Whole
from rules.sheet import Sheet
from rules.systems.danger_world.challenge import COSTS
from rules.systems.danger_world.pool import Pool, bonus_dice, result_of
from rules.systems.danger_world.pool import Table as Lying
from rules.systems.danger_world.reading import (
    BONUS,
    POINTS,
    SETBACK,
    STAT,
    THREAT,
    branches,
    dice,
    growable,
    level_of,
    of_kind,
    rank_at,
    rank_word,
)
from rules.systems.danger_world.table.accomplished import healable
from rules.systems.danger_world.table.pooling import pool_from, reasons
from rules.systems.danger_world.table.state import Phase, State
from rules.systems.danger_world.track import INJURED
from rules.values import BadMove, Value

ID = Text(name="id", label="Which")
MOST_POINTS = 12
# What the GM may buy: word, botches, label.
BUYS = (
    ("danger", 1, "The danger rises by one level"), ("threat", 1, "A threat die waits on this challenge"),
    ("reduced", 2, "A reduced hit"), ("full", 4, "A full hit"), ("overload", 6, "An overload hit"),
    *((f"story_{cost}", cost, COSTS[cost].story) for cost in COSTS),
)
HITS = {"reduced": 2, "full": 4, "overload": 6}


def offers(state: State, sheet: Sheet, beside: Sheet | None) -> tuple[Offer, ...]:
    """Every legal move now."""
    match state.phase:
        case Phase.POOL:
            found = [_propose(state, sheet)]
            if state.ready and state.proposal:
                found.insert(0, Offer("roll", sheet.id, _roll_words(state, sheet)))
            return (*found, *_gm_before(state, sheet), _end())
        case Phase.REROLL:
            return (_reroll(state, sheet), Offer("stand", sheet.id, "Let them all lie"), _end())
        case Phase.CHOOSE:
            return (_use(state, sheet), _end())
        case Phase.HEAL:
            return (_heal(state, sheet, beside), _end())
        case Phase.COSTS:
            return _costs(state)
        case Phase.BLANK | Phase.OVER:
            return ()


def _end() -> Offer:
    return Offer("end", "", "Drop this check", "Nothing more comes of it.", (Text(name="words", label="Why"),))


def _roll_words(state: State, sheet: Sheet) -> str:
    try:
        if state.proposal is None:
            return "Roll"
        pool = pool_from(reasons(state, sheet, state.proposal))
    except BadMove:
        return "Roll"
    return f"Roll {dice(pool.all)} against {state.rated.difficulty}"


def _propose(state: State, sheet: Sheet) -> Offer:
    options: dict[str, tuple[tuple[str, str], ...]] = {
        "stats": tuple((each.id, f"{each.name} · {each.now}") for each in of_kind(sheet, STAT)),
    }
    stats = Listing(name="stats", label="Two stats", of=ID, most=2, help="Agree on them with your GM.")
    fields: list[Field] = [stats]
    more: list[Field] = []
    if held := of_kind(sheet, BONUS):
        fields.append(Listing(name="bonus", label="Bonus dice that you hold", of=ID, default=(),
                              help="Used up with this check."))
        options["bonus"] = tuple((each.id, f"{each.name} · {each.value}") for each in held)
    if sheet.pool(POINTS):
        more.append(Shares(name="points", label="Story points", default={}, most=MOST_POINTS))
        options["points"] = tuple(
            (branch.trait.id, f"Story points on {branch.trait.name}{f', {branch.depth} more' if branch.depth else ''}")
            for branch in branches(sheet)
        )
        if places := growable(sheet):
            more += [
                Text(name="name", label="An aspect that shows itself now", most=120,
                     help="Declared at the moment in which you need it."),
                Text(name="under", label="Where it grows"),
                Whole(name="new_points", label="Story points on it", default=0, most=MOST_POINTS),
            ]
            options["under"] = places
    rank = rank_at(level_of(sheet))
    more.append(Whole(name="danger", label="Danger dice", default=0, most=rank,
                      help=f"Up to {rank} in this zone. Each one in your set raises the danger."))
    if setbacks := of_kind(sheet, SETBACK):
        more.append(Text(name="undoes", label="This undoes a setback"))
        options["undoes"] = tuple((each.id, f"{each.name} · height {each.value}") for each in setbacks)
    return Offer("propose", sheet.id, "Change the pool" if state.proposal else "Put the pool together", "",
                 (*fields, *more), options, rolls=True, now=_now(state, options))


def _now(state: State, options: dict[str, tuple[tuple[str, str], ...]]) -> dict[str, Value]:
    was = state.proposal
    if was is None:
        return {}
    now: dict[str, Value] = {"stats": list(was.stats), "danger": was.danger}
    if "bonus" in options:
        now["bonus"] = list(was.bonus)
    if "undoes" in options:
        now["undoes"] = was.undoes
    for each in was.invoked:
        places = [pk for pk, _ in options.get("points", ())]
        if each.aspect in places:
            now[f"points_{places.index(each.aspect)}"] = each.points
        elif not each.aspect and "under" in options:
            now |= {"name": each.name, "under": each.under, "new_points": each.points}
    return now


def _gm_before(state: State, sheet: Sheet) -> tuple[Offer, ...]:
    keywords = tuple((each, each) for each in state.keywords)
    rate: list[Field] = [Whole(name="difficulty", label="Difficulty", least=1, most=9)]
    if keywords:
        rate += [
            Listing(name="helps", label="What speaks for the attempt", of=ID, default=(), help="One lower each."),
            Listing(name="hinders", label="What speaks against it", of=ID, default=(), help="One higher each."),
        ]
    aspects = tuple((branch.trait.id, branch.trait.name) for branch in branches(sheet))
    found = [Offer("agree", "", "Agree to the pool")] if state.agree and state.proposal and not state.agreed else []
    found += [
        Offer("rate", "", "Weigh the challenge", "", tuple(rate), {"helps": keywords, "hinders": keywords},
              now={"difficulty": state.base, "helps": list(state.helps), "hinders": list(state.hinders)}
              if keywords else {"difficulty": state.base}),
        Offer("complicate", "", "Add threat dice", "", (
            Whole(name="dice", label="Threat dice", least=1, most=9, default=1),
            Text(name="why", label="Because", most=120),
        )),
    ]
    counted = {each.trait for each in state.complications}
    if waiting := tuple((each.id, f"{each.name} · {each.value}") for each in of_kind(sheet, THREAT)
                        if each.id not in counted):
        found.append(Offer("threaten", "", "Let a threat that waits count", "",
                           (Text(name="threat", label="Which"),), {"threat": waiting}))
    if aspects:
        found.append(Offer(
            "dark_side", "", "Pay for an aspect’s dark side",
            "The points come from the general pool and go to the player. Each brings a threat die.",
            (Text(name="aspect", label="Aspect"),
             Whole(name="number", label="Story points", least=1, most=9, default=1)),
            {"aspect": aspects},
        ))
    return tuple(found)


def _reroll(state: State, sheet: Sheet) -> Offer:
    pool = state.pool or Pool(0)
    options = tuple(
        (str(index), f"{state.faces[index]}{', a danger die' if pool.kind(index) == 'danger' else ''}")
        for index in range(pool.own)
    )
    again = "for the first time" if state.rounds == 0 else "for the last time"
    return Offer("reroll", sheet.id, "Roll these again", f"You may roll some again {again}.",
                 (Listing(name="dice", label="Dice to roll again", of=ID, default=()),), {"dice": options})


def _use(state: State, sheet: Sheet) -> Offer:
    told = [(str(height), set_words(state, height)) for height in sorted(state.sets, reverse=True)]
    told.append(("0", set_words(state, 0)))
    return Offer("use", sheet.id, "Use this set", "", (Text(name="height", label="Which set", default="0"),),
                 {"height": tuple(told)}, now={"height": told[0][0]})


def lying(state: State) -> Lying:
    """The faces by kind."""
    pool = state.pool or Pool(0)
    return Lying(state.faces[: pool.action], state.faces[pool.action : pool.own], state.faces[pool.own :])


def set_words(state: State, height: int) -> str:
    """What using a set of this height means: `Height 4, significant: accomplished, 1 bonus die; 2 botches`."""
    result = result_of(lying(state), height, state.difficulty)
    botches = int(str(result["botches"]))
    told = f"{botches} {'botch' if botches == 1 else 'botches'}" if botches else "no botches"
    if not height:
        return f"No set: not accomplished; {told}"
    bonus = bonus_dice(height, state.difficulty)
    what = "accomplished" if height >= state.difficulty else "partial"
    more = f", {dice(bonus, 'bonus')}" if bonus else ""
    rise = result["danger_increase"]
    danger = f"; the danger rises by {rise}" if rise else ""
    return f"Height {height}, {rank_word(height)}: {what}{more}; {told}{danger}"


def _heal(state: State, sheet: Sheet, beside: Sheet | None) -> Offer:
    patient = beside or sheet
    options = []
    for zone in healable(state, patient):
        if zone is INJURED and (low := [each for each in of_kind(patient, STAT) if each.damage]):
            options += [(f"{zone.rank}:{stat.id}", f"An injury: {stat.name} rises again") for stat in low]
        else:
            options.append((f"{zone.rank}:", f"A box of {zone.name}"))
    return Offer("heal", sheet.id, f"Heal {patient.name}", "", (Text(name="box", label="Which box opens"),),
                 {"box": tuple(options)})


def _costs(state: State) -> tuple[Offer, ...]:
    options = tuple((word, f"{cost}: {label}") for word, cost, label in BUYS if cost <= state.botches)
    left = f"{state.botches} {'botch' if state.botches == 1 else 'botches'}"
    return (
        Offer("pay", "", "Spend botches", f"{left} left.",
              (Text(name="cost", label="On what"), Text(name="words", label="What happens", most=200,
               help="For a setback: its name, as it stands on the sheet.")), {"cost": options}),
        Offer("let_go", "", f"Let {left} go", "They are spent on nothing."),
        Offer("keep", "", f"Keep {left} for later", "They wait on the table until you draw on them."),
        Offer("draw", "", "Draw on kept botches", "", (Whole(name="number", label="How many", least=1, most=99),)),
    )
