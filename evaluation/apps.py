from django.apps import AppConfig
from django.utils.module_loading import import_string

from campaign import later
from campaign.valid_runs import when_valid


class EvaluationConfig(AppConfig):
    name = "evaluation"
    verbose_name = "Evaluation"

    def ready(self):
        """Have every run that becomes valid queued for scoring, and answer what the campaign asks about boards."""
        when_valid(import_string("evaluation.services.queue.enter"))  # it needs models, which are there only now
        later.axis_of.answered_by(import_string("evaluation.services.editions.axis_of_boards"))
        later.boards_of.answered_by(import_string("evaluation.services.editions.boards_of"))
