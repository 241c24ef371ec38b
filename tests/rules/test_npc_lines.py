"""NPCs from one line, as all games read one."""
from __future__ import annotations

import pytest

from rules.npc_lines import NpcLine, number, read, written_out
from rules.values import BadMove

EXAMPLE = "guard, Fighting good"


@pytest.mark.parametrize(("line", "said"), [
    ("guard", NpcLine("guard")),
    (" Old  Marrow ;Long knives  12,, slow\nproud", NpcLine("Old Marrow", ("Long knives 12", "slow", "proud"))),
    ("2 squads of 5 guards, good", NpcLine("Guards", ("good",), 2, 5)),
    ("a squad of twelve town guards", NpcLine("Town guards", (), 1, 12)),
    ("Squad of 3 rats, Bite 14", NpcLine("Rats", ("Bite 14",), 1, 3)),
    ("three bands of twenty-one raiders", NpcLine("Raiders", (), 3, 21)),
    ("Squad leader of the guards", NpcLine("Squad leader of the guards")),
    ("A squad of guards", NpcLine("A squad of guards")),
    ("Agent Seven", NpcLine("Agent Seven")),
    ("Guard 7", NpcLine("Guard 7")),
])
def test_a_line_is_taken_apart(line: str, said: NpcLine) -> None:
    assert read(line, EXAMPLE) == said


@pytest.mark.parametrize(("line", "sentence"), [
    ("", "Begin with a name: guard, Fighting good."), (" , good", "Begin with a name"),
    ("Rapier seventeen", "“Rapier seventeen” reads like something that someone can do. Begin with a name"),
    ("many squads of 5 guards", "as a number: 2 squads of 5 guards"),
    ("0 squads of 5 guards", "Make 1 to 20 squads"), ("2 squads of 0 guards", "Make 1 to 20 squads"),
    ("21 squads of 5 guards", "Make 1 to 20 squads"), ("2 squads of 501 guards", "1 to 500 people"),
])
def test_a_line_that_was_not_understood_is_asked_about(line: str, sentence: str) -> None:
    with pytest.raises(BadMove) as bad:
        read(line, EXAMPLE)
    assert sentence in bad.value.sentence and bad.value.field == "line"


def test_numbers_in_words() -> None:
    assert [number(word) for word in ("0", "a", "Nine", "forty-two", "12345", "-1", "many")] == [
        0, 1, 9, 42, None, None, None]
    assert written_out("Rapier twenty one") == "Write the number of “Rapier twenty one” in figures: Rapier 21."
    assert written_out("seventeen") == "Say what “seventeen” belongs to, and write it in figures: 17."
    assert written_out("Someone") == written_out("Rapier 17") == written_out("") == ""
