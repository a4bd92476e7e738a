#include <sys/stat.h>
#include <unistd.h>

#include <iostream>
#include <string>
#include <vector>

#include "provisioner/providers/local/host/command_line.hpp"
#include "provisioner/providers/local/host/machine.hpp"
#include "provisioner/providers/local/host/root_image.hpp"

// The program has one thread only, because start_machine() clones it. Answers are lines of JSON on
// standard output; text for people goes to standard error. Exit codes: 0 done, 1 failed, 2 not
// understood, 3 refused.
namespace {

using namespace provisioner::providers::local;
using provisioner::base::Json;

enum Exit { done = 0, failed = 1, not_understood = 2, refused = 3 };

void print(const Json& json) {
    std::cout << provisioner::base::to_text(json) << std::endl;
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

void run(const HelpCommand&) {
    std::cout << usage;
}

bool needs_root(const Command& command) {
    return !std::holds_alternative<HelpCommand>(command);
}

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

}  // namespace

int main(int count, char** words) {
    umask(022);
    // A host must not keep a descriptor of the caller open for its whole life.
    close_range(3, ~0U, 0);
    const auto command = parse_command_line({words + 1, words + count});
    if (command) return carry_out(*command);
    std::cerr << usage << "\n";
    return answer("usage", command.error(), not_understood);
}
