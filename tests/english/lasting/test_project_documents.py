"""Documents that speak for a project, and their sentences that hold in it."""

import pytest

from memoir.english.lasting.project_documents import holds, only_weighs, speaks_for_project, without_steps
from memoir.taxonomy.kinds import DIRECTIVE, EVENT, FACT, PLAN, PLAYBOOK, PREFERENCE, RESOLUTION


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("CLAUDE.md", "Use pnpm."),
        ("docs/adr/0007-queue.md", "# A queue\n"),
        ("ops/runbook_search.md", "# Search\n"),
        ("2026-05-06.md", "# Platform weekly, 6 May\n"),
        ("one.md", "---\ntitle: Post-mortem of 17 March\n---\n"),
        ("two.md", "# Queues\n\n## Status\n\nAccepted\n"),
        ("three.md", "# Queues\n\n*Status: draft 3, 2 June*\n"),
        ("four.md", "# Friday\n\n**Attendees:** Ann, Bo\n"),
        ("five.txt", "Friday\n\nAction items\n- Bo tags 4.9\n"),
    ],
)
def test_a_team_speaks_by_the_name_the_title_or_a_line_of_a_document(name: str, text: str) -> None:
    assert speaks_for_project(name, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("README.md", "# Fast JSON\n\nYou must call `dumps`. We recommend wheels.\n"),
        ("docs/agents.md", "# Agents\n\nAn agent reads the store.\n"),
        ("changelog.rst", "# 1.2\n\nWe decided to drop Python 3.8.\n"),
        ("tutorial.md", "# Learn it in ten minutes\n\nThe status is accepted by the server.\n"),
        ("adr-template.md", "# NUMBER. TITLE\n\n## Status\n\nAccepted\n"),
    ],
)
def test_a_manual_or_a_template_speaks_for_no_project(name: str, text: str) -> None:
    assert not speaks_for_project(name, text)


def test_what_stands_under_the_context_or_the_options_is_only_weighed() -> None:
    assert only_weighs(["Queue", "Context and problem statement"])
    assert only_weighs(["Queue", "Considered options"])
    assert not only_weighs(["Context of queues", "Decision"])
    assert not only_weighs([])


@pytest.mark.parametrize(
    ("sentence", "kind", "path"),
    [
        ("Never commit to `main`.", DIRECTIVE, "workflow.git.commits"),
        ("We use Postgres as the job queue.", FACT, "context.stack.postgres"),
        ("I prefer short functions.", PREFERENCE, "preferences.coding.functions"),
        ("The committee agreed to wait for the summary.", RESOLUTION, "knowledge.decisions.summary"),
        ("4.9 is planned for 20 May.", PLAN, "project.timeline.release"),
        ("Tobias owns the worker.", FACT, "relationships.colleagues.tobias"),
    ],
)
def test_rules_decisions_what_we_do_days_and_owners_hold(sentence: str, kind: str, path: str) -> None:
    assert holds(sentence, kind, path)


@pytest.mark.parametrize(
    ("sentence", "kind", "path"),
    [
        ("A queue is a place where work waits.", FACT, "knowledge.technical.queue"),
        ("We need a queue.", DIRECTIVE, "knowledge.decisions.queue"),
        ("Do not repeat its key.", DIRECTIVE, "workflow.review.key"),
        ("Give better error messages.", DIRECTIVE, "debugging.errors.messages"),
        ("Test data would need to be provided.", DIRECTIVE, "workflow.testing.data"),
        ("We'd have to create each mock.", FACT, "workflow.testing.mocks"),
        ("Check and update during implementation.", DIRECTIVE, "workflow.testing.implementation"),
        ("I also had to explore containers.", FACT, "context.project.containers"),
        ("The fix is correct on both platforms.", RESOLUTION, "debugging.fixes.platforms"),
        ("If you hear nothing, ping the maintainers.", PLAYBOOK, "project.timeline.maintainers"),
        ("There are reasons to prefer classes.", PREFERENCE, "preferences.coding.classes"),
        ("Prefer tabs.", DIRECTIVE, "preferences.coding.tabs"),
        ("Support received 412 tickets.", EVENT, "experience.incidents.tickets"),
        ("Never paste one into an issue.", DIRECTIVE, "workflow.review.issue"),
        ("Commit and push to your fork.", DIRECTIVE, "workflow.git.fork"),
        ("Run `build --token your-token-id`.", DIRECTIVE, "workflow.release.build"),
        ("We've not evaluated the runner for longer use.", FACT, "knowledge.technical.runner"),
    ],
)
def test_what_explains_wishes_guesses_or_points_elsewhere_does_not_hold(sentence: str, kind: str, path: str) -> None:
    assert not holds(sentence, kind, path)


def test_a_numbered_order_is_a_step_and_a_numbered_rule_is_none() -> None:
    text = "1. Run the checks\n   of both hosts.\n2. Never push on Fridays.\n\n3) **Deploy** it.\n\nRun `make` first.\n"
    assert without_steps(text) == "2. Never push on Fridays.\n\n\nRun `make` first.\n"
    assert without_steps("- Run the checks.\n") == "- Run the checks.\n"


def test_a_numbered_order_for_each_time_is_a_rule() -> None:
    rules = "1. Run `make check` before every commit.\n2. Add a test for each bug.\n3. Always run it.\n"
    assert without_steps(f"{rules}4. Tag each commit.\n") == rules
