"""What an extended contest asks for: bids, exchanges in their order, points from elsewhere (QW-51 to QW-56)."""
from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.fields import Choice, Field, Whole
from rules.procedure import Offer, Options
from rules.sheet import Sheet
from rules.systems.questworlds.inputs import text
from rules.systems.questworlds.long.offer_rounds import AIMS, abilities, last_ability
from rules.systems.questworlds.long.state import POOL, Contestant, State
from rules.values import Value

Sheets = Mapping[str, Sheet]
MOST_BID = 200


def bidding(state: State, sheets: Sheets) -> Iterator[Offer]:
    """The bids and exchanges of everybody, and those of the GM's side."""
    for by in state.settings.players:
        if by in sheets and not state.busy(by):
            yield from _of(state, sheets[by])
    yield from _gms(state)


def _of(state: State, sheet: Sheet) -> Iterator[Offer]:
    """What one player may do now: bid, act, wait, or answer."""
    own = [each for each in state.own(sheet.id) if each.fights and not state.busy(each.id)]
    duel, turn = len(state.fighters) == 2, state.turn
    silent = [each for each in own if each.id not in state.done and not state.bid_of(each.id)
              and (not duel or turn == each.id)]
    silent = [each for each in silent if not any(state.busy(foe.id) for foe in state.foes(each.id))] if duel else silent
    if silent:
        yield _bid(state, sheet, silent[0], duel=duel)
    # Who has deferred may come in whenever nobody's dice are on the table (QW-56).
    ready = [each for each in own if each.id not in state.done and state.bid_of(each.id) and turn
             and (turn == each.id or each.id in state.deferred) and not state.throws and not state.answered]
    if ready:
        yield _plain(state, sheet, ready, "exchange", "Roll the exchange", rolls=True)
    waiting = [each for each in ready if each.id not in state.deferred and not duel]
    if waiting:
        yield _plain(state, sheet, waiting, "defer", "Wait, and act later in the round")
    bid = state.bid_of(turn) if turn else None
    answers = state.answered or not state.keeper(turn)
    if bid and answers and state.keeper(bid.whom) == sheet.id and not state.throws:
        fields = (text("ability", "With which ability"),)
        yield Offer("answer_bid", sheet.id, f"Answer {state.name_of(turn)}: a bid of {bid.choice.bid}", "", fields,
                    {"ability": abilities(state, sheet)}, rolls=True, now={"ability": last_ability(state, sheet)})


def _bid(state: State, sheet: Sheet, who: Contestant, *, duel: bool) -> Offer:
    """Whom against, with what, for how many points; the first ability says with how many one begins (QW-51)."""
    foes = tuple((each.id, each.name) for each in state.foes(who.id))
    has = f"You have {who.ap} of {who.start}: more than you have is desperate." if who.armed else (
        "Your points begin with the target number of this ability.")
    fields: list[Field] = [
        text("whom", "Against whom", needed=True), text("ability", "With which ability"),
        Whole(name="bid", label="Your bid", default=state.edition.bids.bid, least=1, most=MOST_BID, help=has),
        Choice(name="aim", label="What you are after", options=AIMS, default=""),
        text("words", "In your words", most=200),
        text("plan", "Bids after this one", "For the chances alone: 5, 8. The last one stays.", most=40),
    ]
    options: dict[str, Options] = {"whom": foes, "ability": abilities(state, sheet)}
    now: dict[str, Value] = {"whom": _last_target(state, who, foes), "ability": last_ability(state, sheet)}
    if who.id != sheet.id:
        fields.append(text("who", "Who", needed=True))
        options["who"] = ((who.id, who.name),)
        now["who"] = who.id
    rolls = duel and not state.answered
    return Offer("bid", sheet.id, "Bid and roll" if rolls else "Bid", "", tuple(fields), options, rolls=rolls,
                 now=now, previews=not rolls)


def _last_target(state: State, who: Contestant, foes: Options) -> str:
    faced = [each.other(who.id) for each in state.bouts if who.id in (each.ours, each.theirs)]
    last = [each.second if each.first == who.id else each.first for _, each in state.record
            if who.id in (each.first, each.second)]
    return next((each for each in (*reversed(last), *faced) if each in dict(foes)), foes[0][0])


def _plain(state: State, sheet: Sheet, who: list[Contestant], action: str, title: str, *, rolls: bool = False) -> Offer:
    """An act without questions, but for who acts where it is a follower."""
    if len(who) == 1 and who[0].id == sheet.id:
        return Offer(action, sheet.id, title, rolls=rolls)
    options = tuple((each.id, each.name) for each in who)
    return Offer(action, sheet.id, title, "", (text("who", "Who", needed=True),), {"who": options}, rolls=rolls,
                 now={"who": options[0][0]})


def _gms(state: State) -> Iterator[Offer]:
    """What the GM bids and rolls for those whom nobody plays."""
    duel, turn = len(state.fighters) == 2, state.turn
    silent = tuple((each.id, each.name) for each in state.fighters
                   if not state.keeper(each.id) and each.id not in state.done and not state.bid_of(each.id)
                   and (not duel or turn == each.id) and not state.throws)
    if silent:
        foes = tuple((each.id, each.name) for each in state.fighters
                     if any(state.entrant(who).part.side != each.part.side for who, _ in silent))
        fields = (text("who", "Who", needed=True), text("whom", "Against whom", needed=True),
                  Whole(name="bid", label="Bid", default=state.edition.bids.bid, least=1, most=MOST_BID,
                        help="Never more than is left."))
        first = state.entrant(silent[0][0])
        against = next((each.other(first.id) for each in state.bouts_of(first.id)), "")
        facing = against if against in dict(foes) else next(each.id for each in state.foes(first.id))
        yield Offer("gm_bid", "", "Bid for one of yours", "", fields, {"who": silent, "whom": foes},
                    now={"who": first.id, "whom": facing, "bid": min(state.edition.bids.bid, max(1, first.ap))})
    bid = state.bid_of(turn) if turn else None
    if bid and not state.keeper(turn) and not state.keeper(bid.whom) and not state.throws:
        yield Offer("gm_exchange", "", f"Roll: {state.name_of(turn)} against {state.name_of(bid.whom)}", rolls=True)


def moving(state: State, sheet: Sheet) -> list[Offer | None]:
    """What a player may do beside the exchanges."""
    return [_last_bid(state, sheet), _ask(state, sheet), _lend(state, sheet), _gift(state, sheet),
            _second_chance(state, sheet), _rejoin(state, sheet)]


def _last_bid(state: State, sheet: Sheet) -> Offer | None:
    """A parting shot, with a bid, at whoever has just fallen (QW-53)."""
    me = state.contestant(sheet.id)
    if me is None or not me.fights or not me.armed or state.throws:
        return None
    fallen = tuple((each.id, each.name) for each in state.contestants
                   if each.status == "beaten" and each.part.side != me.part.side and not each.shot_at
                   and each.fell_round >= state.round - 1)
    if not fallen:
        return None
    fields = (text("whom", "At whom", needed=True), text("ability", "With which ability"),
              Whole(name="bid", label="Your bid", default=state.edition.bids.bid, least=1, most=MOST_BID),
              text("words", "The further prize", needed=True, most=200))
    return Offer("last_bid", sheet.id, "Parting shot", "A further prize. A critical of theirs may bring them back.",
                 fields, {"whom": fallen, "ability": abilities(state, sheet)}, rolls=True,
                 now={"whom": fallen[0][0], "ability": last_ability(state, sheet)})


def _ask(state: State, sheet: Sheet) -> Offer | None:
    """The totals that have moved may be asked for (QW-52)."""
    me = state.contestant(sheet.id)
    if me is None:
        return None
    known = tuple((each.id, each.name) for each in state.contestants
                  if each.part.side != me.part.side and each.moved and not each.asked)
    if not known:
        return None
    return Offer("ask", sheet.id, "Ask for their total", "", (text("whom", "Whose", needed=True),), {"whom": known},
                 now={"whom": known[0][0]})


def _points(most: int) -> Whole:
    return Whole(name="points", label="Points", default=1, least=1, most=max(1, most))


def _lend(state: State, sheet: Sheet) -> Offer | None:
    me = state.contestant(sheet.id)
    if me is None or not me.fights or not me.armed or me.id in state.done or len(state.fighters) < 3:
        return None
    friends = tuple((each.id, each.name) for each in state.fighters
                    if each.part.side == me.part.side and each.id != me.id and each.armed)
    if not friends:
        return None
    fields = (text("whom", "To whom", needed=True), _points(me.ap), text("ability", "With which ability"),
              text("words", "How", most=200))
    return Offer("lend", sheet.id, "Lend points", "In the place of your exchange. You lose them either way.", fields,
                 {"whom": friends, "ability": abilities(state, sheet)}, rolls=True,
                 now={"whom": friends[0][0], "ability": last_ability(state, sheet)})


def _gift(state: State, sheet: Sheet) -> Offer | None:
    if state.contestant(sheet.id) is not None:
        return None
    them = tuple((each.id, each.name) for each in state.side(0) if each.fights and each.armed)
    if not them:
        return None
    fields = (text("whom", "To whom", needed=True), _points(MOST_BID), text("ability", "With which ability"),
              text("words", "How", most=200))
    help = "Against twice as many. A defeat gives them to the other side."
    return Offer("gift", sheet.id, "Give points", help, fields, {"whom": them, "ability": abilities(state, sheet)},
                 rolls=True, now={"whom": them[0][0], "ability": last_ability(state, sheet)})


def _second_chance(state: State, sheet: Sheet) -> Offer | None:
    me = state.contestant(sheet.id)
    if me is None or me.status != "beaten" or me.chance_taken or not me.armed or len(state.contestants) < 3:
        return None
    if not state.context.pool(POOL):
        return None
    return Offer("second_chance", sheet.id, "Take a second chance",
                 f"It costs a story point: a contest against {-me.ap}. You come back with a quarter, at −6.",
                 (text("ability", "With which ability"),), {"ability": abilities(state, sheet)}, rolls=True,
                 now={"ability": last_ability(state, sheet)})


def _rejoin(state: State, sheet: Sheet) -> Offer | None:
    me = state.contestant(sheet.id)
    if me is None or me.status != "left":
        return None
    return Offer("rejoin", sheet.id, "Come back", "With the points that you left with.")


def moving_gm(state: State) -> list[Offer | None]:
    """What the GM may do with advantage points."""
    everybody = tuple((each.id, each.name) for each in state.fighters if each.armed)
    played = {state.entrant(who).part.side for who in state.settings.players if state.contestant(who)}
    hidden = tuple((each.id, each.name) for each in state.fighters
                   if each.part.side not in played and each.armed and not each.moved and not each.asked)
    found: list[Offer | None] = []
    whom = text("whom", "Who", needed=True)
    if hidden:
        found.append(Offer("reinforce", "", "Add followers unseen", "The players learn of it when points have moved.",
                           (whom, Whole(name="points", label="Points", default=3, least=1, most=60)), {"whom": hidden}))
    if everybody:
        found.append(Offer("restore", "", "Give points back", "To whoever came back with something that changes it.",
                           (whom, Whole(name="points", label="Points", default=3, least=1, most=60),
                            text("reason", "Reason", needed=True, most=200)), {"whom": everybody}))
        if state.settings.edges:
            found.append(Offer("edge", "", "Set an edge or a handicap", "", (
                whom, Whole(name="edge", label="Edge", default=0, least=-9, most=9)), {"whom": everybody}))
    return found
