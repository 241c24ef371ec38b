"""Columns are called what they hold; the trail keeps the names that they had."""
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('play', '0013_contest_log'),
    ]

    operations = [
        migrations.RemoveIndex(model_name='prepitem', name='play_prepit_campaig_35c4da_idx'),
        migrations.RenameField('pendingallocation', 'sort', 'type'),
        migrations.RenameField('planline', 'sort', 'type'),
        migrations.RenameField('prepitem', 'sort', 'type'),
        migrations.AddIndex(
            model_name='prepitem',
            index=models.Index(fields=['campaign', 'type', 'name', 'id'], name='play_prepit_campaig_65ffc6_idx'),
        ),
    ]
