"""Tables are called what their rows are: modifiers and allocations that are pending, things that were prepared."""
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('campaigns', '0002_commitments_have_owners'),
        ('characters', '0003_the_dead_and_failures'),
        ('play', '0002_shared_pools_and_bank'),
    ]

    operations = [
        migrations.RenameModel('Boon', 'PendingModifier'),
        migrations.RenameModel('Due', 'PendingAllocation'),
        migrations.RenameModel('Prepared', 'PrepItem'),
        migrations.RenameIndex(
            model_name='prepitem',
            new_name='play_prepit_campaig_35c4da_idx',
            old_name='play_prepar_campaig_3f1f8b_idx',
        ),
        migrations.AlterField(
            model_name='pendingallocation',
            name='character',
            field=models.ForeignKey(on_delete=models.PROTECT, related_name='pending_allocations', to='characters.character'),
        ),
        migrations.AlterField(
            model_name='pendingmodifier',
            name='character',
            field=models.ForeignKey(on_delete=models.PROTECT, related_name='pending_modifiers', to='characters.character'),
        ),
        migrations.AlterField(
            model_name='prepitem',
            name='campaign',
            field=models.ForeignKey(on_delete=models.PROTECT, related_name='prep_items', to='campaigns.campaign'),
        ),
    ]
