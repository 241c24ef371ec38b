from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name='Sign',
            fields=[
                ('worker', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('at', models.DateTimeField()),
            ],
        ),
    ]
