#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/store/database/database.hpp"

namespace fcgi::pages {

/// Names of entries, with a text for each: its label, or what people read for it.
using NamedTexts = std::vector<std::pair<std::string, std::string>>;

/// (name, label or "") as (name, what people read): the label, or the name without one. The name
/// stands beside it where entries of the list would read the same: "Small (small-a)".
NamedTexts told_apart(NamedTexts names_and_labels);

/// The same of entries in wire form.
NamedTexts told_apart(const std::vector<provisioner::base::Json>& entries);

/// "clusters: read" for a right of an API key, "clusters:read". Another text stays.
std::string right_words(const std::string& right);

/// What people read for entries of a tenant's catalogue. Forms and addresses have names.
class Labels {
 public:
    /// Entries of one kind as told_apart() has them.
    void add(provisioner::model::CatalogueKind kind, const NamedTexts& texts);

    bool knows(provisioner::model::CatalogueKind kind, const std::string& name) const;
    /// The name of an entry that is not known stays.
    std::string of(provisioner::model::CatalogueKind kind, const std::string& name) const;

    std::string service(const std::string& name) const;
    std::vector<std::string> services(std::vector<std::string> names) const;
    std::string hardware_type(const std::string& name) const;
    std::string image_type(const std::string& name) const;
    /// A sentence with labels in place of the names of services, hardware and image types, of the
    /// solver for example: "cache requires db". Names in paths ("cluster/db/port") stay, those of
    /// providers and templates, too, and a name that is a word of such sentences ("on"), unless
    /// "service" or "hardware type" stands before it.
    std::string in(const std::string& sentence) const;
    /// The same of what is wrong with a form.
    provisioner::base::Problems in(provisioner::base::Problems problems) const;

 private:
    /// That of a service, else of a hardware type, else of an image type.
    std::string of_any(const std::string& name) const;

    std::map<std::pair<provisioner::model::CatalogueKind, std::string>, std::string> texts_{};
};

/// Entries of these kinds as they are in the catalogue now. One statement.
Labels read_labels(provisioner::store::Connection& connection, provisioner::model::TenantId tenant,
                   const std::vector<provisioner::model::CatalogueKind>& kinds);

/// What pages of a cluster need: its services as it was made of them; hardware and image types as
/// they are in the catalogue now. One statement.
Labels labels_of(provisioner::store::Connection& connection,
                 const provisioner::model::Cluster& cluster);

/// The services of a cluster. Pure.
NamedTexts texts_of_services(const provisioner::model::Cluster& cluster);

/// What the services of a cluster provide under names that are no services: "Database" for "sql",
/// "Database or Cache" where several do. Pure.
NamedTexts texts_of_provided(const provisioner::model::Cluster& cluster);

}  // namespace fcgi::pages
