"""Lines and veils, and a scene that the X-card stops."""
import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('campaigns', '0012_sharedlink'),
    ]

    operations = [
        migrations.AddField(
            model_name='campaign',
            name='stopped',
            field=models.BooleanField(default=False),
        ),
        migrations.CreateModel(
            name='Boundary',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=200)),
                ('type', models.CharField(choices=[('line', 'Line'), ('veil', 'Veil')], max_length=10)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='boundaries', to='campaigns.campaign')),
                ('writer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='campaigns.member')),
            ],
            options={
                'indexes': [models.Index(fields=['campaign', 'type', 'name'], name='campaigns_b_campaig_49ee6d_idx')],
            },
        ),
    ]
