#include "fcgi/pages/catalogue/versions/seen_version.hpp"

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::parse_number;
using provisioner::messages::translated;
namespace model = provisioner::model;

namespace {

std::string words_on_creation(model::CatalogueKind kind, const std::string& name,
                              const model::PresentVersion& present, const model::SeenVersion& seen,
                              const LastChange& creation, provisioner::base::Timestamp now) {
    const auto entry = with_capital(kind_and_name(kind, name));
    const auto by = creation.is_own ? translated("you") : creation.user;
    const auto at = moment(creation.at, now).at("relative").get<std::string>();
    if (seen.version > 0) {
        return translated(
            "{0} was deleted and created anew by {1} meanwhile, {2}. Look at what changes.", entry,
            by, at);
    }
    return translated(
        "{0} was created meanwhile by {1}, {2}: version {3} is in force. Look at what changes.",
        entry, by, at, present.seen.version);
}

}  // namespace

std::string form_value(const model::SeenVersion& seen) {
    return std::to_string(seen.version) + (seen.line ? '-' + std::to_string(*seen.line) : "");
}

std::optional<model::SeenVersion> seen_version_in(const std::string& value) {
    const auto at = value.find('-');
    const auto version = parse_number(value.substr(0, at));
    if (!version || *version < 0 || *version > model::no_maximum) return std::nullopt;
    model::SeenVersion seen{.version = static_cast<int>(*version)};
    if (at == std::string::npos) return seen;
    const auto line = parse_number(value.substr(at + 1));
    if (!line || *line < 0) return std::nullopt;
    seen.line = *line;
    return seen;
}

std::optional<LastChange> creation_of(const model::PresentVersion& present,
                                      model::CatalogueKind kind, const std::string& name,
                                      const model::User& reader) {
    if (!present.begun) return std::nullopt;
    return LastChange{.user = who_wrote(*present.begun),
                      .at = present.begun->written_at,
                      .href = "/catalogue/" + collection_word(kind) + '/' +
                              http::percent_encode(name) + "/versions",
                      .is_own = present.begun->written_by == reader.name};
}

void tell_creation(provisioner::base::Problems& problems, model::CatalogueKind kind,
                   const std::string& name, const model::PresentVersion& present,
                   const model::SeenVersion& seen, const model::User& reader,
                   provisioner::base::Timestamp now) {
    const bool is_new = seen.version == 0 || model::is_created_anew(present, seen);
    const auto creation = creation_of(present, kind, name, reader);
    if (!present.exists() || !is_new || !creation) return;
    for (auto& problem : problems) {
        if (problem.field != "version") continue;
        problem.message = words_on_creation(kind, name, present, seen, *creation, now);
    }
}

}  // namespace fcgi::pages
