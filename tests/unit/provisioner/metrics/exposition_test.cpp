#include "provisioner/metrics/exposition.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>

using namespace provisioner::metrics;

BOOST_AUTO_TEST_SUITE(exposition)

BOOST_AUTO_TEST_CASE(a_family_is_help_type_and_a_line_for_each_sample) {
    const Families families{{.name = "tasks_total",
                             .help = "Tasks done.",
                             .type = Type::counter,
                             .labels = {"action", "outcome"},
                             .samples = {{.labels = {"create", "failed"}, .value = 3},
                                         {.labels = {"start", "done"}, .value = 0.25}}},
                            gauge("load", "Load.", 1e21)};

    BOOST_TEST(to_text(families) == R"(# HELP tasks_total Tasks done.
# TYPE tasks_total counter
tasks_total{action="create",outcome="failed"} 3
tasks_total{action="start",outcome="done"} 0.25
# HELP load Load.
# TYPE load gauge
load 1e+21
)");
}

BOOST_AUTO_TEST_CASE(a_histogram_has_cumulated_buckets_sum_and_count) {
    const Families families{{.name = "took_seconds",
                             .help = "Time.",
                             .type = Type::histogram,
                             .labels = {"area"},
                             .samples = {{.labels = {"api"}, .value = 7.5, .buckets = {2, 0, 1}}},
                             .bounds = {0.5, 1}}};

    BOOST_TEST(to_text(families) == R"(# HELP took_seconds Time.
# TYPE took_seconds histogram
took_seconds_bucket{area="api",le="0.5"} 2
took_seconds_bucket{area="api",le="1"} 2
took_seconds_bucket{area="api",le="+Inf"} 3
took_seconds_sum{area="api"} 7.5
took_seconds_count{area="api"} 3
)");
}

BOOST_AUTO_TEST_CASE(no_text_can_begin_a_line_or_end_a_label) {
    const Families families{{.name = "up",
                             .help = "A \"quote\", a \\ and\na line",
                             .labels = {"daemon"},
                             .samples = {{.labels = {"a\"} 1\nb\\ \xff"}, .value = 1}}}};

    BOOST_TEST(to_text(families) ==
               "# HELP up A \"quote\", a \\\\ and\\na line\n# TYPE up gauge\n"
               "up{daemon=\"a\\\"} 1\\nb\\\\ \xef\xbf\xbd\"} 1\n");
}

BOOST_AUTO_TEST_CASE(numbers_that_are_none_have_words_and_a_family_without_samples_is_left_out) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const Families families{gauge("a", "A.", infinity),
                            gauge("b", "B.", -infinity),
                            gauge("c", "C.", std::numeric_limits<double>::quiet_NaN()),
                            {.name = "d", .help = "D."}};

    BOOST_TEST(to_text(families) ==
               "# HELP a A.\n# TYPE a gauge\na +Inf\n# HELP b B.\n# TYPE b gauge\nb -Inf\n"
               "# HELP c C.\n# TYPE c gauge\nc NaN\n");
}

BOOST_AUTO_TEST_SUITE_END()
