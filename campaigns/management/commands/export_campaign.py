"""`manage.py export_campaign SLUG FILE`: a whole campaign as one file, to be imported here or on another server."""
from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaigns.carrying.writing import file_of
from campaigns.errors import Refused
from campaigns.models import Campaign


class Command(BaseCommand):
    help = "Writes a campaign to a new file: its Ledger and its pictures. Ctrl-C stops it, and no file is there."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        campaign, path = Campaign.objects.filter(slug=options["slug"]).first(), options["file"]
        if campaign is None:
            raise CommandError(f"There is no campaign {options['slug']!r}.")
        part = path.with_name(f".{path.name}.part")
        try:
            chunks = file_of(campaign, self.stdout.write)
            with os.fdopen(os.open(part, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as file:
                file.writelines(chunks)
            os.link(part, path)
        except FileExistsError as error:
            raise CommandError(f"{path} is there already. Choose another name.") from error
        except Refused as error:
            raise CommandError(error.sentence) from error
        except OSError as error:
            raise CommandError(f"The file can’t be written. {error}") from error
        except KeyboardInterrupt:
            raise CommandError("Stopped. No file was written.") from None
        finally:
            part.unlink(missing_ok=True)
        self.stdout.write(f"Written: {path}, {campaign.head_seq:,} entries, {path.stat().st_size:,} bytes.")
