#include "fcgi/pages/audit/name_parts.hpp"

#include <algorithm>

#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/store/audit/name_store.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
namespace store = provisioner::store;

namespace {

void add_names(const store::NamesOfPart& found, const std::string& part,
               std::vector<std::string>& names, std::vector<std::string>& notes) {
    std::ranges::copy_if(found.names, std::back_inserter(names),
                         [&](const std::string& name) { return name != part; });
    if (!found.has_more) return;
    notes.push_back(words_on_many_names(part));
}

}  // namespace

std::string words_on_many_names(const std::string& part) {
    return translated(
        "More than {0} names have “{1}” in them. Only events of the {0} names that were used last "
        "are found: enter more of the name, or choose a kind or From.",
        grouped(static_cast<std::size_t>(store::most_names_of_part)), part);
}

std::string words_on_none_of_names() {
    return translated(
        "No matching events among the {0} names that were used last. Others may "
        "have some: enter more of the name, or choose a kind or From.",
        grouped(static_cast<std::size_t>(store::most_names_of_part)));
}

bool has_name_parts(const http::Request& request) {
    return request.query_value("part") == "yes";
}

std::vector<std::string> find_name_parts(store::Connection& connection,
                                         const std::optional<provisioner::model::TenantId>& chain,
                                         store::AuditFilter& filter) {
    std::vector<std::string> notes;
    store::NameFilter wanted{
        .chain = chain, .object_kind = filter.object_kind, .from = filter.from};
    if (!filter.user.empty()) {
        wanted.part = filter.user;
        add_names(store::user_names_with(connection, wanted), filter.user, filter.more_users,
                  notes);
    }
    if (!filter.object.empty()) {
        wanted.part = filter.object;
        add_names(store::object_names_with(connection, wanted), filter.object, filter.more_names,
                  notes);
    }
    return notes;
}

}  // namespace fcgi::pages
