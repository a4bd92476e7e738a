#include <boost/test/unit_test.hpp>

#include "provisioner/identity/checksum.hpp"
#include "tests/unit/provisioner/providers/existing/fakes.hpp"

using namespace tests::existing;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(existing_provider)

BOOST_FIXTURE_TEST_CASE(the_type_is_one_that_the_catalogue_accepts, Cellar) {
    const auto type = plain.type();

    BOOST_TEST(type.header.name == "existing");
    const auto read = model::plugin_type_from_json(type.kind, to_json(type));
    BOOST_REQUIRE(read.has_value());
    BOOST_TEST((*read == type));
    BOOST_TEST((type.admin.required ==
                std::vector<std::vector<std::string>>{{"machines"}, {"machine_list_resource"}}));
    BOOST_TEST((leading_changes(type, base::Json::object(),
                                {{"machines", "a"}, {"machine_list_resource", "b"}}) ==
                std::vector<std::string>{"machines", "machine_list_resource"}));
    // Files that fields name are found by the stems of the fields.
    for (const char* name : {"machine_lists", "ssh_keys", "wipe_scripts"}) {
        BOOST_TEST(std::count_if(type.resource_types.begin(), type.resource_types.end(),
                                 [&](const auto& resource) { return resource.name == name; }) == 1);
    }
}

BOOST_FIXTURE_TEST_CASE(a_node_gets_a_machine_that_fits_and_the_same_one_again, Cellar) {
    const auto created = create(spec(1001, "small"));

    const auto& machine = std::get<Machine>(created);
    BOOST_TEST(machine.id == "b#1");
    const base::Json facts{{"machine", "b"}, {"ssh-auth", {{"user", "ops"}, {"port", 2222}}}};
    BOOST_TEST(machine.facts == facts);
    BOOST_TEST(made(spec(1001, "small")) == "b#1");
    BOOST_TEST(made(spec(1002)) == "a#2");
}

BOOST_FIXTURE_TEST_CASE(a_user_that_the_list_does_not_name_is_that_of_the_image, Cellar) {
    auto wanted = spec(1001, "large");
    wanted.ssh_user = "debian";

    const auto created = create(wanted);
    const base::Json facts{{"machine", "a"}, {"ssh-auth", {{"user", "debian"}}}};
    BOOST_TEST(std::get<Machine>(created).facts == facts);
}

BOOST_FIXTURE_TEST_CASE(what_is_wished_says_by_what_machines_are_known, Cellar) {
    fields["spread_by"] = "rack";
    auto wanted = spec(1001);
    wanted.ssh_user = "debian";
    made(wanted);

    BOOST_TEST(leases.last_wish.tenant.value == 7);
    BOOST_TEST(leases.last_wish.provider == "cellar");
    BOOST_TEST(leases.last_wish.cluster == "00000001");
    // Whoever wipes it logs in as the node did: by the list's word, else by the image type's.
    BOOST_TEST(leases.last_wish.candidates.at(0).listed.at("user") == "debian");
    BOOST_TEST(leases.last_wish.candidates.at(1).listed.at("user") == "ops");
    const auto& b = leases.last_wish.candidates.at(1);
    BOOST_TEST(b.spread == "2");
    BOOST_TEST((b.identities ==
                std::vector<std::string>{
                    "key " + identity::checksum(tests::host_keys::second_key), "ssh 10.0.0.2 2222",
                    "tenant 7 key " + identity::checksum(tests::host_keys::second_key),
                    "tenant 7 ssh 10.0.0.2 2222"}));
}

BOOST_FIXTURE_TEST_CASE(every_wrong_field_is_told_and_nothing_is_leased, Cellar) {
    fields["machines"] = "- {name: a, address: x}\n";
    fields["wipe_minutes"] = "soon";

    const auto refused = std::get<Refused>(create(spec(1001)));

    BOOST_TEST(refused.nothing_created);
    BOOST_TEST(!refused.worth_retrying);
    BOOST_TEST(refused.message.find("machines: line 1: a: address \"x\" is no IPv4") !=
               std::string::npos);
    BOOST_TEST(refused.message.find("wipe_minutes") != std::string::npos);
    BOOST_TEST(leases.leases.empty());
}

BOOST_FIXTURE_TEST_CASE(a_list_does_not_lead_to_this_host_or_its_metadata, Cellar) {
    fields["machines"] =
        "- {name: a, address: 127.0.0.1, host_key: " + tests::host_keys::first_key +
        "}\n"
        "- {name: b, address: 169.254.169.254, host_key: " +
        tests::host_keys::second_key + "}\n";
    const auto refused = std::get<Refused>(create(spec(1001)));
    BOOST_TEST(
        refused.message.find("a: 127.0.0.1 is the provisioner's own host") != std::string::npos,
        refused.message);
    BOOST_TEST(refused.message.find("b: 169.254.169.254 is") != std::string::npos, refused.message);
}

BOOST_FIXTURE_TEST_CASE(a_file_that_is_not_there_is_told, Cellar) {
    fields.erase("machines");
    fields["machine_list_resource"] = "cellar.ini";

    BOOST_TEST(std::get<Refused>(create(spec(1001))).message ==
               "machine_list_resource: there is no live file \"cellar.ini\" of this plugin: upload "
               "it, stage it and sync");
}

BOOST_FIXTURE_TEST_CASE(a_size_that_nobody_has_is_refused_for_good, Cellar) {
    const auto refused = std::get<Refused>(create(spec(1001, "huge")));

    BOOST_TEST(!refused.worth_retrying);
    BOOST_TEST(refused.message == "no machine has the flavor huge (there are large, small)");
}

BOOST_FIXTURE_TEST_CASE(when_all_are_in_use_a_later_try_may_get_one, Cellar) {
    made(spec(1001, "large"));

    const auto refused = std::get<Refused>(create(spec(1002, "large")));

    BOOST_TEST(refused.worth_retrying);
    BOOST_TEST(refused.nothing_created);
    BOOST_TEST(refused.message == "none of the 1 machines that fit is free: 1 in use");
}

BOOST_FIXTURE_TEST_CASE(a_machine_in_the_wash_is_waited_for, Cellar) {
    made(spec(1001, "large"));
    destroy(spec(1001, "", 11));

    const auto pending = std::get<Pending>(create(spec(1002, "large")));

    BOOST_TEST(pending.reason ==
               "none of the 1 machines that fit is free: 0 in use, 1 being wiped");
}

BOOST_FIXTURE_TEST_CASE(a_node_without_a_machine_is_gone, Cellar) {
    BOOST_TEST(std::holds_alternative<Gone>(destroy(spec(1001, "", 11))));
    BOOST_TEST(scripts.runs.empty());
}

BOOST_FIXTURE_TEST_CASE(a_machine_made_for_a_later_task_is_left_alone, Cellar) {
    made(spec(1001, "", 20));

    BOOST_TEST(std::holds_alternative<Gone>(destroy(spec(1001, "", 11))));

    BOOST_TEST((leases.leases.at(1).state == LeaseState::leased));
}

BOOST_FIXTURE_TEST_CASE(the_sweep_gives_back_the_machine_that_it_saw_and_no_other, Cellar) {
    made(spec(1001));
    const base::Json another{{"providerid", "a#9"}};
    const base::Json this_one{{"providerid", "a#1"}};

    destroy(spec(1001, "", 0), another);
    BOOST_TEST((leases.leases.at(1).state == LeaseState::leased));
    destroy(spec(1001, "", 0), this_one);
    BOOST_TEST((leases.leases.at(1).state == LeaseState::wiping));
}

BOOST_FIXTURE_TEST_CASE(a_node_that_is_made_anew_gets_another_machine_while_its_own_is_wiped,
                        Cellar) {
    made(spec(1001, "", 10));
    destroy(spec(1001, "", 11));

    BOOST_TEST(made(spec(1001, "", 12)) == "b#2");

    // The deletion of the first one, late, does not touch the second one.
    scripts.answers = {ScriptDone{}};
    BOOST_TEST(std::holds_alternative<Gone>(destroy(spec(1001, "", 11))));
    BOOST_TEST(leases.leases.size() == 1U);
    BOOST_TEST(leases.leases.at(2).machine == "b");
}

BOOST_FIXTURE_TEST_CASE(machines_are_those_that_nodes_have, Cellar) {
    made(spec(1001));
    made(spec(1002));
    destroy(spec(1002, "", 11));

    const auto seen = machines();

    BOOST_REQUIRE(seen.size() == 1U);
    BOOST_TEST(seen.front().id == "a#1");
    BOOST_TEST(seen.front().name == "00000001-1001");
    BOOST_TEST(seen.front().addresses.at("access_v4") == "10.0.0.1");
}

BOOST_FIXTURE_TEST_CASE(a_test_of_the_provider_says_what_there_is_and_what_is_out_of_use, Cellar) {
    fields.erase("wipe_script");
    made(spec(1001));
    destroy(spec(1001, "", 11));
    const Account used = account();

    const auto tested = answer(plain.test(used));

    const auto& offer = std::get<Offer>(tested);
    BOOST_TEST((offer.choices.at("flavor") ==
                std::vector<Choice>{{.value = "large"}, {.value = "small"}}));
    BOOST_TEST((offer.choices.at("tags") ==
                std::vector<Choice>{{.value = "rack=1"}, {.value = "rack=2"}}));
    BOOST_REQUIRE(offer.notes.size() == 3U);
    BOOST_TEST(offer.notes[0] == "2 machines are listed, 1 of this provider are not free.");
    BOOST_TEST(offer.notes[1].starts_with("a is out of use: the provider has no wipe_script"));
    BOOST_TEST(offer.notes[2] ==
               "There is no wipe_script: each machine serves once, until a person releases it.");
    fields["machines"] = "";
    const Account wrong = account();
    BOOST_TEST(std::holds_alternative<Refused>(answer(plain.test(wrong))));
}

// Of two tenants that list the same machine it is whose node logs in first.
BOOST_FIXTURE_TEST_CASE(who_logs_in_first_has_the_machine, Cellar) {
    leased(spec(1001, "large"));
    tenant = 8;
    leased(spec(2001, "large"));

    BOOST_TEST(!enter(spec(2001)).has_value());
    tenant = 7;
    BOOST_TEST(enter(spec(1001)).value().message.starts_with("another node has this machine"));

    // Nothing of it is touched when it is given back, and no node of the tenant gets it meanwhile.
    BOOST_TEST(std::holds_alternative<Gone>(destroy(spec(1001, "", 11))));
    BOOST_TEST(scripts.runs.empty());
    BOOST_TEST(leased(spec(1001, "small")).starts_with("b#"));
    BOOST_TEST(std::get<Refused>(create(spec(1002, "large"))).message.ends_with("1 in use"));
    tenant = 8;
    scripts.answers = {ScriptDone{}};
    BOOST_TEST(std::holds_alternative<Gone>(destroy(spec(2001, "", 11))));
    tenant = 7;
    BOOST_TEST(leased(spec(1002, "large")).starts_with("a#"));
}

// Without a key and by another address nobody can tell before the login that it is the same.
BOOST_FIXTURE_TEST_CASE(who_was_refused_a_machine_is_given_another_one, Cellar) {
    made(spec(1001, "large"));
    tenant = 8;
    fields["pin_on_first_contact"] = "true";
    fields["machines"] = "- {name: again, address: 10.0.9.1}\n- {name: other, address: 10.0.9.2}\n";
    BOOST_TEST(leased(spec(2001)) == "again#2");
    BOOST_TEST(enter(spec(2001), tests::host_keys::first_key).has_value());

    BOOST_TEST(std::holds_alternative<Gone>(destroy(spec(2001, "", 11))));

    BOOST_TEST(leased(spec(2001)) == "other#3");
}

BOOST_FIXTURE_TEST_CASE(a_login_counts_for_the_machine_that_it_was_made_to, Cellar) {
    leased(spec(1001, "large"));
    const Account used = account();

    const auto late = answer(provider().entered(used, spec(1001), {{"providerid", "a#99"}},
                                                tests::host_keys::first_key));

    BOOST_TEST(late.value().message == "the node has no machine any more");
    BOOST_TEST(!leases.leases.at(1).is_entered);
}

BOOST_FIXTURE_TEST_CASE(the_key_of_the_first_login_is_kept_when_the_machine_is_entered, Cellar) {
    fields["machines"] = "- {name: a, address: 10.0.0.1}";
    fields["pin_on_first_contact"] = "true";
    leased(spec(1001));

    BOOST_TEST(!enter(spec(1001), tests::host_keys::second_key).has_value());

    BOOST_TEST((listed_machine(leases.leases.at(1)).host_keys ==
                std::vector<std::string>{tests::host_keys::second_key}));
}

BOOST_FIXTURE_TEST_CASE(a_list_alone_keeps_nobody_from_a_machine, Cellar) {
    fields["machines"] =
        "- {name: mine, address: 10.0.0.9, bmc: 'https://10.1.0.1', host_keys: ['" +
        tests::host_keys::second_key + "', '" + tests::host_keys::first_key +
        "']}\n- {name: theirs, address: 10.0.0.2, host_key: " + tests::host_keys::ecdsa_key + "}\n";
    made(spec(1001));
    leased(spec(1002));
    tenant = 8;
    fields["machines"] =
        "- {name: a, address: 10.0.0.1, bmc: 'https://10.1.0.1', host_key: " +
        tests::host_keys::first_key +
        "}\n- {name: b, address: 10.0.0.2, host_key: " + tests::host_keys::ecdsa_key + "}\n";

    BOOST_TEST(made(spec(2001)) == "a#3");
    BOOST_TEST(made(spec(2002)) == "b#4");
}

BOOST_FIXTURE_TEST_CASE(metal_is_the_first_ones_that_its_controller_answers, Cellar) {
    power = &fake_power;
    fields["machines"] = "- {name: a, address: 10.0.0.1, bmc: 'https://10.1.0.1', host_key: " +
                         tests::host_keys::first_key + "}";
    leased(spec(1001));
    tenant = 8;
    made(spec(2001));
    tenant = 7;
    const Account used = account();

    const SwitchAnswer refused = answer(switch_on(leases, power, used, leases.leases.at(1)));

    BOOST_TEST(std::get<Refused>(refused).message.starts_with("another node has this machine"));
    BOOST_TEST((fake_power.calls == std::vector<std::string>{"look a"}));
}

BOOST_AUTO_TEST_SUITE_END()
