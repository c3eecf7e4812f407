"""Wrong passwords: counted for an account from one network, so that a stranger's mistakes lock nobody else out.

A device from which somebody has signed in before carries a signed cookie. It is counted by itself: however many wrong
passwords come from elsewhere, the person gets in from there. The cookie ends with the password it was given for.
"""

import secrets
from ipaddress import ip_address, ip_network

from allauth.account.utils import filter_users_by_email
from django.conf import settings
from django.core.signing import BadSignature
from django.utils.crypto import constant_time_compare

from campaign.machinery.limits import RateLimit
from campaign.models import User

COOKIE, SALT = "known_device", "campaign.sign_in.device"
A_YEAR = 365 * 24 * 3600
FROM_EVERYWHERE = RateLimit("sign-in", most=100, seconds=3600)
"""Guesses at one account from all networks together; known devices are not asked."""


def network_of(address):
    """Return the network that an address is in: neighbours often are the same person.

    >>> network_of("192.0.2.77"), network_of("2001:db8:1:2:3::4"), network_of("unknown")
    ('192.0.2.0/24', '2001:db8:1:2::/64', 'unknown')
    """
    try:
        version = ip_address(address).version
    except ValueError:
        return address
    return str(ip_network(f"{address}/{24 if version == 4 else 64}", strict=False))


def account_named(login):
    """Return the account that a user name or an address belongs to, or None."""
    if "@" in login and (found := filter_users_by_email(login)):
        return found[0]
    return User.objects.filter(username__iexact=login).first()


def counted_for(request, login, address):
    """Return what wrong passwords are counted for: an account from a network, or from a device it is known on."""
    user = account_named(login)
    name = f"account {user.pk}" if user else f"login {login.lower()}"
    device = known_device(request, user)
    return f"{name}, device {device}" if device else f"{name}, network {network_of(address)}"


def is_guessed_too_often(request, login):
    """Count a guess at an account from wherever it comes; a known device is always let through."""
    user = account_named(login)
    return bool(user and not known_device(request, user) and FROM_EVERYWHERE.seconds_to_wait(user.pk))


def known_device(request, user):
    """Return the name of the device a request comes from if the person has signed in there before, else ""."""
    if user is None:
        return ""
    try:
        key, proof, device = request.get_signed_cookie(COOKIE, default="", salt=SALT, max_age=A_YEAR).split("|")
    except (BadSignature, ValueError):
        return ""
    return device if key == str(user.pk) and constant_time_compare(proof, _proof_of(user)) else ""


def remember_device(response, request, user):
    """Give a device from which somebody signed in the cookie it is known by."""
    device = known_device(request, user) or secrets.token_urlsafe(9)
    response.set_signed_cookie(
        COOKIE,
        f"{user.pk}|{_proof_of(user)}|{device}",
        salt=SALT,
        max_age=A_YEAR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


def _proof_of(user):
    return user.get_session_auth_hash()[:32]
