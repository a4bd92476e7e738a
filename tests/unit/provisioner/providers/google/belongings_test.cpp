#include <boost/test/unit_test.hpp>

#include "provisioner/providers/google/google_cloud.hpp"
#include "tests/unit/provisioner/providers/cloud/http_site.hpp"
#include "tests/unit/provisioner/providers/google/orders.hpp"

using namespace tests;
using namespace provisioner::providers;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(google_belongings)

namespace {

/// The firewall rules of a project; deletions take until end_deletions().
struct Project {
    http_client::Reply reply(const http_client::Request& request) {
        const std::string base = "/projects/acme-1/";
        if (request.url.find("/compute/v1/") == std::string::npos) {
            return json_reply(200, Json{{"access_token", "t"}, {"expires_in", 3600}});
        }
        const std::string path = request.url.substr(request.url.find(base) + base.size());
        if (path.starts_with("global/operations?")) return operations();
        if (path.starts_with("global/firewalls")) return firewalls(request, path);
        if (request.method == "POST") return json_reply(200, Json{{"status", "PENDING"}});
        return json_reply(200, Json{{"kind", "compute#list"}});
    }
    http_client::Reply operations() const {
        Json items = Json::array();
        for (const std::string& name : dying) {
            items.push_back({{"operationType", "delete"},
                             {"status", "RUNNING"},
                             {"targetLink", "https://x/projects/acme-1/global/firewalls/" + name}});
        }
        return json_reply(200, Json{{"kind", "compute#operationList"}, {"items", items}});
    }
    http_client::Reply firewalls(const http_client::Request& request, const std::string& path) {
        if (request.method == "GET") {
            Json items = Json::array();
            for (const auto& [name, rule] : rules) items.push_back(rule);
            return json_reply(200, Json{{"kind", "compute#firewallList"}, {"items", items}});
        }
        if (request.method == "DELETE") {
            dying.insert(path.substr(path.rfind('/') + 1));
            return json_reply(200, Json{{"status", "PENDING"}});
        }
        if (!refusal.empty()) {
            return json_reply(
                status,
                Json{{"error",
                      {{"message", "no"}, {"errors", Json::array({Json{{"reason", refusal}}})}}}});
        }
        const Json rule = *base::parse_json(request.body);
        rules[base::text_at(rule, "name")] = rule;
        return json_reply(200, Json{{"status", "PENDING"}});
    }
    void end_deletions() {
        for (const std::string& name : dying) rules.erase(name);
        dying.clear();
    }

    std::map<std::string, Json> rules;
    std::set<std::string> dying;
    /// The reason, and the status, by which changes of rules are refused.
    std::string refusal;
    int status = 409;
};

struct Daemons {
    Daemons() {
        spec.image = "projects/acme-1/global/images/x";
        client.answer = [this](const http_client::Request& request) {
            return project.reply(request);
        };
    }
    void make(google::GoogleCloud& daemon) {
        cloud::Order order{.account = account, .spec = spec};
        order.placement = {.flavor = "e2-small", .zone = "z-a"};
        order.mark = cloud::mark_of(account, spec);
        run(daemon.make(order));
    }
    void complete(google::GoogleCloud& daemon) {
        const CloudMachine machine;
        run([&]() -> awaitable<int> {
            co_await daemon.complete(account, spec, machine);
            co_return 0;
        }());
    }
    void release_cluster(google::GoogleCloud& daemon) {
        const cloud::Mark mark = cloud::cluster_mark_of(account, spec);
        run(daemon.release_cluster(account, mark));
    }
    int looks() const { return client.count("GET", "/global/firewalls"); }

    Project project;
    providers::Account account = google_account();
    providers::MachineSpec spec = google_spec();
    SetClock clock;
    AnsweringClient client;
    CloudTools tools_of_one{client, clock};
    CloudTools tools_of_other{client, clock};
    google::GoogleCloud one{tools_of_one};
    google::GoogleCloud other{tools_of_other};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(rules_that_another_daemon_deleted_are_made_before_the_login, Daemons) {
    make(one);
    const auto wanted = project.rules;
    BOOST_TEST(wanted.size() > 1U);
    release_cluster(other);
    project.end_deletions();
    BOOST_TEST(project.rules.empty());

    clock.moment += 5s;
    complete(one);

    BOOST_TEST((project.rules == wanted));
}

BOOST_FIXTURE_TEST_CASE(rules_that_are_being_deleted_are_waited_for_although_they_are_listed,
                        Daemons) {
    make(one);
    release_cluster(other);
    BOOST_CHECK_THROW(make(one), cloud::NotYet);
    clock.moment += 5s;
    BOOST_CHECK_THROW(complete(one), cloud::NotYet);
    BOOST_TEST(client.count("POST", "/instances") == 1);

    project.end_deletions();
    make(one);
    complete(one);

    BOOST_TEST(client.count("POST", "/instances") == 2);
    BOOST_TEST(!project.rules.empty());
}

BOOST_FIXTURE_TEST_CASE(rules_are_looked_at_every_5_s_by_machines_that_wait_for_their_login,
                        Daemons) {
    complete(one);
    complete(one);
    clock.moment += 4s;
    complete(one);
    BOOST_TEST(looks() == 1);
    clock.moment += 1s;
    complete(one);
    BOOST_TEST(looks() == 2);
    spec.open_ports = {"80/tcp"};
    complete(one);
    BOOST_TEST(looks() == 3);
    release_cluster(one);
    project.end_deletions();
    complete(one);
    BOOST_TEST(!project.rules.empty());
}

BOOST_FIXTURE_TEST_CASE(a_rule_that_somebody_else_changes_is_looked_at_again, Daemons) {
    project.refusal = "alreadyExists";
    BOOST_CHECK_THROW(make(one), cloud::NotYet);
    project.status = 400;
    project.refusal = "resourceNotReady";
    BOOST_CHECK_THROW(make(one), cloud::NotYet);
    project.refusal = "invalid";
    BOOST_CHECK_THROW(make(one), cloud::Refusal);

    project.refusal.clear();
    make(one);
    spec.open_ports = {"80/tcp"};
    make(one);
    spec.open_ports = {"81/tcp"};
    project.refusal = "notFound";
    project.status = 404;
    BOOST_CHECK_THROW(make(one), cloud::NotYet);
    BOOST_TEST(client.count("PATCH", "/global/firewalls/") == 1);
}

BOOST_FIXTURE_TEST_CASE(who_wants_no_rules_is_not_asked_for_them, Daemons) {
    account.fields["google_firewall"] = "false";
    make(one);
    complete(one);
    BOOST_TEST(looks() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
