// The main program of every suite. Suites may be compiled as one unit, and Boost.Test's header can
// be included there in one way only. The main program therefore is a file of its own.
#include <boost/test/unit_test.hpp>
#include <filesystem>

namespace {

bool name_the_suite_after_the_program() {
    auto& suite = boost::unit_test::framework::master_test_suite();
    suite.p_name.value = std::filesystem::path(suite.argv[0]).filename().string();
    return true;
}

}  // namespace

int main(int argc, char* argv[]) {
    return boost::unit_test::unit_test_main(name_the_suite_after_the_program, argc, argv);
}
