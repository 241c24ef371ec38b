"""What can be done beside the bouts, by players (QW-45, QW-47 to QW-49, QW-57)."""
from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.fields import Choice, Whole
from rules.procedure import Offer, Options
from rules.sheet import Sheet
from rules.systems.questworlds.inputs import text
from rules.systems.questworlds.long.helping import assist_resistance
from rules.systems.questworlds.long.offer_bids import moving
from rules.systems.questworlds.long.offer_rounds import abilities, last_ability, pair_name
from rules.systems.questworlds.long.scored_rounds import FOLLOWER_FALLS
from rules.systems.questworlds.long.state import Contestant, Phase, State
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.traits import RELATIONSHIPS, RETAINER, SIDEKICK_ABILITY, adds, supports

Sheets = Mapping[str, Sheet]
ROLES = (("contestant", "A contestant: out when 3 points fall in one round"),
         ("secondary", "At your side: takes points over, out at 3"), ("supporter", "In the background: assists"))
ADDS, HELPS = ("points", "Adds its points to yours"), ("supporter", "In the background")
FOLLOWERS = (RETAINER, SIDEKICK_ABILITY, *RELATIONSHIPS)


def beside(state: State, sheets: Sheets) -> Iterator[Offer]:
    """The acts of every character beside the rounds, whether in it or only here."""
    for by, sheet in sheets.items():
        if state.busy(by) or (state.contestant(by) is None and sheet.npc):
            continue
        if state.contestant(by) is not None and by not in state.settings.players:
            continue
        found = _of(state, sheet) if state.phase is Phase.ROUNDS else _at_the_end(state, sheet)
        yield from (each for each in found if each)


def _at_the_end(state: State, sheet: Sheet) -> list[Offer | None]:
    if state.form == "extended":
        return [each for each in moving(state, sheet) if each and each.action in ("last_bid", "ask")]
    return [_parting(state, sheet), _shift(state, sheet), _pass_on(state, sheet)]


def _of(state: State, sheet: Sheet) -> list[Offer | None]:
    if state.form == "extended":
        return [*moving(state, sheet), _augment(state, sheet), _support(state, sheet),
                _follower(state, sheet), _enter(state, sheet), _concede(state, sheet)]
    return [
        _engage(state, sheet), _assist(state, sheet), _parting(state, sheet), _shift(state, sheet),
        _pass_on(state, sheet), _remove(state, sheet), _unrelated(state, sheet), _augment(state, sheet),
        _support(state, sheet), _follower(state, sheet), _enter(state, sheet), _concede(state, sheet),
    ]


def _helpers(state: State, by: str, *, followers: bool = True) -> Options:
    """Whom this player may act with beside the bouts: who is free, or in the background, once in a round."""
    found = []
    if state.contestant(by) is None:
        found.append((by, "You"))
    for each in state.own(by):
        at_hand = state.free(each.id) or (each.status == "in" and each.part.role == "supporter")
        if at_hand and each.acted < state.round and (followers or not each.part.leader):
            found.append((each.id, each.name))
    return tuple(found)


def _side(state: State, by: str) -> int:
    found = state.contestant(by)
    return found.part.side if found else 0


def _with_helper(
    state: State, sheet: Sheet, action: str, title: str, help: str, asked: tuple[tuple[str, str, Options], ...],
    words: str,
) -> Offer | None:
    """An act of somebody at hand: who of one's own, whom it is for, with which ability, in which words."""
    who = _helpers(state, sheet.id)
    if not who or any(not options for name, _, options in asked if name != "for"):
        return None
    fields = [text("who", "Who", needed=True)] if len(who) > 1 or who[0][0] != sheet.id else []
    options: dict[str, Options] = {"who": who} if fields else {}
    now = {"ability": last_ability(state, sheet), **({"who": who[0][0]} if fields else {})}
    for name, label, known in asked:
        named = name if name != "for" else "whom"
        fields.append(text(named, label, needed=name != "for"))
        options[named] = known
        if name != "for":
            now[named] = known[0][0]
    fields += [text("ability", "With which ability"), text("words", words, most=200)]
    return Offer(action, sheet.id, title, help, tuple(fields), {**options, "ability": abilities(state, sheet)},
                 rolls=True, now=dict(now))


def _engage(state: State, sheet: Sheet) -> Offer | None:
    """Somebody who is free takes somebody on."""
    found = state.contestant(sheet.id)
    free = tuple((each.id, each.name) for each in state.own(sheet.id) if state.free(each.id))
    if found is None or not free:
        return None
    foes = tuple((each.id, f"{each.name}{', who faces somebody already' if state.bouts_of(each.id) else ''}")
                 for each in state.foes(sheet.id))
    if not foes:
        return None
    fields = [text("who", "Who", needed=True)] if len(free) > 1 or free[0][0] != sheet.id else []
    now = {"whom": foes[0][0], **({"who": free[0][0]} if fields else {})}
    return Offer("engage", sheet.id, "Take somebody on", "A new pair, from 0 to 0.",
                 (*fields, text("whom", "Whom", needed=True)),
                 {"whom": foes, **({"who": free} if fields else {})}, now=dict(now))


def _assist(state: State, sheet: Sheet) -> Offer | None:
    if state.form != "scored":
        return None
    side = _side(state, sheet.id)
    bouts = []
    for bout in state.open_bouts:
        whom = (bout.ours, bout.theirs)[side]
        if not state.busy(whom) and sheet.id != whom:
            faces = notation(assist_resistance(state, whom), state.settings.symbol)
            bouts.append((str(bout.number), f"{pair_name(state, bout)}: against {faces}"))
    return _with_helper(state, sheet, "assist", "Assist somebody",
                        "Takes points away from those against them by the outcome’s rank. A defeat adds them.",
                        (("bout", "In which pair", tuple(bouts)),), "How you help")


def _unrelated(state: State, sheet: Sheet) -> Offer | None:
    friends = tuple((each.id, each.name) for each in state.contestants
                    if each.fights and each.part.side == _side(state, sheet.id))
    return _with_helper(state, sheet, "unrelated", "Do something apart",
                        "Nobody presses you: there is no risk. It may help one of you with an augment.",
                        (("for", "An augment for whom", friends),), "What you do")


def _remove(state: State, sheet: Sheet) -> Offer | None:
    side = _side(state, sheet.id)
    theirs = tuple((each.id, each.name) for each in state.contestants
                   if each.status == "in" and each.part.leader and each.part.side != side and not state.busy(each.id))
    found = state.contestant(sheet.id)
    if found is None:
        return None
    return _with_helper(state, sheet, "remove", "Take a follower out", "Any victory takes them out of it.",
                        (("whom", "Whom", theirs),), "How")


def _parting(state: State, sheet: Sheet) -> Offer | None:
    """At whoever fell in this round or the one before, by one who is free; once for each fall (QW-45)."""
    me = state.contestant(sheet.id)
    if me is None or not me.fights or state.form == "chained" or any(
            each.played < state.round for each in state.bouts_of(sheet.id)):
        return None
    fallen = tuple((each.id, each.name) for each in state.contestants if _just_fell(state, each, me))
    if not fallen:
        return None
    fields = (text("whom", "At whom", needed=True), text("ability", "With which ability"),
              text("words", "The further prize", needed=True, most=200))
    help = "A further prize. If you lose, points are taken back, and they may return."
    return Offer("parting", sheet.id, "Parting shot", help, fields,
                 {"whom": fallen, "ability": abilities(state, sheet)}, rolls=True,
                 now={"whom": fallen[0][0], "ability": last_ability(state, sheet)})


def _just_fell(state: State, who: Contestant, by: Contestant) -> bool:
    return (who.status == "beaten" and who.part.side != by.part.side and not who.shot_at
            and who.fell_round >= state.round - 1 and not state.busy(who.id))


def _follower(state: State, sheet: Sheet) -> Offer | None:
    me = state.contestant(sheet.id)
    there = {each.id for each in state.contestants}
    lines = tuple((trait.id, trait.name) for trait in sheet.traits
                  if trait.kind in FOLLOWERS and f"{sheet.id}:{trait.id}" not in there)
    if me is None or me.status != "in" or not lines:
        return None
    roles = ROLES if state.form == "scored" else ROLES[2:]
    if state.form == "extended":
        # Points of a follower come at the beginning, before any of one's own have moved (QW-51).
        roles = (*((ADDS,) if not me.moved else ()), HELPS)
    fields = (text("trait", "Who", needed=True), Choice(name="role", label="As", options=roles, default=roles[0][0]))
    return Offer("follower", sheet.id, "Bring a follower in", "", fields, {"trait": lines}, now={"trait": lines[0][0]})


def _shift(state: State, sheet: Sheet) -> Offer | None:
    """Points against a leader who stands, or has only just fallen, onto a follower at their side."""
    if state.form != "scored":
        return None
    me = state.contestant(sheet.id)
    if me is None or not (me.status == "in" or (me.status == "beaten" and me.fell_round >= state.round - 1)):
        return None
    mine = [each for each in state.own(sheet.id) if each.status == "in" and each.part.role == "secondary"]
    options = []
    for bout in state.bouts:
        fell_here = me.fell is not None and me.fell.bout == bout.number
        against = bout.points[1 - bout.place(sheet.id)]
        if sheet.id in (bout.ours, bout.theirs) and (not bout.closed or fell_here) and against:
            options += [(f"{bout.number}:{each.id}", f"{each.name}, in {pair_name(state, bout)}") for each in mine]
    if not options:
        return None
    fields = (text("onto", "Onto whom", needed=True), Whole(name="points", label="Points", default=1, least=1, most=9))
    return Offer("shift", sheet.id, "Let a follower take points", f"At {FOLLOWER_FALLS} the follower is out.", fields,
                 {"onto": tuple(options)}, now={"onto": options[0][0]})


def _pass_on(state: State, sheet: Sheet) -> Offer | None:
    """In a chained contest a follower may take the defeat of the latest round (QW-57)."""
    me = state.contestant(sheet.id)
    if state.form != "chained" or me is None or me.status != "in" or not me.hurts:
        return None
    latest = next((each for _, each in reversed(state.record) if sheet.id in (each.first, each.second)), None)
    lost = latest is not None and latest.outcome == ("defeat" if latest.first == sheet.id else "victory")
    mine = tuple((each.id, each.name) for each in state.own(sheet.id) if each.part.leader and each.status == "in")
    if not lost or not mine:
        return None
    return Offer("pass_on", sheet.id, "Let a follower take the defeat", "One rank worse, and the follower leaves.",
                 (text("follower", "Who", needed=True),), {"follower": mine}, now={"follower": mine[0][0]})


def _support(state: State, sheet: Sheet) -> Offer | None:
    """What a community gave, for this contest (QW-93)."""
    used = {each.source for each in state.lines}
    options = tuple((each.id, f"{each.name} {signed(adds(each, state.edition), state.settings.symbol)}")
                    for each in supports(sheet) if each.id not in used)
    if state.contestant(sheet.id) is None or not options:
        return None
    return Offer("support", sheet.id, "Use what the community gave", "It counts to the end of this contest, and is "
                 "used up with it.", (text("line", "Which", needed=True),), {"line": options}, chips="line")


def _augment(state: State, sheet: Sheet) -> Offer | None:
    friends = tuple((each.id, each.name) for each in state.contestants
                    if each.fights and each.part.side == _side(state, sheet.id))
    lines = abilities(state, sheet)
    if not friends or not lines:
        return None
    mine = sheet.id if sheet.id in dict(friends) else friends[0][0]
    fields = (text("trait", "With which ability", needed=True), text("whom", "For whom", needed=True),
              text("words", "How it helps", most=200))
    return Offer("augment", sheet.id, "Offer an augment", "It counts when the GM agrees, for the whole contest.",
                 fields, {"trait": lines, "whom": friends}, now={"whom": mine})


def _enter(state: State, sheet: Sheet) -> Offer | None:
    if state.contestant(sheet.id) is not None:
        return None
    foes = tuple((each.id, each.name) for each in state.side(1) if each.fights)
    if not foes:
        return None
    return Offer("enter", sheet.id, "Join in", "You accept what it is about, and face somebody from 0 to 0.",
                 (text("whom", "Whom you face", needed=True),), {"whom": foes}, now={"whom": foes[0][0]})


def _concede(state: State, sheet: Sheet) -> Offer | None:
    mine = tuple((each.id, each.name) for each in state.own(sheet.id) if each.fights and not state.busy(each.id))
    if not mine:
        return None
    fields = (text("who", "Who", needed=True),) if len(mine) > 1 or mine[0][0] != sheet.id else ()
    return Offer("concede", sheet.id, "Concede", "This gives the prize up.", fields, {"who": mine} if fields else None,
                 now={"who": mine[0][0]} if fields else None)
