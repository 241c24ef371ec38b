from typing import Any

from django.db import migrations, models


def the_elder_keeps_it(apps: Any, schema_editor: Any) -> None:
    """Of accounts that look alike already, and stay as they are called."""
    people = apps.get_model("accounts", "User").objects
    kept = set(people.exclude(sole_look=None).values_list("sole_look", flat=True))
    rows = []
    for row in people.filter(sole_look=None).only("pk", "look").order_by("date_joined", "pk"):
        if row.look not in kept:
            kept.add(row.look)
            row.sole_look = row.look
            rows.append(row)
    people.bulk_update(rows, ["sole_look"], batch_size=500)


class Migration(migrations.Migration):

    dependencies = [("accounts", "0005_looks_of_names")]

    operations = [
        migrations.AddField(
            model_name="user", name="sole_look",
            field=models.CharField(editable=False, max_length=240, null=True, unique=True)),
        migrations.RunPython(the_elder_keeps_it, migrations.RunPython.noop),
    ]
