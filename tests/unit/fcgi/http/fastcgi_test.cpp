#include "fcgi/http/fastcgi.hpp"

#include <boost/test/unit_test.hpp>

using fcgi::http::serve_options;
using provisioner::base::Config;

BOOST_AUTO_TEST_SUITE(fastcgi)

namespace {

Config with(const std::string& line) {
    return Config::parse("web.socket = /run/web.sock\n" + line);
}

}  // namespace

BOOST_AUTO_TEST_CASE(settings_of_the_socket_are_read) {
    const auto options = serve_options(with("web.socket_mode = 0600\nweb.threads = 3"));

    BOOST_TEST(options.socket == "/run/web.sock");
    BOOST_TEST(options.mode == 0600U);
    BOOST_TEST(options.threads == 3);
    BOOST_TEST(serve_options(with("")).mode == 0660U);
}

BOOST_AUTO_TEST_CASE(settings_with_which_nothing_could_be_served_are_refused) {
    for (const char* wrong :
         {"web.threads = 0", "web.threads = 1001", "web.socket_mode = 0660abc",
          "web.socket_mode = 0680", "web.socket_mode = 1777", "web.socket_mode = -1"}) {
        BOOST_CHECK_THROW(serve_options(with(wrong)), std::runtime_error);
    }
}

BOOST_AUTO_TEST_SUITE_END()
