"""By which engine the numbers of a board were made."""

from django.db.models import Count

from limelight.scoring.evaluators import ENGINE_VERSION


def engines_of(edition):
    """Say, for a board that an older engine built, that there is a newer one and what it has scored; "" otherwise.

    A run that comes later is scored by the engine of its day: the board then tells how many were.
    """
    scored = edition.evaluations.on_board().exclude(engine_version__in=["", edition.engine_version])
    others = scored.order_by("engine_version").values_list("engine_version").annotate(Count("pk"))
    told = [f"{count} run{'s' if count > 1 else ''} by engine {version}" for version, count in others]
    if edition.engine_version != ENGINE_VERSION:
        told.insert(0, f"an older one: {ENGINE_VERSION} scores now, and may give other numbers")
    return "; ".join(told)
