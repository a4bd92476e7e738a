#include <boost/test/unit_test.hpp>

#include "tests/integration/provisioner/providers/aws/site.hpp"

using namespace provisioner;
using namespace provisioner::providers;
using tests::AwsSite;
using tests::fresh_site;
using tests::results_of;

BOOST_AUTO_TEST_SUITE(aws_faults)

namespace {

base::Json fault(const std::string& operation, const std::string& kind, int count = 1) {
    return {{"operation", operation}, {"kind", kind}, {"count", count}};
}

base::Json error(const std::string& operation, const std::string& code, int count = 1) {
    base::Json rule = fault(operation, "error", count);
    rule["code"] = code;
    return rule;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_lost_reply_costs_no_second_machine) {
    for (const char* kind : {"lost_reply", "truncated", "reset"}) {
        BOOST_TEST_CONTEXT(kind) {
            AwsSite& site = fresh_site();
            // So that looking does not help: the token must.
            site.set({{"hidden_seconds", 3}});
            site.fault(fault("RunInstances", kind, 1));

            site.made(site.account(), site.spec());

            BOOST_TEST(site.living().size() == 1U);
            BOOST_TEST(site.calls().at("operations").at("RunInstances") > 1);
        }
    }
}

BOOST_AUTO_TEST_CASE(lost_replies_to_everything_leave_nothing_behind) {
    AwsSite& site = fresh_site();
    const Account account = site.account();
    for (const char* operation :
         {"CreateSecurityGroup", "AuthorizeSecurityGroupIngress", "RunInstances", "DescribeImages",
          "DescribeInstances", "TerminateInstances", "DeleteSecurityGroup"}) {
        site.fault(fault(operation, "lost_reply"));
    }

    const std::string id = site.made(account, site.spec());
    site.removed(account, site.spec());

    BOOST_TEST(!id.empty());
    BOOST_TEST(site.left() == 0);
    BOOST_TEST(site.things("instances").size() == 1U);
    BOOST_TEST(site.calls().at("faults") == 7);
}

BOOST_AUTO_TEST_CASE(errors_of_the_api_itself_are_tried_again) {
    AwsSite& site = fresh_site();
    site.fault(error("RunInstances", "InternalError", 2));
    site.fault(error("RunInstances", "Unavailable"));
    site.fault(error("DescribeInstances", "InternalError"));

    site.made(site.account(), site.spec());

    BOOST_TEST(site.living().size() == 1U);
    BOOST_TEST(site.calls().at("faults") == 4);
}

BOOST_AUTO_TEST_CASE(a_call_too_many_waits_and_uses_up_no_attempt) {
    AwsSite& site = fresh_site();
    site.fault(fault("RunInstances", "throttle", 1));

    const Created first = site.answer(site.provider().create(site.account(), site.spec()));

    BOOST_REQUIRE(std::holds_alternative<Pending>(first));
    BOOST_TEST(std::get<Pending>(first).reason == "AWS asks to slow down (RequestLimitExceeded)");
    site.made(site.account(), site.spec());
    // While the lane is paused, nothing is sent.
    BOOST_TEST(site.calls().at("operations").at("RunInstances") == 2);
}

BOOST_AUTO_TEST_CASE(creations_keep_the_rate_that_the_account_allows) {
    AwsSite& site = fresh_site();
    site.set({{"rates", {{"RunInstances", {4, 5}}}}});
    const Account account = site.account({{"creations_per_second", "4"}});

    for (int node = 1001; node < 1011; ++node) site.made(account, site.spec(node));

    BOOST_TEST(site.living().size() == 10U);
    BOOST_TEST(site.calls().at("throttled") == 0);
}

BOOST_AUTO_TEST_CASE(a_latency_within_the_limit_is_waited_for) {
    AwsSite& site = fresh_site();
    base::Json slow = fault("RunInstances", "delay");
    slow["delay_ms"] = 1500;
    site.fault(slow);

    site.made(site.account(), site.spec());

    BOOST_TEST(site.calls().at("operations").at("RunInstances") == 1);
}

BOOST_AUTO_TEST_CASE(no_capacity_in_one_zone_is_made_up_for_in_another) {
    for (const int status : {400, 500}) {
        AwsSite& site = fresh_site();
        site.set({{"no_capacity", {"*/us-east-1a"}}, {"capacity_status", status}});
        const Account account = site.account({{"availability_zone", "us-east-1a"}});
        MachineSpec spec = site.spec();
        spec.hardware["availability_zones"] = "us-east-1a, us-east-1b";

        site.made(account, spec);

        BOOST_TEST(base::text_at(site.living().at(0), "zone") == "us-east-1b");
    }
}

BOOST_AUTO_TEST_CASE(no_capacity_for_one_type_is_made_up_for_by_another) {
    AwsSite& site = fresh_site();
    site.set({{"no_capacity", {"t3.micro/*"}}});
    MachineSpec spec = site.spec();
    spec.hardware["flavors"] = "t3.small";

    site.made(site.account(), spec);

    BOOST_TEST(base::text_at(site.living().at(0), "type") == "t3.small");
}

BOOST_AUTO_TEST_CASE(no_capacity_anywhere_is_said_for_each_place) {
    AwsSite& site = fresh_site();
    site.set({{"no_capacity", {"*"}}});
    MachineSpec spec = site.spec();
    spec.hardware["flavors"] = "t3.small";

    const Refused refused = site.refusal(site.account(), spec);

    BOOST_TEST(refused.worth_retrying);
    BOOST_TEST(refused.nothing_created);
    BOOST_TEST(refused.message.find("t3.micro: We currently do not have sufficient t3.micro") !=
               std::string::npos);
    BOOST_TEST(refused.message.find("t3.small: We currently do not have sufficient t3.small") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_proxy_in_front_that_answers_html_is_no_answer_of_the_api) {
    AwsSite& site = fresh_site();
    base::Json rule = error("RunInstances", "", 1);
    rule["status"] = 502;
    site.fault(rule);

    site.made(site.account(), site.spec());

    BOOST_TEST(site.living().size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_machine_that_is_unknown_when_it_is_deleted_is_asked_for_again) {
    AwsSite& site = fresh_site();
    const Account account = site.account();
    site.made(account, site.spec());
    site.fault(error("TerminateInstances", "InvalidInstanceID.NotFound"));

    site.removed(account, site.spec());

    BOOST_TEST(site.living().empty());
    BOOST_TEST(site.calls().at("operations").at("TerminateInstances") == 2);
}

BOOST_AUTO_TEST_SUITE_END()
