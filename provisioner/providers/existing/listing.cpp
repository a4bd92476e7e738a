#include "provisioner/providers/existing/listing.hpp"

#include <algorithm>
#include <array>

#include "provisioner/identity/checksum.hpp"
#include "provisioner/providers/cloud/fields.hpp"

namespace provisioner::providers::existing {

namespace {

constexpr long long longest_limit = 24LL * 60;
constexpr long long usual_limit = 60;
constexpr std::size_t longest_identity = 255;
constexpr auto wiped_by_script = "wiped_by_script";

/// The text of a field, or of the file that its "..._resource" names. A missing file is a problem.
std::string text_or_file(const Account& account, const std::string& field,
                         const std::string& resource, base::Problems& problems) {
    const std::string name = cloud::text_of(account, resource);
    // As it is: blanks at the beginning of a line mean something in an inventory.
    if (name.empty()) return base::text_at(account.fields, field);
    if (!base::text_at(account.fields, field).empty()) {
        problems.push_back(
            {.field = resource, .message = "give " + field + " or " + resource + ", not both"});
    }
    const auto file = account.files.find(resource);
    if (file != account.files.end()) return file->second;
    problems.push_back({.field = resource,
                        .message = "there is no live file \"" + name +
                                   "\" of this plugin: upload it, stage it and sync"});
    return "";
}

std::string machines_text(const Account& account, base::Problems& problems) {
    const base::Json* machines = base::member(account.fields, inventory::machines_field);
    if (machines != nullptr && machines->is_array()) {
        return inventory::list_in_fields(account.fields);
    }
    return text_or_file(account, std::string(inventory::machines_field), "machine_list_resource",
                        problems);
}

std::string address_of(const inventory::ListedMachine& machine) {
    return std::string(model::address_identity) + machine.address + ' ' +
           std::to_string(machine.port);
}

/// Long keys would not fit the column.
std::string known_by(const std::string& host_key) {
    return "key " + identity::checksum(host_key);
}

std::string controller_of(const inventory::ListedMachine& machine) {
    return std::string(model::controller_identity) + machine.controller.url + ' ' +
           machine.controller.system;
}

/// Any identity, for its tenant alone.
std::string own(model::TenantId tenant, const std::string& identity) {
    const std::string whose = std::string(model::own_identity) + std::to_string(tenant.value) + ' ';
    const bool fits = whose.size() + identity.size() <= longest_identity;
    return whose + (fits ? identity : identity::checksum(identity));
}

base::Json words_json(const std::vector<std::string>& words) {
    return base::Json(words);
}

}  // namespace

base::Checked<Fields> fields_of(const Account& account, inventory::Rules rules) {
    base::Problems problems;
    Fields fields;
    fields.spread_by = cloud::text_of(account, "spread_by");
    rules.needs_host_key = !cloud::is_yes(cloud::text_of(account, "pin_on_first_contact"), false);
    const std::string text = machines_text(account, problems);
    if (!problems.empty()) return base::unexpected(std::move(problems));
    auto machines = inventory::read_inventory(text, rules);
    if (!machines) return base::unexpected(machines.error());
    fields.machines = *std::move(machines);
    return fields;
}

base::Checked<Cleaning> cleaning_of(const Account& account) {
    base::Problems problems;
    Cleaning cleaning;
    cleaning.script = text_or_file(account, "wipe_script", "wipe_script_resource", problems);
    if (cleaning.script.find('\0') != std::string::npos) {
        problems.push_back({.field = "wipe_script", .message = "must not hold a NUL byte"});
    }
    const auto minutes = cloud::number_in(cloud::text_of(account, "wipe_minutes"), "wipe_minutes",
                                          1, longest_limit, usual_limit, problems);
    cleaning.limit = std::chrono::minutes(minutes);
    cleaning.reuses_without_wiping =
        cloud::is_yes(cloud::text_of(account, "reuse_without_wiping"), false);
    if (!problems.empty()) return base::unexpected(std::move(problems));
    return cleaning;
}

inventory::Wanted wanted_of(const MachineSpec& spec) {
    const auto tags = spec.hardware.find("tags");
    return {.flavor = spec.flavor,
            .image = spec.image,
            .tags = tags == spec.hardware.end() ? std::vector<std::string>{}
                                                : inventory::split_words(tags->second)};
}

model::LeaseWish wish_of(const Account& account, const MachineSpec& spec, const Fields& fields) {
    model::LeaseWish wish{.tenant = account.tenant,
                          .provider_type = account.provider_type,
                          .provider = account.provider,
                          .node = spec.name,
                          .cluster = spec.cluster,
                          .task = spec.task,
                          .candidates = {}};
    const auto wanted = wanted_of(spec);
    for (const inventory::ListedMachine& machine : fields.machines) {
        if (!inventory::fits(machine, wanted)) continue;
        // Whoever wipes it logs in as the node did.
        auto kept = machine;
        if (kept.user.empty()) kept.user = spec.ssh_user;
        wish.candidates.push_back({.machine = machine.name,
                                   .spread = inventory::group_of(machine, fields.spread_by),
                                   .listed = to_json(kept),
                                   .identities = identities_of(machine, account.tenant)});
    }
    return wish;
}

base::Json to_json(const inventory::ListedMachine& machine) {
    return {{"address", machine.address},
            {"bind_address", machine.bind_address},
            {"port", machine.port},
            {"user", machine.user},
            {"host_keys", words_json(machine.host_keys)},
            {"tags", words_json(machine.tags)},
            {"bmc", machine.controller.url},
            {"bmc_system", machine.controller.system}};
}

inventory::ListedMachine listed_machine(const model::MachineLease& lease) {
    inventory::ListedMachine machine;
    machine.name = lease.machine;
    machine.address = base::text_at(lease.listed, "address");
    machine.bind_address = base::text_at(lease.listed, "bind_address");
    const base::Json* port = base::member(lease.listed, "port");
    if (port != nullptr && port->is_number_integer()) machine.port = port->get<int>();
    machine.user = base::text_at(lease.listed, "user");
    machine.host_keys = base::strings_of(base::member(lease.listed, "host_keys"));
    machine.tags = base::strings_of(base::member(lease.listed, "tags"));
    machine.controller.url = base::text_at(lease.listed, "bmc");
    machine.controller.system = base::text_at(lease.listed, "bmc_system");
    return machine;
}

std::vector<std::string> identities_of(const inventory::ListedMachine& machine,
                                       model::TenantId tenant) {
    std::vector<std::string> identities{address_of(machine)};
    for (const std::string& key : machine.host_keys) identities.push_back(known_by(key));
    if (!machine.controller.url.empty()) identities.push_back(controller_of(machine));
    for (std::size_t i = 0, shared = identities.size(); i < shared; ++i) {
        identities.push_back(own(tenant, identities[i]));
    }
    // In one order, so that two that take the same machine wait for each other and never in a
    // circle.
    std::sort(identities.begin(), identities.end());
    return identities;
}

std::vector<std::string> proven_by_login(const inventory::ListedMachine& machine,
                                         const std::string& host_key) {
    return {known_by(host_key), address_of(machine)};
}

std::vector<std::string> proven_by_controller(const inventory::ListedMachine& machine) {
    return {controller_of(machine)};
}

void mark_as_wiped_by_script(base::Json& listed) {
    listed[wiped_by_script] = true;
}

bool is_wiped_by_script(const model::MachineLease& lease) {
    return base::member(lease.listed, wiped_by_script) != nullptr;
}

std::string id_of(const model::MachineLease& lease) {
    return lease.machine + '#' + std::to_string(lease.id.value);
}

std::string sentence_about(const model::NoneFree& none) {
    const int all = none.leased + none.wiping + none.broken;
    std::string text = "none of the " + std::to_string(all) +
                       " machines that fit is free: " + std::to_string(none.leased) + " in use";
    if (none.wiping > 0) text += ", " + std::to_string(none.wiping) + " being wiped";
    if (none.broken > 0) {
        text += ", " + std::to_string(none.broken) +
                " out of use until an administrator releases them (GET /v2/machineleases has the "
                "reasons)";
    }
    return text;
}

std::string pinned_host_key(const base::Json& results) {
    const base::Json* keys = base::member(results, "ssh_host_keys");
    if (keys == nullptr || !keys->is_object()) return "";
    for (const auto& [type, key] : keys->items()) {
        if (!key.is_string()) continue;
        const bool is_short = type == "ed25519" || type == "rsa" || type == "dss";
        return (is_short ? "ssh-" : "") + type + ' ' + key.get<std::string>();
    }
    return "";
}

}  // namespace provisioner::providers::existing
