"""Addresses of boards."""

from django.urls import include, path

from evaluation.views import boards, moved, status

urlpatterns = [
    path("desk/campaigns/<slug:campaign>/", include("evaluation.urls_desk")),
    path("", include("evaluation.urls_pools")),
    path("readyz", status.readyz, name="readyz"),
    path("status/", status.status, name="status"),
    path("status.json", status.status_json, name="status-json"),
    path("campaigns/<slug:campaign>/<slug:track>/<slug:task>/", boards.board, name="board"),
    path("campaigns/<slug:campaign>/<slug:track>/<slug:task>/editions/<int:number>/", boards.board, name="edition"),
    path("campaigns/<slug:campaign>/<slug:track>/<slug:task>/editions/<int:number>/moved/", moved.moved, name="moved"),
]
