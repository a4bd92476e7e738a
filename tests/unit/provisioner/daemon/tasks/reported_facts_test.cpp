#include "provisioner/daemon/tasks/reported_facts.hpp"

#include <boost/test/unit_test.hpp>

using provisioner::base::to_text;
using provisioner::daemon::ReportedFacts;

BOOST_AUTO_TEST_SUITE(reported_facts)

BOOST_AUTO_TEST_CASE(facts_are_found_among_other_lines_however_they_arrive) {
    ReportedFacts told;
    told.expect({"ports", "containers"});

    for (const char* piece : {"starting\ncooper", "age-fact ports [\"80\"]\ncooperage-fact contai",
                              "ners {}\ncooperage-fact ports [\"81\"]\n"}) {
        told.add(piece);
    }

    BOOST_TEST(to_text(told.facts()) == R"({"ports":["81"],"containers":{}})");
}

BOOST_AUTO_TEST_CASE(a_node_tells_nothing_it_was_not_asked_for) {
    ReportedFacts told;
    told.add("cooperage-fact ports 1\n");
    told.expect({"ports"});

    told.add(
        "cooperage-fact providerid \"vm-2\"\n x cooperage-fact ports 2\ncooperage-fact ports\n");

    BOOST_TEST(to_text(told.facts()) == "{}");
}

BOOST_AUTO_TEST_CASE(what_is_no_json_has_no_end_or_is_too_long_is_only_output) {
    ReportedFacts told;
    told.expect({"ports"});
    const std::string long_text = '"' + std::string(65'536, 'x') + '"';

    told.add("cooperage-fact ports [\ncooperage-fact ports " + long_text +
             "\ncooperage-fact ports 1");

    BOOST_TEST(to_text(told.facts()) == "{}");
    told.add("2\n");
    BOOST_TEST(to_text(told.facts()) == R"({"ports":12})");
}

BOOST_AUTO_TEST_CASE(the_next_step_begins_a_line_of_its_own_and_keeps_what_was_told) {
    ReportedFacts told;
    told.expect({"ports"});
    told.add("cooperage-fact ports 1\ncooperage-fact po");
    told.expect({"containers"});

    told.add("rts 2\ncooperage-fact containers {}\n");

    BOOST_TEST(to_text(told.facts()) == R"({"ports":1,"containers":{}})");
}

BOOST_AUTO_TEST_SUITE_END()
