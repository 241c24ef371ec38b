"""Rights are read again under the lock: whoever lost their seat between the check and the write writes nothing."""
from __future__ import annotations

import ast
import inspect
import pkgutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Entry, Member, Role, View
from campaigns.pictures import Drawn
from campaigns.services import pages
from campaigns.trail import write
from characters.models import Character
from play.models import AskedRecovery, PendingAllocation
from play.services import requests
from rules import quick_lines
from rules.registry import SYSTEMS
from schedule.services.proposing import Wanted
from tests.conftest import join
from tests.play.rolled import planned

pytestmark = pytest.mark.django_db

SOMETHING = uuid.UUID(int=7)
ROOT = Path(__file__).resolve().parent.parent.parent


def services() -> dict[str, Callable[..., Any]]:
    """Every service that somebody does, by its name."""
    function_types = {}
    for app in ("campaigns", "schedule", "characters", "play"):
        package = import_module(f"{app}.services")
        for iter_module in pkgutil.iter_modules(package.__path__):
            module = import_module(f"{package.__name__}.{iter_module.name}")
            for name, service in vars(module).items():
                if inspect.isfunction(service) and service.__module__ == module.__name__ and name[0] != "_" and {
                    "actor", "op_id"} <= set(inspect.signature(service).parameters):
                    function_types[f"{app}.{iter_module.name}.{name}"] = service
    return function_types


LATER = datetime(2099, 1, 1, tzinfo=UTC)
EVENING: dict[str, Any] = {"minutes": 180, "zone": "Europe/Lisbon"}
PICTURE = Drawn(b"RIFF as a service takes it")


# Who may, and what a service takes that makes sense before its entry begins; the ids of what there is are in `Table`.
GM, PLAYER, OWNER, OBSERVER = Role.GM, Role.PLAYER, Role.OWNER, Role.OBSERVER
ROWS: dict[str, tuple[Role, dict[str, Any]]] = {
    "campaigns.closing.archive": (OWNER, {}),
    "campaigns.closing.delete": (OWNER, {"name": "The Salt Road"}),
    "campaigns.closing.restore": (OWNER, {}), "campaigns.closing.throw_away": (OWNER, {}),
    "campaigns.inviting.close": (GM, {"invitation_id": SOMETHING}),
    "campaigns.inviting.renew": (GM, {"invitation_id": SOMETHING, "token": "another"}),
    "campaigns.inviting.invite": (GM, {
        "role": PLAYER, "lasts": timedelta(days=1), "most_uses": None, "token": "a token"}),
    "campaigns.journals.leave_out": (GM, {"page_id": "page"}),
    "campaigns.journals.write": (PLAYER, {"about_id": SOMETHING, "title": "The night shift", "words": "It rained."}),
    "campaigns.members.change_role": (GM, {"member_id": "member", "role": Role.OBSERVER}),
    "campaigns.members.hand_over": (OWNER, {"member_id": "member"}),
    "campaigns.members.leave": (OBSERVER, {}),
    "campaigns.members.remove": (GM, {"member_id": "member"}),
    "campaigns.pages.remove": (PLAYER, {"page_id": "page"}),
    "campaigns.pages.see": (PLAYER, {"page_id": "page", "view": View.NOTHING}),
    "campaigns.pages.set_picture": (PLAYER, {"page_id": "page", "picture": PICTURE}),
    "campaigns.pages.tell": (GM, {"page_id": "page", "views": {}}),
    "campaigns.pages.write": (PLAYER, {"title": "The dry well"}),
    "campaigns.safety.go_on": (GM, {}), "campaigns.safety.stop": (OBSERVER, {}),
    "campaigns.safety.remove": (OBSERVER, {"boundary_id": SOMETHING}),
    "campaigns.safety.write": (OBSERVER, {"name": "Spiders", "type": "line", "named": False}),
    "campaigns.setting.change_settings": (GM, {"base": 1, "name": "Anew", "pitch": "", "settings": {}}),
    "campaigns.taking.match": (OWNER, {"seat_id": "member", "member_id": "member"}),
    "campaigns.taking.take_along": (OWNER, {}),
    "campaigns.sharing.share": (PLAYER, {"of": "sheet", "object_id": "character", "token": "a token"}),
    "campaigns.sharing.close": (PLAYER, {"link_id": SOMETHING}),
    "campaigns.undoing.reveal": (GM, {"seq": "sealed"}),
    "campaigns.undoing.undo": (PLAYER, {"seq": "seq"}),
    "campaigns.undoing.undo_back": (GM, {"seq": "seq"}),
    "characters.editing.create": (PLAYER, {"name": "Zoë", "player": "actor"}),
    "characters.editing.create_ready": (PLAYER, {"ready": SYSTEMS["pdq"].sheet.ready_made[0], "player": "actor"}),
    "characters.editing.edit": (PLAYER, {"character_id": "character", "name": "Ilsebill"}),
    "characters.editing.replace": (GM, {
        "character_id": "character", "trait_id": "trait", "name": "Songs", "reason": "Useless"}),
    "characters.lifecycle.take": (PLAYER, {"character_id": "character"}),
    "characters.npcs.duplicate": (GM, {"character_id": "npc"}),
    "characters.npcs.quick": (GM, {"line": "guard, Fighting good"}),
    "characters.pools.award": (GM, {"character_id": "character", "pool": "xp", "amount": 2, "reason": "The bridge"}),
    "characters.pools.grow": (PLAYER, {"character_id": "character", "choice": "new"}),
    "characters.pools.spend": (PLAYER, {"character_id": "character", "pool": "xp", "amount": 1}),
    "characters.portraits.put": (PLAYER, {"character_id": "character", "picture": PICTURE}),
    "characters.portraits.take_down": (PLAYER, {"character_id": "character"}),
    "characters.lifecycle.assign": (GM, {"character_id": "character", "player_id": None}),
    "characters.lifecycle.hide": (GM, {"character_id": "npc"}),
    "characters.lifecycle.note": (GM, {"character_id": "character", "words": "Beware"}),
    "characters.lifecycle.retire": (PLAYER, {"character_id": "character", "retired": True}),
    "characters.lifecycle.set_dead": (GM, {"character_id": "character", "dead": True}),
    "characters.lifecycle.show": (GM, {"character_id": "hidden"}),
    "characters.sight.face": (GM, {"character_id": "hidden"}),
    "characters.sight.look": (PLAYER, {"character_id": "character", "looks": "Tall"}),
    "characters.sight.see": (GM, {"character_id": "hidden", "view": View.FACE}),
    "characters.sight.tell": (GM, {"character_id": "hidden", "views": {}}),
    "play.handouts.hand_out": (GM, {"title": "A map", "words": "North is left."}),
    "play.obstacles.put": (GM, {"name": "The wall", "values": {"difficulty": 9}}),
    "play.obstacles.put_chip": (GM, {"chip": "named:good"}),
    "play.obstacles.remove": (GM, {"obstacle_id": SOMETHING}),
    "play.asked_rolls.ask": (GM, {"characters": ["character"], "values": {"difficulty": 9}}),
    "play.asked_rolls.withdraw": (GM, {"asked": 1}),
    "play.asked_recovery.ask": (PLAYER, {"character_id": "character"}),
    "play.asked_recovery.withdraw": (PLAYER, {"asked_recovery_id": "recovery"}),
    "play.asked_recovery.grant": (GM, {"asked_recovery_id": "recovery", "chip": "0"}),
    "play.requests.request": (PLAYER, {"character_id": "character", "choice": requests.Intended({})}),
    "play.requests.withdraw": (PLAYER, {"request_id": "request"}),
    "play.requests.answer": (GM, {"request_id": SOMETHING, "chip": "named:good"}),
    "play.requests.strike": (GM, {"request_id": "request", "which": "lines 0"}),
    "play.requests.roll": (PLAYER, {"dice": "", "request_id": "request"}),
    "play.tray.roll": (PLAYER, {"dice": "", "planned": "planned", "again": "again"}),
    "play.matrix.set_limits": (GM, {"easy": 70, "hard": 20}),
    "play.matrix.say_fit": (GM, {
        "character_id": "character", "thing_id": SOMETHING, "place": 0, "name": "A door", "lines": []}),
    "play.matrix.forget_fit": (GM, {
        "character_id": "character", "thing_id": SOMETHING, "place": 0, "name": "A door"}),
    "play.plan.write_plan": (GM, {"title": "Ebb tide"}),
    "play.plan.write_scene": (GM, {"title": "The bridge"}),
    "play.plan.add_line": (GM, {"words": "The bell"}),
    "play.plan.write_contest": (
        GM, {"kind": "pdq.conflict", "title": "A brawl", "said": {}, "plan_scene_id": SOMETHING}),
    "play.plan.begin_contest": (GM, {
        "dice": "", "line_id": SOMETHING, "kind": "pdq.conflict", "title": "A brawl", "setup": {}, "characters": []}),
    "play.plan.tick": (GM, {"line_id": SOMETHING}),
    "play.plan.remove_line": (GM, {"line_id": SOMETHING}),
    "play.plan.remove_scene": (GM, {"plan_scene_id": SOMETHING}),
    "play.plan.move_up": (GM, {"plan_scene_id": SOMETHING}),
    "play.plan.reveal": (GM, {"line_id": SOMETHING}),
    "play.plan.carry_on": (GM, {}),
    "play.plan.open_scene": (GM, {"plan_scene_id": SOMETHING, "values": {}}),
    "play.library.add": (GM, {"lines": [quick_lines.read("The mill", SYSTEMS["pdq"], "place")]}),
    "play.library.copy": (GM, {"thing_id": "npc", "count": 1}),
    "play.library.put": (GM, {"thing_id": "hidden"}),
    "play.library.tag": (GM, {"thing_id": "npc", "tags": ["court"]}),
    "play.bank.duplicate": (GM, {"prepared_id": SOMETHING}),
    "play.bank.remove": (GM, {"prepared_id": SOMETHING}),
    "play.bank.show": (GM, {"prepared_id": SOMETHING, "lines": {}}),
    "play.bank.see": (GM, {"prepared_id": SOMETHING, "view": View.FACE}),
    "play.bank.set_picture": (GM, {"prepared_id": SOMETHING, "picture": PICTURE}),
    "play.bank.tell": (GM, {"prepared_id": SOMETHING, "views": {}, "lines": {}}),
    "play.bank.write": (GM, {"type": "trap", "name": "The pit", "fields": {}}),
    "play.pending_modifiers.give": (GM, {"character_id": "character", "kind": "badass", "reason": "A leap"}),
    "play.contests.act": (PLAYER, {"dice": "", "contest_id": SOMETHING, "by": "", "action": "end", "given": {}}),
    "play.contests.call_off": (GM, {"contest_id": SOMETHING}),
    "play.contests.start": (PLAYER, {
        "dice": "", "kind": "pdq.conflict", "title": "Knives", "setup": {}, "characters": []}),
    "play.sheet_actions.act": (PLAYER, {"dice": "", "character_id": "character", "action": "rest", "given": {}}),
    "play.pending_allocations.place": (PLAYER, {"allocation_id": "due", "spread": {}}),
    "play.pending_allocations.roll_recovery": (PLAYER, {"dice": "", "allocation_id": "due"}),
    "play.pools.refresh": (GM, {"pool": "luck"}),
    "play.pools.set_pool": (GM, {"pool": "luck", "value": 3, "reason": "So it is"}),
    "play.afterwords.say": (GM, {"contest_id": SOMETHING, "words": "It burned"}),
    "play.scenes.close_scene": (GM, {"values": {}}),
    "play.exchanges.undo_exchange": (GM, {"contest_id": SOMETHING, "last": 9}),
    "play.exchanges.undo_last": (GM, {"contest_id": SOMETHING, "last": 9}),
    "play.scenes.end_session": (GM, {"values": {}}),
    "play.scenes.recover_again": (GM, {"characters": ["character"], "values": {}}),
    "play.sessions.close_session": (GM, {}),
    "play.sessions.open_first_scene": (GM, {"title": "The well"}),
    "play.sessions.open_scene": (GM, {"title": "The well"}),
    "play.sessions.open_session": (GM, {}),
    "schedule.evenings.answer": (PLAYER, {"evening_id": SOMETHING, "says": "yes"}),
    "schedule.evenings.call_off": (GM, {"evening_id": SOMETHING}),
    "schedule.evenings.move": (GM, {"evening_id": SOMETHING, **EVENING, "starts": LATER}),
    "schedule.proposing.fix": (GM, {"evening_id": SOMETHING}),
    "schedule.proposing.propose": (GM, {**EVENING, "wanted": [Wanted(LATER, "when_1")]}),
    "schedule.proposing.take_back": (GM, {"evening_id": SOMETHING}),
    "schedule.repeating.end_series": (GM, {"series_id": SOMETHING}),
    "schedule.repeating.go_on_from": (GM, {"evening_id": SOMETHING, "every": 2}),
    "schedule.repeating.repeat": (GM, {**EVENING, "first": datetime(2099, 1, 1, 19, 30), "every": 2}),
    "play.sessions.set_presence": (GM, {"characters": []}),
    "play.attendance.set_attendance": (GM, {"session_id": SOMETHING, "there": []}),
    "play.sessions.write_recap": (PLAYER, {"session_id": SOMETHING, "title": "", "recap": "So it was", "seen": 0}),
}


def test_every_service_has_a_row() -> None:
    assert set(ROWS) == set(services()), "Add the new service to ROWS: who may, and what it takes."


@pytest.fixture
def table(campaign: Any, alices: Any, bobs: Any, ilse: Character, marrow: Any, whisper: Any, scene: Any) -> Any:
    """What the arguments above name."""
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="due.test", title="Owed") as entry:
        allocation = entry.create(PendingAllocation(
            campaign=campaign, character=ilse, type="roll", amount=1, reason="A fall"))
        recovery = entry.create(AskedRecovery(campaign=campaign, character=ilse))
    asked = requests.request(
        campaign=campaign, actor=bobs, op_id=uuid.uuid4(), character_id=ilse.pk, choice=requests.Intended({}))
    request_id = requests.id_from(campaign, asked.op_id)
    requests.answer(campaign=campaign, actor=alices, op_id=uuid.uuid4(), request_id=request_id, chip="named:good")
    written = pages.write(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), title="The mill")
    campaign.refresh_from_db()
    plan = planned(campaign, bobs, ilse)
    return {
        "character": ilse.pk, "npc": marrow.pk, "hidden": whisper.pk, "trait": ilse.traits.all()[0].pk,
        "due": allocation.pk, "recovery": recovery.pk, "request": request_id,
        "page": pages.id_from(campaign, written.op_id),
        "seq": campaign.head_seq, "sealed": Entry.objects.get(campaign=campaign, audience="gm").seq,
        "planned": plan, "again": lambda now: plan,
    }


def arguments(table: dict[str, Any], service: Callable[..., Any], given: dict[str, Any]) -> dict[str, Any]:
    """A row's arguments, with the names of things replaced by what there is."""
    filled = {name: table.get(value, value) if isinstance(value, str) else value for name, value in given.items()}
    if "dice" in filled:
        del filled["dice"]
        filled["client_seed"] = ""
    return filled


@contextmanager
def lost(member: Member, **became: Any) -> Iterator[None]:
    """The member's row changes at the last moment before the lock is taken: all that was checked before was right."""
    atomic = write.transaction.atomic

    def late() -> Any:
        Member.objects.filter(pk=member.pk).update(**became)
        return atomic()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(write.transaction, "atomic", late)
        yield


def _seat(campaign: Any, role: Role, alices: Any, bobs: Any, charlie: Any) -> Member:
    if role in (PLAYER, OBSERVER):
        return bobs
    return alices if role == OWNER else join(campaign, charlie, role)


MODULES = sorted({name.rpartition(".")[0] for name in ROWS})


def of(module: str) -> Iterator[str]:
    """The services of a module, one after the other: what each does is undone, as the table takes longer to lay."""
    for name in ROWS:
        if name.startswith(f"{module}."):
            with transaction.atomic():
                yield name
                transaction.set_rollback(True)


@pytest.mark.parametrize("module", MODULES)
def test_who_was_removed_or_has_a_lesser_role_by_now_writes_nothing(
    module: str, campaign: Any, alices: Any, bobs: Any, charlie: Any, table: Any
) -> None:
    """One table for both, and for all services of a module: laying it takes longer than asking them."""
    for name in of(module):
        role, given = ROWS[name]
        service, actor = services()[name], _seat(campaign, role, alices, bobs, charlie)
        kwargs = arguments({**table, "member": bobs.pk, "actor": actor}, service, given)
        before = Entry.objects.count()
        if role != OBSERVER:
            with lost(actor, role=list(Role)[list(Role).index(role) - 1]), pytest.raises(Refused) as refused:
                service(campaign=campaign, actor=actor, op_id=uuid.uuid4(), **kwargs)
            own = "You can make your own character. The others are the GM’s."  # a quick NPC is made by one for all
            assert refused.value.sentence == (own if name.endswith(".quick") else write.NEEDS[role]), name
        with lost(actor, active=False), pytest.raises(Refused, match="no longer a member"):
            service(campaign=campaign, actor=actor, op_id=uuid.uuid4(), **kwargs)
        assert Entry.objects.count() == before, name


def test_a_draft_knows_the_actor_as_they_are(campaign: Any, bobs: Any) -> None:
    Member.objects.filter(pk=bobs.pk).update(role=Role.GM)
    with trail.entry(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), kind="test", title="Now") as entry:
        assert entry.actor.may(Role.GM) and not bobs.may(Role.GM)


def test_a_member_of_another_campaign_is_none_here(campaign: Any, bobs: Any, charlie: Any) -> None:
    from campaigns.services.founding import found

    other = found(user=charlie, op_id=uuid.uuid4(), name="Elsewhere", system="pdq")
    with pytest.raises(Refused, match="no longer a member"), trail.entry(
        campaign=campaign, actor=other.members.get(), op_id=uuid.uuid4(), kind="test", title="From afar"
    ):
        pass


def test_whoever_left_reads_their_own_answer_again(campaign: Any, bobs: Any) -> None:
    from campaigns.services.members import leave

    op_id = uuid.uuid4()
    first = leave(campaign=campaign, actor=bobs, op_id=op_id)
    assert leave(campaign=campaign, actor=bobs, op_id=op_id) == first


@pytest.mark.parametrize("app", ["campaigns", "schedule", "characters", "play"])
def test_every_service_says_what_it_needs(app: str) -> None:
    for path in (ROOT / app / "services").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "trail.entry":
                assert "needs" in {keyword.arg for keyword in node.keywords}, f"{path.name}:{node.lineno}"
