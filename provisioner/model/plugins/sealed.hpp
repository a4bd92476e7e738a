#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/plugins/plugin_type.hpp"
#include "provisioner/model/tenants/tenant.hpp"

/// Secret fields of providers, in documents of the catalogue and of clusters. Their way:
///
/// * A request brings the plain value; operations/catalogue/provider_secrets.cpp seals it.
/// * The database stores the sealed value, bound to tenant, kind, id and field.
/// * Pages and API show the mask. Nodes and callbacks get neither value nor mask.
/// * The daemon opens it for a task (model/machines/account.hpp) and masks it in all texts it
///   stores.
namespace provisioner::model {

/// Shown in place of a secret. A request that sends it back keeps the stored secret, so forms can
/// be saved without knowing it.
inline constexpr std::string_view secret_mask = "********";

/// Most bytes of a secret, and of all secrets of a provider or of a cluster together: what nodes
/// print is searched for each of them, with some 24 bytes of memory for each byte. Files of keys
/// have as many.
inline constexpr std::size_t longest_secret = 65'536;
inline constexpr std::size_t most_secret_bytes = longest_secret;

/// Why these secrets cannot be taken (name -> value): each that is too long, or all when they are
/// too long together. Empty when they can. Values may be sealed.
base::Problems problems_with_sizes(const std::string& path, const base::Json& secrets);

/// Stored form of a secret field: {"sealed":"<text of identity::seal>"}. Catalogue entries and
/// clusters contain it in place of the plain value. Operations refuse requests that contain this
/// form, so nobody can plant a sealed text that was copied elsewhere.
base::Json sealed_value(const std::string& sealed);

/// Whether `value` has that form. Does not check that it opens.
bool is_sealed(const base::Json& value);

/// The text inside. Throws a JSON exception unless is_sealed(value).
std::string sealed_text(const base::Json& value);

/// A copy of `fields`, an object, with secret_mask for each sealed value. For pages and API.
///
///     {"region": "eu-1", "api_password": {"sealed": "1.Zm9v..."}}
///     {"region": "eu-1", "api_password": "********"}
base::Json masked(const base::Json& fields);

/// A copy of `fields` without sealed values. For documents that leave the installation: tasks'
/// configurations on nodes, callbacks.
base::Json without_sealed(const base::Json& fields);

/// A catalogue entry as people may see it. Masks the fields of a provider, recognised by its
/// members; other entries are returned unchanged.
base::Json shown_entry(base::Json entry);

/// Whether a field's name suggests a secret: contains "password", "token" or similar, in any case.
/// A heuristic for fields that no plugin declares; it may be wrong both ways.
bool sounds_secret(std::string name);

/// What the root of a document is. In a configuration every name is judged; elsewhere the members
/// of "services", "providermap" and "actions" have the names of entries.
enum class DocumentKind { entity, configuration };

/// Puts `instead` in place of every string and number below a name that sounds_secret(). For
/// documents that people see and whose fields nobody declares, such as configurations.
void hide_what_sounds_secret(base::Json& document, std::string_view instead,
                             DocumentKind kind = DocumentKind::entity);

/// What `caller` may read of a document that was made for the API: in place of what sounds secret,
/// whoever only reads (an auditor) gets the mask.
base::Json readable_by(const Caller& caller, base::Json document,
                       DocumentKind kind = DocumentKind::entity);

/// The document with what `present` has at the same places in place of each mask: somebody who got
/// it from readable_by() sends it back. Of lists those elements are taken over that are
/// otherwise as they were. Problems name the places of masks for which nothing is stored. Not for
/// providers, whose secrets are sealed.
base::Checked<base::Json> with_masked_values(base::Json document,
                                             const std::optional<base::Json>& present);

/// The same for the configuration of a cluster; the field of each problem is "config".
base::Checked<base::Json> with_masked_config(const base::Json& config, const base::Json& present);

/// Whether values of field `name` must be sealed. Decided by the declaration in `type`; admin
/// fields come first. For a field that it does not declare, or without a type (null), by
/// sounds_secret().
bool is_secret_field(const PluginType* type, const std::string& name);

}  // namespace provisioner::model
