"""The Gilded Compass: the city, who is in it, and what they say in the duel."""
from __future__ import annotations

from rules.values import Value

NAME = "The Gilded Compass"
SYSTEM = "pdq_sharp"
PITCH = """\
Saltmere stands on piles and on promises. In the floor of its customs house lies a compass of gilded bronze, twelve \
paces across, that has pointed at the Margrave's palace for forty years. Last week it turned.

Nobody saw it turn. By morning the Margrave had closed two schools of fence, hired a third, and put a price on whoever \
can say what it points at now. You can. You stood on it."""
SETTINGS: dict[str, Value] = {
    "themes": "Honour, old debts, friendship between people who should not be friends.", "together": "wronged",
    "penumbra": "School of Saint Orme: the sword, its manners and its people; not firearms.\n"
                "Repartee: any talk with somebody listening; it may be played into a duel.",
}
NPCS = {
    "corvin": "Corvin Ashgrove, villain, Blade of the Margrave expert, Schemes expert, Repartee good, "
              "Motivation: The Margrave’s seat good, Past: Fencing master for hire good, Foible: Cannot bear to be "
              "laughed at, Idiom: Precise, Weapon: Rapier, Location: Water stairs, Maneuver: Stop thrust, "
              "Foe: Pupils of Saint Orme",
    "guards": "squad of 5 harbour guards, good",
    "pell": "Sergeant Pell, lieutenant, Halberd expert, Command good, Harbour law good, Strong good, "
            "Motivation: A quiet pension good, Past: Bargeman good, Foible: Sleeps badly, Idiom: Slow, Weapon: Halberd",
}
CUSTOMS_HOUSE = ("The customs house", "Ledgers to the ceiling, one candle, and the compass under your feet. It points "
                 "at the water stairs.")
WATER_STAIRS = ("The water stairs of the Arsenal", "Forty steps, green below the tenth. Lanterns on the landing, boats "
                "knocking together in the dark, and Corvin Ashgrove, who has been waiting with his gloves already off.")
MORNING = ("The palace of Rook, towards morning", "One warm room. Odile Rook has had the chart spread on the only "
           "table that was not sold. Outside, for the first time in forty years, nobody is guarding the stairs.")
SAID = {
    "perpetua": ("“You closed my school. I have come to enrol you.”",
                 "Up the mooring rope, and down on him from above.",
                 "“Saint Orme sends her regards. Third lesson: feet.”"),
    "matteo": ("Lazily, with the cutlass in the wrong hand.", "He kicks a lantern into the boats.",
               "“Nothing personal. Well. Some of it.”"),
}
IMPASSE = "Both out of breath, both too proud to show it: who looks away first?"
RECAP = """\
The compass had turned to point at forty wet steps and a man with his gloves off. Perpetua asked after her school, \
Matteo after the price on his head, and neither got an answer that one could print.

What was said on the stairs was mostly said with steel; the dice of it are in the Ledger, each with its way. When the \
lanterns went out there was a chart in Matteo's boot that had not been there before, and it shows Saltmere without \
the palace."""
