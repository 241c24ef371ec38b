from typing import Any

from django.db import migrations, models

from accounts.names import look_of


def look_at_names(apps: Any, schema_editor: Any) -> None:
    """Of accounts that are there."""
    people = apps.get_model("accounts", "User").objects
    rows = list(people.only("pk", "username"))
    for row in rows:
        row.look = look_of(row.username)
    people.bulk_update(rows, ["look"], batch_size=500)


class Migration(migrations.Migration):

    dependencies = [("accounts", "0004_time_zones")]

    operations = [
        migrations.AddField(
            model_name="user", name="look",
            field=models.CharField(default="", editable=False, max_length=240)),
        migrations.RunPython(look_at_names, migrations.RunPython.noop),
        migrations.AddIndex(model_name="user", index=models.Index(fields=["look"], name="user_look")),
    ]
