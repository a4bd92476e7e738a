#include "tests/support/s3_stand_in.hpp"

#include <sys/stat.h>

#include <fstream>
#include <stdexcept>

#include "provisioner/base/json.hpp"
#include "provisioner/http_client/client.hpp"

namespace tests {

namespace {

constexpr auto access_key = "AKIACOOPERAGE";
constexpr auto known_secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

}  // namespace

S3StandIn::S3StandIn() : server_({"tests/support/s3_stand_in.py", access_key, known_secret}) {}

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
    provisioner::http_client::Request request;
    request.method = method;
    request.url = endpoint() + path;
    boost::asio::io_context loop{1};
    const auto client = provisioner::http_client::make_curl_client();
    const auto reply =
        provisioner::http_client::send_all(loop, *client, std::vector{request}).at(0);
    if (reply.status != 200) throw std::runtime_error("the S3 stand-in fails: " + reply.error);
    return reply.body;
}

void S3StandIn::refuse(int count, int status) const {
    ask("POST", "/-/refuse?count=" + std::to_string(count) + "&status=" + std::to_string(status));
}

void S3StandIn::ignore_ranges(bool ignored) const {
    ask("POST", "/-/ranges?ignored=" + std::to_string(ignored ? 1 : 0));
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
