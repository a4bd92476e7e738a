#include "provisioner/providers/cloud/user_data.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/providers/cloud/fake_cloud.hpp"

using namespace provisioner;
using namespace provisioner::providers::cloud;

namespace {

base::Json config_in(const std::string& user_data) {
    const std::string first = "#cloud-config\n";
    BOOST_REQUIRE(user_data.starts_with(first));
    return base::parse_json(user_data.substr(first.size())).value();
}

base::Json made_for(const providers::MachineSpec& spec,
                    const base::Json& more = base::Json::object()) {
    const auto account = tests::an_account();
    return config_in(user_data_for(account, spec, mark_of(account, spec), more));
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_user_gets_the_login_key_and_the_machine_its_host_key) {
    const auto config = made_for(tests::a_spec());
    const base::Json& user = config.at("users").at(1);
    BOOST_TEST(base::text_at(user, "name") == "admin");
    BOOST_TEST(user.at("ssh_authorized_keys").at(0).get<std::string>() == "ssh-ed25519 LOGIN");
    BOOST_TEST(base::text_at(config.at("ssh_keys"), "ed25519_private")
                   .starts_with("-----BEGIN OPENSSH PRIVATE KEY-----\n"));
    BOOST_TEST(base::text_at(config, "fqdn") == "web1.example.org");
    BOOST_TEST(base::text_at(config, "hostname") == "web1");
}

BOOST_AUTO_TEST_CASE(root_is_let_in_where_root_is_the_user) {
    auto spec = tests::a_spec();
    spec.ssh_user = "root";
    const auto config = made_for(spec);
    BOOST_TEST(config.at("disable_root") == false);
    BOOST_TEST(!config.contains("users"));
    BOOST_TEST(config.at("ssh_authorized_keys").at(0).get<std::string>() == "ssh-ed25519 LOGIN");
}

BOOST_AUTO_TEST_CASE(a_machine_without_a_seed_gets_no_host_key) {
    auto spec = tests::a_spec();
    spec.host_key_seed = {};
    BOOST_TEST(!made_for(spec).contains("ssh_keys"));
}

BOOST_AUTO_TEST_CASE(host_keys_differ_by_machine_task_and_attempt_and_are_found_again) {
    auto spec = tests::a_spec();
    Mark mark = mark_of(tests::an_account(), spec);
    const auto key = host_key_for(spec, mark);
    BOOST_REQUIRE(key.has_value());
    BOOST_TEST((host_key_for(spec, mark) == key));
    mark.attempt = 2;
    BOOST_TEST((host_key_for(spec, mark) != key));
    mark = mark_of(tests::an_account(), spec);
    spec.host_key_seed = base::Secret(std::string(32, 't'));
    BOOST_TEST((host_key_for(spec, mark) != key));
    mark.task = 0;
    BOOST_TEST(!host_key_for(spec, mark).has_value());
}

BOOST_AUTO_TEST_CASE(what_a_cloud_adds_is_merged_and_what_the_owner_adds_is_a_part_of_its_own) {
    const base::Json more{{"mounts", {{"/dev/vdb", "/data"}}}};
    BOOST_TEST(made_for(tests::a_spec(), more).contains("mounts"));
    auto account = tests::an_account();
    account.files["user_data_resource"] = "#!/bin/sh\necho mine\n";
    const auto spec = tests::a_spec();
    const std::string text =
        user_data_for(account, spec, mark_of(account, spec), base::Json::object());
    BOOST_TEST(text.starts_with("Content-Type: multipart/mixed; boundary=\"cooperage-"));
    BOOST_TEST(text.find("Content-Type: text/x-shellscript") != std::string::npos);
    BOOST_TEST(text.find("IyEvYmluL3NoCmVjaG8gbWluZQo=") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(user_data_that_are_too_long_name_the_file_if_there_is_one) {
    const auto words = [](const providers::Account& account) -> std::string {
        try {
            check_user_data(account, "12345", 5, "EC2");
            check_user_data(account, "12345", 4, "EC2");
        } catch (const Refusal& refused) {
            return refused.what();
        }
        return "not refused";
    };
    auto account = tests::an_account();
    BOOST_TEST(words(account) == "the user data have 5 bytes, and EC2 takes 4");
    account.files["user_data_resource"] = "#!/bin/sh";
    BOOST_TEST(words(account) ==
               "user_data_resource: the user data have 5 bytes, and EC2 takes 4: make the file "
               "shorter");
}
