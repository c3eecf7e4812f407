"""Addresses of boards."""

from django.urls import path

from evaluation.views import boards

urlpatterns = [
    path("campaigns/<slug:campaign>/<slug:track>/<slug:task>/", boards.board, name="board"),
    path("campaigns/<slug:campaign>/<slug:track>/<slug:task>/editions/<int:number>/", boards.board, name="edition"),
]
