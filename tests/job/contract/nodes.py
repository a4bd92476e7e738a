"""api.md §8.6 and §9: the node properties RPC and low-level nodes, on the cluster of two that the tenants' part made."""

from .support import ANY, EMPTY, having, matching

SUPER = "user unauthorized, must be superadmin."
UUID = "11111111-2222-4333-8444-555555555555"
NODE = {"id": UUID, "clusterId": "$others_cluster", "services": [{"name": "ct-one"}],
        "properties": {"hostname": "h", "hardwaretype": "ct-sim", "imagetype": "ct-sim"}, "actions": [], "provisionerResults": {}}
INVALID = "Invalid request body. Must be a valid JSON Object."


def ask(body, status, expected, role="other"):
    return ("POST", "/v2/getNodeProperties", role, body, status, expected)


def keep_a_node(world):
    properties = world.json("POST", "/v2/getNodeProperties", "other", {"clusterId": world.kept["others_cluster"]})
    if len(properties) != 2:
        raise ValueError("a cluster of two has not two nodes")
    world.kept["node"] = sorted(properties)[0]


def steps(_world):
    return [
        "node properties",
        keep_a_node,
        ask({"clusterId": "$others_cluster"}, 200, matching(
            r'\{"[-0-9a-f]{36}":\{"ipaddresses":\{.*\},"hostname":"c\d+-100\d\.local","nodenum":100\d,"hardwaretype":"ct-sim",'
            r'"imagetype":"ct-sim","flavor":"any","image":"none","sshuser":"root","services":\["ct-one"\],'
            r'"automators":\["simulated"\]\},.*\}')),
        ask({"clusterId": "$others_cluster", "properties": ["flavor", "nope"], "services": ["ct-one"]}, 200,
            having({"$node": {"flavor": "any"}})),
        ask({"clusterId": "$others_cluster", "services": ["ct-one", "ct-two"]}, 200, {}),
        ask({"clusterId": "99999999"}, 200, {}),
        ask({"clusterId": "$others_cluster"}, 200, {}, role="other-two"),
        ask({"clusterId": "$others_cluster"}, 200, having({"$node": {}}), role="other-admin"),
        ask({"clusterId": "$others_cluster"}, 200, {}, role="admin"),
        ask({}, 400, "clusterId must be specified."),
        ask({"clusterId": "abc"}, 400, 'For input string: "abc"'),
        ask("", 400, INVALID),
        ask("{", 400, INVALID),
        ask("[]", 400, INVALID),

        "nodes: reading",
        ("GET", "/v2/nodes", "other", None, 200, having([{"id": "$node", "clusterId": "$others_cluster", "provisionerResults": {}}])),
        ("GET", "/v2/nodes/$node", "other", None, 200, having({
            "id": "$node", "properties": {"flavor": "any"},
            "services": [{"name": "ct-one", "provisionerActions": {"START": {"type": "simulated", "fields": {}}}}],
            "actions": [{"action": "CREATE", "status": "COMPLETE"}]})),
        ("GET", "/v2/nodes/$node", "other-admin", None, 200, ANY),
        ("GET", "/v2/nodes/$node", "other-two", None, 404, "Node $node not found."),
        ("GET", "/v2/nodes/$node", "admin", None, 404, "Node $node not found."),
        ("GET", "/v2/nodes/nope", "other", None, 404, "Node nope not found."),
        ("GET", "/v2/nodes", "other-two", None, 200, []),

        "nodes: records by hand, by superadmins only",
        ("POST", "/v2/nodes", "other-admin", NODE, 403, SUPER),
        ("PUT", "/v2/nodes/$node", "other-admin", NODE, 403, SUPER),
        ("DELETE", "/v2/nodes/$node", "other-admin", None, 403, SUPER),
        ("POST", "/v2/nodes", "super", "{", 400, "Exception reading node from body."),
        ("POST", "/v2/nodes", "super", "", 400, "Exception reading node from body."),
        ("POST", "/v2/nodes", "super", {"clusterId": "1", "services": []}, 400, "Node ID is not set"),
        ("POST", "/v2/nodes", "super", {"id": UUID, "clusterId": "1"}, 400,
         "Exception reading node from body. services: must be given"),
        ("POST", "/v2/nodes", "super", NODE | {"clusterId": "99999999"}, 404, "cluster 99999999 not found."),
        ("POST", "/v2/nodes", "super", NODE, 201, EMPTY),
        ("POST", "/v2/nodes", "super", NODE, 409, f"Node {UUID} already exists."),
        ("GET", f"/v2/nodes/{UUID}", "other", None, 200, having({"properties": {"hostname": "h", "nodenum": 1002}, "actions": []})),
        ("GET", "/v2/clusters", "other", None, 200, having([{"id": "$others_cluster", "numNodes": 3}])),
        ("PUT", "/v2/nodes/other", "super", NODE, 400, "Node ID in body does not match Node ID in URI path"),
        ("PUT", f"/v2/nodes/{UUID}", "super", "{", 400, "Exception reading node from body."),
        ("PUT", f"/v2/nodes/{UUID}", "super", NODE | {"properties": {"hostname": "other", "ipaddresses": {"access_v4": "192.0.2.1"}}},
         204, EMPTY),
        ("GET", f"/v2/nodes/{UUID}", "other", None, 200,
         having({"properties": {"hostname": "other", "nodenum": 1002, "ipaddresses": {"access_v4": "192.0.2.1"}}})),
        ("DELETE", f"/v2/nodes/{UUID}", "super", None, 204, EMPTY),
        ("DELETE", f"/v2/nodes/{UUID}", "super", None, 204, EMPTY),
        ("GET", f"/v2/nodes/{UUID}", "other", None, 404, f"Node {UUID} not found."),
        ("DELETE", "/v2/nodes/$node", "super", None, 409,
         "Node $node is a machine of cluster $others_cluster: shrink the cluster to take it away."),
        ("GET", "/v2/clusters", "other", None, 200, having([{"id": "$others_cluster", "numNodes": 2}])),
    ]
