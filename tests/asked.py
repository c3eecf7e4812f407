"""What addresses can be asked with by somebody who knows, or guesses, a hidden name."""

GUESSED = {"team": "lund", "name": "secret-our-run", "team_name": "secret-our-team", "said": "secret-our-description"}
ON_BOARDS = (
    *("show=all", "show=official", "show=best", "type=element", "type=passage", "query=manual", "query=automatic"),
    *("field=castitle", "team={team}", "mine=yes", "q={name}", "q={team_name}", "q={code}"),
    *("sort=run", "sort=-run", "sort=team", "sort=-team", "sort=-iP[0.01]", "show=official&sort=iP[0.01]"),
    *("columns=iP[0.10],MAP", "against={code}", "against={name}", "curves={code}", "curves={name}", "zoom=0-0.1"),
)
"""What a board is asked with."""
ON_CURVES = ("curves={code}", "curves={name}", "zoom=0-0.1")
ON_COMPARISONS = (
    *("measure=iP[0.01]&against=iP[0.00]", "test=t-test&correction=holm", "level=0.01"),
    *("test=tukey-complete-null", "test=bootstrap&measure=MAP", "family=official", "family=clean", "family=all"),
)
ON_COMPARED = (
    *("reference={code}&with={code}", "reference={name}", "with={name}", "topic=3", "test=bootstrap"),
    *("runs={name}", "runs={code}", "curves={code}", "curves={name}", "zoom=0-0.1"),
)
PAGES = ("page=2", "page=1")
ASKED = {
    "board": ON_BOARDS,
    **dict.fromkeys(("edition", "board-file", "edition-board-file"), ("&".join(ON_BOARDS), "show=official")),
    "figure": ON_CURVES,
    **dict.fromkeys(
        ("edition-figure", "curves", "edition-curves", "public-run", "edition-run"), ("&".join(ON_CURVES),)
    ),
    "comparisons": ON_COMPARISONS,
    **dict.fromkeys(
        ("edition-comparisons", "comparisons-file", "edition-comparisons-file"), ("&".join(ON_COMPARISONS),)
    ),
    "compare": ON_COMPARED,
    "edition-compare": ("&".join(ON_COMPARED),),
    "moved": ("from=1&measure=iP[0.01]&runs=all", "from=9"),
    "ranked-list": PAGES,
    **dict.fromkeys(
        ("overlay", "overlay-file", "edition-overlay", "edition-overlay-file"), ("with={code}", "with={name}")
    ),
    "topic": ("runs=focused&documents=all", "runs=nothing"),
    "topics": ("task=focused&sort=-relevant", "sort=median", "sort=-runs"),
    "search": ("q={name}", "q={team_name}", "q={said}", "q={code}", "q=secret"),
    "runs": ("team={team}&task=small/ad-hoc/focused", *PAGES),
    **dict.fromkeys(("run", "run-state"), ("measure=iP[0.01]",)),
    "submit": ("for={team}", "replaces={run}"),
    "collection": ("q=a", *PAGES),
    "campaigns": ("series={team_name}",),
    "notifications": PAGES,
    "api-v1:list_campaigns": ("page=2&page_size=1",),
    "api-v1:list_topics": ("page=2&page_size=1",),
    "api-v1:list_runs": ("task=small/ad-hoc/focused", "page=2&page_size=1"),
    "api-v1:show_scores": ("edition=1",),
}
"""What addresses are asked with besides nothing, by their names; the words in brackets stand in GUESSED or are ours."""
