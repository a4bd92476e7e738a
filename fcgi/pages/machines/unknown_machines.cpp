#include "fcgi/pages/machines/unknown_machines.hpp"

#include <algorithm>
#include <map>

#include "fcgi/pages/costs.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/machines/unknown_machines.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/machines/account_store.hpp"
#include "provisioner/store/machines/sighting_store.hpp"
#include "provisioner/store/machines/unknown_machine_store.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::Timestamp;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
namespace model = provisioner::model;

namespace {

std::string addresses_of(const model::UnknownMachine& machine) {
    std::string text;
    std::string last;
    for (const auto& [type, address] : machine.addresses) {
        if (address != last) text += (text.empty() ? "" : ", ") + address;
        last = address;
    }
    return text;
}

std::string cost_of(const model::UnknownMachine& machine) {
    if (machine.cost) return cost_words(*machine.cost);
    const bool is_billed =
        machine.part.empty() || machine.part == "disk" || machine.part == "address";
    return is_billed ? translated("not known") : translated("nothing");
}

/// What a person can find it by: its name, or else an address, or else its id at the provider.
std::string called(const model::UnknownMachine& machine) {
    if (!machine.name.empty()) return machine.name;
    const std::string addresses = addresses_of(machine);
    return addresses.empty() ? machine.machine : addresses;
}

Json machine_json(const model::UnknownMachine& machine, Timestamp now) {
    Json json;
    json["id"] = machine.id;
    json["name"] = called(machine);
    json["machine"] = machine.machine;
    json["addresses"] = addresses_of(machine);
    json["owner"] = machine.tenant_name.empty() ? "nobody" : machine.tenant_name;
    json["cost"] = cost_of(machine);
    json["first_seen"] = moment(machine.first_seen, now);
    json["last_seen"] = moment(machine.last_seen, now);
    return json;
}

Json lost_json(const model::LostMachine& machine, bool may_replace, Timestamp now) {
    const std::string cluster = "/clusters/" + model::wire_id(machine.cluster);
    Json json;
    json["hostname"] = machine.hostname;
    json["cluster"] = cluster;
    json["replace"] =
        may_replace ? cluster + "/nodes/" + std::to_string(machine.nodenum) + "/replace" : "";
    json["machine"] = machine.machine;
    json["owner"] = machine.tenant_name;
    json["kind"] = machine.may_be_reclaimed
                       ? translated("May be taken back by its provider")
                       : translated("Deleted outside Cooperage, or failed at the provider");
    json["since"] = moment(machine.missing_since, now);
    return json;
}

/// Several accounts may be of one provider, so each title has the account, too.
std::string title_of(const model::ProviderAccount& account) {
    return account.provider.empty() ? translated("Machines of this installation ({0}), {1}",
                                                 account.provider_type, account.name)
                                    : translated("{0}, {1}", account.provider, account.name);
}

/// The type of the provider and its tenant; empty where the title says all.
std::string source_of(const model::ProviderAccount& account) {
    if (account.provider.empty()) return "";
    return account.tenant_name.empty()
               ? account.provider_type
               : translated("{0}, of tenant {1}", account.provider_type, account.tenant_name);
}

/// The text for an account of which no unknown machine is on the page; `count` are stored.
std::string none_words(const model::ProviderAccount& account, std::int64_t count) {
    if (count > 0) {
        return translated_count(count, "{0} unknown machine, on a later page.",
                                "{0} unknown machines, on later pages.");
    }
    if (!account.looked_at) return translated("Not listed yet.");
    return account.failures > 0 ? translated("No unknown machines when it was last listed.")
                                : translated("No unknown machines.");
}

Json account_json(const model::ProviderAccount& account, Timestamp now) {
    const bool has_failed = account.failures > 0;
    const bool is_new = !has_failed && !account.looked_at;
    Json json;
    json["title"] = title_of(account);
    json["source"] = source_of(account);
    json["state"] = has_failed ? "failed" : is_new ? "pending" : "active";
    json["state_words"] = has_failed ? translated("cannot be listed")
                          : is_new   ? translated("not listed yet")
                                     : "listed";
    json["listed"] = account.looked_at ? moment(*account.looked_at, now) : Json();
    json["error"] = account.error.empty() ? Json() : Json(account.error);
    json["machines"] = Json::array();
    return json;
}

/// Sections by account id, in the order in which the accounts were first named.
class Sections {
 public:
    explicit Sections(Timestamp now) : now_(now) {}

    Json& of(const model::ProviderAccount& account) {
        const auto [found, is_new] = places_.try_emplace(account.id, sections_.size());
        if (is_new) sections_.push_back(account_json(account, now_));
        return sections_[found->second];
    }

    /// A machine that was seen says that its account was listed.
    void add(const model::UnknownMachine& machine) {
        Json& section = of(machine.account);
        section["machines"].push_back(machine_json(machine, now_));
        if (section["state"] != "pending") return;
        section["state"] = "active";
        section["state_words"] = "listed";
        section["listed"] = moment(machine.last_seen, now_);
    }

    Json all() && {
        for (Json& section : sections_) section["has_machines"] = !section["machines"].empty();
        return std::move(sections_);
    }

 private:
    Timestamp now_;
    std::map<model::ProviderAccountId, std::size_t> places_;
    Json sections_ = Json::array();
};

/// What is not known, before what is; empty if all accounts can be listed.
std::string words_of_failing(const UnknownMachinesPage& page) {
    const auto failing = std::ranges::count_if(
        page.accounts, [](const model::ProviderAccount& account) { return account.failures > 0; });
    if (failing == 0) return "";
    return translated_count(static_cast<unsigned long>(failing),
                            "The machines of {0} account cannot be listed.",
                            "The machines of {0} accounts cannot be listed.");
}

std::string words_of_none(const UnknownMachinesPage& page) {
    const auto has_failed = [](const model::ProviderAccount& one) { return one.failures > 0; };
    const bool is_any_failing = std::ranges::any_of(page.accounts, has_failed);
    const bool is_any_listed = std::ranges::any_of(page.accounts, [&](const auto& account) {
        return !has_failed(account) && account.looked_at;
    });
    if (!is_any_listed) {
        return is_any_failing ? "" : translated("No account at your providers was listed yet.");
    }
    return is_any_failing
               ? translated("All machines found in the other accounts belong to clusters.")
               : translated("All machines found at your providers belong to clusters.");
}

std::string words_of_found(const UnknownMachinesPage& page) {
    if (page.accounts.empty() && page.count == 0) {
        return translated("Machines at your providers that belong to no cluster are listed here.");
    }
    if (page.count == 0) return words_of_none(page);
    return translated(
        "{0} in no cluster. Delete machines that nobody needs at their provider: they cost money.",
        translated_count(page.count, "{0} machine", "{0} machines"));
}

}  // namespace

Json to_json(const UnknownMachinesPage& page) {
    Sections sections(page.now);
    const Portion portion =
        portion_of(static_cast<std::size_t>(std::max<std::int64_t>(page.count, 0)),
                   UnknownMachinesPage::most_machines, page.page);
    const auto is_here = [&](const model::ProviderAccount& account) {
        return portion.page == 1 ||
               std::ranges::any_of(page.machines, [&](const model::UnknownMachine& machine) {
                   return machine.account.id == account.id;
               });
    };
    // What needs somebody comes first.
    for (const bool has_failed : {true, false}) {
        for (const model::ProviderAccount& account : page.accounts) {
            if (!is_here(account) || (account.failures > 0) != has_failed) continue;
            const auto count = page.counts.find(account.id);
            sections.of(account)["none_words"] =
                none_words(account, count == page.counts.end() ? 0 : count->second);
        }
    }
    for (const model::UnknownMachine& machine : page.machines) sections.add(machine);
    const std::size_t lost =
        std::min<std::size_t>(page.lost.size(), UnknownMachinesPage::most_lost);
    const Portion lost_portion =
        portion_of(lost, UnknownMachinesPage::most_machines, page.lost_page);
    Json json;
    json["summary"] = joined_sentences(words_of_failing(page), words_of_found(page));
    json["lost"] = Json::array();
    for (std::size_t at = lost_portion.begin(); at < lost_portion.end(); ++at) {
        json["lost"].push_back(lost_json(page.lost[at], page.may_replace, page.now));
    }
    const auto number = [](std::size_t of) { return of == 1 ? "" : std::to_string(of); };
    json["lost_pages"] = Json::array();
    auto lost_pager =
        pager_json(lost_portion, "/unknown-machines", {{"page", number(portion.page)}}, "lost",
                   "#lost-title", translated("Pages of lost machines"));
    if (!lost_pager.is_null()) json["lost_pages"].push_back({{"pager", std::move(lost_pager)}});
    json["lost_cut"] =
        page.lost.size() > lost
            ? translated("Only the first {0} lost machines are listed.", grouped(lost))
            : std::string();
    json["has_lost"] = !page.lost.empty();
    json["accounts"] = std::move(sections).all();
    json["has_accounts"] = !json["accounts"].empty();
    json["none_words"] =
        page.providers == 0
            ? translated(
                  "The machines of an account are listed within a minute after its provider "
                  "is added.")
            : translated_count(page.providers,
                               "Your provider uses an account of the whole installation, or one "
                               "that is looked through within a minute. Superadmins see its "
                               "machines.",
                               "Your {0} providers use accounts of the whole installation, or ones "
                               "that are looked through within a minute. Superadmins see their "
                               "machines.");
    json["may_add"] = page.may_add && page.providers == 0;
    json["pager"] = pager_json(portion, "/unknown-machines", {{"lost", number(lost_portion.page)}},
                               "page", "#accounts");
    return json;
}

http::Response list_unknown_machines(const http::Request& request, const auth::Visitor& visitor,
                                     App& app) {
    namespace store = provisioner::store;
    UnknownMachinesPage page{.now = app.clock.now()};
    page.lost_page = page_in(request, "lost");
    page.may_replace = visitor.who().may(model::Right::operate_clusters);
    page.may_add = visitor.who().is_admin();
    const auto tenant = visitor.who().tenant_in_charge();
    app.database.read([&](store::Connection& connection) {
        page.providers =
            store::list_entries(connection, visitor.who().tenant.id, model::CatalogueKind::provider)
                .size();
        page.accounts = store::accounts_of(connection, tenant);
        page.count = store::count_unknown_machines(connection, tenant);
        page.counts = store::count_unknown_machines_by_account(connection, tenant);
        const Portion portion = portion_of(static_cast<std::size_t>(page.count),
                                           UnknownMachinesPage::most_machines, page_in(request));
        page.page = portion.page;
        page.machines = store::list_unknown_machines_by_account(connection, tenant,
                                                                static_cast<int>(portion.begin()),
                                                                UnknownMachinesPage::most_machines);
        provisioner::operations::add_costs(connection, page.machines, page.now);
        page.lost =
            store::list_lost_machines(connection, tenant, {}, UnknownMachinesPage::most_lost + 1);
    });
    return drawn(app, visitor, 200, "machines/unknown",
                 {.title = translated("Unknown machines"),
                  .section = "unknown_machines",
                  .script = "live.js",
                  .refresh = reload_every(std::chrono::seconds{30}, request)},
                 to_json(page));
}

}  // namespace fcgi::pages
