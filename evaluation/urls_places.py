"""Addresses of campaigns, tracks and teams."""

from django.urls import path

from evaluation.views import places, teams

urlpatterns = [
    path("campaigns/", places.archive, name="campaigns"),
    path("campaigns/<slug:campaign>/", places.campaign, name="campaign"),
    path("campaigns/<slug:campaign>/<slug:track>/", places.track, name="track"),
    path("teams/<slug:team>/", teams.team, name="team"),
]
