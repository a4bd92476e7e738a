#include "provisioner/providers/cloud/fields.hpp"

#include <algorithm>
#include <cmath>

#include "provisioner/base/ids.hpp"
#include "provisioner/base/words.hpp"
#include "provisioner/identity/checksum.hpp"

namespace provisioner::providers::cloud {

namespace {

constexpr double least_rate = 0.1;
constexpr double most_rate = 10'000;
constexpr std::size_t fingerprint_digits = 8;
/// Larger than any disk: a number above it is no size.
constexpr std::int64_t most_gigabytes = 10'000'000;

std::string trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return "";
    return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1));
}

/// A number with a decimal point, above 0; nothing for other texts.
std::optional<double> rate_in(const std::string& text) {
    double rate = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, rate);
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
    if (!(rate >= least_rate && rate <= most_rate)) return std::nullopt;
    return rate;
}

void check_rate(const Account& account, const std::string& name, base::Problems& problems) {
    const std::string text = text_of(account, name);
    if (!text.empty() && !rate_in(text)) {
        problems.push_back({name, "must be a number between 0.1 and 10000, calls a second"});
    }
}

}  // namespace

std::string text_of(const Account& account, std::string_view field) {
    const base::Json* value = base::member(account.fields, field);
    if (value == nullptr || value->is_null()) return "";
    if (value->is_string()) return trimmed(value->get_ref<const std::string&>());
    return base::to_text(*value);
}

std::string setting(const Account& account, const MachineSpec& spec, std::string_view name) {
    const auto found = spec.hardware.find(std::string(name));
    const std::string own = found == spec.hardware.end() ? "" : trimmed(found->second);
    return own.empty() ? text_of(account, name) : own;
}

bool is_uuid(std::string_view text) {
    if (text.size() != 36) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_hyphen = i == 8 || i == 13 || i == 18 || i == 23;
        const char c = text[i];
        const bool is_digit =
            (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        if (is_hyphen ? c != '-' : !is_digit) return false;
    }
    return true;
}

int gigabytes_in(std::string_view text) {
    const auto size = base::parse_number(text);
    return size && *size > 0 && *size <= most_gigabytes ? static_cast<int>(*size) : 0;
}

int gigabytes_in(const base::Json& item, std::string_view name) {
    const base::Json* size = base::member(item, name);
    if (size == nullptr) return 0;
    return gigabytes_in(size->is_string() ? size->get<std::string>() : base::to_text(*size));
}

bool is_yes(std::string_view text, bool fallback) {
    if (text.empty()) return fallback;
    const std::string low = base::in_small_letters(text);
    return low == "true" || low == "1" || low == "yes" || low == "on";
}

std::vector<std::string> list_in(std::string_view text) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const auto comma = text.find(',');
        std::string part = trimmed(text.substr(0, comma));
        if (!part.empty()) parts.push_back(std::move(part));
        text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    }
    return parts;
}

std::vector<std::string> hardware_list(const MachineSpec& spec, std::string_view name) {
    const auto found = spec.hardware.find(std::string(name));
    return found == spec.hardware.end() ? std::vector<std::string>{} : list_in(found->second);
}

long long number_in(std::string_view text, std::string_view field, long long least, long long most,
                    long long fallback, base::Problems& problems) {
    if (text.empty()) return fallback;
    const auto number = base::parse_number(text);
    if (number && *number >= least && *number <= most) return *number;
    problems.push_back({std::string(field), "must be a whole number between " +
                                                std::to_string(least) + " and " +
                                                std::to_string(most)});
    return fallback;
}

model::PluginField field(FieldText text) {
    model::PluginField made;
    made.name = std::move(text.name);
    made.label = std::move(text.label);
    made.tip = std::move(text.tip);
    made.kind = std::move(text.kind);
    made.sensitive = made.kind == "password";
    made.default_applies = text.default_applies;
    made.overridable = text.overridable;
    made.leads = text.leads;
    made.grants = text.grants;
    made.options = std::move(text.options);
    made.number = text.number;
    if (!text.default_value.empty()) made.default_value = std::move(text.default_value);
    return made;
}

void add_common_fields(model::PluginType& type) {
    const model::NumberRange rates{.least = least_rate, .most = most_rate, .is_whole = false};
    const std::vector<FieldText> texts{
        {.name = "api_endpoint",
         .label = "API endpoint",
         .tip = "Only for an API at another address than the usual one, such as "
                "https://cloud.example.org",
         .leads = true},
        {.name = "ca_certificates",
         .label = "Certificate authorities",
         .tip = "PEM certificates of the only authorities to trust for the API; empty: those of "
                "this system",
         .leads = true},
        {.name = "calls_per_second",
         .label = "Calls a second",
         .tip = "Most calls a second that read or change, all provisioners together",
         .number = rates},
        {.name = "creations_per_second",
         .label = "Creations a second",
         .tip = "Most machines asked for a second, all provisioners together",
         .number = rates},
        {.name = "cloud_init",
         .label = "Images run cloud-init",
         .tip = "Then machines get their host key and the login key with them; else the key pair "
                "must let us in",
         .kind = "checkbox",
         .default_value = "true",
         .default_applies = true,
         .overridable = true},
        {.name = "ssh_ranges",
         .label = "Addresses that may log in",
         .tip = "Networks such as 192.0.2.0/24, with commas: where the provisioners are; empty: "
                "everywhere",
         .overridable = true},
        {.name = "client_ranges",
         .label = "Addresses of clients",
         .tip = "Networks that reach the ports which services open, with commas; empty: everywhere",
         .overridable = true}};
    auto& fields = type.admin.fields;
    for (const FieldText& text : texts) {
        const bool is_there = std::any_of(fields.begin(), fields.end(), [&](const auto& existing) {
            return existing.name == text.name;
        });
        if (!is_there) fields.push_back(field(text));
    }
}

base::Problems check_common_fields(const Account& account, const model::PluginType& type,
                                   http_client::OwnNetwork own_network) {
    base::Problems problems;
    check_rate(account, "calls_per_second", problems);
    check_rate(account, "creations_per_second", problems);
    for (const model::PluginField& field : type.admin.fields) {
        const std::string address = field.leads ? text_of(account, field.name) : "";
        if (!address.starts_with("http://") || own_network == http_client::OwnNetwork::open) {
            continue;
        }
        problems.push_back({field.name,
                            "must begin with https://: without TLS it would need the setting "
                            "http.own_network"});
    }
    const std::string endpoint = text_of(account, "api_endpoint");
    const bool is_web = endpoint.starts_with("http://") || endpoint.starts_with("https://");
    if (!endpoint.empty() && !is_web) {
        problems.push_back({"api_endpoint", "must begin with https://"});
    }
    return problems;
}

base::Problems check_files(const Account& account) {
    base::Problems problems;
    for (const auto& [field, value] : account.fields.items()) {
        if (!field.ends_with("_resource") || account.files.contains(field)) continue;
        const std::string name = text_of(account, field);
        if (name.empty()) continue;
        problems.push_back({field, "there is no file \"" + name +
                                       "\" among the provider type's resources, or it cannot be "
                                       "read"});
    }
    return problems;
}

bool has_cloud_init(const Account& account, const MachineSpec& spec) {
    return is_yes(setting(account, spec, "cloud_init"), true);
}

std::string account_key(const Account& account) {
    std::string all = account.provider_type + "\n" + base::to_text(account.fields);
    for (const auto& [field, text] : account.files) all += "\n" + field + "\n" + text;
    return identity::checksum(all);
}

std::string fingerprint_of(const Account& account, std::string_view field) {
    return identity::checksum(account.provider_type + " " + text_of(account, field))
        .substr(0, fingerprint_digits);
}

Lane lane_of(const Account& account, const std::string& name, const Rates& rates,
             std::string_view kind) {
    const bool reads = kind == "read";
    const auto own = rate_in(text_of(account, reads ? "calls_per_second" : "creations_per_second"));
    Lane lane;
    lane.account = identity::checksum(std::to_string(account.tenant.value) + "\n" +
                                      account.provider_type + "\n" + name);
    lane.kind = kind;
    lane.per_second = own.value_or(reads ? rates.reads : rates.creations);
    lane.burst = reads ? rates.read_burst : rates.creation_burst;
    // Who says how many calls a second are allowed means any second: after a pause, too.
    if (own) lane.burst = 1;
    return lane;
}

std::string endpoint_of(const Account& account, std::string usual) {
    std::string endpoint = text_of(account, "api_endpoint");
    if (endpoint.empty()) endpoint = std::move(usual);
    while (endpoint.ends_with('/')) endpoint.pop_back();
    return endpoint;
}

http_client::Request request_to(const Account& account, std::string method, std::string url) {
    http_client::Request request;
    request.method = std::move(method);
    request.url = std::move(url);
    request.authorities = text_of(account, "ca_certificates");
    request.limit = std::chrono::seconds{30};
    request.forbids_own_network = true;
    request.longest_reply = 16 << 20;
    return request;
}

http_client::Request json_request_to(const Account& account, std::string method, std::string url,
                                     const base::Json& body, const std::string& bearer) {
    http_client::Request request = request_to(account, std::move(method), std::move(url));
    if (!bearer.empty()) request.headers.emplace_back("Authorization", "Bearer " + bearer);
    request.headers.emplace_back("Accept", "application/json");
    if (body.is_null()) return request;
    request.headers.emplace_back("Content-Type", "application/json");
    request.body = base::to_text(body);
    return request;
}

}  // namespace provisioner::providers::cloud
