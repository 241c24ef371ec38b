"""A roll from the tray where it is a procedure: started, gone through and rolled in one act and one entry."""
from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.db.models import QuerySet
from django.utils.functional import SimpleLazyObject

from accounts.statements import compiled_once
from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role, View
from characters.cast import Cast, with_sheets
from characters.models import Character
from characters.queries import known_to
from play import word
from play.models import PendingModifier
from play.models.table import ROUTINE, Contest, Obstacle
from play.services import asked_rolls, contests, uses
from play.services.follows import as_they_stand
from play.services.moves import ROLLS
from play.services.obstacles import InTheWay, in_the_way
from play.services.pools import apply
from play.services.position import Position, campaign_context
from rules.codec import canonical
from rules.engine import KnowsCampaign, Procedure, Sheets, check
from rules.fields import Group, Listing
from rules.modifiers import Modifier
from rules.moves import Need
from rules.procedure import ActResult, CampaignContext, Offer, Options
from rules.registry import kind_of
from rules.sheet import Sheet
from rules.tray import Around, Rehearsal, RollsFromTray, TrayRoll, Treats, in_one, rehearse
from rules.values import Value

trail.declare("contest.tray", "A roll", ROLLS, contests.CONTESTS, felt=True, waits=True)

SCREENED = "A roll behind the screen"  # what a sealed roll is called where others read of what it does
OBSTACLE = "obstacle"  # the field of a tray that names what is in the way
HIDDEN = "the GM is hiding the difficulty"


@dataclass(frozen=True)
class Beside:
    """What counts beside whoever rolls: what is in their way, who else is here, what waits for their next roll, and
    whether whoever fills the tray runs the game."""

    ways: Sequence[InTheWay] = ()
    here: Sequence[Character] = ()
    pending: Sequence[PendingModifier] = ()
    runs: bool = False

    def of(self, character: Character | None) -> Beside:
        """The same for this character."""
        if character is None:
            return replace(self, pending=())
        return replace(self, here=[other for other in self.here if other.pk != character.pk],
                       pending=[given for given in self.pending if given.character_id == character.pk])

    @cached_property
    def sheets(self) -> Sheets:
        """Of who else is here, by their ids."""
        return {str(other.pk): other.sheet() for other in self.here}

    def chosen(self, given: Mapping[str, Value]) -> InTheWay | None:
        """What of it is rolled against."""
        return next((way for way in self.ways if str(way.pk) == given.get(OBSTACLE)), None)

    def for_rules(self, campaign: Campaign, chosen: InTheWay | None = None) -> Around:
        """As a procedure takes it."""
        procedure = the_procedure(campaign)
        others = self.sheets if procedure.of_others else {}
        waiting = tuple(Modifier(given.kind, given.amount, given.reason) for given in self.pending)
        return Around(
            as_options(campaign, self.ways), chosen.for_rules if chosen else None, others, waiting, self.runs,
            SimpleLazyObject(lambda: _context(campaign, procedure)))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Planned:
    """A roll of the tray, ready to be rehearsed or made; in `secret` for the GM alone."""

    procedure: Procedure[Any]
    roll: TrayRoll
    character: Character
    title: str
    given: Mapping[str, Value]
    sheets: Sheets
    context: CampaignContext | None
    against: InTheWay | None
    pending: Sequence[PendingModifier]
    secret: bool
    head: int  # how far the campaign was

    @property
    def people(self) -> list[Character]:
        """Who rolls, and whom it is for where that is somebody else."""
        patient = self.against.patient if self.against else None
        return [self.character, *([patient] if patient and patient != self.character else [])]

    def rehearse(self) -> Rehearsal:
        """What the button says and the odds; raises `BadMove`."""
        return rehearse(self.procedure, self.roll, self.sheets, self.context)


def _context(campaign: Campaign, procedure: RollsFromTray[Any]) -> CampaignContext:
    """What the campaign holds beside a roll. What is prepared is for the GM's acts; none of the tray's names it."""
    among = Contest(campaign=campaign, scene_id=campaign.scene_id)
    return replace(campaign_context(among, procedure), prepared=())


def procedure_of_tray(campaign: Campaign) -> RollsFromTray[Any] | None:
    """The procedure that the tray goes through; None where no rolls are made from a tray."""
    solo = campaign.rules.solo_procedure
    return solo if isinstance(solo, RollsFromTray) else None


def the_procedure(campaign: Campaign) -> RollsFromTray[Any]:
    """The same in a game that has one: in another there is no tray to come from."""
    procedure = procedure_of_tray(campaign)
    if procedure is None:
        raise LookupError(f"{campaign.system} has no procedure of a tray.")
    return procedure


def beside(campaign: Campaign, actor: Member, character: Character, ways: Sequence[InTheWay]) -> Beside:
    """What counts beside this character, as it is now, where this member rolls for them."""
    runs = actor.may(Role.GM)
    here: list[Character] = []
    if campaign.scene_id and the_procedure(campaign).of_others:
        known = known_to(campaign.pk, actor.pk, runs).filter(presences__scene=campaign.scene_id, retired=False)
        here = with_sheets(list(known))
    pending = PendingModifier.objects.filter(campaign=campaign, character=character, used=False).order_by("pk")
    return Beside(ways, here, list(pending) if campaign.rules.modifiers else (), runs).of(character)


def obstacles_here(campaign: Campaign) -> list[Obstacle]:
    """What the GM has put on the scene that is on, the newest last."""
    if not campaign.scene_id:
        return []
    rows = _obstacles(campaign.pk, campaign.scene_id)
    as_they_stand(campaign, rows)
    return rows


@compiled_once
def _obstacles(campaign: uuid.UUID, scene: uuid.UUID) -> QuerySet[Obstacle]:
    obstacles = Obstacle.objects.filter(campaign=campaign, scene_id=scene).select_related("character")
    return obstacles.order_by("number")[:50]


def all_in_the_way(
    obstacles: Sequence[Obstacle], asked: Sequence[InTheWay], *, runs: bool = True, first: str = ""
) -> list[InTheWay]:
    """What somebody can roll against: the scene's obstacles, then what the GM asks of them, the oldest last: a tray
    opens with the last one. `first` is the id of the one that is wanted now; `runs` shows what is sealed."""
    ways = [*(in_the_way(obstacle, runs=runs) for obstacle in obstacles), *reversed(asked)]
    return sorted(ways, key=lambda obstacle: str(obstacle.pk) == first)


def treatments(campaign: Campaign, healer: Sheet, patients: Mapping[Character, Sheet]) -> list[InTheWay]:
    """What this one can roll for those who are hurt, themselves among them, by who they are and their sheets."""
    procedure = procedure_of_tray(campaign)
    if not isinstance(procedure, Treats):
        return []
    return [InTheWay(uuid.uuid5(patient.pk, f"treat {treatment.key}"), treatment.name, treatment.values,
                     patient=patient)
            for patient, sheet in patients.items() if patient.view is not View.NOTHING
            for treatment in procedure.treatments(healer, sheet)]


def lines_meant(roller: Character | None, ways: Sequence[InTheWay]) -> list[str]:
    """The ids of the lines that are ticked where a tray opens: those of whoever rolls that the last thing in the way
    names, as whoever asks for a roll may. Prefetch `traits`."""
    names = {line.casefold() for way in ways[-1:] for line in way.lines}
    return [str(trait.pk) for trait in roller.traits.all() if trait.name.casefold() in names] if roller else []


def as_options(campaign: Campaign, ways: Sequence[InTheWay]) -> Options:
    """What is in the way, as a tray offers it."""
    return tuple((str(way.pk), f"{way.own or way.name} · {how_hard(campaign, way)}") for way in ways)


def how_hard(campaign: Campaign, way: InTheWay) -> str:
    """How hard it is, in words; what stands for that where whoever looks doesn't know."""
    hidden = "unknown" if way.face else HIDDEN if way.secret else ""
    return hidden or campaign.rules.rolls.obstacle_words(way.values)


def offer(campaign: Campaign, character: Character | None, beside: Beside) -> Offer | None:
    """What the tray asks of this character, None where it is nobody's; of whoever does not run the game, what is theirs
    to say."""
    if character is None:
        return None
    procedure = the_procedure(campaign)
    setup = _setup(campaign, procedure, character, "")
    return word.in_tray(campaign, procedure.tray(character.sheet(), setup, beside.for_rules(campaign)),
                        runs=beside.runs)


def plan(campaign: Campaign, character: Character, beside: Beside, title: str, given: Mapping[str, Value], *,
         secret: bool = False, asked: Offer | None = None) -> Planned:
    """What these choices come to, on the word of whoever makes them, of what the tray `asked` where that is known;
    raises `BadMove`."""
    procedure = the_procedure(campaign)
    sheet, setup = character.sheet(), _setup(
        campaign, procedure, character, SCREENED if secret and not character.hidden else title)
    chosen = beside.chosen(given)
    around = beside.for_rules(campaign, chosen)
    check(asked or word.in_tray(campaign, procedure.tray(sheet, setup, around), runs=beside.runs), given)
    roll = procedure.from_tray(sheet, setup, given, around)
    patients = [chosen.patient] if chosen and chosen.patient and chosen.patient != character else []
    sheets = {str(character.pk): sheet, **{str(patient.pk): patient.sheet() for patient in patients}}
    context = None
    if isinstance(procedure, KnowsCampaign):
        context = _context(campaign, procedure)
        procedure.may_start(roll.setup, context, sheets)
    return Planned(procedure, roll, character, title, given, {**around.others, **sheets}, context, chosen,
                   beside.pending, secret, campaign.head_seq)


@trail.answers_once
def roll(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, client_seed: str, planned: Planned,
    again: Callable[[Campaign], Planned], typed: Sequence[int] = (),
) -> Entry:
    """Starts the procedure of the tray and does all that was chosen, dice and all. Raises `BadMove`, `Refused`.

    What was planned serves as long as nothing moved before the lock was held; else it is planned `again`, of the
    campaign as it is under the lock, which may raise to have nothing rolled.
    """
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind="contest.tray") as entry:
        if planned.head != entry.campaign.head_seq:
            planned = again(entry.campaign)
        entry.typed(typed)
        character = planned.character
        scene = contests.scene_for(entry, planned.procedure)
        screened = _screened(entry.actor, planned)
        if not screened:
            contests.may_start(entry.actor, planned.procedure, planned.people, [character.pk])
        result = contests.throw(
            entry, client_seed, planned.title,
            lambda faces: in_one(planned.procedure, planned.roll, planned.sheets, faces, planned.context))
        entry.title = f"{character.name}: {planned.title}"
        if screened:
            _behind_the_screen(entry, planned, result)
        else:
            _as_a_contest(entry, planned, result, scene)
        entry.index(*(uuid.UUID(other) for other in planned.roll.with_others))
        entry.trust(*planned.pending)
        entry.change_all({pending: {"used": True} for pending in planned.pending})
        asked_rolls.meet(entry, planned.against, character)
        uses.learn(entry, character, planned.roll.uses, planned.against.name if planned.against else "")
    return entry.written


def _screened(actor: Member, planned: Planned) -> bool:
    """Whether it is rolled behind the screen; refuses who may not roll so, or not for this character."""
    character, runs = planned.character, actor.may(Role.GM)
    if planned.secret and not runs:
        raise Refused("Only the GM can roll behind the screen.", "hidden")
    if not runs and character.player_id != actor.pk:
        raise Refused("Choose one of your characters." if character.hidden
                      else f"{character.name} is not yours to roll for.", "character")
    return planned.secret or (character.hidden and runs)


def _as_a_contest(entry: trail.Draft, planned: Planned, result: ActResult[Any], scene: uuid.UUID | None) -> None:
    """Keeps the procedure with all that was done in it: it goes on from there."""
    character, last = planned.character, planned.roll.acts[-1]
    contest = Contest(
        id=contests.id_from(entry.campaign, entry.op_id), campaign=entry.campaign, scene_id=scene,
        kind=planned.procedure.name, title=planned.title,
        setup=canonical({**planned.roll.setup, ROUTINE: True}),
    )
    entry.index(contest.pk, *(person.pk for person in planned.people), *([scene] if scene else []))
    blank = Position(contest, planned.procedure, planned.procedure.blank(), Cast.of(planned.people, 0), 0)
    contests.tell(entry, blank, result, {
        "by": last.by, "who": character.name, "action": last.action, "given": dict(planned.given),
        "setup": planned.roll.setup, **(planned.against.cited if planned.against else {}),
    })


def _behind_the_screen(entry: trail.Draft, planned: Planned, result: ActResult[Any]) -> None:
    """Keeps what is rolled in secret, or for somebody hidden, as a roll that the GM alone sees: nothing goes on that
    others could see."""
    if len(result.rolls) != 1:
        raise Refused(f"{planned.character.name} is hidden, and rolls behind the screen. Add an obstacle to the scene "
                      "first, or show them to the players.", OBSTACLE)
    (rolled,) = result.rolls
    entry.kind, entry.audience = rolled.move, trail.GM
    entry.index(planned.character.pk)
    kind = kind_of(rolled.move)
    outcome = kind.resolve(kind.read(rolled.given), rolled.dice)
    if isinstance(outcome, Need):
        raise TypeError(f"{rolled.move} rolls on.")
    notation, sheet = entry.campaign.rules.sheet.notation, planned.sheets[str(planned.character.pk)]
    entry.move({
        "given": dict(rolled.given), "who": planned.character.name, "what": planned.title, "picked": [
            {"trait": trait.id, "of": sheet.name, "name": trait.name, "notation": notation(trait.kind, trait.now)}
            for trait in sheet.traits if trait.id in planned.roll.uses],
        "against": None, "lines": [], **(planned.against.cited if planned.against else {}),
    }, replace(outcome, steps=result.steps))
    apply(entry, result.effects, Cast.of([planned.character], 0))


def _setup(
    campaign: Campaign, procedure: Procedure[Any], character: Character, title: str
) -> dict[str, Value]:
    """The setup as the settings have it, for this one alone."""
    asked = {field.name for field in procedure.fields}
    line: dict[str, Value] = {"sheet": str(character.pk)}
    group = next(f.of for f in procedure.fields if isinstance(f, Listing) and isinstance(f.of, Group))
    if any(field.name == "player" for field in group.fields):
        line["player"] = character.player_id is not None
    titled = {"title": title} if "title" in asked else {}
    return {**procedure.of_campaign(campaign.settings), **titled, "contestants": [line]}
