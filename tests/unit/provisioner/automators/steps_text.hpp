#pragma once

#include <string>
#include <variant>

#include "provisioner/automators/automator.hpp"

/// "0755" for a mode.
inline std::string octal(int mode) {
    std::string digits;
    for (int shift = 9; shift >= 0; shift -= 3)
        digits += static_cast<char>('0' + (mode >> shift & 7));
    return digits;
}

/// "put <path> <mode>", "run <label>", or the label of a delivery with "<path> <mode> <checksum>"
/// for each of its files, one to a line.
inline std::string drawn(const provisioner::remote::Steps& steps) {
    std::string text;
    for (const auto& step : steps) {
        if (const auto* upload = std::get_if<provisioner::remote::Upload>(&step)) {
            text += "put " + upload->path + " " + octal(upload->mode) + "\n";
        } else if (const auto* delivery = std::get_if<provisioner::remote::Delivery>(&step)) {
            text += delivery->label + "\n";
            for (const auto& file : delivery->files)
                text += "  " + file.path + " " + octal(file.mode) + " " + file.sha256 + "\n";
        } else {
            text += "run " + std::get<provisioner::remote::Run>(step).label + "\n";
        }
    }
    return text;
}

inline const provisioner::remote::Upload& upload_at(const provisioner::remote::Steps& steps,
                                                    std::size_t i) {
    return std::get<provisioner::remote::Upload>(steps.at(i));
}

inline const provisioner::remote::Run& run_at(const provisioner::remote::Steps& steps,
                                              std::size_t i) {
    return std::get<provisioner::remote::Run>(steps.at(i));
}

/// A resource whose checksum is `sha256`, a word of the test.
inline provisioner::automators::Resource resource(std::string type, std::string name,
                                                  std::string sha256 = "sum") {
    return {.type = std::move(type), .name = std::move(name), .sha256 = std::move(sha256)};
}

/// Resources as a task has them.
inline std::shared_ptr<const std::vector<provisioner::automators::Resource>> shared(
    std::vector<provisioner::automators::Resource> resources) {
    return std::make_shared<const std::vector<provisioner::automators::Resource>>(
        std::move(resources));
}

/// The problems an automator has with a task as text, "none" when it compiles.
template <class Automator>
std::string problems_for(const provisioner::automators::AutomatorTask& task) {
    const auto steps = Automator().compile(task);
    return steps ? "none" : provisioner::base::to_text(steps.error());
}

/// The document of a task of a cluster of two nodes, this one the application server.
inline provisioner::base::Json document_of_two_nodes() {
    return provisioner::base::Json::parse(R"({"taskId":"00000001-002-011","clusterId":"00000001",
        "config":{"cluster":{"web":{"title":"it's {{ mine }}","port":80}},"service":{"name":"app"},
                  "hostname":"c-1001.local","nodenum":1001,"services":["app"],
                  "ipaddresses":{"access_v4":"10.0.0.2"},
                  "nodes":{"n0":{"hostname":"c-1000.local","nodenum":1000,"services":["db"],
                                 "ipaddresses":{"access_v4":"10.0.0.1"},"sshuser":"root"},
                           "n1":{"hostname":"c-1001.local","nodenum":1001,"services":["app"],
                                 "ipaddresses":{"access_v4":"10.0.0.2"},"sshuser":"root"}}}})");
}

/// A task of the service app on the second of two nodes.
inline provisioner::automators::AutomatorTask task_of_two_nodes(
    provisioner::model::Action action, std::map<std::string, std::string> fields = {}) {
    provisioner::automators::AutomatorTask task;
    task.action = action;
    task.id = "00000001-002-011";
    if (action != provisioner::model::Action::bootstrap) task.service = "app";
    task.fields = std::move(fields);
    // As the daemon has it, with the nodes shared.
    task.document = [shared = task.shared] {
        provisioner::base::Json document = document_of_two_nodes();
        provisioner::base::Json& nodes = document["config"]["nodes"];
        nodes = shared->refer_to("nodes", [all = nodes] { return all; });
        return document;
    };
    return task;
}

/// What a script writes to the file whose path ends so, with the shell's quotes undone; "nothing"
/// when it writes no such file.
inline std::string content_of(const std::string& script, const std::string& file) {
    const std::string begin = "\nprintf %s '";
    const auto end = script.find("' >" + file);
    const auto start = end == std::string::npos ? end : script.rfind(begin, end);
    if (start == std::string::npos) return "nothing";
    std::string content = script.substr(start + begin.size(), end - start - begin.size());
    const std::string quoted = "'\\''";
    for (auto at = content.find(quoted); at != std::string::npos; at = content.find(quoted, at + 1))
        content.replace(at, quoted.size(), "'");
    return content;
}

/// What a script does once its files are there.
inline std::string after_files(const std::string& script) {
    const std::string end_of_files = "\numask 022\n";
    return script.substr(script.find(end_of_files) + end_of_files.size());
}
