"""What a community is made of: its resources with their ranks, and the questionnaire that assigns them (QW-92)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.engine import Sheets
from rules.moves import Step, take
from rules.systems.questworlds.community import events as e
from rules.systems.questworlds.community.state import State
from rules.systems.questworlds.notation import signed
from rules.values import BadMove
from rules.wording import join, sentence

Values = Mapping[str, Any]


def begin(values: Values, sheets: Sheets, faces: Sequence[int]) -> e.Result:
    """The group has a community from now on."""
    take(faces, 0)
    settings = e.CommunityOptions(
        values["title"], values["base"], values["symbol"], values["tie"] == "player", values["stacking"] == "value",
        values["growth"] == "xp", tuple(each["sheet"] for each in values["contestants"] if each["player"]))
    return e.Result((e.Founded(settings),), (Step("QW-92", f"{settings.name} is the community of the group."),))


def list_resources(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """The resources, highest rank first."""
    names = [" ".join(each.split()) for each in values["names"].splitlines() if each.strip()]
    most = len(state.edition.community)
    if not names or len(names) > most:
        raise BadMove(f"Give one to {most} resources, one on a line.", "names")
    for each in names:
        if len(each) > 40 or [one.casefold() for one in names].count(each.casefold()) > 1:
            raise BadMove(f"{each[:40]}: give each resource a name of its own, of 40 letters at most.", "names")
    listed = e.Listed(tuple(zip(names, state.edition.community, strict=False)))
    return e.Result((listed,), (_ranks(state, listed, ()),))


def _ranks(state: State, listed: e.Listed, veiled: Sequence[str]) -> Step:
    """Which resource has which rank; of those that players do not see, only that they have one."""
    modifier = state.edition.modifiers.of_rank
    parts = [name if name in veiled else f"{name} {signed(modifier(rank), state.settings.symbol)}"
             for name, rank in listed.resources]
    return Step("QW-92", f"{state.settings.name}: {join(parts)}.")


def ask(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """A question, with what each answer adds to which resources."""
    known = {each.name.casefold(): each.name for each in state.resources}
    answers = tuple(_answer(line, known) for line in values["answers"].splitlines() if line.strip())
    if not 2 <= len(answers) <= 8:
        raise BadMove("Give two to eight answers, one on a line.", "answers")
    return e.Result((e.Asked(values["text"], answers),), (Step("QW-92", f"A question: {sentence(values['text'])}"),))


def _answer(line: str, known: Mapping[str, str]) -> e.Choice:
    """`With the sea: Wealth 2, Magic 1`."""
    words, _, rest = line.rpartition(":")
    adds = []
    for part in filter(None, (each.strip() for each in rest.split(","))):
        name, _, points = part.rpartition(" ")
        if name.casefold() not in known:
            name, points = part, "1"
        if name.casefold() not in known or not points.isascii() or not points.isdigit() or not 0 < int(points) <= 9:
            raise BadMove(f"“{part}” is no resource with points. Write an answer as in “With the sea: "
                          f"{next(iter(known.values()))} 2”.", "answers")
        adds.append((known[name.casefold()], int(points)))
    if not words.strip():
        raise BadMove("Write each answer, a colon, and what it adds: “With the sea: "
                      f"{next(iter(known.values()))} 2”.", "answers")
    return e.Choice(words.strip(), tuple(adds))


def drop(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """A question goes."""
    place = int(values["question"])
    return e.Result((e.Dropped(place),), (Step("QW-92", f"No longer asked: {sentence(state.questions[place].text)}"),))


def vote(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """A player's answer. *Ruling*: the answer with most voices stands; as many for two, and the GM decides."""
    place, answer = _answer_of(values)
    question = state.questions[place]
    text = f"{question.text} {sheets[by].name}: {sentence(question.answers[answer].words)}"
    return e.Result((e.Voted(by, place, answer),), (Step("QW-92", text),))


def decide(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """The GM says which answer stands."""
    place, answer = _answer_of(values)
    question = state.questions[place]
    text = f"{question.text} It is decided: {sentence(question.answers[answer].words)}"
    return e.Result((e.Decided(place, answer),), (Step("QW-92", text),))


def _answer_of(values: Values) -> tuple[int, int]:
    place, _, answer = values["answer"].partition(".")
    return int(place), int(answer)


def rank(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """The highest rank goes to the highest score, the lowest to the lowest (QW-92)."""
    scores = state.scores
    listed = e.Listed(tuple((name, rank) for (name, _), rank in zip(scores, state.edition.community, strict=False)))
    steps = (_ranks(state, listed, [each.name for each in state.resources if each.veiled]),
             Step("QW-92", f"By the answers: {join([f'{name} {points}' for name, points in scores])}."))
    return e.Result((listed, *(e.Dropped(0) for _ in state.questions)), steps)
