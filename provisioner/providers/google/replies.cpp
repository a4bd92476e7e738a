#include "provisioner/providers/google/replies.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>

#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/google/names.hpp"

namespace provisioner::providers::google {

using cloud::CloudMachine;
using State = CloudMachine::State;
using base::text_at;

namespace {

constexpr auto taken_back = "compute.instances.preempted";

/// The first element of the array `name`; null without one.
const base::Json* first_of(const base::Json& json, std::string_view name) {
    const base::Json* list = base::member(json, name);
    return list != nullptr && list->is_array() && !list->empty() ? &list->front() : nullptr;
}

/// Google's words with single blanks between them.
std::string tidy(const std::string& text) {
    std::string words = cloud::words_of(text);
    const auto is_double = [](char one, char other) { return one == ' ' && other == ' '; };
    words.erase(std::unique(words.begin(), words.end(), is_double), words.end());
    return words;
}

const base::Json* error_of(const base::Json& json) {
    const base::Json* error = base::member(json, "error");
    return error != nullptr && error->is_object() ? error : nullptr;
}

State state_of(const std::string& status) {
    struct Word {
        std::string_view status;
        State state;
    };
    constexpr std::array words{
        Word{"RUNNING", State::running},      Word{"STOPPING", State::leaving},
        Word{"PENDING_STOP", State::leaving}, Word{"DEPROVISIONING", State::leaving},
        Word{"STOPPED", State::failed},       Word{"TERMINATED", State::failed},
        Word{"SUSPENDING", State::failed},    Word{"SUSPENDED", State::failed}};
    for (const Word& word : words) {
        if (word.status == status) return word.state;
    }
    return State::starting;
}

bool is_spot_machine(const base::Json& instance) {
    const base::Json* scheduling = base::member(instance, "scheduling");
    if (scheduling == nullptr) return false;
    const base::Json* preemptible = base::member(*scheduling, "preemptible");
    return text_at(*scheduling, "provisioningModel") == "SPOT" ||
           (preemptible != nullptr && *preemptible == true);
}

std::string reason_of(const base::Json& instance, const std::string& status, State state) {
    if (state == State::running) return "";
    const std::string said = text_at(instance, "statusMessage");
    std::string words = said.empty() ? status : status + ", " + cloud::words_of(said);
    if (state != State::failed) return words;
    return (is_spot_machine(instance) ? "Google took the spot machine back: "
                                      : "the machine was stopped: ") +
           words;
}

/// "1.2.0.192.bc.googleusercontent.com" for 192.0.2.1: the name that a public address has.
std::string public_name(const std::string& address) {
    std::string reversed;
    std::string rest = address;
    while (!rest.empty()) {
        const auto dot = rest.rfind('.');
        const bool is_last = dot == std::string::npos;
        reversed += (is_last ? rest : rest.substr(dot + 1)) + ".";
        rest = is_last ? "" : rest.substr(0, dot);
    }
    return reversed + "bc.googleusercontent.com";
}

/// The addresses of the first interface. A machine that gets a public one has no "access_v4"
/// before.
void read_addresses(const Account& account, const base::Json& instance, CloudMachine& machine) {
    const base::Json* interface = first_of(instance, "networkInterfaces");
    if (interface == nullptr) return;
    const std::string own = text_at(*interface, "networkIP");
    const base::Json* access = first_of(*interface, "accessConfigs");
    const std::string outer = access == nullptr ? own : text_at(*access, "natIP");
    if (!own.empty()) machine.addresses["bind_v4"] = own;
    const bool by_own = cloud::text_of(account, "bootstrap_interface") == "bind_v4";
    const std::string& login = by_own ? own : outer;
    if (!login.empty() && !outer.empty()) machine.addresses["access_v4"] = login;
    if (!cloud::is_yes(cloud::text_of(account, "provider_hostname"), false)) return;
    if (access != nullptr && !outer.empty()) machine.hostname = public_name(outer);
}

std::string zones_with_room(const base::Json& error) {
    const base::Json* details = first_of(error, "errorDetails");
    const base::Json* info = details == nullptr ? nullptr : base::member(*details, "errorInfo");
    const base::Json* data = info == nullptr ? nullptr : base::member(*info, "metadatas");
    return data == nullptr ? "" : text_at(*data, "zonesAvailable");
}

}  // namespace

ApiError error_in(const http_client::Reply& reply) {
    ApiError error;
    error.status = reply.status;
    const auto json = base::parse_json(reply.body);
    const base::Json* told = json ? error_of(*json) : nullptr;
    if (told == nullptr) {
        error.message = cloud::form_of(reply);
        return error;
    }
    const base::Json* first = first_of(*told, "errors");
    if (first != nullptr) error.reason = text_at(*first, "reason");
    error.message = tidy(text_at(*told, "message"));
    if (error.message.empty()) error.message = "status " + std::to_string(reply.status);
    return error;
}

bool is_too_fast(const ApiError& error) {
    if (error.reason == "rateLimitExceeded" || error.reason == "userRateLimitExceeded") return true;
    // The limit of calls has the reason of other quotas in some answers.
    return error.status == 403 && error.message.starts_with("Quota exceeded for quota metric");
}

bool is_no_capacity(std::string_view code) {
    return code.starts_with("ZONE_RESOURCE_POOL_EXHAUSTED") || code == "STOCKOUT" ||
           code == "RESOURCE_POOL_EXHAUSTED";
}

std::optional<Failure> failure_in(const base::Json& operation) {
    const base::Json* error = error_of(operation);
    if (text_at(operation, "status") != "DONE" || error == nullptr) return std::nullopt;
    Failure failure;
    const base::Json* first = first_of(*error, "errors");
    if (first != nullptr) {
        failure.code = text_at(*first, "code");
        failure.words = tidy(text_at(*first, "message"));
        const std::string room = cloud::words_of(zones_with_room(*first));
        if (!room.empty()) failure.words += " Zones that have room: " + room;
    }
    if (failure.words.empty()) failure.words = text_at(operation, "httpErrorMessage");
    if (failure.words.empty()) failure.words = "the operation failed without a word";
    if (!failure.code.empty()) failure.words += " (" + failure.code + ")";
    return failure;
}

std::optional<base::Timestamp> moment_in(const std::string& text) {
    std::tm parts{};
    const char* rest = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
    if (rest == nullptr) return std::nullopt;
    if (*rest == '.') rest += 1 + std::strspn(rest + 1, "0123456789");
    const base::Timestamp local{std::chrono::seconds(timegm(&parts))};
    if (std::string_view(rest) == "Z") return local;
    std::tm offset{};
    const bool has_sign = *rest == '+' || *rest == '-';
    const char* end = has_sign ? strptime(rest + 1, "%H:%M", &offset) : nullptr;
    if (end == nullptr || *end != '\0') return std::nullopt;
    const std::chrono::minutes ahead{offset.tm_hour * 60 + offset.tm_min};
    return *rest == '+' ? local - ahead : local + ahead;
}

cloud::Mark mark_in_labels(const base::Json& resource) {
    std::map<std::string, std::string> tags;
    const base::Json* labels = base::member(resource, "labels");
    if (labels != nullptr && labels->is_object()) {
        for (auto label = labels->begin(); label != labels->end(); ++label) {
            if (label->is_string()) tags[label.key()] = label->get<std::string>();
        }
    }
    return cloud::mark_in(tags);
}

CloudMachine machine_in(const Account& account, const base::Json& instance) {
    CloudMachine machine;
    machine.id = text_at(instance, "name");
    machine.mark = mark_in_labels(instance);
    const std::string status = text_at(instance, "status");
    machine.state = state_of(status);
    machine.reason = reason_of(instance, status, machine.state);
    read_addresses(account, instance, machine);
    machine.details["zone"] = last_part(text_at(instance, "zone"));
    machine.details["started"] = text_at(instance, "lastStartTimestamp");
    return machine;
}

std::optional<CloudMachine> machine_of_operation(const Account& account,
                                                 const base::Json& operation) {
    const std::string kind = text_at(operation, "operationType");
    const std::string link = text_at(operation, "targetLink");
    if ((kind != "insert" && kind != taken_back) || link.find("/instances/") == std::string::npos)
        return std::nullopt;
    CloudMachine machine;
    machine.id = last_part(link);
    machine.mark = mark_in_name(account, machine.id);
    if (machine.mark.name.empty()) return std::nullopt;
    machine.details["zone"] = zone_in(link);
    const auto failure = failure_in(operation);
    if (kind == taken_back) {
        machine.state = State::gone;
        machine.reason = "Google took the spot machine back";
    } else if (failure) {
        machine.state = State::gone;
        machine.reason = "Google could not make it: " + failure->words;
    } else if (text_at(operation, "status") != "DONE") {
        machine.state = State::starting;
        machine.reason = "the operation is " + text_at(operation, "status");
    } else {
        return std::nullopt;
    }
    return machine;
}

}  // namespace provisioner::providers::google
