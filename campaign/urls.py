"""Addresses of campaigns, topics, runs and people."""

from django.urls import path

from campaign.views import accounts, desk, documents, notifications, pages, runs, topics

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
    path("notifications/", notifications.notification_list, name="notifications"),
    path("notifications/read/", notifications.read, name="notifications-read"),
    path("notifications/<int:pk>/", notifications.notification, name="notification"),
    path("account/notifications/", notifications.notification_settings, name="notification-settings"),
    path("desk/", desk.desk, name="desk"),
]
