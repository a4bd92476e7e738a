#pragma once

#include <optional>
#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/words.hpp"

namespace provisioner::model {

/// What a person did to an entry of the catalogue.
enum class VersionAct { create, change, remove, import, restore };

/// One line in the history of a catalogue entry. The history outlives the entry.
struct CatalogueVersion {
    /// Grows with time over all entries; identifies the line.
    long long id = 0;
    /// The entry's number then. Numbers begin at 1 again after a deletion or an import, so two
    /// lines may have the same.
    int version = 0;
    VersionAct act = VersionAct::create;
    /// Of an act `restore`: the version that was restored; 0 where it is not known.
    int restored_version = 0;
    /// The entry in wire form with its secrets sealed, without "version"; nothing for a deletion,
    /// and where documents are not read.
    std::optional<base::Json> document{};
    /// Name of the user; empty for the installation itself.
    std::string written_by{};
    base::Timestamp written_at{};
    /// Why, in the words of who did it; may be empty.
    std::string note{};
};

/// Longest note, in bytes.
inline constexpr std::size_t longest_note = 1000;

/// How many lines of an entry are kept: the newest.
inline constexpr int versions_kept = 200;

}  // namespace provisioner::model

namespace provisioner::base {

template <>
inline constexpr std::array words<model::VersionAct>{
    std::pair{model::VersionAct::create, std::string_view("create")},
    std::pair{model::VersionAct::change, std::string_view("change")},
    std::pair{model::VersionAct::remove, std::string_view("delete")},
    std::pair{model::VersionAct::import, std::string_view("import")},
    std::pair{model::VersionAct::restore, std::string_view("restore")}};

}  // namespace provisioner::base
