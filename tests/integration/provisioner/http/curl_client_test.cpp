#include "provisioner/http/curl_client.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <functional>
#include <thread>

using namespace provisioner;
using namespace std::chrono_literals;
using boost::asio::ip::tcp;

namespace {

/// A server that gives each connection, one after the other, to `answer` with what it was sent.
class Server {
 public:
    explicit Server(int connections, std::function<std::string(const std::string&)> answer)
        : thread_([this, connections, answer = std::move(answer)] {
              for (int i = 0; i < connections; ++i) serve(answer);
          }) {}

    ~Server() { thread_.join(); }

    std::string url() const {
        return "http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()) + "/hook";
    }

 private:
    void serve(const std::function<std::string(const std::string&)>& answer) {
        tcp::socket socket(context_);
        acceptor_.accept(socket);
        std::string request;
        boost::asio::read_until(socket, boost::asio::dynamic_buffer(request), "END");
        const std::string reply = answer(request);
        boost::system::error_code ignored;
        boost::asio::write(socket, boost::asio::buffer(reply), ignored);
    }

    boost::asio::io_context context_;
    tcp::acceptor acceptor_{context_, tcp::endpoint(tcp::v4(), 0)};
    std::thread thread_;
};

std::string reply_of(int status, const std::string& body) {
    return "HTTP/1.1 " + std::to_string(status) +
           " X\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\n\r\n" + body;
}

http::Request a_request(const std::string& url) {
    http::Request request;
    request.url = url;
    request.headers = {{"Content-Type", "application/json"}, {"Cooperage-Event", "start"}};
    request.body = "{\"x\":\"END\"}";
    return request;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_request_arrives_as_it_was_given_and_its_reply_comes_back) {
    std::string seen;
    http::Reply reply;
    {
        Server server(1, [&](const std::string& request) {
            seen = request;
            return reply_of(201, "thanks");
        });
        reply = http::make_curl_client()->send(std::vector{a_request(server.url())}).at(0);
    }

    BOOST_TEST(reply.status == 201);
    BOOST_TEST(reply.body == "thanks");
    BOOST_TEST(reply.error.empty());
    BOOST_TEST(seen.find("POST /hook HTTP/1.1\r\n") == 0U);
    BOOST_TEST(seen.find("Content-Type: application/json\r\n") != std::string::npos);
    BOOST_TEST(seen.find("Cooperage-Event: start\r\n") != std::string::npos);
    BOOST_TEST(seen.find("Expect:") == std::string::npos);
    BOOST_TEST(seen.substr(seen.find("\r\n\r\n") + 4) == "{\"x\":\"END\"}");
}

BOOST_AUTO_TEST_CASE(a_redirection_is_an_answer_and_is_not_followed) {
    Server server(1, [](const std::string&) {
        return "HTTP/1.1 302 X\r\nLocation: http://127.0.0.1:1/\r\nConnection: close\r\n"
               "Content-Length: 0\r\n\r\n";
    });

    const auto replies = http::make_curl_client()->send(std::vector{a_request(server.url())});

    BOOST_TEST(replies.at(0).status == 302);
}

BOOST_AUTO_TEST_CASE(who_does_not_answer_holds_up_nobody_else_and_is_given_up_in_time) {
    std::atomic<bool> over{false};
    const auto began = std::chrono::steady_clock::now();
    std::vector<http::Reply> replies;
    {
        Server silent(1, [&](const std::string&) {
            while (!over) std::this_thread::sleep_for(5ms);
            return std::string();
        });
        Server lively(1, [](const std::string&) { return reply_of(200, ""); });
        auto slow = a_request(silent.url());
        slow.limit = 300ms;
        auto closed = a_request("http://127.0.0.1:1/");
        auto wrong = a_request("file:///etc/passwd");
        replies = http::make_curl_client()->send(
            std::vector{slow, a_request(lively.url()), closed, wrong});
        over = true;
    }

    BOOST_REQUIRE(replies.size() == 4U);
    BOOST_TEST(replies[0].status == 0);
    BOOST_TEST(replies[0].error.find("timed out") != std::string::npos);
    BOOST_TEST(replies[1].status == 200);
    BOOST_TEST(replies[2].status == 0);
    BOOST_TEST(!replies[2].error.empty());
    BOOST_TEST(replies[3].error.find("file") != std::string::npos);
    BOOST_TEST((std::chrono::steady_clock::now() - began < 5s));
}
