"""What may be done now in a duel, by whom, and what it asks for. Nothing else is accepted."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from rules.fields import REQUIRED, Allocation, Choice, Field, Flag, Listing, Text, Whole
from rules.procedure import Offer, Options
from rules.systems.pdq_sharp import harm
from rules.systems.pdq_sharp.bonus import purse
from rules.systems.pdq_sharp.chart import notation_of
from rules.systems.pdq_sharp.duel import damage, ellipsis, engaging, lull, stances, tweaks, withstand
from rules.systems.pdq_sharp.duel.initiative import can_cede_to
from rules.systems.pdq_sharp.duel.rulings import rulings
from rules.systems.pdq_sharp.duel.state import IMPASSE, UNAWARE, Fencer, Phase, State
from rules.systems.pdq_sharp.duel.touch import taken
from rules.systems.pdq_sharp.duel.trays import Sheets
from rules.systems.pdq_sharp.duel_turn import WORDS
from rules.systems.pdq_sharp.reading import absorbing, can_lose, capacity
from rules.wording import percent

SAID = Text(name="words", label="Description", most=1000)
SPLITS = {"all_out_attack": "3 | 0", "strong_attack": "2 | 1", "strong_defence": "1 | 2", "all_out_defence": "0 | 3"}


def offers(state: State, sheets: Sheets) -> tuple[Offer, ...]:
    """Every legal act now: the duelists', then the GM's."""
    own: list[Offer] = []
    match state.phase:
        case Phase.BLANK | Phase.OVER:
            return ()
        case Phase.TERMS:
            own = _answers(state)
        case Phase.COUP:
            own = [
                Offer("spare", state.coup[0], "Let them live"),
                Offer("confirm_kill", state.coup[0], f"Kill {state.fencer(state.coup[1]).name}",
                      "There is no way back."),
            ]
        case Phase.LULL:
            own = [*_lull(state, sheets)]
        case Phase.POISON:
            own = [*(offer for each in state.stung for offer in _withstand(state, sheets, state.fencer(each))),
                   *_damages(state, sheets)]
        case Phase.ELLIPSIS | Phase.DAMAGE:
            own = [*_ellipses(state, sheets), *_damages(state, sheets)]
        case Phase.AFTERMATH:
            own = [offer for each in state.standing for offer in _last_words(state, each)]
        case Phase.ENGAGE:
            own = [*_engaging(state, sheets, state.undecided[0]), *_between(state, sheets)]
        case Phase.STANCE:
            own = [*(_stance(state, sheets, each) for each in state.unchosen), *_between(state, sheets)]
    return (*own, *rulings(state, sheets))


def _options(fencers: Iterable[Fencer]) -> Options:
    return tuple((each.id, each.name) for each in fencers)


def one_of(name: str, label: str, missing: str = "", help: str = "") -> Text:
    """One of the options of an offer; it has to be said where `missing` says what to do without."""
    return Text(name=name, label=label, most=100, missing=missing, default=REQUIRED if missing else "", help=help)


def _some(name: str, label: str, missing: str = "", most: int = 20) -> Listing:
    return Listing(name=name, label=label, of=Text(name="id", label=label, most=100), most=most, missing=missing,
                   default=REQUIRED if missing else ())


def _engaging(state: State, sheets: Sheets, who: Fencer) -> Iterator[Offer]:
    """The first without a foe looks for one (PS-21, PS-26)."""
    foes = engaging.possible(state, who)
    if foes:
        free = min(foes, key=lambda each: len(state.foes_of(each.id)))
        yield Offer("engage", who.id, "Engage", "One foe, or two. A squad is one.",
                    (_some("foes", "Whom", "Choose a foe.", engaging.MOST_FOES),), {"foes": _options(foes)},
                    now={"foes": [free.id]})
    friends = engaging.friends(state, who)
    if friends:
        fields = (one_of("whom", "Whom", "Choose whom you back."), _some("fortes", "With which fortes"))
        yield Offer("back_up", who.id, "Back a friend", "They roll, and your fortes count with theirs.", fields,
                    {"whom": _options(friends), "fortes": tweaks.countable(sheets[who.id], who)},
                    now={"whom": friends[0].id, "fortes": list(stances.counting(sheets, who))})
    yield Offer("hold_back", who.id, "Stay out of it", "For this turn.")


def _between(state: State, sheets: Sheets) -> Iterator[Offer]:
    """What can be done before the dice are divided: other foes, ceding, an impasse, surrender, a killing."""
    chosen = {each.who for each in state.choices}
    for who in state.order:
        if not who.fights:
            continue
        if later := can_cede_to(state, who):
            yield Offer("cede", who.id, "Cede initiative", "Sometimes it is better to answer.",
                        (one_of("to", "To whom", "Choose to whom."),), {"to": _options(later)})
        if targets := damage.helpless(state, who):
            yield _kill(who, targets)
        if who.id in chosen:
            continue
        bout = state.reach(who.id)
        if (state.foes_of(who.id) or who.backing) and not bout & chosen:
            yield Offer("break_off", who.id, "Break off", "Leave whom you are with, and look for another place.")
        yield from _more(state, sheets, who, chosen)


def _more(state: State, sheets: Sheets, who: Fencer, chosen: set[str]) -> Iterator[Offer]:
    foes = [each for each in engaging.possible(state, who) if not state.reach(each.id) & chosen]
    if state.foes_of(who.id) and foes and not state.reach(who.id) & chosen:
        yield Offer("engage", who.id, "Engage a second foe", "One defence against both, an attack for each.",
                    (_some("foes", "Whom", "Choose a foe.", 1),), {"foes": _options(foes)})
    facing = [state.fencer(each) for each in state.foes_of(who.id)]
    free = IMPASSE not in who.used_free
    if facing and not chosen and (free or purse(sheets[who.id], state.context, player=who.player)):
        many = state.settings.impasse_dice
        text = "A flashy challenge between turns: a style die for one, a failure rank for the other."
        yield Offer("impasse", who.id, "Call an impasse", text if free else f"{text} It costs a style die now.",
                    (one_of("foe", "With whom", "Choose with whom."), SAID), {"foe": _options(facing)},
                    rolls=bool(many), now={"foe": facing[0].id})
    yield Offer("surrender", who.id, "Surrender", "On terms that a foe has to accept, or on none.",
                (Text(name="terms", label="Your terms", most=300),))


def _stance(state: State, sheets: Sheets, who: Fencer) -> Offer:
    """The split, in secret (PS-22), with what counts and with a tweak (PS-27)."""
    foes = [state.fencer(each) for each in state.foes_of(who.id)]
    counting = tweaks.countable(sheets[who.id], who)
    unaware = who.surprise == UNAWARE
    splits = tuple((name, f"{WORDS[name].capitalize()} {split}") for name, split in SPLITS.items()
                   if not unaware or name == stances.STRONG_DEFENCE)
    fields: list[Field] = [
        Choice(name="stance", label="Your three dice, attack | defence", options=splits,
               missing="Choose how you divide your dice."),
        _some("fortes", "What counts"),
        Text(name="gambit", label="A Cyrano gambit", most=100, help="A forte that seems to have nothing to do with it. "
             "It counts for being played out: say how."),
    ]
    options: dict[str, Options] = {"fortes": counting, "gambit": counting}
    if tricks := () if unaware else tweaks.available(state, sheets, who):
        named = tuple((each, _trick(who, each)) for each in tricks)
        fields.append(Choice(name="tweak", label="A tweak", default="", options=(("", "None"), *named)))
        if len(foes) > 1:
            fields.append(one_of("against", "Against whom"))
            options["against"] = _options(foes)
    if state.settings.firearms != "plain":
        fields.append(one_of("firearm", "The forte that shoots"))
        options["firearm"] = counting
    return Offer("stance", who.id, "Divide your dice", f"Against {state.names(each.id for each in foes)}, in secret.",
                 (*fields, SAID), options, rolls=True, now={"fortes": list(stances.counting(sheets, who))})


def _trick(who: Fencer, tweak: str) -> str:
    cost = ", for a style die" if tweak in who.used_free else ""
    return f"{tweaks.TWEAKS[tweak]}: {tweaks.HELP[tweak]}{cost}"


def _ellipses(state: State, sheets: Sheets) -> Iterator[Offer]:
    """Whoever is worse off answers first: more dice, or it stands (PS-17)."""
    for who in ellipsis.deciders(state):
        throw = state.throw_of(who)
        if throw is None:
            continue
        gives, hurts = taken(state, who)
        yield Offer("stand", who, f"Let it stand: {gives} given, {hurts} taken")
        if more := ellipsis.additions(state, sheets, throw):
            yield Offer("add", who, "Add to it", "Each technique once a turn. Spent style dice go to the bowl.",
                        (one_of("what", "What, and where", "Choose what you add."),), {"what": more}, rolls=True)
        if loose := ellipsis.loose(state, throw):
            yield Offer("place_die", who, "Put a die somewhere", "Left alone, it lies where it helps most.",
                        (one_of("where", "Which die, and where", "Choose a die."),), {"where": loose})


def _lull(state: State, sheets: Sheets) -> Iterator[Offer]:
    """Whoever is behind in an impasse lets it stand, or adds to it (PS-17)."""
    who = lull.decider(state)
    yield Offer("impasse_stand", who, f"Let it stand: {lull.as_it_lies(state, who)}")
    if more := lull.additions(state, sheets, who):
        yield Offer("impasse_add", who, "Add to it", "Each technique once. Spent style dice go to the bowl.",
                    (one_of("what", "What", "Choose what you add."),), {"what": more}, rolls=True)


def _withstand(state: State, sheets: Sheets, who: Fencer) -> Iterator[Offer]:
    """A challenge against a poison that kills, and what can be added to it (PS-17, PS-49)."""
    needed, sheet = withstand.against(state, who.id), sheets[who.id]
    if state.resisting_of(who.id):
        lies = f"{withstand.total(state, who.id)} against {needed}: not enough to withstand the poison."
        if more := withstand.additions(state, sheets, who.id):
            shown = tuple((what, f"{words}, {_enough(state, who.id, what)} enough") for what, words in more)
            yield Offer("poison_add", who.id, "Add to it", f"{lies} Each technique once. Spent style dice go to the "
                        "bowl.", (one_of("what", "What", "Choose what you add."),), {"what": shown}, rolls=True)
        yield Offer("poison_stand", who.id, f"Let it stand: {who.name} falls to the poison")
        return
    dice = purse(sheet, state.context, player=who.player)
    fields = (_some("fortes", "What counts"), Whole(name="style", label="Style dice", default=0, most=min(18, dice)))
    yield Offer("withstand", who.id, "Withstand the poison",
                f"2d6 against {needed}. Failing leaves you with nothing.", fields,
                {"fortes": tweaks.countable(sheet, who)}, rolls=True)


def _enough(state: State, who: str, what: str) -> str:
    """How often what is added is enough against the poison."""
    found = withstand.outcomes(state, who, what)
    return percent(Fraction(sum(found), len(found)))


def _damages(state: State, sheets: Sheets) -> Iterator[Offer]:
    for who in state.fencers:
        wound = state.wound_of(who.id)
        if wound is None:
            continue
        sheet = sheets[who.id]
        lines = tuple((each.id, f"{each.name}, {notation_of(each.now)}: {can_lose(each)} at most")
                      for each in absorbing(sheet))
        most, easy = min(wound.amount, capacity(sheet)), damage.easiest(sheet, who, wound.amount)
        text = f"Place {harm.ranks(most, wound.kind)}."
        if wound.amount >= capacity(sheet):
            text += f" It is all that {sheet.name} can lose: this takes {sheet.name} out."
        fields = (Allocation(name="spread", label="Where", default={}),
                  one_of("first", "The first hit of the scene goes to", help=harm.FIRST))
        yield Offer("place", who.id, "Place the damage", text, fields, {"spread": lines, "first": lines},
                    now={"spread": easy})


def _answers(state: State) -> list[Offer]:
    """Any of those who face the one who would surrender, else any foe, may take it or not (PS-27)."""
    who = state.fencer(state.terms[0])
    foes = [state.fencer(each) for each in state.foes_of(who.id)]
    found: list[Offer] = []
    for foe in foes or [each for each in state.standing if each.side != who.side]:
        said = f"{who.name} would surrender: {state.terms[1]}"
        bad = (Flag(name="bad_form", label="That is bad form: a style die for the other"),)
        found += [Offer("accept", foe.id, "Accept the surrender", said),
                  Offer("refuse", foe.id, "Refuse it", said, bad if who.player and not foe.player else ())]
    return found


def _last_words(state: State, who: Fencer) -> Iterator[Offer]:
    targets = damage.helpless(state, who)
    if targets:
        live = f"{state.names(each.id for each in targets)} will live."
        yield Offer("end_here", who.id, "End it here", live, (SAID,))
        yield _kill(who, targets)


def _kill(who: Fencer, targets: Iterable[Fencer]) -> Offer:
    fields: tuple[Any, ...] = (one_of("target", "Whom", "Choose whom."), SAID)
    return Offer("kill", who.id, "Coup de grace", "Only the helpless. You will be asked again.", fields,
                 {"target": _options(targets)})
