#include "provisioner/metrics/family_json.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/metrics/exposition.hpp"

using namespace provisioner;
using namespace provisioner::metrics;

BOOST_AUTO_TEST_SUITE(family_json)

namespace {

Families some_families() {
    return {{.name = "cooperage_calls_total",
             .help = "Calls.",
             .type = Type::counter,
             .labels = {"verb"},
             .samples = {{.labels = {"create"}, .value = 3}}},
            {.name = "cooperage_took_seconds",
             .help = "Time.",
             .type = Type::histogram,
             .samples = {{.value = 1.5, .buckets = {1, 2}}},
             .bounds = {0.5}}};
}

std::string read_again(const std::string& text) {
    return to_text(families_from(*base::parse_json(text)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(families_come_back_as_they_were) {
    const std::string json = base::to_text(to_json(some_families()));

    BOOST_TEST(read_again(json) == to_text(some_families()));
}

BOOST_AUTO_TEST_CASE(what_is_no_family_is_left_out) {
    for (
        const char* text :
        {"{}", "null", "[1]", "[{}]", R"([{"name":"cooperage_a","type":"gauge"}])",
         R"([{"name":"up","type":"gauge","samples":[[[],1]]}])",
         R"([{"name":"cooperage_a b","type":"gauge","samples":[[[],1]]}])",
         R"([{"name":"cooperage_a","type":"summary","samples":[[[],1]]}])",
         R"([{"name":"cooperage_a","type":"gauge","labels":["x\"y"],"samples":[[["z"],1]]}])",
         R"([{"name":"cooperage_a","type":"gauge","labels":["x"],"samples":[[[],1]]}])",
         R"([{"name":"cooperage_a","type":"gauge","samples":[[[],"1"]]}])",
         R"([{"name":"cooperage_a","type":"gauge","samples":[[[],1,[1]]]}])",
         R"([{"name":"cooperage_a","type":"histogram","bounds":[1],"samples":[[[],1,[1]]]}])",
         R"([{"name":"cooperage_a","type":"histogram","bounds":["1"],"samples":[[[],1,[1,2]]]}])",
         R"([{"name":"cooperage_a","type":"histogram","bounds":[1],"samples":[[[],1,[1,-2]]]}])"}) {
        BOOST_TEST(read_again(text).empty(), text);
    }
}

BOOST_AUTO_TEST_CASE(families_of_several_daemons_become_one_with_their_label_in_front) {
    Families all;

    add_labelled(all, "daemon", "one", some_families());
    add_labelled(all, "daemon", "two", some_families());

    BOOST_REQUIRE(all.size() == 2U);
    BOOST_TEST(to_text({all[0]}) ==
               "# HELP cooperage_calls_total Calls.\n# TYPE cooperage_calls_total counter\n"
               "cooperage_calls_total{daemon=\"one\",verb=\"create\"} 3\n"
               "cooperage_calls_total{daemon=\"two\",verb=\"create\"} 3\n");
    BOOST_TEST(all[1].samples.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_family_that_another_version_has_otherwise_is_not_mixed_in) {
    Families other = some_families();
    other[0].labels = {"action"};
    other[1].bounds = {0.25};
    Families all;

    add_labelled(all, "daemon", "one", some_families());
    add_labelled(all, "daemon", "two", other);

    BOOST_TEST(all.size() == 2U);
    BOOST_TEST(all[0].samples.size() == 1U);
    BOOST_TEST(all[1].samples.size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
