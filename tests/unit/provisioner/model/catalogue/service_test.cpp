#include "provisioner/model/catalogue/service.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/model/wire.hpp"

using namespace provisioner::model;
using tests::compact;
using tests::problems_of;
using tests::rewritten;
using tests::wire;

BOOST_AUTO_TEST_SUITE(service)

namespace {

std::string problems_in(const std::string& members) {
    return problems_of(service_from_json(wire("{'name':'s'," + members + "}")));
}

std::string actions_problems(const std::string& actions) {
    return problems_in("'provisioner':{'actions':" + actions + "}");
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_service_comes_back_as_it_was) {
    const std::string text = R"({'name':'web','description':'web server','version':0,
        'dependencies':{'provides':[],'conflicts':['iis'],'install':{'requires':['base'],'uses':[]},
                        'runtime':{'requires':['sql'],'uses':['cache']}},
        'provisioner':{'actions':{
            'install':{'type':'shell','fields':{'args':'install web','script':'hello.sh'}},
            'start':{'type':'shell','fields':{'script':'hello.sh'},'limit':90000},
            'stop':{'type':'shell','fields':{}}}},
        'links':[{'label':'Web UI','url':'http://%ip.access_v4.service.web%:8080'}]})";

    BOOST_TEST(rewritten(service_from_json, text) == compact(text));
}

BOOST_AUTO_TEST_CASE(a_service_of_only_a_name_has_no_actions_and_no_dependencies_key) {
    const std::string bare = "{'name':'s','version':0,'provisioner':{'actions':{}},'links':[]}";

    BOOST_TEST(rewritten(service_from_json, "{'name':'s'}") == compact(bare));
    BOOST_TEST(rewritten(service_from_json, "{'name':'s','dependencies':null}") == compact(bare));
    BOOST_TEST(rewritten(service_from_json, "{'name':'s','dependson':['old']}") == compact(bare));
}

BOOST_AUTO_TEST_CASE(dependency_blocks_that_are_left_out_are_filled_in) {
    BOOST_TEST(rewritten(service_from_json,
                         "{'name':'s','dependencies':{'provides':['sql','sql'],'conflicts':[]}}") ==
               compact(R"({'name':'s','version':0,
                   'dependencies':{'provides':['sql'],'conflicts':[],
                                   'install':{'requires':[],'uses':[]},
                                   'runtime':{'requires':[],'uses':[]}},
                   'provisioner':{'actions':{}},'links':[]})"));
}

BOOST_AUTO_TEST_CASE(a_dependencies_block_needs_provides_and_conflicts) {
    BOOST_TEST(problems_in("'dependencies':{}") ==
               "dependencies.provides: must be given; dependencies.conflicts: must be given");
    BOOST_TEST(problems_in("'dependencies':{'provides':[],'conflicts':null}") ==
               "dependencies.conflicts: must be given");
    BOOST_TEST(problems_in("'dependencies':[]") == "dependencies: must be an object");
}

BOOST_AUTO_TEST_CASE(names_of_dependencies_must_be_arrays_of_texts) {
    BOOST_TEST(
        problems_in("'dependencies':{'provides':'a','conflicts':[{}],'runtime':{'uses':{}}}") ==
        "dependencies.provides: must be an array of names; "
        "dependencies.conflicts.0: must be text, a number or a boolean; "
        "dependencies.runtime.uses: must be an array of names");
}

BOOST_AUTO_TEST_CASE(a_provisioner_block_needs_actions) {
    BOOST_TEST(problems_in("'provisioner':{}") == "provisioner.actions: must be given");
    BOOST_TEST(problems_in("'provisioner':{'actions':null}") ==
               "provisioner.actions: must be given");
    BOOST_TEST(problems_in("'provisioner':null") == "provisioner: must be an object");
}

BOOST_AUTO_TEST_CASE(actions_are_known_words_in_lower_case) {
    for (const char* word : {"START", "Start", "boot", ""}) {
        BOOST_TEST(actions_problems("{'" + std::string(word) + "':{'type':'shell'}}") ==
                   "provisioner.actions" + (*word == 0 ? std::string() : "." + std::string(word)) +
                       ": must be one of install, configure, initialize, start, stop, remove");
    }
    for (const char* word : {"install", "remove", "initialize", "configure", "start", "stop",
                             "create", "confirm", "bootstrap", "delete"}) {
        BOOST_TEST(actions_problems("{'" + std::string(word) + "':{'type':'shell'}}") == "none");
    }
}

BOOST_AUTO_TEST_CASE(an_action_needs_a_type) {
    BOOST_TEST(actions_problems("{'install':{},'start':{'type':''}}") ==
               "provisioner.actions.install.type: Type must be specified.; "
               "provisioner.actions.start.type: Type must be specified.");
    BOOST_TEST(actions_problems("{'install':{'type':[]}}") ==
               "provisioner.actions.install.type: must be text, a number or a boolean");
    BOOST_TEST(actions_problems("{'install':'shell'}") ==
               "provisioner.actions.install: must be an object");
}

BOOST_AUTO_TEST_CASE(an_action_may_have_a_limit_as_other_durations_are_written) {
    const auto limit_of = [](const std::string& text) {
        const auto service = service_from_json(
            wire("{'name':'s','provisioner':{'actions':{'start':{'type':'shell','limit':" + text +
                 "}}}}"));
        BOOST_REQUIRE(service.has_value());
        return service->actions.at(Action::start).limit;
    };

    BOOST_TEST((limit_of("'2h'") == std::chrono::hours(2)));
    BOOST_TEST((limit_of("1000") == std::chrono::seconds(1)));
    BOOST_TEST((limit_of("'1d'") == std::chrono::hours(24)));
    BOOST_TEST(!limit_of("null").has_value());
}

BOOST_AUTO_TEST_CASE(a_limit_of_an_action_is_a_second_to_a_day_and_else_told_by_its_name) {
    for (const char* text :
         {"0", "999", "'0s'", "86400001", "'25h'", "'2d'", "'soon'", "-1", "{}", "true"}) {
        BOOST_TEST(
            actions_problems("{'start':{'type':'shell','limit':" + std::string(text) + "}}") ==
            "provisioner.actions.start.limit: The limit of start must be from 1s to 1d: "
            "milliseconds, or such as 90s, 10m, 2h.");
    }
}

BOOST_AUTO_TEST_CASE(fields_are_texts_and_numbers_become_texts) {
    const auto service = service_from_json(wire(R"({'name':'s','provisioner':{'actions':{
        'install':{'type':'shell','script':'old','data':'form','fields':{'a':5,'b':true,'c':null,'d':'x'}}}}})"));

    BOOST_REQUIRE(service.has_value());
    const auto& fields = service->actions.at(Action::install).fields;
    const std::map<std::string, std::string> expected{{"a", "5"}, {"b", "true"}, {"d", "x"}};
    BOOST_TEST((fields == expected));
    BOOST_TEST(actions_problems("{'install':{'type':'shell','fields':{'a':{}}}}") ==
               "provisioner.actions.install.fields.a: must be text, a number or a boolean");
}

BOOST_AUTO_TEST_CASE(links_need_label_and_url_and_lose_repetitions) {
    const auto service =
        service_from_json(wire("{'name':'s','links':[{'label':'a','url':'u'},{'label':'a','url':'u'"
                               "},{'label':'b','url':'u'}]}"));

    BOOST_REQUIRE(service.has_value());
    BOOST_TEST(service->links.size() == 2U);
    BOOST_TEST(problems_in("'links':[{'label':'a'},'x']") ==
               "links.1: must be an object; links.0.url: must be given");
    BOOST_TEST(problems_in("'links':{}") == "links: must be an array of objects");
}

BOOST_AUTO_TEST_SUITE_END()
