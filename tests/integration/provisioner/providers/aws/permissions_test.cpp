#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "tests/integration/provisioner/providers/aws/site.hpp"

using namespace provisioner;
using namespace provisioner::providers;
using tests::AwsSite;
using tests::fresh_site;
using tests::results_of;

BOOST_AUTO_TEST_SUITE(aws_permissions)

namespace {

/// The policy that the README of the provider tells people to use.
base::Json policy_of_the_readme() {
    std::ifstream file("provisioner/providers/aws/README.md");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::string fence = "```json\n";
    const auto begin = text.find(fence);
    BOOST_REQUIRE(begin != std::string::npos);
    const auto end = text.find("```", begin + fence.size());
    const auto policy =
        base::parse_json(text.substr(begin + fence.size(), end - begin - fence.size()));
    BOOST_REQUIRE(policy.has_value());
    return *policy;
}

/// The policy in a file, without one action.
std::string policy_file(const std::string& without = "") {
    base::Json policy = policy_of_the_readme();
    for (base::Json& statement : policy["Statement"]) {
        base::Json actions = base::Json::array();
        for (const base::Json& action : statement["Action"]) {
            if (action != "ec2:" + without) actions.push_back(action);
        }
        statement["Action"] = actions;
    }
    const std::string path = std::filesystem::temp_directory_path() /
                             ("policy-" + std::to_string(::getpid()) + without + ".json");
    std::ofstream(path) << base::to_text(policy);
    return path;
}

/// A disk and an interface of the first node that outlive it.
void leave_behind(AwsSite& site, const Account& account) {
    const base::Json tags{{"cooperage-installation", account.installation},
                          {"cooperage-cluster", "00000001"},
                          {"cooperage-machine", "00000001-1001"},
                          {"cooperage-task", "9-1"}};
    site.ask("seed", {{"volume", {{"tags", tags}}}, {"interface", {{"tags", tags}}}});
}

std::set<std::string> actions_of(const base::Json& policy) {
    std::set<std::string> actions;
    for (const base::Json& action : policy["Statement"][0]["Action"]) {
        actions.insert(action.get<std::string>());
    }
    return actions;
}

/// What was called, and CreateTags: AWS asks for it when a creation has tags.
std::set<std::string> called(AwsSite& site) {
    std::set<std::string> actions{"ec2:CreateTags"};
    const base::Json calls = site.calls();
    for (const auto& [name, count] : calls.at("operations").items()) actions.insert("ec2:" + name);
    return actions;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_policy_of_the_readme_is_enough_for_a_whole_life_and_has_nothing_more) {
    const std::string path = policy_file();
    AwsSite site(path);
    const Account account = site.account({{"cloud_init", "false"}});
    leave_behind(site, account);
    MachineSpec other = site.spec(1002);
    other.open_ports = {"443/tcp"};

    const std::string id = site.made(account, site.spec());
    const Confirmed confirmed = site.confirm(account, site.spec(), results_of(id));
    site.made(account, other);
    const auto seen = site.answer(site.provider().machines(account));
    const Tested tested = site.answer(site.provider().test(account));
    site.removed(account, site.spec());
    site.removed(account, other);

    BOOST_TEST(std::holds_alternative<Reachable>(confirmed));
    BOOST_TEST(seen.size() == 2U);
    BOOST_REQUIRE(std::holds_alternative<Offer>(tested));
    BOOST_TEST(std::get<Offer>(tested).notes.empty());
    BOOST_TEST(site.left() == 0);
    BOOST_TEST(actions_of(policy_of_the_readme()) == called(site),
               boost::test_tools::per_element());
    std::filesystem::remove(path);
}

BOOST_AUTO_TEST_CASE(every_call_that_is_made_in_a_life_is_in_the_policy_and_its_lack_is_named) {
    for (const char* action : {"RunInstances", "CreateSecurityGroup", "DescribeImages"}) {
        const std::string path = policy_file(action);
        AwsSite site(path);

        const Refused refused = site.refusal(site.account(), site.spec());

        BOOST_TEST(refused.message.starts_with(
            "the access key may not call ec2:" + std::string(action) + ": add the action"));
        BOOST_TEST(!refused.worth_retrying);
        std::filesystem::remove(path);
    }
}

BOOST_AUTO_TEST_CASE(a_test_of_the_account_notes_what_it_may_not_do) {
    const std::string path = policy_file("RunInstances");
    AwsSite site(path);
    site.ask("seed", {{"image", "golden"}});

    const Tested tested = site.answer(site.provider().test(site.account()));

    BOOST_REQUIRE(std::holds_alternative<Offer>(tested));
    const auto& offer = std::get<Offer>(tested);
    BOOST_REQUIRE(offer.notes.size() == 1U);
    BOOST_TEST(offer.notes[0].starts_with("the access key may not call ec2:RunInstances"));
    std::filesystem::remove(path);
}

BOOST_AUTO_TEST_CASE(a_test_of_the_account_offers_what_may_be_chosen_and_changes_nothing) {
    AwsSite& site = fresh_site();
    site.ask("seed", {{"image", "golden"}, {"key_pair", "people"}});

    const Tested tested = site.answer(site.provider().test(site.account()));

    BOOST_REQUIRE(std::holds_alternative<Offer>(tested));
    const auto& offer = std::get<Offer>(tested);
    BOOST_TEST(offer.notes.empty());
    BOOST_TEST(offer.choices.at("availability_zone").at(0).value == "us-east-1a");
    BOOST_TEST(offer.choices.at("ssh_keypair").at(0).value == "people");
    BOOST_TEST(offer.choices.at("image").at(0).label == "golden");
    BOOST_TEST(offer.choices.at("security_groups").at(0).value == "default");
    BOOST_TEST(offer.choices.at("subnet_id").size() > 2U);
    BOOST_TEST(offer.choices.at("flavor").size() > 300U);
    BOOST_TEST(site.left() == 0);
    BOOST_TEST(site.refused_by_judge().empty());
}

BOOST_AUTO_TEST_CASE(a_test_of_the_account_names_all_fields_that_lead_nowhere) {
    AwsSite& site = fresh_site();
    const Account account = site.account({{"availability_zone", "us-east-1x"},
                                          {"ssh_keypair", "nobody"},
                                          {"subnet_id", "subnet-00000000"}});

    const Tested tested = site.answer(site.provider().test(account));

    BOOST_REQUIRE(std::holds_alternative<Refused>(tested));
    const std::string& message = std::get<Refused>(tested).message;
    BOOST_TEST(message.find("there is no availability zone \"us-east-1x\"; near: us-east-1a") !=
               std::string::npos);
    BOOST_TEST(message.find("there is no key pair \"nobody\"") != std::string::npos);
    BOOST_TEST(message.find("there is no subnet \"subnet-00000000\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_instance_profile_signs_for_accounts_without_keys) {
    AwsSite site;
    const Account account = site.account(
        {{"aws_credentials", "instance_profile"}, {"api_user", ""}, {"api_password", ""}});

    site.made(account, site.spec());

    BOOST_TEST(site.living().size() == 1U);
    // A token, the role, its credentials: once for all calls.
    BOOST_TEST(site.calls().at("metadata") == 3);
    BOOST_TEST(site.refused_by_judge().empty());
    BOOST_TEST(site.provider().account_name(account).starts_with("instance profile in us-east-1"));
}

BOOST_AUTO_TEST_CASE(credentials_of_a_profile_that_have_run_out_are_renewed) {
    AwsSite site;
    const Account account = site.account({{"aws_credentials", "instance_profile"}});
    site.made(account, site.spec());
    site.fault({{"operation", "DescribeInstances"}, {"kind", "error"}, {"code", "ExpiredToken"}});

    site.removed(account, site.spec());

    BOOST_TEST(site.calls().at("metadata") == 6);
    BOOST_TEST(site.left() == 0);
}

BOOST_AUTO_TEST_CASE(a_machine_without_a_profile_and_an_installation_that_does_not_lend_it_say_so) {
    AwsSite site;
    AwsSite closed("", false);
    site.set({{"has_profile", false}});
    const base::Json fields{{"aws_credentials", "instance_profile"}};

    const Refused without = site.refusal(site.account(fields), site.spec());
    const Refused not_lent = closed.refusal(closed.account(fields), closed.spec());

    BOOST_TEST(without.message ==
               "Credential validation failed! The machine of the provisioner "
               "has no instance profile");
    BOOST_TEST(not_lent.message.find("setting aws.instance_profile") != std::string::npos);
    BOOST_TEST(closed.calls().at("metadata") == 0);
}

BOOST_AUTO_TEST_SUITE_END()
