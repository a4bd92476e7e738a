#include "provisioner/automators/document_values.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::automators;
using provisioner::base::Json;

namespace {

std::string table_of(const Json& document) {
    return values_table(document, SharedValues()).joined();
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_value_has_a_line_of_its_path_and_itself) {
    const Json document = Json::parse(
        R"({"taskId":"t","config":{"n":3,"yes":true,"gone":null,"half":1.5,"deep":{"er":"x"}}})");

    BOOST_TEST(table_of(document) ==
               "taskId\tt\n"
               "config/n\t3\n"
               "config/yes\ttrue\n"
               "config/gone\tnull\n"
               "config/half\t1.5\n"
               "config/deep/er\tx\n");
}

BOOST_AUTO_TEST_CASE(an_array_has_a_line_for_all_and_one_for_each) {
    const Json document = Json::parse(R"({"l":["a",2,{"k":"v"},["b"]],"e":[]})");

    BOOST_TEST(table_of(document) ==
               "l\ta\\n2\\n{\"k\":\"v\"}\\n[\"b\"]\n"
               "l/0\ta\n"
               "l/1\t2\n"
               "l/2/k\tv\n"
               "l/3\tb\n"
               "l/3/0\tb\n"
               "e\t\n");
}

BOOST_AUTO_TEST_CASE(an_array_of_empty_texts_keeps_its_lines) {
    BOOST_TEST(table_of(Json::parse(R"({"l":["",""]})")) == "l\t\\n\nl/0\t\nl/1\t\n");
}

BOOST_AUTO_TEST_CASE(a_value_stays_on_its_line) {
    const Json document = {{"a\tb", "1\n2\t3\r\\n4"}, {"zero", std::string("x\0y", 3)}};

    BOOST_TEST(table_of(document) == "a\\tb\t1\\n2\\t3\\r\\\\n4\nzero\txy\n");
}

BOOST_AUTO_TEST_CASE(what_is_no_object_has_no_values) {
    BOOST_TEST(table_of(Json::object()) == "");
    BOOST_TEST(table_of(Json("text")) == "");
}
