"""Addresses of the front page, campaigns, tracks and teams."""

from django.urls import path

from evaluation.views import home, places, teams

urlpatterns = [
    path("", home.home, name="home"),
    path("campaigns/", places.archive, name="campaigns"),
    path("campaigns/<slug:campaign>/", places.campaign, name="campaign"),
    path("campaigns/<slug:campaign>/<slug:track>/", places.track, name="track"),
    path("teams/<slug:team>/", teams.team, name="team"),
]
