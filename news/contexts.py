"""What the pages about mails may see: one's own."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from accounts.models import User
from campaigns.models import Member
from news.models import Mailbox, Pace, Subscription
from news.reach import Reach, lost, reach


@dataclass(frozen=True)
class AddressContext:
    """How it is with one's own address: a sentence, whether a link can confirm it, and whether mails were lost."""

    address: str
    sentence: str
    good: bool
    may_ask: bool
    lost: bool


@dataclass(frozen=True)
class MailRow:
    """What one is told of a campaign."""

    slug: str
    name: str
    system: str
    pace: str
    dates: bool


def address_context(user: User, mailbox: Mailbox) -> AddressContext:
    """The sentence about a person's address."""
    how, many = reach(user, mailbox), lost(user, mailbox)
    few = "1 mail" if many == 1 else f"{many} mails"
    sentence = {
        Reach.NONE: "Your account has no e-mail address, so no mail can be sent.",
        Reach.UNCONFIRMED: f"Mail starts once you confirm {user.email}: open the link that we sent there.",
        Reach.REFUSED: f"{few} to {user.email} were refused or came back, so none are sent now. Check the address on "
                       "your account page, then send a link to confirm it.",
        Reach.GOOD: f"Mail goes to {user.email}.",
    }[how]
    if many and how == Reach.UNCONFIRMED:
        sentence = f"The mail with a link to confirm {user.email} came back. Check that it is right."
    elif many and how == Reach.GOOD:
        were = "was" if many == 1 else "were"
        sentence = f"{few} to {user.email} {were} refused or came back. Check that it is right."
    return AddressContext(user.email, sentence, how == Reach.GOOD and not many,
                          how in (Reach.UNCONFIRMED, Reach.REFUSED), bool(many))


def mail_rows(members: Iterable[Member], wanted: dict[object, Subscription]) -> list[MailRow]:
    """What one is told of each campaign; where nothing was said, nothing but dates."""
    return [_row(member, wanted.get(member.pk) or Subscription(member=member)) for member in members]


def _row(member: Member, wanted: Subscription) -> MailRow:
    campaign = member.campaign
    return MailRow(campaign.slug, campaign.name, campaign.system, str(Pace(wanted.pace).label), wanted.dates)
