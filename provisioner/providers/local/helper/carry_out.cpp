#include "provisioner/providers/local/helper/carry_out.hpp"

#include <unistd.h>

#include <chrono>
#include <iostream>
#include <optional>

#include "provisioner/base/config.hpp"
#include "provisioner/programs/instance_lock.hpp"
#include "provisioner/providers/local/helper/exchangeable.hpp"
#include "provisioner/providers/local/helper/manual.hpp"
#include "provisioner/providers/local/helper/request.hpp"
#include "provisioner/providers/local/helper/server.hpp"
#include "provisioner/providers/local/host/network/network.hpp"

namespace provisioner::providers::local {
namespace fs = std::filesystem;

namespace {

using base::Json;

void print(const Json& json) {
    std::cout << base::to_text(json) << std::endl;
}

Exit answer(const char* kind, const std::string& message, Exit code) {
    Json json;
    json["error"] = kind;
    json["message"] = message;
    print(json);
    std::cerr << "cooperage-local-host: " << message << "\n";
    return code;
}

void run(const RootRequest& request) {
    build_root(request);
}

void run(const StartRequest& request) {
    print(answer_of(start_machine(request), "running"));
}

void run(const StopCommand& command) {
    const StateDir dir(command.state);
    stop_machine(dir, command.name, command.task);
    print(status_of(dir, command.name));
}

void run(const StatusCommand& command) {
    print(status_of(StateDir(command.state), command.name));
}

void run(const ListCommand& command) {
    const StateDir dir(command.state);
    for (const std::string& name : dir.names()) print(status_of(dir, name));
}

void run(const CleanupCommand& command) {
    const std::vector<std::string> names = clean_up(StateDir(command.state));
    std::cerr << "removed " << names.size() << " local hosts\n";
}

/// The exit code follows as the last line, so that a client knows a whole answer from one that was
/// cut off.
int carry_out_request(const ServeCommand& settings, const std::string& text) {
    const auto command = command_in(text, settings);
    const Exit code = command ? carry_out(*command) : answer_misunderstood(command.error());
    Json end;
    end["exit_code"] = static_cast<int>(code);
    print(end);
    return code;
}

/// The user that the daemon runs as, and its group.
constexpr auto daemon_user = "cooperage-provisioner";

ServeCommand with_settings(ServeCommand command) {
    if (command.config.empty()) return command;
    const auto config = base::Config::load(command.config);
    command.socket = config.get("local.socket");
    command.state = config.get("local.state");
    command.roots = config.get("local.roots");
    command.max_hosts = config.number("local.max_hosts");
    command.max_processes = config.number("local.max_processes");
    command.memory_mb = config.number("local.memory_mb");
    const auto ports = ports_in(config.get_or("local.machine_ports", ""));
    if (!ports) {
        throw Refusal("usage",
                      "local.machine_ports: \"" + ports.error() + "\" is not " + rule_of_ports());
    }
    command.machine_ports = *ports;
    command.mixes_tenants = config.get("local.mix_tenants") == "on";
    command.user = command.group = daemon_user;
    if (command.socket.empty()) throw Refusal("usage", "no local hosts: local.socket is empty");
    return command;
}

/// The command with paths that lead nowhere else later on. Throws Refusal if its user could replace
/// a part of one.
ServeCommand settled(ServeCommand command) {
    command.state = mountable(command.state);
    command.roots = mountable(command.roots);
    const fs::path folder = fs::weakly_canonical(fs::absolute(command.socket).parent_path());
    command.socket = folder / command.socket.filename();
    for (const fs::path& path : {command.state, command.roots, folder}) {
        const std::string trouble = exchangeable_part(path, command.user);
        if (!trouble.empty()) throw Refusal("usage", trouble);
    }
    return command;
}

/// While there is no network, nothing is made: neither folders nor locks.
void watch(const ServeCommand& command) {
    try {
        const StateDir dir(command.state);
        if (fs::exists(dir.network())) watch_network(dir);
    } catch (const std::exception& error) {
        std::cerr << "cooperage-local-host: " << error.what() << std::endl;
    }
}

/// Hosts go on while there is no helper, and while the program is replaced by a newer one.
void settle(const ServeCommand& command) {
    const auto say = [](const std::string& trouble) {
        std::cerr << "cooperage-local-host: hosts that run are not kept apart: " << trouble
                  << std::endl;
    };
    try {
        const StateDir dir(command.state);
        if (!fs::exists(dir.network())) return;
        const std::string trouble = settle_network(
            dir, {.machine_ports = command.machine_ports, .most_hosts = command.max_hosts});
        if (!trouble.empty()) say(trouble);
    } catch (const std::exception& error) {
        say(error.what());
    }
}

void run(const ServeCommand& given) {
    const ServeCommand command = settled(with_settings(given));
    std::optional<programs::InstanceLock> lock(command.socket.string() + ".lock");
    if (!lock->take(std::chrono::seconds{command.wait})) return;
    settle(command);
    const CarryOut carry_out_one = [&](const std::string& request) {
        lock.reset();
        return carry_out_request(command, request);
    };
    serve(
        command, carry_out_one, [&] { lock.reset(); }, [&] { watch(command); });
}

void run(const HelpCommand& command) {
    std::cout << manual_text(command.is_page);
}

bool needs_root(const Command& command) {
    return !std::holds_alternative<HelpCommand>(command);
}

}  // namespace

Exit carry_out(const Command& command) {
    if (needs_root(command) && geteuid() != 0) {
        return answer("usage", "local hosts need root: run this as root", refused);
    }
    try {
        std::visit([](const auto& chosen) { run(chosen); }, command);
        return done;
    } catch (const Refusal& refusal) {
        return answer(refusal.kind.c_str(), refusal.what(), refused);
    } catch (const std::exception& error) {
        return answer("failure", error.what(), failed);
    }
}

Exit answer_misunderstood(const std::string& message) {
    return answer("usage", message, not_understood);
}

}  // namespace provisioner::providers::local
