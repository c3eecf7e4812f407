"""Addresses of publication: the desk's page, the preview, and what reviewers follow."""

from django.urls import path

from campaign.views import publication, publishing

DESK = "desk/campaigns/<slug:campaign>/publication/"

urlpatterns = [
    path(DESK, publication.publication, name="desk-publication"),
    path(f"{DESK}publish/", publishing.publish, name="desk-publish"),
    path(f"{DESK}unpublish/", publishing.unpublish, name="desk-unpublish"),
    path(f"{DESK}links/", publication.make_link, name="desk-reviewer-link"),
    path(f"{DESK}links/<int:pk>/revoke/", publication.revoke_link, name="desk-revoke-link"),
    path(f"{DESK}<slug:track>/<slug:task>/switches/", publication.switches, name="desk-switches"),
    path(f"{DESK}<slug:track>/<slug:task>/preview/", publication.preview, name="desk-preview"),
    path("review/end/", publication.stop_reviewing, name="review-end"),
    path("review/<str:token>/", publication.review, name="review"),
]
