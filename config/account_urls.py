"""The addresses of signing up, signing in and looking after an account; views and names are django-allauth's."""

from allauth.account import views as account
from allauth.socialaccount import views as social
from allauth.socialaccount.providers.openid_connect import views as orcid
from django.urls import path, re_path

urlpatterns = [
    path("sign-in/", account.login, name="account_login"),
    path("sign-up/", account.signup, name="account_signup"),
    path("sign-out/", account.logout, name="account_logout"),
    path("account/switched-off/", account.account_inactive, name="account_inactive"),
    path("account/password-once-more/", account.reauthenticate, name="account_reauthenticate"),
    path("account/e-mail/", account.email, name="account_email"),
    path("account/confirm/", account.email_verification_sent, name="account_email_verification_sent"),
    path("account/confirm/<str:key>/", account.confirm_email, name="account_confirm_email"),
    path("account/password/", account.password_change, name="account_change_password"),
    path("account/password/set/", account.password_set, name="account_set_password"),
    path("account/password/reset/", account.password_reset, name="account_reset_password"),
    path("account/password/reset/sent/", account.password_reset_done, name="account_reset_password_done"),
    path(
        "account/password/reset/done/",
        account.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    re_path(
        r"^account/password/reset/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        account.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path("account/orcid/", social.connections, name="socialaccount_connections"),
    path("account/orcid/sign-up/", social.signup, name="socialaccount_signup"),
    path("account/orcid/cancelled/", social.login_cancelled, name="socialaccount_login_cancelled"),
    path("account/orcid/failed/", social.login_error, name="socialaccount_login_error"),
    path("account/<str:provider_id>/sign-in/", orcid.login, name="openid_connect_login"),
    path("account/<str:provider_id>/back/", orcid.callback, name="openid_connect_callback"),
]
