#include "provisioner/providers/cloud/mark.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/providers/cloud/fake_cloud.hpp"

using namespace tests;
using namespace provisioner::providers::cloud;

BOOST_AUTO_TEST_CASE(tags_say_whose_a_machine_is_and_read_back_alike) {
    auto spec = a_spec(77);
    spec.attempt = 3;
    const Mark mark = mark_of(an_account(), spec);
    const auto tags = tags_of(mark);
    BOOST_TEST(tags.at("cooperage-installation") == "0123456789abcdef0123456789abcdef");
    BOOST_TEST(tags.at("cooperage-task") == "77-3");
    BOOST_TEST((mark_in(tags) == mark));
    const Mark cluster = cluster_mark_of(an_account(), spec);
    BOOST_TEST(tags_of(cluster).size() == 2U);
    BOOST_TEST((mark_in(tags_of(cluster)) == cluster));
}

BOOST_AUTO_TEST_CASE(tags_of_others_and_broken_ones_make_no_mark) {
    const Mark mark =
        mark_in({{"Name", "web"}, {"cooperage-task", "7"}, {"cooperage-machine", "x"}});
    BOOST_TEST(mark.installation.empty());
    BOOST_TEST(mark.task == 0);
    BOOST_TEST(mark_in({{"cooperage-task", "x-y"}}).task == 0);
}

BOOST_AUTO_TEST_CASE(tokens_are_equal_for_one_attempt_and_differ_for_everything_else) {
    auto spec = a_spec();
    const auto account = an_account();
    const std::string token = token_of(account, spec, "machine 0");
    BOOST_TEST(token.size() == 64U);
    BOOST_TEST(token_of(account, spec, "machine 0") == token);
    BOOST_TEST(token_of(account, spec, "machine 1") != token);
    spec.attempt = 2;
    BOOST_TEST(token_of(account, spec, "machine 0") != token);
    const std::string uuid = uuid_of(account, spec, "disk");
    BOOST_TEST(uuid.size() == 36U);
    BOOST_TEST(uuid[14] == '8');
    BOOST_TEST(uuid[19] == '8');
}

BOOST_AUTO_TEST_CASE(names_for_clouds_are_of_the_form_that_all_of_them_take) {
    BOOST_TEST(cloud_name(an_account(), "00000001-1001") == "cooperage-01234567-00000001-1001");
    BOOST_TEST(cloud_name(an_account(), "Ä b/c")
                   .find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") ==
               std::string::npos);
    BOOST_TEST(cloud_name(an_account(), std::string(100, 'x')).size() == 63U);
}
