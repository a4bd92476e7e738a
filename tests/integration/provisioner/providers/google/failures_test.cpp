#include <boost/test/unit_test.hpp>

#include "tests/integration/provisioner/providers/google/google_site.hpp"

using namespace tests;

BOOST_AUTO_TEST_SUITE(google_failures)
using Names = std::vector<std::string>;

namespace {

const std::string own_name = "cooperage-01234567-00000001-1001-10-1";

/// create() accepted it; what confirm() says about its end.
std::string end_of(GoogleSite& site, const providers::Account& account,
                   const providers::MachineSpec& spec) {
    const auto created = site.make(account, spec);
    BOOST_REQUIRE(std::holds_alternative<providers::Machine>(created));
    const Json results{{"providerid", std::get<providers::Machine>(created).id}};
    return refusal_of(site.confirm(account, spec, results));
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_insert_that_fails_later_is_told_in_the_operations_own_words) {
    GoogleSite site;
    site.set({{"exhausted_zones", {"us-central1-a"}}, {"zones_available", "us-central1-c"}});
    const auto account = site.account();
    const std::string said = end_of(site, account, GoogleSite::small());
    BOOST_TEST(has(said, "does not have enough resources available"));
    BOOST_TEST(has(said, "ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS"));
    BOOST_TEST(has(said, "Zones that have room: us-central1-c"));
    site.end(account, GoogleSite::small());
    BOOST_TEST(site.names("disks").empty());
    BOOST_TEST(site.names("firewalls").empty());
}

BOOST_AUTO_TEST_CASE(the_next_attempt_takes_another_zone_of_the_hardware_type) {
    GoogleSite site;
    site.set({{"exhausted_zones", {"us-central1-a"}}});
    const auto account = site.account();
    auto spec = GoogleSite::small();
    spec.hardware["availability_zones"] = "us-central1-b, europe-west1-c";
    end_of(site, account, spec);
    site.end(account, spec);
    spec.attempt = 2;
    site.start(account, spec);
    BOOST_TEST(base::text_at(site.only_machine(), "zone").ends_with("/us-central1-b"));
    site.end(account, spec);
    BOOST_TEST(site.names("disks").empty());
}

BOOST_AUTO_TEST_CASE(no_room_in_the_answer_itself_goes_to_the_next_zone_at_once) {
    GoogleSite site;
    site.fault({{"operation", "instances.insert"},
                {"kind", "error"},
                {"status", 503},
                {"reason", "ZONE_RESOURCE_POOL_EXHAUSTED"},
                {"message", "no room"}});
    auto spec = GoogleSite::small();
    spec.hardware["availability_zones"] = "us-central1-b";
    site.start(site.account(), spec);
    BOOST_TEST(base::text_at(site.only_machine(), "zone").ends_with("/us-central1-b"));
}

BOOST_AUTO_TEST_CASE(a_quota_is_told_with_its_numbers_wherever_it_shows) {
    GoogleSite site;
    site.set({{"quotas", {{"CPUS", 3}}}});
    const auto account = site.account();
    site.start(account, GoogleSite::small(1001, 10));
    const auto second = GoogleSite::small(1002, 11);
    BOOST_TEST(has(end_of(site, account, second),
                   "Quota 'CPUS' exceeded. Limit: 3.0 in region us-central1. (QUOTA_EXCEEDED)"));
    site.end(account, second);
    site.set({{"quota_shows", "http"}});
    const auto created = site.make(account, GoogleSite::small(1003, 12));
    const auto& refused = std::get<providers::Refused>(created);
    BOOST_TEST(has(refused.message, "Quota 'CPUS' exceeded. Limit: 3.0"));
    BOOST_TEST((refused.worth_retrying && refused.nothing_created));
}

BOOST_AUTO_TEST_CASE(a_lost_reply_costs_no_second_machine) {
    for (const char* kind : {"lost_reply", "truncated"}) {
        GoogleSite site;
        site.fault({{"operation", "instances.insert"}, {"kind", kind}});
        const auto account = site.account();
        const auto reachable = site.start(account, GoogleSite::small());
        BOOST_TEST(reachable.addresses.contains("access_v4"));
        BOOST_TEST(site.names("instances").size() == 1U);
        BOOST_TEST(site.names("disks").size() == 2U);
    }
}

BOOST_AUTO_TEST_CASE(a_lost_reply_of_a_machine_that_listings_do_not_show_yet_is_asked_for_again) {
    GoogleSite site;
    site.set({{"invisible", 0.5}, {"operation", 0.5}});
    site.fault({{"operation", "instances.insert"}, {"kind", "lost_reply"}});
    site.start(site.account(), GoogleSite::small());
    BOOST_TEST((site.names("instances") == Names{own_name}));
}

BOOST_AUTO_TEST_CASE(a_lost_reply_of_an_insert_that_failed_is_not_taken_for_a_machine) {
    GoogleSite site;
    site.set({{"exhausted_zones", {"us-central1-a"}}, {"operation", 0.0}});
    site.fault({{"operation", "instances.insert"}, {"kind", "lost_reply"}});
    // The request id gives the operation that failed, until the attempt is another one.
    const auto created = site.make(site.account(), GoogleSite::small());
    const auto& refused = std::get<providers::Refused>(created);
    BOOST_TEST(has(refused.message, "does not have enough resources available"));
    BOOST_TEST(refused.worth_retrying);
    BOOST_TEST(site.names("instances").empty());
}

BOOST_AUTO_TEST_CASE(lost_replies_and_errors_of_every_other_call_cost_nothing) {
    GoogleSite site;
    site.hurry();
    const auto account = site.account();
    for (const char* operation :
         {"token", "instances.aggregatedList", "globalOperations.aggregatedList", "disks.list",
          "firewalls.list", "firewalls.insert", "instances.delete", "disks.aggregatedList",
          "firewalls.delete"}) {
        for (const char* kind : {"lost_reply", "error"}) {
            site.control("POST", "/-/revoke", "{}");
            site.fault({{"operation", operation}, {"kind", kind}});
            site.start(account, GoogleSite::small());
            site.end(account, GoogleSite::small());
            BOOST_TEST(site.names("instances").empty());
            BOOST_TEST(site.names("disks").empty());
            BOOST_TEST(site.names("firewalls").empty(), operation << " " << kind);
        }
    }
}

BOOST_AUTO_TEST_CASE(calls_that_come_too_fast_are_waited_for_whatever_the_status) {
    GoogleSite site;
    site.hurry();
    int number = 1001;
    for (const int status : {403, 429, 503}) {
        site.fault({{"operation", "instances.insert"},
                    {"kind", "throttle"},
                    {"status", status},
                    {"retry_after", 1}});
        const auto account = site.account();
        const auto spec = GoogleSite::small(number, number);
        ++number;
        const auto created = site.answer(site.provider().create(account, spec));
        const auto& pending = std::get<providers::Pending>(created);
        BOOST_TEST((pending.poll_in >= std::chrono::seconds{1}));
        // Who is overloaded may have made the machine.
        BOOST_TEST(has(pending.reason, status == 503 ? "overloaded" : "slow down"));
        site.start(account, spec);
    }
    BOOST_TEST(site.calls_of("instances.insert") == 6);
}

BOOST_AUTO_TEST_CASE(unknown_names_are_told_with_near_ones) {
    GoogleSite site;
    const auto account = site.account();
    auto spec = GoogleSite::small();
    spec.flavor = "e2-smal";
    BOOST_TEST(has(refusal_of(site.make(account, spec)),
                   "there is no machine type \"e2-smal\"; near: e2-small"));
    spec = GoogleSite::small();
    spec.image = "ubuntu-2204-ltss";
    BOOST_TEST(has(refusal_of(site.make(account, spec)),
                   "there is no image \"ubuntu-2204-ltss\"; near: ubuntu-2204-lts"));
    spec = GoogleSite::small();
    BOOST_TEST(has(refusal_of(site.make(site.account({{"zone_name", "us-central1-z"}}), spec)),
                   "there is no zone \"us-central1-z\"; near: us-central1-a"));
    const auto nowhere = site.account({{"network", "defualt"}, {"google_firewall", "false"}});
    BOOST_TEST(has(refusal_of(site.make(nowhere, spec)),
                   "there is no network \"defualt\"; near: default"));
    BOOST_TEST(site.names("instances").empty());
}

BOOST_AUTO_TEST_CASE(a_disk_of_the_name_is_used_if_it_is_the_same_and_refused_if_not) {
    GoogleSite site;
    const auto account = site.account();
    const auto disk = [&](const std::string& size) {
        return Json{{"name", own_name + "-data"}, {"sizeGb", size}};
    };
    site.control("POST", "/-/disk",
                 base::to_text(Json{
                     {"project", "acme-1"}, {"zone", "us-central1-a"}, {"disk", disk("100")}}));
    BOOST_TEST(refusal_of(site.make(account, GoogleSite::small())) ==
               "Disk " + own_name + "-data already exists with different specifications");
    site.start(site.account({{"google_data_disk_size_gb", "100"}}), GoogleSite::small());
    BOOST_TEST(site.names("disks").size() == 2U);
    site.end(account, GoogleSite::small());
    BOOST_TEST(site.names("disks").empty());
}

BOOST_AUTO_TEST_CASE(a_machine_that_is_still_being_made_is_deleted_once_it_is_there) {
    GoogleSite site;
    site.set({{"operation", 0.5}});
    const auto account = site.account();
    site.make(account, GoogleSite::small());
    site.end(account, GoogleSite::small());
    BOOST_TEST(site.names("instances").empty());
    BOOST_TEST(site.names("disks").empty());
}

BOOST_AUTO_TEST_CASE(a_deletion_whose_operation_fails_is_tried_again) {
    GoogleSite site;
    const auto account = site.account();
    site.start(account, GoogleSite::small());
    site.fault({{"operation", "instances.delete"},
                {"kind", "operation_error"},
                {"code", "INTERNAL_ERROR"},
                {"message", "internal"}});
    site.end(account, GoogleSite::small());
    BOOST_TEST(site.calls_of("instances.delete") == 2);
    BOOST_TEST(site.names("instances").empty());
}

BOOST_AUTO_TEST_CASE(a_machine_that_is_missing_is_not_waited_for_for_ever) {
    GoogleSite site;
    auto spec = GoogleSite::small();
    spec.asked_for = std::chrono::minutes{2};
    const auto account = site.account();
    const Json results{{"providerid", "cooperage-01234567-00000001-1001-9-1"}};
    const auto confirmed = site.answer(site.provider().confirm(account, spec, results));
    BOOST_TEST(has(refusal_of(confirmed), "is not there any more: a quota may be used up"));
}

BOOST_AUTO_TEST_SUITE_END()
