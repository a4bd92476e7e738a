#include "provisioner/statements/database_errors.hpp"

#include <boost/test/unit_test.hpp>

using provisioner::statements::ErrorKind;
using provisioner::statements::kind_of;

BOOST_AUTO_TEST_SUITE(database_errors)

namespace {

void check_kind(ErrorKind kind, std::initializer_list<int> codes) {
    for (const int code : codes) BOOST_TEST((kind_of(code) == kind), code);
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_the_server_gave_up_is_run_again) {
    check_kind(ErrorKind::rolled_back, {1020, 1180, 1205, 1213, 1467});
}

BOOST_AUTO_TEST_CASE(what_passes_by_itself_or_by_a_persons_hand_is_an_outage) {
    check_kind(ErrorKind::unavailable, {1021, 1030, 1037, 1040, 1047, 1053, 1114, 1203, 1206, 1226,
                                        1290, 1317, 1836, 1927, 1969, 3024, 3032});
}

BOOST_AUTO_TEST_CASE(a_lost_connection_is_an_outage) {
    check_kind(ErrorKind::unavailable, {2002, 2003, 2006, 2013, 2026, 2055});
}

BOOST_AUTO_TEST_CASE(data_that_are_refused_are_refused_again) {
    check_kind(ErrorKind::refused_data,
               {1048, 1062, 1153, 1264, 1366, 1406, 1451, 1452, 2020, 3819, 4025});
}

BOOST_AUTO_TEST_CASE(everything_else_is_a_bug_or_a_wrong_setting) {
    check_kind(ErrorKind::broken, {0, 1044, 1045, 1049, 1054, 1064, 1146, 1242, 9999});
}

BOOST_AUTO_TEST_SUITE_END()
