#include "provisioner/providers/local/host/record.hpp"

#include "provisioner/base/ids.hpp"

namespace provisioner::providers::local {

namespace {

long long number_at(const base::Json& json, std::string_view key) {
    const base::Json* value = base::member(json, key);
    return value != nullptr && value->is_number_integer() ? value->get<long long>() : 0;
}

bool truth_at(const base::Json& json, std::string_view key) {
    const base::Json* value = base::member(json, key);
    return value != nullptr && value->is_boolean() && value->get<bool>();
}

std::vector<std::string> texts_at(const base::Json& json, std::string_view key) {
    std::vector<std::string> texts;
    const base::Json* list = base::member(json, key);
    if (list == nullptr || !list->is_array()) return texts;
    for (const base::Json& one : *list) {
        if (one.is_string()) texts.push_back(one.get<std::string>());
    }
    return texts;
}

}  // namespace

std::string text_of(const Record& record) {
    base::Json json;
    json["name"] = record.name;
    json["cluster"] = record.cluster;
    json["task"] = record.task;
    json["hostname"] = record.hostname;
    json["ssh_user"] = record.ssh_user;
    json["address"] = record.address;
    json["host_key"] = record.host_key;
    json["limits"] = record.limits;
    json["tenant"] = record.tenant;
    json["open_ports"] = record.open_ports;
    json["first_id"] = record.first_id;
    json["pid"] = record.process.pid;
    json["started"] = record.process.started;
    json["boot"] = record.process.boot;
    json["complete"] = record.complete;
    return base::to_text(json) + "\n";
}

std::optional<Record> record_of(std::string_view text) {
    const auto json = base::parse_json(text);
    if (!json || base::text_at(*json, "name").empty()) return std::nullopt;
    Record record;
    record.name = base::text_at(*json, "name");
    record.cluster = base::text_at(*json, "cluster");
    record.task = number_at(*json, "task");
    record.hostname = base::text_at(*json, "hostname");
    record.ssh_user = base::text_at(*json, "ssh_user");
    record.address = base::text_at(*json, "address");
    record.host_key = base::text_at(*json, "host_key");
    record.limits = base::text_at(*json, "limits");
    record.tenant = base::text_at(*json, "tenant");
    record.open_ports = texts_at(*json, "open_ports");
    record.first_id = number_at(*json, "first_id");
    record.process.pid = static_cast<pid_t>(number_at(*json, "pid"));
    record.process.started = number_at(*json, "started");
    record.process.boot = base::text_at(*json, "boot");
    record.complete = truth_at(*json, "complete");
    return record;
}

base::Json answer_of(const Record& record, std::string_view state) {
    base::Json json;
    json["name"] = record.name;
    json["state"] = state;
    json["cluster"] = record.cluster;
    json["hostname"] = record.hostname;
    json["ssh_user"] = record.ssh_user;
    json["address"] = record.address;
    json["host_key"] = record.host_key;
    json["limits"] = record.limits;
    json["pid"] = record.process.pid;
    return json;
}

}  // namespace provisioner::providers::local
