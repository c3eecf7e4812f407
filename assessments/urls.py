"""Addresses of assessments."""

from django.urls import path

from assessments.views import assessing

urlpatterns = [
    path("assessing/", assessing.assessing, name="assessing"),
]
