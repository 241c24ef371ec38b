"""Secrets of dice can be given up unused, by an entry."""
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('campaigns', '0010_labels_of_views'),
    ]

    operations = [
        migrations.AddField(
            model_name='commitment',
            name='retired_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='campaigns.entry'),
        ),
    ]
