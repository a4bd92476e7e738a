#include <boost/test/unit_test.hpp>

#include "tests/integration/provisioner/providers/aws/site.hpp"

using namespace provisioner;
using namespace provisioner::providers;
using tests::AwsSite;
using tests::fresh_site;
using tests::results_of;

BOOST_AUTO_TEST_SUITE(aws_cleaning)

namespace {

/// A disk with the mark of a machine, as one that outlived it.
std::string left_disk(AwsSite& site, const Account& account, const std::string& name,
                      const std::string& task) {
    const base::Json tags{{"cooperage-installation", account.installation},
                          {"cooperage-cluster", "00000001"},
                          {"cooperage-machine", name},
                          {"cooperage-task", task}};
    const base::Json made = site.ask("seed", {{"volume", {{"tags", tags}}}});
    return base::text_at(made, "volume");
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_disk_that_outlived_its_machine_is_listed_and_taken_away) {
    AwsSite& site = fresh_site();
    const Account account = site.account();
    const MachineSpec spec = site.spec();
    const std::string disk = left_disk(site, account, spec.name, "9-1");

    const auto seen = site.answer(site.provider().machines(account));

    BOOST_REQUIRE(seen.size() == 1U);
    BOOST_TEST(seen[0].id == "disk " + disk);
    BOOST_TEST(seen[0].name == spec.name);
    MachineSpec of_the_sweep;
    of_the_sweep.name = spec.name;
    of_the_sweep.cluster = spec.cluster;
    site.removed(account, of_the_sweep);
    BOOST_TEST(site.left() == 0);
}

BOOST_AUTO_TEST_CASE(a_disk_of_a_later_task_is_left_alone) {
    AwsSite& site = fresh_site();
    const Account account = site.account();
    left_disk(site, account, site.spec().name, "11-1");

    site.removed(account, site.spec(1001, 10));

    BOOST_TEST(site.left() == 1);
    site.removed(account, site.spec(1001, 11));
    BOOST_TEST(site.left() == 0);
}

BOOST_AUTO_TEST_CASE(a_machine_made_for_a_later_task_is_left_alone) {
    AwsSite& site = fresh_site();
    const Account account = site.account();
    const std::string id = site.made(account, site.spec(1001, 20));

    const auto destroyed = site.take_away(account, site.spec(1001, 10), results_of(id));

    BOOST_TEST(std::holds_alternative<Gone>(destroyed));
    BOOST_TEST(site.living().size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_machine_that_does_not_exist_is_gone) {
    AwsSite& site = fresh_site();

    const auto destroyed =
        site.take_away(site.account(), site.spec(), results_of("i-0123456789abcdef0"));

    BOOST_TEST(std::holds_alternative<Gone>(destroyed));
}

BOOST_AUTO_TEST_CASE(deleting_says_what_it_waits_for) {
    AwsSite& site = fresh_site();
    site.set({{"shutdown_seconds", 30}});
    const Account account = site.account();
    const std::string id = site.made(account, site.spec());
    site.patience = std::chrono::seconds{1};

    const auto destroyed = site.take_away(account, site.spec(), results_of(id));

    BOOST_REQUIRE(std::holds_alternative<Pending>(destroyed));
    BOOST_TEST(
        std::get<Pending>(destroyed).reason.starts_with("the machine " + id + " is being deleted"));
}

BOOST_AUTO_TEST_CASE(a_group_that_is_still_in_use_is_named_and_waited_for) {
    AwsSite& site = fresh_site();
    const Account account = site.account();
    site.made(account, site.spec());
    site.patience = std::chrono::seconds{2};
    site.fault({{"operation", "DeleteSecurityGroup"},
                {"kind", "error"},
                {"code", "DependencyViolation"},
                {"message", "resource sg-1 has a dependent object"},
                {"count", 1000}});

    const auto destroyed = site.take_away(account, site.spec(), base::Json::object());

    BOOST_REQUIRE(std::holds_alternative<Pending>(destroyed));
    BOOST_TEST(std::get<Pending>(destroyed).reason.ends_with(
        "is still in use: resource sg-1 has a dependent object"));
    site.ask("clear");
    site.removed(account, site.spec());
    BOOST_TEST(site.left() == 0);
}

BOOST_AUTO_TEST_CASE(a_protected_machine_is_not_deleted_and_says_so) {
    AwsSite& site = fresh_site();
    const Account account = site.account();
    site.made(account, site.spec());
    site.fault({{"operation", "TerminateInstances"},
                {"kind", "error"},
                {"code", "OperationNotPermitted"},
                {"message", "Modify its 'disableApiTermination' instance attribute"}});

    const auto destroyed = site.take_away(account, site.spec(), base::Json::object());

    BOOST_REQUIRE(std::holds_alternative<Refused>(destroyed));
    BOOST_TEST(std::get<Refused>(destroyed).message.find("is protected against termination") !=
               std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
