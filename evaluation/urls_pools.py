"""Addresses of the desk's tables about pools: what is unjudged, and what if a team had not taken part."""

from django.urls import path

from evaluation.views import pools

urlpatterns = [
    path("desk/campaigns/<slug:campaign>/coverage/", pools.coverage, name="desk-coverage"),
    path("desk/campaigns/<slug:campaign>/leave-one-out/", pools.absences, name="desk-leave-one-out"),
]
