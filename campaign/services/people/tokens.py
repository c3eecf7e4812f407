"""Keys to the API: made, found again by their digest, revoked."""

import hashlib
import secrets
import string
from datetime import timedelta

from django.utils import timezone

from campaign.models import ApiToken

PREFIX = "lml_"
LETTERS = string.ascii_letters + string.digits
LENGTH = 40
USE_IS_NOTED_EVERY = timedelta(minutes=1)


def create_token(user, name):
    """Make a token for a person; returns its row, and the secret that is never to be had again."""
    secret = PREFIX + "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    beginning = secret[: ApiToken._meta.get_field("beginning").max_length]
    return ApiToken.objects.create(user=user, name=name, digest=digest_of(secret), beginning=beginning), secret


def digest_of(secret):
    """Return what is kept of a token; a random secret of this length needs no salt and no slow hash."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def find_token(secret):
    """Return the standing token that a secret opens, or None; notes its use, at most once a minute."""
    if not secret.startswith(PREFIX):
        return None
    token = ApiToken.objects.standing().select_related("user").filter(digest=digest_of(secret)).first()
    if token is not None:
        _note_use(token)
    return token


def _note_use(token):
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at >= USE_IS_NOTED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)


def revoke_token(token):
    """Make a token useless from now on."""
    ApiToken.objects.standing().filter(pk=token.pk).update(revoked_at=timezone.now())
