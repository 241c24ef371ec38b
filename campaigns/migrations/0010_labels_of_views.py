"""What players may see of a thing goes by the words that its pages use."""
from django.db import migrations, models

VIEWS = [('nothing', 'Hidden'), ('face', 'Name and picture'), ('all', 'Everything')]


class Migration(migrations.Migration):

    dependencies = [
        ('campaigns', '0009_settings_as_json'),
    ]

    operations = [
        migrations.AlterField('page', 'view', models.CharField(choices=VIEWS, default='nothing', max_length=10)),
        migrations.AlterField('sight', 'view', models.CharField(choices=VIEWS, max_length=10)),
    ]
