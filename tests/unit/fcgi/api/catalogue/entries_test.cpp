#include "fcgi/api/catalogue/entries.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/api/clusters/reads.hpp"

using namespace fcgi;
using provisioner::model::ClusterStatus;
using Statuses = std::vector<ClusterStatus>;

BOOST_AUTO_TEST_SUITE(catalogue)

BOOST_AUTO_TEST_CASE(versions_are_whole_numbers_from_one) {
    BOOST_TEST(api::version_in("1").value() == 1);
    BOOST_TEST(api::version_in("007").value() == 7);
    for (const char* text : {"", "abc", "1x", "1.0", " 1", "99999999999"}) {
        BOOST_TEST(api::version_in(text).error().body == "Version must be a number", text);
    }
    for (const char* text : {"0", "-1"}) {
        BOOST_TEST(api::version_in(text).error().body == "Version must be higher then zero", text);
    }
    BOOST_TEST(api::version_in("0").error().status == 400);
}

BOOST_AUTO_TEST_CASE(a_status_filter_knows_words_in_any_case_and_drops_others) {
    BOOST_TEST((api::statuses_in("pending,ACTIVE") ==
                Statuses{ClusterStatus::pending, ClusterStatus::active}));
    BOOST_TEST((api::statuses_in("nope,Terminated,") == Statuses{ClusterStatus::terminated}));
    BOOST_TEST(api::statuses_in("nope").empty());
    BOOST_TEST((api::statuses_in("active,ACTIVE,active") == Statuses{ClusterStatus::active}));
    BOOST_TEST(api::statuses_in("").empty());
    BOOST_TEST(api::statuses_in(std::nullopt).empty());
}

BOOST_AUTO_TEST_SUITE_END()
