#include "provisioner/model/catalogue/template_family.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/model/wire.hpp"

using namespace provisioner::model;
using tests::compact;
using tests::wire;

namespace {

ClusterTemplate a_template(const std::string& members) {
    return cluster_template_from_json(wire("{'name':'t'," + members + "}")).value();
}

ClusterTemplate a_partial(const std::string& members) {
    return partial_template_from_json(wire("{'name':'p'," + members + "}")).value();
}

std::string part(const ClusterTemplate& cluster_template, const char* key) {
    return to_json(cluster_template).at(key).dump();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_template_without_relatives_stays_as_it_is) {
    const auto own = a_template(R"('defaults':{'services':['a'],'config':{'x':1}},
        'constraints':{'size':{'min':2,'max':5}},'links':[{'label':'l','url':'u'}],
        'extends':{'name':'e'},'includes':[{'name':'i'}])");

    BOOST_TEST((merged(own, {}).value() == own));
}

BOOST_AUTO_TEST_CASE(the_worked_case_of_the_wire_contract) {
    const Ancestor parent{.own = a_template(R"('defaults':{
                'services':['zookeeper-server','mysql-server','cdap',
                            {'name':'bob','config':{'bob_address':'somewhere'}}],
                'provider':'google','hardwaretype':'standard-large','imagetype':'centos6',
                'dnsSuffix':'example.com','config':{'mysql':{},'zookeeper':{}}},
            'compatibility':{'services':['cdap','bob']},
            'constraints':{'size':{'min':'3','max':'100'},
                'layout':{'mustcoexist':[['hbase-regionserver'],['mysql-server','cdap']],
                          'cantcoexist':[['hadoop-hdfs-datanode','cdap']]},
                'services':{'mysql-server':{'quantities':{'min':1,'max':1}}}},
            'administration':{'leaseduration':{'initial':43200000,'max':0,'step':43200000}})"),
                          .partials = {}};
    const TemplateFamily family{
        .ancestors = {parent},
        .partials = {a_partial(R"('immutable':true,'defaults':{'services':['sensu-monitoring'],
            'config':{'sensu_wrapper':{'a':1}}},'compatibility':{'services':['sensu-monitoring']})")},
    };
    const auto own = a_template(R"('defaults':{'services':['cdap-security','cdap'],
        'config':{'security.a':1,'security.b':2}},'extends':{'name':'parent'},
        'includes':[{'name':'p'}])");

    const auto resolved = merged(own, family).value();

    BOOST_TEST(part(resolved, "defaults") == compact(R"({
        'services':['zookeeper-server','mysql-server','cdap','bob','sensu-monitoring','cdap-security'],
        'provider':'google','hardwaretype':'standard-large','imagetype':'centos6',
        'dnsSuffix':'example.com',
        'config':{'mysql':{},'zookeeper':{},'bob':{'bob_address':'somewhere'},
                  'sensu_wrapper':{'a':1},'security.a':1,'security.b':2}})"));
    BOOST_TEST(part(resolved, "compatibility") == compact(R"({'hardwaretypes':[],'imagetypes':[],
        'services':['cdap','bob','sensu-monitoring']})"));
    BOOST_TEST(part(resolved, "constraints") == part(parent.own, "constraints"));
    BOOST_TEST(part(resolved, "administration") == part(parent.own, "administration"));
    BOOST_TEST(part(resolved, "extends") == compact("{'name':'parent'}"));
}

BOOST_AUTO_TEST_CASE(the_later_one_replaces_whole_keys_and_says_the_last_word) {
    const Ancestor parent{
        .own = a_template(R"('defaults':{'provider':'far','imagetype':'old',
            'config':{'app':{'a':1,'b':2}}},'links':[{'label':'theirs','url':'u'}],
            'constraints':{'size':{'min':1,'max':3},
                'layout':{'mustcoexist':[['a','b']],'cantcoexist':[]},
                'services':{'a':{'quantities':{'min':1}},'b':{'quantities':{'min':2}}}})"),
        .partials = {a_partial("'immutable':false,'defaults':{'config':{'app':{'c':3}}}")}};
    const TemplateFamily family{
        .ancestors = {parent},
        .partials = {a_partial(R"('immutable':false,'defaults':{'provider':'near','imagetype':''},
            'constraints':{'size':{'min':7,'max':8}})")},
    };
    const auto own = a_template(R"('description':'mine','defaults':{'config':{'app':{'d':4}}},
        'constraints':{'size':{'min':2,'max':9},
            'layout':{'mustcoexist':[['b','a']],'cantcoexist':[['a','c']]},
            'services':{'a':{'quantities':{'min':5}}}})");

    const auto resolved = merged(own, family).value();

    BOOST_TEST(*resolved.defaults.provider == "near");
    BOOST_TEST(*resolved.defaults.image_type == "old");
    BOOST_TEST(resolved.defaults.config.dump() == R"({"app":{"d":4}})");
    BOOST_TEST(resolved.constraints.size_min == 2);
    BOOST_TEST(resolved.constraints.size_max == 9);
    BOOST_TEST(resolved.constraints.must_coexist.size() == 1U);
    BOOST_TEST(resolved.constraints.cant_coexist.size() == 1U);
    BOOST_TEST(constraint_on(resolved.constraints, "a")->min == 5);
    BOOST_TEST(constraint_on(resolved.constraints, "b")->min == 2);
    BOOST_TEST(resolved.links.empty());
    BOOST_TEST(*resolved.header.description == "mine");
}

BOOST_AUTO_TEST_CASE(what_an_immutable_partial_has_set_stays) {
    const auto fixed = a_partial("'immutable':true,'defaults':{'config':{'ssh':1}}");
    const auto own = a_template("'defaults':{'config':{'ssh':2,'app':3}}");

    const auto refused = merged(own, {.ancestors = {}, .partials = {fixed}});

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST(to_text(refused.error()) ==
               "defaults.config.ssh: ssh can't be overridden due immutability.");
    const Ancestor parent{.own = a_template("'defaults':{'config':{'ssh':2}}"), .partials = {}};
    const auto before = merged(a_template("'defaults':{'config':{'app':3}}"),
                               {.ancestors = {parent}, .partials = {fixed}});
    BOOST_REQUIRE(before.has_value());
    BOOST_TEST(before->defaults.config.at("ssh") == 1);
}

BOOST_AUTO_TEST_CASE(all_generations_are_inherited_from_and_the_younger_says_the_last_word) {
    const Ancestor oldest{
        .own = a_template(R"('defaults':{'services':['a'],'provider':'far','imagetype':'old',
            'config':{'x':1,'y':1}},'constraints':{'size':{'min':2,'max':5}})"),
        .partials = {a_partial("'immutable':true,'defaults':{'config':{'ssh':1}}")}};
    const Ancestor parent{
        .own = a_template("'defaults':{'services':['b'],'provider':'near','config':{'y':2}}"),
        .partials = {}};
    const TemplateFamily family{.ancestors = {oldest, parent}, .partials = {}};

    const auto resolved =
        merged(a_template("'defaults':{'services':['c'],'config':{'z':3}}"), family);

    BOOST_REQUIRE(resolved.has_value());
    BOOST_TEST(part(*resolved, "defaults") == compact(R"({'services':['a','b','c'],
        'provider':'near','imagetype':'old','config':{'ssh':1,'x':1,'y':2,'z':3}})"));
    BOOST_TEST(resolved->constraints.size_max == 5);
    BOOST_TEST(!merged(a_template("'defaults':{'config':{'ssh':2}}"), family).has_value());
}

BOOST_AUTO_TEST_CASE(a_circle_of_templates_is_told_with_all_who_are_in_it) {
    const std::string why = ": templates that extend each other in a circle come to nothing";

    BOOST_TEST(circle_of_templates({"a", "a"}).message == "a extends a" + why);
    BOOST_TEST(circle_of_templates({"a", "b", "c", "a"}).message ==
               "a extends b, b extends c and c extends a" + why);
}

BOOST_AUTO_TEST_CASE(what_was_made_of_a_template_says_all_that_the_template_says) {
    const std::string size = "'constraints':{'size':{'min':1,'max':5}}";
    const auto alone = a_template(size);
    auto made = alone;
    made.header.version = 3;
    BOOST_TEST(can_be_made_of(made, alone));
    BOOST_TEST(!can_be_made_of(made, a_template("'constraints':{'size':{'min':1,'max':50}}")));
    BOOST_TEST(!can_be_made_of(made, a_template("'extends':{'name':'base'}," + size)));
    // What has no relatives says nothing else either.
    BOOST_TEST(!can_be_made_of(made, a_template("'description':''")));

    const auto own = a_template(R"('extends':{'name':'base'},'includes':[{'name':'p'}],
        'defaults':{'services':['b'],'config':{'x':1}},
        'constraints':{'services':{'b':{'quantities':{'min':1}}}})");
    const auto with_base = [&](const char* base) {
        return merged(own, {.ancestors = {{.own = a_template(base), .partials = {}}},
                            .partials = {a_partial(R"('immutable':true,
                                'defaults':{'config':{'y':2}})")}})
            .value();
    };
    // Whatever its relatives said then.
    for (const char* base : {"'defaults':{'services':['a','b'],'config':{'x':7,'z':7}}",
                             "'constraints':{'size':{'min':2,'max':9}}"}) {
        BOOST_TEST(can_be_made_of(with_base(base), own));
    }
    auto other = own;
    other.defaults.config["x"] = 2;
    BOOST_TEST(!can_be_made_of(with_base("'links':[]"), other));
    other = own;
    other.defaults.services = {"c"};
    BOOST_TEST(!can_be_made_of(with_base("'links':[]"), other));
}

BOOST_AUTO_TEST_CASE(a_whole_template_has_services_a_provider_and_a_good_suffix) {
    BOOST_TEST(to_text(problems_with_defaults(a_template("'defaults':{'dnsSuffix':'-x-'}"))) ==
               "defaults.services: default services must be specified; "
               "defaults.provider: default provider must be specified; "
               "defaults.dnsSuffix: -x- is an invalid DNS suffix.");
    BOOST_TEST(
        problems_with_defaults(a_template("'defaults':{'services':['a'],'provider':'p'}")).empty());
}

BOOST_AUTO_TEST_CASE(a_default_suffix_may_begin_with_a_dot_as_it_may_when_a_cluster_is_made) {
    for (const char* suffix : {"", "x.org", ".x.org"}) {
        BOOST_TEST(is_default_dns_suffix(suffix), suffix);
        BOOST_TEST(problems_with_defaults(
                       a_template("'defaults':{'services':['a'],'provider':'p','dnsSuffix':'" +
                                  std::string(suffix) + "'}"))
                       .empty());
    }
    for (const char* suffix : {".", "..x", "-x-"}) BOOST_TEST(!is_default_dns_suffix(suffix));
}

BOOST_AUTO_TEST_CASE(a_circle_is_found_from_each_template_that_leads_to_it) {
    const std::map<std::string, std::string> parents{
        {"a", "b"}, {"b", "c"}, {"c", "b"}, {"x", "y"}};
    const auto parent_of = [&](const std::string& name) -> std::optional<std::string> {
        const auto found = parents.find(name);
        return found == parents.end() ? std::nullopt : std::optional(found->second);
    };
    using Names = std::vector<std::string>;

    BOOST_TEST((circle_of_extends("a", parent_of) == Names{"b", "c", "b"}));
    BOOST_TEST((circle_of_extends("c", parent_of) == Names{"c", "b", "c"}));
    BOOST_TEST(circle_of_extends("x", parent_of).empty());
    BOOST_TEST(circle_of_extends("nobody", parent_of).empty());
}
