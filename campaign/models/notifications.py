"""What people are told: in the application always, by mail if they want it."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class NotificationQuerySet(models.QuerySet):
    """Notifications as the pages and the mailer ask for them."""

    def unread(self):
        """Return those that their person has not seen."""
        return self.filter(read_at=None)

    def to_mail(self, moment):
        """Return those whose mail is due at a moment, oldest first."""
        return self.filter(mail_state=Notification.Mail.WAITING, mail_after__lte=moment).order_by("pk")

    def to_mail_along_with(self, row, moment):
        """Return what can go into the same mail: of the same kind, to the same person, and in nobody's hands."""
        free = Q(mail_attempts=0) | Q(mail_after__lte=moment)
        waiting = self.filter(free, mail_state=Notification.Mail.WAITING, user=row.user_id, kind=row.kind)
        return waiting.exclude(pk=row.pk).order_by("pk")

    def last_mailed(self, users, kind):
        """Return when each of some people was last mailed something of a kind."""
        mailed = self.filter(user__in=users, kind=kind).exclude(mailed_at=None).order_by()
        return dict(mailed.values_list("user").annotate(models.Max("mailed_at")))


class Notification(models.Model):
    """One thing that one person is told; told once, however often the work behind it is repeated."""

    class Kind(models.TextChoices):
        SCORED = "scored", "a run was scored"
        REJECTED = "rejected", "a run was rejected"
        COUNTS_AGAIN = "counts-again", "a run that was rejected counts again"
        FAILED = "failed", "something failed on our side"
        REEVALUATED = "re-evaluated", "runs were scored anew"
        BUILT = "built", "new boards are built and wait for a look"
        DEADLINE = "deadline", "a deadline is near"
        DEADLINE_MOVED = "deadline-moved", "a deadline was moved"
        RESULTS = "results", "results are out"
        GRANT = "grant", "a team may submit more runs, or longer"
        IMPORT = "import", "a file that was uploaded at the desk has been read"
        REGISTRATION = "registration", "a registration was decided or waits for a decision"
        TEAM = "team", "somebody joined or left a team"

    class Mail(models.TextChoices):
        UNWANTED = "unwanted", "not wanted"
        WAITING = "waiting", "waiting to be sent"
        SENT = "sent", "sent"
        FAILED = "failed", "given up"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notifications")
    kind = models.CharField(max_length=16, choices=Kind)
    about = models.CharField(max_length=200, help_text="What it is about; one person is told of it once a kind.")
    text = models.TextField()
    address = models.CharField(max_length=500, blank=True, help_text="The page that shows more, from the root.")
    created_at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True, blank=True)
    mail_state = models.CharField(max_length=10, choices=Mail, default=Mail.UNWANTED)
    mail_after = models.DateTimeField(null=True, blank=True)
    mail_attempts = models.PositiveSmallIntegerField(default=0)
    mailed_at = models.DateTimeField(null=True, blank=True)
    mail_error = models.TextField(blank=True)

    objects = NotificationQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [
            models.Index(fields=["user", "read_at"], name="notifications_unread"),
            models.Index(fields=["mail_state", "mail_after"], name="notifications_to_mail"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["user", "kind", "about"], name="told_once"),
            models.CheckConstraint(
                condition=Q(mail_state__in=["unwanted", "waiting", "sent", "failed"]), name="mail_state_is_known"
            ),
        ]

    def __str__(self):
        return self.text
