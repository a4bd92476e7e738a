"""api.md §8 and entities.md §6.5: clusters, in the tenant and with the simulated machines the tenants' part made."""

import json

from .support import ANY, EMPTY, Failure, having, keeping, matching

C = "/v2/clusters"
NO = "99999999"
NO_FAILED_JOB = "There is no failed job to run again on this cluster."
NOT_SERVICES = "Cluster is not in a state where service actions can be performed."
NOT_NOW = "Cannot change expire time of cluster at this time"
BODY = "Invalid request body."


def new(**members):
    return {"name": "ct", "clusterTemplate": "ct-sim", "numMachines": 1} | members


def create(status, expected, role="other", **members):
    return ("POST", C, role, new(**members), status, expected)


def until(status, name="cluster", role="other"):
    return lambda world: world.wait_for_cluster(world.kept[name], status, role)


def expiry(value, status, expected, cluster="$cluster"):
    return ("POST", f"{C}/{cluster}", "other", value if isinstance(value, str) else {"expireTime": value}, status, expected)


def lease_of(name, initial, longest=0, step=0):
    return ("PUT", f"/v2/clustertemplates/{name}", "other-admin", {
        "name": name, "defaults": {"services": ["ct-one"], "provider": "ct-sim"},
        "administration": {"leaseduration": {"initial": initial, "max": longest, "step": step}}}, 200, EMPTY)


def lease_row(template, wanted, expected):
    """`expected`: the lease in ms, 0 for never, or the text of the refusal."""
    more = {} if wanted is None else {"initialLeaseDuration": wanted}

    def try_it(world):
        status, _, text = world.ask("POST", C, "other", new(clusterTemplate=template, **more))
        world.rows += 1
        if isinstance(expected, str):
            if (status, text) != (400, expected):
                raise Failure(f"lease {wanted} of {template}: {status} {text}")
            return
        cluster = world.json("GET", f"{C}/{json.loads(text)['id']}", "other")
        got = cluster["expireTime"] and cluster["expireTime"] - cluster["createTime"]
        if got != expected:
            raise Failure(f"lease {wanted} of {template} is {got} instead of {expected}")
    return try_it


TOO_LONG = "lease duration cannot be greater than duration specified in template"

CREATE = [
    "create: what is refused, in this order",
    ("POST", C, "other", "{", 400, ANY),
    ("POST", C, "other", "", 400, ANY),
    ("POST", C, "other", "null", 400, ANY),
    create(400, "cluster name must be specified", name=""),
    create(400, "cluster template must be specified", clusterTemplate=None),
    create(400, "cluster size must be greater than 0", numMachines=0),
    create(400, "cluster size must be greater than 0", numMachines="-3"),
    create(400, ".x.org is an invalid DNS suffix.", dnsSuffix=".x.org"),
    create(400, "numMachines above max cluster size 10000", numMachines=10001),
    create(400, "invalid name. Name must be specified and consist of only [a-zA-Z0-9_.-].", name="a b"),
    create(400, "name must not exceed 255 characters.", name="n" * 256),
    create(404, "cluster template nope does not exist.", clusterTemplate="nope"),
    create(400, "Size must be at least 1 but not greater than 5. Now it's 6", numMachines=6),
    create(404, "provider nope does not exist.", provider="nope"),
    ("PUT", "/v2/clustertemplates/ct-bare", "other-admin", {"name": "ct-bare"}, 200, EMPTY),
    create(404, "provider null does not exist.", clusterTemplate="ct-bare"),
    ("PUT", "/v2/providers/ct-typeless", "other-admin", {"name": "ct-typeless", "providertype": "nope"}, 200, EMPTY),
    create(404, "provider type nope does not exist.", provider="ct-typeless"),
    create(404, "cluster template ct-sim does not exist.", role="admin"),
    create(400, "invalid lease duration: -2", initialLeaseDuration=-2),

    "lease at creation",
    lease_of("ct-free", 0),
    lease_row("ct-free", 200000, 200000),
    lease_row("ct-free", 0, 0),
    lease_row("ct-free", -1, 0),
    lease_of("ct-leased", "10h"),
    lease_row("ct-leased", 72000000, TOO_LONG),
    lease_row("ct-leased", 36000000, 36000000),
    lease_row("ct-leased", 500000, 500000),
    lease_row("ct-leased", 0, TOO_LONG),
    lease_row("ct-leased", None, 36000000),

    "create: what cannot be laid out is a terminated cluster",
    ("POST", C, "other", new(services=["nope"]), 200, keeping("terminated", "id")),
    ("GET", C + "/$terminated", "other", None, 200, having({"status": "terminated", "nodes": [],
                                                            "progress": {"action": "solve_layout", "actionstatus": "failed"}})),
    ("DELETE", C + "/$terminated", "other", None, 200, EMPTY),
    expiry(1, 400, "Cannot change expire time of terminated cluster", "$terminated"),

    "create",
    ("POST", C, "other", new(numMachines="2", description="first", config={"app": {"n": 3, "host": "%host.self%"}}), 200,
     keeping("cluster", "id", expected=matching(r'\{"id":"\d{8}"\}'))),
    until("active"),
]

READS = [
    "list",
    ("GET", C, "other", None, 200, having([{
        "id": "$cluster", "name": "ct", "description": "first", "ownerId": "bob", "expireTime": 0, "numNodes": 2, "status": "active",
        "provider": {"version": 1, "name": "ct-sim"}, "clusterTemplate": {"version": 1, "name": "ct-sim"}, "services": ["ct-one"],
        "progress": {"action": "cluster_create", "actionstatus": "complete"}}])),
    ("GET", C + "?status=Terminated", "other", None, 200, having([{"id": "$terminated"}])),
    ("GET", C + "?status=terminated,nope", "other", None, 200, having([{"id": "$terminated"}])),
    ("GET", C + "?status=nope", "other", None, 200, having([{"id": "$terminated"}, {"id": "$cluster"}])),
    ("GET", C, "other-admin", None, 200, having([{"id": "$cluster", "ownerId": "bob"}])),
    ("GET", C, "other-two", None, 200, []),

    "details",
    ("GET", C + "/$cluster", "other", None, 200, having({
        "id": "$cluster", "name": "ct", "description": "first", "account": {"userId": "bob"}, "expireTime": 0,
        "provider": {"name": "ct-sim", "providertype": "simulated", "provisioner": {}}, "services": ["ct-one"], "status": "active",
        "config": {"app": {"n": 3, "host": "%host.self%"}}, "links": [{"label": "docs", "url": "http://docs/bob"}],
        "nodes": [{"clusterId": "$cluster", "properties": {"nodenum": 1001}, "services": [{"name": "ct-one"}],
                   "actions": [{"action": "CREATE", "status": "complete", "service": ""}], "links": []}]})),
    ("GET", C + "/$cluster", "other", None, 200, matching(
        r'\{"id":.*,"name":.*,"description":.*,"account":.*,"createTime":.*,"expireTime":.*,"provider":.*,"clusterTemplate":.*,'
        r'"nodes":.*,"services":.*,"latestJobId":.*,"status":.*,"config":.*,"links":.*,"progress":.*\}')),
    ("GET", C + "/$cluster", "other", None, 200, keeping("job", "latestJobId")),
    ("GET", C + "/$cluster/status", "other", None, 200, matching(
        r'\{"clusterid":"$cluster","stepstotal":\d+,"stepscompleted":\d+,"status":"active","actionstatus":"complete","action":"cluster_create"\}')),
    ("GET", C + "/$cluster/config", "other", None, 200, {"app": {"n": 3, "host": "%host.self%"}}),
    ("GET", C + "/$cluster/services", "other", None, 200, ["ct-one"]),

    "plans",
    ("GET", C + "/$cluster/plans", "other", None, 200, having([
        {"id": "$job", "clusterId": "$cluster", "action": "CLUSTER_CREATE",
         "stages": []}, {"action": "SOLVE_LAYOUT", "currentStage": 0, "stages": []}])),
    ("GET", C + "/$cluster/plans/$job", "other", None, 200, having({"id": "$job", "askedBy": {"kind": "user", "name": "bob"}})),
    ("GET", C + "/$cluster/plans/x", "other", None, 400, "invalid job id string x"),
    ("GET", C + "/$cluster/plans/00000000-001", "other", None, 400, "Job 00000000-001 does not belong to cluster $cluster"),
    ("GET", C + "/$cluster/plans/$cluster-99999999", "other", None, 404, "Job $cluster-99999999 not found."),
]


def nothing_there(cluster, role):
    """What every call says of a cluster the caller does not see."""
    exact = f"cluster {cluster} not found."
    gone = f"cluster {cluster} does not exist"
    return [
        ("GET", f"{C}/{cluster}", role, None, 404, exact),
        ("GET", f"{C}/{cluster}/status", role, None, 404, exact[:-1]),
        ("GET", f"{C}/{cluster}/config", role, None, 404, exact),
        ("GET", f"{C}/{cluster}/services", role, None, 404, exact),
        ("GET", f"{C}/{cluster}/plans", role, None, 404, f"Plans for cluster {cluster} not found."),
        ("GET", f"{C}/{cluster}/plans/{cluster}-001", role, None, 404, exact),
        ("GET", f"{C}/{cluster}/callbacks", role, None, 404, exact),
        ("DELETE", f"{C}/{cluster}", role, None, 404, exact),
        ("POST", f"{C}/{cluster}/abort", role, None, 404, exact),
        ("POST", f"{C}/{cluster}/pause", role, None, 404, exact),
        ("POST", f"{C}/{cluster}/resume", role, None, 404, exact),
        ("POST", f"{C}/{cluster}/retry", role, None, 404, exact),
        ("POST", f"{C}/{cluster}/retry", role, {"nodes": [1000]}, 404, exact),
        ("POST", f"{C}/{cluster}", role, {"expireTime": 1}, 404, f"Cluster {cluster} not found."),
        ("PUT", f"{C}/{cluster}/config", role, {"config": {}}, 404, gone),
        ("POST", f"{C}/{cluster}/services", role, {"services": ["ct-two"]}, 404, gone),
        ("POST", f"{C}/{cluster}/services/start", role, None, 404, gone),
        ("POST", f"{C}/{cluster}/services/ct-one/stop", role, None, 404, gone),
        ("POST", f"{C}/{cluster}/clustertemplate/sync", role, None, 404, gone),
    ]


def no_number():
    wrong = 'For input string: "abc"'
    calls = [("GET", ""), ("GET", "/status"), ("GET", "/config"), ("GET", "/services"), ("GET", "/plans"), ("DELETE", ""),
             ("POST", "/abort"), ("POST", "/pause"), ("POST", "/resume"), ("POST", "/services/start"),
             ("POST", "/services/x/restart"), ("POST", "/clustertemplate/sync")]
    return [(method, f"{C}/abc{rest}", "other", None, 400, wrong) for method, rest in calls] + [
        ("POST", f"{C}/abc", "other", {"expireTime": 1}, 400, wrong),
        ("PUT", f"{C}/abc/config", "other", {"config": {}}, 400, wrong),
        ("POST", f"{C}/abc/services", "other", {"services": ["x"]}, 400, wrong)]


BODIES = ["bodies are read before the cluster is looked up"] + [
    ("DELETE", C + f"/{NO}", "other", {"force": []}, 400, BODY)] + [
    (method, C + f"/{NO}{rest}", "other", "{", 400, BODY)
    for method, rest in [("DELETE", ""), ("PUT", "/config"), ("POST", "/services"), ("POST", "/services/start"),
                         ("POST", "/services/x/stop")]] + [
    ("PUT", C + f"/{NO}/config", "other", {}, 400, BODY),
    ("PUT", C + f"/{NO}/config", "other", "", 400, BODY),
    ("POST", C + f"/{NO}/services", "other", {}, 400, BODY),
    ("POST", C + f"/{NO}/services", "other", {"services": []}, 400, BODY),
    ("POST", C + f"/{NO}/services", "other", "", 400, BODY),
    expiry("{", 400, "Invalid JSON", NO),
]

OPERATIONS = [
    "expire time",
    expiry("{}", 400, "expire time not specified"),
    expiry("", 400, "expire time not specified"),
    expiry("[]", 400, "Invalid JSON"),
    expiry('{"expireTime":"x"}', 400, 'For input string: "x"'),
    expiry(1, 400, "New expire time cannot be lesser than create time"),
    expiry(4102444800000, 200, EMPTY),
    ("GET", C + "/$cluster", "other", None, 200, having({"expireTime": 4102444800000})),
    lease_of("ct-short", "1h", "2h", "30m"),
    ("POST", C, "other", new(clusterTemplate="ct-short"), 200, keeping("short", "id")),
    until("active", "short"),
    expiry(4102444800000, 400, "New expire time cannot be greater than allowed increment", "$short"),
    lease_of("ct-short", "1h", "2h"),
    ("POST", C + "/$short/clustertemplate/sync", "other", None, 200, EMPTY),
    expiry(4102444800000, 400, "Cluster cannot be prolonged beyond its max duration", "$short"),

    "no-ops on a cluster at rest",
    ("POST", C + "/$cluster/abort", "other", None, 200, EMPTY),
    ("POST", C + "/$cluster/pause", "other", None, 200, EMPTY),
    ("POST", C + "/$cluster/resume", "other", None, 200, EMPTY),
    ("POST", C + "/$cluster/retry", "other", None, 409, NO_FAILED_JOB),
    ("POST", C + "/$cluster/retry", "other", {}, 409, NO_FAILED_JOB),
    ("POST", C + "/$cluster/retry", "other", {"nodes": [1001]}, 409, NO_FAILED_JOB),
    ("POST", C + "/$cluster/retry", "other", {"nodes": []}, 400, BODY),
    ("POST", C + "/$cluster/retry", "other", "{", 400, BODY),

    "services",
    ("PUT", "/v2/clustertemplates/ct-narrow", "other-admin", {
        "name": "ct-narrow", "defaults": {"services": ["ct-one"], "provider": "ct-sim"}, "compatibility": {"services": ["ct-one"]}}, 200, EMPTY),
    ("POST", C, "other", new(clusterTemplate="ct-narrow"), 200, keeping("narrow", "id")),
    until("active", "narrow"),
    ("POST", C + "/$cluster/services/ct-two/start", "other", None, 404, "service ct-two does not exist on cluster $cluster"),
    ("POST", C + "/$cluster/services", "other", {"services": ["nope"]}, 400, "service nope does not exist"),
    ("POST", C + "/$narrow/services", "other", {"services": ["nope"]}, 400, "service nope does not exist"),
    ("POST", C + "/$narrow/services", "other", {"services": ["ct-two"]}, 400, "ct-two are incompatible with the cluster"),
    ("POST", C + "/$cluster/services/ct-one/restart", "other", {"providerFields": {}}, 200, EMPTY),
    until("active"),
    ("GET", C + "/$cluster/status", "other", None, 200, having({"action": "restart_services"})),
    ("POST", C + "/$cluster/services/stop", "other", None, 200, EMPTY),
    until("active"),
    ("POST", C + "/$cluster/services/start", "other", None, 200, EMPTY),
    until("active"),
    ("POST", C + "/$cluster/services", "other", {"services": ["ct-two"]}, 200, EMPTY),
    until("active"),
    ("GET", C + "/$cluster/services", "other", None, 200, ["ct-one", "ct-two"]),

    "configuration",
    ("PUT", C + "/$cluster/config", "other", {"config": {"new": 1}, "restart": "false"}, 200, EMPTY),
    until("active"),
    ("GET", C + "/$cluster/config", "other", None, 200, {"new": 1}),
    ("GET", C + "/$cluster/status", "other", None, 200, having({"action": "cluster_configure"})),
    ("PUT", C + "/$cluster/config", "other", {"config": {"new": 2}}, 200, EMPTY),
    until("active"),
    ("GET", C + "/$cluster/status", "other", None, 200, having({"action": "cluster_configure_with_restart"})),

    "template sync",
    ("POST", C + "/$cluster/clustertemplate/sync", "other", None, 200, EMPTY),
    ("PUT", "/v2/clustertemplates/ct-short", "other-admin", {"name": "ct-short", "constraints": {"size": {"min": 2}}}, 200, EMPTY),
    ("POST", C + "/$short/clustertemplate/sync", "other", None, 400, "updating the template would result in an invalid cluster"),
    ("DELETE", "/v2/clustertemplates/ct-short", "other-admin", None, 200, EMPTY),
    ("POST", C + "/$short/clustertemplate/sync", "other", None, 404, "template ct-short no longer exists"),

    "a cluster that is being worked on",
    ("POST", C, "other", new(services=["ct-slow"], clusterTemplate="ct-sim"), 200, keeping("slow", "id")),
    ("GET", C + "/$slow", "other", None, 200, keeping("slow_job", "latestJobId", expected=having({"status": "pending"}))),
    ("GET", "/v2/metrics/queues", "other-admin", None, 200, matching(
        r'\{"contract":\{"queued":\d+,"inProgress":\d+,"total":[1-9]\d*\}\}')),
    ("DELETE", C + "/$slow", "other", None, 409, "Job $slow_job is still underway for cluster $slow"),
    ("PUT", C + "/$slow/config", "other", {"config": {}}, 409, "Cluster is not in a configurable state."),
    ("POST", C + "/$slow/services", "other", {"services": ["ct-two"]}, 409, NOT_SERVICES),
    ("POST", C + "/$slow/services/start", "other", None, 409, NOT_SERVICES),
    ("POST", C + "/$slow/services/ct-slow/start", "other", None, 409, NOT_SERVICES),
    ("POST", C + "/$slow/clustertemplate/sync", "other", None, 409, "Cluster is not in a state where the template can by synced"),
    expiry(4102444800000, 400, NOT_NOW, "$slow"),
    ("POST", C + "/$slow/pause", "other", None, 200, EMPTY),
    ("GET", C + "/$slow", "other", None, 200, having({"message": "Paused by user.", "progress": {"actionstatus": "paused"}})),
    ("POST", C + "/$slow/resume", "other", None, 200, EMPTY),
    ("GET", C + "/$slow", "other", None, 200, having({"message": "Resumed by user.", "progress": {"actionstatus": "running"}})),
    ("POST", C + "/$slow/abort", "other", None, 200, EMPTY),
    until("incomplete", "slow"),
    ("POST", C + "/$slow/retry", "other", {"nodes": [7, "x"]}, 422, having({"problems": [
        {"field": "nodes", "message": "There is no machine 7 in this cluster."},
        {"field": "nodes", "message": "There is no machine x in this cluster."}]})),
    ("POST", C + "/$slow/retry", "other", {"nodes": [1000]}, 200, EMPTY),
    ("GET", C + "/$slow", "other", None, 200, having({"status": "pending", "progress": {"actionstatus": "running"}})),
    ("POST", C + "/$slow/abort", "other", None, 200, EMPTY),
    ("DELETE", C + "/$slow", "other", {"force": True}, 403, "user unauthorized, must be admin."),
    ("DELETE", C + "/$slow", "other-admin", {"force": "true"}, 200, EMPTY),
    ("GET", C + "/$slow", "other", None, 200, having({"status": "terminated", "progress": {"action": "cluster_delete", "actionstatus": "failed"}})),
    ("DELETE", C + f"/{NO}", "other-admin", {"force": True}, 404, f"cluster {NO} not found."),

    "deletion; ids need no zeros",
    lambda world: world.kept.update(number=int(world.kept["cluster"])),
    ("DELETE", C + "/$number", "other", None, 200, EMPTY),
    until("terminated"),
    ("GET", C + "/$number", "other", None, 200, having({"id": "$cluster", "status": "terminated"})),
    ("DELETE", C + "/$short", "other-admin", None, 200, EMPTY),
    until("terminated", "short"),
    ("DELETE", C + "/$narrow", "other", None, 200, EMPTY),
    until("terminated", "narrow"),
]


def steps(_world):
    strangers = []
    for role in ("other-two", "admin", "super"):
        strangers += [f"what others see: {role}"] + nothing_there("$cluster", role)
    return CREATE + READS + ["a cluster that is not there"] + nothing_there(NO, "other") + strangers + \
        ["no number"] + no_number() + BODIES + OPERATIONS
