"""How a campaign's organisers are reached, and which series it is one of."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('campaign', '0018_an_index_of_titles'),
    ]

    operations = [
        migrations.AddField(
            model_name='campaign',
            name='contact',
            field=models.CharField(blank=True, default='', max_length=200),
        ),
        migrations.AddField(
            model_name='campaign',
            name='series',
            field=models.CharField(blank=True, default='', max_length=80),
        ),
    ]
