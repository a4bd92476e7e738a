#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "provisioner/operations/catalogue/references.hpp"

namespace provisioner::operations {

// What an entry names, the other way round than references.hpp. Pure. Entries are in wire form; one
// that cannot be read names nothing.

/// What clusters of the entry need or may have: parents, services, hardware and image types and the
/// provider of a template, what a service requires. Each once, sorted. A service may be named by
/// what it provides. Providers in maps of types are not among them: those may be missing.
std::vector<model::EntryName> entries_named_by(model::CatalogueKind kind, const base::Json& entry);

/// The names in a catalogue; those of services with the names that they provide.
using KnownNames = std::map<model::CatalogueKind, std::set<std::string>>;
KnownNames known_names(const CatalogueEntries& all);

/// What an entry names and `known` does not have. Of a hardware or image type: the providers of its
/// map, if none of them is known.
std::vector<model::EntryName> missing_entries(const KnownNames& known, model::CatalogueKind kind,
                                              const base::Json& entry);

/// `chosen` and all that these need, as far as `all` has it: what they name, what that names, and
/// the services that provide a name.
std::set<model::EntryName> with_needed_entries(const CatalogueEntries& all,
                                               const std::vector<model::EntryName>& chosen);

}  // namespace provisioner::operations
