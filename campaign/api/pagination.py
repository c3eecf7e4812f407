"""Long lists in pages: how many there are, and where the next and the previous page is."""

from ninja import Field, Schema

LONGEST_PAGE = 100


class PageQuery(Schema):
    """Which page of a list is asked for."""

    page: int = Field(1, ge=1, le=1_000_000, description="The page, from 1.")
    page_size: int = Field(50, ge=1, le=LONGEST_PAGE, description=f"Entries a page, at most {LONGEST_PAGE}.")


class Page(Schema):
    """One page of a list."""

    count: int = Field(description="Entries on all pages.")
    next: str | None = Field(description="Address of the next page.")
    previous: str | None = Field(description="Address of the previous page.")


def paginated(request, rows, asked, describe):
    """Return one page of a query, each of its rows as `describe` makes of them all together."""
    count, first = rows.count(), (asked.page - 1) * asked.page_size
    last = first + asked.page_size
    return {
        "count": count,
        "next": _address(request, asked.page + 1) if last < count else None,
        "previous": _address(request, asked.page - 1) if asked.page > 1 else None,
        "results": describe(rows[first:last]),
    }


def _address(request, page):
    query = request.GET.copy()
    query["page"] = page
    return request.build_absolute_uri(f"{request.path}?{query.urlencode()}")
