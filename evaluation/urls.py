"""Addresses of boards and runs."""

from django.urls import include, path

from evaluation.views import (
    boards,
    comparing,
    comparisons,
    feeds,
    figures,
    moved,
    overlays,
    public_runs,
    ranked_lists,
    run_files,
    runs,
    search,
    sharing,
    status,
    topics,
)

TRACK = "campaigns/<slug:campaign>/<slug:track>"
TASK = "campaigns/<slug:campaign>/<slug:track>/<slug:task>"
RETURNED = "runs/<slug:code>/topics/<path:number>/documents/<path:identifier>"
DOCUMENT, OLDER_DOCUMENT = f"{TASK}/{RETURNED}", f"{TASK}/editions/<int:edition>/{RETURNED}"

urlpatterns = [
    path("", include("evaluation.urls_desk")),
    path("", include("evaluation.urls_places")),
    path("readyz", status.readyz, name="readyz"),
    path("status/", status.status, name="status"),
    path("status.json", status.status_json, name="status-json"),
    path("sitemap.xml", sharing.sitemap, name="sitemap"),
    path("sitemap-<int:part>.xml", sharing.sitemap_part, name="sitemap-part"),
    path("robots.txt", sharing.robots, name="robots"),
    path(f"{TRACK}/topics/", topics.topics, name="topics"),
    path(f"{TRACK}/topics/<path:number>/", topics.topic, name="topic"),
    path(f"{TASK}/", boards.board, name="board"),
    path("search/", search.search, name="search"),
    path("results.atom", feeds.site, name="results-feed"),
    path("campaigns/<slug:campaign>/results.atom", feeds.campaign, name="campaign-feed"),
    path(f"{TASK}/results.atom", feeds.task, name="task-feed"),
    path(f"{TASK}/card.png", sharing.card, name="card"),
    path(f"{TASK}/editions/<int:number>/", boards.board, name="edition"),
    path(f"{TASK}/board.<str:file_format>", boards.board_file, name="board-file"),
    path(f"{TASK}/editions/<int:number>/board.<str:file_format>", boards.board_file, name="edition-board-file"),
    path(f"{TASK}/figure.json", figures.figure, name="figure"),
    path(f"{TASK}/curves.<str:file_format>", figures.curves_file, name="curves"),
    path(f"{TASK}/editions/<int:number>/figure.json", figures.figure, name="edition-figure"),
    path(f"{TASK}/editions/<int:number>/curves.<str:file_format>", figures.curves_file, name="edition-curves"),
    path(f"{TASK}/editions/<int:number>/moved/", moved.moved, name="moved"),
    # Names of topics and documents hold slashes: what has more parts stands before what has fewer.
    path(f"{DOCUMENT}/segments.csv", overlays.overlay_file, name="overlay-file"),
    path(f"{DOCUMENT}/", overlays.overlay, name="overlay"),
    path(
        f"{TASK}/runs/<slug:code>/topics/<path:number>/account.csv", ranked_lists.account_file, name="ranked-list-file"
    ),
    path(f"{TASK}/runs/<slug:code>/topics/<path:number>/", ranked_lists.ranked_list, name="ranked-list"),
    path(f"{TASK}/runs/<slug:code>/", public_runs.public_run, name="public-run"),
    path(f"{TASK}/runs/<slug:code>/scores.csv", public_runs.public_scores, name="public-scores"),
    path(f"{TASK}/runs/<slug:code>/scores.<str:file_format>", public_runs.public_scores_as, name="public-scores-as"),
    path(f"{TASK}/runs/<slug:code>/file/", run_files.submitted_file, name="public-file"),
    path(f"{TASK}/runs/<slug:code>/scored.fol", run_files.scored_file, name="scored-file"),
    path(f"{OLDER_DOCUMENT}/segments.csv", overlays.overlay_file, name="edition-overlay-file"),
    path(f"{OLDER_DOCUMENT}/", overlays.overlay, name="edition-overlay"),
    path(
        f"{TASK}/editions/<int:edition>/runs/<slug:code>/topics/<path:number>/account.csv",
        ranked_lists.account_file,
        name="edition-ranked-list-file",
    ),
    path(
        f"{TASK}/editions/<int:edition>/runs/<slug:code>/topics/<path:number>/",
        ranked_lists.ranked_list,
        name="edition-ranked-list",
    ),
    path(f"{TASK}/editions/<int:number>/runs/<slug:code>/", public_runs.public_run, name="edition-run"),
    path(f"{TASK}/editions/<int:number>/runs/<slug:code>/scores.csv", public_runs.public_scores, name="edition-scores"),
    path(
        f"{TASK}/editions/<int:number>/runs/<slug:code>/scores.<str:file_format>",
        public_runs.public_scores_as,
        name="edition-scores-as",
    ),
    path(
        f"{TASK}/editions/<int:number>/runs/<slug:code>/scored.fol", run_files.scored_file, name="edition-scored-file"
    ),
    path(f"{TASK}/compare/", comparing.compare, name="compare"),
    path(f"{TASK}/editions/<int:number>/compare/", comparing.compare, name="edition-compare"),
    path(f"{TASK}/comparisons/", comparisons.comparisons, name="comparisons"),
    path(f"{TASK}/comparisons/<slug:part>.<str:file_format>", comparisons.comparisons_file, name="comparisons-file"),
    path(f"{TASK}/editions/<int:number>/comparisons/", comparisons.comparisons, name="edition-comparisons"),
    path(
        f"{TASK}/editions/<int:number>/comparisons/<slug:part>.<str:file_format>",
        comparisons.comparisons_file,
        name="edition-comparisons-file",
    ),
    path(f"{TASK}/example.<str:file_format>", runs.example, name="example-run"),
    path("runs/", runs.run_list, name="runs"),
    path("runs/<int:pk>/", runs.run, name="run"),
    path("runs/<int:pk>/state/", runs.state, name="run-state"),
    path("runs/<int:pk>/rename/", runs.rename, name="run-rename"),
    path("runs/<int:pk>/official/", runs.official, name="run-official"),
    path("runs/<int:pk>/scores.<str:file_format>", runs.scores, name="run-scores"),
    path("runs/<int:pk>/withdraw/", runs.withdraw, name="withdraw"),
    path("runs/<int:pk>/file/", runs.uploaded_file, name="run-file"),
    path("runs/<int:pk>/as.<str:file_format>", runs.export, name="run-export"),
    path("runs/<int:pk>/report.<str:file_format>", runs.report, name="run-report"),
]
