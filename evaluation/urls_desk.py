"""Addresses of the organiser's desk that need boards: the overview, assessments in use, boards, runs, previews."""

from django.urls import path

from campaign.urls_desk import DESK
from evaluation.views.desk import assessments, boards, deeds, imports, overview, pools, preview, runs

IMPORT = f"{DESK}/imports/<int:pk>"

urlpatterns = [
    path("desk/", overview.desk, name="desk"),
    path(f"{DESK}/", overview.overview, name="campaign-desk"),
    path(f"{DESK}/assessments/", assessments.assessments, name="desk-assessments"),
    path(f"{DESK}/<slug:track>/assessments/upload/", assessments.upload, name="desk-upload-assessments"),
    path(f"{DESK}/<slug:track>/assessments/v<int:version>/notes/", assessments.notes, name="desk-version-notes"),
    path(f"{IMPORT}/", imports.assessment_import, name="desk-import"),
    path(f"{IMPORT}/state/", imports.state, name="desk-import-state"),
    path(f"{IMPORT}/accept/", imports.accept, name="desk-import-accept"),
    path(f"{IMPORT}/discard/", imports.discard, name="desk-import-discard"),
    path(f"{IMPORT}/again/", imports.again, name="desk-import-again"),
    path(f"{IMPORT}/report.<str:file_format>", imports.report, name="desk-import-report"),
    path(f"{DESK}/boards/", boards.boards, name="desk-boards"),
    path(f"{DESK}/boards/activate/", boards.activate, name="desk-activate"),
    path(f"{DESK}/boards/<slug:track>/building/", boards.building, name="desk-building"),
    path(f"{DESK}/boards/<slug:track>/rebuild/", boards.build_anew, name="desk-rebuild"),
    path(f"{DESK}/boards/<slug:track>/roll-back/", boards.roll_back, name="desk-roll-back"),
    path(f"{DESK}/boards/<slug:track>/building/<slug:deed>/", boards.decide, name="desk-building-deed"),
    path(f"{DESK}/boards/<slug:track>/<slug:task>/measures/", boards.measures, name="desk-measures"),
    path(f"{DESK}/runs/", runs.runs, name="desk-runs"),
    path(f"{DESK}/runs/deed/", deeds.deed, name="desk-runs-deed"),
    path(f"{DESK}/runs/rejections/<int:pk>/take-back/", deeds.take_back, name="desk-rejection-undo"),
    path(f"{DESK}/runs/queue/", runs.queue, name="desk-queue"),
    path(f"{DESK}/runs/archive.zip", runs.archive, name="desk-runs-archive"),
    path(f"{DESK}/runs/<int:pk>/failure/", runs.failure, name="desk-failure"),
    path(f"{DESK}/coverage/", pools.coverage, name="desk-coverage"),
    path(f"{DESK}/leave-one-out/", pools.leave_one_out, name="desk-leave-one-out"),
    path(f"{DESK}/publication/<slug:track>/<slug:task>/preview/", preview.preview, name="desk-preview"),
]
