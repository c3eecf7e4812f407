"""Every address of the site."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from config.api import api

# One door: the administration's own sign-in page has no limit on wrong passwords.
admin.site.login = secure_admin_login(admin.site.login)

urlpatterns = [
    path("", include("campaign.urls")),
    path("", include("assessments.urls")),
    path("", include("evaluation.urls")),
    path("", include("config.account_urls")),
    path("admin/", admin.site.urls),
    path("api/v1/", api.urls),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.forbidden"
handler404 = "config.errors.not_found"
handler429 = "config.errors.too_often"
handler500 = "config.faults.server_error"
