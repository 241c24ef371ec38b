"""Every legal act in a community at one moment, and whom it waits for (QW-92 to QW-94)."""
from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Sheets
from rules.fields import Choice, Listing, Text
from rules.procedure import Ask, Offer, Options
from rules.sheet import Sheet
from rules.systems.questworlds.community.acts import REFUSE
from rules.systems.questworlds.community.state import BOLSTER, DRAW, LOBBY, Question, Request, State
from rules.systems.questworlds.inputs import text
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.older.states import worth_of
from rules.systems.questworlds.resistance import resistance_of
from rules.systems.questworlds.traits import RELATIONSHIPS, lasting, score_of, usable

USUAL = ("Wealth", "Diplomacy", "Morale", "Military", "Magic")
ABOUT = {
    DRAW: ("Draw on a resource", "First you convince them. Then it helps in one contest, and is down a rank."),
    BOLSTER: ("Bolster a resource", "It has a rank more until it is used; below 0 it is back at 0."),
    LOBBY: ("Ask for a resource", "First you convince them. Then the GM rolls with it, and it wears out."),
}
CHANCES = ("moderate", "low", "raised", "high", "very high", "very low")


def offers(state: State, sheets: Sheets) -> tuple[Offer, ...]:
    """Every legal act now."""
    if state.over or not state.settings.name:
        return ()
    found: list[Offer | None] = [face(state)]
    for sheet in sheets.values():
        if not sheet.npc:
            found += _of(state, sheet)
    return tuple(each for each in (*found, *_of_the_gm(state, sheets)) if each)


def _of(state: State, sheet: Sheet) -> list[Offer | None]:
    """What a character may do: go on with what they asked for, or ask for something."""
    asked = state.request(sheet.id)
    if asked is not None:
        return [*going_on(state, asked)]
    return [_vote(state, sheet), *(request(state, sheet, kind, _resources(state, drawn=kind == DRAW))
                                   for kind in (DRAW, BOLSTER))]


def going_on(state: State, asked: Request) -> Iterator[Offer]:
    """What somebody may do who has asked for something."""
    who, symbol = asked.who, state.settings.symbol
    if asked.dice:
        stands, spends = ((found := state.terms(asked).clash(asked.dice)), state.terms(
            Request(asked.asked, asked.resistance, dice=asked.dice, point=True)).clash(asked.dice))
        if state.may_spend(asked):
            yield Offer("spend", who, f"Spend a story point: {spends.outcome}", "One bump up, and the point is gone.")
        yield Offer("stand", who, f"Let it stand: {found.outcome}" if stands else "Let it stand")
        return
    if asked.resistance is not None:
        terms = state.terms(asked)
        title = f"Roll {notation(terms.score, symbol)} against {notation(terms.resistance, symbol)}"
        yield Offer("roll", who, title, rolls=True)
    yield Offer("withdraw", who, "Withdraw the request")


def request(state: State, sheet: Sheet, kind: str, names: Options) -> Offer | None:
    """Lobbying for one of these resources, or an obstacle that is overcome for the community."""
    if not names:
        return None
    symbol = state.settings.symbol
    known = sorted(usable(sheet), key=lambda each: each.kind not in RELATIONSHIPS)
    abilities = tuple((each.id, f"{each.name} · {notation(score_of(each, sheet) or 0, symbol)}") for each in known)
    counting = tuple((each.id, f"{each.name} {worth_of(each, symbol, state.edition)}") for each in lasting(sheet))
    bolsters = kind == BOLSTER
    words = "What you do for it" if bolsters else "What it is for"
    fields = [text("resource", "Which resource", needed=True),
              text("words", words, "" if bolsters else "It serves the community, at a risk or a price.",
                   needed=True, most=200),
              text("ability", "With which ability", "Left open where none fits: that counts as "
                   f"{state.edition.resolution.no_ability}." if bolsters else
                   "To convince them, as your tie to the community does.")]
    options: dict[str, Options] = {"resource": names, "ability": abilities}
    now = {"resource": names[0][0], **({"ability": abilities[0][0]} if abilities else {})}
    if counting:
        fields.append(Listing(name="lines", label="Counts here", of=text("line", "Line"), default=()))  # type: ignore[arg-type]
        options["lines"] = counting
    title, help = ABOUT[kind]
    return Offer(kind, sheet.id, title, help, tuple(fields), options, now=dict(now), previews=True)


def _resources(state: State, *, drawn: bool) -> Options:
    """The resources as a player chooses among them: what has nothing to give, or has its rank more, is left out."""
    found = []
    for place, each in enumerate(state.resources):
        if (drawn and each.counts <= 0 and not each.veiled) or (not drawn and each.bolstered):
            continue
        number = "" if each.veiled else f" {signed(state.bonus(each), state.settings.symbol)}"
        found.append((str(place), f"{each.name}{number}"))
    return tuple(found)


def face(state: State) -> Offer | None:
    """The resistance of the first request that waits, as chips."""
    waiting = next((each for each in state.requests if each.resistance is None), None)
    if waiting is None:
        return None
    asked, symbol, base = waiting.asked, state.settings.symbol, state.settings.base
    chips = []
    if asked.kind == BOLSTER:
        adds_ = state.bonus(state.resource(asked.resource))
        number, _ = resistance_of(signed(adds_, symbol), base, symbol, state.edition) if adds_ else (base, "")
        chips.append((signed(adds_, symbol) if adds_ else "", f"By its rank: {notation(number, symbol)}"))
    for name in CHANCES:
        number, _ = resistance_of(name, base, symbol, state.edition)
        chips.append((name, f"{name.capitalize()} {notation(number, symbol)}"))
    chips.append((REFUSE, "Refuse"))
    wants = f"bolster {asked.resource}" if asked.kind == BOLSTER else f"{asked.resource} for"
    help = ("" if asked.kind == BOLSTER else
            "A selfish plan, or one that is likely to fail, meets more; so do those who draw all the time.")
    return Offer("face", "", f"{asked.name}, {wants}: {asked.words}", help,
                 (Text(name="against", label="Against", most=30),), {"against": tuple(chips)}, chips="against")


def _vote(state: State, sheet: Sheet) -> Offer | None:
    """The first question that somebody has not answered, its answers as chips."""
    for place, each in enumerate(state.questions):
        if each.decided is None and sheet.id not in dict(each.votes):
            return Offer("vote", sheet.id, each.text, "", (text("answer", "Answer", needed=True),),
                         {"answer": _answers(place, each)}, chips="answer")
    return None


def _answers(place: int, question: Question) -> Options:
    return tuple((f"{place}.{number}", each.words) for number, each in enumerate(question.answers))


def _of_the_gm(state: State, sheets: Sheets) -> Iterator[Offer]:
    which = tuple((str(place), f"{each.name} {signed(state.bonus(each), state.settings.symbol)}")
                  for place, each in enumerate(state.resources))
    played = tuple((each.id, each.name) for each in sheets.values() if not each.npc)
    if which:
        yield from _rulings(state, which, played)
    if not state.requests:
        standing = "\n".join(each.name for each in sorted(state.resources, key=lambda each: -each.rank))
        ranks = ", ".join(signed(state.edition.modifiers.of_rank(each), state.settings.symbol)
                          for each in state.edition.community)
        names = Text(name="names", label="Resources, the highest rank first", lines=True, most=300,
                     help=f"One on a line, up to {len(state.edition.community)}. They get {ranks} in this order.")
        yield Offer("resources", "", "Change the resources" if which else "List the resources",
                    "All are at their own ranks then." if which else "", (names,),
                    now={"names": standing or "\n".join(USUAL)})
    if which:
        yield from _questionnaire(state, which)
    yield Offer("end", "", "Leave this community", "The group has nothing more to do with it.")


def _rulings(state: State, which: Options, played: Options) -> Iterator[Offer]:
    resource = text("resource", "Which resource", needed=True)
    first = {"resource": which[0][0]}
    if played:
        yield Offer("require", "", "Require a resource", "The act takes it in any case: no lobbying. Below 0 it is a "
                    "penalty.", (text("whom", "For whom", needed=True), resource,
                                 text("words", "What for", needed=True, most=200)),
                    {"whom": played, "resource": which}, now={**first, "whom": played[0][0]})
    by = tuple((str(each), f"{abs(each)} {'rank' if abs(each) == 1 else 'ranks'} {'down' if each < 0 else 'up'}")
               for each in (-1, 1, -2, 2, -3, 3))
    yield Offer("move", "", "Background event", "Until you restore it.",
                (resource, Choice(name="ranks", label="Moves", options=by, default="-1"),
                 text("words", "What happens", needed=True, most=200)), {"resource": which}, now=first)
    away = tuple(each for each in which if state.chosen(each[0]).now != state.chosen(each[0]).rank)
    if away:
        yield Offer("restore", "", "Restore", "Left open: all of them.", (text("resource", "Which resource"),),
                    {"resource": away})
    yield Offer("veil", "", "Show or hide a rank", "", (resource,), {"resource": tuple(
        (str(place), f"{each.name}: {'show to players' if each.veiled else 'hide from players'}")
        for place, each in enumerate(state.resources))}, now=first)
    yield Offer("takes", "", "What always needs a resource", "", (
        resource, text("words", "What needs it", "Left open: nothing does.", most=200)), {"resource": which}, now=first)


def _questionnaire(state: State, which: Options) -> Iterator[Offer]:
    """Its questions, the GM's word on ties, and the ranks that come of it."""
    if state.answered:
        yield Offer("rank", "", "Assign the ranks", "The highest rank to the highest score.")
    if len(state.questions) < 20:
        name = state.resources[0].name
        yield Offer("ask", "", "Add a question", "For a questionnaire that assigns the ranks.", (
            text("text", "Question", needed=True, most=200),
            Text(name="answers", label="Answers", lines=True, most=1000,
                 help=f"One on a line, with what it adds: Raiding our neighbours: {name} 2."),))
    if state.questions:
        every = tuple(each for place, one in enumerate(state.questions) for each in _answers(place, one))
        yield Offer("decide", "", "Decide a question", "Where the players are split.",
                    (text("answer", "The answer that stands", needed=True),), {"answer": every})
        yield Offer("drop", "", "Remove a question", "", (text("question", "Which one", needed=True),), {
            "question": tuple((str(place), each.text) for place, each in enumerate(state.questions))})


def asks(state: State, sheets: Sheets) -> tuple[Ask, ...]:
    """Those with a request, those who have not answered the questionnaire, the GM."""
    if state.over:
        return ()
    found = [*of_requests(state)]
    for sheet in sheets.values():
        if not sheet.npc and (vote := _vote(state, sheet)) and not state.request(sheet.id):
            found.append(Ask(sheet.id, "vote", f"answer: {vote.title}", "Answer"))
    if not state.resources and state.settings.name:
        found.append(Ask("", "resources", f"list the resources of {state.settings.name}", "List"))
    if state.answered:
        found.append(Ask("", "rank", f"assign the ranks of {state.settings.name}", "Assign"))
    return tuple(found)


def of_requests(state: State) -> Iterator[Ask]:
    """The GM while a request waits for a resistance, and those who have to roll or to decide."""
    for each in [each.asked for each in state.requests if each.resistance is None][:1]:
        wants = "would bolster" if each.kind == BOLSTER else "asks for"
        yield Ask("", "face", f"answer {each.name}, who {wants} {each.resource}")
    for one in state.requests:
        if one.dice:
            yield Ask(one.who, "stand", f"spend a story point on {one.asked.resource}, or let it stand", "Decide",
                      decision=True, stands=True)
        elif one.resistance is not None:
            yield Ask(one.who, "roll", f"roll for {one.asked.resource}", "Roll")
