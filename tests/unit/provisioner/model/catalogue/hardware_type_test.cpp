#include "provisioner/model/catalogue/hardware_type.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/model/catalogue/image_type.hpp"
#include "tests/unit/provisioner/model/wire.hpp"

using namespace provisioner::model;
using tests::compact;
using tests::problems_of;
using tests::rewritten;
using tests::wire;

BOOST_AUTO_TEST_CASE(a_hardware_type_keeps_settings_it_does_not_know) {
    const auto text = rewritten(hardware_type_from_json,
                                R"({'name':'standard-small','description':'2GB','providermap':{
            'google':{'flavor':'g1-small','cost':'0.035','vcpu':1,'ram':1.7,'hdd':true,'x':null}}})");

    BOOST_TEST(text ==
               compact(R"({'name':'standard-small','description':'2GB','version':0,'providermap':{
                   'google':{'cost':'0.035','flavor':'g1-small','hdd':'true','ram':'1.7','vcpu':'1'}}})"));
}

BOOST_AUTO_TEST_CASE(an_absent_provider_map_stays_absent) {
    for (const char* text : {"{'name':'tiny'}", "{'name':'tiny','providermap':null}"}) {
        BOOST_TEST(rewritten(hardware_type_from_json, text) ==
                   compact("{'name':'tiny','version':0}"));
        BOOST_TEST(rewritten(image_type_from_json, text) == compact("{'name':'tiny','version':0}"));
    }
    BOOST_TEST(rewritten(hardware_type_from_json, "{'name':'tiny','providermap':{}}") ==
               compact("{'name':'tiny','version':0,'providermap':{}}"));
}

BOOST_AUTO_TEST_CASE(settings_of_a_provider_map_must_be_texts) {
    const auto type = hardware_type_from_json(
        wire("{'name':'t','providermap':{'a':'small','b':{'flavor':{}},'c':{'flavor':'1'}}}"));

    BOOST_TEST(problems_of(type) ==
               "providermap.a: must be an object; "
               "providermap.b.flavor: must be text, a number or a boolean");
}

BOOST_AUTO_TEST_CASE(a_setting_is_found_by_provider_and_key) {
    const auto type = image_type_from_json(
        wire("{'name':'deb12','providermap':{'cloud':{'image':'img-1','sshuser':'debian'}}}"));
    BOOST_REQUIRE(type.has_value());

    BOOST_TEST(setting(type->provider_map, "cloud", "image").value_or("none") == "img-1");
    BOOST_TEST(!setting(type->provider_map, "cloud", "flavor").has_value());
    BOOST_TEST(!setting(type->provider_map, "moon", "image").has_value());
}
