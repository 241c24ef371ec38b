"""A journal that whoever has a link to the Chronicle reads too."""
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('campaigns', '0013_safety'),
    ]

    operations = [
        migrations.AddField(
            model_name='page',
            name='shared',
            field=models.BooleanField(default=False),
        ),
    ]
