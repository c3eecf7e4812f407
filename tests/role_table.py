"""Who is let in where: a line for each address and method, a column for each role, a table for each world."""

from tests.stage import ROLES, addresses

DESK = "desk/campaigns/<slug:campaign>/"


def lines_of(table, like=None):
    """Return what a table expects: a code for each role, by method and address.

    A line for `all DESK` stands for every line of another table about an address of a campaign's desk; = is its code.
    """
    header, *lines = filter(None, table.splitlines())
    assert tuple(header.split()) == ROLES
    expected = {}
    for method, name, *codes in map(str.split, lines):
        assert len(codes) in (1, 2, len(ROLES)), name
        if len(codes) < len(ROLES):
            codes = [codes[0]] + [codes[-1]] * (len(ROLES) - 1)
        by_role = dict(zip(ROLES, codes, strict=True))
        if method == "all":
            for key in lines_of_the_desk(like):
                expected[key] = {role: like[key][role] if code == "=" else code for role, code in by_role.items()}
        else:
            expected[method, name] = by_role
    return expected


def lines_of_the_desk(table):
    """Return which lines of a table are about a campaign's desk."""
    desk = {name for name, route, _ in addresses() if route.startswith(DESK)}
    return [(method, name) for method, name in table if name in desk]


# A line an address and method. One code is for everybody, two are for visitors and for those who are signed in, seven
# for each role. `in` leads to the page for signing in. With ! something is changed; without, everything is as before.
# A method that has no line is refused: 405, or the page for signing in.
SEALED = lines_of(
    """
                             visitor own  other assessor organiser elsewhere superuser
GET  home                    200
GET  favicon                 302
GET  healthz                 200
GET  readyz                  503
GET  status                  200
GET  status-json             503
GET  api-guide               200
POST theme                   302
GET  theme-stylesheet        200
GET  search                  200
GET  results-feed            200
GET  deadlines               200
GET  sitemap                 200
GET  sitemap-part            200
GET  robots                  200

GET  campaigns               200
GET  campaign                200
GET  track                   200
GET  topics                  200
GET  topic                   200
GET  topics-file             200
GET  collection              200
GET  document                200
GET  example-run             200
GET  ranked-list             404     200  404   404      200       404       200
GET  ranked-list-file        404     200  404   404      200       404       200
GET  edition-ranked-list     404     200  404   404      200       404       200
GET  edition-ranked-list-file 404     200  404   404      200       404       200
GET  overlay                 404     200  404   404      200       404       200
GET  overlay-file            404     200  404   404      200       404       200
GET  edition-overlay         404     200  404   404      200       404       200
GET  edition-overlay-file    404     200  404   404      200       404       200
GET  board                   200
GET  card                    200
GET  task-feed               200
GET  campaign-feed           200
GET  campaign-deadlines      200
GET  edition                 200
GET  figure                  404     200  200   404      200       404       200
GET  edition-figure          404     200  200   404      200       404       200
GET  curves                  404     200  200   404      200       404       200
GET  edition-curves          404     200  200   404      200       404       200
GET  board-file              404     200  200   404      200       404       200
GET  edition-board-file      404     200  200   404      200       404       200
GET  public-run              404     200  404   404      200       404       200
GET  public-scores           404     200  404   404      200       404       200
GET  public-scores-as        404     200  404   404      200       404       200
GET  edition-run             404     200  404   404      200       404       200
GET  edition-scores          404     200  404   404      200       404       200
GET  edition-scores-as       404     200  404   404      200       404       200
GET  public-file             404     200  404   404      200       404       200
GET  scored-file             404     200  404   404      200       404       200
GET  edition-scored-file     404     200  404   404      200       404       200
GET  assessment-set          404     404  404   200      200       404       200
GET  register                in      200
POST register                in      302! 422   422      422       422       422
GET  submit                  in      200
POST submit                  in      302! 422   422      422       422       422
POST run-beginning           in      200  200   403      200       403       200

GET  runs                    in      200
GET  run                     in      200  404   404      200       404       200
GET  run-state               in      200  404   404      200       404       200
GET  run-scores              in      200  404   404      200       404       200
GET  run-file                in      200  404   404      200       404       200
GET  run-export              in      200  404   404      200       404       200
GET  run-report              in      200  404   404      200       404       200
POST run-rename              in      302! 404   404      302!      404       302!
POST run-official            in      302! 404   404      302!      404       302!
POST withdraw                in      302! 404   404      302!      404       302!

GET  teams                   in      200
GET  team-new                in      200
POST team-new                in      302!
GET  team-join               in      302  200   200      200       200       200
POST team-join               in      302  302!  302!     302!      302!      302!
GET  team                    in      200  404   404      200       404       200
POST team                    in      302! 404   404      404       404       302!
POST team-invite             in      302! 404   404      404       404       302!
POST team-revoke             in      302! 404   404      404       404       302!
POST team-leave              in      302! 404   404      404       404       302
POST team-role               in      302! 404   404      404       404       302!
POST team-remove             in      302! 404   404      404       404       302!
POST registration-withdraw   in      302! 404   404      404       404       302
POST registration-decide     in      404  404   404      302!      404       302!

GET  account                 in      200
POST account                 in      302!
GET  account-delete          in      200
POST account-delete          in      302! 302!  302!     422       422       302!
GET  notifications           in      200
GET  notification            in      302! 404   404      404       404       404
POST notifications-read      in      302! 302!  302      302       302       302
GET  notification-settings   in      200
POST notification-settings   in      302!
GET  api-tokens              in      200
POST api-tokens              in      200!
POST revoke-token            in      302! 404   404      404       404       404

GET  assessing               in      403  403   200      403       403       403
GET  desk                    in      403  403   403      200       200       200
GET  unconfirmed-accounts    in      403  403   403      200       200       200
POST confirm-account         in      403  403   403      302!      302!      302!

GET  campaign-desk           in      404  404   404      200       404       200
GET  desk-publication        in      404  404   404      200       404       200
POST desk-switches           in      404  404   404      302!      404       302!
POST desk-publish            in      404  404   404      200       404       200
POST desk-unpublish          in      404  404   404      302       404       302
GET  desk-preview            in      404  404   404      200       404       200
POST desk-reviewer-link      in      404  404   404      302!      404       302!
POST desk-revoke-link        in      404  404   404      302!      404       302!
GET  site-trail              in      404  404   404      404       404       200
GET  site-trail-file         in      404  404   404      404       404       200
GET  campaign-new            in      403  403   403      200       200       200
POST campaign-new            in      403  403   403      422       422       422
GET  desk-setup              in      404  404   404      200       404       200
POST desk-checklist          in      404  404   404      302       404       302
GET  desk-settings           in      404  404   404      200       404       200
POST desk-settings           in      404  404   404      422       404       422
POST organiser-add           in      404  404   404      422       404       422
POST organiser-remove        in      404  404   404      302       404       302
POST campaign-delete         in      404  404   404      422       404       422
GET  desk-copy               in      404  404   404      200       404       200
POST desk-copy               in      404  404   404      422       404       422
GET  track-new               in      404  404   404      200       404       200
POST track-new               in      404  404   404      302!      404       302!
GET  track-edit              in      404  404   404      200       404       200
POST track-edit              in      404  404   404      422       404       422
POST track-move              in      404  404   404      302       404       302
POST track-delete            in      404  404   404      302       404       302
GET  task-new                in      404  404   404      200       404       200
POST task-new                in      404  404   404      422       404       422
GET  task-edit               in      404  404   404      200       404       200
POST task-edit               in      404  404   404      422       404       422
POST task-move               in      404  404   404      302       404       302
POST task-delete             in      404  404   404      302       404       302
GET  desk-material           in      404  404   404      200       404       200
POST topics-upload           in      404  404   404      422       404       422
POST topics-confirm          in      404  404   404      302       404       302
POST topics-remove           in      404  404   404      302       404       302
POST collection-upload       in      404  404   404      302!      404       302!
GET  collection-import       in      404  404   404      200       404       200
GET  collection-import-state in      404  404   404      200       404       200
GET  collection-import-list  in      404  404   404      200       404       200
POST collection-import-accept in     404  404   404      302       404       302
POST collection-import-discard in    404  404   404      302       404       302
POST collection-import-again in      404  404   404      302       404       302
POST collection-version      in      404  404   404      302       404       302
GET  desk-trail              in      404  404   404      200       404       200
GET  desk-trail-file         in      404  404   404      200       404       200
GET  desk-pools              in      404  404   404      200       404       200
GET  desk-pool-new           in      404  404   404      200       404       200
POST desk-pool-new           in      404  404   404      422       404       422
GET  desk-pool               in      404  404   404      200       404       200
POST desk-pool-delete        in      404  404   404      302!      404       302!
GET  desk-pool-file          in      404  404   404      200       404       200
GET  desk-assessments        in      404  404   404      200       404       200
POST desk-upload-assessments in      404  404   404      422       404       422
POST desk-version-notes      in      404  404   404      302       404       302
GET  desk-differences        in      404  404   404      200       404       200
GET  desk-differences-csv    in      404  404   404      200       404       200
GET  desk-import             in      404  404   404      200       404       200
GET  desk-import-state       in      404  404   404      200       404       200
POST desk-import-accept      in      404  404   404      302!      404       302!
POST desk-import-discard     in      404  404   404      302!      404       302!
POST desk-import-again       in      404  404   404      302       404       302
GET  desk-import-report      in      404  404   404      200       404       200
GET  desk-boards             in      404  404   404      200       404       200
POST desk-activate           in      404  404   404      302!      404       302!
GET  desk-building           in      404  404   404      200       404       200
POST desk-rebuild            in      404  404   404      422       404       422
POST desk-roll-back          in      404  404   404      302!      404       302!
POST desk-building-deed      in      404  404   404      302       404       302
GET  desk-measures           in      404  404   404      200       404       200
POST desk-measures           in      404  404   404      422       404       422
GET  desk-runs               in      404  404   404      200       404       200
POST desk-runs-deed          in      404  404   404      422       404       422
POST desk-rejection-undo     in      404  404   404      200       404       200
GET  desk-queue              in      404  404   404      200       404       200
GET  desk-runs-archive       in      404  404   404      200       404       200
GET  desk-failure            in      404  404   404      200       404       200
GET  desk-grants             in      404  404   404      200       404       200
POST desk-grants             in      404  404   404      422       404       422
POST desk-grant-revoke       in      404  404   404      302!      404       302!
GET  desk-coverage           in      404  404   404      200       404       200
GET  desk-leave-one-out      in      404  404   404      200       404       200
GET  moved                   404     404  404   404      200       404       200
GET  compare                 404     200  200   404      200       404       200
POST compare                 in      404  404   404      302       404       302
GET  edition-compare         404     200  200   404      200       404       200
POST edition-compare         in      404  404   404      302!      404       302!
GET  comparisons             404     404  404   404      200       404       200
POST comparisons             in      404  404   404      302       404       302
GET  comparisons-file        404     404  404   404      200       404       200
GET  edition-comparisons     404     404  404   404      200       404       200
POST edition-comparisons     in      404  404   404      302       404       302
GET  edition-comparisons-file 404  404  404   404      200       404       200
GET  review                  200
POST review                  302!
POST review-end              302

GET  api-v1:list_campaigns   200
GET  api-v1:show_campaign    200
GET  api-v1:list_topics      200
GET  api-v1:show_topic       200
GET  api-v1:show_task        200
GET  api-v1:show_board       200
GET  api-v1:show_edition     200
GET  api-v1:show_status      200
GET  api-v1:list_runs        401     200
GET  api-v1:show_run         401     200  404   404      200       404       200
GET  api-v1:show_state       401     200  404   404      200       404       200
GET  api-v1:show_report      401     200  404   404      200       404       200
GET  api-v1:show_scores      401     200  404   404      200       404       200
POST api-v1:withdraw         401     200! 404   404      200!      404       200!
POST api-v1:submit           401     201! 422   422      422       422       422
POST api-v1:try_out          401     200  200   403      200       403       200
"""
)
# The same where the campaign is not public and the other team was sent away: a line for each address below a campaign
# or a collection, and for those that list what a person has to do with.
HIDDEN = lines_of(
    """
                             visitor own  other assessor organiser elsewhere superuser
GET  campaign                404     200  404   200      200       404       200
GET  track                   404     200  404   200      200       404       200
GET  topics                  404     200  404   200      200       404       200
GET  topic                   404     200  404   200      200       404       200
GET  topics-file             404     200  404   200      200       404       200
GET  collection              404     200  404   200      200       404       200
GET  document                404     200  404   200      200       404       200
GET  example-run             404     200  404   200      200       404       200
GET  ranked-list             404     200  404   404      200       404       200
GET  ranked-list-file        404     200  404   404      200       404       200
GET  edition-ranked-list     404     200  404   404      200       404       200
GET  edition-ranked-list-file 404     200  404   404      200       404       200
GET  overlay                 404     200  404   404      200       404       200
GET  overlay-file            404     200  404   404      200       404       200
GET  edition-overlay         404     200  404   404      200       404       200
GET  edition-overlay-file    404     200  404   404      200       404       200
GET  board                   404     200  404   200      200       404       200
GET  card                    404
GET  task-feed               404
GET  campaign-feed           404
GET  campaign-deadlines      404
GET  edition                 404     200  404   200      200       404       200
GET  figure                  404     200  404   200      200       404       200
GET  edition-figure          404     200  404   200      200       404       200
GET  curves                  404     200  404   200      200       404       200
GET  edition-curves          404     200  404   200      200       404       200
GET  board-file              404     200  404   200      200       404       200
GET  edition-board-file      404     200  404   200      200       404       200
GET  public-run              404     200  404   200      200       404       200
GET  public-scores           404     200  404   200      200       404       200
GET  public-scores-as        404     200  404   200      200       404       200
GET  edition-run             404     200  404   200      200       404       200
GET  edition-scores          404     200  404   200      200       404       200
GET  edition-scores-as       404     200  404   200      200       404       200
GET  public-file             404     200  404   404      200       404       200
GET  scored-file             404     200  404   404      200       404       200
GET  edition-scored-file     404     200  404   404      200       404       200
GET  assessment-set          404     404  404   200      200       404       200
GET  register                in      200  404   200      200       404       200
POST register                in      302! 404   422      422       404       422
GET  submit                  in      200  404   200      200       404       200
POST submit                  in      302! 404   422      422       404       422
POST run-beginning           in      200  404   403      200       404       200
GET  api-v1:show_campaign    404     200  404   200      200       404       200
GET  api-v1:list_topics      404     200  404   200      200       404       200
GET  api-v1:show_topic       404     200  404   200      200       404       200
GET  api-v1:show_task        404     200  404   200      200       404       200
GET  api-v1:show_board       404     200  404   200      200       404       200
GET  api-v1:show_edition     404     200  404   200      200       404       200
POST api-v1:submit           401     201! 404   422      422       404       422
POST api-v1:try_out          401     200  404   403      200       404       200
all  DESK                    in      404  404   404      =         404       =
GET  moved                   404     200  404   200      200       404       200
GET  compare                 404     200  404   200      200       404       200
POST compare                 in      404  404   404      302       404       302
GET  edition-compare         404     200  404   200      200       404       200
POST edition-compare         in      404  404   404      302!      404       302!
GET  comparisons             404     200  404   200      200       404       200
POST comparisons             in      302  404   302      302       404       302
GET  comparisons-file        404     200  404   200      200       404       200
GET  edition-comparisons     404     200  404   200      200       404       200
POST edition-comparisons     in      302  404   302      302       404       302
GET  edition-comparisons-file 404  200  404   200      200       404       200

GET  home                    200
GET  sitemap                 200
GET  sitemap-part            200
GET  results-feed            200
GET  deadlines               200
GET  search                  200
GET  runs                    in      200
GET  teams                   in      200
GET  notifications           in      200
GET  assessing               in      403  403   200      403       403       403
GET  desk                    in      403  403   403      200       200       200
GET  api-v1:list_campaigns   200
""",
    like=SEALED,
)
# The same where topics and collection are for registered teams, which the other team is no longer: what is different,
# and what could tell too much.
GATED = lines_of(
    """
                             visitor own  other assessor organiser elsewhere superuser
GET  topics                  403     200  403   200      200       403       200
GET  topic                   403     200  403   200      200       403       200
GET  topics-file             403     200  403   200      200       403       200
GET  collection              403     200  403   200      200       403       200
GET  document                403     200  403   200      200       403       200
GET  example-run             404     200  404   200      200       404       200
GET  ranked-list             404     200  404   404      200       404       200
GET  ranked-list-file        404     200  404   404      200       404       200
GET  edition-ranked-list     404     200  404   404      200       404       200
GET  edition-ranked-list-file 404     200  404   404      200       404       200
GET  overlay                 404     200  404   404      200       404       200
GET  overlay-file            404     200  404   404      200       404       200
GET  edition-overlay         404     200  404   404      200       404       200
GET  edition-overlay-file    404     200  404   404      200       404       200
GET  api-v1:list_topics      403     200  403   200      200       403       200
GET  api-v1:show_topic       403     200  403   200      200       403       200
POST api-v1:try_out          401     200  403   403      200       403       200

GET  campaign                200
GET  board                   200
GET  edition                 200
GET  figure                  200
GET  edition-figure          200
GET  curves                  200
GET  edition-curves          200
GET  board-file              200
GET  edition-board-file      200
GET  submit                  in      200
GET  run                     in      200  404   404      200       404       200
GET  runs                    in      200
GET  assessing               in      403  403   200      403       403       403
GET  api-v1:show_campaign    200
GET  api-v1:show_board       200
GET  api-v1:show_edition     200
"""
)
