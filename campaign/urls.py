"""Addresses of campaigns, topics, runs and people."""

from django.urls import path

from campaign.views import accounts, desk, documents, pages, registrations, runs, teams, topics

urlpatterns = [
    path("", pages.home, name="home"),
    path("favicon.ico", pages.favicon, name="favicon"),
    path("healthz", pages.healthz, name="healthz"),
    path("sign-in/", accounts.SignInView.as_view(), name="sign-in"),
    path("campaigns/<slug:campaign>/", pages.campaign, name="campaign"),
    path("campaigns/<slug:campaign>/register/", registrations.register, name="register"),
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
    path("teams/", teams.team_list, name="teams"),
    path("teams/new/", teams.new, name="team-new"),
    path("teams/join/<str:token>/", teams.join, name="team-join"),
    path("teams/<slug:team>/", teams.team, name="team"),
    path("teams/<slug:team>/invite/", teams.invite, name="team-invite"),
    path("teams/<slug:team>/revoke/", teams.revoke, name="team-revoke"),
    path("teams/<slug:team>/leave/", teams.leave, name="team-leave"),
    path("teams/<slug:team>/members/<int:person>/role/", teams.role, name="team-role"),
    path("teams/<slug:team>/members/<int:person>/remove/", teams.remove, name="team-remove"),
    path("registrations/<int:pk>/withdraw/", registrations.withdraw, name="registration-withdraw"),
    path("registrations/<int:pk>/decide/", registrations.decide, name="registration-decide"),
    path("desk/", desk.desk, name="desk"),
]
