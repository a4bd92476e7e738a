#include "provisioner/providers/existing/listing.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/identity/checksum.hpp"
#include "tests/unit/provisioner/inventory/keys.hpp"

using namespace provisioner;
using namespace provisioner::providers::existing;

BOOST_AUTO_TEST_SUITE(listing)

BOOST_AUTO_TEST_CASE(a_list_may_stand_in_the_providers_json_itself) {
    providers::Account account;
    account.fields = {{"machines",
                       {{{"name", "a"},
                         {"address", "10.0.0.1"},
                         {"host_key", tests::host_keys::first_key},
                         {"tags", {"ssd"}}}}}};

    const auto fields = fields_of(account, {});

    BOOST_REQUIRE(fields.has_value());
    BOOST_TEST(fields->machines.front().name == "a");
    BOOST_TEST(fields->machines.front().tags.front() == "ssd");
}

BOOST_AUTO_TEST_CASE(a_list_comes_from_the_file_that_a_field_names) {
    providers::Account account;
    account.fields = {{"machine_list_resource", "cellar"}};
    account.files["machine_list_resource"] =
        "[web]\n10.0.0.1 cooperage_host_key='" + tests::host_keys::first_key + "'\n";

    const auto fields = fields_of(account, {});

    BOOST_REQUIRE(fields.has_value());
    BOOST_TEST(fields->machines.front().tags.front() == "web");

    account.fields["machines"] = "- {}";
    BOOST_TEST(base::to_text(fields_of(account, {}).error()) ==
               "machine_list_resource: give machines or machine_list_resource, not both");
}

BOOST_AUTO_TEST_CASE(a_lease_gives_back_the_machine_as_it_was_listed) {
    inventory::ListedMachine machine;
    machine.name = "a";
    machine.address = "10.0.0.1";
    machine.bind_address = "192.168.0.1";
    machine.port = 2222;
    machine.user = "ops";
    machine.host_keys = {tests::host_keys::first_key};
    machine.tags = {"ssd"};
    machine.controller = {.url = "https://bmc", .system = "/redfish/v1/Systems/1"};
    model::MachineLease lease;
    lease.machine = "a";
    lease.listed = to_json(machine);

    BOOST_TEST((listed_machine(lease) == machine));
    BOOST_TEST((identities_of(machine, model::TenantId{7}) ==
                std::vector<std::string>{
                    "bmc https://bmc /redfish/v1/Systems/1",
                    "key " + identity::checksum(tests::host_keys::first_key), "ssh 10.0.0.1 2222",
                    "tenant 7 bmc https://bmc /redfish/v1/Systems/1",
                    "tenant 7 key " + identity::checksum(tests::host_keys::first_key),
                    "tenant 7 ssh 10.0.0.1 2222"}));
    machine.controller.system = "/" + std::string(239 - machine.controller.url.size(), 'x');
    for (const std::string& identity : identities_of(machine, model::TenantId{1'000'000'000'000})) {
        BOOST_TEST(identity.size() <= 255U);
    }
}

BOOST_AUTO_TEST_CASE(words_of_hardware_and_image_type_say_which_tags_are_wanted) {
    providers::MachineSpec spec;
    spec.flavor = "large";
    spec.hardware = {{"tags", "ssd, rack=7"}};

    BOOST_TEST((wanted_of(spec).tags == std::vector<std::string>{"ssd", "rack=7"}));
}

BOOST_AUTO_TEST_CASE(a_pinned_key_is_read_as_the_daemon_writes_it) {
    BOOST_TEST(pinned_host_key({{"ssh_host_keys", {{"ed25519", "AAAA"}}}}) == "ssh-ed25519 AAAA");
    BOOST_TEST(pinned_host_key({{"ssh_host_keys", {{"ecdsa-sha2-nistp256", "BBBB"}}}}) ==
               "ecdsa-sha2-nistp256 BBBB");
    BOOST_TEST(pinned_host_key(base::Json::object()) == "");
}

BOOST_AUTO_TEST_SUITE_END()
