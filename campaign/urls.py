"""Addresses of campaigns, topics, runs and people."""

from django.urls import path

from campaign.views import accounts, desk, documents, pages, runs, submitting, topics

urlpatterns = [
    path("", pages.home, name="home"),
    path("favicon.ico", pages.favicon, name="favicon"),
    path("healthz", pages.healthz, name="healthz"),
    path("account/", accounts.profile, name="account"),
    path("account/delete/", accounts.delete, name="account-delete"),
    path("desk/accounts/", accounts.unconfirmed, name="unconfirmed-accounts"),
    path("desk/accounts/<int:pk>/confirm/", accounts.confirm, name="confirm-account"),
    path("campaigns/<slug:campaign>/", pages.campaign, name="campaign"),
    path("campaigns/<slug:campaign>/<slug:track>/topics/", topics.topic_list, name="topics"),
    path("campaigns/<slug:campaign>/<slug:track>/topics/<str:number>/", topics.topic, name="topic"),
    path("campaigns/<slug:campaign>/<slug:track>/<slug:task>/submit/", submitting.submit, name="submit"),
    path(
        "campaigns/<slug:campaign>/<slug:track>/<slug:task>/submit/beginning/",
        submitting.beginning,
        name="run-beginning",
    ),
    path("collections/<slug:collection>/", documents.document_list, name="collection"),
    path("collections/<slug:collection>/<path:identifier>/", documents.document, name="document"),
    path("campaigns/<slug:campaign>/<slug:track>/<slug:task>/example.<str:form>", runs.example, name="example-run"),
    path("runs/", runs.run_list, name="runs"),
    path("runs/<int:pk>/", runs.run, name="run"),
    path("runs/<int:pk>/state/", runs.state, name="run-state"),
    path("runs/<int:pk>/rename/", runs.rename, name="run-rename"),
    path("runs/<int:pk>/official/", runs.official, name="run-official"),
    path("runs/<int:pk>/scores.<str:form>", runs.scores, name="run-scores"),
    path("runs/<int:pk>/withdraw/", runs.withdraw, name="withdraw"),
    path("runs/<int:pk>/file/", runs.file, name="run-file"),
    path("runs/<int:pk>/as.<str:form>", runs.export, name="run-export"),
    path("runs/<int:pk>/report.<str:form>", runs.report, name="run-report"),
    path("desk/", desk.desk, name="desk"),
]
