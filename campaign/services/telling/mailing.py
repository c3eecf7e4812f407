"""Mail, sent from the rows of notifications: later, with retries, and never in the way of anything else.

A row is claimed by one conditional UPDATE that counts the attempt and puts the next one off, before anything is sent.
So two mailers never send the same row at once, and a process that dies between the server's yes and ours sends it
again after a pause: a mail may come twice, but it does not get lost. Both have the same Message-ID.
Whatever waits for the same person and is of the same kind goes into the same mail.
"""

import logging
from contextlib import suppress
from datetime import timedelta
from smtplib import SMTPDataError, SMTPRecipientsRefused, SMTPSenderRefused
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db import close_old_connections
from django.db.models import F
from django.urls import reverse
from django.utils import timezone
from django.utils.text import Truncator

from campaign.models import Notification
from campaign.services.telling.notifications import wants_by_mail
from limelight.wording import one_line

logger = logging.getLogger(__name__)

RETRY_AFTER = (timedelta(minutes=1), timedelta(minutes=10), timedelta(hours=1), timedelta(hours=6))
MOST_ATTEMPTS = len(RETRY_AFTER) + 1
BATCH = 50
MOST_IN_ONE_MAIL = 100
PAUSE_AFTER_TROUBLE = 30
"""Seconds until a mail server that hung, refused us or was gone is asked again."""
SUBJECT_LENGTH = 120
OF_ONE_MAIL = (SMTPRecipientsRefused, SMTPSenderRefused, SMTPDataError)
"""Refusals that say nothing about the next mail."""
Mail = Notification.Mail


def keep_mailing(told_to_stop, every):
    """Send what is due until told to stop; runs in a thread of its own, because a mail server may hang."""
    while not told_to_stop.is_set():
        reached = True
        try:
            reached = send_due(told_to_stop.is_set)
        except Exception:
            logger.exception("Mail could not be sent for a reason of ours; trying again.")
        close_old_connections()
        told_to_stop.wait(every if reached else PAUSE_AFTER_TROUBLE)


def send_due(told_to_stop=lambda: False):
    """Send a batch of the mail that is due over one connection; returns whether the mail server could be used."""
    due = list(Notification.objects.to_mail(timezone.now()).values_list("pk", flat=True)[:BATCH])
    if not due:
        return True
    connection = get_connection()
    try:
        for key in due:
            if told_to_stop():
                break
            if not _send(key, connection):
                return False
    finally:
        with suppress(OSError):
            connection.close()
    return True


def _send(key, connection):
    """Send one mail if nobody else does, and note what came of it; returns whether the mail server could be used."""
    first = claim(key)
    if first is None:
        return True
    others = Notification.objects.to_mail_along_with(first, timezone.now()).values_list("pk", flat=True)
    keys = list(others[: MOST_IN_ONE_MAIL - 1])
    rows = [first, *filter(None, (claim(other, is_due=False) for other in keys))]
    try:
        connection.open()
        connection.send_messages([message_of(*rows)])
    except Exception as error:
        for row in rows:
            _note_failure(row, error)
        return isinstance(error, OF_ONE_MAIL) or not isinstance(error, OSError)
    for row in rows:
        _change(row, mail_state=Mail.SENT, mail_error="", mailed_at=timezone.now())
    return True


def claim(key, is_due=True):
    """Take a waiting mail for one attempt, or return None where it is sent, not wanted, given up or another's."""
    waiting = Notification.objects.filter(pk=key, mail_state=Mail.WAITING)
    row = (waiting.to_mail(timezone.now()) if is_due else waiting).select_related("user").first()
    if row is None:
        return None
    if not wants_by_mail(row.user, row.kind):  # any more
        _change(row, mail_state=Mail.UNWANTED)
        return None
    if row.mail_attempts >= MOST_ATTEMPTS:  # the process died during the last one
        _change(row, mail_state=Mail.FAILED, mail_error=row.mail_error or "Nobody knows whether it was sent.")
        return None
    pause = RETRY_AFTER[min(row.mail_attempts, len(RETRY_AFTER) - 1)]
    if not _change(row, mail_attempts=F("mail_attempts") + 1, mail_after=timezone.now() + pause):
        return None
    row.mail_attempts += 1
    return row


def _change(row, **changes):
    """Change a waiting row as long as nobody else has taken it since it was read; returns whether it worked."""
    unchanged = Notification.objects.filter(pk=row.pk, mail_state=Mail.WAITING, mail_attempts=row.mail_attempts)
    return unchanged.update(**changes)


def _note_failure(row, error):
    reason = one_line(f"{type(error).__name__}: {error}")[:1000]
    gave_up = row.mail_attempts >= MOST_ATTEMPTS
    _change(row, mail_error=reason, **({"mail_state": Mail.FAILED} if gave_up else {}))
    logger.warning("Mail %s was not sent, attempt %s of %s (%s).", row.pk, row.mail_attempts, MOST_ATTEMPTS, reason)


def send_again(notifications):
    """Give mail that was given up fresh attempts; returns how many."""
    given_up = notifications.filter(mail_state=Mail.FAILED)
    return given_up.update(mail_state=Mail.WAITING, mail_attempts=0, mail_after=timezone.now(), mail_error="")


def message_of(first, *others):
    """Write the mail: the sentences, where to read more, and how to get fewer of these."""
    lines = []
    for row in (first, *others):
        lines += [row.text, ""]
        if row.address:
            lines += [f"{settings.SITE_URL}{row.address}", ""]
    lines += [
        "-- ",
        "You get this mail because you have an account on Limelight.",
        f"Choose what is mailed to you: {settings.SITE_URL}{reverse('notification-settings')}",
        "",
    ]
    subject = f"{1 + len(others)} times: {first.get_kind_display()}" if others else one_line(first.text)
    host = urlsplit(settings.SITE_URL).hostname or "localhost"
    return EmailMessage(
        subject=Truncator(f"Limelight: {subject}").chars(SUBJECT_LENGTH),
        body="\n".join(lines),
        to=[first.user.email],
        headers={
            "Message-ID": f"<notification-{first.pk}-{first.created_at:%Y%m%d%H%M%S}@{host}>",
            "Auto-Submitted": "auto-generated",
        },
    )
