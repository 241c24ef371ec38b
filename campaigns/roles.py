"""Who may give which role to whom."""
from __future__ import annotations

from django.db.models import Exists, OuterRef
from django.db.models.expressions import Combinable

from campaigns.models import Member, Role

_GIVES: dict[Role, tuple[Role, ...]] = {
    Role.OWNER: (Role.OBSERVER, Role.PLAYER, Role.GM),
    Role.GM: (Role.OBSERVER, Role.PLAYER),
}

# A role with its article, as titles and sentences say it; and what the role lets one do.
A = {Role.OBSERVER: "an observer", Role.PLAYER: "a player", Role.GM: "a GM", Role.OWNER: "the owner"}
CAN = {
    Role.OBSERVER: "Reads along: the table, the sheets, the Ledger.",
    Role.PLAYER: "Plays characters and rolls dice.",
    Role.GM: "Runs scenes and NPCs, sees what is hidden, lets players in.",
    Role.OWNER: "Does what a GM does, and decides who is one.",
}
YOU_CAN = {
    Role.OBSERVER: "You read along: the table, the sheets, the Ledger.",
    Role.PLAYER: "You play characters and roll dice.",
    Role.GM: "You run scenes and NPCs, see what is hidden, and let players in.",
}


def alone() -> Combinable:
    """Of a member: nobody else is in the campaign."""
    here = Member.objects.filter(campaign=OuterRef("campaign"), active=True)
    return ~Exists(here.exclude(pk=OuterRef("pk")))


def cap(words: str) -> str:
    """Words as a sentence begins with them."""
    return words[:1].upper() + words[1:]


def gives(role: str) -> tuple[Role, ...]:
    """The roles that a member of this role may give to others, and take from them."""
    return _GIVES.get(Role(role), ())


def may_set_role(actor: Member, other: Member) -> bool:
    """Whether `actor` may give `other` another role, or none."""
    return actor.active and other.active and actor.pk != other.pk and Role(other.role) in gives(actor.role)
