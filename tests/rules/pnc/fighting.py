"""Fights that tests begin with."""
from __future__ import annotations

from rules.systems.pnc.fight import Fight
from tests.rules.pnc.playing import Table, sheet


def line(name, side, **more):
    return {"sheet": name.lower(), "side": side, "player": name in ("Ada", "Bo"), **more}


def fight(*extra, mulligans=0, caught=(), faces=None, **setup):
    """Ada and Bo (players' characters) against Cy; more may come."""
    sheets = [sheet("Ada", mulligans, sword=1), sheet("Bo", mulligans), sheet("Cy", armour=2), *extra]
    lines = [line(sheet.name, "them" if sheet.id == "cy" else "us", caught=sheet.name in caught) for sheet in sheets]
    return Table(Fight(), sheets, faces, contestants=lines, **setup)


def ordered(**more):
    """The order is Ada (+6), Cy (+1), Bo (−4)."""
    table = fight(**more)
    for who, d20 in (("ada", 15), ("bo", 5), ("cy", 10)):
        table.act(who, "initiative", [d20, 3, 3, 3])
    return table


def struck(d20=13, **more):
    """Ada has attacked Cy with this d20 against 9."""
    table = ordered(**more)
    table.act("ada", "attack", target="cy", words="a thrust")
    table.act("cy", "defend", [3, 3, 3])
    table.act("ada", "strike", [d20] if d20 not in (1, 20) else [d20, 5])
    return table


def wounds(table, who="cy"):
    return [(trait.name, trait.value) for trait in table.sheets[who].traits if trait.kind == "wound"]


def duel(points=2, **setup):
    """Ada and Bo against each other, both played; Ada acts first."""
    lines = [line("Ada", "us"), line("Bo", "them")]
    return Table(Fight(), [sheet("Ada", points), sheet("Bo", points)], [6, 1], contestants=lines, initiative="d6",
                 **setup)


def duel_struck(d20=15, **more):
    table = duel(**more)
    table.act("ada", "attack", target="bo")
    table.act("bo", "defend", [3, 3, 3])
    table.act("ada", "strike", [d20])
    return table
