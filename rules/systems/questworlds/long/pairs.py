"""Who is in it and faces whom: pairs, who joins, who is out, who is back (QW-47, QW-57)."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Choice as ChoiceField
from rules.fields import text
from rules.moves import Roll, Step
from rules.procedure import Ask, CampaignContext, Offer
from rules.sheet import Sheet
from rules.systems.questworlds.long.state import Phase, Result, State
from rules.systems.questworlds.long.values import Bout, ContestOptions, Out, Part, lasts
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.older.states import unable
from rules.systems.questworlds.resistance import resistance_of
from rules.systems.questworlds.traits import score_of
from rules.values import BadMove


@dataclass(frozen=True)
class Begun(Event[State]):
    """The contest is opened."""

    settings: ContestOptions
    parts: tuple[Part, ...]

    def after(self, state: State) -> State:
        return replace(state, settings=self.settings,
                       contestants=tuple(state.contestant_kind(part) for part in self.parts))


@dataclass(frozen=True)
class Joined(Event[State]):
    """Member joins while it goes on; `player` says whether it is a player character (QW-47)."""

    part: Part
    player: bool = False

    def after(self, state: State) -> State:
        players = (*state.settings.players, self.part.id) if self.player else state.settings.players
        return replace(state, contestants=(*state.contestants, state.contestant_kind(self.part)),
                       settings=replace(state.settings, players=players))


@dataclass(frozen=True)
class Paired(Event[State]):
    """Two face each other, with a score of their own from nothing (QW-47)."""

    bout: int
    ours: str
    theirs: str

    def after(self, state: State) -> State:
        """Where one of the two has had this round already, the pair begins with the next."""
        had = any(who in (bout.ours, bout.theirs) and bout.played == state.round
                  for bout in state.bouts for who in (self.ours, self.theirs))
        made = Bout(self.bout, self.ours, self.theirs, played=state.round if had else 0)
        return replace(state, bouts=(*state.bouts, made))


@dataclass(frozen=True)
class Parted(Event[State]):
    """A pair is no longer one: it was broken up, or one of them is out."""

    bout: int
    why: str = ""

    def after(self, state: State) -> State:
        return state.with_bout(self.bout, closed=True, why=self.why, chosen=(), faces=())


@dataclass(frozen=True)
class RoundBegan(Event[State]):
    """The next round."""

    number: int

    def after(self, state: State) -> State:
        return state.next_round(self.number)

    def explained(self, before: State, after: State) -> tuple[tuple[Step, ...], tuple[Roll, ...]]:
        return (Step(after.rule, f"Round {after.round} begins."),), ()


@dataclass(frozen=True)
class WentOut(Out, Event[State]):
    """Somebody is out, and their pairs with them."""

    stored = "out"

    def after(self, state: State) -> State:
        faced = state.bouts_of(self.who)
        state = state.with_(self.who, status=self.how, fell=self, fell_round=state.round, shot_at=False)
        for bout in faced:
            state = state.with_bout(bout.number, closed=True, why=self.how, chosen=(), faces=())
        return state


@dataclass(frozen=True)
class Returned(Event[State]):
    """Somebody is in it again, `how` says why (QW-45, QW-53, QW-56)."""

    who: str
    how: str
    bout: int = -1

    def after(self, state: State) -> State:
        """In this pair again where the other one is in it still: nobody who is out is given a pair back."""
        state = state.with_(self.who, status="in", fell=None)
        again = self.bout >= 0 and state.stand(state.bout(self.bout))
        return state.with_bout(self.bout, closed=False, why="") if again else state


Of = Callable[[Any, Sheet], "Offer | None"]


def own(of: Of, *, after: bool = False) -> Callable[[Any, Sheets], Iterator[Offer]]:
    """An act of characters, whether in it or only here: in the rounds, and with `after` once a side has won."""
    def offered(state: State, sheets: Sheets) -> Iterator[Offer]:
        if not (state.phase is Phase.ROUNDS or (after and state.phase is Phase.AFTER and not state.throws)):
            return
        for by, sheet in sheets.items():
            if not state.busy(by) and _may_act(state, sheet) and (offer := of(state, sheet)):
                yield offer
    return offered


def _may_act(state: State, sheet: Sheet) -> bool:
    """Whether a sheet's player acts with it: the dead do no more, but those of theirs do who stand in it."""
    if state.contestant(sheet.id) is None:
        return not sheet.npc and not sheet.dead
    stands = not sheet.dead or any(mine.status == "in" for mine in state.own(sheet.id))
    return stands and sheet.id in state.settings.players


def gms(of: Callable[[Any, Sheets], Offer | None]) -> Callable[[Any, Sheets], Iterator[Offer]]:
    """An act of the GM's while it goes on."""
    def offered(state: State, sheets: Sheets) -> Iterator[Offer]:
        if state.phase is Phase.ROUNDS and (offer := of(state, sheets)):
            yield offer
    return offered


def awaited(act: Act[Any], words: str, button: str, *, routine: bool = False, waits: bool = False) -> Act[Any]:
    """An act that the contest waits for: whoever is offered it is asked. `{round}` in the words is its number; `waits`
    where it stands in Now until it is answered, whatever others do meanwhile."""
    def asks(state: State, sheets: Sheets) -> Iterator[Ask]:
        text = words.format(round=state.round)
        return (Ask(offer.by, offer.action, text, button, routine=routine, waits=waits)
                for offer in act.offered(state, sheets))
    return replace(act, asks=asks)


def elsewhere(context: CampaignContext, who: str) -> str:
    """The title of a long contest that somebody is in just now; "" for none. One that rests leaves them free."""
    for past in context.past:
        state = past.state
        if past.over or not isinstance(state, State) or state.ended or state.paused or state.won_by is not None:
            continue
        if context.open_scene is not None and (state.scene or past.scene) != context.open_scene:
            continue
        contestant = state.contestant(who)
        if contestant and contestant.status == "in":
            return past.title
    return ""


def new_pair(state: State, ours: str, theirs: str) -> Paired:
    """The next pair."""
    return Paired(len(state.bouts), ours, theirs)


def facing(state: State, ours: str, theirs: str) -> tuple[Paired, Step]:
    """A new pair, and what is said of it."""
    said = f"{state.name_of(ours)} faces {state.name_of(theirs)}, from nothing."
    return new_pair(state, ours, theirs), Step("QW-47", said)


def engage(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Somebody who is free takes somebody on, whom others may face already (QW-47)."""
    who, whom = values.get("who", "") or by, values["whom"]
    ours, theirs = state.in_order(who, whom)
    made, step = facing(state, ours, theirs)
    back = (Returned(who, "rejoined"),) if state.entrant(who).away else ()
    return Result((*back, made), (step,))


def pair(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM says who faces whom; a pair that has not had a round yet gives way."""
    ours, theirs = values["ours"], values["theirs"]
    if any((open_bout.ours, open_bout.theirs) == (ours, theirs) for open_bout in state.open_bouts):
        raise BadMove("These two face each other already. Choose another pair.", "theirs")
    gone = tuple(Parted(bout.number, "paired again") for bout in state.bouts_of(ours) if not bout.rounds)
    made, step = facing(state, ours, theirs)
    return Result((*gone, made), (step,))


def part(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM parts a pair: what was scored in it is gone."""
    bout = state.bout(int(values["bout"]))
    names = f"{state.name_of(bout.ours)} and {state.name_of(bout.theirs)}"
    return Result((Parted(bout.number, "parted"),), (Step("QW-47", f"{names} no longer face each other."),))


def enter(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A character who was not in it joins, and takes somebody on (QW-47)."""
    _not_elsewhere(state, by, sheets[by].name)
    if why := unable(sheets[by]):
        raise BadMove(why)
    whom = state.entrant(values["whom"])
    part = Part(by, sheets[by].name, 1 - whom.part.side)
    made = new_pair(state, *((by, whom.id) if part.side == 0 else (whom.id, by)))
    step = Step("QW-47", f"{part.name} joins, and faces {whom.name} from nothing.")
    return Result((Joined(part, not sheets[by].npc), made), (step,))


def join(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM brings somebody in: a name and a resistance, or who is here (QW-47)."""
    side, base, symbol = int(values["side"]), state.settings.base, state.settings.symbol
    sheet = sheets.get(values.get("npc", ""))
    if sheet is not None:
        _not_elsewhere(state, sheet.id, sheet.name)
        scores = [(score, trait.name) for trait in sheet.traits if (score := score_of(trait, sheet)) is not None]
        number, ability = max(scores, default=(base, ""))
        made = Part(sheet.id, sheet.name, side, number, ability,
                    binds=lasts(sheet, state.settings.by_value, state.edition))
    else:
        if not values["name"]:
            raise BadMove("Choose a contestant.", "name")
        number = resistance(values["resistance"], base, symbol, state)
        made = Part(f"~{len(state.contestants)}", values["name"], side, number)
    step = Step("QW-47", f"{made.name} joins, at {notation(made.resistance or base, symbol)}.")
    return Result((Joined(made),), (step,))


def resistance(written: str, base: int, symbol: str, state: State) -> int:
    """A resistance as the GM wrote it; what resists nothing is no contest at all (QW-40)."""
    number, _ = resistance_of(written, base, symbol, state.edition)
    if number < state.edition.difficulty.assured_below:
        raise BadMove("Enter at least 1: against less, no long contest is needed.", "resistance")
    return number


def _not_elsewhere(state: State, who: str, name: str) -> None:
    if title := elsewhere(state.context, who):
        raise BadMove(f"{name} is in “{title}”. A long contest can’t run inside another: end or pause that one, or "
                      "help here with an unrelated action.")


def concede(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Somebody gives up (QW-57)."""
    who = values.get("who", "") or by
    name = state.name_of(who)
    return Result((WentOut(who, "conceded"),), (Step("QW-57", f"{name} concedes, and gives the prize up."),))


def can_engage(state: State, sheet: Sheet) -> Offer | None:
    """Somebody who is free takes somebody on."""
    contestant = state.contestant(sheet.id)
    free = tuple((contestant.id, contestant.name) for contestant in state.own(sheet.id)
                 if state.may_take_on(contestant.id))
    if contestant is None or not free:
        return None
    foes = tuple((foe.id, f"{foe.name}{', who faces someone already' if state.bouts_of(foe.id) else ''}")
                 for foe in state.foes(sheet.id))
    if not foes:
        return None
    fields = [text("who", "Character", needed=True)] if len(free) > 1 or free[0][0] != sheet.id else []
    now = {"whom": foes[0][0], **({"who": free[0][0]} if fields else {})}
    return Offer("engage", sheet.id, "Take on an opponent", "A new pair, from 0 to 0.",
                 (*fields, text("whom", "Opponent", needed=True)),
                 {"whom": foes, **({"who": free} if fields else {})}, now=dict(now))


def can_enter(state: State, sheet: Sheet) -> Offer | None:
    if state.contestant(sheet.id) is not None:
        return None
    foes = tuple((contestant.id, contestant.name) for contestant in state.side(1) if contestant.fights)
    if not foes:
        return None
    return Offer("enter", sheet.id, "Join in", "You accept what it is about, and face someone from 0 to 0.",
                 (text("whom", "Opponent", needed=True),), {"whom": foes}, now={"whom": foes[0][0]})


def can_concede(state: State, sheet: Sheet) -> Offer | None:
    mine = tuple((follower.id, follower.name)
                 for follower in state.own(sheet.id) if follower.fights and not state.busy(follower.id))
    if not mine:
        return None
    fields = (text("who", "Character", needed=True),) if len(mine) > 1 or mine[0][0] != sheet.id else ()
    return Offer("concede", sheet.id, "Concede", "This gives the prize up.", fields, {"who": mine} if fields else None,
                 now={"who": mine[0][0]} if fields else None)


def can_pair(state: State, sheets: Sheets) -> Offer | None:
    ours, theirs = (tuple((fighter.id, fighter.name) for fighter in state.fighters
                          if bool(fighter.part.side) == other and not state.busy(fighter.id))
                    for other in (False, True))
    facing = {(open_bout.ours, open_bout.theirs) for open_bout in state.open_bouts}
    if all((our, their) in facing for our, _ in ours for their, _ in theirs):
        return None
    fields = (text("ours", state.settings.sides[0] or "One side", needed=True),
              text("theirs", state.settings.sides[1] or "The other", needed=True))
    return Offer("pair", "", "Pair two opponents", "A new pair, from 0 to 0.", fields,
                 {"ours": ours, "theirs": theirs})


def can_join(state: State, sheets: Sheets) -> Offer:
    here = tuple((sheet.id, sheet.name) for sheet in sheets.values()
                 if sheet.npc and not sheet.dead and state.contestant(sheet.id) is None)
    sides = tuple((str(place), name or str(place + 1)) for place, name in enumerate(state.settings.sides))
    fields = [text("name", "Name", most=120), text("resistance", "Resistance", "Leave blank for the base.")]
    fields += [text("npc", "Or an NPC who is here")] if here else []
    side = ChoiceField(name="side", label="On which side", options=sides, default="1")
    return Offer("join", "", "Add a contestant", "", (*fields, side), {"npc": here} if here else None)


def can_part(state: State, sheets: Sheets) -> Offer | None:
    """The GM parts a pair."""
    return of_a_pair(state, "part", "Separate a pair", "The points between them are gone.")


def of_a_pair(state: State, action: str, title: str, help: str) -> Offer | None:
    pairs = tuple((str(open_bout.number), pair_name(state, open_bout)) for open_bout in state.open_bouts
                  if not state.busy(open_bout.ours) and not state.busy(open_bout.theirs))
    if not pairs:
        return None
    return Offer(action, "", title, help, (text("bout", "Pair", needed=True),), {"bout": pairs},
                 now={"bout": pairs[0][0]})


def pair_name(state: State, bout: Bout) -> str:
    """`Sefa against the captain`."""
    return f"{state.name_of(bout.ours)} against {state.name_of(bout.theirs)}"


EVENTS = (Begun, Joined, Paired, Parted, RoundBegan, WentOut, Returned)
ENGAGE: Act[Any] = Act("engage", own(can_engage), engage)
ENTER: Act[Any] = Act("enter", own(can_enter), enter)
CONCEDE: Act[Any] = Act("concede", own(can_concede), concede)
PAIR: Act[Any] = Act("pair", gms(can_pair), pair)
JOIN: Act[Any] = Act("join", gms(can_join), join)
PART: Act[Any] = Act("part", gms(can_part), part)
