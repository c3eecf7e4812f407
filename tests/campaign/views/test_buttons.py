"""A button's deed: done and told, or told why not."""

from django.contrib import messages
from django.contrib.messages.storage.cookie import CookieStorage
from django.test import RequestFactory

from campaign.services.refusals import Refused
from campaign.views.buttons import pressed


def double(number):
    if number > 5:
        raise Refused("That is too much.")
    return 2 * number


def press(number, **more):
    request = RequestFactory().post("/")
    request._messages = CookieStorage(request)
    done = pressed(request, double, number, **more)
    return done, [(message.level, message.message) for message in request._messages]


def test_what_is_done_is_said():
    assert press(2, told="Doubled.") == (True, [(messages.SUCCESS, "Doubled.")])
    assert press(2, told=lambda outcome: f"It is {outcome}.") == (True, [(messages.SUCCESS, "It is 4.")])
    assert press(2) == (True, [])


def test_what_is_refused_is_said_with_its_reason():
    assert press(6, told="Doubled.") == (False, [(messages.ERROR, "That is too much.")])
