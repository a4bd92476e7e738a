#include "tests/support/s3_stand_in.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <stdexcept>

#include "provisioner/base/json.hpp"
#include "provisioner/http/curl_client.hpp"

namespace tests {

namespace {

constexpr auto access_key = "AKIACOOPERAGE";
constexpr auto known_secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

int port_from(int output) {
    std::string text;
    char c = 0;
    while (::read(output, &c, 1) == 1 && c != '\n') text += c;
    if (text.empty()) throw std::runtime_error("the S3 stand-in does not start");
    return std::stoi(text);
}

}  // namespace

S3StandIn::S3StandIn() {
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0) {
        throw std::runtime_error("no pipe");
    }
    pid_ = ::fork();
    if (pid_ == 0) {
        ::dup2(in[0], 0);
        ::dup2(out[1], 1);
        ::execlp("python3", "python3", "tests/support/s3_stand_in.py", access_key, known_secret,
                 nullptr);
        ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    input_ = in[1];
    port_ = port_from(out[0]);
    ::close(out[0]);
}

S3StandIn::~S3StandIn() {
    ::close(input_);
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, nullptr, 0);
}

std::string S3StandIn::settings(const std::string& folder, const std::string& secret_key) const {
    const std::string path = folder + "/s3-" + secret_key.substr(0, 4);
    std::ofstream(path) << secret_key << "\n";
    ::chmod(path.c_str(), 0600);
    return "resources.s3.endpoint = " + endpoint() + "\nresources.s3.bucket = files\n" +
           "resources.s3.prefix = some/where/\nresources.s3.access_key = " + access_key +
           "\nresources.s3.secret_key_file = " + path + "\n";
}

std::string S3StandIn::settings(const std::string& folder) const {
    return settings(folder, known_secret);
}

std::string S3StandIn::ask(const std::string& method, const std::string& path) const {
    provisioner::http::Request request;
    request.method = method;
    request.url = endpoint() + path;
    const auto reply = provisioner::http::make_curl_client()->send(std::vector{request}).at(0);
    if (reply.status != 200) throw std::runtime_error("the S3 stand-in fails: " + reply.error);
    return reply.body;
}

void S3StandIn::refuse(int count, int status) const {
    ask("POST", "/-/refuse?count=" + std::to_string(count) + "&status=" + std::to_string(status));
}

std::vector<std::string> S3StandIn::objects() const {
    return provisioner::base::parse_json(ask("GET", "/-/objects"))
        .value()
        .get<std::vector<std::string>>();
}

int S3StandIn::wrong_signatures() const {
    return std::stoi(ask("GET", "/-/refused"));
}

}  // namespace tests
