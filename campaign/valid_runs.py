"""What follows when a run becomes valid: other apps say it at the start, so that the campaign need not know them."""

_following = []


def when_valid(do):
    """Have something done with every run that becomes valid, in the transaction that makes it so."""
    if do not in _following:
        _following.append(do)


def became_valid(run):
    """Do what others want done with a run that has just become valid."""
    for do in _following:
        do(run)
