"""Addresses of campaigns and tracks."""

from django.urls import path

from evaluation.views import places

urlpatterns = [
    path("campaigns/", places.archive, name="campaigns"),
    path("campaigns/<slug:campaign>/", places.campaign, name="campaign"),
    path("campaigns/<slug:campaign>/<slug:track>/", places.track, name="track"),
]
