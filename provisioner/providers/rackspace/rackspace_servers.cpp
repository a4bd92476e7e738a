#include "provisioner/base/base64.hpp"
#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/rackspace/rackspace_cloud.hpp"

namespace provisioner::providers::rackspace {
using cloud::CloudMachine;
using cloud::text_of;
using State = cloud::CloudMachine::State;

namespace {

/// Limits of Cloud Servers: 40 pairs, four of them ours.
constexpr std::size_t most_metadata = 36;
constexpr std::size_t longest_metadata = 255;
constexpr std::size_t most_files = 5;
constexpr std::size_t longest_file = 1000;

/// The JSON of a field: objects may also be given as their text.
base::Json object_in(const Account& account, const std::string& field) {
    const base::Json* value = base::member(account.fields, field);
    if (value != nullptr && value->is_object()) return *value;
    const auto read = base::parse_json(text_of(account, field));
    return read && read->is_object() ? *read : base::Json();
}

/// Without blanks around it.
std::string trimmed(const std::string& text) {
    const auto parts = cloud::list_in(text);
    return parts.empty() ? "" : parts.front();
}

base::Json pairs_in(const std::string& text, base::Problems& problems) {
    base::Json pairs = base::Json::object();
    for (const std::string& pair : cloud::list_in(text)) {
        const auto equals = pair.find('=');
        if (equals == std::string::npos || equals == 0) {
            problems.push_back({"rackspace_metadata",
                                "\"" + cloud::words_of(pair) + "\" is not of the form key=value"});
        } else {
            pairs[trimmed(pair.substr(0, equals))] = trimmed(pair.substr(equals + 1));
        }
    }
    return pairs;
}

void apply_rackconnect(const base::Json& server, CloudMachine& machine) {
    if (machine.state != State::running) return;
    const base::Json metadata = server.value("metadata", base::Json::object());
    const std::string status = base::text_at(metadata, "rackconnect_automation_status");
    if (status == "DEPLOYED") return;
    const bool has_failed = status == "FAILED" || status == "UNPROCESSABLE";
    machine.state = has_failed ? State::failed : State::starting;
    machine.reason = status.empty() ? "RackConnect has not begun its automation"
                                    : "RackConnect's automation is " + cloud::words_of(status);
}

}  // namespace

base::Json own_metadata(const Account& account, base::Problems& problems) {
    const std::string text = text_of(account, "rackspace_metadata");
    if (text.empty()) return base::Json::object();
    base::Json pairs = object_in(account, "rackspace_metadata");
    if (pairs.is_null()) pairs = pairs_in(text, problems);
    const auto wrong = [&](const std::string& reason) {
        problems.push_back({"rackspace_metadata", reason});
    };
    if (pairs.size() > most_metadata) {
        wrong("may have " + std::to_string(most_metadata) + " pairs besides ours");
    }
    for (auto& [key, value] : pairs.items()) {
        if (!value.is_string()) value = base::to_text(value);
        if (key.size() > longest_metadata ||
            value.get_ref<const std::string&>().size() > longest_metadata) {
            wrong("\"" + cloud::words_of(key).substr(0, 50) + "\" is longer than 255 bytes");
        }
        if (key.starts_with("cooperage-"))
            wrong("\"" + cloud::words_of(key) + "\" is a key of ours");
    }
    return pairs;
}

base::Json own_files(const Account& account, base::Problems& problems) {
    base::Json personality = base::Json::array();
    if (text_of(account, "rackspace_files").empty()) return personality;
    const base::Json files = object_in(account, "rackspace_files");
    const auto wrong = [&](const std::string& reason) {
        problems.push_back({"rackspace_files", reason});
    };
    if (files.is_null()) {
        // Coopr's form dest=src read any file of the provisioner's machine.
        wrong(
            "must be a JSON object from path to text, {\"/etc/motd\": \"...\"}; files of the "
            "provisioner's machine are not read");
        return personality;
    }
    if (files.size() > most_files) wrong("may have 5 files");
    for (const auto& [path, text] : files.items()) {
        const bool fits =
            text.is_string() && text.get_ref<const std::string&>().size() <= longest_file;
        if (!path.starts_with('/') || !fits) {
            wrong("\"" + cloud::words_of(path) +
                  "\" must be an absolute path with a text of at "
                  "most 1,000 bytes");
            continue;
        }
        personality.push_back(
            {{"path", path}, {"contents", base::base64(text.get<std::string>())}});
    }
    return personality;
}

CloudMachine machine_of(const base::Json& server, bool waits_for_rackconnect) {
    CloudMachine machine = openstack::machine_in(server);
    const std::string access = base::text_at(server, "accessIPv4");
    if (!access.empty()) machine.addresses["access_v4"] = access;
    // As Coopr: services listen where the daemon logs in.
    if (machine.addresses.contains("access_v4")) {
        machine.addresses["bind_v4"] = machine.addresses["access_v4"];
    }
    if (waits_for_rackconnect) apply_rackconnect(server, machine);
    return machine;
}

base::Json body_of(const cloud::Order& order, const openstack::ServerParts& parts) {
    base::Json body = openstack::server_body(order, parts);
    base::Json& server = body["server"];
    base::Problems ignored;
    const base::Json own = own_metadata(order.account, ignored);
    for (const auto& [key, value] : own.items()) server["metadata"][key] = value;
    base::Json files = own_files(order.account, ignored);
    if (!files.empty()) server["personality"] = std::move(files);
    return body;
}

}  // namespace provisioner::providers::rackspace
