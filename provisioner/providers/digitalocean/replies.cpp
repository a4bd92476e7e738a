#include "provisioner/providers/digitalocean/replies.hpp"

#include <algorithm>

#include "provisioner/providers/digitalocean/names.hpp"

namespace provisioner::providers::digitalocean {

namespace {

using State = cloud::CloudMachine::State;

std::string id_in(const base::Json& droplet) {
    const base::Json* id = base::member(droplet, "id");
    if (id == nullptr || !id->is_number_integer()) {
        throw cloud::Lost("the provider's answer has a droplet without an id");
    }
    return base::to_text(*id);
}

bool is_true(const base::Json& json, std::string_view name) {
    const base::Json* value = base::member(json, name);
    return value != nullptr && value->is_boolean() && value->get<bool>();
}

/// The part of the first tag that begins so; empty without one.
std::string tag_after(const std::vector<std::string>& tags, std::string_view beginning) {
    for (const std::string& tag : tags) {
        if (tag.starts_with(beginning)) return tag.substr(beginning.size());
    }
    return "";
}

std::string said_installation(const std::vector<std::string>& tags) {
    return tag_after(tags, std::string(cloud::tag_installation) + ":");
}

/// "public" or "private" of version "v4" or "v6"; empty without one.
std::string address_in(const base::Json& droplet, const char* version, std::string_view type) {
    const base::Json* networks = base::member(droplet, "networks");
    const base::Json* list = networks == nullptr ? nullptr : base::member(*networks, version);
    if (list == nullptr || !list->is_array()) return "";
    for (const base::Json& network : *list) {
        if (base::text_at(network, "type") == type) return base::text_at(network, "ip_address");
    }
    return "";
}

std::map<std::string, std::string> addresses_in(const base::Json& droplet,
                                                bool has_public_address) {
    std::map<std::string, std::string> addresses;
    const auto put = [&](const char* name, std::string address) {
        if (!address.empty()) addresses[name] = std::move(address);
    };
    const std::string inner = address_in(droplet, "v4", "private");
    put("access_v4", has_public_address ? address_in(droplet, "v4", "public") : inner);
    put("bind_v4", inner);
    put("access_v6", address_in(droplet, "v6", "public"));
    return addresses;
}

cloud::Mark mark_of_droplet(const base::Json& droplet, const std::vector<std::string>& tags) {
    auto mark = mark_in_name(base::text_at(droplet, "name")).value_or(cloud::Mark{});
    const std::string said = said_installation(tags);
    if (!said.empty()) mark.installation = said;
    if (!mark.cluster.empty()) return mark;
    const std::string cluster = tag_after(tags, std::string(cloud::tag_cluster) + ":");
    const auto hyphen = cluster.find('-');
    if (hyphen != std::string::npos) mark.cluster = cluster.substr(hyphen + 1);
    return mark;
}

void set_state(cloud::CloudMachine& machine, const std::string& status) {
    machine.state = State::starting;
    if (status == "new") return;
    if (status == "active") {
        machine.state = State::running;
        return;
    }
    machine.state = State::failed;
    machine.reason = status == "off" ? "it is switched off" : "its status is " + status;
}

}  // namespace

cloud::CloudMachine machine_in(const base::Json& droplet, bool has_public_address) {
    const std::vector<std::string> tags = base::strings_of(base::member(droplet, "tags"));
    cloud::CloudMachine machine;
    machine.id = id_in(droplet);
    machine.mark = mark_of_droplet(droplet, tags);
    machine.addresses = addresses_in(droplet, has_public_address);
    set_state(machine, base::text_at(droplet, "status"));
    machine.details["locked"] = is_true(droplet, "locked");
    machine.details["tags"] = tags;
    return machine;
}

bool is_ours(const base::Json& droplet, const std::string& installation) {
    const auto tags = base::strings_of(base::member(droplet, "tags"));
    const std::string own = installation_tag(installation);
    if (std::find(tags.begin(), tags.end(), own) != tags.end()) return true;
    if (!said_installation(tags).empty()) return false;
    const auto mark = mark_in_name(base::text_at(droplet, "name"));
    return mark && mark->installation == short_installation(installation);
}

std::vector<cloud::CloudMachine> machines_in(const base::Json& droplets,
                                             const std::string& installation,
                                             bool has_public_address) {
    std::vector<cloud::CloudMachine> machines;
    for (const base::Json& droplet : droplets) {
        if (!is_ours(droplet, installation)) continue;
        auto machine = machine_in(droplet, has_public_address);
        machine.mark.installation = installation;
        machines.push_back(std::move(machine));
    }
    return machines;
}

std::string made_droplet(const base::Json& answer) {
    const base::Json* droplet = base::member(answer, "droplet");
    if (droplet == nullptr) throw cloud::Lost("the provider's answer has no droplet");
    return id_in(*droplet);
}

std::vector<std::string> texts_of(const base::Json& items, std::string_view member) {
    std::vector<std::string> texts;
    for (const base::Json& item : items) {
        std::string text = base::text_at(item, member);
        if (!text.empty()) texts.push_back(std::move(text));
    }
    return texts;
}

const base::Json* with_text(const base::Json& items, std::string_view member,
                            std::string_view text) {
    const auto found = std::find_if(items.begin(), items.end(), [&](const base::Json& item) {
        return base::text_at(item, member) == text;
    });
    return found == items.end() ? nullptr : &*found;
}

}  // namespace provisioner::providers::digitalocean
