"""A column is called what it holds; the trail keeps the name that it had."""
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('campaigns', '0007_samples'),
    ]

    operations = [
        migrations.RenameField('page', 'sort', 'type'),
    ]
