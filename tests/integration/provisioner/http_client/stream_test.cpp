#include "provisioner/http_client/stream.hpp"

#include <boost/test/unit_test.hpp>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/support/python_server.hpp"

using namespace provisioner;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(stream)

namespace {

constexpr auto sink = "tests/integration/provisioner/http_client/sink.py";

/// A folder with what a receiver got, and its certificate.
struct Place {
    Place() {
        std::filesystem::create_directory(folder);
        const std::ofstream made(got());
    }
    ~Place() { std::filesystem::remove_all(folder); }

    std::string got() const { return folder / "got"; }
    std::string certificate() const { return folder / "certificate.pem"; }
    std::string key() const { return folder / "key.pem"; }

    void certify(const std::string& name) const {
        const std::string command =
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "
            "/CN=test -addext subjectAltName=" +
            name + " -out " + certificate() + " -keyout " + key() + " 2>/dev/null";
        BOOST_REQUIRE(std::system(command.c_str()) == 0);
    }

    /// What has come, once it is `size` bytes or five seconds are over.
    std::string text(std::size_t size) const {
        std::ostringstream text;
        for (int i = 0; i < 500; ++i) {
            text.str("");
            text << std::ifstream(got()).rdbuf();
            if (text.str().size() >= size) break;
            std::this_thread::sleep_for(10ms);
        }
        return text.str();
    }

    std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("stream-" + std::to_string(getpid()));
};

http_client::StreamTarget at(int port, bool is_tls, const std::string& authorities = "") {
    return {.host = "127.0.0.1",
            .port = port,
            .is_tls = is_tls,
            .authorities = authorities,
            .limit = 5s};
}

}  // namespace

BOOST_AUTO_TEST_CASE(bytes_arrive_without_tls) {
    const Place place;
    const tests::PythonServer server({sink, place.got(), "0"});
    const std::string bytes(3'000'000, 'x');

    BOOST_TEST(http_client::send_stream(at(server.port(), false), bytes).empty());

    BOOST_TEST(place.text(bytes.size()) == bytes);
}

BOOST_AUTO_TEST_CASE(bytes_arrive_by_tls_from_a_certificate_of_the_authorities) {
    const Place place;
    place.certify("IP:127.0.0.1");
    const tests::PythonServer server({sink, place.got(), "0", place.certificate(), place.key()});
    const std::string bytes(300'000, 'x');

    BOOST_TEST(
        http_client::send_stream(at(server.port(), true, place.certificate()), bytes).empty());

    BOOST_TEST(place.text(bytes.size()) == bytes);
}

BOOST_AUTO_TEST_CASE(nothing_goes_to_a_receiver_of_another_name_or_authority) {
    const Place place;
    place.certify("DNS:other.example");
    const tests::PythonServer server({sink, place.got(), "0", place.certificate(), place.key()});

    BOOST_TEST(!http_client::send_stream(at(server.port(), true), "x").empty());
    BOOST_TEST(
        !http_client::send_stream(at(server.port(), true, place.certificate()), "x").empty());

    BOOST_TEST(place.text(1).empty());
}

BOOST_AUTO_TEST_CASE(a_receiver_that_is_away_or_breaks_off_is_a_failure) {
    const tests::PythonServer breaking({sink, "-", "0"});

    BOOST_TEST(!http_client::send_stream(at(1, false), "x").empty());
    BOOST_TEST(
        !http_client::send_stream(at(breaking.port(), false), std::string(1'000'000, 'x')).empty());
}

BOOST_AUTO_TEST_SUITE_END()
