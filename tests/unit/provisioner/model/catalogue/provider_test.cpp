#include "provisioner/model/catalogue/provider.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/model/wire.hpp"

using namespace provisioner::model;
using tests::compact;
using tests::problems_of;
using tests::rewritten;
using tests::wire;

BOOST_AUTO_TEST_CASE(a_provider_comes_back_as_it_was_with_its_version) {
    auto provider = provider_from_json(wire(
        R"({'name':'p1','label':'L','description':'a <b> & c','icon':'i.png','version':9,
            'providertype':'joyent','provisioner':{'b':'x','a':5,'c':{'deep':[1,true,null]}}})"));
    BOOST_REQUIRE(provider.has_value());
    BOOST_TEST(provider->header.version == 0);
    provider->header.version = 2;

    const auto json = to_json(*provider);

    BOOST_TEST(provisioner::base::to_text(json) ==
               compact(
                   R"({'name':'p1','label':'L','description':'a <b> & c','icon':'i.png','version':2,
                'providertype':'joyent','provisioner':{'b':'x','a':5,'c':{'deep':[1,true,null]}}})"));
}

BOOST_AUTO_TEST_CASE(a_provider_without_fields_has_an_empty_object_of_them) {
    BOOST_TEST(rewritten(provider_from_json, "{'name':'p','providertype':'aws','bogus':1}") ==
               compact("{'name':'p','version':0,'providertype':'aws','provisioner':{}}"));
}

BOOST_AUTO_TEST_CASE(fields_of_a_provider_that_are_null_are_dropped_at_every_depth) {
    BOOST_TEST(rewritten(provider_from_json, R"({'name':'p','providertype':'aws',
                   'provisioner':{'a':null,'b':{'c':null,'d':[null,1]},'e':''}})") ==
               compact(R"({'name':'p','version':0,'providertype':'aws',
                   'provisioner':{'b':{'d':[null,1]},'e':''}})"));
}

BOOST_AUTO_TEST_CASE(a_provider_without_a_type_is_refused) {
    for (const char* text :
         {"{'name':'p'}", "{'name':'p','providertype':''}", "{'name':'p','providertype':null}"}) {
        BOOST_TEST(problems_of(provider_from_json(wire(text))) ==
                   "providertype: invalid provider type.");
    }
}

BOOST_AUTO_TEST_CASE(every_problem_of_a_provider_is_told_at_once) {
    const auto provider =
        provider_from_json(wire("{'name':'a b','icon':[],'providertype':{},'provisioner':'none'}"));

    BOOST_TEST(problems_of(provider) ==
               "name: invalid name. Name must be specified and consist of only [a-zA-Z0-9_.-].; "
               "icon: must be text, a number or a boolean; "
               "providertype: must be text, a number or a boolean; "
               "provisioner: must be an object");
}

BOOST_AUTO_TEST_CASE(what_is_no_object_has_one_problem_of_shape) {
    for (const char* text : {"[]", "5", "'text'", "null"}) {
        BOOST_TEST(problems_of(provider_from_json(wire(text))) == "must be an object");
    }
}
