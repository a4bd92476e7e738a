#include <boost/test/unit_test.hpp>

#include <arpa/inet.h>
#include <cppconn/connection.h>
#include <cppconn/exception.h>
#include <cppconn/resultset.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/store/database/database.hpp"
#include "provisioner/store/database/statement.hpp"
#include "tests/support/database_server.hpp"

using namespace provisioner;
using namespace std::chrono_literals;

// Both client libraries against servers on TCP ports of this machine.
BOOST_AUTO_TEST_SUITE(hosts)

namespace {

constexpr store::Patience short_patience{
    .connect = 2s, .statement = 3s, .lock = 1s, .retries = 0ms};
constexpr auto odd_password = "p'\"\\ #;x";

/// A port of this machine that nothing listens on.
std::string free_port() {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ::bind(socket, reinterpret_cast<sockaddr*>(&address), size);
    ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
    ::close(socket);
    return std::to_string(ntohs(address.sin_port));
}

void run(const std::string& command) {
    BOOST_REQUIRE_MESSAGE(std::system((command + " >/dev/null 2>&1").c_str()) == 0, command);
}

/// An authority, a certificate of it for localhost and 127.0.0.1, and another authority.
struct Certificates {
    Certificates() {
        std::string pattern = "/tmp/coopca.XXXXXX";
        BOOST_REQUIRE(::mkdtemp(pattern.data()) != nullptr);
        folder = pattern;
        for (const char* name : {"ca", "other"}) {
            run("openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=" + std::string(name) +
                " -keyout " + path(name) + ".key -out " + path(name) + ".pem");
        }
        run("openssl req -newkey rsa:2048 -nodes -subj /CN=db -keyout " + path("server.key") +
            " -out " + path("server.csr"));
        std::ofstream(path("names")) << "subjectAltName=DNS:localhost,IP:127.0.0.1\n";
        run("openssl x509 -req -days 2 -CAcreateserial -in " + path("server.csr") + " -CA " +
            path("ca.pem") + " -CAkey " + path("ca.key") + " -extfile " + path("names") + " -out " +
            path("server.pem"));
    }
    ~Certificates() { std::filesystem::remove_all(folder); }
    std::string path(const std::string& name) const { return folder + "/" + name; }

    std::string folder;
};

/// A server that listens on all addresses of this machine, with a certificate.
struct Site {
    explicit Site(const std::vector<std::string>& more = {}) {
        std::vector<std::string> options{"--skip-networking=0", "--bind-address=*",
                                         "--port=" + port};
        options.insert(options.end(), more.begin(), more.end());
        server = std::make_unique<tests::DatabaseServer>(options);
        const auto root = queue::connect_to_server(server->config());
        queue::execute(*root, "CREATE DATABASE cooperage");
        queue::execute(*root, "CREATE TABLE cooperage.who (port INT NOT NULL)");
        queue::execute(*root, "INSERT INTO cooperage.who VALUES (" + port + ")");
        queue::execute(*root, "CREATE USER u@'%' IDENTIFIED BY 'p''\"\\\\ #;x'");
        queue::execute(*root, "GRANT ALL ON cooperage.* TO u@'%'");
    }

    std::string port = free_port();
    std::unique_ptr<tests::DatabaseServer> server;
};

std::vector<std::string> encrypted(const Certificates& certificates) {
    return {"--ssl-cert=" + certificates.path("server.pem"),
            "--ssl-key=" + certificates.path("server.key")};
}

base::Config config(const std::string& lines) {
    return base::Config::parse(
        "database.name = cooperage\ndatabase.user = u\ndatabase.password = " +
        std::string(odd_password) + "\n" + lines + "\n");
}

/// What each library answers: the cipher, empty without one, or the error.
struct Answers {
    std::string store;
    std::string link;
};

Answers ask(const base::Config& settings, const std::string& query, const std::string& column) {
    Answers answers;
    try {
        store::Database database(settings, short_patience);
        answers.store = database.read([&](store::Connection& connection) {
            store::Rows row = connection.sql(query) << store::one_row;
            return row.get<std::string>(column);
        });
    } catch (const store::DatabaseUnavailable& error) {
        answers.store = std::string("refused: ") + error.what();
    }
    try {
        const auto connection = queue::connect(settings, 3s);
        const auto row = queue::select(*connection, query);
        row->next();
        answers.link = row->getString(column);
    } catch (const sql::SQLException& error) {
        answers.link = std::string("refused: ") + error.what();
    }
    return answers;
}

Answers cipher_with(const std::string& lines) {
    return ask(config(lines), "SHOW STATUS LIKE 'Ssl_cipher'", "Value");
}

Answers port_with(const std::string& lines) {
    return ask(config(lines), "SELECT port FROM who", "port");
}

void check_both(const Answers& answers, const std::string& part) {
    BOOST_TEST(answers.store.find(part) != std::string::npos, answers.store);
    BOOST_TEST(answers.link.find(part) != std::string::npos, answers.link);
}

std::chrono::milliseconds time_of(const std::function<void()>& work) {
    const auto began = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                                 began);
}

}  // namespace

BOOST_AUTO_TEST_CASE(connections_are_encrypted_as_the_settings_say) {
    const Certificates certificates;
    const Site site(encrypted(certificates));
    const std::string local = "database.host = localhost\ndatabase.port = " + site.port + "\n";
    const std::string ca = "database.tls_ca = " + certificates.path("ca.pem") + "\n";

    const auto plain = cipher_with(local);
    BOOST_TEST((plain.store + plain.link) == "");
    check_both(cipher_with(local + "database.tls = required\n"), "TLS_");
    check_both(cipher_with(local + ca + "database.tls = verify\n"), "TLS_");
    check_both(
        cipher_with("database.hosts = 127.0.0.1:" + site.port + "\ndatabase.tls = verify\n" + ca),
        "TLS_");
}

BOOST_AUTO_TEST_CASE(a_server_that_cannot_show_who_it_is_is_refused_with_the_reason) {
    const Certificates certificates;
    const Site site(encrypted(certificates));
    const std::string verify = "database.tls = verify\ndatabase.port = " + site.port + "\n";
    const std::string ca = "database.tls_ca = " + certificates.path("ca.pem") + "\n";
    const std::string other = "database.tls_ca = " + certificates.path("other.pem") + "\n";

    check_both(cipher_with(verify + other + "database.host = localhost\n"),
               "no authority that database.tls_ca or the system knows");
    check_both(cipher_with(verify + "database.host = localhost\n"), "no authority that");
    check_both(cipher_with(verify + ca + "database.host = 127.0.0.2\n"),
               "the certificate does not name 127.0.0.2");
}

BOOST_AUTO_TEST_CASE(a_server_without_encryption_is_refused_where_it_is_required) {
    const Site site({"--skip-ssl"});
    const std::string host = "database.host = 127.0.0.1\ndatabase.port = " + site.port + "\n";

    check_both(cipher_with(host + "database.tls = required\n"), "does not support it");
    check_both(cipher_with(host + "database.tls = verify\n"), "does not support it");
}

BOOST_AUTO_TEST_CASE(hosts_that_are_gone_or_silent_cost_their_time_out_and_the_next_is_used) {
    Site silent;
    const Site works;
    silent.server->pause();
    const std::string hosts = "database.hosts = 127.0.0.1:" + free_port() +
                              ", 127.0.0.1:" + silent.port + ", 127.0.0.1:" + works.port + "\n";

    Answers first;
    Answers again;
    const auto slow = time_of([&] { first = port_with(hosts); });
    const auto fast = time_of([&] { again = port_with(hosts); });

    check_both(first, works.port);
    check_both(again, works.port);
    BOOST_TEST(slow.count() < 4000);
    BOOST_TEST(fast.count() < 1000);
    silent.server->resume();
}

BOOST_AUTO_TEST_CASE(without_any_host_every_reason_is_told) {
    Site silent;
    silent.server->pause();
    const std::string gone = free_port();

    const auto answers =
        port_with("database.hosts = 127.0.0.1:" + gone + ", 127.0.0.1:" + silent.port + "\n");

    check_both(answers, "127.0.0.1:" + gone + ": ");
    check_both(answers, "; 127.0.0.1:" + silent.port + ": ");
    silent.server->resume();
}

BOOST_AUTO_TEST_CASE(a_read_only_server_is_passed_over) {
    const Site replica({"--read-only=1"});
    const Site works;

    check_both(port_with("database.hosts = 127.0.0.1:" + replica.port +
                         ", 127.0.0.1:" + works.port + "\n"),
               works.port);
}

BOOST_AUTO_TEST_CASE(a_kept_connection_that_breaks_is_replaced_by_one_to_the_next_host) {
    Site first;
    const Site second;
    store::Database database(
        config("database.hosts = 127.0.0.1:" + first.port + ", 127.0.0.1:" + second.port + "\n"),
        store::Patience{.connect = 2s, .statement = 3s, .lock = 1s, .retries = 2s});
    const auto port = [&] {
        return database.read([](store::Connection& connection) {
            store::Rows row = connection.sql("SELECT port FROM who") << store::one_row;
            return row.get<std::string>("port");
        });
    };
    BOOST_TEST(port() == first.port);

    first.server->kill();

    BOOST_TEST(port() == second.port);
}

BOOST_AUTO_TEST_CASE(the_password_may_be_in_a_file) {
    const Site site;
    const std::string path = site.server->folder() + "/password";
    std::ofstream(path) << odd_password << "\n";

    check_both(ask(base::Config::parse("database.name = cooperage\ndatabase.user = u\n"
                                       "database.host = 127.0.0.1\ndatabase.port = " +
                                       site.port + "\ndatabase.password_file = " + path + "\n"),
                   "SELECT port FROM who", "port"),
               site.port);
}

BOOST_AUTO_TEST_SUITE_END()
