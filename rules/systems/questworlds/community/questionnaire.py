"""The questionnaire that assigns the ranks: its questions, who answers what, and what comes of it (QW-92)."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Text, text
from rules.moves import Step
from rules.procedure import Ask, Offer, Options
from rules.systems.questworlds.community.ranks import Listed, ranks_in_words
from rules.systems.questworlds.community.state import Answer, Question, Result, State
from rules.values import BadMove
from rules.wording import join, sentence

MOST = 20


@dataclass(frozen=True)
class Asked(Event[State]):
    """A question of the questionnaire."""

    text: str
    answers: tuple[Answer, ...]

    def after(self, state: State) -> State:
        return replace(state, questions=(*state.questions, Question(self.text, self.answers)))


@dataclass(frozen=True)
class Dropped(Event[State]):
    """A question goes again, by its place."""

    place: int

    def after(self, state: State) -> State:
        return replace(state, questions=(*state.questions[:self.place], *state.questions[self.place + 1:]))


@dataclass(frozen=True)
class Voted(Event[State]):
    """Somebody's answer to a question, by their places."""

    who: str
    place: int
    answer: int

    def after(self, state: State) -> State:
        others = tuple(vote for vote in state.questions[self.place].votes if vote[0] != self.who)
        return state.with_question(self.place, votes=(*others, (self.who, self.answer)))


@dataclass(frozen=True)
class Decided(Event[State]):
    """The GM says which answer a question has."""

    place: int
    answer: int

    def after(self, state: State) -> State:
        return state.with_question(self.place, decided=self.answer)


def offer_question(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, as long as there is room."""
    if state.resources and len(state.questions) < MOST:
        name = state.resources[0].name
        yield Offer("ask", "", "Add a question", "For a questionnaire that assigns the ranks.", (
            text("text", "Question", needed=True, most=200),
            Text(name="answers", label="Answers", lines=True, most=1000,
                 help=f"One on a line, with what it adds: Raiding our neighbours: {name} 2."),))


def ask(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A question, with what each answer adds to which resources."""
    known = {resource.name.casefold(): resource.name for resource in state.resources}
    answers = tuple(_answer(line, known) for line in values["answers"].splitlines() if line.strip())
    if not 2 <= len(answers) <= 8:
        raise BadMove("Enter two to eight answers, one on a line.", "answers")
    return Result((Asked(values["text"], answers),), (Step("QW-92", f"A question: {sentence(values['text'])}"),))


def _answer(line: str, known: Mapping[str, str]) -> Answer:
    """`With the sea: Wealth 2, Magic 1`."""
    words, _, rest = line.rpartition(":")
    adds = []
    for part in filter(None, (part.strip() for part in rest.split(","))):
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
    return Answer(words.strip(), tuple(adds))


def offer_drop(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM."""
    if state.resources and state.questions:
        yield Offer("drop", "", "Remove a question", "", (text("question", "Question", needed=True),), {
            "question": tuple((str(place), question.text) for place, question in enumerate(state.questions))})


def drop(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A question goes."""
    place = int(values["question"])
    return Result((Dropped(place),), (Step("QW-92", f"No longer asked: {sentence(state.questions[place].text)}"),))


def _answers(place: int, question: Question) -> Options:
    return tuple((f"{place}.{number}", answer.words) for number, answer in enumerate(question.answers))


def _answered(values: Values) -> tuple[int, int]:
    place, _, answer = values["answer"].partition(".")
    return int(place), int(answer)


def offer_vote(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each player the first question that they have not answered, its answers as chips."""
    for sheet in sheets.values():
        if sheet.npc or state.request(sheet.id):
            continue
        for place, question in enumerate(state.questions):
            if question.decided is None and sheet.id not in dict(question.votes):
                yield Offer("vote", sheet.id, question.text, "", (text("answer", "Answer", needed=True),),
                            {"answer": _answers(place, question)}, chips="answer")
                break


def vote(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A player's answer. *Ruling*: the answer with most voices stands; as many for two, and the GM decides."""
    place, answer = _answered(values)
    question = state.questions[place]
    text = f"{question.text} {sheets[by].name}: {sentence(question.answers[answer].words)}"
    return Result((Voted(by, place, answer),), (Step("QW-92", text),))


def ask_to_vote(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Those who have not answered."""
    return (Ask(offer.by, "vote", f"answer: {offer.title}", "Answer") for offer in offer_vote(state, sheets))


def offer_decide(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM."""
    if state.resources and state.questions:
        every = tuple(answer for place, question in enumerate(state.questions) for answer in _answers(place, question))
        yield Offer("decide", "", "Decide a question", "Where the players are split.",
                    (text("answer", "Final answer", needed=True),), {"answer": every})


def decide(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM says which answer stands."""
    place, answer = _answered(values)
    question = state.questions[place]
    text = f"{question.text} It is decided: {sentence(question.answers[answer].words)}"
    return Result((Decided(place, answer),), (Step("QW-92", text),))


def offer_rank(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, when all is answered."""
    if state.resources and state.answered:
        yield Offer("rank", "", "Assign the ranks", "The highest rank to the highest score.")


def rank(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The highest rank goes to the highest score, the lowest to the lowest (QW-92)."""
    scores = state.scores
    listed = Listed(tuple((name, rank) for (name, _), rank in zip(scores, state.edition.community, strict=False)))
    steps = (ranks_in_words(state, listed, [resource.name for resource in state.resources if resource.veiled]),
             Step("QW-92", f"By the answers: {join([f'{name} {points}' for name, points in scores])}."))
    return Result((listed, *(Dropped(0) for _ in state.questions)), steps)


def ask_to_rank(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The GM, when all is answered."""
    if state.answered:
        yield Ask("", "rank", f"assign the ranks of {state.settings.name}", "Assign")


EVENTS = (Asked, Dropped, Voted, Decided)
VOTE = Act("vote", offer_vote, vote, ask_to_vote)
GMS = (Act("rank", offer_rank, rank, ask_to_rank), Act("ask", offer_question, ask),
       Act("decide", offer_decide, decide), Act("drop", offer_drop, drop))
