"""Addresses of assessments."""

from django.urls import include, path

from assessments.views import assessing, downloads

urlpatterns = [
    path("assessing/", assessing.assessing, name="assessing"),
    path(
        "campaigns/<slug:campaign>/<slug:track>/assessments/v<int:version>/<str:file_format>",
        downloads.assessment_set,
        name="assessment-set",
    ),
    path("", include("assessments.urls_desk")),
]
