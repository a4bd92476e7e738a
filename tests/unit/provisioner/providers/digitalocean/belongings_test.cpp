#include "provisioner/providers/digitalocean/belongings.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/providers/digitalocean/digitalocean_cloud.hpp"
#include "tests/unit/provisioner/providers/cloud/http_site.hpp"

using namespace provisioner;
using namespace provisioner::providers;
using namespace provisioner::providers::digitalocean;
using namespace std::chrono_literals;
using base::Json;

BOOST_AUTO_TEST_SUITE(digitalocean_belongings)

namespace {

/// The firewalls and volumes of an account.
struct Belongings {
    http_client::Reply reply(const http_client::Request& request) {
        const std::string path = request.url.substr(request.url.find("/v2/") + 4);
        for (auto* things : {&firewalls, &volumes}) {
            const std::string noun = things == &firewalls ? "firewalls" : "volumes";
            if (!path.starts_with(noun)) continue;
            const std::string scope = noun + ":" + request.method;
            if (forbidden.contains(scope)) {
                return tests::json_reply(forbidden.at(scope), Json{{"message", refusal}});
            }
            return reply(request, path, noun, *things);
        }
        if (path.starts_with("droplets")) {
            return tests::json_reply(202, Json{{"droplet", {{"id", 7}}}});
        }
        return tests::json_reply(request.method == "DELETE" ? 204 : 201, Json::object());
    }
    http_client::Reply reply(const http_client::Request& request, const std::string& path,
                             const std::string& noun, std::map<std::string, Json>& things) {
        if (request.method == "GET") {
            Json all = Json::array();
            for (const auto& [id, thing] : things) all.push_back(thing);
            return tests::json_reply(200, Json{{noun, all}});
        }
        if (request.method == "DELETE") {
            things.erase(path.substr(path.find('/') + 1));
            return tests::reply_with(204, "");
        }
        Json thing = *base::parse_json(request.body);
        const std::string id = noun + "-1";
        thing["id"] = id;
        thing["created_at"] = "1970-01-01T00:00:00Z";
        thing["region"] = {{"slug", "nyc3"}};
        thing["droplet_ids"] = Json::array();
        things[id] = thing;
        return tests::json_reply(201, Json{{noun.substr(0, noun.size() - 1), thing}});
    }
    std::map<std::string, Json> firewalls;
    std::map<std::string, Json> volumes;
    /// "volumes:GET" and the status it is refused with.
    std::map<std::string, int> forbidden;
    std::string refusal = "You are not authorized to perform this operation";
};

/// Two daemons of one installation.
struct Daemons {
    Daemons() {
        account.provider_type = "digitalocean";
        account.fields = {{"api_password", "dop_v1_x"}, {"digitalocean_region", "nyc3"}};
        clock.moment += 24h;
        client.answer = [this](const http_client::Request& request) {
            return there.reply(request);
        };
    }
    void make(DigitalOceanCloud& daemon) {
        cloud::Order order{.account = account, .spec = spec};
        order.placement = {.flavor = "s-1vcpu-1gb", .zone = "nyc3"};
        order.mark = cloud::mark_of(account, spec);
        tests::run(daemon.make(order));
    }
    void complete(DigitalOceanCloud& daemon) {
        const cloud::CloudMachine machine;
        tests::run([&]() -> boost::asio::awaitable<int> {
            co_await daemon.complete(account, spec, machine);
            co_return 0;
        }());
    }
    std::vector<std::string> release(DigitalOceanCloud& daemon) {
        const cloud::Mark mark = cloud::mark_of(account, spec);
        return tests::run(daemon.release(account, mark));
    }
    void release_cluster(DigitalOceanCloud& daemon) {
        const cloud::Mark mark = cloud::cluster_mark_of(account, spec);
        tests::run(daemon.release_cluster(account, mark));
    }
    std::vector<cloud::Leftover> leftovers() {
        const std::vector<cloud::CloudMachine> none;
        return tests::run(one.leftovers(account, none));
    }

    Belongings there;
    Account account = tests::an_account();
    MachineSpec spec = tests::a_spec();
    tests::SetClock clock;
    tests::AnsweringClient client;
    tests::CloudTools tools_of_one{client, clock};
    tests::CloudTools tools_of_other{client, clock};
    DigitalOceanCloud one{tools_of_one};
    DigitalOceanCloud other{tools_of_other};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_firewall_that_another_daemon_deleted_is_made_before_the_login, Daemons) {
    make(one);
    release_cluster(other);
    BOOST_TEST(there.firewalls.empty());
    clock.moment += 20s;
    make(one);

    clock.moment += 25s;
    complete(one);

    BOOST_TEST(there.firewalls.size() == 1U);
}

BOOST_FIXTURE_TEST_CASE(a_firewall_is_looked_at_once_a_minute_by_creations_and_every_5_s_by_others,
                        Daemons) {
    const auto looks = [&] { return client.count("GET", "/v2/firewalls"); };
    make(one);
    BOOST_TEST(looks() == 1);
    clock.moment += 4s;
    complete(one);
    BOOST_TEST(looks() == 1);
    clock.moment += 1s;
    complete(one);
    complete(one);
    BOOST_TEST(looks() == 2);
    clock.moment += 59s;
    make(one);
    BOOST_TEST(looks() == 2);
    clock.moment += 1s;
    make(one);
    BOOST_TEST(looks() == 3);
}

BOOST_FIXTURE_TEST_CASE(belongings_that_a_cluster_asked_for_are_found_without_its_fields, Daemons) {
    account.fields["digitalocean_volume_size_gb"] = "500";
    make(one);
    BOOST_TEST(there.volumes.size() == 1U);
    // The sweep has the provider's own fields.
    account.fields.erase("digitalocean_volume_size_gb");
    account.fields["digitalocean_firewall"] = "false";

    const auto left = leftovers();
    BOOST_REQUIRE(left.size() == 2U);
    BOOST_TEST(left[0].kind == "disk");
    BOOST_TEST(left[0].mark.name == spec.name);
    BOOST_TEST(left[1].kind == "firewall");

    BOOST_TEST(release(one).empty());
    release_cluster(one);
    BOOST_TEST(there.volumes.empty());
    BOOST_TEST(there.firewalls.empty());
}

BOOST_FIXTURE_TEST_CASE(a_token_that_may_not_read_what_nobody_asks_for_is_enough, Daemons) {
    account.fields["digitalocean_firewall"] = "false";
    there.forbidden = {{"volumes:GET", 403}, {"firewalls:GET", 403}};

    BOOST_TEST(leftovers().empty());
    BOOST_TEST(release(one).empty());
    release_cluster(one);

    account.fields["digitalocean_volume_size_gb"] = "500";
    BOOST_CHECK_THROW(leftovers(), cloud::Refusal);
    BOOST_CHECK_THROW(release(one), cloud::Refusal);
    account.fields["digitalocean_firewall"] = "true";
    BOOST_CHECK_THROW(release_cluster(one), cloud::Refusal);
}

BOOST_FIXTURE_TEST_CASE(a_refusal_that_passes_is_no_empty_list, Daemons) {
    there.forbidden = {{"volumes:GET", 403}};
    there.refusal = "You have reached the limit of calls";

    BOOST_CHECK_THROW(leftovers(), cloud::Refusal);
    BOOST_CHECK_THROW(release(one), cloud::Refusal);
}

BOOST_AUTO_TEST_SUITE_END()
