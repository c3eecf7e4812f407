"""Addresses of the set-up part of the organiser's desk, and of the trail."""

from django.urls import path

from campaign.views import desk_campaigns, desk_collections, desk_material, desk_tracks, desk_trail

DESK = "desk/campaigns/<slug:campaign>"
TRACK = f"{DESK}/tracks/<slug:track>"
DOCUMENTS = f"{DESK}/collection-imports/<int:pk>"

urlpatterns = [
    path("desk/trail/", desk_trail.of_site, name="site-trail"),
    path("desk/trail.<str:form>", desk_trail.file_of_site, name="site-trail-file"),
    path("desk/campaigns/new/", desk_campaigns.new, name="campaign-new"),
    path(f"{DESK}/setup/", desk_campaigns.setup, name="desk-setup"),
    path(f"{DESK}/setup/checklist/", desk_campaigns.change_checklist, name="desk-checklist"),
    path(f"{DESK}/settings/", desk_campaigns.settings, name="desk-settings"),
    path(f"{DESK}/organisers/add/", desk_campaigns.add_organiser, name="organiser-add"),
    path(f"{DESK}/organisers/<int:person>/remove/", desk_campaigns.remove_organiser, name="organiser-remove"),
    path(f"{DESK}/delete/", desk_campaigns.delete, name="campaign-delete"),
    path(f"{DESK}/copy/", desk_campaigns.copy, name="desk-copy"),
    path(f"{DESK}/tracks/new/", desk_tracks.new_track, name="track-new"),
    path(f"{TRACK}/", desk_tracks.edit_track, name="track-edit"),
    path(f"{TRACK}/move/", desk_tracks.move_track, name="track-move"),
    path(f"{TRACK}/delete/", desk_tracks.delete_track, name="track-delete"),
    path(f"{TRACK}/tasks/new/", desk_tracks.new_task, name="task-new"),
    path(f"{TRACK}/tasks/<slug:task>/", desk_tracks.edit_task, name="task-edit"),
    path(f"{TRACK}/tasks/<slug:task>/move/", desk_tracks.move_task, name="task-move"),
    path(f"{TRACK}/tasks/<slug:task>/delete/", desk_tracks.delete_task, name="task-delete"),
    path(f"{DESK}/material/", desk_material.material, name="desk-material"),
    path(f"{TRACK}/topics/", desk_material.upload_topics, name="topics-upload"),
    path(f"{TRACK}/topics/remove/", desk_material.remove_topics, name="topics-remove"),
    path(f"{TRACK}/topics/confirm/", desk_material.confirm_topics, name="topics-confirm"),
    path(f"{TRACK}/collection/", desk_collections.upload_collection, name="collection-upload"),
    path(f"{TRACK}/collection/version/", desk_collections.change_version, name="collection-version"),
    path(f"{DOCUMENTS}/", desk_collections.collection_import, name="collection-import"),
    path(f"{DOCUMENTS}/state/", desk_collections.collection_import_state, name="collection-import-state"),
    path(f"{DOCUMENTS}/documents.csv", desk_collections.collection_import_list, name="collection-import-list"),
    path(f"{DOCUMENTS}/accept/", desk_collections.accept_import, name="collection-import-accept"),
    path(f"{DOCUMENTS}/discard/", desk_collections.discard_import, name="collection-import-discard"),
    path(f"{DOCUMENTS}/again/", desk_collections.start_import_again, name="collection-import-again"),
    path(f"{DESK}/trail/", desk_trail.of_campaign, name="desk-trail"),
    path(f"{DESK}/trail.<str:form>", desk_trail.file, name="desk-trail-file"),
]
