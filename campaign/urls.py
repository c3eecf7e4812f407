"""Addresses of campaigns, topics, runs and people."""

from django.urls import path

from campaign.views import accounts, api_access, desk, documents, pages, runs, topics

urlpatterns = [
    path("", pages.home, name="home"),
    path("favicon.ico", pages.favicon, name="favicon"),
    path("healthz", pages.healthz, name="healthz"),
    path("sign-in/", accounts.SignInView.as_view(), name="sign-in"),
    path("campaigns/<slug:campaign>/", pages.campaign, name="campaign"),
    path("campaigns/<slug:campaign>/<slug:track>/topics/", topics.topic_list, name="topics"),
    path("campaigns/<slug:campaign>/<slug:track>/topics/<str:number>/", topics.topic, name="topic"),
    path("campaigns/<slug:campaign>/<slug:track>/<slug:task>/submit/", runs.submit, name="submit"),
    path("collections/<slug:collection>/", documents.document_list, name="collection"),
    path("collections/<slug:collection>/<path:identifier>/", documents.document, name="document"),
    path("campaigns/<slug:campaign>/<slug:track>/<slug:task>/example.<str:form>", runs.example, name="example-run"),
    path("runs/", runs.run_list, name="runs"),
    path("runs/<int:pk>/", runs.run, name="run"),
    path("runs/<int:pk>/state/", runs.state, name="run-state"),
    path("runs/<int:pk>/withdraw/", runs.withdraw, name="withdraw"),
    path("runs/<int:pk>/file/", runs.file, name="run-file"),
    path("runs/<int:pk>/as.<str:form>", runs.export, name="run-export"),
    path("runs/<int:pk>/report.<str:form>", runs.report, name="run-report"),
    path("desk/", desk.desk, name="desk"),
    path("api/", api_access.guide, name="api-guide"),
    path("account/tokens/", api_access.tokens, name="api-tokens"),
    path("account/tokens/<int:pk>/revoke/", api_access.revoke, name="revoke-token"),
]
