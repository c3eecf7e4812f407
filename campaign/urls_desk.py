"""Addresses of the organiser's desk that need only campaigns: setting up, material, publication, grants, the trail."""

from django.urls import path

from campaign.views.desk import (
    accounts,
    campaigns,
    collections,
    grants,
    material,
    publication,
    publishing,
    tracks,
    trail,
)

DESK = "desk/campaigns/<slug:campaign>"
TRACK = f"{DESK}/tracks/<slug:track>"
DOCUMENTS = f"{DESK}/collection-imports/<int:pk>"
PUBLICATION = f"{DESK}/publication"

urlpatterns = [
    path("desk/accounts/", accounts.unconfirmed, name="unconfirmed-accounts"),
    path("desk/accounts/<int:pk>/confirm/", accounts.confirm, name="confirm-account"),
    path("desk/trail/", trail.of_site, name="site-trail"),
    path("desk/trail.<str:file_format>", trail.file_of_site, name="site-trail-file"),
    path("desk/campaigns/new/", campaigns.new, name="campaign-new"),
    path(f"{DESK}/setup/", campaigns.setup, name="desk-setup"),
    path(f"{DESK}/setup/checklist/", campaigns.change_checklist, name="desk-checklist"),
    path(f"{DESK}/settings/", campaigns.campaign_settings, name="desk-settings"),
    path(f"{DESK}/organisers/add/", campaigns.add_organiser, name="organiser-add"),
    path(f"{DESK}/organisers/<int:person>/remove/", campaigns.remove_organiser, name="organiser-remove"),
    path(f"{DESK}/delete/", campaigns.delete, name="campaign-delete"),
    path(f"{DESK}/copy/", campaigns.copy, name="desk-copy"),
    path(f"{DESK}/tracks/new/", tracks.new_track, name="track-new"),
    path(f"{TRACK}/", tracks.edit_track, name="track-edit"),
    path(f"{TRACK}/move/", tracks.move_track, name="track-move"),
    path(f"{TRACK}/delete/", tracks.delete_track, name="track-delete"),
    path(f"{TRACK}/tasks/new/", tracks.new_task, name="task-new"),
    path(f"{TRACK}/tasks/<slug:task>/", tracks.edit_task, name="task-edit"),
    path(f"{TRACK}/tasks/<slug:task>/move/", tracks.move_task, name="task-move"),
    path(f"{TRACK}/tasks/<slug:task>/delete/", tracks.delete_task, name="task-delete"),
    path(f"{DESK}/material/", material.material, name="desk-material"),
    path(f"{TRACK}/topics/", material.upload_topics, name="topics-upload"),
    path(f"{TRACK}/topics/remove/", material.remove_topics, name="topics-remove"),
    path(f"{TRACK}/topics/confirm/", material.confirm_topics, name="topics-confirm"),
    path(f"{TRACK}/collection/", collections.upload_collection, name="collection-upload"),
    path(f"{TRACK}/collection/version/", collections.change_version, name="collection-version"),
    path(f"{DOCUMENTS}/", collections.collection_import, name="collection-import"),
    path(f"{DOCUMENTS}/state/", collections.collection_import_state, name="collection-import-state"),
    path(f"{DOCUMENTS}/documents.csv", collections.collection_import_list, name="collection-import-list"),
    path(f"{DOCUMENTS}/accept/", collections.accept_import, name="collection-import-accept"),
    path(f"{DOCUMENTS}/discard/", collections.discard_import, name="collection-import-discard"),
    path(f"{DOCUMENTS}/again/", collections.start_import_again, name="collection-import-again"),
    path(f"{DESK}/runs/grants/", grants.grants, name="desk-grants"),
    path(f"{DESK}/runs/grants/<int:pk>/revoke/", grants.revoke, name="desk-grant-revoke"),
    path(f"{PUBLICATION}/", publication.publication, name="desk-publication"),
    path(f"{PUBLICATION}/publish/", publishing.publish, name="desk-publish"),
    path(f"{PUBLICATION}/unpublish/", publishing.unpublish, name="desk-unpublish"),
    path(f"{PUBLICATION}/links/", publication.make_link, name="desk-reviewer-link"),
    path(f"{PUBLICATION}/links/<int:pk>/revoke/", publication.revoke_link, name="desk-revoke-link"),
    path(f"{PUBLICATION}/<slug:track>/<slug:task>/switches/", publication.switches, name="desk-switches"),
    path(f"{DESK}/trail/", trail.of_campaign, name="desk-trail"),
    path(f"{DESK}/trail.<str:file_format>", trail.file_of_campaign, name="desk-trail-file"),
]
