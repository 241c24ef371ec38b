"""The exact odds of a framed contest as it stands, and of what one more thing would make of it."""
from __future__ import annotations

from collections import Counter
from fractions import Fraction

from rules.engine import Forecasts, Sheets, Values, after
from rules.odds import chances
from rules.procedure import Offer
from rules.sheet import Sheet
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.older.degrees import NAMES, degree_of
from rules.systems.questworlds.roll import Result
from rules.systems.questworlds.simple_contest.approach import laid_down
from rules.systems.questworlds.simple_contest.state import Phase, State
from rules.systems.questworlds.simple_contest.values import Chosen
from rules.systems.questworlds.traits import family, score_of, usable
from rules.tables import OddsAnswer
from rules.wording import percent

TONE_OF = {Result.CRITICAL: "good", Result.SUCCESS: "good", Result.FAILURE: "fair", Result.FUMBLE: "bad"}
TONES = (("victory", "Victory", "good"), ("tie", "Tie", "fair"), ("defeat", "Defeat", "bad"))


def odds(state: State, who: str, *extra: int, point: bool = False) -> OddsAnswer:
    """Victory, tie and defeat, and the rank that each is most likely to have; assured, what the roll brings."""
    if state.assured(who):
        return _assured(state, who)
    one = state.clash(who, (1, 1), *extra, points=(point, False))
    counts: Counter[str] = Counter()
    by_degree = state.policy.degrees
    ranks: Counter[tuple[str, int]] = Counter()
    for ours, theirs, ways in one.throws():
        clash = state.clash(who, (ours, theirs), *extra, points=(point, False))
        counts[clash.outcome] += ways
        ranks[clash.outcome, abs(degree_of(clash)) if by_degree else clash.rank] += ways
    chance_of = chances(counts)
    levels = tuple(
        f"{percent(Fraction(ways, 400))} {NAMES[rank]} {outcome}" if by_degree else
        f"{percent(Fraction(ways, 400))} {outcome} of rank {rank}"
        for (outcome, rank), ways in sorted(ranks.items(), reverse=True) if rank)
    return OddsAnswer(tuple((label, chance_of.get(word, Fraction(0)), tone) for word, label, tone in TONES), levels)


def _assured(state: State, who: str) -> OddsAnswer:
    chance_of = {label: likely for label, likely, _ in results(state, who)}
    brings = (("brings a benefit", chance_of["Critical"]), ("brings nothing else", chance_of["Success"]),
              ("brings a consequence", chance_of["Failure"] + chance_of["Fumble"]))
    won = tuple((label, Fraction(word == "victory"), tone) for word, label, tone in TONES)
    return OddsAnswer(won, tuple(f"{percent(likely)} {what}" for what, likely in brings))


def results(state: State, who: str) -> tuple[tuple[str, Fraction, str], ...]:
    """The chances of each result of one's own die, with masteries and bumps, as the contest stands."""
    one = state.clash(who, (1, 1))
    counts: Counter[Result] = Counter()
    for ours, theirs, ways in one.throws():
        counts[state.clash(who, (ours, theirs)).results[0]] += ways
    chance_of = chances(counts)
    return tuple((result.word.capitalize(), chance_of.get(result, Fraction(0)), TONE_OF[result])
                 for result in sorted(Result, reverse=True))


def with_others(state: State, sheet: Sheet) -> Forecasts:
    """What each other ability of the sheet would make of it, best first; the lines of the frame stay."""
    chosen = state.entrant(sheet.id).chosen
    if state.lent or state.assured(sheet.id):
        return ()
    compared = []
    for trait in usable(sheet):
        if chosen is None or (trait.id != chosen.trait and (chosen.trait or trait.name != chosen.name)):
            use = Chosen("", trait.id, trait.name, score_of(trait, sheet), family(trait))
            other = after(state.with_(sheet.id, chosen=use), laid_down(state, sheet, use)[0])
            score = notation(score_of(trait, sheet) or 0, state.settings.symbol)
            compared.append((f"{trait.name} {score}", odds(other, sheet.id)))
    return tuple(sorted(compared, key=lambda named: -named[1].outcomes[0][1]))


def what_ifs(state: State, who: str) -> Forecasts:
    """Now first; then with a story point, and with each augment that is still open."""
    cases = [("As it is now", odds(state, who))]
    if state.assured(who):
        return tuple(cases)
    if state.context.pool("story_points") and who in state.settings.players:
        cases.append(("With a story point", odds(state, who, point=True)))
    cases += [(f"With {proposal.name}, +{proposal.bonus}", odds(state, who, proposal.bonus))
              for proposal in state.proposals if proposal.whom == who and proposal.open]
    if state.phase is Phase.MODIFY and not any(proposal.open for proposal in state.proposals):
        cases.append(("With +3 more", odds(state, who, 3)))
    return tuple(cases)


def of_roll(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The odds before the dice of a contest, as a player may know them: what an NPC is rolled against with counts."""
    if foe := state.foe_sheet(offer.by):
        sheets.get(foe)
    return what_ifs(state.unannounced, offer.by)
