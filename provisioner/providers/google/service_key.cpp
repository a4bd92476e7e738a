#include "provisioner/providers/google/service_key.hpp"

#include "provisioner/base/json.hpp"
#include "provisioner/providers/cloud/fields.hpp"
#include "provisioner/providers/google/assertion.hpp"

namespace provisioner::providers::google {

using cloud::text_of;

namespace {

constexpr auto usual_token_uri = "https://oauth2.googleapis.com/token";
constexpr std::string_view account_domain = "gserviceaccount.com";

/// Which field the key comes from, and its text.
struct KeyText {
    std::string field{};
    std::string text{};
};

KeyText key_text_of(const Account& account) {
    const auto file = account.files.find("api_key_resource");
    if (file != account.files.end()) return {.field = "api_key_resource", .text = file->second};
    return {.field = "google_key_json", .text = text_of(account, "google_key_json")};
}

void check_email(const Account& account, const ServiceKey& key, base::Problems& problems) {
    const std::string wanted = text_of(account, "google_client_email");
    if (!wanted.empty() && !wanted.ends_with(account_domain)) {
        problems.push_back({"google_client_email", "must end in gserviceaccount.com"});
    } else if (!wanted.empty() && !key.email.empty() && wanted != key.email) {
        problems.push_back(
            {"google_client_email", "is " + wanted + ", but the key is one of " + key.email});
    }
}

void read_key(const KeyText& given, ServiceKey& key, base::Problems& problems) {
    const auto json = base::parse_json(given.text);
    if (!json || !json->is_object()) {
        problems.push_back({given.field, "is not the JSON file of a service account's key"});
        return;
    }
    key.email = base::text_at(*json, "client_email");
    key.key_id = base::text_at(*json, "private_key_id");
    key.private_key = base::Secret(base::text_at(*json, "private_key"));
    const std::string uri = base::text_at(*json, "token_uri");
    key.token_uri = uri.empty() ? usual_token_uri : uri;
    if (!is_private_key(key.private_key)) {
        problems.push_back({given.field, "has no RSA key that can be read in \"private_key\""});
    }
    if (!key.email.ends_with(account_domain)) {
        problems.push_back(
            {given.field, "has no \"client_email\" that ends in " + std::string(account_domain)});
    }
}

/// The key file says where the signed assertion goes. Only a test's endpoint is without TLS.
void check_token_uri(const Account& account, const KeyText& given, const ServiceKey& key,
                     base::Problems& problems) {
    const bool is_plain_allowed = text_of(account, "api_endpoint").starts_with("http://");
    const bool is_right = key.token_uri.starts_with("https://") ||
                          (is_plain_allowed && key.token_uri.starts_with("http://"));
    if (!key.token_uri.empty() && !is_right) {
        problems.push_back({given.field, "has a \"token_uri\" that does not begin with https://"});
    }
}

}  // namespace

base::Checked<ServiceKey> service_key_of(const Account& account) {
    base::Problems problems;
    ServiceKey key;
    const KeyText given = key_text_of(account);
    for (auto& problem : cloud::check_files(account)) problems.push_back(std::move(problem));
    if (!given.text.empty()) {
        read_key(given, key, problems);
        check_token_uri(account, given, key, problems);
    } else if (problems.empty()) {
        problems.push_back({"api_key_resource",
                            "name the JSON key file of a service account, or put its text in "
                            "google_key_json"});
    }
    check_email(account, key, problems);
    if (problems.empty()) return key;
    problems.insert(problems.begin(), {"", "Credential validation failed!"});
    return base::unexpected(std::move(problems));
}

}  // namespace provisioner::providers::google
