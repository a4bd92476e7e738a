#include "tests/integration/provisioner/providers/joyent/fixture.hpp"

#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "provisioner/providers/joyent/joyent_cloud.hpp"

namespace joyent_tests {

using namespace provisioner;
namespace fs = std::filesystem;

namespace {

/// A folder that goes with the process.
struct KeyFolder {
    fs::path path = fs::temp_directory_path() / ("joyent-keys-" + std::to_string(::getpid()));
    KeyFolder() { fs::create_directories(path); }
    ~KeyFolder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
};

}  // namespace

std::string key_folder() {
    static const KeyFolder folder;
    return folder.path.string();
}

std::string key_file(const std::string& kind) {
    std::string path = key_folder() + "/" + kind;
    if (fs::exists(path)) return path;
    std::string options = "-t ed25519";
    if (kind == "rsa-pem") options = "-t rsa -b 2048 -m PEM";
    if (kind == "rsa-openssh") options = "-t rsa -b 2048";
    const std::string command = "ssh-keygen -q -N '' " + options + " -f " + path;
    BOOST_REQUIRE(std::system(command.c_str()) == 0);
    return path;
}

std::string content_of(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

DataCentre::DataCentre(std::string wanted_kind)
    : site({"tests/support/clouds/triton_stand_in.py", "joe", key_file(wanted_kind) + ".pub",
            "laptop"},
           [](providers::cloud::Tools tools) {
               return std::make_unique<providers::joyent::JoyentCloud>(tools);
           }),
      kind(std::move(wanted_kind)) {}

providers::Account DataCentre::account(const base::Json& fields) const {
    base::Json all = {{"api_user", "joe"},         {"ssh_keypair", "laptop"},
                      {"ssh_key_resource", "key"}, {"joyent_api_url", site.url()},
                      {"calls_per_second", "500"}, {"creations_per_second", "100"}};
    all.update(fields);
    providers::Account account = site.account("joyent", all);
    account.files["ssh_key_resource"] = content_of(key_file(kind));
    return account;
}

providers::MachineSpec DataCentre::spec(int number, long long task) {
    providers::MachineSpec spec = tests::CloudSite::spec(number, task);
    spec.flavor = "k4-general-kvm-3.75G";
    spec.image = "debian-12";
    return spec;
}

void DataCentre::set(const base::Json& settings) {
    site.control("POST", "/-/settings", base::to_text(settings));
}

providers::Machine DataCentre::made(const providers::MachineSpec& spec) {
    return site.made(account(), spec);
}

base::Json DataCentre::results(const std::string& id) {
    return tests::CloudSite::results_of(id);
}

std::string DataCentre::refusal(const providers::Account& account,
                                const providers::MachineSpec& spec) {
    return site.refusal(account, spec);
}

}  // namespace joyent_tests
