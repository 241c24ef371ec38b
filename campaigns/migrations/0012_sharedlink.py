"""Links that show one thing to people without an account."""
import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('campaigns', '0011_secrets_given_up'),
    ]

    operations = [
        migrations.CreateModel(
            name='SharedLink',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('of', models.CharField(max_length=20)),
                ('object_id', models.UUIDField(blank=True, null=True)),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('closed', models.BooleanField(default=False)),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('campaign', models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT, related_name='shared_links', to='campaigns.campaign')),
            ],
            options={
                'indexes': [
                    models.Index(fields=['campaign', 'of', 'object_id'], name='campaigns_s_campaig_b806e0_idx'),
                ],
            },
        ),
    ]
