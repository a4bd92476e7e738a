#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/base/problem.hpp"
#include "provisioner/http_client/client.hpp"
#include "provisioner/providers/cloud/cloud.hpp"
#include "provisioner/providers/cloud/rate_limits.hpp"
#include "provisioner/providers/provider.hpp"

namespace provisioner::providers::cloud {

/// A field of the provider as text: a number or a boolean in its JSON form; "" for none and null.
std::string text_of(const Account& account, std::string_view field);
/// What the hardware or image type says under that name; else the provider's field.
std::string setting(const Account& account, const MachineSpec& spec, std::string_view name);
/// Whether a text means yes: "true", "1", "yes", "on", whatever the case; `fallback` when empty.
bool is_yes(std::string_view text, bool fallback);
/// Whether a text is an id and no name: 8-4-4-4-12 hexadecimal digits.
bool is_uuid(std::string_view text);
/// The gigabytes that a reply says, as digits; 0 for any other text.
int gigabytes_in(std::string_view text);
/// The same for a member of an object, a number or a text; 0 without one.
int gigabytes_in(const base::Json& item, std::string_view name);
/// The parts of a comma list without blanks around them; empty parts are left out.
std::vector<std::string> list_in(std::string_view text);
/// A comma list of the hardware or image type.
std::vector<std::string> hardware_list(const MachineSpec& spec, std::string_view name);
/// A whole number between the bounds. `fallback` for an empty text; adds a problem and returns
/// `fallback` for any other text.
long long number_in(std::string_view text, std::string_view field, long long least, long long most,
                    long long fallback, base::Problems& problems);

/// What a field is, for type(). Members as in model::PluginField.
struct FieldText {
    std::string name;
    std::string label;
    std::string tip{};
    std::string kind = "text";
    std::string default_value{};
    /// Set it where the code does the same with an empty value.
    bool default_applies = false;
    bool overridable = false;
    /// Set it for every field that says where calls go, or by whom they may be answered.
    bool leads = false;
    /// Set it for every field that gives machines rights in the account.
    bool grants = false;
    std::vector<std::string> options{};
    /// For a number; what check() demands.
    std::optional<model::NumberRange> number{};
};
/// The field; kind "password" makes it a secret. An empty `default_value` means none.
model::PluginField field(FieldText text);

/// The fields that every cloud has of ours, after Coopr's own:
/// `api_endpoint`, `ca_certificates`, `calls_per_second`, `creations_per_second`, `cloud_init`,
/// `ssh_ranges`, `client_ranges`. Leaves out names that `type` has already.
void add_common_fields(model::PluginType& type);

/// Common fields that are wrong, and fields of `type` that lead to an API without TLS. That is one
/// for an open own network only: whoever is on the way could read the account's secrets.
base::Problems check_common_fields(const Account& account, const model::PluginType& type,
                                   http_client::OwnNetwork own_network);

/// A problem for each field that names a file ("ssh_key_resource") which is not among the account's
/// files: there is none of that name, or it cannot be read.
base::Problems check_files(const Account& account);

/// Whether the machine's image runs cloud-init, so that user data work: `cloud_init` of the image
/// type or the provider, yes if nobody says.
bool has_cloud_init(const Account& account, const MachineSpec& spec);

/// A fingerprint of everything that the account's calls depend on, for caches. 64 hexadecimal
/// digits.
std::string account_key(const Account& account);

/// 8 digits that tell secrets of one field apart, for account_name() where the API does not say
/// whose a token is: "3fa9c1e2".
std::string fingerprint_of(const Account& account, std::string_view field);

/// The lane of the account for "read" or "create", by the fields or `rates`. `name` is what
/// account_name() gives: providers of a tenant that lead to one account share its lanes. Those of
/// other tenants do not, because anybody can name an account that is not theirs, and use it up.
Lane lane_of(const Account& account, const std::string& name, const Rates& rates,
             std::string_view kind);

/// Where the account's calls go: `api_endpoint`, or `usual` where it is empty. Without slashes at
/// the end.
std::string endpoint_of(const Account& account, std::string usual);

/// A request with what all calls of the account have: authorities from `ca_certificates`. It must
/// not lead to this host, because people may give any address.
http_client::Request request_to(const Account& account, std::string method, std::string url);

/// The same for an API that speaks JSON: with `bearer` as its token unless it is empty, and with
/// `body` unless it is null.
http_client::Request json_request_to(const Account& account, std::string method, std::string url,
                                     const base::Json& body, const std::string& bearer = "");

}  // namespace provisioner::providers::cloud
