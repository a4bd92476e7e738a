#include "provisioner/model/plugins/plugin_type.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/model/wire.hpp"

using namespace provisioner::model;
using tests::compact;
using tests::problems_of;
using tests::wire;
namespace base = provisioner::base;

namespace {

provisioner::base::Checked<PluginType> automator(const std::string& members) {
    return plugin_type_from_json(PluginKind::automator,
                                 wire("{'name':'a','classname':'A'," + members + "}"));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_plugin_type_comes_back_in_the_order_of_the_contract) {
    const auto type = automator(R"('parameters':{'admin':{
        'fields':{'run_list':{'label':'run-list','type':'text','tip':'The list'},
                  'region':{'label':'R','type':'select','default':'us','override':'true',
                            'sensitive':true,'options':['us','eu']}},
        'required':[['run_list']]}},
        'resourceTypes':{'cookbooks':{'format':'archive'},
                         'scripts':{'format':'file','permissions':'0755'}})");
    BOOST_REQUIRE_MESSAGE(type.has_value(), problems_of(type));

    BOOST_TEST(provisioner::base::to_text(to_json(*type)) ==
               compact(R"({'name':'a','version':0,'parameters':{'admin':{
                   'fields':{'run_list':{'label':'run-list','type':'text','tip':'The list',
                                         'override':false,'sensitive':false},
                             'region':{'label':'R','type':'select','tip':'','default':'us',
                                       'override':true,'sensitive':true,'options':['us','eu']}},
                   'required':[['run_list']]}},
                   'resourceTypes':{'cookbooks':{'format':'archive'},
                                    'scripts':{'format':'file','permissions':'0755'}}})"));
    BOOST_TEST((plugin_type_from_json(PluginKind::automator, to_json(*type)) == *type));
}

BOOST_AUTO_TEST_CASE(a_plugin_type_of_only_a_name_is_enough) {
    const auto type = automator("'description':'d'");

    BOOST_REQUIRE(type.has_value());
    BOOST_TEST(provisioner::base::to_text(to_json(*type)) ==
               compact("{'name':'a','description':'d','version':0,'parameters':{},"
                       "'resourceTypes':{}}"));
}

BOOST_AUTO_TEST_CASE(required_names_must_be_fields_of_the_same_block) {
    const auto type = automator(R"('parameters':{
        'admin':{'fields':{'f':{'label':'F','type':'text'}},'required':[['f','g'],['h','g']]},
        'user':{'required':[['f']]}})");

    BOOST_TEST(problems_of(type) ==
               "parameters.admin.required: g, h specified as required, but are not fields.; "
               "parameters.user.required: f specified as required, but are not fields.");
}

BOOST_AUTO_TEST_CASE(a_field_needs_label_and_type) {
    const auto type = automator("'parameters':{'user':{'fields':{'f':{'label':''},'g':5}}}");

    BOOST_TEST(problems_of(type) ==
               "parameters.user.fields.g: must be an object; "
               "parameters.user.fields.f.label: Field label must be specified.; "
               "parameters.user.fields.f.type: Field type must be specified.");
}

BOOST_AUTO_TEST_CASE(a_resource_type_is_a_file_or_an_archive) {
    const auto type = automator(R"('resourceTypes':{
        'none':{},'upper':{'format':'FILE'},
        'digits':{'format':'file','permissions':'07'},
        'letters':{'format':'file','permissions':'rwx'},
        'odd':{'format':'file','permissions':999},
        'packed':{'format':'archive','permissions':'755'}})");

    BOOST_TEST(problems_of(type) ==
               "resourceTypes.none.format: Format must be given.; "
               "resourceTypes.upper.format: Format must be given.; "
               "resourceTypes.digits.permissions: 07 is an invalid file permission; "
               "resourceTypes.letters.permissions: rwx is an invalid file permission; "
               "resourceTypes.packed.permissions: permissions are only allowed for file format.");
}

BOOST_AUTO_TEST_CASE(one_set_of_required_fields_has_to_be_filled) {
    const PluginParameters either{.fields = {}, .required = {{"user", "password"}, {"key"}}};

    BOOST_TEST(is_filled({}, base::Json::object()));
    BOOST_TEST(!is_filled(either, base::Json::object()));
    BOOST_TEST(!is_filled(either, {{"user", "ann"}, {"password", ""}}));
    BOOST_TEST(!is_filled(either, {{"user", "ann"}, {"key", nullptr}}));
    BOOST_TEST(is_filled(either, {{"user", "ann"}, {"password", "x"}}));
    BOOST_TEST(is_filled(either, {{"key", 7}}));
}

BOOST_AUTO_TEST_CASE(the_region_of_a_provider_is_in_the_field_that_its_type_names) {
    const auto type = plugin_type_from_json(
        PluginKind::provider,
        wire("{'name':'aws','regionField':'aws_region','parameters':{'admin':{'fields':{"
             "'aws_region':{'label':'R','type':'select','default':'us-east-1'}}}}}"));
    BOOST_REQUIRE_MESSAGE(type.has_value(), problems_of(type));

    BOOST_TEST(to_json(*type).at("regionField") == "aws_region");
    BOOST_TEST((plugin_type_from_json(PluginKind::provider, to_json(*type)) == *type));
    BOOST_TEST(region_of(*type, wire("{'aws_region':'eu-west-1'}")) == "eu-west-1");
    BOOST_TEST(region_of(*type, wire("{'aws_region':''}")) == "us-east-1");
    BOOST_TEST(region_of(*type, wire("{'aws_region':7}")) == "us-east-1");
    BOOST_TEST(region_of(*type, wire("{}")) == "us-east-1");
    BOOST_TEST(region_of(PluginType{}, wire("{'aws_region':'eu-west-1'}")) == "");
}

BOOST_AUTO_TEST_CASE(a_region_must_be_an_open_field_of_the_type) {
    BOOST_TEST(problems_of(automator("'regionField':'r'")) == "regionField: r is not a field.");
    BOOST_TEST(problems_of(automator("'regionField':'r','parameters':{'user':{'fields':{"
                                     "'r':{'label':'R','type':'password'}}}}")) ==
               "regionField: r is a secret field.");
}

BOOST_AUTO_TEST_CASE(a_field_of_numbers_comes_back_with_its_bounds) {
    const std::string fields =
        R"('parameters':{'admin':{'fields':{
            'gb':{'label':'G','type':'text','tip':'','override':false,'sensitive':false,
                  'number':{'min':1,'max':16384}},
            'rate':{'label':'R','type':'text','tip':'','override':false,'sensitive':false,
                    'number':{'min':0.5,'decimals':true}}},'required':[]}})";
    const auto type = automator(fields);
    BOOST_REQUIRE_MESSAGE(type.has_value(), problems_of(type));

    BOOST_TEST((type->admin.fields[0].numbers() == NumberRange{.least = 1, .most = 16'384}));
    BOOST_TEST((type->admin.fields[1].numbers() == NumberRange{.least = 0.5, .is_whole = false}));
    const std::string wired = provisioner::base::to_text(to_json(*type));
    BOOST_TEST(wired.find(R"("number":{"min":1,"max":16384})") != std::string::npos, wired);
    BOOST_TEST((plugin_type_from_json(PluginKind::automator, to_json(*type)) == *type));
    PluginField other;
    BOOST_TEST(!other.numbers().has_value());
    other.kind = "number";
    BOOST_TEST((other.numbers() == NumberRange{.is_whole = false}));
}

BOOST_AUTO_TEST_CASE(bounds_are_numbers) {
    const auto field = [](const std::string& number) {
        return problems_of(automator(
            "'parameters':{'user':{'fields':{'f':{'label':'F','type':'text','number':" + number +
            "}}}}"));
    };
    BOOST_TEST(field("5") == "parameters.user.fields.f.number: must be an object.");
    BOOST_TEST(field("{'min':'1'}") == "parameters.user.fields.f.number: min must be a number.");
}

BOOST_AUTO_TEST_CASE(a_range_holds_numbers_of_its_kind_within_its_bounds) {
    const NumberRange whole{.least = -2, .most = 10};
    for (const char* text : {"-2", "0", "007", "10"}) BOOST_TEST(whole.holds(text), text);
    for (const char* text :
         {"", "-", "-3", "11", "1.5", "1.", "+1", " 1", "1 ", "1e1", "0x1", "nan", "inf"}) {
        BOOST_TEST(!whole.holds(text), text);
    }
    const NumberRange any{.is_whole = false};
    for (const char* text : {"1.5", "-0.25", "3"}) BOOST_TEST(any.holds(text), text);
    for (const char* text : {"1,5", "1.2.3", "1e5", "."}) BOOST_TEST(!any.holds(text), text);
}

BOOST_AUTO_TEST_CASE(a_range_holds_only_what_providers_read) {
    const NumberRange counts{.least = 0};
    for (const char* text : {"0", "007", "9223372036854775807"}) {
        BOOST_TEST(counts.holds(text), text);
    }
    for (const char* text : {"-0", "-00", "9223372036854775808"}) {
        BOOST_TEST(!counts.holds(text), text);
    }
    const NumberRange prices{.least = 0, .is_whole = false};
    for (const char* text : {"0", "0.5", "00.50"}) BOOST_TEST(prices.holds(text), text);
    for (const char* text : {"-0", "-0.0", "1.", ".5", "-.5"}) {
        BOOST_TEST(!prices.holds(text), text);
    }
}

BOOST_AUTO_TEST_CASE(fields_that_lead_are_told_where_they_change_and_not_where_words_differ) {
    PluginField url;
    url.name = "url";
    url.label = "URL";
    url.leads = true;
    url.default_value = "https://usual";
    PluginField pem = url;
    pem.name = "pem";
    pem.default_value = nullptr;
    PluginField user = url;
    user.name = "user";
    user.leads = false;
    PluginType type;
    user.default_applies = true;
    type.admin.fields = {url, pem, user};
    type.header.name = "cloud";
    const auto changes = [&](const base::Json& before, const base::Json& after) {
        return leading_changes(type, before, after);
    };

    BOOST_TEST(changes({{"user", "a"}}, {{"user", "b"}}).empty());
    BOOST_TEST(changes(base::Json::object(), {{"url", ""}, {"pem", nullptr}}).empty());
    BOOST_TEST(
        changes({{"pem", "a\nb\n"}}, {{"url", "https://usual"}, {"pem", "a\r\nb\r\n"}}).empty());
    BOOST_TEST((changes({{"url", "https://a"}}, {{"pem", "x"}}) ==
                std::vector<std::string>{"url", "pem"}));
    BOOST_TEST((changes({{"url", base::Json::array({"a"})}}, {{"url", base::Json::array({"b"})}}) ==
                std::vector<std::string>{"url"}));
    const auto read = plugin_type_from_json(type.kind, to_json(type));
    BOOST_REQUIRE(read.has_value());
    BOOST_TEST((*read == type));
}
