"""Home says where mails don't arrive."""
from __future__ import annotations

from collections.abc import Sequence

from campaigns.access import Viewer
from campaigns.home_parts import HomePart, Place, offer
from news.contexts import address_context
from news.reach import mailbox_of


@offer(Place.WRONG)
def mail_on_home(viewers: Sequence[Viewer]) -> HomePart | None:
    """What became of mails to one's own address, where they were refused or came back."""
    user = viewers[0].member.user
    address = address_context(user, mailbox_of(user))
    return HomePart("news/home.html", address) if address.lost else None
