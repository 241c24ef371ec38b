"""Why dice of a duel come to what they do as they lie: each attack, both sides, what counts in them (PS-17, PS-23)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.engine import Sheets, Values
from rules.procedure import Offer
from rules.systems.pdq_sharp.chart import modifier, signed
from rules.systems.pdq_sharp.duel.additions import comes, sources_of, throw_by, where
from rules.systems.pdq_sharp.duel.clash import Attack, taken
from rules.systems.pdq_sharp.duel.dice import thrown_with
from rules.systems.pdq_sharp.duel.envenoming import adds
from rules.systems.pdq_sharp.duel.lies import attacks_of, clash_row, trays_of
from rules.systems.pdq_sharp.duel.state import Bonus, State, Throw
from rules.systems.pdq_sharp.origins import counted_parts
from rules.why import LEFT_OUT, Part, Why
from rules.wording import join


def why_standing(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why:
    """What somebody gives and takes, and from what; then what could still be added and is not."""
    throw = throw_by(state, offer.by)
    gives, takes = taken(state, throw.who)
    parts = (*(_clash(state, attack, throw.who) for attack in attacks_of(state, throw.who)), *_sides(state, throw),
             *_counted(state, sheets, throw), *(_bonus(state, throw, bonus) for bonus in throw.bonus), *_carried(throw))
    idle = tuple(Part("a die, or +1", name, LEFT_OUT) for _, name in sources_of(state, sheets, throw))
    return Why(f"{gives} given, {takes} taken", parts, idle)


def why_together(state: State, whom: Sequence[str]) -> Why:
    """What several give and take together, and from which attacks."""
    gives, takes = (sum(ranks) for ranks in zip(*(taken(state, who) for who in whom), strict=True))
    return Why(f"{gives} given, {takes} taken",
               tuple(_clash(state, attack, who) for who in whom for attack in attacks_of(state, who)))


def _clash(state: State, attack: Attack, who: str) -> Part:
    """One attack: what it gives or takes, both totals, and what more than the difference a hit does."""
    (gives, _), (takes, _) = comes((attack,), who)
    ranks = [f"{many} {word}" for many, word in ((gives, "given"), (takes, "taken")) if many]
    row = clash_row(state, attack)
    shot = throw_by(state, attack.by).firearm
    more = [f"{many} of it {what}" for many, what in ((shot, "the shot"), (adds(state, attack.by), "the poison"))
            if many and attack.hurts]
    return Part(", ".join(ranks), f"{row.by} {row.attack} against {row.on} {row.defence}",
                ", ".join([row.verdict, *more]))


def _sides(state: State, throw: Throw) -> Iterator[Part]:
    """What the dice of each side come to, with all that is added to it."""
    for tray in trays_of(state, throw):
        dice = join([str(face) for face in tray.dice], empty="no dice")
        yield Part(str(tray.total), tray.label, f"{dice}, {tray.adds} added")


def _counted(state: State, sheets: Sheets, throw: Throw) -> list[Part]:
    """What counts on each side: fortes, and who backs them; where those are others by now, their sum as they fell."""
    choice = state.choice_of(throw.who)
    terms = thrown_with(state, sheets, choice) if choice else None
    if terms is None or terms.ranks != throw.ranks:
        return [Part(signed(modifier(throw.ranks)), "All fortes that count")]
    return [part for part in counted_parts(sheets[throw.who], terms) if part.counts[:1] in "+−"]


def _bonus(state: State, throw: Throw, bonus: Bonus) -> Part:
    """A die more, of a technique, a style die or minions, and where it lies; or +1."""
    lies = f"on {where(state, throw, bonus.to)}" if bonus.to else "where it helps most"
    return Part(f"a {bonus.face}" if bonus.face else "+1", bonus.source[:1].upper() + bonus.source[1:], lies)


def _carried(throw: Throw) -> Iterator[Part]:
    """What a feint or a parry left for this turn (PS-27)."""
    for left, side in ((throw.attack_carry, "attack"), (throw.defence_carry, "defence")):
        if left and (side == "defence" or throw.attacks):
            yield Part(signed(left), "From the last turn", f"on the {side}")
