#include "provisioner/providers/aws/query.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::providers::aws;

BOOST_AUTO_TEST_SUITE(aws_query)

BOOST_AUTO_TEST_CASE(a_query_is_a_form_with_the_version) {
    Query query("DescribeInstances");
    query.add("A", "a b+c&d=e/ü~").add("Empty", "");
    query.add_list("InstanceId", {"i-1", "i-2"});
    query.add_filter("tag:Name", {"x", "y"}).add_filter("vpc-id", {"vpc-1"});

    BOOST_TEST(query.body() ==
               "Action=DescribeInstances&Version=2016-11-15&A=a%20b%2Bc%26d%3De%2F%C3%BC~"
               "&InstanceId.1=i-1&InstanceId.2=i-2"
               "&Filter.1.Name=tag%3AName&Filter.1.Value.1=x&Filter.1.Value.2=y"
               "&Filter.2.Name=vpc-id&Filter.2.Value.1=vpc-1");
}

BOOST_AUTO_TEST_CASE(the_token_of_the_next_page_replaces_the_last_one) {
    Query query("DescribeVolumes");
    query.set_page("one");
    query.set_page("two");

    BOOST_TEST(query.body() == "Action=DescribeVolumes&Version=2016-11-15&NextToken=two");
}

BOOST_AUTO_TEST_SUITE_END()
