"""Where the pages of a run are, for templates."""

from django import template

from evaluation.services import run_addresses

register = template.Library()

for _address in (
    run_addresses.run_address,
    run_addresses.ranked_list_address,
    run_addresses.account_address,
    run_addresses.segments_address,
    run_addresses.scores_address,
    run_addresses.scored_address,
    run_addresses.comparisons_address,
    run_addresses.compare_address,
):
    register.simple_tag(_address)
