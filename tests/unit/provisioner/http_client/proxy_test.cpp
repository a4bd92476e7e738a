#include "provisioner/http_client/proxy.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>

using namespace provisioner;

namespace {

/// With `proxy` in the environment for as long as it asks.
bool is_proxy(const char* proxy, const char* address, int port) {
    ::setenv("https_proxy", proxy, 1);
    const bool is_one = http_client::is_proxy(boost::asio::ip::make_address(address), port);
    ::unsetenv("https_proxy");
    return is_one;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_proxy_of_this_host_is_known_by_its_address_and_its_port) {
    BOOST_TEST(is_proxy("http://127.0.0.1:3128", "127.0.0.1", 3128));
    BOOST_TEST(is_proxy("127.0.0.1:3128", "127.0.0.1", 3128));
    BOOST_TEST(is_proxy("http://user:word@127.0.0.1", "127.0.0.1", 1080));
    BOOST_TEST(is_proxy("http://[::1]:3128/", "::1", 3128));
    BOOST_TEST(is_proxy("http://localhost:3128", "127.0.0.1", 3128));
    BOOST_TEST(!is_proxy("http://127.0.0.1:3128", "127.0.0.1", 80));
    BOOST_TEST(!is_proxy("http://127.0.0.1:3128", "127.0.0.2", 3128));
    BOOST_TEST(!is_proxy("http://localhost:3128", "169.254.169.254", 3128));
    BOOST_TEST(!is_proxy("http://proxy.example.org:3128", "127.0.0.1", 3128));
    BOOST_TEST(!is_proxy("", "127.0.0.1", 1080));
}
