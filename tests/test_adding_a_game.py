"""The recipe for a game works as it is written: what docs/adding-a-game.md says is built and played."""
from __future__ import annotations

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

import rules.systems
from campaigns import trail
from campaigns.models import Entry
from campaigns.trail import declared
from campaigns.trail import dice as trail_dice
from campaigns.trail.rebuild import differences
from campaigns.trail.verifying import Progress, check
from campaigns.trail.visible import payload_of
from characters.models import Character
from characters.services import editing
from play.models import Contest
from play.services.moves import ROLLS
from rules import contract
from rules.registry import SYSTEMS
from tests import laid
from tests.conftest import join
from tests.html_forms import Page
from tests.play.conftest import body, own_page, trait
from tests.play.tray_page import shown
from tests.tiny_games import DOCUMENT, FILES

TESTS = next(path for path in FILES if path.startswith("tests/"))


@pytest.fixture
def ember(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[Any]:
    """The game of the document, in the registry as if the site had started with it."""
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    monkeypatch.setattr(rules.systems, "__path__", [*rules.systems.__path__, str(tmp_path / "rules" / "systems")])
    game = import_module("rules.systems.ember").Ember()
    monkeypatch.setitem(SYSTEMS, game.slug, game)
    monkeypatch.setattr(declared, "_KINDS", dict(declared._KINDS))
    for move in game.rolls.moves:
        trail.declare(move.name, move.title, ROLLS)
    settings.TEMPLATES = [{**settings.TEMPLATES[0], "DIRS": [*settings.TEMPLATES[0]["DIRS"], tmp_path / "templates"]}]
    yield game
    for name in [name for name in sys.modules if name.startswith("rules.systems.ember")]:
        del sys.modules[name]
    del rules.systems.ember  # type: ignore[attr-defined]


@pytest.fixture
def campaign(as_alice: Client, ember: Any) -> Any:
    """Alice's campaign of it, made on the page."""
    from campaigns.models import Campaign

    answer = as_alice.get("/campaigns/new/")
    page = answer.content.decode()
    assert ember.name in page and ember.pitch in page
    form = Page(answer).form(action="/campaigns/new/")
    assert form.send(as_alice, name="The long dark", system=ember.slug, pitch="").status_code == 302
    return Campaign.objects.get(system=ember.slug)


@laid.fixture
def wren(campaign: Any, bob: Any) -> Character:
    """Bob's watchman, from one line."""
    bobs = join(campaign, bob, "player")
    name, drafts = campaign.rules.sheet.from_line("Wren, Patience 3, Climbing 2, Old songs")
    lines = [editing.Line(draft.kind, draft.name, draft.value) for draft in drafts]
    entry = editing.create(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), name=name, player=bobs, lines=lines)
    campaign.refresh_from_db()
    return Character.objects.get(pk=editing.id_from(campaign, entry.op_id))


@pytest.fixture
def faces(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Faces that fall next, one after the other."""
    coming: list[int] = []
    monkeypatch.setattr(trail_dice.Roll, "roll", lambda self, sides: [coming.pop(0) for _ in sides])
    return coming


def last_entry(campaign: Any) -> tuple[Entry, dict[str, Any]]:
    entry = Entry.objects.filter(campaign=campaign).latest("seq")
    payload = payload_of(entry)
    assert payload is not None
    return entry, payload


def test_every_file_of_the_recipe_was_read() -> None:
    assert {Path(path).name for path in FILES} == {
        "dare.py", "daring.py", "rolls.py", "sheet.py", "vigil.py", "system.py", "__init__.py", "contest.tray.html",
        "test_ember.py"}
    assert len(FILES) == DOCUMENT.read_text().count("```") // 2


def test_its_own_tests_pass(ember: Any) -> None:
    own: dict[str, Any] = {}
    exec(FILES[TESTS], own)
    checks = [test for name, test in own.items() if name.startswith("test_")]
    assert len(checks) == 4
    for own_test in checks:
        own_test()


def test_the_shell_knows_it(ember: Any) -> None:
    given = {"bonus": 1, "target": 5}
    assert contract.resolve({"move": "ember.dare", "given": given, "dice": [4]})["result"]["success"] is True
    assert contract.odds({"move": "ember.dare", "given": given, "of": "success"})["odds"]["true"] == "1/2"


@pytest.mark.django_db
def test_a_sheet_and_a_roll_from_the_tray(as_bob: Client, campaign: Any, wren: Character) -> None:
    sheet = as_bob.get(f"/c/{campaign.slug}/characters/{wren.pk}/").content.decode()
    assert "Patience" in sheet and "+3" in sheet
    chosen: dict[str, Any] = {"character": str(wren.pk), "target": "8", "knacks": [str(trait(wren, "Patience").pk)]}
    chosen["shown"] = shown(as_bob, campaign, wren)
    tray = as_bob.post(f"/c/{campaign.slug}/tray/", body(**chosen), headers={"HX-Request": "true"})
    assert "Roll 1d6 +3 against 8" in tray.content.decode()
    assert tray.context["forecast"].odds[0][1] == pytest.approx(2 / 6)
    answer = as_bob.post(f"/c/{campaign.slug}/roll/", body(**chosen))
    assert answer.status_code == 302
    entry, payload = last_entry(campaign)
    assert entry.kind == "contest.tray"
    assert payload["outcome"]["result"]["total"] == payload["dice"]["faces"][0] + 3
    word = "glows" if payload["outcome"]["result"]["success"] else "fades"
    assert f"The ember {word}" in as_bob.get(answer["Location"]).content.decode()
    assert f'href="/c/{campaign.slug}/ledger/{entry.seq}/"' in as_bob.get(
        f"/c/{campaign.slug}/ledger/?kind={ROLLS.name}").content.decode()


@pytest.mark.django_db
def test_an_npc_from_one_line(as_alice: Client, campaign: Any) -> None:
    assert as_alice.post(f"/c/{campaign.slug}/characters/quick/", body(line="Guard, Climbing 2")).status_code == 302
    traits = Character.objects.get(name="Guard").traits.all()
    assert [(trait.name, trait.value) for trait in traits] == [("Climbing", 2)]


@pytest.mark.django_db
def test_a_vigil_is_kept_by_its_page(
    as_alice: Client, as_bob: Client, campaign: Any, wren: Character, faces: list[int]
) -> None:
    start = f"/c/{campaign.slug}/contests/start/vigil/"
    assert "Hours until dawn" in as_bob.get(start).content.decode()
    answer = as_bob.post(start, body(title="The fire", who=str(wren.pk), hours="2"))
    assert answer.status_code == 302, answer.content.decode()
    page, vigil = own_page(answer), Contest.objects.get()
    assert "Your turn: watch for an hour." in as_bob.get(page).content.decode()
    assert "Waiting for Wren: watch for an hour." in as_alice.get(page).content.decode()
    for face, knack in ((1, ""), (2, str(trait(wren, "Climbing").pk)), (4, "")):
        faces.append(face)
        assert as_bob.post(f"{page}watch/{wren.pk}/", body(knack=knack)).status_code == 302
    vigil.refresh_from_db()
    assert vigil.over
    shown = as_bob.get(page).content.decode()
    assert "The fire burns at dawn." in shown and "2 of 2 hours kept" in shown and "1 of 3 failures" in shown
    assert last_entry(campaign)[1]["outcome"]["rolls"][0]["move"] == "ember.dare"
    assert as_bob.post(f"{page}watch/{wren.pk}/", body(knack="")).status_code == 409


@pytest.mark.django_db
def test_its_trail_stands_up_to_checking(as_bob: Client, campaign: Any, wren: Character) -> None:
    page = own_page(as_bob.post(
        f"/c/{campaign.slug}/contests/start/vigil/", body(title="The fire", who=str(wren.pk), hours="1")))
    as_bob.post(f"{page}watch/{wren.pk}/", body(knack=""))
    sent = body(character=str(wren.pk), shown=shown(as_bob, campaign, wren), target="5")
    as_bob.post(f"/c/{campaign.slug}/roll/", sent)
    campaign.refresh_from_db()
    assert not list(differences(campaign.pk))
    progress = check(campaign, Progress())
    assert progress.seq == campaign.head_seq


def test_without_its_moves_it_passes_what_is_asked_of_every_game(tmp_path: Path) -> None:
    """In a process of its own: it is in the registry there before tests over all games are collected."""
    here = Path(__file__).parent
    over_all = sorted(str(path) for path in here.rglob("test_*.py") if path.parent.name != "browser" and (
        "registry import SYSTEMS" in path.read_text() or "tests.games import" in path.read_text()))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.tiny_games", "-p", "no:cacheprovider", "-p", "no:xdist", "-o",
         "addopts=-q --strict-markers --import-mode=importlib --tb=short", "--basetemp", str(tmp_path / "own"),
         "-k", "hush or twenty_evenings or has_its_record", *over_all],
        cwd=here.parent, capture_output=True, text=True, check=False, env={
            **{name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")},
            "DATABASE_URL": "sqlite://:memory:"})
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert int(done.stdout.rpartition(" passed")[0].split()[-1]) >= 7, done.stdout[-400:]
