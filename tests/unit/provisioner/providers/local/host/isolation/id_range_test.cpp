#include "provisioner/providers/local/host/isolation/id_range.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::providers::local;

using Ranges = std::vector<IdRange>;

BOOST_AUTO_TEST_SUITE(local_id_range)

BOOST_AUTO_TEST_CASE(a_machine_of_its_own_has_the_usual_ids_for_hosts) {
    const auto all = existing_ids("         0          0 4294967295\n");

    BOOST_TEST((all == Ranges{{.first = 0, .count = 4294967295}}));
    BOOST_TEST((ids_for_hosts(all) == usual_ids));
}

BOOST_AUTO_TEST_CASE(usual_ids_are_apart_from_users_directories_and_other_containers) {
    // sssd gives ids up to 2000200000; above 0x7ffe0000 are systemd's ids of other machines.
    BOOST_TEST(usual_ids.first > 2'000'200'000);
    BOOST_TEST(usual_ids.first + usual_ids.count <= 0x7ffe0000);
    BOOST_TEST(usual_ids.count % ids_per_host == 0);
}

BOOST_AUTO_TEST_CASE(a_container_gives_whole_ranges_of_what_it_has_above_its_own_users) {
    const Ranges container = existing_ids("0 1000000 1000000000\n");

    const IdRange ids = ids_for_hosts(container);

    BOOST_TEST(ids.first == 524288);
    BOOST_TEST(ids.count == 2238 * ids_per_host);
    BOOST_TEST((ids_for_hosts({{.first = 0, .count = 524288 + 3 * 65536 + 5}}) ==
                IdRange{.first = 524288, .count = 3 * 65536}));
}

BOOST_AUTO_TEST_CASE(a_container_with_few_ids_has_none_for_hosts) {
    BOOST_TEST(ids_for_hosts(existing_ids("0 100000 65536\n")).count == 0);
    BOOST_TEST(ids_for_hosts(existing_ids("0 1000 1\n1 100000 65536\n")).count == 0);
    BOOST_TEST(ids_for_hosts(existing_ids("")).count == 0);
}

BOOST_AUTO_TEST_CASE(ids_that_users_were_given_are_read_and_other_lines_left_out) {
    BOOST_TEST((given_ids("ann:100000:65536\nbob:2003828736:131072\n") ==
                Ranges{{.first = 100000, .count = 65536}, {.first = 2003828736, .count = 131072}}));
    BOOST_TEST(given_ids("# a comment\n\nann\nann:\nann:1\n:\nann:x:1\nann:1:y\n").empty());
}

BOOST_AUTO_TEST_SUITE_END()
