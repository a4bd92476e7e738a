"""api.md §10: queues and node usage."""

from .support import having, keeping, matching

USAGE = "/v2/metrics/nodes/usage"
IDLE = {"queued": 0, "inProgress": 0, "total": 0}
ONE = r'\{"start":\d+,"end":\d+,"data":\[\{"time":\d+,"value":\d+\}\]\}'


def usage(query, status, expected, role="other"):
    return ("GET", USAGE + query, role, None, status, expected)


def steps(_world):
    return [
        "queues",
        ("GET", "/v2/metrics/queues", "user", None, 403, "Forbidden to get queue metrics."),
        ("GET", "/v2/metrics/queues", "other-admin", None, 200, {"contract": IDLE}),
        ("GET", "/v2/metrics/queues", "super", None, 200, having({"superadmin": IDLE, "contract": IDLE, "demo": {}})),

        "node usage",
        ("GET", "/v2/clusters/$others_cluster", "other", None, 200, keeping("tenant", "account", "tenantId")),
        usage("", 200, matching(ONE)),
        usage("?tenant=$tenant", 200, matching(ONE)),
        usage("?tenant=$tenant", 200, matching(ONE), role="super"),
        usage("", 200, matching(ONE), role="super"),
        usage("?tenant=$tenant", 405, matching(r"Getting information about tenant $tenant not allowed for tenant [-0-9a-f]{36}"),
              role="admin"),
        usage("?user=bob&cluster=$others_cluster&clustertemplate=ct-sim&timeunit=HOURS&groupby=year", 200,
              having({"data": [{"value": 0}]})),
        usage("?user=nobody&start=5&end=7", 200, {"start": 5, "end": 7, "data": [{"time": 5, "value": 0}]}),
        usage("?clustertemplate=nope&end=7", 200, {"start": 0, "end": 7, "data": [{"time": 0, "value": 0}]}),
        usage("?cluster=99999999&start=5&end=7", 200, {"start": 5, "end": 7, "data": [{"time": 5, "value": 0}]}),
        usage("?cluster=abc", 400, "Incorrect value for field cluster: abc"),
        usage("?start=x", 400, "Incorrect value for start x or end null timestamp"),
        usage("?start=1&end=y", 400, "Incorrect value for start 1 or end y timestamp"),
        usage("?start=9&end=8", 400, "Incorrect value for start 9 or end 8 timestamp"),
        usage("?groupby=Hour", 400, "Incorrect value for field groupby: Hour"),
        usage("?timeunit=weeks", 400, "Incorrect value for field timeunit: weeks"),
    ] + [usage(f"?user=nobody&groupby={word}", 200, matching(ONE)) for word in ("hour", "day", "week", "month", "year")] \
      + [usage(f"?user=nobody&timeunit={word}", 200, matching(ONE))
         for word in ("seconds", "Minutes", "hours", "DAYS", "milliseconds", "microseconds", "nanoseconds")]
