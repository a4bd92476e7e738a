#include "provisioner/macros/expand.hpp"

#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>
#include <vector>

#include "provisioner/macros/evaluate.hpp"

using namespace provisioner::macros;
using provisioner::base::Json;
using provisioner::model::Node;

namespace {

Node a_node(const std::string& id, int nodenum, const std::vector<std::string>& services,
            const std::string& hostname, const std::string& address) {
    Node node;
    node.uuid = id;
    node.nodenum = nodenum;
    node.services = services;
    node.hostname = hostname;
    if (!address.empty()) node.addresses["access_v4"] = address;
    return node;
}

/// The nodes of the contract's own table, in the order of their ids, so that nodenum has to be
/// looked at.
struct Nodes {
    std::vector<Node> all{a_node("bar", 5, {"svc1"}, "rab", "9.6.8.1"),
                          a_node("foo", 0, {"svc1", "svc2"}, "oof", "9.7.8.4"),
                          a_node("one", 8, {"svc1"}, "eno", "9.1.3.4"),
                          a_node("thr", 10, {"svc3"}, "", "9.6.8.8"),
                          a_node("two", 9, {"svc2"}, "owt", "")};

    MacroContext seen_by(const std::string& id) const {
        MacroContext context{.cluster_owner = "user", .nodes = &all, .self = nullptr};
        for (const Node& node : all) {
            if (node.uuid == id) context.self = &node;
        }
        return context;
    }

    /// The whole text as `id` sees it, or "error: ...".
    std::string expanded(const std::string& text, const std::string& id = "foo") const {
        const auto result = expand(text, seen_by(id));
        return result ? *result : "error: " + result.error().message;
    }

    /// The value of one macro, "no value" or "error: ...".
    std::string value(const std::string& macro, const std::string& id = "foo") const {
        const auto result = evaluate(parse(macro).value(), seen_by(id));
        if (!result) return "error: " + result.error().message;
        return result->value_or("no value");
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(macros_about_nodes, Nodes)

BOOST_AUTO_TEST_CASE(the_owner_is_a_text_whatever_the_index) {
    BOOST_TEST(value("cluster.owner") == "user");
    BOOST_TEST(value("cluster.owner[9]") == "user");
}

BOOST_AUTO_TEST_CASE(lists_go_by_ascending_nodenum) {
    BOOST_TEST(value("host.service.svc1") == "oof,rab,eno");
    BOOST_TEST(value("ip.access_v4.service.svc1") == "9.7.8.4,9.6.8.1,9.1.3.4");
}

BOOST_AUTO_TEST_CASE(an_index_counts_from_zero_by_nodenum) {
    BOOST_TEST(value("ip.access_v4.service.svc1[0]") == "9.7.8.4");
    BOOST_TEST(value("ip.access_v4.service.svc1[1]") == "9.6.8.1");
    BOOST_TEST(value("host.service.svc1[0]") == "oof");
    BOOST_TEST(value("host.service.svc1[1]") == "rab");
    BOOST_TEST(value("host.service.svc1[2]") == "eno");
}

BOOST_AUTO_TEST_CASE(an_index_beyond_the_nodes_is_an_error) {
    BOOST_TEST(value("ip.access_v4.service.svc1[3]") ==
               "error: There are fewer than 4 nodes with svc1 on the cluster");
    BOOST_TEST(value("host.service.svc4[0]") ==
               "error: There are fewer than 1 nodes with svc4 on the cluster");
    BOOST_TEST(value("host.service.svc1[2147483647]") ==
               "error: There are fewer than 2147483648 nodes with svc1 on the cluster");
}

BOOST_AUTO_TEST_CASE(a_node_of_a_list_that_lacks_what_is_asked_is_an_error) {
    BOOST_TEST(value("ip.access_v4.service.svc2") ==
               "error: node two has no ip for macro expansion.");
    BOOST_TEST(value("host.service.svc3") ==
               "error: node thr has no hostname for macro expansion.");
    BOOST_TEST(value("ip.self") == "error: node foo has no ip for macro expansion.");
    BOOST_TEST(value("ip.access_v4.self", "two") ==
               "error: node two has no ip for macro expansion.");
}

BOOST_AUTO_TEST_CASE(an_indexed_node_that_lacks_what_is_asked_is_the_text_null) {
    BOOST_TEST(value("ip.access_v4.service.svc2[1]") == "null");
    BOOST_TEST(value("host.service.svc3[0]") == "null");
}

BOOST_AUTO_TEST_CASE(a_service_that_is_not_there_has_no_value_but_a_number) {
    BOOST_TEST(value("ip.access_v4.service.svc4") == "no value");
    BOOST_TEST(value("host.service.svc4") == "no value");
    BOOST_TEST(value("map(host.service.svc4,'$:1')") == "no value");
    BOOST_TEST(value("num.service.svc4") == "0");
    BOOST_TEST(value("num.service.svc1") == "3");
}

BOOST_AUTO_TEST_CASE(self_is_the_node_of_the_task) {
    BOOST_TEST(value("host.self", "foo") == "oof");
    BOOST_TEST(value("host.self", "bar") == "rab");
    BOOST_TEST(value("ip.access_v4.self", "foo") == "9.7.8.4");
    BOOST_TEST(value("ip.access_v4.self", "bar") == "9.6.8.1");
    BOOST_TEST(value("host.self", "thr") == "no value");
}

BOOST_AUTO_TEST_CASE(an_instance_is_the_place_among_the_nodes_of_the_service_from_one) {
    BOOST_TEST(value("instance.self.service.svc1", "foo") == "1");
    BOOST_TEST(value("instance.self.service.svc1", "bar") == "2");
    BOOST_TEST(value("instance.self.service.svc1", "one") == "3");
    BOOST_TEST(value("instance.self.service.svc2", "bar") == "no value");
}

BOOST_AUTO_TEST_CASE(a_node_that_is_being_removed_counts_itself_and_those_that_stay) {
    const Node leaving = a_node("gone", 6, {"svc1"}, "enog", "");
    MacroContext context = seen_by("nobody");
    context.self = &leaving;

    const auto number = evaluate(parse("instance.self.service.svc1").value(), context);

    BOOST_TEST(number.value().value_or("none") == "3");
}

BOOST_AUTO_TEST_CASE(without_a_self_nothing_of_self_has_a_value) {
    for (const char* macro : {"host.self", "ip.self", "instance.self.service.svc1"}) {
        BOOST_TEST(value(macro, "nobody") == "no value");
    }
}

BOOST_AUTO_TEST_CASE(map_formats_each_value_and_join_joins_them) {
    BOOST_TEST(value("map(host.service.svc2,'$:2181')") == "oof:2181,owt:2181");
    BOOST_TEST(value("join(host.service.svc1,'-')") == "oof-rab-eno");
    BOOST_TEST(value("join(map(host.service.svc2,'$:2181'),'++')") == "oof:2181++owt:2181");
    BOOST_TEST(value("join(host.service.svc2,\"\n\")") == "oof\nowt");
    BOOST_TEST(value("map(num.service.svc1,'<$>')") == "<3>");
}

BOOST_AUTO_TEST_CASE(a_macro_stands_inside_a_text) {
    BOOST_TEST(expanded("service one: %join(map(host.service.svc1,'$:2181'),',')%") ==
               "service one: oof:2181,rab:2181,eno:2181");
    BOOST_TEST(expanded("%cluster.owner%@company.net") == "user@company.net");
    BOOST_TEST(expanded("%host.service.svc1[0]%:2888:3888") == "oof:2888:3888");
    BOOST_TEST(expanded("%host.self% %host.self%") == "oof oof");
    BOOST_TEST(expanded("") == "");
    BOOST_TEST(expanded("plain") == "plain");
}

BOOST_AUTO_TEST_CASE(two_percent_signs_are_no_delimiter_and_stay) {
    BOOST_TEST(expanded("this %% is not a macro, but this is: %host.self%") ==
               "this %% is not a macro, but this is: oof");
    BOOST_TEST(expanded("100%%") == "100%%");
    BOOST_TEST(expanded("%%%host.self%") == "%%oof");
    BOOST_TEST(expanded("%host.self%%ip.self%") ==
               "error: Extra characters after macro at position 9");
}

BOOST_AUTO_TEST_CASE(a_single_percent_sign_ends_the_search) {
    BOOST_TEST(expanded("50%") == "50%");
    BOOST_TEST(expanded("%host.self% of 50% done") == "oof of 50% done");
    BOOST_TEST(expanded("50% of 30% done") == "error: A macro name must not be empty.");
    BOOST_TEST(expanded("%host.bogus%") == "error: 'host.bogus' is not a valid macro name");
}

BOOST_AUTO_TEST_CASE(no_value_leaves_the_text_unless_something_else_expands) {
    BOOST_TEST(expanded("a %host.service.svc4% b") == "a %host.service.svc4% b");
    BOOST_TEST(expanded("%host.service.svc4%/%ip.access_v4.service.svc4%") ==
               "%host.service.svc4%/%ip.access_v4.service.svc4%");
    BOOST_TEST(expanded("a %host.service.svc4% b %host.self%") == "a  b oof");
    BOOST_TEST(expanded("%host.self% %host.service.svc4%") == "oof ");
}

BOOST_AUTO_TEST_CASE(a_whole_configuration_is_expanded_in_its_values_only) {
    const Json config = Json::parse(R"({"fs":"hdfs://%host.service.svc1%",
        "%host.self%":{"zk":"%join(map(host.service.svc2,'$:2181'),',')%",
            "a":["%instance.self.service.svc2%",["%instance.self.service.svc1%"],true,1.5,null]},
        "n":3,"num":"%num.service.svc1%","gone":"%host.service.svc4%"})");

    const auto expanded_config = expand_all(config, seen_by("bar"));

    BOOST_REQUIRE(expanded_config.has_value());
    BOOST_TEST(expanded_config->dump() ==
               R"({"fs":"hdfs://oof,rab,eno","%host.self%":{"zk":"oof:2181,owt:2181",)"
               R"("a":["%instance.self.service.svc2%",["2"],true,1.5,null]},"n":3,"num":"3",)"
               R"("gone":"%host.service.svc4%"})");
}

BOOST_AUTO_TEST_CASE(what_is_the_same_for_all_nodes_is_expanded_once_and_told_apart) {
    const Json config = Json::parse(R"({"all":"%join(host.service.svc1,' ')%","self":"%host.self%",
        "both":["%host.self% of %host.service.svc1%"],"wrong":"50% of","plain":"100%%"})");
    provisioner::base::Memo memo;
    std::vector<std::shared_ptr<const std::string>> told;
    const auto for_all = [&](const std::string& from,
                             const std::shared_ptr<const std::string>& expanded) {
        told.push_back(expanded);
        return Json("<" + from + ">");
    };
    std::string texts;
    for (const char* id : {"foo", "bar"}) {
        MacroContext context = seen_by(id);
        context.memo = &memo;
        texts += expand_all(config, context, for_all).value().dump() + "\n";
    }

    BOOST_TEST(
        texts ==
        R"({"all":"<%join(host.service.svc1,' ')%>","self":"oof","both":["oof of oof,rab,eno"],)"
        R"("wrong":"50% of","plain":"100%%"})"
        "\n"
        R"({"all":"<%join(host.service.svc1,' ')%>","self":"rab","both":["rab of oof,rab,eno"],)"
        R"("wrong":"50% of","plain":"100%%"})"
        "\n");
    BOOST_REQUIRE(told.size() == 2U);
    BOOST_TEST(*told[0] == "oof rab eno");
    BOOST_TEST((told[0] == told[1]));
}

BOOST_AUTO_TEST_CASE(what_is_wrong_for_all_nodes_is_told_to_each_of_them_with_its_place) {
    provisioner::base::Memo memo;
    for (const char* id : {"foo", "bar"}) {
        MacroContext context = seen_by(id);
        context.memo = &memo;
        const auto config = expand_all(Json::parse(R"({"a":{"b":"%host.service.svc3%"}})"), context,
                                       [](const auto&, const auto& text) { return Json(*text); });
        BOOST_REQUIRE(!config.has_value());
        BOOST_TEST(to_text(config.error()) ==
                   "node thr has no hostname for macro expansion. (%host.service.svc3% in a.b)");
    }
}

BOOST_AUTO_TEST_CASE(one_wrong_value_fails_the_whole_configuration) {
    const auto config =
        expand_all(Json::parse(R"({"a":"x","b":[{"c":"%host.bogus%"}]})"), seen_by("foo"));

    BOOST_REQUIRE(!config.has_value());
    BOOST_TEST(to_text(config.error()) ==
               "'host.bogus' is not a valid macro name (%host.bogus% in b.0.c)");
}

BOOST_AUTO_TEST_CASE(a_short_text_does_not_become_a_long_one) {
    // 400 KB that ask for 3 * 400 KB * 3 bytes.
    const std::string dollars(400'000, '$');
    std::string format;
    for (std::size_t i = 0; i < dollars.size() / 2; ++i) format += "$.";
    const std::string text = "%join(map(host.service.svc1,'" + format + "'),' ')%";

    const auto long_one = expand(text, seen_by("foo"));
    BOOST_REQUIRE(!long_one.has_value());
    BOOST_TEST(
        to_text(long_one.error()).starts_with("it expands to more than 1048576 bytes (%join("));
    BOOST_TEST(to_text(long_one.error()).size() < 400U);
    MacroContext context = seen_by("foo");
    provisioner::base::Memo memo;
    context.memo = &memo;
    BOOST_TEST(!expand(text, context).has_value());
    BOOST_TEST(expand_link(text, context) == "");
    BOOST_TEST(
        expand_link("http://%join(map(host.service.svc1,'" + format.substr(0, 8000) + "'),' ')%",
                    context)
            .starts_with("http://%join"));
    BOOST_TEST(expand("%host.service.svc1%", context).has_value());
}

BOOST_AUTO_TEST_CASE(a_macro_that_would_be_too_long_is_refused_before_it_is_made) {
    MacroContext context = seen_by("foo");
    const auto macro = parse("join(map(host.service.svc1,'$$$'),', ')");
    BOOST_REQUIRE(macro.has_value());
    context.longest = 40;
    BOOST_TEST(evaluate(*macro, context).has_value());
    context.longest = 10;
    BOOST_TEST(!evaluate(*macro, context).has_value());
}

BOOST_AUTO_TEST_CASE(neither_does_a_text_or_a_document_of_many_macros) {
    std::string list = "%join(map(host.service.svc1,'";
    for (int i = 0; i < 20'000; ++i) list += "$.";
    list += "'),' ')%";
    std::string text;
    for (int i = 0; i < 10; ++i) text += list;
    BOOST_TEST(expand(list, seen_by("foo")).has_value());
    BOOST_TEST(!expand(text, seen_by("foo")).has_value());

    Json document = Json::array();
    for (int i = 0; i < 60; ++i) document.push_back(list);
    const auto expanded = expand_all(document, seen_by("foo"));
    BOOST_REQUIRE(!expanded.has_value());
    BOOST_TEST(to_text(expanded.error())
                   .starts_with("the configuration expands to more than 8388608 bytes ("));

    std::string macros;
    for (int i = 0; i < 10'001; ++i) macros += "%num.service.svc1% ";
    const auto counted = expand_all(Json{{"a", macros}}, seen_by("foo"));
    BOOST_REQUIRE(!counted.has_value());
    BOOST_TEST(to_text(counted.error()) == "the configuration has more than 10000 macros (a)");
}

BOOST_AUTO_TEST_CASE(a_link_is_expanded_whole_or_not_at_all) {
    const auto link = [&](const std::string& url) { return expand_link(url, seen_by("nobody")); };

    BOOST_TEST(link("http://docs/%cluster.owner%") == "http://docs/user");
    BOOST_TEST(link("http://%ip.access_v4.service.svc1[1]%:80") == "http://9.6.8.1:80");
    BOOST_TEST(link("http://docs/") == "http://docs/");
    BOOST_TEST(link("http://%host.self%/%cluster.owner%") == "http://%host.self%/%cluster.owner%");
    BOOST_TEST(link("http://%host.service.svc3%/") == "http://%host.service.svc3%/");
    BOOST_TEST(link("http://%bogus%/") == "http://%bogus%/");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(a_dollar_is_the_value_and_two_are_a_dollar) {
    BOOST_TEST(formatted("foo", "") == "");
    BOOST_TEST(formatted("foo", "$") == "foo");
    BOOST_TEST(formatted("foo", "$$") == "$");
    BOOST_TEST(formatted("foo", "$$$") == "$foo");
    BOOST_TEST(formatted("foo", "$ $") == "foo foo");
    BOOST_TEST(formatted("foo", "$:2181") == "foo:2181");
    BOOST_TEST(formatted("foo", "http://$/") == "http://foo/");
}

BOOST_AUTO_TEST_CASE(a_cluster_without_nodes_has_no_values) {
    const MacroContext context{.cluster_owner = "bob", .nodes = nullptr, .self = nullptr};

    BOOST_TEST(expand("%host.service.a%", context).value() == "%host.service.a%");
    BOOST_TEST(expand("%num.service.a% %cluster.owner%", context).value() == "0 bob");
}

BOOST_AUTO_TEST_CASE(a_macro_that_no_cluster_can_expand_is_found_without_its_nodes) {
    const auto found = [](const char* config) {
        const auto error = first_malformed(Json::parse(config));
        return error ? to_text(*error) : "";
    };
    BOOST_TEST(found(R"({"a":["%host.bogus%"]})") ==
               "'host.bogus' is not a valid macro name (%host.bogus% in a.0)");
    BOOST_TEST(found(R"({"a":{"b":"%map(host.self%"}})") != "");
    BOOST_TEST(found(R"({"a":"100%","b":"%%","c":"%host.service.absent[9]%","d":[1,null]})") == "");
}
