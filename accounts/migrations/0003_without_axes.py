"""The tables of the package that counted wrong passwords before: gone, with what Django kept of it."""
from typing import Any

from django.db import migrations
from django.db.migrations.recorder import MigrationRecorder

TABLES = ("axes_accessattemptexpiration", "axes_accessattempt", "axes_accesslog", "axes_accessfailurelog")


def forget(apps: Any, schema_editor: Any) -> None:
    """Tables, permissions and content types, and that there were migrations. What is not there is no fault."""
    connection = schema_editor.connection
    there = set(connection.introspection.table_names())
    for table in TABLES:
        if table in there:
            schema_editor.execute(f"DROP TABLE {connection.ops.quote_name(table)}")
    types = apps.get_model("contenttypes", "ContentType").objects.using(connection.alias).filter(app_label="axes")
    apps.get_model("auth", "Permission").objects.using(connection.alias).filter(content_type__in=types).delete()
    types.delete()
    MigrationRecorder(connection).migration_qs.filter(app="axes").delete()


class Migration(migrations.Migration):

    dependencies = [
        ("accounts", "0002_tallies"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [migrations.RunPython(forget, migrations.RunPython.noop)]
