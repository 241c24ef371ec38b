"""What the pages about mails may see: one's own."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from accounts.models import User
from campaigns.models import Member
from news.models import Mailbox, Pace, Subscription
from news.reach import MOST_FAILURES, Reach, reach


@dataclass(frozen=True)
class AddressContext:
    """How it is with one's own address: a sentence, and whether a link can be sent to confirm it."""

    address: str
    sentence: str
    good: bool
    may_ask: bool


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
    how, many = reach(user, mailbox), mailbox.failures
    sentence = {
        Reach.NONE: "Your account has no e-mail address, so no mail can be sent.",
        Reach.UNCONFIRMED: f"Mail starts once you confirm {user.email}: open the link that we sent there.",
        Reach.REFUSED: f"{user.email} refused {MOST_FAILURES} mails in a row, so none are sent now. Check the address "
                       "on your account page, then send a link to confirm it.",
        Reach.GOOD: f"Mail goes to {user.email}.",
    }[how]
    if how == Reach.GOOD and many:
        sentence = f"{user.email} refused the last {'mail' if many == 1 else f'{many} mails'}. Check that it is right."
    return AddressContext(user.email, sentence, how == Reach.GOOD and not many,
                          how in (Reach.UNCONFIRMED, Reach.REFUSED))


def mail_rows(members: Iterable[Member], wanted: dict[object, Subscription]) -> list[MailRow]:
    """What one is told of each campaign; where nothing was said, nothing but dates."""
    return [_row(member, wanted.get(member.pk) or Subscription(member=member)) for member in members]


def _row(member: Member, wanted: Subscription) -> MailRow:
    campaign = member.campaign
    return MailRow(campaign.slug, campaign.name, campaign.system, str(Pace(wanted.pace).label), wanted.dates)
