#include "provisioner/providers/cloudstack/replies.hpp"

#include <algorithm>

#include "provisioner/providers/cloud/failures.hpp"
#include "provisioner/providers/cloudstack/requests.hpp"

namespace provisioner::providers::cloudstack {

namespace {

using State = cloud::CloudMachine::State;

// Numbers of com.cloud's ApiErrorCode.
constexpr int unauthorized = 401;
constexpr int unsupported = 432;
constexpr int account_error = 531;
constexpr int resource_limit = 532;
constexpr int insufficient_capacity = 533;
constexpr int resource_unavailable = 534;
constexpr int resource_allocation = 535;
constexpr int resource_in_use = 536;

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

/// The first member of a body that is an object with one.
const base::Json* inside(const base::Json& body) {
    if (!body.is_object() || body.empty()) return nullptr;
    const base::Json& first = body.begin().value();
    return first.is_object() ? &first : nullptr;
}

struct StateWord {
    std::string_view word;
    State state;
    std::string_view reason;
};

// A machine that is destroyed and not expunged runs no more and costs no more than its disk; the
// cloud expunges it in its own time.
constexpr std::array state_words{StateWord{"Starting", State::starting, ""},
                                 StateWord{"Running", State::running, ""},
                                 StateWord{"Migrating", State::running, ""},
                                 StateWord{"Stopping", State::leaving, ""},
                                 StateWord{"Stopped", State::failed, "it was stopped"},
                                 StateWord{"Shutdown", State::failed, "it was shut down"},
                                 StateWord{"Error", State::failed, "it could not be deployed"},
                                 StateWord{"Expunging", State::leaving, ""},
                                 StateWord{"Destroyed", State::gone, "it was destroyed"}};

const base::Json* default_card(const base::Json& machine) {
    const base::Json* cards = base::member(machine, "nic");
    if (cards == nullptr || !cards->is_array() || cards->empty()) return nullptr;
    for (const base::Json& card : *cards) {
        const base::Json* is_default = base::member(card, "isdefault");
        if (is_default != nullptr && *is_default == true) return &card;
    }
    return &cards->front();
}

void read_addresses(const base::Json& machine, cloud::CloudMachine& found) {
    const base::Json* card = default_card(machine);
    if (card == nullptr) return;
    found.details["network"] = word_at(*card, "networkid");
    const std::string own = base::text_at(*card, "ipaddress");
    const std::string open = base::text_at(machine, "publicip");
    if (own.empty()) return;
    found.addresses["access_v4"] = open.empty() ? own : open;
    found.addresses["bind_v4"] = own;
    if (!open.empty()) found.details["public_address"] = open;
}

}  // namespace

std::string word_at(const base::Json& json, std::string_view member) {
    const base::Json* word = base::member(json, member);
    if (word == nullptr || word->is_null()) return "";
    return word->is_string() ? word->get<std::string>() : base::to_text(*word);
}

Trouble trouble_in(const http_client::Reply& reply) {
    const auto body = base::parse_json(reply.body);
    const base::Json* error = body ? inside(*body) : nullptr;
    if (error == nullptr) return {};
    const base::Json* code = base::member(*error, "errorcode");
    Trouble trouble;
    if (code != nullptr && code->is_number_integer()) trouble.code = code->get<int>();
    trouble.text = cloud::words_of(base::text_at(*error, "errortext"));
    return trouble;
}

void refuse(const http_client::Reply& reply, base::Timestamp now) {
    const Trouble trouble = trouble_in(reply);
    const int code = trouble.code == 0 ? reply.status : trouble.code;
    const std::string words =
        trouble.text.empty() ? "status " + std::to_string(reply.status) : trouble.text;
    switch (code) {
        case unauthorized:
            throw cloud::wrong_credentials(reply, now, words);
        case insufficient_capacity:
            throw cloud::NoCapacity(words);
        case resource_limit:
        case resource_allocation:
            throw cloud::busy("the account's quota is used up: " + words);
        case resource_unavailable:
        case resource_in_use:
            throw cloud::busy("the provider refuses for now: " + words);
        case unsupported:
        case account_error:
            throw cloud::wrong("the account may not do this: " + words);
        default:
            break;
    }
    if (code >= 500) throw cloud::Lost("the provider failed: " + words);
    throw cloud::wrong("the provider refuses: " + words);
}

base::Json answer_in(const http_client::Reply& reply, base::Timestamp now) {
    if (reply.status < 200 || reply.status > 299) refuse(reply, now);
    const base::Json body = cloud::json_in(reply);
    if (trouble_in(reply).code != 0) refuse(reply, now);
    const base::Json* answer = inside(body);
    if (answer == nullptr)
        throw cloud::Lost("the provider's answer has another form than expected");
    return *answer;
}

bool is_unknown(const Trouble& trouble) {
    return trouble.code == 431 && (contains(trouble.text, "entity does not exist") ||
                                   contains(trouble.text, "nable to find"));
}

bool is_unknown_group(const Trouble& trouble) {
    return is_unknown(trouble) &&
           (contains(trouble.text, "securitygroup") || contains(trouble.text, "security group"));
}

bool is_taken_name(const Trouble& trouble) {
    return trouble.code == 431 && contains(trouble.text, "already exists in the network domain");
}

bool is_expunge_forbidden(const Trouble& trouble) {
    return contains(trouble.text, "expunge");
}

std::vector<base::Json> entries_in(const base::Json& answer, std::string_view member) {
    const base::Json* entries = base::member(answer, member);
    if (entries == nullptr) return {};
    if (!entries->is_array()) throw cloud::Lost("the provider's listing is no list");
    return {entries->begin(), entries->end()};
}

std::map<std::string, std::string> tags_in(const base::Json& entity) {
    std::map<std::string, std::string> tags;
    const base::Json* given = base::member(entity, "tags");
    if (given == nullptr || !given->is_array()) return tags;
    for (const base::Json& tag : *given) {
        tags[base::text_at(tag, "key")] = base::text_at(tag, "value");
    }
    return tags;
}

cloud::CloudMachine machine_in(const base::Json& machine) {
    cloud::CloudMachine found;
    found.id = word_at(machine, "id");
    const auto tags = tags_in(machine);
    found.mark = cloud::mark_in(tags);
    found.details["is_tagged"] = !found.mark.name.empty();
    if (found.mark.name.empty()) {
        const auto mark = mark_in_display_name(base::text_at(machine, "displayname"));
        if (mark) found.mark = *mark;
    }
    const auto job = tags.find(std::string(tag_job));
    if (job != tags.end()) found.details["job"] = job->second;
    const std::string word = base::text_at(machine, "state");
    const auto known = std::find_if(state_words.begin(), state_words.end(),
                                    [&](const StateWord& entry) { return entry.word == word; });
    if (known != state_words.end()) {
        found.state = known->state;
        found.reason = known->reason;
    }
    read_addresses(machine, found);
    return found;
}

std::string failure_of(const base::Json& job) {
    const base::Json* status = base::member(job, "jobstatus");
    if (status == nullptr || *status != 2) return "";
    const base::Json* result = base::member(job, "jobresult");
    if (result == nullptr) return "";
    if (result->is_string()) return cloud::words_of(result->get<std::string>());
    return cloud::words_of(base::text_at(*result, "errortext"));
}

std::vector<Named> named_in(const base::Json& answer, std::string_view member) {
    std::vector<Named> known;
    for (const base::Json& entry : entries_in(answer, member)) {
        const base::Json* groups = base::member(entry, "securitygroupsenabled");
        Named named;
        named.id = word_at(entry, "id");
        named.name = base::text_at(entry, "name");
        named.has_groups = groups != nullptr && *groups == true;
        known.push_back(std::move(named));
    }
    return known;
}

Named find_named(const std::string& what, const std::string& wanted,
                 const std::vector<Named>& known) {
    std::vector<std::string> names;
    for (const Named& entry : known) {
        if (entry.id == wanted || entry.name == wanted) return entry;
        names.push_back(entry.name);
    }
    throw cloud::wrong(cloud::unknown_name(what, wanted, names));
}

std::vector<Choice> choices_of(const std::vector<Named>& known) {
    std::vector<Choice> choices;
    for (const Named& entry : known) {
        const auto same = std::count_if(known.begin(), known.end(), [&](const Named& other) {
            return other.name == entry.name;
        });
        choices.push_back({.value = same > 1 ? entry.id : entry.name, .label = entry.name});
    }
    return choices;
}

}  // namespace provisioner::providers::cloudstack
