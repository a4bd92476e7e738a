#include "provisioner/providers/joyent/replies.hpp"

#include <algorithm>

#include <boost/asio/ip/address_v4.hpp>

#include "provisioner/providers/cloud/failures.hpp"

namespace provisioner::providers::joyent {

namespace {

using State = cloud::CloudMachine::State;

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

/// The words of the error, with the status where there are none.
std::string words_in(const http_client::Reply& reply, const Trouble& trouble) {
    if (!trouble.message.empty()) return cloud::words_of(trouble.message);
    return trouble.code.empty() ? "status " + std::to_string(reply.status) : trouble.code;
}

bool is_full(const Trouble& trouble) {
    return trouble.code == "InsufficientCapacity" ||
           contains(trouble.message, "Insufficient capacity");
}

/// The plugins for limits of CloudAPI write both.
bool is_quota(const Trouble& trouble) {
    return contains(trouble.code, "Quota") || contains(trouble.message, "Quota exceeded") ||
           contains(trouble.message, "QuotaExceeded");
}

bool is_wrong_login(const http_client::Reply& reply, const Trouble& trouble) {
    if (reply.status == 401) return true;
    return reply.status == 400 && contains(trouble.message, "clock skew");
}

bool is_private(const std::string& text) {
    boost::system::error_code wrong;
    const auto address = boost::asio::ip::make_address_v4(text, wrong);
    if (wrong) return false;
    const auto number = address.to_uint();
    return number >> 24 == 10 || number >> 20 == 0xac1 || number >> 16 == 0xc0a8;
}

bool is_ipv4(const std::string& text) {
    boost::system::error_code wrong;
    boost::asio::ip::make_address_v4(text, wrong);
    return !wrong;
}

/// Values of tags may be numbers and booleans, too.
std::map<std::string, std::string> tags_in(const base::Json& machine) {
    std::map<std::string, std::string> tags;
    const base::Json* given = base::member(machine, "tags");
    if (given == nullptr || !given->is_object()) return tags;
    for (const auto& [name, value] : given->items()) {
        tags[name] = value.is_string() ? value.get<std::string>() : base::to_text(value);
    }
    return tags;
}

struct StateWord {
    std::string_view word;
    State state;
    std::string_view reason;
};

constexpr std::array state_words{
    StateWord{"provisioning", State::starting, ""},
    StateWord{"ready", State::starting, "it reboots"},
    StateWord{"running", State::running, ""},
    StateWord{"stopping", State::leaving, ""},
    StateWord{"stopped", State::failed, "it was stopped"},
    StateWord{"offline", State::starting, "its compute node cannot be reached"},
    StateWord{"failed", State::failed, "its provisioning failed"},
    StateWord{"deleted", State::gone, ""}};

std::string label_of(const base::Json& entry) {
    std::string label = base::text_at(entry, "name");
    const std::string version = base::text_at(entry, "version");
    const base::Json* memory = base::member(entry, "memory");
    if (memory != nullptr && memory->is_number()) {
        return label + ", " + base::to_text(*memory) + " MiB";
    }
    if (!version.empty()) label += " " + version;
    return label;
}

}  // namespace

Trouble trouble_in(const http_client::Reply& reply) {
    const auto body = base::parse_json(reply.body);
    if (!body) return {};
    return {.code = base::text_at(*body, "code"), .message = base::text_at(*body, "message")};
}

void refuse(const http_client::Reply& reply, base::Timestamp now) {
    const Trouble trouble = trouble_in(reply);
    const std::string words = words_in(reply, trouble);
    if (is_full(trouble)) throw cloud::NoCapacity(words);
    if (is_quota(trouble)) throw cloud::busy("the account's quota is used up: " + words);
    if (is_wrong_login(reply, trouble)) throw cloud::wrong_credentials(reply, now, words);
    if (reply.status == 403) {
        throw cloud::wrong("the user of the provider may not do this: " + words);
    }
    if (reply.status == 449 || trouble.code == "InvalidVersion") {
        throw cloud::wrong("joyent_version: the API does not speak this version: " + words);
    }
    if (reply.status >= 500) throw cloud::Lost("the provider failed: " + words);
    throw cloud::wrong("the provider refuses: " + words);
}

base::Json answer_in(const http_client::Reply& reply, base::Timestamp now) {
    if (reply.status < 200 || reply.status > 299) refuse(reply, now);
    return cloud::json_in(reply);
}

bool is_taken_name(const http_client::Reply& reply) {
    const Trouble trouble = trouble_in(reply);
    return reply.status == 409 && (contains(trouble.message, "Invalid machine name") ||
                                   contains(trouble.message, "lready exists"));
}

bool is_unknown_package(const http_client::Reply& reply) {
    const Trouble trouble = trouble_in(reply);
    return contains(trouble.message, "is not a valid package") ||
           (reply.status == 404 && contains(trouble.message, "ackage"));
}

bool is_unknown_image(const http_client::Reply& reply) {
    return reply.status == 404 || contains(trouble_in(reply).message, "is not a valid image");
}

std::string access_address(const std::vector<std::string>& ips) {
    std::vector<std::string> usable;
    std::copy_if(ips.begin(), ips.end(), std::back_inserter(usable), is_ipv4);
    const auto open = std::find_if_not(usable.begin(), usable.end(), is_private);
    if (open != usable.end()) return *open;
    return usable.empty() ? "" : usable.front();
}

cloud::CloudMachine machine_in(const base::Json& machine) {
    cloud::CloudMachine found;
    found.id = base::text_at(machine, "id");
    found.mark = cloud::mark_in(tags_in(machine));
    const std::string word = base::text_at(machine, "state");
    const auto known = std::find_if(state_words.begin(), state_words.end(),
                                    [&](const StateWord& entry) { return entry.word == word; });
    if (known != state_words.end()) {
        found.state = known->state;
        found.reason = known->reason;
    }
    const std::string access = access_address(base::strings_of(base::member(machine, "ips")));
    if (!access.empty()) {
        found.addresses["access_v4"] = access;
        found.addresses["bind_v4"] = access;
    }
    return found;
}

std::vector<cloud::CloudMachine> machines_in(const base::Json& page) {
    if (!page.is_array()) throw cloud::Lost("the provider's list of machines is no list");
    std::vector<cloud::CloudMachine> machines;
    for (const base::Json& entry : page) machines.push_back(machine_in(entry));
    return machines;
}

std::vector<Named> named_in(const base::Json& listing) {
    if (!listing.is_array()) throw cloud::Lost("the provider's answer is no list");
    std::vector<Named> known;
    for (const base::Json& entry : listing) {
        Named named;
        named.id = base::text_at(entry, "id");
        named.name = base::text_at(entry, "name");
        named.version = base::text_at(entry, "version");
        named.published_at = base::text_at(entry, "published_at");
        named.label = label_of(entry);
        known.push_back(std::move(named));
    }
    return known;
}

std::string id_of(const std::string& what, const std::string& wanted,
                  const std::vector<Named>& known) {
    const Named* best = nullptr;
    std::vector<std::string> names;
    for (const Named& entry : known) {
        names.push_back(entry.name);
        const bool is_it = entry.id == wanted || entry.name == wanted ||
                           entry.name + "@" + entry.version == wanted;
        if (!is_it) continue;
        if (best == nullptr || best->published_at < entry.published_at) best = &entry;
    }
    if (best == nullptr) throw cloud::wrong(cloud::unknown_name(what, wanted, names));
    return best->id;
}

std::vector<Choice> choices_of(const std::vector<Named>& known) {
    std::vector<Choice> choices;
    for (const Named& entry : known) choices.push_back({.value = entry.id, .label = entry.label});
    return choices;
}

}  // namespace provisioner::providers::joyent
