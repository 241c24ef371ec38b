"""A column is called what it holds; the trail keeps the name that it had."""
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('campaigns', '0008_type_of_notes'),
    ]

    operations = [
        migrations.RenameField('campaign', 'dials', 'settings_json'),
    ]
