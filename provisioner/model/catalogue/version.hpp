#pragma once

#include <optional>
#include <string>
#include <vector>

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

/// What somebody has seen of an entry. Numbers begin anew when an entry is deleted and created
/// again, so the number alone does not tell which version that is.
struct SeenVersion {
    /// 0: there was no entry.
    int version = 0;
    /// The last line of the entry's history then, 0 without any. Nothing: numbers alone are
    /// compared.
    std::optional<long long> line{};

    bool operator==(const SeenVersion&) const = default;
};

/// What of an entry is in force.
struct PresentVersion {
    /// As whoever looks now sees it.
    SeenVersion seen{};
    /// The line that began the entry, without its document; nothing without an entry, and where
    /// that line is not kept any more.
    std::optional<CatalogueVersion> begun{};

    bool exists() const { return seen.version > 0; }
};

/// The entry with this number, 0 for none, and this history, the newest line first.
PresentVersion present_version(int version, const std::vector<CatalogueVersion>& lines);

/// Whether `seen` is in force.
bool is_in_force(const PresentVersion& present, const SeenVersion& seen);

/// Whether the entry was deleted since it was seen, and another one of its name is there.
bool is_created_anew(const PresentVersion& present, const SeenVersion& seen);

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
