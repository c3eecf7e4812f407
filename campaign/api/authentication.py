"""Who calls, and how often: a token in the header, or nobody; never the cookie of a browser."""

from django.contrib.auth.models import AnonymousUser
from ninja.security import HttpBearer

from campaign.api.problems import ApiProblem
from campaign.backends import AccountBackend
from campaign.machinery.limits import API_READS, API_WRITES, address_of
from campaign.services.people.tokens import find_token

CHALLENGE = {"WWW-Authenticate": 'Bearer realm="Limelight"'}
ASK_FOR_ONE = "Send a token: Authorization: Bearer lml_…. You can make one on your page of API tokens."
OPENS_NOTHING = "This token is unknown or revoked. You can make a new one on your page of API tokens."


class ApiToken(HttpBearer):
    """Finds the person behind a request's token and puts them in place of whoever a cookie names."""

    is_required = True

    def __call__(self, request):
        """Return the token, or an anonymous user where none is needed; counts the request."""
        header = request.headers.get("Authorization", "")
        scheme, _, secret = header.partition(" ")
        token = find_token(secret.strip()) if scheme.lower() == "bearer" else None
        count(request, f"token-{token.pk}" if token else f"address-{address_of(request)}")
        if token is not None and AccountBackend().user_can_authenticate(token.user):
            request.user = token.user
        elif header:
            raise ApiProblem(401, OPENS_NOTHING, headers=CHALLENGE)
        elif self.is_required:
            raise ApiProblem(401, ASK_FOR_ONE, headers=CHALLENGE)
        else:
            request.user = AnonymousUser()
        return request.user

    def authenticate(self, request, token):
        """Stands here because HttpBearer asks for it; `__call__` does the work."""


class OptionalApiToken(ApiToken):
    """Lets those without a token in as visitors."""

    is_required = False


TOKEN = ApiToken()
ANYONE = OptionalApiToken()


def count(request, who):
    """Count a request against the limit of its kind; raises a problem when there were too many."""
    limit = API_READS if request.method in ("GET", "HEAD", "OPTIONS") else API_WRITES
    if wait := limit.seconds_to_wait(who):
        raise too_many(f"That was more than {limit.most} requests in {limit.seconds} seconds.", wait)


def too_many(sentence, wait):
    """Return the problem of asking too often."""
    return ApiProblem(429, f"{sentence} Come back in {wait} seconds; nothing is lost.", headers={"Retry-After": wait})
