#include "tests/integration/provisioner/providers/local/fixture.hpp"

#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "provisioner/providers/local/host/processes.hpp"
#include "provisioner/providers/local/host/system.hpp"

extern char** environ;

namespace tests {
namespace fs = std::filesystem;
namespace asio = boost::asio;
using namespace provisioner::providers;
using namespace std::chrono_literals;

namespace {

template <class Result>
Result finish(asio::awaitable<Result> verb) {
    asio::io_context loop;
    auto result = asio::co_spawn(loop, std::move(verb), asio::use_future);
    loop.run();
    return result.get();
}

fs::path roots() {
    const char* given = std::getenv("COOPERAGE_ROOTS");
    return given != nullptr ? fs::path(given) : fs::absolute("var/roots");
}

fs::path built_program() {
    return fs::read_symlink("/proc/self/exe").parent_path() / "cooperage-local-host";
}

void build_root_once() {
    const fs::path root = roots() / "debian12";
    if (!fs::exists(root)) local::run_tool({built_program(), "root", root});
}

}  // namespace

LocalHosts::LocalHosts() {
    BOOST_REQUIRE_MESSAGE(geteuid() == 0, "local hosts need root");
    build_root_once();
    char name[] = "/tmp/local-hosts-XXXXXX";
    folder_ = mkdtemp(name);
    local::run_tool({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder_ / "key"});
    chmod(folder_.c_str(), 0711);
    program = built_program();
    settings = {.socket = folder_ / "helper.sock", .state_dir = folder_ / "state", .max_hosts = 40};
    start_helper();
}

LocalHosts::~LocalHosts() {
    while (!helpers_.empty()) end_oldest_helper(SIGTERM);
    try {
        local::run_tool({program, "cleanup", "--state", settings.state_dir});
        local::remove_tree(folder_);
    } catch (const local::Failure& failure) {
        BOOST_ERROR(failure.what());
    }
}

Created LocalHosts::create(const MachineSpec& spec, const provisioner::base::Json& fields) {
    Account account;
    account.fields = fields;
    local::LocalProvider provider(settings);
    return finish(provider.create(account, spec));
}

Confirmed LocalHosts::confirm(const MachineSpec& spec) {
    local::LocalProvider provider(settings);
    const auto results = provisioner::base::Json::object();
    return finish(provider.confirm({}, spec, results));
}

Destroyed LocalHosts::destroy(const MachineSpec& spec) {
    local::LocalProvider provider(settings);
    const auto results = provisioner::base::Json::object();
    return finish(provider.destroy({}, spec, results));
}

Reachable LocalHosts::reach(const MachineSpec& spec) {
    const Created created = create(spec);
    if (const auto* refused = std::get_if<Refused>(&created)) BOOST_FAIL(refused->message);
    const auto end = std::chrono::steady_clock::now() + 30s;
    while (std::chrono::steady_clock::now() < end) {
        const Confirmed confirmed = confirm(spec);
        if (const auto* reachable = std::get_if<Reachable>(&confirmed)) return *reachable;
        if (const auto* refused = std::get_if<Refused>(&confirmed)) BOOST_FAIL(refused->message);
        std::this_thread::sleep_for(std::get<Pending>(confirmed).poll_in);
    }
    BOOST_FAIL("sshd does not answer");
    return {};
}

MachineSpec LocalHosts::spec(const std::string& name) const {
    MachineSpec spec;
    spec.name = name;
    spec.cluster = "c1";
    spec.hostname = name + ".demo.local";
    spec.image = "debian12";
    spec.authorized_key = local::trimmed(local::read_file(folder_ / "key.pub").value());
    return spec;
}

std::string LocalHosts::ssh(const Reachable& host, const std::string& command,
                            const std::string& user) const {
    const std::string address = host.addresses.at("access_v4");
    const fs::path known = folder_ / ("known-" + address);
    local::replace_file(known, address + " " + host.host_key + "\n");
    return local::run_tool({"ssh", "-i", folder_ / "key", "-o", "BatchMode=yes", "-o",
                            "StrictHostKeyChecking=yes", "-o",
                            "UserKnownHostsFile=" + known.string(), "-o", "ConnectTimeout=20",
                            user + "@" + address, command});
}

std::vector<std::string> LocalHosts::start_command(const MachineSpec& spec) const {
    std::string open;
    for (const std::string& ports : spec.open_ports) open += (open.empty() ? "" : ",") + ports;
    return {program,
            "start",
            spec.name,
            "--state",
            settings.state_dir,
            "--root",
            roots() / spec.image,
            "--hostname",
            spec.hostname,
            "--cluster",
            spec.cluster,
            "--key",
            spec.authorized_key,
            "--open",
            open,
            "--max",
            std::to_string(settings.max_hosts)};
}

MachineSpec LocalHosts::spec_in(const std::string& cluster, const std::string& name) const {
    MachineSpec other = spec(name);
    other.cluster = cluster;
    return other;
}

void LocalHosts::start_helper() {
    const auto inode = [&] {
        struct stat found {};
        return stat(settings.socket.c_str(), &found) == 0 ? found.st_ino : 0;
    };
    const ino_t before = inode();
    helpers_.push_back(begin({program, "serve", "--socket", settings.socket, "--group", "daemon",
                              "--user", "daemon", "--state", settings.state_dir, "--roots", roots(),
                              "--max", std::to_string(settings.max_hosts), "--wait", "60"}));
    if (helpers_.size() > 1) return;
    for (int i = 0; i < 500 && inode() == before; ++i) std::this_thread::sleep_for(10ms);
    BOOST_REQUIRE_MESSAGE(inode() != before, "the helper does not listen");
}

int LocalHosts::end_oldest_helper(int signal) {
    const pid_t helper = helpers_.front();
    helpers_.erase(helpers_.begin());
    kill(helper, signal);
    int status = -1;
    waitpid(helper, &status, 0);
    return status;
}

pid_t LocalHosts::begin(const std::vector<std::string>& command) const {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", 1, 0);
    posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", 1, 0);
    pid_t pid = 0;
    const int error = posix_spawn(&pid, words[0], &quiet, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&quiet);
    BOOST_REQUIRE(error == 0);
    return pid;
}

std::set<std::string> traces_on_this_machine(const std::string& state_dir) {
    std::set<std::string> traces;
    // Others may start hosts at the same time: only what is this state directory's counts.
    std::string network;
    std::error_code none;
    for (const auto& claim : fs::directory_iterator("/run/cooperage/networks", none)) {
        if (fs::read_symlink(claim.path(), none) != state_dir) continue;
        network = claim.path().filename();
        traces.insert("claim:" + network);
    }
    for (const auto& interface : fs::directory_iterator("/sys/class/net")) {
        const std::string name = interface.path().filename();
        const std::string bridges = "cooper" + network + "b";
        const std::string cables = "cooper" + network + "-";
        if (!network.empty() && (name.starts_with(bridges) || name.starts_with(cables))) {
            traces.insert("interface:" + name);
        }
    }
    if (!network.empty() && fs::exists("/run/cooperage/rules/" + network)) {
        traces.insert("rules:" + network);
    }
    for (const auto& claim : fs::directory_iterator("/run/cooperage/ids", none)) {
        const std::string machine = fs::read_symlink(claim.path(), none);
        if (machine.starts_with(state_dir + "/")) traces.insert("ids:" + machine);
    }
    for (const auto& process : local::hosts_of(state_dir)) {
        traces.insert("process:" + std::to_string(process.pid));
    }
    std::istringstream mounts(local::read_file("/proc/self/mounts").value_or(""));
    for (std::string line; std::getline(mounts, line);) {
        if (line.find(state_dir) != std::string::npos) traces.insert("mount:" + line);
    }
    for (const char* controller : {"memory", "cpu", "pids", ""}) {
        const fs::path group =
            fs::path("/sys/fs/cgroup") / controller / "cooperage" / ("cooper" + network);
        if (!network.empty() && fs::exists(group)) traces.insert("group:" + group.string());
    }
    return traces;
}

}  // namespace tests
