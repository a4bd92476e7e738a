#!/usr/bin/env python3
"""Every alert fires when it should, not a moment before, and none while all is well; by `promtool test rules`.

    tests/prometheus/alerts.py            ends with 77 where there is no promtool
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

RULES = pathlib.Path(__file__).resolve().parents[2] / "provisioner/daemon/prometheus/cooperage.rules.yml"

WEB = 'job="cooperage",instance="a"'
REQUESTS = 'cooperage_http_requests_total{%s,class="%s",method="GET",code="%s"}'
TIMES = 'cooperage_http_request_duration_seconds_bucket{%s,area="api",le="%s"}'
ATTEMPTS = 'cooperage_attempts_total{instance="a",daemon="d",provider="aws",action="create",outcome="%s"}'
CALLS = 'cooperage_provider_calls_total{instance="a",daemon="d",provider="aws",verb="create",outcome="%s"}'


def requests(area, code):
    return REQUESTS % (WEB, area, code)


def up_to(bound):
    return TIMES % (WEB, bound)


# Two hours of an installation that is well, a value a minute. "1x9": ten times 1; "0+60x9": 60 more each time.
HEALTHY = {
    "up{%s}" % WEB: "1x120",
    "cooperage_database_up{%s}" % WEB: "1x120",
    "cooperage_database_breaker_open{%s}" % WEB: "0x120",
    'cooperage_daemons_alive{instance="a"}': "1x120",
    'cooperage_daemon_up{instance="a",daemon="d"}': "1x120",
    'cooperage_daemon_age_seconds{instance="a",daemon="d"}': "0+60x120",
    'cooperage_queue_tasks{instance="a",state="due"}': "20x120",
    'cooperage_tasks_claimed_total{instance="a",daemon="d"}': "0+30x120",
    'cooperage_queue_oldest_due_seconds{instance="a"}': "5x120",
    ATTEMPTS % "succeeded": "0+30x120",
    ATTEMPTS % "retried": "0+3x120",
    ATTEMPTS % "failed": "0+3x120",
    CALLS % "answered": "0+30x120",
    CALLS % "refused": "0+1x120",
    CALLS % "broken": "0+1x120",
    'cooperage_provider_accounts_failing{instance="a",provider="aws"}': "0x120",
    'cooperage_unknown_machines{instance="a"}': "0x120",
    'cooperage_lost_machines{instance="a"}': "0x120",
    requests("api/clusters", "2xx"): "0+600x120",
    requests("api/clusters", "5xx"): "0+1x120",
    requests("monitoring", "5xx"): "0+60x120",
    up_to("0.1"): "0+99x120",
    up_to("1"): "0+99x120",
    up_to("2.5"): "0+100x120",
    up_to("+Inf"): "0+100x120",
    "cooperage_web_threads_busy{%s}" % WEB: "7x120",
    "cooperage_web_threads{%s}" % WEB: "8x120",
    'cooperage_callbacks_given_up_recently{instance="a"}': "0x120",
    'cooperage_callbacks_late_seconds{instance="a"}': "30x120",
    'cooperage_retention_lag_seconds{instance="a",kind="output"}': "600x120",
    'cooperage_daemon_loop_lag_seconds{instance="a",daemon="d"}': "0.01x120",
}

# Alert, its labels, what is otherwise than HEALTHY, a minute in which it does not fire yet, a minute in which it does.
CASES = [
    ("CooperageWebDown", WEB, {"up{%s}" % WEB: "1x10 0x60"}, 12, 14),
    ("CooperageDatabaseDown", WEB, {"cooperage_database_up{%s}" % WEB: "1x10 0x60"}, 11, 13),
    ("CooperageDatabaseDown", WEB, {"cooperage_database_breaker_open{%s}" % WEB: "0x10 1x60"}, 11, 13),
    ("CooperageNoDaemon", "", {'cooperage_daemons_alive{instance="a"}': "1x10 0x60"}, 12, 14),
    ("CooperageDaemonGone", 'daemon="d"', {'cooperage_daemon_up{instance="a",daemon="d"}': "1x10 0x60"}, 20, 22),
    ("CooperageDaemonRestarts", 'daemon="d"',
     {'cooperage_daemon_age_seconds{instance="a",daemon="d"}': "0 60 120 0 60 0 60 0 60 0 60 0 60 120 180 240"}, 7, 11),
    ("CooperageQueueStuck", "", {'cooperage_tasks_claimed_total{instance="a",daemon="d"}': "0+30x10 300x110"}, 15, 20),
    ("CooperageOldTask", "", {'cooperage_queue_oldest_due_seconds{instance="a"}': "5x10 901x60"}, 15, 17),
    ("CooperageAttemptsFail", 'provider="aws"', {ATTEMPTS % "retried": "0+30x120"}, 4, 30),
    ("CooperageProviderFails", 'provider="aws"', {CALLS % "broken": "0+30x120"}, 9, 30),
    ("CooperageAccountFails", 'provider="aws"',
     {'cooperage_provider_accounts_failing{instance="a",provider="aws"}': "0x10 2x110"}, 70, 72),
    ("CooperageUnknownMachines", "", {'cooperage_unknown_machines{instance="a"}': "0x10 1x60"}, 40, 42),
    ("CooperageLostMachines", "", {'cooperage_lost_machines{instance="a"}': "0x10 1x60"}, 22, 28),
    ("CooperageWebErrors", 'instance="a"', {requests("api/clusters", "5xx"): "0+1x10 11+60x60"}, 12, 25),
    ("CooperageWebSlow", 'area="api",instance="a"', {up_to("0.1"): "0+50x120", up_to("1"): "0+50x120"}, 9, 15),
    ("CooperageWebBusy", WEB, {"cooperage_web_threads_busy{%s}" % WEB: "7x10 8x60"}, 12, 18),
    ("CooperageCallbacksGivenUp", "", {'cooperage_callbacks_given_up_recently{instance="a"}': "0x10 1x60"}, 10, 12),
    ("CooperageCallbacksLate", "", {'cooperage_callbacks_late_seconds{instance="a"}': "30x10 601x60"}, 15, 17),
    ("CooperageRetentionBehind", 'kind="output"',
     {'cooperage_retention_lag_seconds{instance="a",kind="output"}': "600x10 86401x110"}, 70, 72),
    ("CooperageLoopLag", 'daemon="d"', {'cooperage_daemon_loop_lag_seconds{instance="a",daemon="d"}': "0.01x10 3x60"}, 15, 17),
]


def severity_of(alert, rules):
    return re.search(r"- alert: %s\n.*?severity: (\w+)" % alert, rules, re.DOTALL)[1]


def test_text(name, otherwise, expectations):
    """One test of promtool; expectations are (minute, labels of what fires, or nothing)."""
    unknown = set(otherwise) - set(HEALTHY)
    assert not unknown, unknown
    lines = ["  - name: %s" % name, "    interval: 1m", "    input_series:"]
    lines += ["      - { series: '%s', values: '%s' }" % (key, otherwise.get(key, HEALTHY[key])) for key in HEALTHY]
    lines += ["    promql_expr_test:"]
    for minute, labels in expectations:
        samples = "[{ labels: '%s', value: 1 }]" % labels if labels else "[]"
        lines += ["      - { expr: 'ALERTS{alertstate=\"firing\"}', eval_time: %dm, exp_samples: %s }" % (minute, samples)]
    return "\n".join(lines)


def tests_text(rules):
    texts = [test_text("all is well", {}, [(30, ""), (100, "")])]
    for alert, labels, otherwise, before, after in CASES:
        labels = 'ALERTS{alertname="%s",alertstate="firing",severity="%s"%s}' % (
            alert, severity_of(alert, rules), "," + labels if labels else "")
        texts.append(test_text(alert, otherwise, [(before, ""), (after, labels)]))
    return "rule_files: [%s]\nevaluation_interval: 1m\ntests:\n%s\n" % (RULES, "\n".join(texts))


def main():
    if not shutil.which("promtool"):
        print("skipped: promtool (Debian package prometheus) is not installed")
        return 77
    rules = RULES.read_text()
    untested = set(re.findall(r"- alert: (\w+)", rules)) - {case[0] for case in CASES}
    if untested:
        sys.exit("alerts without a case: " + ", ".join(sorted(untested)))
    unknown = set(re.findall(r"\bcooperage_\w+", re.sub(r"description:.*?(?=\n\n|\Z)", "", rules, flags=re.DOTALL)))
    unknown -= {re.match(r"\w+", series)[0] for series in HEALTHY}
    if unknown:
        sys.exit("series of rules that the healthy installation does not have: " + ", ".join(sorted(unknown)))
    subprocess.run(["promtool", "check", "rules", RULES], check=True)
    with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
        file.write(tests_text(rules))
        file.flush()
        subprocess.run(["promtool", "test", "rules", file.name], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
