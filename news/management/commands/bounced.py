"""`manage.py bounced < mail`: a mail server hands over a mail that came back."""
from __future__ import annotations

import os
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from campaigns.errors import Refused
from news.delivery import came_back
from news.returns import MOST_BYTES, read


class Command(BaseCommand):
    """Notes what a report of a mail server says, so that nothing more goes to an address that takes no mail."""

    help = "Reads a report of a returned mail (RFC 3464) from standard input and notes whose address it was."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Says what came of it. The status tells the mail server: 65, don't send it again; 75, try later."""
        try:
            returned = read(sys.stdin.buffer.read(MOST_BYTES + 1))
            if not returned.for_good:
                self.stdout.write("Nothing to note: the mail may still arrive.")
                return
            many = came_back(message_id=returned.message_id, addresses=returned.addresses)
        except Refused as refused:
            raise CommandError(str(refused), returncode=os.EX_DATAERR) from refused
        except DatabaseError as error:
            raise CommandError("The database can’t be asked. Try again later.", returncode=os.EX_TEMPFAIL) from error
        self.stdout.write("Noted." if many else "Nothing to note: nobody has this address now.")
