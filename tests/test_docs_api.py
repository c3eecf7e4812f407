"""The API's schema, its guide and the page that shows it."""

import re

import pytest
from django.urls import reverse

from campaign.machinery.limits import API_READS, API_WRITES, DRY_RUNS
from config.api import api
from tests.folders import DOCS

GUIDE = (DOCS / "api.md").read_text()


@pytest.fixture
def schema(client, db):
    return client.get("/api/v1/openapi.json").json()


def operations(schema):
    return [
        (path, method, operation) for path, methods in schema["paths"].items() for method, operation in methods.items()
    ]


def references(part):
    if isinstance(part, dict):
        for key, value in part.items():
            if key == "$ref":
                yield value
            else:
                yield from references(value)
    elif isinstance(part, list):
        for value in part:
            yield from references(value)


def test_every_endpoint_has_a_heading_and_every_heading_an_endpoint():
    endpoints = {f"{method.upper()} {path}" for path, method, _ in operations(api.get_openapi_schema())}

    assert set(re.findall(r"^### `(\w+ /api/v1/[^`]*)`$", GUIDE, re.MULTILINE)) == endpoints
    assert len(endpoints) == 16


def test_the_schema_is_served_and_holds_together(schema):
    assert schema["openapi"].startswith("3.")
    assert schema["info"]["title"] == "Limelight API"
    names = [operation["operationId"] for _, _, operation in operations(schema)]
    assert len(names) == len(set(names))
    for reference in references(schema):
        section, kind, name = reference.removeprefix("#/").split("/")
        assert name in schema[section][kind], reference
    for path, method, operation in operations(schema):
        told = {parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "path"}
        assert told == set(re.findall(r"{(\w+)}", path)), path
        assert operation["summary"] and operation["description"] and operation["tags"], path
        assert "application/problem+json" in operation["responses"]["default"]["content"]
        assert {"ApiToken": []} in operation["security"]
        assert any(status.startswith("2") for status in operation["responses"]), (method, path)


def test_the_schema_tells_what_needs_a_token(schema):
    needy = {operation["operationId"] for _, _, operation in operations(schema) if {} not in operation["security"]}

    assert needy == {
        "list_runs",
        "show_run",
        "show_state",
        "show_report",
        "show_scores",
        "submit",
        "try_out",
        "withdraw",
    }
    assert set(schema["components"]["securitySchemes"]) == {"ApiToken"}


def test_the_schema_tells_how_a_run_is_sent(schema):
    submit = schema["paths"]["/api/v1/campaigns/{campaign}/{track}/{task}/runs"]["post"]

    form = submit["requestBody"]["content"]["multipart/form-data"]["schema"]
    assert set(form["properties"]) == {"file", "team", "name", "description", "query", "topic_fields"}
    assert form["required"] == ["file"]
    assert "idempotency-key" in {parameter["name"].lower() for parameter in submit["parameters"]}


def test_the_guide_tells_the_limits_that_hold():
    text = " ".join(GUIDE.split())

    assert f"{API_READS.most} requests that read and {API_WRITES.most} that write a minute" in text
    assert (API_READS.seconds, API_WRITES.seconds) == (60, 60)
    assert f"{DRY_RUNS.most} dry runs in ten minutes" in text
    assert DRY_RUNS.seconds == 600


def test_the_site_shows_the_guide_with_its_own_address(client, db):
    page = client.get(reverse("api-guide")).content.decode()

    assert page.count("<h1") == 1
    assert "export LIMELIGHT=http://testserver\n" in page
    assert "limelight.example.org" not in page
    assert '<h3 id="get-apiv1campaigns">' in page
    assert 'href="/account/tokens/"' in page
    assert 'href="/api/v1/docs"' in page
    assert 'href="/api/"' in client.get("/").content.decode()  # in the footer


def test_the_documentation_page_asks_no_other_host(client, db):
    response = client.get("/api/v1/docs")

    page = response.content.decode()
    assert response.status_code == 200
    assert re.findall(r'(?:src|href)="(https?:)?//', page) == []
    assert '<html lang="en">' in page
    assert "script-src 'self'" in response["Content-Security-Policy"]
