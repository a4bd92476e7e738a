"""Price lists, costs and budgets: ours, outside of the contract."""

from .support import EMPTY, Failure, having, matching

HEADER = "provider_type,provider,region,flavor,image,currency,per_hour\r\n"
PREVIEW = {"name": "c", "clusterTemplate": "ct-sim", "numMachines": 3}


def tenant(budget):
    return {"tenant": {"name": "contract", "workers": 7, "budget": budget}}


def no_costs_are_said(world):
    for method, path, body in [("GET", "/v2/clusters/$others_cluster", None), ("POST", "/v2/clusters/preview", PREVIEW)]:
        if "cost" in world.json(method, path, "other", body):
            raise Failure(f"{path} has costs without prices")


def a_file_comes_back(world):
    _, headers, text = world.ask("GET", "/v2/prices?format=csv", "other")
    if not headers["Content-Type"].startswith("text/csv") or text != HEADER + "simulated,,,any,,EUR,0.10\r\n":
        raise Failure(f"the list as a file is {headers['Content-Type']} {text!r}")


def steps(world):
    file_of = {role: dict(world.people[role]) | {"Content-Type": "text/csv"} for role in ("other-admin", "super")}
    return [
        "no prices",
        ("DELETE", "/v2/prices", "other-admin", None, 200, EMPTY),
        ("DELETE", "/v2/prices/default", "super", None, 200, EMPTY),
        ("GET", "/v2/prices", "other", None, 200, {"prices": []}),
        no_costs_are_said,
        ("GET", "/v2/budget", "other", None, 404, "tenant contract has no budget"),

        "what is wrong is said at once, with its line",
        ("PUT", "/v2/prices", file_of["other-admin"], "provider_type,flavor,currency,per_hour\nsimulated,any,eur,0.1\n,x,EUR,free\n",
         422, {"problems": [
             {"field": "line 2", "message": "currency must be three capital letters, such as USD, not eur."},
             {"field": "line 3", "message": "provider_type must be given."},
             {"field": "line 3", "message": "per_hour must be a decimal number such as 0.107, with at most six decimals and not above "
                                            "1000000000, not free."}]}),
        ("PUT", "/v2/prices", "other-admin", {"prices": [{"providerType": "simulated"}, 7]}, 422,
         having({"problems": [{"field": "entry 1", "message": "flavor must be given."}, {"field": "entry 2", "message": "must be an object"}]})),
        ("PUT", "/v2/prices", "other-admin", "{", 422, matching('{"problems":.*')),

        "a list is loaded",
        ("PUT", "/v2/prices", file_of["other-admin"], "provider_type,flavor,currency,per_hour\nsimulated,any,EUR,0.2\n", 200,
         {"added": 1, "changed": 0, "removed": 0, "unchanged": 0}),
        ("PUT", "/v2/prices", "other-admin",
         {"prices": [{"providerType": "simulated", "flavor": "any", "currency": "EUR", "perHour": 0.1}]}, 200,
         {"added": 0, "changed": 1, "removed": 0, "unchanged": 0}),
        a_file_comes_back,
        ("PUT", "/v2/prices/default", file_of["super"], HEADER + "simulated,,,*,,USD,5\n", 200, having({"added": 1})),
        ("GET", "/v2/prices/default", "other", None, 200, having({"prices": [{"flavor": "*", "perHour": "5.00"}]})),

        "costs",
        ("POST", "/v2/clusters/preview", "other", PREVIEW, 200,
         having({"cost": {"perHour": [{"currency": "EUR", "amount": "0.30"}], "unpriced": []}})),
        ("POST", "/v2/clusters/preview", "other", PREVIEW | {"initialLeaseDuration": 7200000}, 200,
         having({"cost": {"untilExpiry": [{"currency": "EUR", "amount": "0.60"}]}})),
        ("GET", "/v2/clusters/$others_cluster", "other", None, 200,
         having({"cost": {"perHour": [{"currency": "EUR", "amount": "0.20"}], "unpriced": []}})),
        ("GET", "/v2/metrics/nodes/usage?cost=true&cluster=$others_cluster", "other", None, 200,
         matching(r'\{"start":\d+,"end":\d+,"data":\[\{"time":\d+,"value":\d+,"cost":\[.*\],"unpricedSeconds":\d+\}\]\}')),
        ("GET", "/v2/metrics/nodes/usage?format=csv&cluster=$others_cluster", "other", None, 200,
         matching(r"time,value,(EUR,)?(USD,)?unpriced_seconds\r\n[\d,.]+\r\n")),

        "a budget",
        ("PUT", "/v2/tenants/contract", "super", tenant({"currency": "eur", "perHour": "x"}), 400,
         "invalid input: budget.currency has to be three capital letters, such as USD."),
        ("PUT", "/v2/tenants/contract", "super", tenant({"currency": "EUR"}), 400,
         "invalid input: A budget needs perHour, perMonth or both."),
        ("PUT", "/v2/tenants/contract", "super", tenant({"currency": "EUR", "perHour": "0.4", "perMonth": 100000}), 200, EMPTY),
        ("PUT", "/v2/tenants/contract", "super", {"tenant": {"name": "contract", "workers": 7}}, 200, EMPTY),
        ("GET", "/v2/tenants/contract", "super", None, 200,
         having({"budget": {"currency": "EUR", "perHour": "0.40", "perMonth": "100000.00"}})),
        ("GET", "/v2/budget", "other", None, 200, having({"currency": "EUR", "perHour": "0.40", "usedPerHour": "0.20"})),
        ("POST", "/v2/clusters", "other", PREVIEW, 409,
         "The tenant's budget allows 0.40 EUR per hour: its machines cost 0.20 EUR now, and these would cost 0.30 EUR more."),
        ("POST", "/v2/clusters/preview", "other", PREVIEW | {"numMachines": 2}, 200,
         having({"warnings": ["100 % of the tenant's budget of 0.40 EUR per hour is used."]})),
        ("POST", "/v2/clusters/$others_cluster/grow", "other", {"numMachines": 3}, 409,
         "The tenant's budget allows 0.40 EUR per hour: its machines cost 0.20 EUR now, and these would cost 0.30 EUR more."),
        ("DELETE", "/v2/prices", "other-admin", None, 200, EMPTY),
        ("POST", "/v2/clusters", "other", PREVIEW, 409,
         "These machines cost 15.00 USD per hour, but the tenant's budget is in EUR."),
        ("DELETE", "/v2/prices/default", "super", None, 200, EMPTY),
        ("POST", "/v2/clusters", "other", PREVIEW, 409,
         "There is no price for flavor any of provider ct-sim (3 machines). A tenant with a budget needs one."),
        ("PUT", "/v2/tenants/contract", "super", tenant(None), 200, EMPTY),
        ("GET", "/v2/budget", "other", None, 404, "tenant contract has no budget"),
        no_costs_are_said,
    ]
