#include "fcgi/pages/differences/member_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <optional>
#include <string_view>

#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/model/tenants/tenant.hpp"

namespace fcgi::pages {

using provisioner::messages::for_translation;
using provisioner::messages::translated;

namespace {

/// How a value is written.
enum class ValueForm { text, yes_or_no, limit, duration, moment };

struct MemberRow {
    std::string_view path;
    const char* words;
    ValueForm form = ValueForm::text;
};

constexpr std::array member_rows{
    // Tenants
    MemberRow{"maxClusters", for_translation("Maximum clusters"), ValueForm::limit},
    MemberRow{"maxNodes", for_translation("Maximum machines"), ValueForm::limit},
    MemberRow{"providerTypes", for_translation("Provider types")},
    MemberRow{"budget.currency", for_translation("Currency of the budget")},
    MemberRow{"budget.perHour", for_translation("Budget per hour")},
    MemberRow{"budget.perMonth", for_translation("Budget per month")},
    // Users
    MemberRow{"mayLogIn", for_translation("May log in"), ValueForm::yes_or_no},
    MemberRow{"locked", for_translation("Locked"), ValueForm::yes_or_no},
    MemberRow{"secondFactor", for_translation("Second factor")},
    MemberRow{"everybody", for_translation("Everybody"), ValueForm::yes_or_no},
    MemberRow{"administratorsOnly", for_translation("Administrators only"), ValueForm::yes_or_no},
    MemberRow{"viewedFrom", for_translation("Viewed from"), ValueForm::moment},
    MemberRow{"viewedUntil", for_translation("Last page looked at"), ValueForm::moment},
    MemberRow{"mailAddress", for_translation("Email address")},
    MemberRow{"nextMailAddress", for_translation("Email address, not confirmed yet")},
    MemberRow{"mailEvents", for_translation("Emails about own clusters")},
    MemberRow{"mailsOfInstallation", for_translation("Emails about what they administer"),
              ValueForm::yes_or_no},
    MemberRow{"mailsOfFailedLogins", for_translation("Emails about failed logins"),
              ValueForm::yes_or_no},
    MemberRow{"drains", for_translation("Drains"), ValueForm::yes_or_no},
    MemberRow{"job", for_translation("Job")},
    MemberRow{"restart", for_translation("Restart of services"), ValueForm::yes_or_no},
    // Identity providers
    MemberRow{"enabled", for_translation("Enabled"), ValueForm::yes_or_no},
    // Clusters
    MemberRow{"expiresAt", for_translation("Expires"), ValueForm::moment},
    MemberRow{"nodes", for_translation("Machines")},
    // Entries of the catalogue
    MemberRow{"providertype", for_translation("Provider type")},
    MemberRow{"immutable", for_translation("Immutable"), ValueForm::yes_or_no},
    MemberRow{"defaults.services", for_translation("Default services")},
    MemberRow{"defaults.provider", for_translation("Provider")},
    MemberRow{"defaults.hardwaretype", for_translation("Hardware type")},
    MemberRow{"defaults.imagetype", for_translation("Image type")},
    MemberRow{"defaults.dnsSuffix", for_translation("DNS suffix")},
    MemberRow{"compatibility.services", for_translation("Compatible services")},
    MemberRow{"compatibility.hardwaretypes", for_translation("Compatible hardware types")},
    MemberRow{"compatibility.imagetypes", for_translation("Compatible image types")},
    MemberRow{"constraints.size.min", for_translation("Minimum machines")},
    MemberRow{"constraints.size.max", for_translation("Maximum machines"), ValueForm::limit},
    MemberRow{"constraints.layout.mustcoexist", for_translation("Share a machine")},
    MemberRow{"constraints.layout.cantcoexist", for_translation("Never all on one machine")},
    MemberRow{"administration.leaseduration.initial", for_translation("Lease"),
              ValueForm::duration},
    MemberRow{"administration.leaseduration.max", for_translation("Longest lease"),
              ValueForm::duration},
    MemberRow{"administration.leaseduration.step", for_translation("Longest extension"),
              ValueForm::duration},
    MemberRow{"dependencies.provides", for_translation("Provides")},
    MemberRow{"dependencies.conflicts", for_translation("Conflicts with")},
    MemberRow{"dependencies.install.requires", for_translation("Required to install")},
    MemberRow{"dependencies.install.uses", for_translation("Installs after")},
    MemberRow{"dependencies.runtime.requires", for_translation("Required to run")},
    MemberRow{"dependencies.runtime.uses", for_translation("Starts after")},
};

/// Members whose paths have a name of somebody's choice in them, which may have dots.
struct NamedMember {
    std::string_view begin;
    std::string_view end;
    const char* words;
    ValueForm form = ValueForm::text;
};

constexpr std::array named_members{
    NamedMember{"constraints.services.", ".quantities.min",
                for_translation("Minimum machines of {0}")},
    NamedMember{"constraints.services.", ".quantities.max",
                for_translation("Maximum machines of {0}"), ValueForm::limit},
    NamedMember{"constraints.services.", ".hardwaretypes",
                for_translation("Hardware types of {0}")},
    NamedMember{"constraints.services.", ".imagetypes", for_translation("Image types of {0}")},
    NamedMember{"providermap.", ".flavor", for_translation("Flavor at {0}")},
    NamedMember{"providermap.", ".image", for_translation("Image at {0}")},
    NamedMember{"providermap.", ".sshuser", for_translation("SSH user at {0}")},
    NamedMember{"provisioner.actions.", ".type", for_translation("Automator of {0}")},
    NamedMember{"provisioner.actions.", ".fields.script", for_translation("Script of {0}")},
    NamedMember{"defaults.config.", "", for_translation("Configuration: {0}")},
    NamedMember{"config.", "", for_translation("Configuration: {0}")},
    NamedMember{"provisioner.", "", for_translation("Field {0}")},
};

std::string name_in(const NamedMember& row, const std::string& path) {
    const auto around = row.begin.size() + row.end.size();
    if (path.size() <= around || !path.starts_with(row.begin) || !path.ends_with(row.end)) {
        return "";
    }
    return path.substr(row.begin.size(), path.size() - around);
}

/// "publicKey" as "Public key".
std::string spelled_out(const std::string& name) {
    std::string words;
    for (const char letter : name) {
        const auto byte = static_cast<unsigned char>(letter);
        const bool begins = std::isupper(byte) != 0 && !words.empty() &&
                            std::islower(static_cast<unsigned char>(words.back())) != 0;
        if (begins) words += ' ';
        words += begins ? static_cast<char>(std::tolower(byte)) : letter;
    }
    return with_capital(std::move(words));
}

ValueForm form_of_member(const std::string& path) {
    const auto* const row = std::ranges::find(member_rows, path, &MemberRow::path);
    if (row != member_rows.end()) return row->form;
    const auto* const named = std::ranges::find_if(
        named_members, [&](const NamedMember& one) { return !name_in(one, path).empty(); });
    return named == named_members.end() ? ValueForm::text : named->form;
}

/// A cluster without an end, or a limit that is none.
std::string lease_of(const std::string& path, const std::string& millis) {
    const auto number = provisioner::base::parse_number(millis);
    if (!number) return millis;
    if (*number != 0) return spoken(std::chrono::milliseconds{*number});
    return path.ends_with(".initial") ? translated("no expiry") : translated("no limit");
}

}  // namespace

std::string member_label(const std::string& path) {
    const auto* const row = std::ranges::find(member_rows, path, &MemberRow::path);
    if (row != member_rows.end()) return translated(row->words);
    for (const NamedMember& one : named_members) {
        const std::string name = name_in(one, path);
        if (!name.empty()) return translated(one.words, name);
    }
    return path.find_first_of(".-_/ ") == std::string::npos ? spelled_out(path) : path;
}

std::vector<std::string> member_labels(const std::vector<std::string>& paths) {
    std::vector<std::string> labels;
    for (const auto& path : paths) {
        auto label = member_label(path);
        if (std::ranges::count(labels, label) == 0) labels.push_back(std::move(label));
    }
    return labels;
}

std::string member_value(const std::string& path, const std::string& value) {
    constexpr std::string_view mask = provisioner::model::secret_mask;
    if (value == mask) return translated("hidden");
    if (value.starts_with(mask)) return translated("hidden, changed");
    switch (form_of_member(path)) {
        case ValueForm::yes_or_no:
            if (value != "true" && value != "false") return value;
            return value == "true" ? translated("yes") : translated("no");
        case ValueForm::limit:
            return value == std::to_string(provisioner::model::no_maximum) ? translated("no limit")
                                                                           : value;
        case ValueForm::duration:
            return lease_of(path, value);
        case ValueForm::moment:
            return value.empty() ? value : value.substr(0, value.find('.')) + " UTC";
        case ValueForm::text:
            break;
    }
    return value;
}

provisioner::base::Json in_words(provisioner::base::Json differences) {
    for (auto& each : differences) {
        const auto path = each["member"].get<std::string>();
        for (const char* side : {"before", "after"}) {
            each[side] = member_value(path, each[side].get<std::string>());
        }
        each["member"] = member_label(path);
    }
    return differences;
}

}  // namespace fcgi::pages
