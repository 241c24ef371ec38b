"""What a round or a bid is chosen with, as its page draws it: abilities, tactics with their chances, bids to tap."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from rules.engine import Sheets
from rules.procedure import Perspective, is_known
from rules.sheet import Sheet
from rules.systems.questworlds.long.bids import can_bid
from rules.systems.questworlds.long.dice import abilities, choice_of, last_ability
from rules.systems.questworlds.long.extended import ExtendedState
from rules.systems.questworlds.long.rounds import BASIS, each_chooses, mover, open_now
from rules.systems.questworlds.long.state import State
from rules.systems.questworlds.long.values import Bout, Choice, Contestant
from rules.systems.questworlds.notation import notation
from rules.wording import decimal, percent

TACTIC_ROWS = (
    ("normal", "Normal", "points as they fall"), ("risky", "Risky gambit", "win: +1 · lose: they get +2"),
    ("defensive", "Defensive", "win: −1 · lose: they get −2"),
)


@dataclass(frozen=True)
class TacticRow:
    """A tactic with the chance to win the bout by it, and how that differs from a normal round."""

    value: str
    label: str
    effect: str
    chance: str
    differs: str
    exact: Fraction
    usual: Fraction

    @property
    def wide(self) -> int:
        """The chance as hundredths of a bar."""
        return round(self.exact * 100)

    @property
    def tick(self) -> int:
        """Where a normal round stands on it."""
        return round(self.usual * 100)


@dataclass(frozen=True)
class Choosing:
    """What a round asks one player: abilities as (id, name, score), tactics with their chances."""

    by: str
    bout: int
    foe: str
    abilities: tuple[tuple[str, str, str], ...]
    ability: str
    tactics: tuple[TacticRow, ...]
    against: tuple[tuple[str, tuple[tuple[str, bool], ...]], ...]  # by the foe's tactic: chances, which is best
    basis: str
    score: str
    button: str


def choosing(state: State, sheets: Sheets, viewer: Perspective) -> list[Choosing]:
    """For each pair of the viewer's that waits for a choice (for the GM of every player's): chances beside it."""
    choosings: list[Choosing] = []
    for bout in open_now(state):
        for who in (bout.ours, bout.theirs):
            by = state.keeper(who)
            secret = each_chooses(state, bout)
            if by not in sheets or not (by in viewer.plays or viewer.runs):
                continue
            if (secret and bout.choice(who)) or (not secret and mover(state, bout) != who):
                continue
            if not any(choosing.by == by for choosing in choosings):
                choosings.append(_choice(state, sheets, bout, who, by, secret, viewer))
    return choosings


def _choice(
    state: State, sheets: Sheets, bout: Bout, who: str, by: str, secret: bool, viewer: Perspective
) -> Choosing:
    symbol, foe = state.settings.symbol, state.entrant(bout.other(who))
    rows = []
    for id_, label in abilities(state, sheets[by]):
        name, _, score = label.rpartition(" · ")
        now = notation(state.target(who, choice_of(state, sheets, who, {"ability": id_})), symbol)
        rows.append((id_, name, score if now == score else f"{score}, now {now}"))
    ability = last_ability(state, sheets[by])
    choice = choice_of(state, sheets, who, {"ability": ability})
    known = not (secret and foe.part.resistance is None and foe.using is None)
    shown = replace(bout, chosen=()) if secret else bout
    target = notation(state.target(who, choice), symbol)
    against = notation(state.target(foe.id), symbol) if known and is_known(sheets, foe.id) else "?"
    known = known and viewer.may_count(sheets, foe.id)
    # A follower rolls with what it is good at.
    own = rows if state.entrant(who).part.resistance is None else []
    score = f"{bout.points[bout.place(who)]} : {bout.points[1 - bout.place(who)]}" if state.tactics else ""
    tactics, table = _tactics(state, shown, who, choice) if known else (_bare(), ())
    basis = _why_none(sheets, foe) if not known else BASIS if tactics else state.uncounted
    return Choosing(by, bout.number, foe.name, tuple(own), ability, tactics, table, basis, score,
                    f"Choose: {target}" if secret else f"Roll {target} against {against}")


def _why_none(sheets: Sheets, foe: Contestant) -> str:
    """Why no chances are told, where whoever asks knows the face alone."""
    return "" if is_known(sheets, foe.id) else f"The odds against {foe.name} are unknown."


def _bare() -> tuple[TacticRow, ...]:
    return tuple(TacticRow(value, label, effect, "", "", Fraction(0), Fraction(0))
                 for value, label, effect in TACTIC_ROWS)


def _tactics(
    state: State, bout: Bout, who: str, choice: Choice
) -> tuple[tuple[TacticRow, ...], tuple[tuple[str, tuple[tuple[str, bool], ...]], ...]]:
    """Each tactic with the chance to win the bout, against what the other one is known to do; then against each."""
    chance = state.to_win(bout, who, choice)
    other = bout.choice(bout.other(who))
    theirs = other.tactic if other else "normal"
    if not state.tactics:
        one = chance("normal", "normal")
        if one is None:
            return (), ()
        to_the_end = TacticRow("normal", "To the end", "until one has to concede", percent(one), "", one, one)
        return (to_the_end,), ()
    chance_of = {mine: chance(mine, theirs) or Fraction(0) for mine, *_ in TACTIC_ROWS}
    rows = tuple(
        TacticRow(value, label, effect, percent(chance_of[value]), _differs(chance_of[value] - chance_of["normal"]),
                  chance_of[value], chance_of["normal"])
        for value, label, effect in TACTIC_ROWS)
    table = []
    for value, said in (("normal", "as usual"), ("risky", "gambles"), ("defensive", "defends")):
        row = [chance(mine, value) or Fraction(0) for mine, *_ in TACTIC_ROWS]
        table.append((said, tuple((percent(chance), chance == max(row)) for chance in row)))
    return rows, tuple(table)


def _differs(by: Fraction) -> str:
    """How much a tactic changes, in points of a hundred; "" for nothing."""
    if not by:
        return ""
    return f"{'+' if by > 0 else '−'}{decimal(abs(by) * 100)}"


@dataclass(frozen=True)
class Bidding:
    """A bid of one player's: what they have, in words, and bids to tap as (points, what they are)."""

    by: str
    has: str
    bids: tuple[tuple[int, str], ...]


def bidding(state: ExtendedState, sheets: Mapping[str, Sheet], viewer: Perspective) -> tuple[Bidding, ...]:
    """Of each player whose bid is awaited, as far as the viewer may act for them."""
    biddings = []
    for offer in can_bid(state, sheets):
        if not (viewer.runs or offer.by in viewer.plays):
            continue
        now = offer.now or {}
        who = state.entrant(str(now.get("who") or offer.by))
        # Before the first bid the points are those that the ability in the form would bring.
        has = who.ap if who.armed else state.target(who.id, choice_of(state, sheets, who.id, now))
        most = who.most_bid if who.armed else has
        words = f"your points {has} · most {most}" if who.armed else f"your points begin with {has}"
        biddings.append(Bidding(offer.by, words, tuple(_bids(state, has, most))))
    return tuple(biddings)


def _bids(state: ExtendedState, has: int, most: int) -> Iterator[tuple[int, str]]:
    """The usual one, half of what there is, all of it, and all that one began with, where that is desperate."""
    usual, half = state.edition.bids.bid, (has + 1) // 2
    if usual < has:
        yield usual, ""
    if usual < half < has:
        yield half, "half"
    if has > 0:
        yield has, "all"
    if most > has:
        yield most, "desperate"
