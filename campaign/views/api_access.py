"""The door to the API: its guide, and the tokens that open it."""

from functools import lru_cache
from itertools import pairwise

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.html import escape
from django.utils.safestring import mark_safe
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from markdown_it import MarkdownIt

from campaign.forms.participants import TokenForm
from campaign.services.people.tokens import create_token, revoke_token

GUIDE = settings.BASE_DIR / "docs" / "api.md"
ADDRESS_IN_GUIDE = "https://limelight.example.org"


@require_safe
def guide(request):
    """Show the guide to the API, with this site's own address in its commands."""
    page = rendered_guide().replace(ADDRESS_IN_GUIDE, escape(request.build_absolute_uri("/").rstrip("/")))
    return render(request, "campaign/api_guide.html", {"guide": mark_safe(page)})


@lru_cache(maxsize=1)
def rendered_guide():
    """Return docs/api.md as HTML, its headings with anchors."""
    markdown = MarkdownIt("commonmark", {"html": False})
    tokens = markdown.parse(GUIDE.read_text(encoding="utf-8"))
    for token, words in pairwise(tokens):
        if token.type == "heading_open":
            token.attrSet("id", slugify(words.content))
    return markdown.renderer.render(tokens, markdown.options, {})


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request):
    """List a person's tokens, and make a new one, whose secret is in this answer and never again."""
    form = TokenForm(request.POST if request.method == "POST" else None)
    context, status = {"form": form}, 200
    if form.is_bound and form.is_valid():
        context["new"], context["secret"] = create_token(request.user, form.cleaned_data["name"])
        context["form"] = TokenForm()
    elif form.is_bound:
        status = 422
    context["tokens"] = request.user.api_tokens.standing()
    context["address"] = request.build_absolute_uri("/api/v1/")
    return render(request, "campaign/token_list.html", context, status=status)


@login_required
@require_POST
def revoke(request, pk):
    """Make one of a person's tokens useless."""
    token = get_object_or_404(request.user.api_tokens.standing(), pk=pk)
    revoke_token(token)
    messages.success(request, f"Token {token.name} is revoked. Whatever used it can no longer sign in.")
    return redirect("api-tokens")
