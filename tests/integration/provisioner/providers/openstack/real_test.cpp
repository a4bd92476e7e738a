#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/integration/provisioner/providers/openstack/site.hpp"

namespace {

/// The file access.json of a real OpenStack (tests/support/clouds/openstack), in whose network this
/// runs.
const char* access_file() {
    return std::getenv("COOPERAGE_OPENSTACK");
}

boost::test_tools::assertion_result is_there(boost::unit_test::test_unit_id) {
    return access_file() != nullptr;
}

}  // namespace

// What the stand-in claims, asked of Nova, Neutron, Keystone and Glance themselves.
BOOST_AUTO_TEST_SUITE(real, *boost::unit_test::precondition(is_there))

using namespace provisioner;
using namespace provisioner::providers;

struct Real : tests::OpenStackSite {
    Real() {
        std::ostringstream text;
        text << std::ifstream(access_file()).rdbuf();
        access = base::parse_json(text.str()).value();
        longest_pause = std::chrono::milliseconds{1000};
        patience = std::chrono::seconds{120};
    }
    ~Real() {
        // Machines and whatever they left behind.
        BOOST_TEST(answer(provider().machines(account({}))).empty());
    }
    Account account(const base::Json& more) const {
        base::Json fields = {{"openstack_auth_url", access.at("auth_url")},
                             {"api_user", access.at("user")},
                             {"api_password", access.at("password")},
                             {"openstack_tenant", access.at("project")},
                             {"network_ids", "private"}};
        if (more.is_object()) fields.update(more);
        return CloudSite::account("openstack", std::move(fields));
    }
    std::string refusal(const Account& account, const MachineSpec& wanted) {
        const Created created = make(account, wanted);
        BOOST_REQUIRE(std::holds_alternative<Refused>(created));
        return std::get<Refused>(created).message;
    }

    base::Json access;
};

bool has(const std::string& text, const std::string& part) {
    const bool found = text.find(part) != std::string::npos;
    if (!found) BOOST_TEST_MESSAGE(text);
    return found;
}

BOOST_FIXTURE_TEST_CASE(a_machine_with_a_floating_address_lives_and_leaves_nothing, Real) {
    const Account owner = account(
        {{"floating_ip", "true"}, {"anti_affinity", "soft-anti-affinity"}, {"config_drive", true}});

    const Created created = make(owner, spec());
    if (const auto* refused = std::get_if<Refused>(&created)) BOOST_TEST_MESSAGE(refused->message);
    BOOST_REQUIRE(std::holds_alternative<Machine>(created));
    const auto results = tests::results_of(std::get<Machine>(created));
    const Confirmed confirmed = confirm(owner, spec(), results);
    const Created again = make(owner, spec());
    const Destroyed destroyed = take_away(owner, spec(), results);

    BOOST_REQUIRE(std::holds_alternative<Reachable>(confirmed));
    const auto& reachable = std::get<Reachable>(confirmed);
    BOOST_TEST(reachable.addresses.at("access_v4").starts_with("203.0.113."));
    BOOST_TEST(reachable.addresses.at("bind_v4").starts_with("10.99."));
    BOOST_REQUIRE(std::holds_alternative<Machine>(again));
    BOOST_TEST(std::get<Machine>(again).id == std::get<Machine>(created).id);
    BOOST_TEST(std::holds_alternative<Gone>(destroyed));
}

BOOST_FIXTURE_TEST_CASE(the_group_of_a_cluster_is_repaired_and_goes_with_its_last_machine, Real) {
    auto second = spec(1002);
    second.open_ports = {"8080/tcp", "5000-5010/udp"};
    const Account owner = account({{"ssh_ranges", "192.0.2.7/24"}});

    for (const auto& wanted : {spec(), second, spec()}) {
        BOOST_TEST(std::holds_alternative<Machine>(make(owner, wanted)));
    }

    BOOST_TEST(std::holds_alternative<Gone>(take_away(owner, spec(), {})));
    BOOST_TEST(std::holds_alternative<Gone>(take_away(owner, second, {})));
}

BOOST_FIXTURE_TEST_CASE(a_flavor_without_a_host_ends_in_error_and_is_replaced, Real) {
    const Account owner = account({{"security_groups", "default"}});
    auto huge = spec();
    huge.flavor = "m1.huge";
    const Created created = make(owner, huge);
    BOOST_REQUIRE(std::holds_alternative<Machine>(created));

    const Confirmed confirmed = confirm(owner, huge, tests::results_of(std::get<Machine>(created)));

    BOOST_REQUIRE(std::holds_alternative<Refused>(confirmed));
    BOOST_TEST(has(std::get<Refused>(confirmed).message, "No valid host was found"));
    auto next = spec();
    next.attempt = 2;
    BOOST_TEST(std::holds_alternative<Machine>(make(owner, next)));
    BOOST_TEST(std::holds_alternative<Gone>(take_away(owner, next, {})));
}

BOOST_FIXTURE_TEST_CASE(what_does_not_exist_is_named, Real) {
    auto flavor = spec();
    flavor.flavor = "m1.smal";
    auto image = spec();
    image.image = "00000000-0000-0000-0000-000000000000";
    const base::Json plain = {{"security_groups", "default"}};
    const auto with = [&](const char* field, const char* value) {
        base::Json fields = plain;
        fields[field] = value;
        return account(fields);
    };

    BOOST_TEST(has(refusal(account(plain), flavor), "near: m1.small"));
    BOOST_TEST(has(refusal(account(plain), image), "there are debian12"));
    BOOST_TEST(has(refusal(with("network_ids", "privat"), spec()), "near: private"));
    BOOST_TEST(has(refusal(with("network_ids", ""), spec()), "several networks"));
    BOOST_TEST(has(refusal(with("availability_zone", "nove"), spec()), "near: nova"));
    BOOST_TEST(has(refusal(with("ssh_keypair", "nobody"), spec()), "there is no key pair"));
    BOOST_TEST(has(refusal(with("api_password", "wrong"), spec()), "Provider credentials invalid"));
    base::Json unreachable = plain;
    unreachable["network_ids"] = "storage";
    unreachable["floating_ip"] = "true";
    BOOST_TEST(has(refusal(account(unreachable), spec()), "no router joins"));
}

BOOST_FIXTURE_TEST_CASE(an_application_credential_is_enough, Real) {
    const auto& credential = access.at("application_credential");
    Account owner = account({{"openstack_application_credential_id", credential.at("id")},
                             {"openstack_application_credential_secret", credential.at("secret")}});
    for (const char* field : {"api_user", "api_password", "openstack_tenant"}) {
        owner.fields.erase(field);
    }

    const Tested tested = answer(provider().test(owner));
    const Created created = make(owner, spec());
    const Destroyed destroyed = take_away(owner, spec(), {});

    BOOST_REQUIRE(std::holds_alternative<Offer>(tested));
    BOOST_TEST(std::get<Offer>(tested).choices.at("flavor").size() == 4U);
    BOOST_TEST(std::holds_alternative<Machine>(created));
    BOOST_TEST(std::holds_alternative<Gone>(destroyed));
}

BOOST_AUTO_TEST_SUITE_END()
