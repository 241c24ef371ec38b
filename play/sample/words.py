"""What everybody means to do in the fight at the gatehouse, round by round, and what they say to it.

These are intentions: whom the dice have left standing decides what becomes of them.
"""
from __future__ import annotations

from dataclasses import dataclass

TITLE = "The wheel"
# How people call each other in a hurry.
CALLED = {
    "nell": "Nell", "hester": "Hester", "ivo": "Ivo", "joss": "Joss", "creel": "Creel", "dunn": "Dunn",
    "harold": "Harold",
}
OURS, THEIRS = "Down from the village", "The Board’s men"
LAST_ROUND = 3  # the GM ends it when a fourth would begin


@dataclass(frozen=True)
class Plan:
    """What somebody means to do on a turn. `{target}` in the words is whoever it is done to."""

    action: str
    words: str = ""
    uses: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    most: int = 1  # how many of them at once
    strategy: str = ""
    difficulty: str = ""
    helpers: tuple[tuple[str, tuple[str, ...]], ...] = ()  # who might help, with what: the first who can
    grant: str = ""  # the GM's reason for an upshift
    weakness: bool = False  # the GM calls a weakness of the target relevant


@dataclass(frozen=True)
class Saying:
    """A reaction, or damage taken: with which qualities, in which words."""

    words: str
    uses: tuple[str, ...] = ()


PLANS: dict[str, tuple[Plan, ...]] = {
    "nell": (
        Plan("attack", "No lamp, no bell, downhill: the bicycle comes out of the dark and into {target}",
             ("Bicycle and bad roads",), ("harold", "dunn", "creel"), strategy="flip_out"),
        Plan("attack", "Swings the mail sack at {target}. It has thirty years in it",
             ("Won’t be told",), ("harold", "dunn", "creel"), grant="Thirty years of post, and all of it heavy",
             helpers=(("ivo", ("Field telephone",)), ("joss", ("Quick on her feet",)))),
        Plan("attack", "Tells {target}, by his first name, what his sister wrote in 1951, and pushes",
             ("Knows every door", "Won’t be told"), ("dunn", "creel", "harold")),
    ),
    "hester": (
        Plan("attack", "Takes {target} by the collar and the belt, like a side of beef",
             ("Butcher’s arms",), ("dunn", "harold", "creel"),
             helpers=(("joss", ("Quick on her feet",)), ("ivo", ("Dams and what breaks them",)))),
        Plan("attack", "Takes the grease drum off the wall and rolls it at their knees",
             ("Butcher’s arms",), ("dunn", "creel", "harold"), most=2),
        Plan("attack", "Walks {target} backwards along the parapet, singing",
             ("Butcher’s arms", "Sings the low part"), ("creel", "harold", "dunn")),
    ),
    "ivo": (
        Plan("act", "Puts his own spanner through the spokes of the wheel and leans on it",
             ("Dams and what breaks them",), strategy="cagey", difficulty="expert"),
        Plan("attack", "Reads {target} the regulation about trespass on the works, loudly, with the paragraph",
             ("Speaks for the Board",), ("creel", "harold", "dunn")),
        Plan("act", "Cranks the telephone. This is Lund at the gatehouse, get me the constable, and write this down",
             ("Field telephone", "Speaks for the Board"), difficulty="good"),
    ),
    "joss": (
        Plan("act", "Waits until all three are in the frame. Waits a little longer. Flash",
             ("The one good picture",), strategy="cagey", difficulty="good"),
        Plan("attack", "A flash at arm’s length. Hold still, Mr {target}, this one is for the front page",
             ("The one good picture",), ("creel", "dunn", "harold"), weakness=True),
        Plan("attack", "Runs the rail, jumps, lands on {target}'s back and talks into his ear the whole time",
             ("Quick on her feet", "Talks faster than you"), ("harold", "creel", "dunn")),
    ),
    "creel": (
        Plan("hold", uses=("Has done worse for less",), targets=("ivo", "nell", "hester"),
             words="Waits with the pick handle until {target} looks the other way"),
        Plan("attack", "Three short swings at {target}, no anger in it at all",
             ("Has done worse for less",), ("hester", "nell", "ivo"), strategy="cagey"),
        Plan("attack", "Throws his lamp at {target} and comes in behind it",
             ("Has done worse for less", "Watches the road"), ("joss", "hester", "nell"), strategy="flip_out"),
    ),
    "dunn": (
        Plan("attack", "Hits {target} first and asks who it is after", ("Hits first",), ("nell", "hester", "ivo")),
        Plan("attack", "Opens the blow-off pipe across {target}'s legs",
             ("Knows the pipes",), ("nell", "joss", "hester")),
        Plan("attack", "Swings wide at {target}, with his eyes shut", ("Hits first",), ("ivo", "nell", "hester")),
    ),
    "harold": (
        Plan("attack", "Picks {target} up, to put down somewhere else, and says sorry first",
             ("Strong as a winch",), ("hester", "nell", "ivo")),
        Plan("attack", "Pulls the rail out of the wall and sweeps the walkway with it",
             ("Strong as a winch",), ("hester", "ivo", "nell"), most=2),
        Plan("attack", "Puts his head down and goes for {target} like a gate closing",
             ("Strong as a winch", "Does as he is told"), ("hester", "joss", "nell")),
    ),
}

REACTIONS: dict[str, tuple[Saying, ...]] = {
    "nell": (
        Saying("Puts the bicycle between them", ("Bicycle and bad roads",)),
        Saying("Stands where she stands. She has been barked at by bigger dogs", ("Won’t be told",)),
        Saying("The sack takes most of it", ("Won’t be told",)),
        Saying("Round the back of the gatehouse. There is always a second door", ("Knows every door",)),
    ),
    "hester": (
        Saying("Catches it on her forearm and looks at it", ("Butcher’s arms",)),
        Saying("Steps in close, where nobody can swing", ("Butcher’s arms",)),
        Saying("There is a ledge here. You could stand on it when you were ten", ("Born in Halm",)),
        Saying("Does not step aside", ("Butcher’s arms",)),
    ),
    "ivo": (
        Saying("Ducks under the wheel, where there are exactly two feet of room", ("Dams and what breaks them",)),
        Saying("I am an officer of the Board and you will put that down", ("Speaks for the Board",)),
        Saying("Keeps a concrete pillar in the conversation", ("Dams and what breaks them",)),
    ),
    "joss": (
        Saying("Is already somewhere else", ("Quick on her feet",)),
        Saying("Mind the camera, mind the camera, it isn’t even paid for", ("Talks faster than you",)),
        Saying("Drops flat. Everything goes over her but the mud", ("Quick on her feet",)),
    ),
    "creel": (
        Saying("Gives ground one step at a time, and gets it back", ("Has done worse for less",)),
        Saying("Saw it coming from the other end of the dam", ("Watches the road",)),
        Saying("Turns his face from the light", ("Has done worse for less",)),
        Saying("Lets it come, and is not quite there", ("Has done worse for less", "Watches the road")),
        Saying("Says nothing. He has said nothing all night", ("Has done worse for less",)),
    ),
    "dunn": (
        Saying("Gets an elbow up", ("Hits first",)),
        Saying("Backs into the valve room", ("Knows the pipes",)),
        Saying("Oh, no you don’t", ("Hits first",)),
    ),
    "harold": (
        Saying("Stands there. It usually works", ("Strong as a winch",)),
        Saying("Holds up both hands, one of which has a railing in it", ("Strong as a winch",)),
        Saying("Looks round for somebody to tell him what to do", ("Does as he is told",)),
    ),
}

CHIN: dict[str, Saying] = {
    "nell": Saying("Goes down with the bicycle, gets up without it, and has not stopped talking", ("Won’t be told",)),
    "hester": Saying("Takes it full on the shoulder and does not put him down", ("Butcher’s arms",)),
    "ivo": Saying("The report in his breast pocket is four hundred pages long", ("Dams and what breaks them",)),
    "joss": Saying("Loses two plates, a tooth and her temper, but not the shot", ("The one good picture",)),
    "creel": Saying("Spits, straightens his cap, comes on", ("Has done worse for less",)),
}

WOUNDS: dict[str, tuple[str, ...]] = {
    "nell": ("Letters all over the walkway", "She can’t see out of the left one", "The front wheel is not round now"),
    "hester": ("Her apron is not clean any more", "Something in the wrist gives", "She breathes through her teeth"),
    "ivo": ("His glasses go into the spillway", "He sits down, which he did not mean to", "The paragraph is gone"),
    "joss": ("That was the good lens", "Her ankle says no", "For the first time tonight she says nothing"),
    "creel": ("A cut over the eye, so he blinks", "He drops the pick handle and keeps the hand", "His cap is gone"),
    "dunn": ("He sits down in the grease", "He has had enough, and says so", "Somebody rings a bell. It is his ears"),
    "harold": ("He looks surprised", "He lies down carefully, so as not to break anything", "One knee, then the other"),
}

ENOUGH = "Down in the valley the chapel bell begins to ring. He puts his lamp down and runs"
OVER = "The bell again. Nobody here is ringing it, and nobody wants to go on while it does"
