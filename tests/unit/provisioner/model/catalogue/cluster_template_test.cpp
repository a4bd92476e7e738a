#include "provisioner/model/catalogue/cluster_template.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/model/wire.hpp"

using namespace provisioner::model;
using tests::compact;
using tests::problems_of;
using tests::rewritten;
using tests::wire;

namespace {

std::string problems_in(const std::string& members) {
    return problems_of(cluster_template_from_json(wire("{'name':'t'," + members + "}")));
}

ClusterTemplate read(const std::string& members) {
    return cluster_template_from_json(wire("{'name':'t'," + members + "}")).value();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_cluster_template_comes_back_as_it_was) {
    const std::string text = R"({'name':'webapp','description':'web + db','version':0,
        'defaults':{'services':['hosts','db','web'],'provider':'cloud','hardwaretype':'tiny',
            'imagetype':'deb12','dnsSuffix':'example.com',
            'config':{'app':{'dbhost':'%host.service.db%'},'web':{'port':8080}}},
        'compatibility':{'hardwaretypes':['tiny'],'imagetypes':['deb12'],
            'services':['hosts','db','web']},
        'constraints':{'layout':{'mustcoexist':[],'cantcoexist':[['db','web']]},
            'services':{'db':{'hardwaretypes':[],'imagetypes':[],'quantities':{'min':1,'max':1}}},
            'size':{'min':2,'max':10}},
        'administration':{'leaseduration':{'initial':604800000,'max':2592000000,'step':86400000}},
        'links':[{'label':'docs','url':'http://docs/%cluster.owner%'}],
        'extends':{'name':'parent'},'includes':[{'name':'partial'}]})";

    BOOST_TEST(rewritten(cluster_template_from_json, text) == compact(text));
}

BOOST_AUTO_TEST_CASE(a_template_of_only_a_name_has_every_block_filled_in) {
    BOOST_TEST(rewritten(cluster_template_from_json, "{'name':'t','constraints':null}") ==
               compact(R"({'name':'t','version':0,'defaults':{'services':[],'config':{}},
                   'compatibility':{'hardwaretypes':[],'imagetypes':[],'services':[]},
                   'constraints':{'layout':{'mustcoexist':[],'cantcoexist':[]},'services':{},
                                  'size':{'min':1,'max':2147483647}},
                   'administration':{'leaseduration':{'initial':0,'max':0,'step':0}},
                   'links':[],'includes':[]})"));
}

BOOST_AUTO_TEST_CASE(a_default_service_may_carry_its_configuration) {
    const auto cluster_template = read(
        R"('defaults':{'services':['a',{'name':'bob','config':{'addr':'somewhere','no':null}},'a',7],
                       'config':{'bob':{'old':1},'keep':2}})");

    BOOST_TEST(provisioner::base::to_text(to_json(cluster_template).at("defaults")) ==
               compact("{'services':['a','bob','7'],"
                       "'config':{'bob':{'addr':'somewhere'},'keep':2}}"));
}

BOOST_AUTO_TEST_CASE(a_default_service_that_is_an_object_needs_a_name) {
    BOOST_TEST(problems_in("'defaults':{'services':[{'config':{}},[],null]}") ==
               "defaults.services.0.name: must be given; "
               "defaults.services.1: must be an object; "
               "defaults.services.2: must be an object");
    BOOST_TEST(problems_in("'defaults':{'services':'a','config':[]}") ==
               "defaults.services: must be an array of names or objects; "
               "defaults.config: must be an object");
}

BOOST_AUTO_TEST_CASE(members_of_the_configuration_that_are_null_are_dropped) {
    const auto cluster_template =
        read("'defaults':{'config':{'a':null,'b':{'c':null,'d':[null,{'e':null}]}}}");

    BOOST_TEST(cluster_template.defaults.config.dump() == R"({"b":{"d":[null,{}]}})");
}

BOOST_AUTO_TEST_CASE(a_missing_list_of_the_compatibility_is_empty) {
    const auto cluster_template = read("'compatibility':{'services':['a','b','a']}");

    BOOST_TEST(cluster_template.compatibility.hardware_types.empty());
    BOOST_TEST(cluster_template.compatibility.services.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_constraint_on_a_service_needs_quantities) {
    BOOST_TEST(problems_in("'constraints':{'services':{'a':{},'b':{'quantities':null},'c':5}}") ==
               "constraints.services.c: must be an object; "
               "constraints.services.a.quantities: must be given; "
               "constraints.services.b.quantities: must be given");
}

BOOST_AUTO_TEST_CASE(quantities_may_be_texts_and_have_defaults) {
    const auto constraints = read(R"('constraints':{'services':{
        'z':{'quantities':{'min':'2','stepSize':3,'ratio':{}}},
        'a':{'hardwaretypes':['big'],'quantities':{'max':1}}}})")
                                 .constraints;

    BOOST_REQUIRE(constraints.services.size() == 2U);
    BOOST_TEST(constraints.services.front().first == "z");
    const ServiceConstraint z{.hardware_types = {}, .image_types = {}, .min = 2, .max = no_maximum};
    const ServiceConstraint a{.hardware_types = {"big"}, .image_types = {}, .min = 0, .max = 1};
    BOOST_TEST((*constraint_on(constraints, "z") == z));
    BOOST_TEST((*constraint_on(constraints, "a") == a));
    BOOST_TEST((constraint_on(constraints, "b") == nullptr));
}

BOOST_AUTO_TEST_CASE(quantities_that_are_no_numbers_are_refused) {
    BOOST_TEST(
        problems_in("'constraints':{'services':{'a':{'quantities':{'min':'x','max':[]}}}}") ==
        "constraints.services.a.quantities.min: must be a whole number of at most "
        "2147483647; constraints.services.a.quantities.max: must be a whole number of at "
        "most 2147483647");
}

BOOST_AUTO_TEST_CASE(sizes_may_be_texts_and_only_a_part) {
    BOOST_TEST(read("'constraints':{'size':{'min':'3','max':'100'}}").constraints.size_max == 100);
    BOOST_TEST(read("'constraints':{'size':{'min':3}}").constraints.size_max == no_maximum);
    BOOST_TEST(read("'constraints':{'size':{'max':3}}").constraints.size_min == 1);
}

BOOST_AUTO_TEST_CASE(sizes_out_of_order_are_refused_in_the_contracts_words) {
    BOOST_TEST(problems_in("'constraints':{'size':{'min':0}}") ==
               "constraints.size.min: Minimum must be at least 1.");
    BOOST_TEST(problems_in("'constraints':{'size':{'min':5,'max':4}}") ==
               "constraints.size.max: Maximum must greater than or equal to the minimum.");
}

BOOST_AUTO_TEST_CASE(a_lease_is_in_durations) {
    const auto lease =
        read("'administration':{'leaseduration':{'initial':'7d','max':'2592000000','step':1}}")
            .lease;

    BOOST_TEST(lease.initial.count() == 604800000);
    BOOST_TEST(lease.max.count() == 2592000000);
    BOOST_TEST(lease.step.count() == 1);
    BOOST_TEST(
        problems_in("'administration':{'leaseduration':{'initial':'5x','step':{}}}") ==
        "administration.leaseduration.initial: must be milliseconds, or a number and one of d, h, "
        "m and s; administration.leaseduration.step: must be milliseconds, or a number and one of "
        "d, h, m and s");
}

BOOST_AUTO_TEST_CASE(parents_and_parts_are_named_by_objects) {
    BOOST_TEST(problems_in("'extends':'parent','includes':[{},'x']") ==
               "extends: must be an object; includes.1: must be an object; "
               "includes.0.name: must be given");
    BOOST_TEST(read("'includes':[{'name':'p'},{'name':'p'}]").includes.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_partial_template_says_whether_it_is_immutable_last) {
    BOOST_TEST(rewritten(partial_template_from_json,
                         "{'immutable':'true','name':'p','extends':{'name':'x'},"
                         "'defaults':{'services':['s']}}") ==
               compact(R"({'name':'p','version':0,'defaults':{'services':['s'],'config':{}},
                   'compatibility':{'hardwaretypes':[],'imagetypes':[],'services':[]},
                   'constraints':{'layout':{'mustcoexist':[],'cantcoexist':[]},'services':{},
                                  'size':{'min':1,'max':2147483647}},
                   'administration':{'leaseduration':{'initial':0,'max':0,'step':0}},
                   'links':[],'immutable':true})"));
}

BOOST_AUTO_TEST_CASE(a_partial_template_without_immutable_is_refused) {
    BOOST_TEST(problems_of(partial_template_from_json(wire("{'name':'p'}"))) ==
               "immutable: must be given");
    BOOST_TEST(!partial_template_from_json(wire("{'name':'p','immutable':'yes'}"))
                    ->immutable.value_or(true));
}

BOOST_AUTO_TEST_CASE(problems_of_all_blocks_come_together) {
    BOOST_TEST(problems_of(cluster_template_from_json(
                   wire("{'defaults':5,'compatibility':{'services':1},'links':''}"))) ==
               "name: invalid name. Name must be specified and consist of only [a-zA-Z0-9_.-].; "
               "defaults: must be an object; compatibility.services: must be an array of names; "
               "links: must be an array of objects");
}
