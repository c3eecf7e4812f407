"""Addresses of the boards and runs on a campaign's desk."""

from django.urls import path

from evaluation.views import desk_boards, desk_deeds, desk_grants, desk_runs

urlpatterns = [
    path("boards/", desk_boards.boards, name="desk-boards"),
    path("boards/activate/", desk_boards.activate, name="desk-activate"),
    path("boards/<slug:track>/building/", desk_boards.building, name="desk-building"),
    path("boards/<slug:track>/rebuild/", desk_boards.build_anew, name="desk-rebuild"),
    path("boards/<slug:track>/roll-back/", desk_boards.roll_back, name="desk-roll-back"),
    path("boards/<slug:track>/building/<slug:deed>/", desk_boards.decide, name="desk-building-deed"),
    path("boards/<slug:track>/<slug:task>/measures/", desk_boards.measures, name="desk-measures"),
    path("runs/", desk_runs.runs, name="desk-runs"),
    path("runs/deed/", desk_deeds.deed, name="desk-runs-deed"),
    path("runs/rejections/<int:pk>/take-back/", desk_deeds.take_back, name="desk-rejection-undo"),
    path("runs/queue/", desk_runs.queue, name="desk-queue"),
    path("runs/archive.zip", desk_runs.archive, name="desk-runs-archive"),
    path("runs/<int:pk>/failure/", desk_runs.failure, name="desk-failure"),
    path("runs/grants/", desk_grants.grants, name="desk-grants"),
    path("runs/grants/<int:pk>/revoke/", desk_grants.revoke, name="desk-grant-revoke"),
]
