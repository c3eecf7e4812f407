"""Every address of the site."""

from django.contrib import admin
from django.contrib.auth.views import LogoutView
from django.urls import include, path

from config.api import api

urlpatterns = [
    path("", include("campaign.urls")),
    path("", include("assessments.urls")),
    path("", include("evaluation.urls")),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
    path("admin/", admin.site.urls),
    path("api/v1/", api.urls),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.forbidden"
handler404 = "config.errors.not_found"
