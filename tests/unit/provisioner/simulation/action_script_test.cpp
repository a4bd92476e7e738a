#include "provisioner/simulation/action_script.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::simulation;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(action_script)

BOOST_AUTO_TEST_CASE(a_script_tells_the_action_it_was_made_of) {
    const SimulatedAction bare;
    const SimulatedAction full{.duration = 1500ms, .lines = 20, .fail_percent = 5, .exit_code = 3};

    BOOST_TEST((action_in(script_of(bare, "start x")) == bare));
    BOOST_TEST((action_in(script_of(full, "start x")) == full));
}

BOOST_AUTO_TEST_CASE(another_script_is_no_simulated_action) {
    BOOST_TEST(!action_in("echo hello\n").has_value());
    BOOST_TEST(!action_in("# simulated by hand\nsleep 1\n").has_value());
    BOOST_TEST(!action_in("").has_value());
}

BOOST_AUTO_TEST_CASE(a_number_out_of_its_range_is_no_simulated_action) {
    for (const char* words :
         {R"({"lines":-1})", R"({"lines":4294967296})", R"({"duration_ms":-5})",
          R"({"fail_percent":101})", R"({"exit_code":0})", R"({"lines":"many"})"}) {
        BOOST_TEST(!action_in("# simulated " + std::string(words) + "\n").has_value(), words);
    }
    BOOST_TEST(action_in("# simulated {}\n").has_value());
}

BOOST_AUTO_TEST_CASE(on_a_real_node_the_script_prints_waits_and_fails_by_its_key) {
    const SimulatedAction action{.duration = 1050ms, .lines = 2, .fail_percent = 5, .exit_code = 3};

    BOOST_TEST(script_of(action, "start 100%\\x") ==
               "# simulated {\"fail_percent\":5,\"exit_code\":3,\"duration_ms\":1050,\"lines\":2}\n"
               "line=0\n"
               "while [ $line -lt 2 ]; do\n"
               "    line=$((line + 1))\n"
               "    printf 'start 100%%\\\\x: line %s of 2\\n' $line\n"
               "done\n"
               "sleep 1.050\n"
               "draw=$(printf %s \"$0\" | cksum | cut -d' ' -f1)\n"
               "[ $((draw % 100)) -lt 5 ] || exit 0\n"
               "printf %s 'start 100%\\x: simulated failure\n' >&2\n"
               "exit 3\n");
}

BOOST_AUTO_TEST_SUITE_END()
