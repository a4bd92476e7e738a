#include <boost/test/unit_test.hpp>

#include "provisioner/providers/rackspace/rackspace_cloud.hpp"
#include "tests/support/clouds/cloud_site.hpp"

BOOST_AUTO_TEST_SUITE(rackspace)

using namespace provisioner;
using namespace provisioner::providers;

namespace {

constexpr auto command = "tests/support/clouds/rackspace_stand_in.py";

/// mimic, which Rackspace wrote for its own tests, and the provider that talks to it.
class Site : public tests::CloudSite {
 public:
    Site()
        : CloudSite({command}, [](cloud::Tools tools) {
              return std::make_unique<providers::rackspace::RackspaceCloud>(tools);
          }) {}

    Account account(const base::Json& more = base::Json::object()) const {
        base::Json fields = {{"rackspace_auth_url", url() + "/identity/v2.0"},
                             {"api_user", "joe"},
                             {"api_password", "12345"},
                             {"rackspace_region", "dfw"},
                             {"calls_per_second", "1000"},
                             {"creations_per_second", "1000"}};
        fields.update(more);
        return CloudSite::account("rackspace", std::move(fields));
    }

    static MachineSpec spec(int number = 1001, long long task = 10) {
        auto spec = CloudSite::spec(number, task);
        spec.flavor = "512MB Standard Instance";
        spec.image = "Debian 7 (Wheezy) (PVHVM)";
        return spec;
    }

    void stand_in(const std::string& what, const base::Json& arguments) {
        control("POST", "/-/do/" + what, base::to_text(arguments));
    }

    bool has_misfits() {
        const auto all = calls();
        return !all.at("refused").empty() || !all.at("unknown").empty();
    }
};

bool contains(const std::string& text, const std::string& part) {
    const bool found = text.find(part) != std::string::npos;
    if (!found) BOOST_TEST_MESSAGE(text);
    return found;
}

base::Json results_of(const Machine& machine) {
    return {{"providerid", machine.id}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_machine_is_made_waited_for_reached_and_taken_away) {
    Site site;
    const Account account = site.account({{"rackspace_metadata", "server_building=1, team=web"}});

    const Machine machine = site.made(account, site.spec());
    const Confirmed confirmed = site.confirm(account, site.spec(), results_of(machine));
    const auto servers = site.state().at("servers");
    const Destroyed destroyed = site.take_away(account, site.spec(), results_of(machine));

    BOOST_REQUIRE(std::holds_alternative<Reachable>(confirmed));
    const auto& reachable = std::get<Reachable>(confirmed);
    BOOST_TEST(reachable.addresses.at("access_v4").starts_with("198."));
    BOOST_TEST(reachable.addresses.at("bind_v4") == reachable.addresses.at("access_v4"));
    BOOST_TEST(reachable.host_key_travelled);
    BOOST_REQUIRE(servers.size() == 1U);
    BOOST_TEST(servers[0].at("region") == "DFW");
    BOOST_TEST(servers[0].at("metadata").at("team") == "web");
    BOOST_TEST(std::holds_alternative<Gone>(destroyed));
    BOOST_TEST(site.state().at("servers").empty());
    BOOST_TEST(!site.has_misfits());
}

BOOST_AUTO_TEST_CASE(a_region_has_an_address_of_its_own_in_the_catalogue) {
    Site site;

    site.made(site.account({{"rackspace_region", "ord"}}), site.spec());

    BOOST_TEST(site.calls_of("compute.create_server@ORD") == 1);
    const std::string unknown =
        site.refusal(site.account({{"rackspace_region", "lon"}}), site.spec());
    BOOST_TEST(contains(unknown, "there are ord, dfw, iad"));
}

BOOST_AUTO_TEST_CASE(the_root_password_in_the_answer_is_kept_nowhere) {
    Site site;

    const Machine machine = site.made(site.account(), site.spec());

    BOOST_TEST(!contains(base::to_text(machine.facts), "ass"));
}

BOOST_AUTO_TEST_CASE(names_repeat_so_machines_of_others_are_left_alone) {
    Site site;
    const Account account = site.account();
    Account other = account;
    other.installation = "ffffffffffffffffffffffffffffffff";
    site.made(other, site.spec());

    const Machine machine = site.made(account, site.spec());
    const auto seen = site.answer(site.provider().machines(account));
    site.take_away(account, site.spec(), results_of(machine));

    BOOST_REQUIRE(seen.size() == 1U);
    BOOST_TEST(seen[0].id == machine.id);
    BOOST_TEST(site.state().at("servers").size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_lost_or_cut_off_reply_never_costs_a_second_machine) {
    for (const char* kind : {"lost_reply", "truncated"}) {
        BOOST_TEST_CONTEXT(kind) {
            Site site;
            site.fault({{"operation", "compute.create_server"}, {"kind", kind}});

            site.made(site.account(), site.spec());

            BOOST_TEST(site.state().at("servers").size() == 1U);
            BOOST_TEST(site.calls_of("compute.create_server") == 1);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_limit_of_calls_is_waited_for_and_a_quota_is_refused_although_both_are_413) {
    Site site;
    site.fault({{"operation", "compute.create_server"},
                {"kind", "throttle"},
                {"status", 413},
                {"seconds", 1}});
    site.made(site.account(), site.spec());
    BOOST_TEST(site.calls_of("compute.create_server") == 2);

    site.control("POST", "/-/settings", R"({"quota": 1})");
    const Created created = site.make(site.account(), site.spec(1002));

    BOOST_REQUIRE(std::holds_alternative<Refused>(created));
    BOOST_TEST(contains(std::get<Refused>(created).message, "already used 1 of 1 instances"));
    BOOST_TEST(std::get<Refused>(created).worth_retrying);
}

BOOST_AUTO_TEST_CASE(a_token_that_was_revoked_is_replaced_once) {
    Site site;
    site.made(site.account(), site.spec());
    site.stand_in("revoke", {});

    site.made(site.account(), site.spec(1002));

    BOOST_TEST(site.calls_of("identity.log_in") == 2);
}

BOOST_AUTO_TEST_CASE(a_machine_in_error_is_refused_and_replaced) {
    Site site;
    const Account failing = site.account({{"rackspace_metadata", "server_error=1"}});
    const Machine machine = site.made(failing, site.spec());

    const Confirmed confirmed = site.confirm(failing, site.spec(), results_of(machine));

    BOOST_REQUIRE(std::holds_alternative<Refused>(confirmed));
    auto next = site.spec();
    next.attempt = 2;
    const Machine replaced = site.made(site.account(), next);
    BOOST_TEST(replaced.id != machine.id);
    BOOST_TEST(site.state().at("servers").size() == 1U);
}

BOOST_AUTO_TEST_CASE(rackconnect_is_waited_for_until_its_automation_is_deployed) {
    Site site;
    const Account account = site.account({{"rackconnect_wait", "true"}});
    const Machine machine = site.made(account, site.spec());
    site.patience = std::chrono::seconds{3};

    const Confirmed before = site.confirm(account, site.spec(), results_of(machine));
    BOOST_REQUIRE(std::holds_alternative<Pending>(before));
    BOOST_TEST(contains(std::get<Pending>(before).reason, "RackConnect"));
    site.patience = std::chrono::seconds{60};
    site.stand_in("metadata", {{"name", "web1001.example.org"},
                               {"key", "rackconnect_automation_status"},
                               {"value", "DEPLOYED"}});

    BOOST_TEST(
        std::holds_alternative<Reachable>(site.confirm(account, site.spec(), results_of(machine))));
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_named) {
    Site site;
    auto flavor = site.spec();
    flavor.flavor = "512MB Standart Instance";

    BOOST_TEST(contains(site.refusal(site.account({{"api_password", "no"}}), site.spec()),
                        "Provider credentials invalid/unauthorized"));
    BOOST_TEST(contains(site.refusal(site.account(), flavor), "near: 512MB Standard Instance"));
    const std::string all = site.refusal(site.account({{"rackspace_files", "/etc/motd=/etc/shadow"},
                                                       {"rackspace_metadata", "alone"}}),
                                         site.spec());
    BOOST_TEST(contains(all, "rackspace_files"));
    BOOST_TEST(contains(all, "rackspace_metadata"));
}

BOOST_AUTO_TEST_CASE(files_and_user_data_go_with_the_server) {
    Site site;
    const Account account = site.account(
        {{"rackspace_files", R"({"/etc/motd": "hello"})"}, {"rackspace_config_drive", "true"}});

    site.made(account, site.spec());

    BOOST_TEST(!site.has_misfits());
}

BOOST_AUTO_TEST_CASE(a_test_of_the_account_offers_flavors_and_images) {
    Site site;

    const Tested tested = site.answer(site.provider().test(site.account()));

    BOOST_REQUIRE(std::holds_alternative<Offer>(tested));
    BOOST_TEST(std::get<Offer>(tested).choices.at("image").size() > 10U);
    BOOST_TEST(std::get<Offer>(tested).choices.at("flavor").size() > 5U);
}

BOOST_AUTO_TEST_SUITE_END()
