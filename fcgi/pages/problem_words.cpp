#include "fcgi/pages/problem_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <regex>
#include <string_view>

#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/tenants/identity_provider.hpp"

namespace fcgi::pages {

using provisioner::messages::for_translation;
using provisioner::messages::grouped;
using provisioner::messages::translated;
using provisioner::messages::translated_count;

namespace {

/// A message of the API's contract, and what people read instead.
struct OwnWords {
    std::string_view message;
    const char* words;
};

constexpr std::array own_words{
    OwnWords{
        "invalid name. Name must be specified and consist of only [a-zA-Z0-9_.-].",
        for_translation("Enter a name of letters, digits, dots, hyphens and underscores only.")},
    OwnWords{"invalid name. Name must not begin with a hyphen or a dot.",
             for_translation("The name must not begin with a hyphen or a dot.")},
    OwnWords{"name must not exceed 255 characters.",
             for_translation("The name is too long: it has at most 255 characters.")},
    OwnWords{"cluster name must be specified", for_translation("Enter a name.")},
    OwnWords{"cluster template must be specified", for_translation("Choose a template.")},
    OwnWords{"cluster size must be greater than 0",
             for_translation("Enter a number of machines, at least 1.")},
    OwnWords{"default services must be specified",
             for_translation("Choose the services that a cluster gets by default.")},
    OwnWords{"default provider must be specified",
             for_translation("Choose the provider that a cluster gets by default.")},
    OwnWords{"budget.currency has to be three capital letters, such as USD.",
             for_translation("Enter three letters, such as USD.")},
    OwnWords{"A budget needs perHour, perMonth or both.",
             for_translation("Enter a budget per hour, per month or both.")},
    OwnWords{"superadmins belong to the tenant superadmin",
             for_translation("Only the tenant superadmin can have superadmins.")},
    OwnWords{"Resource not in a deletable state.",
             for_translation(
                 "This version is in use or staged. Recall it and sync, or unstage it, first.")},
    OwnWords{"invalid provider type.", for_translation("Choose a provider type.")},
    OwnWords{"Type must be specified.", for_translation("Choose a type.")},
    OwnWords{"Maximum must greater than or equal to the minimum.",
             for_translation("The maximum must not be smaller than the minimum.")},
    OwnWords{
        "must be a moment in UTC like 2026-11-20 or 2026-11-20T23:28:00Z, or milliseconds since "
        "1970",
        for_translation("Write a date and time in UTC, such as 2026-11-29 14:00.")},
    OwnWords{
        "Enter it again: with another servers the stored one would go elsewhere.",
        for_translation("Enter it again: with other servers the stored one would go elsewhere.")},
    OwnWords{"Enter it again: with another authorities the stored one would go elsewhere.",
             for_translation(
                 "Enter it again: with other authorities the stored one would go elsewhere.")},
    OwnWords{"must be given", for_translation("Fill this in.")},
    OwnWords{
        "Cluster is not in a configurable state.",
        for_translation(
            "The cluster cannot be configured now: a job is running, or the last one failed.")},
    OwnWords{"Cluster is not in a state where service actions can be performed.",
             for_translation(
                 "Services cannot be changed now: a job is running, or the last one failed.")},
    OwnWords{
        "Cluster is not in a state where machines can be added.",
        for_translation("Machines cannot be added now: a job is running, or the last one failed.")},
    OwnWords{"Cluster is not in a state where machines can be taken away.",
             for_translation(
                 "Machines cannot be removed now: a job is running, or the last one failed.")},
    OwnWords{"Cluster is not in a state where machines can be replaced.",
             for_translation(
                 "Machines cannot be replaced now: a job is running, or the last one failed.")},
    OwnWords{"Cluster is not in a state where the template can by synced",
             for_translation(
                 "The template cannot be updated now: a job is running, or the last one failed.")},
    OwnWords{"updating the template would result in an invalid cluster",
             for_translation("The newest version of the template does not fit this cluster.")},
    OwnWords{"There is a draft of a change to this template already.",
             for_translation("There is a draft of a change to this template already.")},
    OwnWords{"The draft was changed meanwhile.",
             for_translation("The draft was changed meanwhile.")},
    OwnWords{"The draft was put to use or thrown away meanwhile.",
             for_translation("The draft was put to use or thrown away meanwhile.")},
    OwnWords{
        "A name that ends in .draft would pass for a draft. Choose another name.",
        for_translation("A name that ends in .draft would pass for a draft. Choose another name.")},
    OwnWords{"The import has an entry of this name before this one.",
             for_translation("The import has an entry of this name before this one.")},
    OwnWords{"The template was changed meanwhile. Look again at what changes.",
             for_translation("The template was changed meanwhile. Look again at what changes.")},
    OwnWords{"lease duration cannot be greater than duration specified in template",
             for_translation("The template does not allow such a long lease.")},
    OwnWords{"New expire time cannot be lesser than create time",
             for_translation("The cluster cannot expire before it was created.")},
    OwnWords{"New expire time must be before the year 10000",
             for_translation("The year must be below 10000.")},
    OwnWords{"New expire time cannot be greater than allowed increment",
             for_translation("The lease cannot be extended by so much at a time.")},
    OwnWords{"Cluster cannot be prolonged beyond its max duration",
             for_translation("This is later than the longest lease of the template allows.")}};

/// "That makes 45 machines; the template allows 3–10." for the contract's words about a size.
std::optional<std::string> size_problem_words(const std::string& message) {
    static const std::regex pattern(
        R"(Size must be at least (\d+) but not greater than (\d+)\. Now it's (\d+))");
    std::smatch found;
    if (!std::regex_match(message, found, pattern)) return std::nullopt;
    const bool is_limited = found[2].str() != std::to_string(provisioner::model::no_maximum);
    const auto number = [](const std::string& digits) {
        return grouped(provisioner::base::parse_number(digits).value_or(0));
    };
    const std::string allowed = is_limited ? number(found[1].str()) + "–" + number(found[2].str())
                                           : translated("{0} or more", number(found[1].str()));
    const auto machines = provisioner::base::parse_number(found[3].str()).value_or(0);
    return translated("That makes {0}; the template allows {1}.",
                      translated_count(machines, "{0} machine", "{0} machines"), allowed);
}

/// Large counts of the solver's sentences as they stand elsewhere: "has 1,000 machines and needs at
/// least 1,200."
std::string with_grouped_counts(const std::string& words) {
    static const std::regex counts(R"((^| )(\d{4,9})(?= machine)|( at least )(\d{4,9})(?=\.))");
    std::string text;
    auto rest = words.cbegin();
    for (std::sregex_iterator found(words.begin(), words.end(), counts), end; found != end;
         ++found) {
        const auto& match = *found;
        const std::string digits = match[2].matched ? match[2].str() : match[4].str();
        text.append(rest, match[0].first);
        text += match[1].str() + match[3].str() +
                grouped(provisioner::base::parse_number(digits).value_or(0));
        rest = match[0].second;
    }
    return text.append(rest, words.cend());
}

/// Without the sentences that name flavors without a price, which only those who keep the prices
/// know: one sentence stands for all of them.
std::string with_few_words_about_prices(const std::string& message) {
    static const std::regex sentences(
        R"(There is no price for .*? \(\d+ machines?\)\.( A tenant with a budget needs one\.)?( |$))");
    std::smatch found;
    if (!std::regex_search(message, found, sentences)) return message;
    const std::string words =
        found[1].matched
            ? translated("These machines have no price, and the tenant's budget needs one.")
            : translated(
                  "Some of the tenant's machines have no price: its budget leaves them out.");
    const std::string rest = std::regex_replace(message, sentences, "");
    return rest.empty() ? words : words + ' ' + rest;
}

/// A circle of services, with the names that the editor has for what they need.
std::string with_words_about_circles(const std::string& message) {
    static const std::regex pattern(
        R"(^(.*): a circle of (install|runtime) dependencies leaves no order to work in\.?$)");
    std::smatch found;
    if (!std::regex_match(message, found, pattern)) return message;
    const std::string circle = found[1].str();
    return found[2] == "install"
               ? translated(
                     "{0}: “Required to install” and “Installs after” make a circle, so "
                     "none of them can be installed first.",
                     circle)
               : translated(
                     "{0}: “Required to run” and “Starts after” make a circle, so none of "
                     "them can be started first.",
                     circle);
}

/// The contract's words about a lease name the template; the form has it in its title.
bool is_about_longest_lease(const std::string& message) {
    return message.starts_with("Initial lease duration cannot be more than max lease duration");
}

bool is_about_time_limit(const std::string& message) {
    return message.starts_with("The limit of ") &&
           message.find(" must be from 1s to 1d") != std::string::npos;
}

/// The label stands beside the field already: "Issuer is missing."
bool is_about_missing_identity_field(const std::string& message) {
    if (message == "The client secret is missing." ||
        message == "The password of the service account is missing.") {
        return true;
    }
    return std::ranges::any_of(provisioner::model::identity_fields(), [&](const auto& field) {
        return message == std::string(field.label) + " is missing.";
    });
}

/// Of the amounts of a budget, which the contract's words call by their members.
bool is_about_amount(const std::string& message) {
    return message.starts_with("budget.per") &&
           message.find(" has to be a decimal number with at most six decimals") !=
               std::string::npos;
}

}  // namespace

std::string problem_words(const std::string& message) {
    if (auto size = size_problem_words(message)) return *std::move(size);
    if (is_about_longest_lease(message)) {
        return translated("The lease must not be longer than the longest lease.");
    }
    if (message.starts_with("mismatch between ") && message.ends_with(" name and name in path.")) {
        return translated(
            "The name cannot be changed. Copy the entry to have it under another name.");
    }
    if (is_about_time_limit(message)) {
        return translated("Write a time from 1 second to 1 day, such as 90s, 10m or 2h.");
    }
    if (is_about_missing_identity_field(message)) return translated("Fill this in.");
    if (is_about_amount(message)) {
        return translated("Enter an amount of 0 or more with at most six decimals, such as 2.50.");
    }
    const auto* const found = std::ranges::find(own_words, message, &OwnWords::message);
    if (found != own_words.end()) return translated(found->words);
    std::string words =
        with_words_about_circles(with_few_words_about_prices(with_grouped_counts(message)));
    if (words.empty()) return words;
    // A message that begins with a name keeps it: "dbServer is missing".
    const std::string first = words.substr(0, words.find(' '));
    const bool is_word = std::ranges::all_of(
        first, [](unsigned char c) { return std::islower(c) != 0 || c == ',' || c == ':'; });
    constexpr std::array openings{"must",     "invalid", "cannot",  "has",      "is",
                                  "are",      "may",     "no",      "provider", "service",
                                  "hardware", "image",   "cluster", "partial",  "user",
                                  "group",    "tenant",  "version", "template", "unknown"};
    const bool is_opening = std::ranges::find(openings, first) != openings.end();
    if (is_word && is_opening) words[0] = static_cast<char>(std::toupper(words[0]));
    const bool is_ended = std::string_view(".!?:)").find(words.back()) != std::string_view::npos;
    return is_ended ? words : words + '.';
}

}  // namespace fcgi::pages
