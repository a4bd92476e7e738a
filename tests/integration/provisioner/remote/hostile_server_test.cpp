#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "tests/integration/provisioner/remote/remote_fixture.hpp"
#include "tests/support/python_server.hpp"

using namespace provisioner::remote;
using boost::asio::ip::tcp;
using tests::integration::RemoteFixture;

namespace {

/// A packet of SSH as it is before keys are exchanged: length, length of the padding, type, content
/// and padding up to a multiple of eight.
std::string packet(char type, std::size_t size) {
    const std::size_t padding = 8 + (8 - (4 + 1 + 1 + size) % 8) % 8;
    const auto length = static_cast<std::uint32_t>(1 + 1 + size + padding);
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(length >> shift & 0xff);
    bytes += static_cast<char>(padding);
    bytes += type;
    return bytes + std::string(size + padding, 'x');
}

/// A server of SSH that greets and then sends one packet without end, until nobody takes it.
class Flood {
 public:
    explicit Flood(std::string packet)
        : acceptor_(context_, {boost::asio::ip::address_v4::loopback(), 0}),
          packet_(std::move(packet)),
          thread_([this] { send(); }) {}
    ~Flood() { thread_.join(); }
    Flood(const Flood&) = delete;
    Flood& operator=(const Flood&) = delete;

    int port() const { return acceptor_.local_endpoint().port(); }
    std::size_t sent() const { return sent_; }

 private:
    void send() {
        tcp::socket socket(context_);
        acceptor_.accept(socket);
        boost::system::error_code error;
        boost::asio::write(socket, boost::asio::buffer(std::string("SSH-2.0-OpenSSH_9.2\r\n")),
                           error);
        // A client without a limit must not fill the machine on which this test fails.
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (!error && sent_ < most_sent && std::chrono::steady_clock::now() < end) {
            sent_ += boost::asio::write(socket, boost::asio::buffer(packet_), error);
        }
    }

    static constexpr std::size_t most_sent = 4UL << 30;

    boost::asio::io_context context_;
    tcp::acceptor acceptor_;
    std::string packet_;
    std::atomic<std::size_t> sent_{0};
    std::thread thread_;
};

/// What a connection to that server is told.
template <class Error>
std::string told(RemoteFixture& fixture, const Flood& flood, std::chrono::seconds patience) {
    Endpoint endpoint = fixture.sshd.endpoint();
    endpoint.port = flood.port();
    try {
        fixture.await(fixture.connector->connect(endpoint, patience));
    } catch (const Error& error) {
        return error.what();
    } catch (const std::exception& other) {
        return std::string("another error: ") + other.what();
    }
    return "connected";
}

constexpr auto hostile_sshd = "tests/support/hostile_sshd.py";
constexpr char ignore = 2;
constexpr char channel_success = 99;
constexpr char of_no_meaning = 47;

}  // namespace

BOOST_FIXTURE_TEST_SUITE(hostile_server, RemoteFixture)

BOOST_AUTO_TEST_CASE(a_node_that_sends_what_nobody_asked_for_loses_its_connection) {
    for (const std::string& each : {packet(channel_success, 30'000), packet(of_no_meaning, 30'000),
                                    packet(of_no_meaning, 1)}) {
        const Flood flood(each);

        const std::string message = told<TransportError>(*this, flood, std::chrono::seconds(15));

        BOOST_TEST(message == "root@127.0.0.1:" + std::to_string(flood.port()) +
                                  ": the node sent more than 16 MiB that nobody asked for");
        // What the kernel holds of it comes on top.
        BOOST_TEST(flood.sent() < 64UL << 20);
    }
}

BOOST_AUTO_TEST_CASE(a_node_that_sends_for_ever_what_means_nothing_is_given_up_in_time) {
    for (const std::string& each : {packet(ignore, 30'000), packet(ignore, 1)}) {
        const Flood flood(each);
        // The loop is nobody's alone.
        int turns = 0;
        boost::asio::steady_timer timer(loop);
        std::function<void()> take_turn = [&] {
            timer.expires_after(std::chrono::milliseconds(1));
            timer.async_wait([&](boost::system::error_code stopped) {
                if (stopped || ++turns == 100) return;
                take_turn();
            });
        };
        take_turn();

        const std::string message = told<TransportError>(*this, flood, std::chrono::seconds(3));

        // The library may give up before the time is over.
        const bool is_given_up = message.find("no answer in time") != std::string::npos ||
                                 message.find("handshake failed") != std::string::npos;
        BOOST_TEST(is_given_up, message);
        BOOST_TEST(turns == 100);
    }
}

BOOST_AUTO_TEST_CASE(a_node_with_the_right_key_that_sends_what_nobody_asked_for_is_cut_off_too) {
    for (const char* kind : {"success", "unknown", "small", "signal"}) {
        const tests::PythonServer server({hostile_sshd, path("host_ed25519"), kind});
        Endpoint endpoint = sshd.endpoint();
        endpoint.port = server.port();
        const auto session = await(connector->connect(endpoint, std::chrono::seconds(20)));
        std::string message;
        try {
            run(*session, "echo here");
        } catch (const TransportError& error) {
            message = error.what();
        }

        BOOST_TEST(message.ends_with(": the node sent more than 16 MiB that nobody asked for"),
                   kind << ": " << message);
        BOOST_TEST(!session->alive());
    }
}

BOOST_AUTO_TEST_SUITE_END()
