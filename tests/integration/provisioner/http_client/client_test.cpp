#include "provisioner/http_client/client.hpp"
#include "provisioner/http_client/allowed_servers.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/wait.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "provisioner/base/json.hpp"
#include "provisioner/http_client/proxy.hpp"
#include "provisioner/http_client/transfers.hpp"
#include "tests/support/python_server.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using base::Json;

namespace {

constexpr auto script = "tests/integration/provisioner/http_client/server.py";

/// A certificate that vouches for itself, in a folder that goes at the end.
class Certificate {
 public:
    /// `name` as in "IP:127.0.0.1" or "DNS:example.com".
    explicit Certificate(const std::string& name)
        : folder_(std::filesystem::temp_directory_path() /
                  ("certificate-" + std::to_string(++number) + "-" + std::to_string(getpid()))) {
        std::filesystem::create_directory(folder_);
        const std::string command =
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "
            "/CN=test -addext subjectAltName=" +
            name + " -out " + path() + " -keyout " + key() + " 2>/dev/null";
        BOOST_REQUIRE(std::system(command.c_str()) == 0);
    }
    ~Certificate() { std::filesystem::remove_all(folder_); }
    Certificate(const Certificate&) = delete;
    Certificate& operator=(const Certificate&) = delete;

    std::string path() const { return folder_ / "certificate.pem"; }
    std::string key() const { return folder_ / "key.pem"; }
    std::string text() const {
        std::ostringstream text;
        text << std::ifstream(path()).rdbuf();
        return text.str();
    }

 private:
    static int number;
    std::filesystem::path folder_;
};

int Certificate::number = 0;

/// A client on a loop, and the server it talks to.
struct Line {
    http_client::Request get(const std::string& path) const {
        http_client::Request request;
        request.method = "GET";
        request.url = "http://127.0.0.1:" + std::to_string(server.port()) + path;
        return request;
    }

    std::vector<http_client::Reply> send(const std::vector<http_client::Request>& requests) {
        return http_client::send_all(loop, *client, requests);
    }
    http_client::Reply send(const http_client::Request& request) {
        return send(std::vector{request}).at(0);
    }

    Json echo(const http_client::Request& request) { return *base::parse_json(send(request).body); }

    /// For so long, whatever is still under way then.
    void run_for(std::chrono::milliseconds time) {
        loop.restart();
        loop.run_for(time);
    }

    tests::PythonServer server{{script}};
    boost::asio::io_context loop{1};
    std::unique_ptr<http_client::Client> client = http_client::make_curl_client();
};

std::chrono::milliseconds since(std::chrono::steady_clock::time_point moment) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                                 moment);
}

bool says(const http_client::Reply& reply, const char* word) {
    return reply.status == 0 && reply.error.find(word) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_request_arrives_as_it_was_given_and_its_reply_comes_back) {
    Line line;
    auto request = line.get("/echo?a=b");
    request.method = "POST";
    request.headers = {{"Content-Type", "application/json"}, {"Cooperage-Event", "start"}};
    request.body = R"({"x":1})";

    const auto reply = line.send(request);

    BOOST_TEST(reply.status == 200);
    BOOST_TEST(reply.error.empty());
    const Json seen = *base::parse_json(reply.body);
    BOOST_TEST(seen["method"] == "POST");
    BOOST_TEST(seen["path"] == "/echo?a=b");
    BOOST_TEST(seen["body"] == R"({"x":1})");
    std::set<std::string> headers;
    for (const Json& header : seen["headers"]) {
        headers.insert(header[0].get<std::string>() + ": " + header[1].get<std::string>());
    }
    BOOST_TEST(headers.contains("Content-Type: application/json"));
    BOOST_TEST(headers.contains("Cooperage-Event: start"));
    BOOST_TEST(seen.dump().find("Expect") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(every_method_is_sent_as_it_is_called) {
    Line line;
    for (const char* method : {"GET", "POST", "PUT", "PATCH", "DELETE"}) {
        auto request = line.get("/echo");
        request.method = method;
        BOOST_TEST(line.echo(request)["method"] == method);
    }
    auto head = line.get("/echo");
    head.method = "HEAD";

    const auto reply = line.send(head);

    BOOST_TEST(reply.status == 200);
    BOOST_TEST(reply.body.empty());
}

BOOST_AUTO_TEST_CASE(an_answer_that_says_no_is_an_answer_with_its_headers) {
    Line line;

    const auto reply = line.send(line.get("/status/503"));

    BOOST_TEST(reply.status == 503);
    BOOST_TEST(reply.body == "no");
    BOOST_TEST(reply.header("retry-after") == "7");
    BOOST_TEST(reply.header("x-odd") == "two words");
    BOOST_TEST(reply.header("nothing").empty());
}

BOOST_AUTO_TEST_CASE(a_redirection_is_an_answer_and_is_not_followed) {
    Line line;
    auto request = line.get("/redirect");
    request.headers = {{"Authorization", "Bearer s3cret"}};

    const auto reply = line.send(request);

    BOOST_TEST(reply.status == 302);
    BOOST_TEST(reply.header("location") == "http://127.0.0.1:1/echo");
}

BOOST_AUTO_TEST_CASE(who_does_not_answer_holds_up_nobody_else_and_is_given_up_in_time) {
    Line line;
    auto silent = line.get("/silent");
    silent.limit = 300ms;
    auto dripping = line.get("/dripping");
    dripping.limit = 400ms;
    auto closed = line.get("/echo");
    closed.url = "http://127.0.0.1:1/";
    auto wrong = closed;
    wrong.url = "file:///etc/passwd";
    const auto began = std::chrono::steady_clock::now();

    const auto replies = line.send({silent, line.get("/echo"), dripping, closed, wrong});

    BOOST_TEST((since(began) < 2s));
    BOOST_TEST(says(replies[0], "timed out"));
    BOOST_TEST(replies[1].status == 200);
    BOOST_TEST(says(replies[2], "timed out"));
    BOOST_TEST(says(replies[3], "connect"));
    BOOST_TEST(says(replies[4], "file"));
}

BOOST_AUTO_TEST_CASE(a_server_that_takes_no_connection_is_given_up_in_time) {
    Line line;
    // A full backlog: who comes now is not even refused.
    const int door = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    BOOST_REQUIRE(::bind(door, reinterpret_cast<sockaddr*>(&address), size) == 0);
    BOOST_REQUIRE(::listen(door, 0) == 0);
    BOOST_REQUIRE(::getsockname(door, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    std::vector<http_client::Request> requests(4, line.get("/echo"));
    for (auto& request : requests) {
        request.url = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/";
        request.connect_limit = 300ms;
        request.limit = 700ms;
    }
    const auto began = std::chrono::steady_clock::now();

    const auto replies = line.send(requests);

    BOOST_TEST((since(began) < 2s));
    for (const auto& reply : replies) BOOST_TEST(reply.status == 0);
    BOOST_TEST(replies.back().error.find("Failed to connect") == 0U, replies.back().error);
    ::close(door);
}

BOOST_AUTO_TEST_CASE(an_answer_without_end_is_given_up_at_its_limit) {
    Line line;
    auto endless = line.get("/endless");
    endless.longest_reply = 1000;
    auto endless_head = line.get("/endless-head");
    auto cut = line.get("/echo");
    cut.longest_reply = 10;
    cut.cuts_reply = true;

    const auto replies = line.send({endless, endless_head, cut});

    BOOST_TEST(replies[0].error == "the answer is longer than 1000 bytes");
    BOOST_TEST(replies[0].status == 0);
    BOOST_TEST(replies[1].error == "the head of the answer is longer than 65536 bytes");
    BOOST_TEST(replies[2].status == 200);
    BOOST_TEST(replies[2].body.size() == 10U);
}

BOOST_AUTO_TEST_CASE(an_answer_that_breaks_off_is_no_answer) {
    Line line;

    const auto replies = line.send({line.get("/reset"), line.get("/half"), line.get("/echo")});

    BOOST_TEST(says(replies[0], ""));
    BOOST_TEST(!replies[0].error.empty());
    BOOST_TEST(replies[1].status == 0);
    BOOST_TEST(!replies[1].error.empty());
    BOOST_TEST(replies[2].status == 200);
}

BOOST_AUTO_TEST_CASE(a_connection_is_kept_for_the_next_request_and_made_anew_when_it_broke) {
    Line line;

    const Json first = line.echo(line.get("/echo"));
    const Json second = line.echo(line.get("/once"));
    const Json third = line.echo(line.get("/echo"));

    BOOST_TEST(first["connection"] == second["connection"]);
    BOOST_TEST(third["connection"] != second["connection"]);
}

BOOST_AUTO_TEST_CASE(a_request_that_creates_something_is_not_sent_again_when_its_answer_is_lost) {
    Line line;
    line.echo(line.get("/echo"));
    http_client::Request request = line.get("/lost");

    BOOST_TEST(line.send(request).status == 0);
    BOOST_TEST(line.send(line.get("/lost-count")).body == "2");
    request.at_most_once = true;
    BOOST_TEST(line.send(request).status == 0);

    BOOST_TEST(line.send(line.get("/lost-count")).body == "3");
}

BOOST_AUTO_TEST_CASE(many_requests_run_side_by_side_over_few_connections) {
    Line line;
    const std::vector<http_client::Request> requests(300, line.get("/pause?ms=20"));
    const auto began = std::chrono::steady_clock::now();

    const auto replies = line.send(requests);

    std::set<int> connections;
    for (const auto& reply : replies) {
        BOOST_REQUIRE(reply.status == 200);
        connections.insert((*base::parse_json(reply.body))["connection"].get<int>());
    }
    BOOST_TEST(connections.size() > 1U);
    BOOST_TEST(connections.size() <= 32U);
    // One after the other they take six.
    BOOST_TEST((since(began) < 4s));
}

BOOST_AUTO_TEST_CASE(the_loop_goes_on_while_requests_are_under_way) {
    Line line;
    int ticks = 0;
    boost::asio::co_spawn(
        line.loop,
        [&]() -> boost::asio::awaitable<void> {
            boost::asio::steady_timer timer(line.loop);
            while (ticks < 50) {
                timer.expires_after(5ms);
                co_await timer.async_wait(boost::asio::use_awaitable);
                ++ticks;
            }
        },
        boost::asio::detached);
    boost::asio::co_spawn(line.loop, line.client->send(line.get("/pause?ms=500")),
                          [&](const std::exception_ptr&, const http_client::Reply& reply) {
                              BOOST_TEST(reply.status == 200);
                              BOOST_TEST(ticks == 50);
                          });

    line.run_for(10s);

    BOOST_TEST(ticks == 50);
}

BOOST_AUTO_TEST_CASE(a_request_whose_loop_is_taken_down_is_given_up) {
    Line line;
    {
        boost::asio::io_context short_lived{1};
        for (int i = 0; i < 3; ++i) {
            boost::asio::co_spawn(short_lived, line.client->send(line.get("/silent")),
                                  boost::asio::detached);
        }
        short_lived.run_for(300ms);
        BOOST_TEST(line.send(line.get("/given-up")).body == "0");
    }

    std::string given_up;
    for (int i = 0; i < 100 && given_up != "3"; ++i) {
        given_up = line.send(line.get("/given-up")).body;
        line.run_for(10ms);
    }

    BOOST_TEST(given_up == "3");
}

BOOST_AUTO_TEST_CASE(a_loop_without_requests_has_nothing_to_wait_for) {
    Line line;
    const auto began = std::chrono::steady_clock::now();

    BOOST_TEST(line.send(line.get("/echo")).status == 200);

    BOOST_TEST((since(began) < 1s));
}

BOOST_AUTO_TEST_CASE(a_server_with_tls_is_believed_when_an_authority_vouches_for_its_name) {
    const Certificate good("IP:127.0.0.1");
    const Certificate other("DNS:example.com");
    tests::PythonServer trusted({script, good.path(), good.key()});
    tests::PythonServer misnamed({script, other.path(), other.key()});
    Line line;
    const auto ask = [&](const tests::PythonServer& server, const std::string& authorities) {
        auto request = line.get("/echo");
        request.url = "https://127.0.0.1:" + std::to_string(server.port()) + "/echo";
        request.authorities = authorities;
        request.keeps_certificate = true;
        return request;
    };

    const auto replies =
        line.send({ask(trusted, good.text()), ask(trusted, ""), ask(trusted, other.text()),
                   ask(misnamed, other.text()), ask(trusted, "no certificate")});

    BOOST_TEST(replies[0].status == 200);
    BOOST_TEST(says(replies[1], "certificate"));
    BOOST_TEST(says(replies[2], "certificate"));
    BOOST_TEST(says(replies[3], "127.0.0.1"));
    BOOST_TEST(replies[4].status == 0);
    BOOST_TEST(!replies[4].error.empty());
    BOOST_TEST(!replies[0].certificate_result.has_value());
    constexpr long self_signed = 18;
    BOOST_TEST(replies[1].certificate_result.value_or(-1) == self_signed);
    BOOST_TEST(replies[3].certificate_result.value_or(-1) <= 1, "the authority was fine");
    BOOST_TEST(says(replies[3], "subject name"));
    BOOST_TEST(replies[0].certificate.empty(), "it was accepted");
    BOOST_TEST(!replies[1].certificate.empty());
    BOOST_TEST((replies[1].certificate == replies[2].certificate));
    BOOST_TEST(!replies[3].certificate.empty());
    BOOST_TEST((replies[1].certificate != replies[3].certificate));
}

BOOST_AUTO_TEST_CASE(a_server_that_knows_old_tls_only_is_refused_whatever_the_host_allows) {
    const Certificate good("IP:127.0.0.1");
    const std::string settings = good.path() + ".cnf";
    std::ofstream(settings)
        << "openssl_conf = all\n[all]\nssl_conf = ssl\n[ssl]\nsystem_default = old\n"
           "[old]\nMinProtocol = TLSv1\nCipherString = DEFAULT:@SECLEVEL=0\n";
    tests::PythonServer server({script, good.path(), good.key(), "old"});
    const std::string url = "https://127.0.0.1:" + std::to_string(server.port()) + "/echo";
    // Another program on such a host is answered.
    const std::string on_such_a_host = "OPENSSL_CONF=" + settings + ' ';
    const std::string other =
        on_such_a_host + "curl -s --tlsv1.0 -o /dev/null --cacert " + good.path() + ' ' + url;
    BOOST_REQUIRE(std::system(other.c_str()) == 0);

    const std::string again = on_such_a_host + "COOPERAGE_TEST_URL=" + url +
                              " COOPERAGE_TEST_CA=" + good.path() + ' ' +
                              std::filesystem::read_symlink("/proc/self/exe").string() +
                              " --run_test=only_in_a_process_of_its_own";
    BOOST_TEST(std::system(again.c_str()) == 0);
}

/// Of the case before: the settings of OpenSSL are read when it is first used.
BOOST_AUTO_TEST_CASE(only_in_a_process_of_its_own, *boost::unit_test::disabled()) {
    Line line;
    auto request = line.get("/echo");
    request.url = std::getenv("COOPERAGE_TEST_URL");
    std::ostringstream authorities;
    authorities << std::ifstream(std::getenv("COOPERAGE_TEST_CA")).rdbuf();
    request.authorities = authorities.str();

    const auto reply = line.send(request);

    BOOST_TEST(reply.status == 0);
    BOOST_TEST(says(reply, "protocol version"), reply.error);
}

BOOST_AUTO_TEST_CASE(requests_go_by_the_proxy_except_to_the_hosts_that_are_left_out) {
    Line line;
    tests::PythonServer proxy({script});
    http_client::use_proxy("http://127.0.0.1:" + std::to_string(proxy.port()), "127.0.0.1");
    auto far = line.get("/echo");
    far.url = "http://cloud.example.org/echo";

    const auto replies = line.send({far, line.get("/echo")});

    for (const char* name : {"https_proxy", "http_proxy", "no_proxy"}) ::unsetenv(name);
    BOOST_TEST(replies[0].body.find("http://cloud.example.org/echo") != std::string::npos);
    BOOST_TEST(replies[1].body.find("http://") == std::string::npos);
    BOOST_TEST(replies[1].status == 200);
}

BOOST_AUTO_TEST_CASE(this_host_is_out_of_reach_for_requests_that_forbid_it) {
    Line line;
    const std::string port = std::to_string(line.server.port());
    for (const std::string host :
         {"127.0.0.1", "localhost", "0.0.0.0", "[::ffff:127.0.0.1]", "0x7f.1", "2130706433"}) {
        auto request = line.get("/echo");
        request.url = "http://" + host + ":" + port + "/echo";
        BOOST_TEST(line.send(request).status == 200, host);
        request.forbids_own_network = true;
        const auto reply = line.send(request);
        BOOST_TEST(says(reply, "http.own_network"), host + ": " + reply.error);
        request.at_most_once = true;
        BOOST_TEST(says(line.send(request), "http.own_network"), host);
    }
}

BOOST_AUTO_TEST_CASE(addresses_of_this_hosts_interfaces_are_out_of_reach_like_loopback) {
    Line line;
    std::vector<std::string> hosts;
    ifaddrs* all = nullptr;
    BOOST_REQUIRE(getifaddrs(&all) == 0);
    for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
        if (one->ifa_addr == nullptr) continue;
        const bool is_v4 = one->ifa_addr->sa_family == AF_INET;
        if (!is_v4 && one->ifa_addr->sa_family != AF_INET6) continue;
        char text[NI_MAXHOST];
        const socklen_t size = is_v4 ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
        const int failed =
            getnameinfo(one->ifa_addr, size, text, sizeof text, nullptr, 0, NI_NUMERICHOST);
        const std::string host = failed == 0 ? text : "";
        // Loopback has a test of its own; a URL with a zone is another story.
        const bool is_loopback = (one->ifa_flags & IFF_LOOPBACK) != 0;
        if (failed != 0 || is_loopback || host.find('%') != std::string::npos) continue;
        hosts.push_back(is_v4 ? host : "[" + host + "]");
        if (is_v4) hosts.push_back("[::ffff:" + host + "]");
    }
    freeifaddrs(all);
    BOOST_WARN_MESSAGE(!hosts.empty(), "this host has no address but loopback");
    for (const std::string& host : hosts) {
        auto request = line.get("/echo");
        request.url = "http://" + host + ":9/";
        BOOST_TEST(!says(line.send(request), "http.own_network"), host);
        request.forbids_own_network = true;
        BOOST_TEST(says(line.send(request), "http.own_network"), host);
    }
}

BOOST_AUTO_TEST_CASE(this_host_is_within_reach_where_the_installation_says_so) {
    Line line;
    line.client = http_client::make_curl_client(http_client::OwnNetwork::open);
    auto request = line.get("/echo");
    request.forbids_own_network = true;
    BOOST_TEST(line.send(request).status == 200);
}

BOOST_AUTO_TEST_CASE(a_proxy_on_this_host_is_within_reach_and_no_other_port_is) {
    Line line;
    tests::PythonServer proxy({script});
    http_client::use_proxy("http://127.0.0.1:" + std::to_string(proxy.port()), "127.0.0.1");
    auto far = line.get("/echo");
    far.url = "http://cloud.example.org/echo";
    far.forbids_own_network = true;
    auto near = line.get("/echo");
    near.forbids_own_network = true;

    const auto replies = line.send({far, near});

    for (const char* name : {"https_proxy", "http_proxy", "no_proxy"}) ::unsetenv(name);
    BOOST_TEST(replies[0].status == 200);
    BOOST_TEST(says(replies[1], "http.own_network"));
}

namespace {

/// Sets the servers that are allowed, and allows all again.
struct OnlyThese {
    explicit OnlyThese(const std::string& list) {
        http_client::allow_only(http_client::AllowedServers(list));
    }
    ~OnlyThese() { http_client::allow_only({}); }
    OnlyThese(const OnlyThese&) = delete;
    OnlyThese& operator=(const OnlyThese&) = delete;
};

}  // namespace

BOOST_AUTO_TEST_CASE(where_a_list_is_set_requests_go_to_servers_of_the_list_only) {
    Line line;
    const auto request = line.get("/echo");
    {
        const OnlyThese list("api.example.com, 192.0.2.0/24");
        const auto reply = line.send(request);
        BOOST_TEST(says(reply, "127.0.0.1 is not among the servers of the setting http.allowed"),
                   reply.error);
        auto by_name = request;
        by_name.url = "http://localhost:" + std::to_string(line.server.port()) + "/echo";
        BOOST_TEST(says(line.send(by_name), "http.allowed"));
        by_name.url =
            "http://api.example.com@localhost:" + std::to_string(line.server.port()) + "/echo";
        BOOST_TEST(says(line.send(by_name), "http.allowed"));
    }
    for (const std::string list : {"127.0.0.0/8", ".example.com, 127.0.0.1"}) {
        const OnlyThese these(list);
        BOOST_TEST(line.send(request).status == 200, list);
    }
    const OnlyThese by_name("localhost");
    auto named = request;
    named.url = "http://localhost:" + std::to_string(line.server.port()) + "/echo";
    BOOST_TEST(line.send(named).status == 200);
    BOOST_TEST(says(line.send(request), "http.allowed"));
}

BOOST_AUTO_TEST_CASE(a_list_does_not_open_this_host_and_holds_behind_a_proxy) {
    Line line;
    tests::PythonServer proxy({script});
    auto near = line.get("/echo");
    near.forbids_own_network = true;
    {
        const OnlyThese list("127.0.0.0/8");
        BOOST_TEST(says(line.send(near), "http.own_network"));
    }
    http_client::use_proxy("http://127.0.0.1:" + std::to_string(proxy.port()), "127.0.0.1");
    auto far = line.get("/echo");
    far.url = "http://cloud.example.org/echo";
    const auto with = [&](const std::string& list) {
        const OnlyThese these(list);
        return line.send(far);
    };
    const auto other = with("127.0.0.0/8, .example.com");
    const auto own = with(".example.org");
    for (const char* name : {"https_proxy", "http_proxy", "no_proxy"}) ::unsetenv(name);
    BOOST_TEST(says(other, "cloud.example.org is not among the servers"), other.error);
    BOOST_TEST(own.status == 200);
}

BOOST_AUTO_TEST_CASE(a_request_is_signed_as_aws_wants_it) {
    Line line;
    auto request = line.get("/echo");
    request.method = "POST";
    request.body = "Action=DescribeInstances";
    request.signing = http_client::Signing{.region = "eu-central-1",
                                           .service = "ec2",
                                           .access_key = "AKIA",
                                           .secret_key = base::Secret("s3cret")};

    const std::string seen = line.send(request).body;

    BOOST_TEST(seen.find("AWS4-HMAC-SHA256 Credential=AKIA/") != std::string::npos);
    BOOST_TEST(seen.find("/eu-central-1/ec2/aws4_request") != std::string::npos);
    BOOST_TEST(seen.find("s3cret") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(only_headers_that_are_sent_are_signed) {
    Line line;
    auto request = line.get("/echo");
    request.method = "POST";
    request.body = "Action=DescribeInstances";
    request.headers = {{"X-Amz-Security-Token", "token"}};
    request.signing = http_client::Signing{.region = "eu-central-1",
                                           .service = "ec2",
                                           .access_key = "AKIA",
                                           .secret_key = base::Secret("s3cret")};

    const auto seen = base::parse_json(line.send(request).body);

    BOOST_REQUIRE(seen.has_value());
    std::set<std::string> sent;
    std::string authorization;
    for (const Json& header : seen->at("headers")) {
        std::string name = header.at(0).get<std::string>();
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        if (name == "authorization") authorization = header.at(1).get<std::string>();
        sent.insert(name);
    }
    const auto begin = authorization.find("SignedHeaders=") + std::string("SignedHeaders=").size();
    std::istringstream names(authorization.substr(begin, authorization.find(',', begin) - begin));
    int count = 0;
    for (std::string name; std::getline(names, name, ';'); ++count) {
        BOOST_TEST(sent.contains(name), name + " is signed and not sent");
    }
    BOOST_TEST(count >= 3);
}

BOOST_AUTO_TEST_CASE(a_file_is_pulled_while_it_is_sent_and_what_its_source_throws_is_thrown_on) {
    Line line;
    auto request = line.get("/echo");
    request.method = "PUT";
    request.limit = 0ms;
    std::size_t given = 0;
    http_client::Upload upload{.size = 5000, .read = [&](char* into, std::size_t size) {
                                   const std::size_t count =
                                       std::min<std::size_t>(size, 5000 - given);
                                   std::fill_n(into, count, 'y');
                                   given += count;
                                   return count;
                               }};
    http_client::Transfers transfers;

    const auto reply = transfers.send(request, &upload);
    BOOST_TEST((*base::parse_json(reply.body))["body"] == std::string(5000, 'y'));

    upload.read = [](char*, std::size_t) -> std::size_t { throw std::runtime_error("no disk"); };
    BOOST_CHECK_THROW(transfers.send(request, &upload), std::runtime_error);
    request.method = "GET";
    BOOST_TEST(transfers.send(request).status == 200);
}

BOOST_AUTO_TEST_CASE(a_server_whose_script_does_not_start_leaves_no_process_behind) {
    BOOST_CHECK_THROW(tests::PythonServer({"tests/there_is_no_such_script.py"}),
                      std::runtime_error);

    const bool has_children = ::waitpid(-1, nullptr, WNOHANG) != -1;
    BOOST_TEST(!has_children);
}
