"""The page on which two texts are tried."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from otherwords.study.studio.server import Access, app
from otherwords.study.studio.trial_page import make_trial_page
from tests.browser import KEY, let_in, screenshot, violations

BASE = "http://127.0.0.1:8125"
ORIGINAL, WRONG = "The museum opens on 3 March.", "The museum opens on 13 March."


@pytest.fixture(scope="module")
def trial():
    return make_trial_page()


def test_two_texts_are_judged(trial):
    with TestClient(app([trial], access=Access(KEY)), BASE) as client:
        let_in(client)
        headers = {"origin": BASE}
        given = {"original": ORIGINAL, "rewrite": WRONG}
        found = client.post("/api/try/judge", json=given, headers=headers).json()
        assert found["passed"] is False
        assert found["verdict"].startswith("Blocked: ")
        assert '<mark class="ow-contradicted' in found["html"]
        refused = client.post("/api/try/judge", json={"original": 3}, headers=headers)
        assert refused.status_code == 400
        assert "original must be a text" in refused.json()["error"]


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_typing_and_examples(browser_page, trial, scheme):
    with browser_page([trial], color_scheme=scheme) as page:
        page.goto(page.address)
        page.get_by_label("Original").fill(ORIGINAL)
        page.get_by_label("Rewrite").fill(WRONG)
        page.expect("#verdict").to_have_text(
            "Blocked: the rewrite does not say the same as the original."
        )
        page.expect("#drawing mark.ow-contradicted").to_have_count(2)
        page.expect(".ow-reasons li").to_have_text(
            'The rewrite says "13 March"; the original says "3 March".'
        )
        page.click("button:text-is('good rewrite')")
        page.expect("#verdict").to_contain_text("Passes: ")
        page.expect("meter").to_have_count(4)
        page.expect("#drawing mark.ow-equivalent").not_to_have_count(0)
        assert violations(page) == []
        if scheme == "light":
            screenshot(page, "studio-try")
        page.get_by_label("Rewrite").fill("<img src=x onerror=alert(1)>")
        page.expect("#drawing img").to_have_count(0)
        page.set_viewport_size({"width": 360, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
