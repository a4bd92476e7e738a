#include "provisioner/providers/simulated/simulated_provider.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/integration/provisioner/simulation/fixture.hpp"

using namespace provisioner::providers;
using namespace std::chrono_literals;
using provisioner::base::Json;
using tests::integration::SimulationFixture;

namespace {

const Json nothing = Json::object();

struct ProviderFixture : SimulationFixture {
    Created create(const Json& fields) { return await(provider.create(account(fields), spec())); }
    Confirmed confirm() { return await(provider.confirm(account(), spec(), nothing)); }
    Destroyed destroy(const Json& fields) {
        return await(provider.destroy(account(fields), spec(), nothing));
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(simulated_provider, ProviderFixture)

BOOST_AUTO_TEST_CASE(time_alone_makes_a_machine_boot) {
    const Created created = create({{"simulated_boot_ms", 1500}});
    BOOST_REQUIRE(std::holds_alternative<Machine>(created));
    BOOST_TEST(std::get<Machine>(created).id == "00000001-1000");

    const Confirmed early = confirm();
    BOOST_REQUIRE(std::holds_alternative<Pending>(early));
    BOOST_TEST((std::get<Pending>(early).poll_in == 1000ms));
    clock.go_on(1100ms);
    BOOST_TEST((std::get<Pending>(confirm()).poll_in == 400ms));
    BOOST_CHECK_THROW(connect(clock), provisioner::remote::TransportError);
    clock.go_on(400ms);
    const Confirmed booted = confirm();

    BOOST_REQUIRE(std::holds_alternative<Reachable>(booted));
    BOOST_TEST(std::get<Reachable>(booted).host_key == "simulated 00000001-1000");
    BOOST_TEST(connect(clock)->host_key() == "simulated 00000001-1000");
}

BOOST_AUTO_TEST_CASE(a_machine_made_for_a_later_task_is_left_alone) {
    MachineSpec asked = spec();
    asked.task = 18;
    await(provider.create(account(), asked));

    asked.task = 17;
    BOOST_TEST(std::holds_alternative<Gone>(await(provider.destroy(account(), asked, nothing))));
    BOOST_TEST(files_in("machines") == "00000001-1000");

    asked.task = 19;
    BOOST_TEST(std::holds_alternative<Gone>(await(provider.destroy(account(), asked, nothing))));
    BOOST_TEST(files_in("machines") == "");
}

BOOST_AUTO_TEST_CASE(it_lists_the_machines_there_are) {
    BOOST_TEST(await(provider.machines(account())).empty());
    create(nothing);
    BOOST_TEST((await(provider.machines(account())) ==
                std::vector<SeenMachine>{{.id = "00000001-1000", .name = "00000001-1000"}}));

    destroy({{"simulated_keep_ledger", "yes"}});

    BOOST_TEST(await(provider.machines(account())).empty());
    create({{"simulated_quota_percent", 100}});
    BOOST_TEST(files_in("machines") == "00000001-1000");
    BOOST_TEST(await(provider.machines(account())).empty());
}

BOOST_AUTO_TEST_CASE(a_half_created_machine_is_found_by_its_name) {
    const Json fields = {{"simulated_half_created_percent", 100}, {"simulated_boot_ms", 300}};

    const Created first = create(fields);
    clock.go_on(300ms);
    const Created second = create(fields);

    BOOST_REQUIRE(std::holds_alternative<Refused>(first));
    BOOST_TEST(std::get<Refused>(first).worth_retrying);
    BOOST_TEST(!std::get<Refused>(first).nothing_created);
    BOOST_TEST(std::holds_alternative<Machine>(second));
    BOOST_TEST(std::holds_alternative<Reachable>(confirm()));
}

BOOST_AUTO_TEST_CASE(messages_call_a_machine_by_its_host_name) {
    const Json fields = {{"simulated_half_created_percent", 100}};
    MachineSpec asked = spec();
    asked.hostname = "shop1-1000.local";

    const Created refused = await(provider.create(account(fields), asked));

    BOOST_REQUIRE(std::holds_alternative<Refused>(refused));
    const std::string message = std::get<Refused>(refused).message;
    BOOST_TEST(message.starts_with("the creation of shop1-1000 broke off half way"), message);
}

BOOST_AUTO_TEST_CASE(a_reply_that_is_lost_leaves_what_was_done) {
    const Json fields = {{"simulated_lost_reply_percent", 100}};

    BOOST_CHECK_THROW(create(fields), std::runtime_error);
    BOOST_TEST(files_in("machines") == "00000001-1000");
    BOOST_TEST(std::holds_alternative<Machine>(create(fields)));

    BOOST_CHECK_THROW(destroy(fields), std::runtime_error);
    BOOST_TEST(files_in("machines") == "");
    BOOST_TEST(std::holds_alternative<Gone>(destroy(fields)));
}

BOOST_AUTO_TEST_CASE(a_refusal_for_quota_makes_nothing_and_the_next_attempt_is_another_draw) {
    const Json always = {{"simulated_quota_percent", 100}};
    const Created refused = create(always);
    BOOST_REQUIRE(std::holds_alternative<Refused>(refused));
    BOOST_TEST(std::get<Refused>(refused).nothing_created);
    BOOST_TEST(std::get<Refused>(refused).worth_retrying);
    BOOST_TEST(std::holds_alternative<Refused>(confirm()));

    const Json often = {{"simulated_quota_percent", 50}};
    int attempts = 0;
    while (!std::holds_alternative<Machine>(create(often))) BOOST_REQUIRE(++attempts < 50);

    BOOST_TEST(std::holds_alternative<Reachable>(confirm()));
}

BOOST_AUTO_TEST_CASE(an_account_with_a_password_makes_machines_for_who_has_it) {
    const Json account = {{"simulated_account_password", "open sesame"}};
    Json right = account;
    right["simulated_password"] = "open sesame";
    Json wrong = account;
    wrong["simulated_password"] = "open barley";

    for (const Json& fields : {account, wrong}) {
        const Created refused = create(fields);
        BOOST_REQUIRE(std::holds_alternative<Refused>(refused));
        BOOST_TEST(!std::get<Refused>(refused).worth_retrying);
        BOOST_TEST(std::get<Refused>(refused).nothing_created);
    }
    BOOST_TEST(std::holds_alternative<Machine>(create(right)));
}

BOOST_AUTO_TEST_CASE(a_wrong_field_is_refused_by_its_name_before_anything_is_made) {
    const Created refused = create({{"simulated_boot_ms", "soon"}});

    BOOST_REQUIRE(std::holds_alternative<Refused>(refused));
    BOOST_TEST(!std::get<Refused>(refused).worth_retrying);
    BOOST_TEST(std::get<Refused>(refused).message.starts_with("simulated_boot_ms: "));
    BOOST_TEST(files_in("machines") == "");
}

BOOST_AUTO_TEST_CASE(after_destroy_only_a_ledger_that_was_asked_for_is_left) {
    create(nothing);
    destroy(nothing);
    BOOST_TEST(files_in("machines") == "");
    BOOST_TEST(files_in("gone") == "");

    create(nothing);
    destroy({{"simulated_keep_ledger", "yes"}});
    BOOST_TEST(files_in("machines") == "");
    BOOST_TEST(files_in("gone") == "00000000043200000000-00000001-1000");
    BOOST_TEST(std::holds_alternative<Refused>(confirm()));
}

BOOST_AUTO_TEST_SUITE_END()
