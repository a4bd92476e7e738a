#include <algorithm>
#include <stdexcept>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/catalogue/files/file_words.hpp"
#include "fcgi/pages/catalogue/files/files_page.hpp"
#include "fcgi/pages/catalogue/files/meanwhile.hpp"
#include "fcgi/pages/catalogue/versions/difference.hpp"
#include "fcgi/pages/form_field.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/plugins/file_changes.hpp"
#include "provisioner/operations/plugins/resources.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::model::ClusterStatus;
using provisioner::operations::ResourceStatus;
using provisioner::store::ResourceVersion;
namespace operations = provisioner::operations;

// The page of one file.
namespace {

/// Most services that are named above the versions.
constexpr std::size_t services_of_file = 10;

struct StatusLook {
    const char* badge;
    std::string status;
};

StatusLook look_of_version(const ResourceVersion& version, int after_sync) {
    switch (operations::status_of(version)) {
        case ResourceStatus::active:
            return {"active", translated("In use")};
        case ResourceStatus::recalled:
            return {"paused",
                    after_sync == 0
                        ? translated("In use until the next sync")
                        : translated("In use until the next sync, then version {0}", after_sync)};
        case ResourceStatus::staged:
            return {"running", translated("In use after the next sync")};
        case ResourceStatus::inactive:
            return {"waiting", translated("Not in use")};
    }
    throw std::logic_error("unknown status of a file");
}

bool can_download(const FilePage& page, const ResourceVersion& version) {
    return !page.is_secret && version.size <= largest_download;
}

/// Whether the version that is shown, or would be if it were shorter, can be compared with it.
bool can_compare(const FilePage& page, const ResourceVersion& other) {
    const auto shown = std::ranges::find(page.versions, page.version, &ResourceVersion::version);
    if (shown == page.versions.end() || shown->version == other.version) return false;
    const bool is_long = shown->size > longest_shown && shown->size <= longest_compared;
    return (page.text || is_long) && other.size <= longest_compared;
}

/// Why there is no difference to the version that was asked for; empty: there is one, or none was.
std::string words_on_not_compared(const FilePage& page) {
    const auto other =
        std::ranges::find(page.versions, page.not_compared, &ResourceVersion::version);
    if (other == page.versions.end()) return "";
    return other->size > longest_compared
               ? translated("Version {0} is too large to be compared.", other->version)
               : translated("Version {0} is not text, so it cannot be compared.", other->version);
}

Json version_json(const FilePage& page, const ResourceVersion& version) {
    const std::string file_href = file_page(page.shelf, page.name);
    const bool may_change = page.may_change;
    const auto upload = page.uploads.find(version.version);
    const bool is_known = upload != page.uploads.end();
    const auto status = operations::status_of(version);
    const auto [badge, words] = look_of_version(version, use_of(page.versions).after_sync);
    Json json;
    json["number"] = version.version;
    json["view_href"] = file_href + "?version=" + std::to_string(version.version);
    json["badge"] = badge;
    json["status"] = words;
    json["size"] = size_of_file(version.size);
    json["sha"] = version.sha256.substr(0, 12);
    json["created"] = moment(version.created_at, page.now);
    json["written_by"] = is_known ? upload->second.by : "";
    json["note"] = is_known ? upload->second.note : "";
    json["download_href"] = can_download(page, version)
                                ? Json(file_href + "/versions/" + std::to_string(version.version))
                                : Json();
    json["can_use"] = may_change && status != ResourceStatus::active;
    json["can_stage"] = may_change && !version.slated;
    json["can_recall"] = may_change && status == ResourceStatus::active;
    json["can_unstage"] = may_change && status == ResourceStatus::staged;
    json["can_delete"] = may_change && status == ResourceStatus::inactive;
    return json;
}

/// The clusters with services that use a file: since when they may have what is on their machines,
/// and how they get the version in use.
Json clusters_of_file(const FilePage& page) {
    const auto in_use = std::ranges::find(page.versions, true, &ResourceVersion::live);
    Json clusters = Json::array();
    for (const auto& cluster : page.clusters) {
        const std::string href = "/clusters/" + provisioner::model::wire_id(cluster.id);
        const bool is_ready = cluster.status == ClusterStatus::active ||
                              cluster.status == ClusterStatus::inconsistent;
        Json json;
        json["cluster"] = cluster.name;
        json["cluster_href"] = href;
        json["owner"] = cluster.owner;
        json["set_up"] = cluster.set_up_at ? moment(*cluster.set_up_at, page.now) : Json();
        json["is_older"] = in_use != page.versions.end() && cluster.set_up_at &&
                           *cluster.set_up_at < in_use->live_since.value_or(in_use->created_at);
        json["configure_href"] = page.may_operate && is_ready ? Json(href + "/configure") : Json();
        clusters.push_back(std::move(json));
    }
    return clusters;
}

/// Which version was there although the sender of an upload did not see it; when follows.
std::string words_on_overtaker(const FilePage& page) {
    const auto upload = page.uploads.find(page.overtaken_by);
    const std::string by = upload == page.uploads.end() ? "" : upload->second.by;
    if (page.known == 0) {
        return by.empty() ? translated("A file of this name was there already, version {0}",
                                       page.overtaken_by)
                          : translated("A file of this name was there already, version {0} by {1}",
                                       page.overtaken_by, by);
    }
    return by.empty() ? translated("Version {0} was saved meanwhile", page.overtaken_by)
                      : translated("{0} saved version {1} meanwhile", by, page.overtaken_by);
}

/// Who saved a version of which the sender of an upload did not know, and when, what the upload
/// changes of it, and how it is put to use; null if there was none.
Json overtaken_json(const FilePage& page) {
    if (page.overtaken == 0) return nullptr;
    const auto version = [&](int number) {
        return *std::ranges::find(page.versions, number, &ResourceVersion::version);
    };
    const bool is_used = operations::status_of(version(page.overtaken)) == ResourceStatus::active;
    Json json;
    json["overtaken_words"] = words_on_overtaker(page);
    json["overtaken_at"] = moment(version(page.overtaken_by).created_at, page.now);
    json["overtaken_saved"] =
        translated("Yours is saved as version {0}, but not put to use: machines do not get it yet.",
                   page.overtaken);
    json["overtaken_use"] = page.may_change && !is_used ? Json(page.overtaken) : Json();
    json["overtaken_use_label"] = translated("Put version {0} to use", page.overtaken);
    json["overtaken_href"] =
        page.is_secret
            ? Json()
            : Json(file_page(page.shelf, page.name) + "?version=" + std::to_string(page.overtaken) +
                   "&with=" + std::to_string(page.overtaken_by) + "#text-title");
    json["overtaken_compare"] =
        translated("What changed from version {0} to {1}", page.overtaken_by, page.overtaken);
    return json;
}

/// All services that use a file, if there are more than stand above its versions.
Json all_services_json(const FilePage& page) {
    if (page.services.size() <= services_of_file) return nullptr;
    Json json;
    put_services(page.services, page.services.size(), json);
    return json["users"];
}

}  // namespace

bool is_text(const std::string& bytes) {
    const bool has_control = std::ranges::any_of(bytes, [](unsigned char c) {
        return c < 32 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 27;
    });
    if (has_control) return false;
    // to_text replaces what is no UTF-8.
    const Json json = bytes;
    return provisioner::base::parse_json(provisioner::base::to_text(json)) == json;
}

int version_between(const std::vector<ResourceVersion>& versions, int known, int saved) {
    int newest = 0;
    for (const ResourceVersion& one : versions) {
        if (one.version > known && one.version < saved) newest = std::max(newest, one.version);
    }
    return newest;
}

std::string title_of(const FilePage& page) {
    return translated("{0}, {1}", page.name, words_of_shelf(page.shelf));
}

std::string words_on_done(const FilePage& page, const std::string& done) {
    const auto [now, after_sync] = use_of(page.versions);
    if (done == "unstage") {
        return now == 0 ? translated("Unstaged. No version is in use.")
                        : translated("Unstaged. Version {0} stays in use.", now);
    }
    if (now == 0) return "";
    if (done == "recall" && after_sync == 0) {
        return translated("Recalled. Version {0} is no longer in use after the next sync.", now);
    }
    if (done != "stage" || after_sync == 0) return "";
    return after_sync == now
               ? translated("Staged. Version {0} stays in use.", now)
               : translated("Staged. Version {0} is in use after the next sync, not version {1}.",
                            after_sync, now);
}

Json to_json(const FilePage& page) {
    const std::string href = file_page(page.shelf, page.name);
    Json json = problems_json(translated("Couldn't change the file"), page.problems, {});
    json.update(crumbs(page.shelf));
    json["file"] = page.name;
    json["file_href"] = href;
    json["seen"] = word_of(use_of(page.versions));
    put_services(page.services, services_of_file, json);
    json["more_href"] = "#services-title";
    json["all_services"] = all_services_json(page);
    json["has_all_services"] = !json["all_services"].is_null();
    json["done"] = page.done;
    json["overtaken"] = overtaken_json(page);
    json["pending"] = pending_words(page.pending);
    json["effects"] = Json::array();
    for (const auto& effect : page.effects) json["effects"].push_back({{"effect", effect}});
    json["changes_href"] = "/audit?objectKind=plugin-file&object=" +
                           http::percent_encode(operations::name_in_audit(page.shelf, page.name));
    json.update(upload_json(page.shelf, {.next_of = page.name,
                                         .known_version = page.versions.back().version,
                                         .seen = word_of(use_of(page.versions))}));
    json["may_change"] = page.may_change;
    json["version"] = page.version;
    json["versions"] = Json::array();
    json["others"] = Json::array();
    for (auto version = page.versions.rbegin(); version != page.versions.rend(); ++version) {
        auto item = version_json(page, *version);
        item["current"] = version->version == page.version;
        json["versions"].push_back(std::move(item));
        if (!can_compare(page, *version)) continue;
        Json other;
        other["other"] = version->version;
        other["selected"] =
            version->version == (page.compared == 0 ? page.not_compared : page.compared);
        json["others"].push_back(std::move(other));
    }
    json["clusters"] = clusters_of_file(page);
    json["has_clusters"] = !page.clusters.empty();
    json["has_others"] = !json["others"].empty() && !page.is_secret;
    json["text"] = page.text && !page.text->empty() ? Json(*page.text) : Json();
    json["edit_href"] = page.text && page.may_change && !page.is_secret
                            ? Json(editing_page(page.shelf, page.name, page.version))
                            : Json();
    json["no_text"] =
        page.text ? (page.text->empty() ? translated("It is empty.") : "") : page.no_text;
    json["not_compared"] = words_on_not_compared(page);
    json["compared"] = page.compared == 0 ? Json() : Json(page.compared);
    json["difference"] =
        page.compared == 0 ? Json() : text_difference_json(page.compared_text, page.text_compared);
    return json;
}

}  // namespace fcgi::pages
