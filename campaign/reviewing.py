"""Reviewers: people who came in by a link and see what it shows, for as long as it is not revoked."""

from campaign.services.visibility.publication import reviewed_campaigns

SESSION_KEY = "reviewer_links"


def remember(request, link):
    """Keep in a browser's session that it came in by a link."""
    request.session[SESSION_KEY] = sorted({*request.session.get(SESSION_KEY, []), link.pk})


def forget(request):
    """Let a browser be a reviewer's no longer."""
    request.session.pop(SESSION_KEY, None)


def reviewers(get_response):
    """Tell the rules which campaigns somebody reviews; asked anew for each request, so that links can end."""

    def respond(request):
        if keys := request.session.get(SESSION_KEY):
            request.user.reviewed_campaigns = reviewed_campaigns(keys)
        return get_response(request)

    return respond
