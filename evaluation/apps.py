from django.apps import AppConfig
from django.utils.module_loading import import_string

from campaign.axes import measured_by
from campaign.valid_runs import when_valid


class EvaluationConfig(AppConfig):
    name = "evaluation"
    verbose_name = "Evaluation"

    def ready(self):
        """Have every run that becomes valid queued for scoring, and checked against the axis of its boards."""
        when_valid(import_string("evaluation.services.queue.enter"))  # it needs models, which are there only now
        measured_by(import_string("evaluation.services.editions.axis_of_boards"))
