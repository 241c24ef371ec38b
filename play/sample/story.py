"""Nine Days Dry: the valley, who went down into it, and who was there already."""
from __future__ import annotations

from dataclasses import dataclass, field

from rules.values import Value

NAME = "Nine Days Dry"
SYSTEM = "pdq"
# A little more than a beginner has: these people have had thirty years to get good at something.
SETTINGS: dict[str, Value] = {"strength_ranks": 5, "ties": "roll"}
PITCH = """\
They have let the lake out, for the first time in thirty years, to look at the dam. At sunrise there is smoke over the \
village at the bottom. The bread is in the oven. People come to their doors and ask who has been throwing all this mud \
about.

Halm went under in 1926. It was all done properly: letters, carts, a last service in the chapel. Now it takes nine \
days of autumn rain to fill the lake again. The people of Halm say that it is Thursday, and that they are not leaving.

You have those nine days. Find out what the Water Board did to these people, get them out or give them a reason, and \
decide who you will be when the water comes back up the road."""


@dataclass(frozen=True)
class Quality:
    """A line of a sheet: its name, its rank as a number, and what it covers."""

    name: str
    rank: int
    note: str = ""


@dataclass(frozen=True)
class Person:
    """Somebody of the story. `seat` says who plays them: the GM, the player, or nobody yet."""

    key: str
    name: str
    concept: str
    qualities: tuple[Quality, ...]
    story: str = ""
    seat: str = ""
    hidden: bool = False
    note: str = ""


NELL = Person(
    "nell", "Nell Garraway", "Postwoman of the upper valley, with two sacks for a village that is not there",
    (
        Quality("Knows every door", 2, "Names, dogs, debts, who is not speaking to whom. Not in the city."),
        Quality("Won’t be told", 2, "Arguing, pushing on, standing in doorways until something happens."),
        Quality("Bicycle and bad roads", 1, "Balance, speed, carrying too much. Only when the bicycle is there."),
        Quality("Opens other people’s letters", -1, "The kettle, the steam, and the face she makes afterwards."),
    ),
    seat="player",
    story="""\
The sorting office has never been told about Halm. For thirty years letters have come for it, one or two a month, and \
for thirty years whoever had the upper round has put them in a sack in the shed, because nobody ever wrote the \
regulation for a place that is under a lake. Nell got the round, the shed and the sacks from her uncle.

She has read most of them. She knows who was sorry, who owed whom eleven pounds, and who went on writing to a dead \
man until 1949. When she saw the smoke she did not think about it for very long. She put the sacks on the bicycle.""",
    note="She has opened one letter and put it back: from the Board to the reeve, dated the week after the water came.",
)
HESTER = Person(
    "hester", "Hester Voyle", "Butcher, forty-one, born in Halm and older now than her own mother",
    (
        Quality("Born in Halm", 2, "Lanes, field names, who is whose cousin. As a child of eleven knew them."),
        Quality("Butcher’s arms", 2, "Lifting, holding on, the long knife. She has never hit anybody twice."),
        Quality("Sings the low part", 1, "Chapel hymns, and being heard across a valley."),
        Quality("Wants her mother back", -1, "Anything that is said in that voice, from that kitchen."),
    ),
    seat="player",
    story="""\
Hester left Halm on the last cart, facing backwards, with a hen in her lap. Her mother was to follow on the next one \
with the oven irons. There was no next one. The Board said that there must have been some mistake with the list.

She learned a trade that nobody could send her away from. She has her own shop in Upper Arvel, a good van, and a way \
of leaving the room when people get sentimental about the lake. This morning she went down the road in her apron, and \
at the third house somebody called her a big strong woman and asked whether she had seen a little girl.""",
    note="Liddy will know her before the week is out. Don’t hurry it. Let Hester decide who says it first.",
)
IVO = Person(
    "ivo", "Ivo Lund", "Engineer of the Water Board, who signed the order to let the lake out",
    (
        Quality("Dams and what breaks them", 3, "Concrete, gates, pressure, silt. Also: what a report leaves out."),
        Quality("Speaks for the Board", 1, "The tone, the letterhead, the pause before a no."),
        Quality("Field telephone", 1, "Wires, batteries, staying calm on a bad line."),
        Quality("Cannot swim", -1, "Deep water, soft ground, and admitting it."),
    ),
    seat="gm",
    story="""\
There is a crack in the dam. It is the length of a hand and it does not leak, and Ivo has drawn it every spring for \
six years, each time from the same chair, and each time it looks a little more like a door. He asked for the lake to \
be let out. Nobody at the Board wanted to, and nobody would say why, so he signed for it himself.

He has a wife who is patient, a son who wants to be an engineer, and nine days to find out what he has been \
measuring.""",
    note="Creel’s orders come from above Ivo’s head. The next call down the line asks him to go home.",
)
JOSS = Person(
    "joss", "Joss Pereira", "Newspaper photographer with one plate camera and no return ticket",
    (
        Quality("The one good picture", 2, "Seeing it, waiting for it, the flash. And what is odd in a print."),
        Quality("Talks faster than you", 2, "Getting in, getting a name, getting out with the film."),
        Quality("Quick on her feet", 1, "Walls, fire stairs, the last train."),
        Quality("Owes money in three towns", -1, "Anybody who reads the paper knows where to find her now."),
    ),
    story="""\
Joss sold the picture before she took it. Drained lake, church spire, a bit of weather: forty pounds, half in advance. \
Then the first plate came up in the bath and there was a woman in it, shaking out a tablecloth, on a doorstep that had \
been under water since Joss was born.

She has not sent it to the paper. She has eleven plates left, and she has started to number the people in Halm, \
because she thinks that every time she counts there is one more.""",
    note="She is right about the count. Nobody plays Joss yet: give her to whoever joins next.",
)
PLAYED = (NELL, HESTER, IVO, JOSS)

AMOS = Person(
    "amos", "Amos Tarn", "Reeve of Halm, who has the only clock",
    (
        Quality("Stubborn as the church", 3, "It has been said to him before, and by better people."),
        Quality("Keeps the parish book", 1, "Births, deaths, boundaries. He writes in it every evening."),
        Quality("Deaf on the left", -1, "He hears you. He hears you when he likes."),
    ),
    note="His book has the same page fifteen hundred times, in the same ink. He has never turned back to look.",
)
LIDDY = Person(
    "liddy", "Liddy Voyle", "Baker, twenty-nine, waiting for the next cart",
    (
        Quality("Sees what people need", 2, "And has it on a plate before they know."),
        Quality("Oven and irons", 1, "Heat, iron bars, getting up at three."),
        Quality("Will not leave without the child", -1, "Her girl went on the last cart. She must be back soon."),
    ),
    note="She is not a ghost. She is warm, she is tired, and her hands smell of yeast.",
)
CREEL = Person(
    "creel", "Marten Creel", "Foreman of the Board, with a sealed order to shut the gates early",
    (
        Quality("Has done worse for less", 2, "Fists, a pick handle, sleeping afterwards."),
        Quality("Watches the road", 2, "Patience, field glasses, counting lamps."),
        Quality("Does not want to be known", -1, "Names, photographs, anybody who remembers the war."),
    ),
    hidden=True,
    note="The order says day three, not day nine. He was told the village would be empty. He has stopped asking.",
)
PELL = Person(
    "pell", "Mr Pell", "The Board’s solicitor, who drew up the list of carts in 1926",
    (
        Quality("It is all in order", 3, "Paper, deadlines, the sentence that cannot be answered."),
        Quality("Old and well kept", 1),
        Quality("Never been down there", -1, "He has not looked at the lake since. He lives facing the street."),
    ),
    hidden=True,
    note="There was a bargain: a dam that would never break, for a village that would never leave. Pell wrote it out.",
)
RINGER = Person(
    "ringer", "The Ringer", "Whatever it is under the chapel that rings the bell",
    (
        Quality("As deep as the lake was", 3, "Patience, weight, cold. It can wait for any number of Thursdays."),
        Quality("Knows who is counted", 2, "It has everybody’s name, in order."),
        Quality("Cannot come up dry stairs", -1),
    ),
    hidden=True,
    note="It kept its side. While the bell rings the village has its Thursday. With the water out, it is owed.",
)
NPCS = (AMOS, LIDDY, CREEL, PELL, RINGER)
# Two who came as one line each.
QUICK = {
    "dunn": "Dunn, Hits first good, Knows the pipes good, Afraid of bells poor",
    "harold": "Big Harold, Strong as a winch expert, Does as he is told good, Sorry afterwards poor",
}


@dataclass(frozen=True)
class Setting:
    """A scene as it is announced, and who is there when it opens."""

    title: str
    text: str
    here: tuple[str, ...] = field(default=())


DRY_ROAD = Setting(
    "The dry road",
    """\
Six in the morning. The lake ran out in the night with a noise like a train. Where it was there is grey silt, fence \
posts with weed on them, and a road of wet stone that goes down and down. At the end of it stands a church with its \
roof on.

Eleven chimneys. You count them again. Smoke over all of them.""",
    ("nell", "hester", "ivo", "joss", "amos", "liddy"),
)
GATEHOUSE = Setting(
    "Lamps at the gatehouse",
    """\
Midnight on the dam. The gates stand open and the river goes through them with its shoulders down. Three men come \
along the top with storm lamps and pick handles. They have brought grease for the wheel, so they mean to turn it.

It takes an hour to shut a gate. It takes one night for the water to reach the chapel step.""",
    ("nell", "hester", "ivo", "joss", "creel", "dunn", "harold"),
)
