from django.apps import AppConfig
from django.utils.module_loading import import_string

from campaign import later


class AssessmentsConfig(AppConfig):
    name = "assessments"
    verbose_name = "Assessments"

    def ready(self):
        """Answer what the campaign asks about assessments; the answers need models, which are there only now."""
        for name in ("has_assessments", "assessed_lengths", "judged_documents", "topics_in_use"):
            getattr(later, name).answered_by(import_string(f"assessments.services.references.{name}"))
