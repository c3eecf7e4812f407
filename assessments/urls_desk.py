"""Addresses of assessments on the organiser's desk."""

from django.urls import path

from assessments.views import desk, desk_differences, desk_imports

DESK = "desk/campaigns/<slug:campaign>"
IMPORT = f"{DESK}/imports/<int:pk>"

urlpatterns = [
    path(f"{DESK}/assessments/", desk.assessments, name="desk-assessments"),
    path(f"{DESK}/<slug:track>/assessments/upload/", desk.upload, name="desk-upload-assessments"),
    path(f"{DESK}/<slug:track>/assessments/v<int:version>/notes/", desk.notes, name="desk-version-notes"),
    path(f"{DESK}/<slug:track>/differences/", desk_differences.differences, name="desk-differences"),
    path(f"{DESK}/<slug:track>/differences.csv", desk_differences.differences_csv, name="desk-differences-csv"),
    path(f"{IMPORT}/", desk_imports.assessment_import, name="desk-import"),
    path(f"{IMPORT}/state/", desk_imports.state, name="desk-import-state"),
    path(f"{IMPORT}/accept/", desk_imports.accept, name="desk-import-accept"),
    path(f"{IMPORT}/discard/", desk_imports.discard, name="desk-import-discard"),
    path(f"{IMPORT}/again/", desk_imports.again, name="desk-import-again"),
    path(f"{IMPORT}/report.<str:form>", desk_imports.report, name="desk-import-report"),
]
