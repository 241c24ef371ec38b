"""How much room a campaign's entries take up; and a check of many finds a secret of dice by its digest."""
from typing import Any

from django.db import migrations, models

BYTES = {"postgresql": "octet_length({})", "sqlite": "length(CAST({} AS BLOB))"}


def add_up(apps: Any, schema_editor: Any) -> None:
    """What was written before is counted once."""
    size = BYTES[schema_editor.connection.vendor]
    entries, payloads = (
        f"SELECT COALESCE(SUM({size.format(column)}), 0) FROM {table} WHERE campaign_id = campaigns_campaign.id"  # noqa: S608
        for table, column in (("campaigns_entry", "envelope"), ("campaigns_payload", "text")))
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(f"UPDATE campaigns_campaign SET ledger_bytes = ({entries}) + ({payloads})")  # noqa: S608


class Migration(migrations.Migration):

    dependencies = [
        ('campaigns', '0015_journals_left_out'),
    ]

    operations = [
        migrations.AddField(
            model_name='campaign',
            name='ledger_bytes',
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AddIndex(
            model_name='commitment',
            index=models.Index(fields=['campaign', 'digest'], name='commitment_by_digest'),
        ),
        migrations.RunPython(add_up, migrations.RunPython.noop),
    ]
