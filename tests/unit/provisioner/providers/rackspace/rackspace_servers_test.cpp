#include <boost/test/unit_test.hpp>

#include "provisioner/providers/rackspace/rackspace_cloud.hpp"

BOOST_AUTO_TEST_SUITE(rackspace_servers)

using namespace provisioner;
using namespace provisioner::providers;
using namespace provisioner::providers::rackspace;
using State = cloud::CloudMachine::State;

Account with(base::Json fields) {
    Account account;
    account.fields = std::move(fields);
    return account;
}

std::string problems_of(base::Json fields) {
    base::Problems problems;
    own_metadata(with(fields), problems);
    own_files(with(fields), problems);
    return base::to_text(problems);
}

base::Json active(const std::string& rackconnect) {
    base::Json server = {{"id", "s"}, {"status", "ACTIVE"}, {"accessIPv4", "198.101.241.238"}};
    server["addresses"] = {{"public", {{{"addr", "198.101.241.170"}, {"version", 4}}}},
                           {"private", {{{"addr", "10.180.63.139"}, {"version", 4}}}}};
    server["metadata"] = base::Json::object();
    if (!rackconnect.empty()) server["metadata"]["rackconnect_automation_status"] = rackconnect;
    return server;
}

BOOST_AUTO_TEST_CASE(metadata_are_pairs_or_an_object) {
    base::Problems problems;
    const base::Json pairs = own_metadata(with({{"rackspace_metadata", "a=1, b = x=y"}}), problems);
    const base::Json object =
        own_metadata(with({{"rackspace_metadata", R"({"a": "1", "n": 7})"}}), problems);

    BOOST_TEST(problems.empty());
    BOOST_TEST(base::to_text(pairs) == R"({"a":"1","b":"x=y"})");
    BOOST_TEST(base::to_text(object) == R"({"a":"1","n":"7"})");
}

BOOST_AUTO_TEST_CASE(files_are_texts_and_never_files_of_this_machine) {
    base::Problems problems;
    const base::Json files =
        own_files(with({{"rackspace_files", R"({"/etc/motd": "hello"})"}}), problems);

    BOOST_TEST(problems.empty());
    BOOST_TEST(base::to_text(files) == R"([{"path":"/etc/motd","contents":"aGVsbG8="}])");
    BOOST_TEST(problems_of({{"rackspace_files", "/etc/motd=/etc/shadow"}})
                   .find("files of the provisioner's machine are not read") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_rackspace_would_refuse_is_named_before) {
    BOOST_TEST(problems_of({{"rackspace_metadata", "alone"}}).find("key=value") !=
               std::string::npos);
    BOOST_TEST(problems_of({{"rackspace_metadata", "cooperage-machine=x"}}).find("key of ours") !=
               std::string::npos);
    BOOST_TEST(problems_of({{"rackspace_metadata", "k=" + std::string(256, 'x')}}).find("255") !=
               std::string::npos);
    BOOST_TEST(problems_of({{"rackspace_files", R"({"etc/motd": "x"})"}}).find("absolute") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(services_listen_where_the_daemon_logs_in) {
    const auto machine = machine_of(active(""), false);

    BOOST_TEST((machine.state == State::running));
    BOOST_TEST(machine.addresses.at("access_v4") == "198.101.241.238");
    BOOST_TEST(machine.addresses.at("bind_v4") == "198.101.241.238");
}

BOOST_AUTO_TEST_CASE(rackconnect_is_waited_for_only_if_asked_for) {
    const auto state = [](const std::string& status) {
        return machine_of(active(status), true).state;
    };

    BOOST_TEST((state("") == State::starting));
    BOOST_TEST((state("DEPLOYING") == State::starting));
    BOOST_TEST((state("DEPLOYED") == State::running));
    BOOST_TEST((state("FAILED") == State::failed));
    BOOST_TEST((state("UNPROCESSABLE") == State::failed));
    BOOST_TEST((machine_of(active("DEPLOYING"), false).state == State::running));
}

BOOST_AUTO_TEST_CASE(the_type_has_the_fields_of_coopr_first) {
    const auto type = rackspace_type();

    BOOST_TEST(type.admin.fields.at(0).label == "Username");
    BOOST_TEST(type.admin.fields.at(1).label == "API key");
    BOOST_TEST(type.admin.fields.at(1).is_secret());
    BOOST_TEST(type.admin.fields.at(2).name == "rackspace_region");
    BOOST_TEST(type.admin.fields.at(2).options.size() == 6U);
    BOOST_TEST(type.admin.fields.at(2).default_value == "dfw");
    BOOST_TEST(type.user.fields.at(0).name == "rackconnect_wait");
    BOOST_TEST(type.user.fields.size() == 3U);
    const auto read =
        model::plugin_type_from_json(model::PluginKind::provider, model::to_json(type));
    BOOST_TEST((read.has_value() && *read == type));
}

BOOST_AUTO_TEST_SUITE_END()
