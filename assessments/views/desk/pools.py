"""The desk's pools: what each track has, making one after a look at its sizes, and taking it away."""

from django.contrib import messages
from django.db.models import Count, Prefetch
from django.http import Http404, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_POST, require_safe

from assessments.forms.pools import PoolForm
from assessments.models import Pool
from assessments.services.judged import judged_in_pools, version_numbered
from assessments.services.pool_exports import FILE_FORMATS, pool_file, pool_file_name
from assessments.services.pool_summaries import summarise
from assessments.services.pools import check_choice, choose_runs, delete_pool, has_begun, make_pool, poolable_runs
from campaign.models import Run
from campaign.services.acting import By
from campaign.services.refusals import Refused
from campaign.services.telling.audit import changed_since, fingerprint
from campaign.views.buttons import pressed
from campaign.views.desk.frame import desk_page, render_desk
from campaign.views.sending import content_type_of
from limelight.formats.fields import whole_number
from limelight.wording import counted

TAB = "desk-pools"
NOT_THESE = (
    "The runs that a pool can be made of changed after you opened this page: they are {many} now. Nothing was made. "
    "Your ticks stand below; look at the list again."
)


@desk_page
@require_safe
def pool_list(request, campaign):
    """List a campaign's pools by track."""
    pools = Pool.objects.annotate(size=Count("documents", distinct=True), run_count=Count("runs", distinct=True))
    tracks = campaign.tracks.prefetch_related(Prefetch("pools", pools.select_related("created_by", "without")))
    listed = [_listed(track) for track in tracks]
    return render_desk(request, "desk/pools.html", campaign, {"tracks": listed}, tab=TAB)


def _listed(track):
    """Return a track with its pools, and how many documents of each remain to be judged under the newest version."""
    newest, pools = version_numbered(track), list(track.pools.all())
    judged = judged_in_pools(track, newest) if newest and pools else {}
    for pool in pools:
        pool.to_judge = pool.size - judged.get(pool.pk, 0)
    return {"track": track, "pools": pools, "newest": newest, "run_count": len(poolable_runs(track))}


@desk_page
def new(request, campaign, track):
    """Choose runs and a depth, look at the sizes, and make the pool."""
    track = get_object_or_404(campaign.tracks, slug=track)
    runs = poolable_runs(track)
    queryset = Run.objects.filter(pk__in=[run.pk for run in runs]).select_related("team", "task")
    tasks = {run.task.slug: run.task for run in runs}
    sent = request.method == "POST"
    ticked = [run.pk for run in runs if run.task.slug == request.GET.get("task", run.task.slug)]
    versions = track.assessment_sets.order_by("-version")
    form = PoolForm(queryset, versions, request.POST if sent else None, initial={"runs": ticked})
    preview, seen = None, request.POST.get("seen", "")
    if sent and changed_since(_shown(runs), seen):
        form.add_error(None, NOT_THESE.format(many=counted(len(runs), "run")))
    if sent and form.is_valid():
        wanted = {run.pk for run in form.cleaned_data["runs"]}
        chosen = choose_runs([run for run in runs if run.pk in wanted], form.cleaned_data["runs_per_team"])
        depth = form.cleaned_data["depth"]
        try:
            if "make" in request.POST:
                made = make_pool(track, by=By(request.user), runs=chosen, depth=depth, without=form.without)
                messages.success(request, _told(made))
                return redirect("desk-pool", campaign.slug, made.pool.pk)
            check_choice(track, chosen, depth)
            preview = summarise(track, chosen, depth, version=form.judged_under, without=form.without)
        except Refused as refusal:
            form.add_error(refusal.field, refusal.reason)
    shown = {
        "track": track,
        "form": form,
        "runs": runs,
        "ticked": [whole_number(key) for key in request.POST.getlist("runs")] if sent else ticked,
        "tasks": tasks.values() if len(tasks) > 1 else (),
        "preview": preview,
        "without": form.without if preview else None,
        "seen": fingerprint(_shown(runs)),
    }
    status = 422 if form.is_bound and form.errors else 200
    return render_desk(request, "desk/pool_new.html", campaign, shown, tab=TAB, status=status)


def _shown(runs):
    """Return the runs that the page offers."""
    return {"runs": sorted(run.pk for run in runs)}


def _told(made):
    size = made.pool.documents.count()
    if made.is_new:
        return f"Pool {made.pool.number} is made: {counted(size, 'document')} to judge."
    return f"Pool {made.pool.number} was made of the same runs at the same depth already. Here it is."


@desk_page
@require_safe
def pool(request, campaign, pk):
    """Show a pool: sizes by topic, overlap between teams, and what only one of them brought."""
    pool = _pool_or_404(campaign, pk)
    version = _version_or_404(pool.track, request.GET.get("version"))
    runs = list(pool.runs.exclude(columns_file="").select_related("team", "task").order_by("-is_official", "pk"))
    shown = {
        "pool": pool,
        "size": pool.documents.count(),
        "summary": summarise(pool.track, runs, pool.depth, version=version, without=pool.without),
        "versions": pool.track.assessment_sets.order_by("-version"),
        "formats": FILE_FORMATS,
        "has_begun": has_begun(pool),
    }
    return render_desk(request, "desk/pool.html", campaign, shown, tab=TAB)


@desk_page
@require_safe
def download(request, campaign, pk, file_format):
    """Send a pool, or one topic of it, as a file."""
    pool = _pool_or_404(campaign, pk)
    if file_format not in FILE_FORMATS:
        raise Http404
    topic = get_object_or_404(pool.track.topics, number=request.GET["topic"]) if request.GET.get("topic") else None
    if topic and not pool.documents.filter(topic=topic).exists():
        raise Http404
    without = _version_or_404(pool.track, request.GET.get("without")) if request.GET.get("without") else None
    name = pool_file_name(pool, file_format, topic.number if topic else "", without)
    return StreamingHttpResponse(
        pool_file(pool, file_format, topic, without=without),
        content_type=content_type_of(name),
        headers={"Content-Disposition": content_disposition_header(True, name)},
    )


@desk_page
@require_POST
def delete(request, campaign, pk):
    """Take back a pool that nobody has begun to judge."""
    pool = Pool.objects.filter(track__campaign=campaign, pk=pk).select_related("track__campaign").first()
    if pool is None:
        messages.info(request, "This pool is gone already.")
        return redirect("desk-pools", campaign.slug)
    told = f"Pool {pool.number} of {pool.track.name} is deleted."
    if pressed(request, delete_pool, pool, by=By(request.user), told=told):
        return redirect("desk-pools", campaign.slug)
    return redirect("desk-pool", campaign.slug, pk)


def _version_or_404(track, number):
    """Return the version of a track's assessments that is asked for, the newest without a number."""
    if not number:
        return version_numbered(track)
    wanted = whole_number(number)
    found = None if wanted is None else version_numbered(track, wanted)
    if found is None:
        raise Http404
    return found


def _pool_or_404(campaign, pk):
    return get_object_or_404(
        Pool.objects.select_related("track__campaign", "track__collection", "created_by", "without"),
        track__campaign=campaign,
        pk=pk,
    )
