#include <boost/test/unit_test.hpp>
#include <string>

#include "provisioner/macros/macro.hpp"

using namespace provisioner::macros;

namespace {

/// The message `text` is refused with; "none" when it can be parsed.
std::string error_of(const std::string& text) {
    const auto macro = parse(text);
    return macro ? "none" : macro.error().message;
}

Macro parsed(const std::string& text) {
    const auto macro = parse(text);
    BOOST_REQUIRE_MESSAGE(macro.has_value(), text + ": " + error_of(text));
    return *macro;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_form_of_the_contract_can_be_parsed) {
    for (const char* text : {"host.service.abc",
                             "ip.access_v4.service.namenode",
                             "ip.bind_v4.service.a-b-c",
                             "ip.access_v4.self",
                             "ip.self",
                             "ip.service.a-b-c",
                             "ip.external.service.a.b.c",
                             "ip.internal.service.a_b_c",
                             "map(ip.access.service.nn,'$:80')",
                             "map(ip.access.service.nn,'\"$\"')",
                             "map(ip.access.service.nn,\"$:80\")",
                             "map(ip.access.service.nn,\"'$'\")",
                             "join(ip.access.service.nn,'-')",
                             "join(ip.access.service.nn,\"\n\")",
                             "join(map(host.service.abc,'$:2181'),',')",
                             "host.service.abc[1]",
                             "ip.access.service.abc[0]",
                             "instance.self.service.abc",
                             "num.service.abc",
                             "cluster.owner",
                             "host.self",
                             "cluster.owner[3]",
                             "join(host.service.abc,'')"}) {
        BOOST_TEST(error_of(text) == "none", text);
    }
}

BOOST_AUTO_TEST_CASE(a_macro_is_taken_apart) {
    Macro expected;
    expected.subject = Subject::ip_service;
    expected.address_type = "access_v4";
    expected.service = "a.b";
    expected.index = 12;
    expected.format = "$:80";
    expected.separator = "\n";

    BOOST_TEST((parsed("join(map(ip.access_v4.service.a.b[12],'$:80'),\"\n\")") == expected));
}

BOOST_AUTO_TEST_CASE(an_ip_without_a_type_is_the_one_inside_the_cluster) {
    BOOST_TEST(parsed("ip.self").address_type == "bind_v4");
    BOOST_TEST(parsed("ip.service.web").address_type == "bind_v4");
    BOOST_TEST(parsed("ip.service.web").service == "web");
    BOOST_TEST(parsed("ip.access_v4.self").address_type == "access_v4");
}

BOOST_AUTO_TEST_CASE(service_names_may_hold_dots_where_the_name_can_be_told_apart) {
    BOOST_TEST(parsed("host.service.a.b").service == "a.b");
    BOOST_TEST(parsed("num.service.a.b").service == "a.b");
    BOOST_TEST(parsed("instance.self.service.a.b").service == "a.b");
    BOOST_TEST(error_of("ip.service.a.b") == "'ip.service.a.b' is not a valid macro name");
}

BOOST_AUTO_TEST_CASE(a_missing_name_is_an_error) {
    for (const char* text :
         {"", "map(,'$!')", "join(,'-')", " of 30", "[1]", "join(map(,'-'),'-')"}) {
        BOOST_TEST(error_of(text) == "A macro name must not be empty.", text);
    }
}

BOOST_AUTO_TEST_CASE(an_unknown_name_is_an_error) {
    for (const char* name :
         {"abc", "host.bogus", "IP_OF_SERVICE.abc", "SERVICE_BULLSHIT_abc", "host.self.service.S",
          "ip.self.service", "IP_OF_SERVICE_x", "host", "ip", "ip.", "ip.x", "ip.x.y", "ip..self",
          "ip.a.self.b", "cluster", "cluster.owner.x", "map", "host.service", "Host.self"}) {
        BOOST_TEST(error_of(name) == "'" + std::string(name) + "' is not a valid macro name");
    }
}

BOOST_AUTO_TEST_CASE(a_missing_service_is_an_error) {
    for (const char* text : {"host.service.", "num.service.", "instance.self.service.",
                             "ip.service.", "ip.access_v4.service.", "host.service.[1]"}) {
        BOOST_TEST(error_of(text) == "macro is missing a service name", text);
    }
}

BOOST_AUTO_TEST_CASE(an_index_is_digits_in_brackets) {
    const std::string digits_only = "A service number must consists of digits only.";
    BOOST_TEST(error_of("host.service.abc[12a]") == digits_only);
    BOOST_TEST(error_of("host.service.abc[123.0]") == digits_only);
    BOOST_TEST(error_of("host.service.abc[-1]") == digits_only);
    BOOST_TEST(error_of("host.service.abc[]") == "No service number seen.");
    BOOST_TEST(error_of("host.service.abc[123") == "No ending bracket ']' seen.");
    BOOST_TEST(error_of("host.service.abc[2147483648]") == "For input string: \"2147483648\"");
    BOOST_TEST(parsed("host.service.abc[2147483647]").index.value_or(0) == 2147483647);
    BOOST_TEST(parsed("host.service.abc[007]").index.value_or(0) == 7);
}

BOOST_AUTO_TEST_CASE(text_after_the_macro_is_an_error) {
    const auto extra = [](int position) {
        return "Extra characters after macro at position " + std::to_string(position);
    };
    BOOST_TEST(error_of("abc)") == extra(3));
    BOOST_TEST(error_of("abc''") == extra(3));
    BOOST_TEST(error_of("Map(host.self,'$')") == extra(3));
    BOOST_TEST(error_of("host:self") == extra(4));
    BOOST_TEST(error_of("host.self%%ip.self") == extra(9));
    BOOST_TEST(error_of("host.service.abc]") == extra(16));
    BOOST_TEST(error_of("map(host.service.abc,'$!'))") == extra(26));
    BOOST_TEST(error_of("join(host.service.abc,'-'))") == extra(26));
    BOOST_TEST(error_of("join(map(host.service.abc,'-'),'-'))") == extra(35));
    BOOST_TEST(error_of("host.self ") == extra(9));
}

BOOST_AUTO_TEST_CASE(arguments_are_parted_by_a_comma_and_closed) {
    BOOST_TEST(error_of("map(host.service.abc)") == "',' expected at position 20");
    BOOST_TEST(error_of("join(host.service.abc)") == "',' expected at position 21");
    BOOST_TEST(error_of("map(map(host.self,'$'),'$')") == "',' expected at position 7");
    BOOST_TEST(error_of("map(join(host.self,'$'),'$')") == "',' expected at position 8");
    BOOST_TEST(error_of("join(join(host.self,'$'),'$')") == "',' expected at position 9");
    BOOST_TEST(error_of("join(map(host.service.abc,'-')))") == "',' expected at position 30");
    BOOST_TEST(error_of("map(host.service.abc ,'-')") == "',' expected at position 20");
    BOOST_TEST(error_of("map(host.service.abc,'$!'") == "')' expected at position 25");
    BOOST_TEST(error_of("join(host.service.abc,'-'") == "')' expected at position 25");
}

BOOST_AUTO_TEST_CASE(a_literal_is_in_quotes_of_one_kind) {
    BOOST_TEST(error_of("map(host.service.abc,$!)") == "Expected ' or \" at position 21");
    BOOST_TEST(error_of("join(host.service.abc,-)") == "Expected ' or \" at position 22");
    BOOST_TEST(error_of("join(host.service.abc,)") == "Expected ' or \" at position 22");
    BOOST_TEST(error_of("join(host.service.abc,") == "Expected ' or \" at position 22");
    BOOST_TEST(error_of("join(host.service.abc, '-')") == "Expected ' or \" at position 22");
    BOOST_TEST(error_of("map(host.service.abc,'$!") == "Expected ' at position 21");
    BOOST_TEST(error_of("map(host.service.abc,\"$!')") == "Expected \" at position 21");
}

BOOST_AUTO_TEST_CASE(the_syntax_is_checked_before_the_name) {
    BOOST_TEST(error_of("map(bogus,'$'") == "')' expected at position 13");
    BOOST_TEST(error_of("map(bogus,'$')") == "'bogus' is not a valid macro name");
    BOOST_TEST(error_of("bogus[x]") == "A service number must consists of digits only.");
}
