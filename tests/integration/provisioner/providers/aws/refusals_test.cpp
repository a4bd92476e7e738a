#include <boost/test/unit_test.hpp>

#include "tests/integration/provisioner/providers/aws/site.hpp"

using namespace provisioner;
using namespace provisioner::providers;
using tests::AwsSite;
using tests::fresh_site;

BOOST_AUTO_TEST_SUITE(aws_refusals)

BOOST_AUTO_TEST_CASE(a_wrong_secret_is_said_and_not_tried_again) {
    AwsSite& site = fresh_site();

    const Refused refused = site.refusal(site.account({{"api_password", "another"}}), site.spec());

    BOOST_TEST(refused.message ==
               "Provider credentials invalid/unauthorized: AWS was not able to validate the "
               "provided access credentials (AuthFailure)");
    BOOST_TEST(!refused.worth_retrying);
    BOOST_TEST(refused.nothing_created);
    BOOST_TEST(site.calls().at("wrong_signatures") == 1);
}

BOOST_AUTO_TEST_CASE(a_wrong_clock_is_named_whatever_the_code) {
    for (const char* code : {"RequestExpired", "AuthFailure"}) {
        AwsSite& site = fresh_site();
        site.set({{"skew_seconds", 1200}, {"skew_code", code}});

        const Refused refused = site.refusal(site.account(), site.spec());

        BOOST_TEST(refused.message.find("the clock of the provisioner's machine is 1") !=
                   std::string::npos);
        BOOST_TEST(refused.message.find("s behind the provider's") != std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(quotas_are_refused_with_their_numbers) {
    AwsSite& site = fresh_site();
    site.set({{"instance_limit", 1}});
    site.made(site.account(), site.spec(1001));

    const Refused instances = site.refusal(site.account(), site.spec(1002));
    site.set({{"instance_limit", 0}, {"vcpu_limit", 2}});
    const Refused processors = site.refusal(site.account(), site.spec(1003));

    BOOST_TEST(
        instances.message.starts_with("a quota of the account is used up: You have "
                                      "requested more instances (2) than your current "
                                      "instance limit of 1 allows"));
    BOOST_TEST(instances.worth_retrying);
    BOOST_TEST(processors.message.find("vCPU limit of 2") != std::string::npos);
    BOOST_TEST(site.living().size() == 1U);
}

BOOST_AUTO_TEST_CASE(an_unknown_image_is_refused_in_the_words_of_coopr_with_near_ones) {
    AwsSite& site = fresh_site();
    const base::Json own = site.ask("seed", {{"image", "golden"}});
    const std::string near = base::text_at(own, "image");
    MachineSpec spec = site.spec();
    spec.image = near;
    spec.image.back() = near.back() == 'a' ? 'b' : 'a';

    const Refused refused = site.refusal(site.account(), spec);

    BOOST_TEST(refused.message == "Invalid AMI specified: there is no image \"" + spec.image +
                                      "\"; near: " + near + " in us-east-1");
    BOOST_TEST(!refused.worth_retrying);
    BOOST_TEST(site.living().empty());
}

BOOST_AUTO_TEST_CASE(an_unknown_type_is_refused_with_near_ones) {
    AwsSite& site = fresh_site();
    MachineSpec spec = site.spec();
    spec.flavor = "t3.mirco";

    const Refused refused = site.refusal(site.account(), spec);

    BOOST_TEST(refused.message.starts_with("there is no instance type \"t3.mirco\"; near: "));
    BOOST_TEST(refused.message.find("t3.micro") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(unknown_key_pairs_and_groups_are_refused_with_near_ones) {
    AwsSite& site = fresh_site();
    site.ask("seed", {{"key_pair", "people"}});

    const Refused key = site.refusal(site.account({{"ssh_keypair", "peolpe"}}), site.spec());
    const Refused group = site.refusal(site.account({{"security_groups", "defualt"}}), site.spec());

    BOOST_TEST(key.message == "ssh_keypair: there is no key pair \"peolpe\"; near: people");
    BOOST_TEST(group.message.starts_with(
        "security_groups: there is no security group \"defualt\"; near: default (in vpc-"));
}

BOOST_AUTO_TEST_CASE(all_wrong_fields_are_named_at_once_without_a_call) {
    AwsSite& site = fresh_site();
    const Account account = site.account({{"api_password", ""},
                                          {"aws_region", "Frankfurt"},
                                          {"aws_root_ebs_size", "much"},
                                          {"subnet_id", "net-1"},
                                          {"tags", "aws:x=1"},
                                          {"spot_max_price", "cheap"}});
    MachineSpec spec = site.spec();
    spec.image = "debian";

    const Refused refused = site.refusal(account, spec);

    for (const char* part : {"Credential validation failed!", "aws_region", "aws_root_ebs_size",
                             "subnet_id", "tags", "spot_max_price", "Invalid AMI specified"}) {
        BOOST_TEST(refused.message.find(part) != std::string::npos, part);
    }
    BOOST_TEST(site.calls().at("operations").empty());
}

BOOST_AUTO_TEST_CASE(user_data_that_are_too_long_are_refused_before_anything_is_sent) {
    AwsSite& site = fresh_site();
    Account account = site.account();
    account.files["user_data_resource"] = "#!/bin/sh\n" + std::string(16384, '#');

    const Refused refused = site.refusal(account, site.spec());

    BOOST_TEST(refused.message.find("and EC2 takes 16384") != std::string::npos);
    BOOST_TEST(!site.calls().at("operations").contains("RunInstances"));
}

BOOST_AUTO_TEST_CASE(a_root_disk_smaller_than_the_image_is_refused_with_both_sizes) {
    AwsSite& site = fresh_site();
    MachineSpec spec = site.spec();
    spec.hardware["aws_root_ebs_size"] = "1";

    const Refused refused = site.refusal(site.account(), spec);

    BOOST_TEST(refused.message.starts_with("aws_root_ebs_size is 1 GiB, but the image "));
}

BOOST_AUTO_TEST_SUITE_END()
